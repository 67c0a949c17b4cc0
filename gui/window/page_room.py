"""Room for the page: the sides give width, then become one column of tabs, then take in more."""

from collections.abc import Iterable
from functools import partial
from math import ceil
from typing import Protocol

from PySide6.QtCore import QByteArray, QObject, QSize, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStyle

from gui.widgets.events import debounce

_AREAS = Qt.DockWidgetArea

LAYOUT = 2
"""Number of the arrangement of panels; another number makes saved ones void.

A new dock needs none: Qt leaves one that a saved arrangement does not know where it is.
"""

SHARE_BELOW, LEAST_BELOW, MOST_BELOW = 0.17, 138, 320
"""Height of a panel below the page when it is opened for the first time: of the window's; px."""

SHARE_PAGE = 0.6
"""Of the window's area: at least for the page, whenever the window or its panels are laid anew."""

LEAST_LETTERS = 28
"""Width that each side keeps, in average letters."""

BY_HAND = 24
"""A panel below that is higher by so much than it was at first, px, was made so by its user."""

SETTLED_MS, TRIES = 50, 20
"""How often, and how many times at most, panels that were laid anew are asked for the width that
they need: they do not know it at once.
"""


class Panels(Protocol):
    """What is asked of the panels around the page."""

    @property
    def every(self) -> tuple[QDockWidget, ...]: ...

    @property
    def below(self) -> tuple[QDockWidget, ...]: ...

    @property
    def at_rest(self) -> tuple[QDockWidget, ...]: ...

    @property
    def guests(self) -> tuple[tuple[QDockWidget, QDockWidget], ...]: ...

    @property
    def is_folded(self) -> bool: ...


