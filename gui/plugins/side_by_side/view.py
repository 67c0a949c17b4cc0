"""Two or four panes, scrolled as one, with one legend."""

from PySide6.QtCore import Signal

from annotate.marks.gold import Gold
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import page_key
from engine.document import Document
from engine.errors import PageletError
from gui.core.main_area import View
from gui.core.workbench import Workbench
from gui.plugins.side_by_side.legend import LegendLine
from gui.plugins.side_by_side.pane import Pane, usual
from gui.plugins.side_by_side.panes import Panes
from gui.plugins.side_by_side.scroll_sync import follow
from gui.widgets.events import debounce


class SideBySide(Panes, View):
    """Follows the session; each pane draws its page with another content."""

    row_hovered = Signal(int)
    row_picked = Signal(int)
    comes_again = True
    hint = (
        "Hover: the same element in each · {side-down} next layer here · {side-next} next page · "
        "{side-swap} swaps · {task-mark} marks"
    )

    def __init__(self, workbench: Workbench) -> None:
        self._main_area = workbench.main_area
        super().__init__("SideBySide", parent=self._main_area.stack)
        session = self._session = workbench.session
        self._workspace, self._canvas = workbench.workspace, workbench.canvas
        self._pane_count = 2
        self.row_hovered.connect(workbench.session.selection.set_candidate)
        self.row_picked.connect(workbench.select_row)
        self.zoomed.connect(self._main_area.zoomed)
        self.said.connect(session.messages.say)
        self._document: Document | None = None
        self._soon = debounce(self, 0, self._refresh)
        for signal in (
            session.layers.outcome_changed,
            session.open.gold_changed,
            session.layers.layers_changed,
        ):
            signal.connect(self._refresh_soon)
        session.selection.candidate_changed.connect(self._on_candidate)

    def _refresh_soon(self, *_: object) -> None:
        self._soon.start()

    @property
    def panes(self) -> tuple[Pane, ...]:
        return tuple(pane for pane in super().panes if isinstance(pane, Pane))

    @property
    def least_width(self) -> int:
        """Width, px, below which pages side by side scroll horizontally."""
        return 2 * self._canvas.least_width

    def golds(self) -> dict[str, Gold]:
        """Return each annotator's marks on the open page, by name, for users who may see all."""
        document, page = self._session.open.document, self._session.open.page
        may_see = self._workspace.annotator.role is Role.REVIEWER
        if document is None or page is None or not may_see:
            return {}
        try:
            golds = self._workspace.golds(page_key(document), page.rendered())
        except PageletError as error:
            self._session.messages.say(str(error))
            return {}
        return {who.shown: gold for who, gold in golds.items()}

    # contents ------------------------------------------------------------------------------
    def toggle(self, count: int) -> None:
        """Show the page in two or four panes side by side, or alone again."""
        if self._main_area.shows(SideBySide) and len(self.panes) == count:
            self._main_area.leave()
        else:
            self._pane_count = count
            self._main_area.show(self)

    def open(self) -> bool:
        """Show the session's page in the panes; existing panes keep their contents."""
        document, count = self._session.open.document, self._pane_count
        if document is None:
            return False
        contents = usual(self._session, self._session.layers.shown_method, count)
        while len(self._made) < count:
            number = len(self._made)
            pane = Pane(self._session, contents[number], self, self.golds, number + 1)
            pane.scrolled.connect(lambda top, p=pane: self._on_scrolled(p, top))
            pane.hovered.connect(self.row_hovered)
            pane.picked.connect(self.row_picked)
            pane.chosen.connect(self._refresh)
            pane.captured.connect(lambda p=pane: self._on_captured(p))
            self._follow_zoom(pane)
            self._made.append(pane)
        self.lay_out(count)
        for pane in self.panes:
            if pane.page is None or document != self._document:
                pane.load(document)
        self._document = document
        self._current = 0
        self._refresh()
        return True

    def close_up(self) -> None:
        super().close_up()
        self._document = None

    def close_down(self) -> None:
        self._soon.stop()
        super().close_down()

    # by key --------------------------------------------------------------------------------
    def swap(self) -> None:
        """Swap two panes: the one with the keyboard and the next."""
        if len(self.panes) < 2:
            return
        index = self.current_index()
        one, other = self.panes[index], self.panes[(index + 1) % len(self.panes)]
        mine = one.shown
        one.set_shown(other.shown)
        other.set_shown(mine)
        self._refresh()

    def step(self, by: int) -> None:
        """Show the next content in the pane with the keyboard."""
        if self.panes:
            self.panes[self.current_index()].step(by)

    # following -----------------------------------------------------------------------------
    def _on_scrolled(self, leader: Pane, top: float) -> None:
        for pane in self.panes:
            if pane is not leader:
                pane.follow(leader, top)

    def _on_captured(self, pane: Pane) -> None:
        pane.draw_candidate(self._session.selection.candidate)
        leader = next((each for each in self.panes if each is not pane and each.page), None)
        if leader is not None and leader.goal > 0:
            pane.follow(leader, leader.goal)
        elif leader is None and pane.sync is not None and self._canvas.scrolled > 0:
            pane.scroll_to(follow(pane.sync, self._canvas.scrolled))  # where one was

    def _on_candidate(self) -> None:
        if self.isVisible():
            for pane in self.panes:
                pane.draw_candidate(self._session.selection.candidate)

    def _refresh(self) -> None:
        if self._document is None:
            return
        for pane in self.panes:
            pane.refresh()
        shown = [layer for pane in self.panes for layer in pane.layers()]
        once = {layer.key: layer for layer in shown}.values()
        self.legend.show_entries([LegendLine(each.color, each.dash, each.name) for each in once])
