"""Marking: events of mouse and keys on the page → edits → the undo stack."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from algorithms.levels import Level
from annotate.marks import edits
from annotate.marks.drafts import without_dropped
from annotate.marks.fit import CLEAR, SLACK, fit_rectangle, inside, level_at, marks_in, nearest
from annotate.marks.gold import MAIN, Gold, Mark, Target
from annotate.marks.targets import selected_targets
from engine.errors import PageletError
from engine.geometry import Box
from engine.nodes import NodeTable
from engine.word_units import word_around
from gui.page.canvas import PageCanvas
from gui.page.framing import LEVEL_OF, Framing, PagePoint, Pointing, point_of
from gui.page.gesture_edits import extend_blocks, extension_words, suggest_types, toggle_text
from gui.page.handles import Handles
from gui.page.mark_commands import MarkCommands
from gui.page.overlay import hit
from gui.page.overlay.pieces import PageNumberings, PieceIndex, from_utf16
from gui.state.describe import describe
from gui.state.layers import GOLD_LAYERS
from gui.state.selection import NOTHING, Highlight, Mode
from gui.state.session import Session
from gui.state.undo import ChangeGold

Point = tuple[PieceIndex, int]
"""Path to a text node, and an offset in it in UTF-16 units."""

NAME_OF = {MAIN: "main content", 1: "level-1 block", 2: "level-2 block"}

LOCKED = (
    "these marks belong to the data set: copy them into your workspace to change them "
    "(Ctrl+Shift+K)"
)


class Marking(QObject):
    """The drawing tool.  Every change is made by `change`, so that it can be undone."""

    why_asked = Signal(int, int)  # row, and offset in its text or -1

    def __init__(
        self, session: Session, parent: QObject | None = None, canvas: PageCanvas | None = None
    ) -> None:
        """``canvas`` shows the page; without one, marks are made by keys alone."""
        super().__init__(parent)
        self._session, self._open, self._selection = session, session.open, session.selection
        self._canvas, self._say = canvas, session.messages.say
        self._framing = Framing(session, self)
        self._pointing = Pointing(session, self._framing, self)
        self.commands = MarkCommands(session, self.change, self)
        self.handles = Handles(session, self.commands, canvas, self)
        self.stack = QUndoStack(self)
        self.dropped: Callable[[], Sequence[Mark]] = tuple  # drafts of the page that were rejected
        self.holds_still = False  # a menu is open on the framed node: ignore the mouse
        self._is_dragging = False

    @property
    def _pieces(self) -> PageNumberings | None:
        return None if self._canvas is None else self._canvas.pieces

    @property
    def _slack(self) -> float:
        """Tolerance between a rectangle and an element's edge, CSS px."""
        return SLACK / (1.0 if self._canvas is None else self._canvas.zoom)

    # changes -------------------------------------------------------------------------------
    def change(
        self,
        text: str,
        edit: Callable[[Gold, NodeTable], Gold],
        *,
        makes: bool = False,
        types: Collection[str] = (),
        shows: Level | None = None,
    ) -> bool:
        """Apply an edit as one undoable step, or show why it cannot be applied.

        Args:
            text: Name of the step.
            edit: Its function from gold to gold.
            makes: Whether it makes blocks; a type that they are given next belongs to the step.
            types: The blocks whose type it sets.
            shows: The level whose layer is drawn if the edit changes something.
        """
        page = self._open.page
        if page is None:
            return False
        if self._open.is_locked:
            self._say(LOCKED)
            return False
        try:
            after = edit(self._open.gold, page.rendered())
        except PageletError as error:
            self._say(str(error))
            return False
        after = self.without_dropped(self._session.renamed(after))
        if after == self._open.gold:
            return False
        step = ChangeGold(self._session, after, text)
        if makes:
            known = set(self._open.gold.marks)
            step.waits_for_type([mark.id for mark in after.marks if mark not in known])
        last = self.stack.command(self.stack.index() - 1)
        if isinstance(last, ChangeGold) and last.takes_type(types):
            step.join()
        self.stack.push(step)
        if shows is not None:
            self.show_layer(shows)
        return True

    def without_dropped(self, after: Gold) -> Gold:
        """Return gold without new drafts that were dropped at their place before."""
        before = self._open.gold
        known = {mark.id for mark in before.marks}
        is_new = any(mark.is_draft and mark.id not in known for mark in after.marks)
        return without_dropped(before, after, self.dropped()) if is_new else after

    # events of the page --------------------------------------------------------------------
    def on_event(self, event: dict[str, Any]) -> None:
        """Handle one event of resources/js/point.js."""
        page = self._open.page
        if page is None or self._pieces is None or self._session.layers.fixed is not None:
            return
        name, shift, ctrl = event["event"], bool(event.get("shift")), bool(event.get("ctrl"))
        # Many window managers reserve Alt with the mouse: Ctrl+Shift does the same.
        is_double = shift and ctrl and self._selection.mode is Mode.SELECT
        makes = bool(event.get("alt")) or is_double
        adds, is_asked = shift and not is_double, ctrl and not is_double
        if self.holds_still and name in ("hover", "leave"):
            return
        if name in ("handle-band", "handle-rect"):
            self.handles.drag(event, is_over=name == "handle-rect")
            return
        if name in ("band", "rect", "drag"):
            self._begin_drag(adds=adds)
            self._is_dragging = name == "band"
        if name in ("hover", "click", "menu"):
            self._is_dragging = False
            if name != "hover":
                self._framing.let_go()
            self.point(self._rows_under(event, page.rendered()), point_of(event))
        if name == "leave":
            self.point([], point_of(event))  # a rectangle may end outside the page
        elif name == "menu":
            self.choose()
        elif name == "wheel":
            self.walk("child" if event["steps"] > 0 else "parent")
        elif name == "click" and self._selection.mode is Mode.WHY:
            self._ask_why(event.get("text"), page.rendered())
        elif name == "click":
            self.take(adds=adds or is_asked, makes=makes)
        elif name == "band":
            selects = self._selects(is_asked=is_asked, makes=makes)
            self._preview(event["box"], page.rendered(), selects=selects)
        elif name == "rect":
            self._selection.set_highlight(NOTHING)
            self._pointing.move(point_of(event))
            selects = self._selects(is_asked=is_asked, makes=makes)
            self._take_rect(event["box"], page.rendered(), adds=adds, selects=selects)
        elif name == "drag":
            self._take_text(event["start"], event["end"], page.rendered())

    def _begin_drag(self, *, adds: bool) -> None:
        """Clear the selection when a drag starts: after an empty drag, keys act on no block."""
        if not self._is_dragging:
            self._framing.let_go()
            self._framing.end_step()
            self._pointing.let_go()
            if not adds:
                self._selection.set_selected(())

    def choose(self) -> None:
        """Select the mark under the mouse for a context menu; several selected ones stay.

        In block modes the frame counts: only a mark of exactly that element is selected.
        """
        assert self._open.page is not None
        ids = hit.marks_at(self._open.gold, self._open.page.rendered(), self._framing.under)
        if self._selection.mode is not Mode.SELECT:
            row = self._selection.candidate
            marked = {m.id for m in self._open.gold.marks if any(t.row == row for t in m.targets)}
            ids = [each for each in ids if each in marked]
        if not set(ids) & set(self._selection.selected):
            self._selection.set_selected(ids[:1])

    def mark_as(self, level: Level) -> None:
        """Mark the framed element as main content or as a block of a level, in every mode."""
        row = self._selection.candidate
        if self._open.page is None or row < 0:
            return
        if level == MAIN:
            self._toggle_main(row)
        else:
            self._take_block((Target(row),), adds=False, level=level)

    def _toggle_main(self, row: int) -> None:
        edit = partial(edits.toggle_main, target=Target(row))
        self.change("mark main content", edit, shows=MAIN)

    def point(self, under: list[int], position: PagePoint | None = None) -> None:
        """Set the rows under the mouse, front to back, and its position."""
        self._framing.point(under, position)
        self._pointing.move(position)

    def let_go(self) -> None:
        """Make keys act on the node under the mouse instead of the new block."""
        self._pointing.let_go()

    def _selects(self, *, is_asked: bool, makes: bool) -> bool:
        """Whether a rectangle selects marks: with Ctrl, and in select mode without Alt."""
        return is_asked or (self._selection.mode is Mode.SELECT and not makes)

    def _rows_under(self, event: dict[str, Any], nodes: NodeTable) -> list[int]:
        assert self._pieces is not None
        rows = [row for row in map(self._pieces.row, event["rows"]) if row >= 0]
        if event.get("frame"):
            number, x, y = event["frame"]
            frame = self._pieces.row(number)
            if frame >= 0:
                rows.insert(0, hit.row_in_frame(nodes, frame, x, y))
        return rows

    # click and Enter -----------------------------------------------------------------------
    def take(self, *, adds: bool = False, makes: bool = False) -> None:
        """Act as a click on the candidate does; ``adds`` extends the selection or the block,
        ``makes`` makes a block even if marks are selected.
        """
        row = self._selection.candidate
        if self._open.page is None or row < 0:
            return
        makes = makes or self._framing.is_held  # a held offer is marked
        self._framing.let_go()
        is_stepped = self._framing.is_stepped
        self._framing.end_step()
        if self._selection.mode is Mode.SELECT and not makes:
            self._select(adds, by_mouse=not is_stepped)
        elif self._selection.mode is Mode.WHY:
            self.why_asked.emit(row, -1)
        elif self._selection.mode is Mode.MAIN:
            self._toggle_main(row)
        else:
            self._take_block((Target(row),), adds)

    def _ask_why(self, text: Point | None, nodes: NodeTable) -> None:
        """Ask about the word under the mouse, else about the framed element."""
        row = self._selection.candidate
        if text is not None and self._pieces is not None:
            at = self._pieces.row_at(text[0])
            # Next to a text the browser returns the nearest one, which is not under the mouse.
            if at >= 0 and (row < 0 or nodes.is_inside(at, row)):
                self.why_asked.emit(at, from_utf16(nodes.text[at], text[1]))
                return
        if row >= 0:
            self.why_asked.emit(row, -1)

    def _select(self, adds: bool, *, by_mouse: bool) -> None:
        assert self._open.page is not None
        nodes = self._open.page.rendered()
        # After moving the frame by keys, the frame counts, not the node under the mouse.
        is_by_mouse = by_mouse and self._selection.candidate in self._framing.under
        rows = self._framing.under if is_by_mouse else [self._selection.candidate]
        ids = hit.marks_at(self._open.gold, nodes, rows)
        if adds and ids:
            others = tuple(i for i in self._selection.selected if i != ids[0])
            self._selection.set_selected(
                (*others, ids[0]) if others == self._selection.selected else others
            )
            return
        picked = hit.next_in_cycle(ids, ("", *self._selection.selected)[-1])
        self._selection.set_selected((picked,) if picked else ())

    def _preview(self, box: Box, nodes: NodeTable, *, selects: bool) -> None:
        """Highlight the nodes or marks of a rectangle while it is dragged."""
        if selects:
            result = [t for m in marks_in(self._open.gold, nodes, box) for t in m.targets]
        else:
            result = list(self._meant(box, nodes))
        self._selection.set_highlight(Highlight(rows=tuple(t.row for t in result)))

    def _take_rect(self, box: Box, nodes: NodeTable, *, adds: bool, selects: bool) -> None:
        """Mark the nodes that a rectangle fits, or select the marks inside it."""
        if selects:
            ids = [mark.id for mark in marks_in(self._open.gold, nodes, box)]
            others = [i for i in self._selection.selected if i not in ids] if adds else []
            self._selection.set_selected((*others, *ids))
            return
        targets = self._meant(box, nodes)
        if not targets:
            row = nearest(nodes, box)
            self._framing.hold(row)  # Enter takes it, and so does the letter of a type
            offer = "Enter" if self._selection.mode is Mode.MAIN else "Enter, or a type's letter"
            of = f". Nearest: {describe(nodes, row)} ({offer})" if row >= 0 else ""
            self._say(f"no element lies in this rectangle{of}")
        elif self._selection.mode is Mode.MAIN:
            edit = partial(toggle_text, targets=targets)
            self.change("mark main content", edit, shows=MAIN)
        else:
            self._take_block(targets, adds)

    def _meant(self, box: Box, nodes: NodeTable) -> tuple[Target, ...]:
        """Return the targets of a rectangle; for main content all elements in it."""
        is_main = self._selection.mode is Mode.MAIN
        fit = fit_rectangle(nodes, box, slack=self._slack, clear=1.0 if is_main else CLEAR)
        return fit or (inside(nodes, box, slack=self._slack) if is_main else ())

    @property
    def has_offer(self) -> bool:
        """Whether the nearest element is offered, since a rectangle fits none, for a block."""
        return self._framing.is_held and self._selection.mode is not Mode.MAIN

    def _take_block(
        self, targets: tuple[Target, ...], adds: bool, level: Level | None = None
    ) -> None:
        """Make a block of a level, by default the mode's; in select mode a suitable one."""
        assert self._open.page is not None
        if level is None:
            level = LEVEL_OF.get(self._selection.mode) or level_at(
                self._open.gold, self._open.page.rendered(), targets
            )
        same = next((m for m in self._open.gold.of_level(level) if m.targets == targets), None)
        if same is not None:
            kind = self._selection.next_type
            if kind and kind != same.type:
                self.commands.type_marks([same.id], kind)
            elif same.is_draft:
                self.change("confirm 1 mark", lambda g, table: edits.confirm(g, table, [same.id]))
            self._show_made((*self._selection.selected, same.id) if adds else (same.id,))
            return
        joined = self.commands.selected_blocks() if adds else ()
        if joined:
            extend = partial(extend_blocks, joined=joined, targets=targets, level=level)
            gold = self._open.gold
            if self.change("extend a block", extend, makes=True):
                self._selection.set_selected([i for i in joined if self._open.gold.find(i)])
                self.show_layer(level)
                nodes = self._open.page.rendered()
                if words := extension_words(gold, self._open.gold, nodes, joined):
                    self._say(f"{words}. Ctrl+Z takes it back")
            return
        before = {mark.id for mark in self._open.gold.marks}

        def edit(gold: Gold, nodes: NodeTable) -> Gold:
            after = edits.add_block(gold, nodes, targets, level, self._selection.next_type)
            made = after.marks[-1].id
            after = edits.settle(after, nodes, made)
            is_asked = self._selection.suggests_types and not self._open.is_unassisted
            return suggest_types(after, nodes, [made]) if is_asked else after

        if self.change(f"mark {NAME_OF[level]}", edit, makes=True):
            self._show_made([mark.id for mark in self._open.gold.marks if mark.id not in before])
            self.show_layer(level)

    def _show_made(self, ids: Sequence[str]) -> None:
        """Make keys act on a new block: select it, unless keys follow the mouse."""
        if self._selection.mode is Mode.SELECT and len(ids) == 1:
            self._pointing.hold(ids[0])
        else:
            self._selection.set_selected(ids)

    def _take_text(self, start: Point, end: Point, nodes: NodeTable) -> None:
        assert self._pieces is not None
        first, last = self._pieces.row_at(start[0]), self._pieces.row_at(end[0])
        if first < 0 or last < 0 or last < first:
            self._say(
                "this text cannot be marked here: drag within the page's own text or one frame"
            )
            return
        one, other = nodes.text[first], nodes.text[last]
        begin = word_around(one, from_utf16(one, start[1]))[0]  # whole words only
        stop = word_around(other, from_utf16(other, end[1]))[1]
        if targets := selected_targets(nodes, first, begin, last, stop):
            edit = partial(toggle_text, targets=targets)
            self.change("mark text as main content", edit, shows=MAIN)

    def show_layer(self, level: Level) -> None:
        """Draw the layer of the new mark: an invisible mark looks like a failed key."""
        layers = self._session.layers
        layers.layers_asked.emit()
        layer = next(x for x in layers.all if GOLD_LAYERS.get(x.key) == level)
        if not layers.is_drawn(layer):
            layers.set_solo("")
            layers.change_layer(layer.key, visible=True)
            self._say(f"{layer.name} is shown again, because you are marking it")

    # keys ----------------------------------------------------------------------------------
    def walk(self, way: str) -> None:
        """Move the candidate to its ``parent``, ``child``, ``next`` or ``previous`` element."""
        self._framing.walk(way)

    def widest(self) -> None:
        """Frame the largest element around the framed one that is not the page itself."""
        self._framing.widest()