class PageRoom(QObject):
    """Keeps 60 % of the window for the page when panels come.

    The sides give what they have above their least width.  If that is too little, the left side
    becomes tabs of the right one; then panels for below become tabs of it, too.  All go back to
    their places when there is room for them.
    """

    def __init__(self, window: QMainWindow, panels: Panels) -> None:
        super().__init__(window)
        self._window, self._panels = window, panels
        self._soon = debounce(self, SETTLED_MS, self._settle)
        self._tries, self._is_asked = 0, False
        self._came: QDockWidget | None = None  # the panel that was shown last
        self._before: QByteArray | None = None  # as it was before any of them
        self._joined: list[QDockWidget] = []  # of the left side, now tabs of the right one
        self._lifted: list[QDockWidget] = []  # for below, now tabs of the right side
        for dock in panels.every:  # not `visibilityChanged`, which comes with a change of tabs
            dock.toggleViewAction().toggled.connect(partial(self._on_toggled, dock))

    def keep_soon(self) -> None:
        """Run after layout."""
        self._tries = TRIES
        self._soon.start()

    def make_room_soon(self) -> None:
        """Choose places and widths after layout, since a panel was asked for."""
        self._is_asked = True
        self.keep_soon()

    def forget(self) -> None:
        """Leave all panels where they are from now on."""
        self._joined, self._lifted, self._before = [], [], None
        self._is_asked = False
        self._soon.stop()

    @property
    def is_tight(self) -> bool:
        """Whether panels are tabs for want of room."""
        return self._before is not None

    def saved(self) -> QByteArray:
        """Return the arrangement to store: as it was before panels became tabs for want of room."""
        return self._before or self._window.saveState(LAYOUT)

    def put_back(self) -> None:
        """Put panels that became tabs for want of room back to their places."""
        for docks, area in (
            (self._joined, _AREAS.LeftDockWidgetArea),
            (self._lifted, _AREAS.BottomDockWidgetArea),
        ):
            for dock in docks:
                if self._window.dockWidgetArea(dock) != area:  # not where somebody has put it
                    is_hidden = dock.isHidden()
                    self._window.addDockWidget(area, dock)
                    dock.setHidden(is_hidden)
        self._joined, self._lifted, self._before = [], [], None

    def _on_toggled(self, dock: QDockWidget, is_shown: bool) -> None:
        if is_shown:
            self._came = dock
        elif self._joined or self._lifted:
            self.keep_soon()

    def _settle(self) -> None:
        self._tries -= 1
        if not self._window.isVisible():
            if self._tries > 0:
                self._soon.start()
            return
        if self._is_asked and not self._panels.is_folded:
            self._arrange()
        self._lower()
        self.keep()
        if self._tries > 0 and self._missing() > 0:
            self._soon.start()

    # places ---------------------------------------------------------------------------------
    def _stack_third(self) -> None:
        """Make a panel that came third in a column a tab of the last of the other two."""
        came, area = self._came, self._window.dockWidgetArea
        if came is None or not is_docked(came) or came in self._panels.at_rest:
            return
        others = [
            dock for dock in self._panels.every
            if area(dock) == area(came) != _AREAS.BottomDockWidgetArea and is_docked(dock)
            and dock not in (came, *self._window.tabifiedDockWidgets(came))
            and not dock.visibleRegion().isEmpty()
        ]  # fmt: skip
        if len(others) > 1:
            self._window.tabifyDockWidget(others[-1], came)
            came.raise_()

    def _arrange(self) -> None:
        """Choose the first arrangement that leaves the page its room: apart, joined, lifted."""
        self._stack_third()
        left, right = self._columns()
        below = [dock for dock in self._panels.below if is_docked(dock)]
        is_apart = not left or not right or self._has_room((left, right), below)
        is_below = not right or self._has_room(([*left, *right],), below)
        is_at_rest = {*left, *right, *below} <= {*self._panels.at_rest}
        can_part, can_lower = is_apart or is_at_rest, is_below or is_at_rest
        if (can_part and self._joined) or (can_lower and self._lifted):
            self.put_back()
        if is_at_rest:
            return
        if self._before is None:
            self._before = self._window.saveState(LAYOUT)
        if not is_apart and not {*left} <= {*self._joined}:
            self._join(left, right)
        if below and not is_below and not {*below} <= {*self._lifted}:
            self._lift(below, right[0])
        if not self._joined and not self._lifted:
            self._before = None

    def _columns(self) -> tuple[list[QDockWidget], list[QDockWidget]]:
        """Return the docks of the left and of the right, as if none were joined or lifted."""
        area = self._window.dockWidgetArea
        sides = [
            dock for dock in self._panels.every
            if is_docked(dock) and dock not in self._panels.below
        ]  # fmt: skip
        at_left = {*self._joined, *(d for d, to in self._panels.guests if to in self._joined)}
        left = [d for d in sides if d in at_left or area(d) == _AREAS.LeftDockWidgetArea]
        return left, [dock for dock in sides if dock not in left]

    def _has_room(self, columns: Iterable[list[QDockWidget]], below: list[QDockWidget]) -> bool:
        """Return whether the page has its share beside columns of the least width."""
        window = self._window
        there = [each for each in self._panels.below if self._is_below(each)]
        height = self.page.height() + max((d.height() + self._handle for d in there), default=0)
        height -= self._height_of(below) + self._handle if below else 0
        width = window.width() - sum(
            self._least(docks) + self._handle for docks in columns if docks
        )
        return width * height >= SHARE_PAGE * window.width() * window.height()

    @property
    def _handle(self) -> int:
        style = self._window.style()
        return style.pixelMetric(QStyle.PixelMetric.PM_DockWidgetSeparatorExtent)

    @property
    def page(self) -> QSize:
        """Size of the middle, px."""
        middle = self._window.centralWidget()
        assert middle is not None
        return middle.size()

    def _least(self, docks: list[QDockWidget]) -> int:
        letters = LEAST_LETTERS * self._window.fontMetrics().averageCharWidth()
        return max(letters, *(dock.minimumSizeHint().width() for dock in docks))

    def _height_of(self, below: list[QDockWidget]) -> int:
        """Return the height that panels below begin with, px."""
        return max(self.first_height, *(dock.minimumSizeHint().height() for dock in below))

    def _is_below(self, dock: QDockWidget) -> bool:
        return is_docked(dock) and self._window.dockWidgetArea(dock) == _AREAS.BottomDockWidgetArea

    def _join(self, left: list[QDockWidget], right: list[QDockWidget]) -> None:
        """Make the left side tabs of the right one; what came last stays in front."""
        front = [dock for dock in right if not dock.visibleRegion().isEmpty()][:1]
        front = [self._came] if self._came in left else front
        for dock in left:
            self._window.tabifyDockWidget(right[0], dock)
        self._joined = left
        for dock in front or right[:1]:
            dock.raise_()

    def _lift(self, below: list[QDockWidget], partner: QDockWidget) -> None:
        for dock in below:
            self._window.tabifyDockWidget(partner, dock)
            dock.raise_()
        self._lifted = below

    # sizes ----------------------------------------------------------------------------------
    @property
    def first_height(self) -> int:
        """Height of a panel below the page when it is opened for the first time, px."""
        return min(max(round(SHARE_BELOW * self._window.height()), LEAST_BELOW), MOST_BELOW)

    def _lower(self) -> None:
        """Lower panels below that are only as high as another one, now hidden, had to be."""
        below = [dock for dock in self._panels.below if self._is_below(dock)]
        if below and 0 < below[0].height() - self._height_of(below) < BY_HAND:
            heights = [self._height_of(below)] * len(below)
            self._window.resizeDocks(below, heights, Qt.Orientation.Vertical)

    def _missing(self) -> int:
        """Return how much width the page lacks, px.

        Not for the height by which the user has made a panel below higher than it was at first.
        """
        window, page = self._window.size(), self.page
        seen = [dock.height() for dock in self._panels.below if self._is_below(dock)]
        higher = max(seen, default=0) - self.first_height
        height = page.height() + (higher if higher >= BY_HAND else 0)
        wanted = SHARE_PAGE * window.width() * window.height() / max(1, height)
        return ceil(wanted) - page.width()

    def keep(self) -> None:
        """Make the sides narrower where the page has too little of the window's width.

        Each gives of what it has above the least width that its panels can have.
        """
        window, missing = self._window, self._missing()
        areas: dict[Qt.DockWidgetArea, list[QDockWidget]] = {}
        for dock in self._panels.every:
            if is_docked(dock) and not self._is_below(dock):
                areas.setdefault(window.dockWidgetArea(dock), []).append(dock)
        spare = {}
        for docks in areas.values():
            front = next((d for d in docks if not d.visibleRegion().isEmpty()), docks[0])
            spare[front] = max(0, front.width() - self._least(docks))  # others keep an old width
        if missing > 0 and any(spare.values()):
            part = min(1.0, missing / sum(spare.values()))
            widths = [dock.width() - ceil(part * px) for dock, px in spare.items()]
            window.resizeDocks(list(spare), widths, Qt.Orientation.Horizontal)


def is_docked(dock: QDockWidget) -> bool:
    """Return whether a panel is shown, and in the window."""
    return not dock.isHidden() and not dock.isFloating()
