"""Handles of the selected mark: where they are, and what dragging one takes."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject

from annotate.marks.fit import in_frame, shown_rects
from annotate.marks.gold import MAIN, Gold, Mark, Target
from annotate.marks.targets import selected_targets
from engine import geometry
from engine.nodes import NodeTable
from engine.word_units import word_count
from engine.words import plural
from gui.page.canvas import PageCanvas
from gui.page.mark_commands import MarkCommands
from gui.page.overlay.pieces import PageNumberings, from_utf16
from gui.page.overlay.specs import LayerSpec
from gui.page.overlay.stretch import is_one, is_text, move_text_end, text_ends
from gui.state.layers import GOLD_LAYERS
from gui.state.selection import NOTHING, Highlight, Mode
from gui.state.session import Session


class Handles(QObject):
    """Eight handles around a box, or one at each end of a run of text, while the tool is *Select*.

    Attributes:
        taken: What is taken if the mouse is released now; () while no handle is dragged.
        words: Number of its words, and how many more or fewer than before.
    """

    def __init__(
        self, session: Session, commands: MarkCommands, canvas: PageCanvas | None, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._open, self._selection = session, session.open, session.selection
        self._commands, self._canvas = commands, canvas
        self.taken: tuple[Target, ...] = ()
        self.words = ""
        self._marks: tuple[Mark, ...] = ()  # whose handle is dragged
        self._press = self._given_up = 0  # its press, and that of the drag that was given up
        session.open.document_changed.connect(self._forget)

    def draw(self) -> None:
        """Draw the handles of the selected mark; none while it is hidden or locked."""
        if self._canvas is not None and self._canvas.pieces is not None:
            self._canvas.draw_handles(self._spec(self._canvas.pieces))

    def drag(self, event: dict[str, Any], *, is_over: bool) -> None:
        """Take what the dragged frame or end of text holds: a preview until the drag is over."""
        page, self._press = self._open.page, event["press"]
        if self._press == self._given_up:  # an event that was under way
            return
        if page is None or (not self._marks and not self._begin(page.rendered())):
            return
        taken = self._meant(event, page.rendered()) or self.taken
        if is_over:
            marks, before = self._marks, _targets(self._marks)
            self.give_up()
            if taken and taken != before:
                self._commands.reshape(marks, taken)
        elif taken != self.taken:
            self.taken, more = taken, self._words(taken) - self._words(_targets(self._marks))
            self.words = plural(self._words(taken), "word") + (
                f", {more:+,}".replace("-", "−") if more else ""
            )
            if event.get("text"):
                parts = tuple((t.row, t.start, t.end) for t in taken if not t.is_whole)
                rows = tuple(t.row for t in taken if t.is_whole)
                self._selection.set_highlight(Highlight(parts, rows))
            self._selection.candidate_changed.emit()  # the hint shows the count
            self.draw()

    def give_up(self) -> bool:
        """End the drag, changing nothing; return False if no handle is dragged."""
        was = bool(self._marks)
        self._forget()
        if was and self._canvas is not None:
            self._canvas.end_drag()
            self._selection.set_highlight(NOTHING)
            self._selection.candidate_changed.emit()
            self.draw()
        return was

    def _forget(self) -> None:
        if self._marks:
            self._given_up = self._press
        self._marks = self.taken = ()
        self.words = ""

    def _begin(self, nodes: NodeTable) -> bool:
        marks = self._selection.selected_marks()
        if not _has_handles(nodes, marks) or not self._is_usable():
            return False
        self._marks = marks
        self._selection.set_candidate(-1)
        return True

    def _is_usable(self) -> bool:
        # A tool that makes marks draws across handles: the next block often begins beside the last.
        return self._selection.mode is Mode.SELECT and not self._open.is_locked

    def _meant(self, event: dict[str, Any], nodes: NodeTable) -> tuple[Target, ...]:
        if event.get("text") is None:
            is_free = self._marks[0].level == MAIN
            return in_frame(nodes, event["box"], is_free=is_free) if event.get("box") else ()
        pieces = None if self._canvas is None else self._canvas.pieces
        number, offset = event["text"]
        row = -1 if pieces is None else pieces.row_at(number)
        if row < 0 or not nodes.is_text[row]:
            return ()
        to = row, from_utf16(nodes.text[row], offset)
        return move_text_end(nodes, _targets(self._marks), event["end"], to)

    def _words(self, targets: tuple[Target, ...]) -> int:
        """Return how many words a reader sees in some targets, as scores count them."""
        assert self._open.page is not None
        gold = Gold(tuple(Mark(str(k), MAIN, (each,)) for k, each in enumerate(targets)))
        return word_count(gold.as_extraction(self._open.page).text)

    def _spec(self, pieces: PageNumberings) -> LayerSpec | None:
        layers, marks = self._session.layers, self._marks or self._selection.selected_marks()
        if (
            not self._is_usable()
            or layers.fixed is not None
            or not _has_handles(pieces.nodes, marks)
        ):
            return None
        layer = next(x for x in layers.all if GOLD_LAYERS.get(x.key) == marks[0].level)
        if not layers.is_drawn(layer):
            return None
        targets = self.taken or _targets(marks)
        spec: LayerSpec = {"color": layer.color, "label": self.words, "is_live": bool(self.taken)}
        if is_text(pieces.nodes, marks) and (ends := text_ends(pieces.nodes, targets)):
            (first, start), (last, stop) = ends
            spec["ranges"] = [
                pieces.range(
                    first, start, stop if first == last else len(pieces.nodes.text[first])
                ),
                pieces.range(last, start if first == last else 0, stop),
            ]
            return spec
        return {**spec, "pieces": [pieces.piece(t.row) for t in targets]}


def _targets(marks: Sequence[Mark]) -> tuple[Target, ...]:
    return tuple(sorted(target for mark in marks for target in mark.targets))


def _has_handles(nodes: NodeTable, marks: Sequence[Mark]) -> bool:
    """Whether one frame, or one run of text, holds these marks and nothing else.

    What is in a frame of the page has none: its place on the page is not known while it scrolls.
    """
    targets = _targets(marks)
    if not targets or not is_one(marks) or any(nodes.frame[t.row] for t in targets):
        return False
    if is_text(nodes, marks):
        ends = text_ends(nodes, targets)
        return ends is not None and selected_targets(nodes, *ends[0], *ends[1]) == targets
    if len(marks) == 1:
        return True
    box = geometry.union(shown_rects(nodes)[[t.row for t in targets]])
    left, top, width, height = map(float, box)
    return in_frame(nodes, (left, top, width, height), is_free=True) == targets
