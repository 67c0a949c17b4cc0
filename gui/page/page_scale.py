"""PageScale: at which scale a page is shown, chosen by the user or fitted to the window."""

from dataclasses import dataclass
from math import ceil

from PySide6.QtWidgets import QScrollArea

from engine.page import Page

LARGE, LARGE_FROM = 1.6, 1080
"""How much thicker lines and larger names are for an audience, and from which height of the page's
area, px, they grow with it: a hall's screen is as wide in letters as a desk's."""

ZOOMS = (0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)


@dataclass
class PageScale:
    """The scale of pages on screen: 1 is one CSS pixel a (device-independent) pixel.

    Attributes:
        margin: px left free on each side of a page that is fitted.
        chosen: By the user; None fits the page's width into the window, never above 1.
        is_large: Whether the width is filled, however wide, to be read from afar.
    """

    margin: int
    chosen: float | None = None
    is_large: bool = False

    def of(self, page: Page, area: QScrollArea) -> float:
        """Return the scale a page is, or will be, shown at in an area."""
        if self.chosen is not None:
            return self.chosen
        most = ZOOMS[-1] if self.is_large else 1.0
        width = area.viewport().width() - (0 if self.is_large else 2 * self.margin)
        return max(ZOOMS[0], min(most, width / page.viewport[0]))

    def choose(self, zoom: float | None) -> None:
        """Set the scale, within its bounds; None fits the width."""
        self.chosen = None if zoom is None else min(max(zoom, ZOOMS[0]), ZOOMS[-1])

    def of_lines(self, zoom: float, area: QScrollArea) -> float:
        """Return how many CSS px a px of the layers' lines and names is.

        They keep their size on screen, but shrink a little with a small page.
        """
        scale: float = min(1 / zoom, zoom**-0.8)
        return scale * LARGE * max(1.0, area.height() / LARGE_FROM) if self.is_large else scale

    def least_width(self, page: Page | None) -> int:
        """Return the width, px, below which a fitted page scrolls across."""
        return (0 if page is None else ceil(page.viewport[0] * ZOOMS[0])) + 2 * self.margin


def next_zoom(now: float, steps: int) -> float | None:
    """Return the nearest larger (``steps`` above 0) or smaller scale; None at the end."""
    if steps > 0:
        return next((zoom for zoom in ZOOMS if zoom > now + 0.005), None)
    return next((zoom for zoom in ZOOMS[::-1] if zoom < now - 0.005), None) if steps else None
