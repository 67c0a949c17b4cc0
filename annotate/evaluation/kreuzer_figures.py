"""What the thesis itself measured on its two data sets, to be printed beside one's own figures.

Source: R. Kreuzer, "A Quantitative Comparison of Semantic Web Page Segmentation Algorithms",
Utrecht 2013, chapter 7, as the museum has it (``resources/museum``).  Means over pages of
precision, recall, F, and of distinct texts retrieved, hit and relevant.
"""

from dataclasses import dataclass
from functools import cache

from annotate.evaluation.published import PublishedTable, built_in


@dataclass(frozen=True)
class ThesisFigures:
    """Row of a table of the thesis."""

    precision: float
    recall: float
    f1: float
    retrieved: float
    hits: float
    relevant: float


@dataclass(frozen=True)
class ThesisTable:
    """A table of chapter 7: its number, and its lines by Pagelet's key of the method."""

    number: str
    lines: dict[str, ThesisFigures]


@cache
def _tables() -> dict[tuple[str, str, str], ThesisTable]:
    """Return them by data set, input and match."""
    return {
        (each.data.origin, each.input, each.columns[0].measure): _table(each)
        for each in built_in()
        if each.data.origin and each.rows
    }


def _table(table: PublishedTable) -> ThesisTable:
    lines = {row.method: ThesisFigures(*row.published) for row in table.rows}
    return ThesisTable(table.source.removeprefix("table "), lines)


def thesis_table(dataset: str, variant: str, match: str) -> ThesisTable | None:
    """Return the thesis' table that a result belongs beside, if there is one.

    Args:
        dataset: ``"random"``, ``"popular"``, or any other.
        variant: Of the pages.  The repaired DOM is what the thesis means by the DOM; the file
            published as such is another page's for some pages.
        match: ``"exact"`` or ``"fuzzy"``.
    """
    return _tables().get((dataset, "repaired" if variant == "dom" else variant, match))
