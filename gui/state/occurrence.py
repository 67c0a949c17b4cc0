"""Text frequency across the site, as drawn on the open page."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal


class OccurrenceState(QObject):
    """A heat layer.

    Attributes:
        is_shown: Whether it is drawn.
        least: The smallest share of pages that is drawn, 0 to 1.
        shares: Row of the page → share of the site's pages its text stands on; empty while that is
            not known.
        pages: How many pages these are.
    """

    shown_changed = Signal()
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_shown = False
        self.least = 1 / 3
        self.shares: Mapping[int, float] = {}
        self.pages = 0

    @property
    def drawn(self) -> dict[int, float]:
        """The drawn range: rows whose share is large enough."""
        return {row: share for row, share in self.shares.items() if share >= self.least}

    def show(self, is_shown: bool) -> None:
        if is_shown != self.is_shown:
            self.is_shown = is_shown
            self.shown_changed.emit()

    def set_least(self, least: float) -> None:
        """Draw texts that occur on at least this share of the pages."""
        if least != self.least:
            self.least = least
            self.changed.emit()

    def set_shares(self, shares: Mapping[int, float], pages: int) -> None:
        """Set the frequency of the open page's texts across the site."""
        if (shares, pages) != (self.shares, self.pages):
            self.shares, self.pages = shares, pages
            self.changed.emit()
