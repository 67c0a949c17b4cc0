"""Which pages to mark first: what methods probably score on them, predicted without gold."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import numpy as np

from algorithms.extraction.gleaner import gleaner as gleaner
from algorithms.measures.choice import measure_of
from algorithms.results import Extraction
from algorithms.triage import prediction
from annotate.datasets.case_files import MarkedFiles, PageFiles
from annotate.datasets.cases import BLOCKS, TEXT, DataSet, page_names
from annotate.datasets.no_pages import takes_none
from annotate.datasets.opening import open_pages
from annotate.datasets.stored_listing import StoredListing
from annotate.evaluation.tables.prediction_quality import BAD
from annotate.evaluation.tables.result_table import Results
from annotate.evaluation.tables.summaries import aligned_before, digits
from annotate.marks.gold import Gold
from engine.csv_cells import write_csv
from engine.document import Document
from engine.errors import InputError
from engine.page import Page
from engine.source import Source
from engine.words import plural

MEASURES = "predicted,bow"

_DIFFERENT, _UNLIKE, _UNDECIDED = 0.5, 0.95, 0.5
_COLUMNS = ("order", "dataset", "page", "reason", "method", "input", "predicted_f1", "low", "high",
            "agreement", "unlike", "undecided", "f1")  # fmt: skip


@dataclass(frozen=True)
class UnmarkedFiles(PageFiles):
    """An unmarked page: nothing is rendered to learn that."""

    source: Document

    def document(self) -> Document:
        return self.source

    def marks(self, page: Page) -> Gold:
        return Gold()


def pages_of(source: str, takes: Callable[[Document], bool] = takes_none) -> DataSet:
    """Return all pages of a folder or file, with their gold where they have some.

    ``takes`` returns whether a file is wanted that is not a page.  Raises `InputError`.
    """
    opened = open_pages(source, takes=takes)
    files = (
        UnmarkedFiles(each.document()) if isinstance(each, MarkedFiles) and not each.marked()
        else each
        for each in opened.files
    )  # fmt: skip
    named = zip(page_names(opened.documents), files, strict=True)
    pages = StoredListing((name, {"": each}) for name, each in named)
    name = Path(source).expanduser().resolve().name.removesuffix(".zip").removesuffix(".pagelet")
    return DataSet(name, frozenset({TEXT, BLOCKS}), pages, problems=opened.problems)


@dataclass(frozen=True)
class MethodPrediction:
    """Predicted quality of one method on a page.

    Attributes:
        method: Its key, with its parameters where it is there with several.
        input: The form of the pages it read.
        trouble: Reason for a missing result; "" if there is one.
        f1, low, high: The predicted F1 in words, and its bounds; NaN where it gave nothing.
        agreement, unlike, undecided: Measures of these names; NaN as above.
        real: F1 of the bags of words; NaN where there is no gold.
    """

    method: str
    input: str
    trouble: str
    f1: float
    low: float
    high: float
    agreement: float
    unlike: float
    undecided: float
    real: float = np.nan


@dataclass(frozen=True)
class TriagedPage:
    """Page in the order of work, with the prediction for each method, the best first."""

    dataset: str
    page: str
    predictions: tuple[MethodPrediction, ...]

    @property
    def best(self) -> MethodPrediction:
        return self.predictions[0]

    @property
    def reason(self) -> str:
        """Reason for its position in the order."""
        best = self.best
        if np.isnan(best.f1):
            return f"no result: {best.trouble or 'the page has no words, so nothing is predicted'}"
        reach = f"{best.method} is expected to reach {best.f1:.2f}"
        parts = [f"probably bad: {reach}"] if best.f1 < BAD else []
        return "; ".join([*parts, *self.notes]) or reach

    @property
    def notes(self) -> list[str]:
        """Other remarks on the page."""
        best, parts = self.best, []
        if best.agreement < _DIFFERENT:
            parts.append(f"methods disagree: {best.agreement:.2f} of the words in common")
        if best.unlike >= _UNLIKE:
            parts.append(f"unlike {best.unlike:.0%} of the pages gleaner was trained on")
        if best.undecided >= _UNDECIDED:
            parts.append(f"teaches much: gleaner is undecided about {best.undecided:.0%} of it")
        return parts


def predict_quality(name: str, document: Document) -> TriagedPage:
    """Return the predicted quality of gleaner on a page, read as it was received.

    Raises `PageletError`.
    """
    received = document.receive()
    source = Source.of(received)
    assert gleaner.METHOD.on_source is not None
    result = gleaner.METHOD.on_source(source, gleaner.METHOD.params())
    assert isinstance(result, Extraction)
    own = prediction.predict(source, result)
    agreed = prediction.agreement_with_others(source, result)
    unlike, undecided = prediction.unlikeness(source), prediction.undecided_share(source)
    known = (own.f1, own.low, own.high, agreed, unlike, undecided)
    return TriagedPage("", name, (MethodPrediction("gleaner", "original", "", *known),))


def in_order(results: Results, first: str = "bad") -> tuple[TriagedPage, ...]:
    """Return the pages of an evaluation, those to mark first before the others.

    First those without a result of any method, then by the method that is expected to do best:
    pages that are probably ``bad``, whose gold ``teaches`` most, that are ``unusual``, or with most
    ``disagreement``.
    """
    from annotate.evaluation.report.report_parts import setup_labels

    labels = setup_labels(results)
    pages = []
    for row, page in enumerate(results.pages):
        ran = np.flatnonzero(results.status[row]).tolist()
        own = [_prediction(results, row, position, labels) for position in ran]
        own.sort(key=lambda each: -np.nan_to_num(each.f1, nan=-1.0))
        if own:
            pages.append(TriagedPage(page.dataset, page.name, tuple(own)))
    return tuple(sorted(pages, key=lambda each: ranks_of(each.best)[first]))


def ranks_of(best: MethodPrediction) -> dict[str, float]:
    """Return by what a page is ordered, order by order, the lowest first.

    Lower than all others where nothing is known.
    """
    numbers = {
        "bad": best.f1,
        "teaches": -best.undecided,
        "unusual": -best.unlike,
        "disagreement": best.agreement,
    }
    return {order: float(np.nan_to_num(number, nan=-2.0)) for order, number in numbers.items()}


def reasons_of(page: TriagedPage) -> dict[str, str]:
    """Return in words by what a page is ordered, order by order; see `ranks_of`."""
    best = page.best
    if np.isnan(best.f1):
        return {}
    return {
        "bad": "; ".join([f"F1 {best.f1:.2f} expected", *page.notes]),
        "teaches": f"undecided about {best.undecided:.0%} of its words",
        "unusual": f"unlike {best.unlike:.0%} of the pages gleaner was trained on",
        "disagreement": f"{best.agreement:.0%} of the words in common",
    }


_KEYS = ("predicted-f1", "predicted-low", "predicted-high", "native-agreement", "unlike",
         "undecided", "bow")  # fmt: skip
"""Measures of the numbers of a `MethodPrediction`, in its order."""

_NUMBERS = attrgetter("f1", "low", "high", "agreement", "unlike", "undecided", "real")


def _prediction(
    results: Results, row: int, position: int, labels: Mapping[tuple[str, str], str]
) -> MethodPrediction:
    column = results.columns[position]
    name = labels.get((column.method, column.parameters), column.method)
    numbers = (results.value(measure_of(key), row, position) for key in _KEYS)
    return MethodPrediction(name, column.input, results.ending(row, position), *numbers)


def rows_of(pages: Sequence[TriagedPage]) -> Iterator[Mapping[str, object]]:
    """Yield a row for each page and method, in the order of work; None where nothing is known."""
    for order, page in enumerate(pages, 1):
        for each in page.predictions:
            known = [None if np.isnan(number) else round(number, 4) for number in _NUMBERS(each)]
            reason = page.reason if each is page.best else each.trouble
            first = (order, page.dataset, page.page, reason, each.method, each.input)
            yield dict(zip(_COLUMNS, (*first, *known), strict=True))


def write_order(path: Path, pages: Sequence[TriagedPage]) -> None:
    """Write the rows as CSV; raises `InputError`."""
    write_csv(path, _COLUMNS, (row.values() for row in rows_of(pages)))


def table_of(pages: Sequence[TriagedPage], most: int) -> str:
    """Return the first pages as a table for the reader."""
    if not pages:
        raise InputError("there are no pages")
    lines = [["page", "method", "input", "predicted", "low", "high", "F1"]]
    for page in pages[:most]:
        best = page.best
        numbers = (best.f1, best.low, best.high, best.real)
        shown = [digits(None if np.isnan(number) else number, 2) for number in numbers]
        lines.append([page.page, best.method, best.input, *shown])
    why = ["why", *(page.reason for page in pages[:most])]
    rest = len(pages) - most
    more = [f"and {plural(rest, 'page')} more"] if rest > 0 else []
    return "\n".join(
        (f"Mark these first, of {plural(len(pages), 'page')}:", aligned_before(lines, why), *more)
    )


_MOST_NAMED = 3


def worst_of(pages: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """Return the few pages with the lowest predictions below `BAD`: prediction and page."""
    return sorted((f1, page) for f1, page in pages if f1 < BAD)[:_MOST_NAMED]


def warning_of(
    pages: int, bad: int, worst: Sequence[tuple[float, str]], unpredicted: int = 0
) -> str:
    """Return a sentence about the pages of a batch that are probably bad; "" if there is none.

    Args:
        pages: Number of pages with a prediction.
        bad: Of how many it is below `BAD`.
        worst: The lowest of these.
        unpredicted: Number of pages without a prediction: without words, or without a result.
    """
    without = f"{plural(unpredicted, 'page')} without words or result: no prediction"
    if not bad:
        return without if unpredicted else ""
    names = ", ".join(f"{page} ({f1:.2f})" for f1, page in worst)
    more = ", …" if bad > len(worst) else ""
    threshold = f"{BAD:g}".removeprefix("0")
    rest = f"; {without}" if unpredicted else ""
    return f"{bad} of {plural(pages, 'page')} probably below {threshold}: {names}{more}{rest}"
