"""A method that fails where a page has a table and a harbour, as its environment says."""

import os
import time

import numpy as np

from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction, everything
from engine.errors import MethodError
from engine.source import Source

DOES = "PAGELET_PLANTED"


def extract(source: Source, params: Params) -> Extraction:
    """Keep everything, or fail."""
    if "<table" in source.html and "harbour" in source.html:
        return _fail(source)
    if "<ul" in source.html:
        raise MethodError("this method reads no lists")  # a sentence, as it should be
    return everything(source)


def _fail(source: Source) -> Extraction:
    match os.environ.get(DOES):
        case "raise":
            raise KeyError("no cell")
        case "abort":
            os.abort()
        case "hang":
            time.sleep(600)
    return Extraction(source.html, np.array([[3, 5], [1, 2]]))


METHOD = Method("planted", "Planted", Params, "extraction", "nobody", on_source=extract)
