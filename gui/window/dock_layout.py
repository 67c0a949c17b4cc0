"""The panels around the page: their places, all away and back again, and the page alone."""

from collections.abc import Iterable, Sequence
from functools import partial

from PySide6.QtCore import QByteArray, QObject, Qt
from PySide6.QtGui import QScreen
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from gui.window.page_room import PageRoom, is_docked

_AREAS = Qt.DockWidgetArea

LEFT_LETTERS, RIGHT_LETTERS = 36, 47
"""Width of each side that its content asks for, in average letters."""

WIDEST_LETTERS = 60
"""Width of each side where there is room for both: titles are whole."""

SHARE_SIDES, SHARE_FOLDED = 0.4, 0.32
"""Of the window's width: at most for both sides together, and for one column of tabs."""

LOW = 800
"""A window of less height, px, has no room for layers and details one above the other."""

SHARES_LEFT, SHARES_RIGHT, OTHER_SHARE = (45, 55), (58, 42), 40
"""Of the height of a side: of its first panels from the top down, and of each one more."""


class DockLayout(QObject):
    """Docks one above the other at each side of the page, guests, and docks below the page.

    Those at the sides are there from the start.  Guests come when they are needed: each shares the
    room of one at the sides, as a tab.  Those ``below`` come when they are asked for.
    """

    def __init__(
        self,
        window: QMainWindow,
        left: Sequence[QDockWidget],
        right: Sequence[QDockWidget],
        guests: Sequence[tuple[QDockWidget, QDockWidget]] = (),
        below: Sequence[QDockWidget] = (),
    ) -> None:
        """Place docks, those at a side from the top down.

        Each of ``guests`` comes with the dock whose room it shares.
        """
        super().__init__(window)
        self._window = window
        self._left, self._right = self._sides = tuple(left), tuple(right)
        layout = window.layout()
        assert layout is not None
        layout.setEnabled(False)  # a tab would have every panel measured, before all are there
        self._place_sides()
        self.opened: set[str] = set()  # panels below the page whose first height was set
        self.below = tuple(below)
        for dock in self.below:
            window.addDockWidget(_AREAS.BottomDockWidgetArea, dock)
            dock.hide()
            dock.visibilityChanged.connect(partial(self._on_below, dock))
        window.setCorner(Qt.Corner.BottomLeftCorner, _AREAS.LeftDockWidgetArea)
        window.setCorner(Qt.Corner.BottomRightCorner, _AREAS.RightDockWidgetArea)
        self.guests = tuple(guests)
        for guest, partner in self.guests:
            window.tabifyDockWidget(partner, guest)
            guest.hide()
        layout.setEnabled(True)
        self._hidden: list[QDockWidget] = []
        self._aside: QByteArray | None = None  # as they were arranged
        self._given: list[tuple[QDockWidget, bool]] = []  # hidden for room; whether it was seen
        self._is_low = self.is_folded = False
        self._own_below: tuple[QDockWidget, ...] = ()
        self.page_room = PageRoom(window, self)

    @property
    def docks(self) -> tuple[QDockWidget, ...]:
        """Docks at the sides, left first, from the top down."""
        return (*self._left, *self._right)

    @property
    def at_rest(self) -> tuple[QDockWidget, ...]:
        """Docks that a view shows before any other is asked for."""
        return (*self.docks, *self._own_below)

    @property
    def listed(self) -> tuple[QDockWidget, ...]:
        """Docks that the user shows and hides by name; each guest has a separate action."""
        return (*self._sides[0], *self._sides[1], *self.below)

    @property
    def every(self) -> tuple[QDockWidget, ...]:
        guests = (guest for guest, _ in self.guests)
        return (*self._sides[0], *self._sides[1], *guests, *self.below)

    def _place_sides(self) -> None:
        for dock in self._left:
            self._window.addDockWidget(_AREAS.LeftDockWidgetArea, dock)
        for dock in self._right:
            self._window.addDockWidget(_AREAS.RightDockWidgetArea, dock)

    def put_away(self) -> QByteArray:
        """Hide all panels; return how they were arranged."""
        arranged = self._window.saveState()
        for dock in self.every:
            dock.hide()
        return arranged

    def invite(self, guest: QDockWidget, is_wanted: bool) -> None:
        """Show a guest in front of the dock whose room it shares, or let it go."""
        if not is_wanted:
            guest.hide()
            return
        partner = next(partner for each, partner in self.guests if each is guest)
        if guest.isHidden() and not guest.isFloating():
            if self.is_folded and (seen := self._seen_at_sides()):
                self._window.tabifyDockWidget(seen[0], guest)
            elif partner.isHidden():
                self._window.addDockWidget(self._window.dockWidgetArea(partner), guest)
                guest.show()
                self._share_height(guest)
            else:
                self._window.tabifyDockWidget(partner, guest)
        guest.show()
        guest.raise_()
        self.page_room.make_room_soon()

    def _share_height(self, guest: QDockWidget) -> None:
        """Give a guest in a separate column a good part of the height."""
        area = self._window.dockWidgetArea(guest)
        others = [
            dock for dock in self._seen_at_sides()
            if dock is not guest and self._window.dockWidgetArea(dock) == area
        ]  # fmt: skip
        column = [*others[:1], guest]
        heights = [100 - OTHER_SHARE, OTHER_SHARE][-len(column) :]
        self._window.resizeDocks(column, heights, Qt.Orientation.Vertical)

    def _on_below(self, dock: QDockWidget, is_shown: bool) -> None:
        """Set the height of a panel below the page when it is first shown.

        In a narrow window the page keeps its height: the panel is a tab of the column at the side,
        or of another below where there is no column.
        """
        if is_shown and self.is_folded:
            self._stack_below(dock)
            if dock in self._beside:
                return
        if not is_shown and self.is_folded and dock.isHidden():
            self.page_room.keep_soon()  # it may have needed a wider column
        if not is_shown or dock.objectName() in self.opened:
            return
        self.opened.add(dock.objectName())
        if dock.isFloating() or any(not other.isHidden() for other in self.below if other != dock):
            return
        self._window.resizeDocks([dock], [self.page_room.first_height], Qt.Orientation.Vertical)

    def _stack_below(self, front: QDockWidget) -> None:
        column = self._seen_at_sides()[:1]
        for other in column or filter(is_docked, self.below):
            if other is not front and front not in self._window.tabifiedDockWidgets(other):
                self._window.tabifyDockWidget(other, front)
                front.raise_()

    @property
    def _beside(self) -> list[QDockWidget]:
        """Panels for below the page that are tabs of a column."""
        bottom = _AREAS.BottomDockWidgetArea
        return [d for d in self.below if self._window.dockWidgetArea(d) != bottom]

    def set_aside(self, is_aside: bool) -> None:
        """Hide all panels while they tell of another page than is seen, or bring them back."""
        if is_aside == (self._aside is not None):
            return
        if self._aside is None:
            self._aside = self.put_away()
        else:
            arranged, self._aside = self._aside, None
            self._window.restoreState(arranged)

    def give_room(self, width: int) -> None:
        """Hide panels, those at the left first, where the middle would have less than ``width`` px.

        0 brings them back.
        """
        if not width:
            given, self._given = self._given, []
            for dock, _ in given:
                dock.show()
            for dock in (dock for dock, is_seen in given if is_seen):
                dock.raise_()  # in front of the other tabs
            return
        room = self.page_room.page.width()
        for side in (_AREAS.LeftDockWidgetArea, _AREAS.RightDockWidgetArea):
            there = [
                (dock, not dock.visibleRegion().isEmpty())
                for dock in self.every
                if is_docked(dock) and self._window.dockWidgetArea(dock) == side
            ]
            if room >= width or not there:
                continue
            room += max((dock.width() for dock, is_seen in there if is_seen), default=0)
            for dock, _ in there:
                dock.hide()
            self._given += there

    def toggle(self) -> None:
        """Hide all panels, or show those that were hidden so."""
        shown = [dock for dock in self.every if not dock.isHidden()]
        for dock in shown or self._hidden or self.docks:
            dock.setVisible(not shown)
        self._hidden = shown

    def reset(self) -> None:
        """Put all panels where they were at first."""
        self.arrange(*self._sides)

    def set_sides(
        self,
        left: Sequence[QDockWidget],
        right: Sequence[QDockWidget],
        below: Sequence[QDockWidget] = (),
        *,
        is_folded: bool = False,
    ) -> None:
        """Set the docks of the sides, from the top down, and those below that are there at rest."""
        self._own_below = tuple(below)
        self._left, self._right, self.is_folded = tuple(left), tuple(right), is_folded
        self._hidden, self._given = [], []
        self.page_room.forget()

    def arrange(
        self,
        left: Sequence[QDockWidget],
        right: Sequence[QDockWidget],
        below: Sequence[QDockWidget] = (),
    ) -> None:
        """Show these docks in their places, and guests that are there; hide all others."""
        self.set_sides(left, right, below)
        shown = {*left, *right, *below}
        for dock in self.every:
            dock.setFloating(False)
            if dock not in shown and dock not in dict(self.guests):
                dock.hide()
        self._place_sides()
        for dock in self.below:
            self._window.addDockWidget(_AREAS.BottomDockWidgetArea, dock)
        for dock in (*left, *right, *below):
            dock.show()
        for guest, partner in self.guests:
            if guest not in shown and not guest.isHidden() and self.docks:
                self._window.tabifyDockWidget(partner if partner in shown else self.docks[0], guest)
        self._is_low = False
        self.fit(self._window.height())
        self.set_sizes()

    def add_at_right(self, docks: Iterable[QDockWidget]) -> None:
        """Show docks below those at the right, which stay as they are."""
        for dock in docks:
            if dock.isHidden():
                self._right = (*self._right, dock)
                self._window.addDockWidget(_AREAS.RightDockWidgetArea, dock)
                dock.show()
                self._share_height(dock)
        self._is_low = False
        self.fit(self._window.height())

    def fold(self) -> None:
        """Make one column of tabs of both sides, the first at the right in front."""
        self.is_folded = True
        if not self.docks:
            return
        first = (self._right or self._left)[0]
        self._window.addDockWidget(_AREAS.RightDockWidgetArea, first)
        self._stack(first, [d for d in self.every if d is not first and d not in self.below])
        first.raise_()
        for dock in filter(is_docked, self.below):
            self._stack_below(dock)
        self.set_sizes()

    def _stack(self, first: QDockWidget, docks: Iterable[QDockWidget]) -> None:
        """Make docks tabs of the first one, also those that are hidden, and stay so."""
        for dock in docks:
            is_hidden = dock.isHidden()
            if not dock.isFloating():
                self._window.tabifyDockWidget(first, dock)
            dock.setHidden(is_hidden)

    def _seen_at_sides(self) -> list[QDockWidget]:
        return [dock for dock in self.every if dock not in self.below and is_docked(dock)]

    def fit(self, height: int, *, is_kept: bool = False) -> None:
        """Arrange the right docks as tabs in a low window, else stacked.

        ``is_kept`` leaves them as they are; so does whoever has put one of them elsewhere.
        """
        is_low, self._is_low = self._is_low, height < LOW
        if is_kept or is_low == self._is_low or self.is_folded or len(self._right) < 2:
            return
        top, *others = self._right
        areas = {self._window.dockWidgetArea(dock) for dock in self._right}
        if len(areas) > 1 or any(dock.isFloating() for dock in self._right):
            return
        is_tab = any(dock in self._window.tabifiedDockWidgets(top) for dock in others)
        if self._is_low and not is_tab:
            guests = [guest for guest, partner in self.guests if partner in others]
            seen = [guest for guest in guests if not guest.visibleRegion().isEmpty()]
            self._stack(top, (*others, *guests))  # hidden ones too: else they appear below
            (seen or [top])[0].raise_()
        elif is_tab and not self._is_low:
            for dock in others:
                self._window.addDockWidget(self._window.dockWidgetArea(top), dock)
            for guest, partner in self.guests:
                if partner in others and is_docked(guest):
                    self._window.tabifyDockWidget(partner, guest)
            self.set_sizes()

    def set_sizes(self) -> None:
        self.set_widths()
        if self.is_folded:
            return
        for side, shares in ((self._left, SHARES_LEFT), (self._right, SHARES_RIGHT)):
            heights = [*shares, *(OTHER_SHARE for _ in side[len(shares) :])]
            self._window.resizeDocks(side, heights[: len(side)], Qt.Orientation.Vertical)

    def set_widths(self) -> None:
        """Size each side to its content, wider in a wide window."""
        letter, width = self._window.fontMetrics().averageCharWidth(), self._window.width()
        across = Qt.Orientation.Horizontal
        if self.is_folded:
            column = min(RIGHT_LETTERS * letter, round(SHARE_FOLDED * width))
            first = self._seen_at_sides()[:1]  # none where the view has no panels
            self._window.resizeDocks(first, [column] * len(first), across)
            return
        least = LEFT_LETTERS * letter, RIGHT_LETTERS * letter
        most = round(SHARE_SIDES * width)
        if most >= 2 * WIDEST_LETTERS * letter:
            least = WIDEST_LETTERS * letter, WIDEST_LETTERS * letter
        given = min(sum(least), most)
        sides = zip((self._left, self._right), least, strict=True)
        widths = {side[0]: given * part // sum(least) for side, part in sides if side}
        self._window.resizeDocks(list(widths), list(widths.values()), across)


class StageLayout:
    """Takes panels and bars away and brings them back as they were."""

    def __init__(self, window: QMainWindow, panels: DockLayout, bars: Sequence[QWidget]) -> None:
        """``bars`` are the widgets around the page besides panels."""
        self._window, self._panels, self._bars = window, panels, tuple(bars)
        self._arranged: QByteArray | None = None
        self._shown: list[QWidget] = []
        self._state = Qt.WindowState.WindowNoState
        self._geometry, self._is_away = QByteArray(), False

    def set_bare(self, is_bare: bool, screen: QScreen | None = None) -> None:
        """Show the page alone, on a screen if one is named, or all around it again."""
        window = self._window
        if is_bare == (self._arranged is not None):
            if is_bare:
                self._move_to(screen)
            return
        if is_bare:
            self._state, self._geometry = window.windowState(), window.saveGeometry()
            self._arranged = self._panels.put_away()
            self._shown = [bar for bar in self._bars if not bar.isHidden()]
            for bar in self._shown:
                bar.hide()
            self._move_to(screen)
            window.setWindowState(self._state | Qt.WindowState.WindowFullScreen)
            return
        arranged, self._arranged = self._arranged, None
        window.setWindowState(self._state)
        if self._is_away:
            window.restoreGeometry(self._geometry)
            self._is_away = False
        for bar in self._shown:
            bar.show()
        assert arranged is not None
        window.restoreState(arranged)

    def _move_to(self, screen: QScreen | None) -> None:
        """Move the window to a screen, in the state that it has; nothing for None."""
        window = self._window
        if screen is None or screen is window.screen():
            return
        self._is_away, state = True, window.windowState()
        window.setWindowState(Qt.WindowState.WindowNoState)
        window.setScreen(screen)
        window.move(screen.geometry().topLeft())
        window.setWindowState(state)
