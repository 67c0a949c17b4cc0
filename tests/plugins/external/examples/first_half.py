"""A package with an entry point: a method in Python."""

from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction


def extract(source, params):
    return Extraction(source, [[0, len(source.html) // 2]])


METHOD = Method("first-half", "First half", Params, "extraction", "example", on_source=extract)
