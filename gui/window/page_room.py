"""Room for the page: the sides give width, then become one column of tabs, then take in more."""

from collections.abc import Iterable
from functools import partial
from math import ceil
from typing import Protocol

from PySide6.QtCore import QByteArray, QObject, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStyle

from gui.widgets.events import debounce
from gui.window.dock_state import with_shown

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


_Place = tuple[Qt.DockWidgetArea, QRect | None]


class PageRoom(QObject):
    """Keeps 60 % of the window for the page when panels come.

    The sides give what they have above their least width.  If that is too little, the left side
    becomes tabs of the right one; then panels for below become tabs of it, too.  The arrangement
    of before comes back when there is room for it, with what was shown or moved by hand since.
    """

    def __init__(self, window: QMainWindow, panels: Panels) -> None:
        super().__init__(window)
        self._window, self._panels = window, panels
        self._soon = debounce(self, SETTLED_MS, self._settle)
        self._moved_soon = debounce(self, SETTLED_MS, self._take_moves)
        self._tries, self._is_asked = 0, False
        self._came: QDockWidget | None = None  # the panel that was shown last
        self._before: QByteArray | None = None  # as it was before any of them
        self._joined: list[QDockWidget] = []  # of the left side, now tabs of the right one
        self._lifted: list[QDockWidget] = []  # for below, now tabs of the right side
        self._places: dict[QDockWidget, _Place] = {}  # of panels shown since then
        self._by_hand: set[QDockWidget] = set()  # moved since then: they stay where they are
        for dock in panels.every:  # not `visibilityChanged`, which comes with a change of tabs
            dock.toggleViewAction().toggled.connect(partial(self._on_toggled, dock))
            dock.topLevelChanged.connect(self._moved_soon.start)
            dock.dockLocationChanged.connect(self._moved_soon.start)

    def keep_soon(self) -> None:
        """Run after layout."""
        self._tries = TRIES
        self._soon.start()

    def make_room_soon(self) -> None:
        """Choose places and widths after layout, since a panel was asked for."""
        self._is_asked = True
        self.keep_soon()

    @property
    def is_settled(self) -> bool:
        """Whether all that can give way to the page has done so."""
        return not (self._soon.isActive() or self._moved_soon.isActive())

    def forget(self) -> None:
        """Leave all panels where they are from now on."""
        self._joined, self._lifted, self._before = [], [], None
        self._is_asked, self._by_hand = False, set()
        self._soon.stop()

    def saved(self) -> QByteArray:
        """Return the arrangement to store: that of before, with the panels that are shown now."""
        if self._before is None:
            return self._window.saveState(LAYOUT)
        shown = {dock.objectName(): not dock.isHidden() for dock in self._panels.every}
        return with_shown(self._before, shown)

    def _on_toggled(self, dock: QDockWidget, is_shown: bool) -> None:
        if is_shown:
            self._came = dock
        elif self._before is not None:
            self.keep_soon()

    def _settle(self) -> None:
        self._tries -= 1
        if not self._window.isVisible():
            if self._tries > 0:
                self._soon.start()
            return
        if not any(is_docked(dock) for dock in self._panels.every):
            return  # they are away for a while, and come back as they were
        self._take_moves()
        if self._is_asked and not self._panels.is_folded and not self._moved_soon.isActive():
            self._arrange()
        self._lower()
        self.keep()
        if self._tries > 0 and self._missing() > 0:
            self._soon.start()

    # back -----------------------------------------------------------------------------------
    def _put_back(self) -> None:
        """Bring back the arrangement of before, as it would be with all that was done since."""
        if self._before is None:
            return
        window, front, moved = self._window, self._in_front(), self._moved()
        mates = {dock: [*filter(is_docked, window.tabifiedDockWidgets(dock))] for dock in moved}
        heights = {dock: dock.height() for dock in self._panels.below if self._is_below(dock)}
        came, saved = self._came, self.saved()
        self._joined, self._lifted, self._before = [], [], None
        window.restoreState(saved, LAYOUT)
        for dock, (area, box) in moved.items():
            dock.setFloating(box is not None)
            mate = next((each for each in mates[dock] if window.dockWidgetArea(each) == area), None)
            if box is not None:
                dock.setGeometry(box)
            elif mate is not None:
                window.tabifyDockWidget(mate, dock)
            elif window.dockWidgetArea(dock) != area:
                window.addDockWidget(area, dock)
        for dock in front:
            is_new = dock not in self._places and dock not in self._panels.below
            if is_new and not [*filter(is_docked, window.tabifiedDockWidgets(dock))]:
                window.addDockWidget(window.dockWidgetArea(dock), dock)  # last in its column
        for dock in filter(self._is_below, self._panels.below):
            height = heights.get(dock) or (0 if dock in self._places else self.first_height)
            if height:
                window.resizeDocks([dock], [height], Qt.Orientation.Vertical)
        self._came = came
        for dock in sorted(front, key=lambda each: each is came):
            dock.raise_()

    def _take_moves(self) -> None:
        """Take what was moved by hand, while panels are tabs, into the arrangement of before."""
        if self._before is None or not self._moved():
            return
        if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._moved_soon.start()  # it is still being dragged
            return
        present, joined, lifted = self._window.saveState(LAYOUT), self._joined, self._lifted
        self._by_hand |= self._moved().keys()
        self._put_back()
        self._before = self._window.saveState(LAYOUT)
        self._joined, self._lifted = self._not_by_hand(joined), self._not_by_hand(lifted)
        self._window.restoreState(present, LAYOUT)
        self._places = self._places_now()
        if not (self._joined or self._lifted):
            self._before = None  # nothing is left to come back

    def _places_now(self) -> dict[QDockWidget, _Place]:
        """Return the area of each panel that is shown, and its box where it floats."""
        return {
            dock: (
                self._window.dockWidgetArea(dock),
                dock.geometry() if dock.isFloating() else None,
            )
            for dock in self._panels.every
            if not dock.isHidden()
        }

    def _moved(self) -> dict[QDockWidget, _Place]:
        """Return where panels are that were moved by hand since others became tabs."""
        now, then = self._places_now(), self._places
        return {dock: now[dock] for dock in now.keys() & then if now[dock] != then[dock]}

    def _not_by_hand(self, docks: list[QDockWidget]) -> list[QDockWidget]:
        return [dock for dock in docks if dock not in self._by_hand]

    def _in_front(self) -> list[QDockWidget]:
        docked = filter(is_docked, self._panels.every)
        return [dock for dock in docked if not dock.visibleRegion().isEmpty()]

    # places ---------------------------------------------------------------------------------
    def _third(self) -> tuple[QDockWidget, QDockWidget] | None:
        """Return a panel that came third in a column, and the last of the other two."""
        came, area = self._came, self._window.dockWidgetArea
        if came is None or not is_docked(came) or came in self._panels.at_rest:
            return None
        mates = (came, *self._window.tabifiedDockWidgets(came))
        others = [
            dock for dock in self._in_front()
            if area(dock) == area(came) != _AREAS.BottomDockWidgetArea and dock not in mates
        ]  # fmt: skip
        return (came, others[-1]) if len(others) > 1 else None

    def _arrange(self) -> None:
        """Choose the first arrangement that leaves the page its room: apart, joined, lifted."""
        left, right = self._columns()
        below = [dock for dock in self._panels.below if is_docked(dock)]
        is_at_rest = {*left, *right, *below} <= {*self._panels.at_rest}
        can_lift = right and not is_at_rest
        is_apart = not (left and can_lift) or self._has_room((left, right), below)
        is_below = not can_lift or self._has_room(([*left, *right],), below)
        join = [] if is_apart else self._not_by_hand(left)
        lift = [] if is_below else self._not_by_hand(below)
        is_same = _is_enough(self._joined, join) and _is_enough(self._lifted, lift)
        if is_same and self._third() is None:
            if self._before is not None:  # what came since can be moved by hand, too
                self._places = self._places_now() | self._places
            return
        self._put_back()
        if third := self._third():
            came, other = third
            self._window.tabifyDockWidget(other, came)  # a column of three is too low for each
            came.raise_()
        if not join and not lift:
            return
        self._before = self._window.saveState(LAYOUT)
        if join:
            self._join(join, right)
        if lift:
            self._lift(lift, right[0])
        self._places = self._places_now()

    def _columns(self) -> tuple[list[QDockWidget], list[QDockWidget]]:
        """Return the docks of the left and of the right, as if none were joined or lifted."""
        area = self._window.dockWidgetArea
        sides = [
            dock for dock in self._panels.every
            if is_docked(dock) and dock not in self._panels.below
        ]  # fmt: skip
        at_left = {*self._joined, *(d for d, to in self._panels.guests if to in self._joined)}
        left = [d for d in sides if d in at_left or area(d) == _AREAS.LeftDockWidgetArea]
        right = [d for d in sides if d not in left and area(d) == _AREAS.RightDockWidgetArea]
        return left, right

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
        front = [dock for dock in self._in_front() if dock in right][:1]
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


def _is_enough(there: list[QDockWidget], wanted: list[QDockWidget]) -> bool:
    """Return whether panels that are tabs already are those that must be."""
    return bool(there) == bool(wanted) and {*wanted} <= {*there}
