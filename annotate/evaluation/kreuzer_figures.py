"""What the thesis itself measured on its two data sets, to be printed beside one's own figures.

Source: R. Kreuzer, "A Quantitative Comparison of Semantic Web Page Segmentation Algorithms",
Utrecht 2013, chapter 7.  Means over pages of precision, recall, F, and of distinct texts retrieved,
hit and relevant.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class ThesisFigures:
    """One line of a table."""

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


_METHODS = ("block-fusion", "page-segmenter", "vips", "webterrain")
_FigureLine = tuple[float, float, float, float, float, float]


def _table(number: str, *lines: _FigureLine) -> ThesisTable:
    result = {key: ThesisFigures(*line) for key, line in zip(_METHODS, lines, strict=True)}
    return ThesisTable(number, result)


TABLES: dict[tuple[str, str, str], ThesisTable] = {
    ("random", "html", "exact"): _table(
        "7.1",
        (0.03, 0.06, 0.04, 25.99, 0.77, 12.24),
        (0.11, 0.27, 0.14, 46.96, 2.97, 12.24),
        (0.07, 0.06, 0.06, 7.42, 0.91, 12.24),
        (0.25, 0.22, 0.21, 10.9, 2.23, 12.24),
    ),
    ("random", "html", "fuzzy"): _table(
        "7.2",
        (0.06, 0.11, 0.07, 25.99, 1.51, 12.24),
        (0.19, 0.45, 0.24, 46.96, 5.24, 12.24),
        (0.28, 0.16, 0.17, 7.42, 1.99, 12.24),
        (0.48, 0.43, 0.42, 10.9, 4.5, 12.24),
    ),
    ("random", "dom", "exact"): _table(
        "7.3",
        (0.08, 0.14, 0.09, 30.96, 1.79, 12.24),
        (0.11, 0.39, 0.16, 65.04, 4.47, 12.24),
        (0.36, 0.21, 0.24, 9.24, 2.73, 12.24),
        (0.34, 0.29, 0.29, 10.58, 3.04, 12.24),
    ),
    ("random", "dom", "fuzzy"): _table(
        "7.4",
        (0.1, 0.17, 0.12, 30.96, 2.35, 12.24),
        (0.15, 0.51, 0.2, 65.04, 6.12, 12.24),
        (0.51, 0.26, 0.3, 9.24, 3.33, 12.24),
        (0.57, 0.49, 0.49, 10.58, 5.33, 12.24),
    ),
    ("popular", "html", "exact"): _table(
        "7.5",
        (0.03, 0.06, 0.03, 72.85, 1.07, 16.15),
        (0.05, 0.24, 0.08, 124.43, 4.05, 16.22),
        (0.07, 0.09, 0.07, 16.72, 1.17, 16.11),
        (0.18, 0.17, 0.16, 13.86, 2.19, 16.09),
    ),
    ("popular", "html", "fuzzy"): _table(
        "7.6",
        (0.05, 0.12, 0.06, 72.85, 2.07, 16.15),
        (0.09, 0.42, 0.13, 124.43, 6.74, 16.22),
        (0.13, 0.15, 0.12, 16.72, 2.23, 16.11),
        (0.37, 0.35, 0.33, 13.86, 4.81, 16.09),
    ),
    ("popular", "dom", "exact"): _table(
        "7.7",
        (0.03, 0.08, 0.04, 81.75, 1.34, 16.15),
        (0.05, 0.27, 0.07, 163.71, 4.56, 16.3),
        (0.13, 0.14, 0.12, 19.51, 2.25, 16.11),
        (0.27, 0.28, 0.26, 14.75, 3.77, 16.09),
    ),
    ("popular", "dom", "fuzzy"): _table(
        "7.8",
        (0.04, 0.12, 0.06, 81.75, 2.13, 16.15),
        (0.07, 0.41, 0.11, 164.0, 6.68, 16.22),
        (0.19, 0.21, 0.17, 19.51, 3.29, 16.11),
        (0.47, 0.46, 0.42, 14.74, 6.43, 16.09),
    ),
}
"""By data set, input and match."""


def thesis_table(dataset: str, variant: str, match: str) -> ThesisTable | None:
    """Return the thesis' table that a result belongs beside, if there is one.

    Args:
        dataset: ``"random"``, ``"popular"``, or any other.
        variant: Of the pages.  The repaired DOM is what the thesis means by the DOM; the file
            published as such is another page's for some pages.
        match: ``"exact"`` or ``"fuzzy"``.
    """
    return TABLES.get((dataset, "dom" if variant == "repaired" else variant, match))
