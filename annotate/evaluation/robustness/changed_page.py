"""Result of a method on a page after a change of all but the content, on the original page."""

import numpy as np

from algorithms.core.attempt import attempt
from algorithms.explain.differences import words_kept
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction, keep_words
from annotate.evaluation.robustness.perturbations import PERTURBATIONS, Perturbation
from engine.errors import InputError
from engine.page import Page
from engine.sequences import common_words
from engine.source import Source

OF_SOURCE: tuple[Perturbation, ...] = tuple(
    each for each in PERTURBATIONS if each.html is not None and each.encoding == "utf-8"
)
"""Those that leave the page's own words in it: what is kept after them can be shown on it."""


def after_change(entry: Method, params: Params, source: Source, change: Perturbation) -> Extraction:
    """Return the words of the original page that a method keeps of the changed one.

    Raises `InputError` where the method gives nothing.
    """
    assert change.html is not None
    page = Page("", Source.from_text(change.html(source.html)))
    outcome = attempt(entry, page, params, "original")
    if not isinstance(outcome.result, Extraction):
        raise InputError(outcome.error or f"{entry.name} gives no text of the changed page")
    pairs = common_words(source.words, outcome.result.source.words)
    keeps = np.zeros(len(source.words), dtype=bool)
    keeps[pairs[:, 0]] = words_kept(outcome.result)[pairs[:, 1]]
    return keep_words(source, keeps)
