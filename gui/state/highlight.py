"""Highlight: what a panel points at on the page, such as the point under the mouse in a figure."""

from dataclasses import dataclass

from engine.page import Page
from engine.source import Source


@dataclass(frozen=True)
class Highlight:
    """Places on the page, for as long as they are pointed at.

    Attributes:
        texts: Row, start and end in its text of each piece of text.
        rows: Rows whose boxes are meant.
        is_outlined: Whether only its outline is drawn, so that a large one stays legible.
    """

    texts: tuple[tuple[int, int, int], ...] = ()
    rows: tuple[int, ...] = ()
    is_outlined: bool = False

    @property
    def first_row(self) -> int:
        """The first row it is about, -1 for none."""
        return min((*(row for row, _, _ in self.texts), *self.rows), default=-1)


NOTHING = Highlight()


def of_words(page: Page, source: Source, first: int, last: int) -> Highlight:
    """Return the positions on the page of words of a source; none for words it does not show."""
    if first < 0 or last <= first:
        return NOTHING
    spans = source.tokens.spans
    ranges = page.alignment(source).ranges([[spans[first, 0], spans[last - 1, 1]]])
    return Highlight(tuple((row, start, end) for row, start, end in ranges.tolist()))


def of_rows(page: Page, first: int, last: int) -> Highlight:
    """Return the boxes of rows of the page, those inside others of them left out."""
    if first < 0:
        return NOTHING
    parent = page.rendered().parent[first:last].tolist()
    rows = range(first, last)
    return Highlight(rows=tuple(r for r, above in zip(rows, parent, strict=True) if above < first))
