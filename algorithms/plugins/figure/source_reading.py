"""What a figure is made of: the page, the source a method read, and gold where there is some."""

from dataclasses import dataclass

import numpy as np

from engine.page import Page
from engine.source import Source
from engine.tree import Bools, Ints


@dataclass(frozen=True, eq=False)
class Reading:
    """Page as one method reads it.

    Attributes:
        page: The page; None where only a source is at hand.
        read: The source of a method that extracts; None for one that reads the rendered page.
        gold: Which words of the source gold holds, bool (w,); None where nothing is marked.
    """

    page: Page | None = None
    read: Source | None = None
    gold: Bools | None = None

    @property
    def source(self) -> Source:
        assert self.read is not None
        return self.read

    @property
    def rendered(self) -> Page:
        """The page of a method that reads the rendered page."""
        assert self.page is not None
        return self.page

    def gold_share(self, indices: Ints) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
        """Return the share of gold in each run of words, int32 (d, 2); None without gold."""
        if self.gold is None:
            return None
        total = np.concatenate(([0], np.cumsum(self.gold)))
        at = np.maximum(indices, 0)
        size = np.maximum(at[:, 1] - at[:, 0], 1)
        return np.asarray((total[at[:, 1]] - total[at[:, 0]]) / size, dtype=np.float64)


def quote(source: Source, first: int, last: int, letters: int = 60) -> str:
    """Return the text of a range of words, cut to one line."""
    text = " ".join(source.words[first : min(last, first + letters // 2)])
    if len(text) > letters:
        return f"{text[: letters - 1]}…"
    return f"{text} …" if last - first > letters // 2 else text
