"""How a scripted hand marks main content: few gestures over many pieces."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt

from annotate.marks.fit import SLACK, fit_rectangle, inside
from annotate.marks.gold import MAIN, Gold, Target
from annotate.marks.targets import selected_targets
from engine import geometry
from tests.gestures import Gestures, Tally
from tests.main_planner import Gesture, MainPlanner, texts_in

_KEYS = {
    "more": ("E", Qt.KeyboardModifier.ShiftModifier),
    "less": ("Delete", Qt.KeyboardModifier.ControlModifier),
}


class MainMarker(Gestures):
    """Marks main content on the open page."""

    def main_content(self, gold: Gold, least: float = 1.0) -> Tally:
        """Mark main content from nothing, until the F1 of its words is at least ``least``.

        Where a gesture does something else than was expected, a new way is sought from there.
        """
        self.stage = "main content"
        self.mode(MAIN)
        planner = MainPlanner(self.nodes, gold, self._over)
        marked = planner.marked(self.session.open.gold)
        self.did: list[str] = []
        for _ in range(8):
            for each in planner.plan(marked, least):
                before, count = marked, self.tally.count
                self._make(each)
                marked = planner.marked(self.session.open.gold)
                self.did.append(f"{each.kind} {self.tally.count - count}")
                if (marked != each.after(before)).any():
                    planner.gestures.remove(each)  # the page does not let a hand do it
                    break
            if planner.is_reached(marked, least):
                break
        expected_pieces = [t for mark in gold.of_level(MAIN) for t in mark.targets]
        self.tally.blocks += len(expected_pieces)
        if planner.is_reached(marked, least):
            self.tally.rebuilt += len(expected_pieces)
        return self.tally

    def _make(self, gesture: Gesture) -> None:
        first, last = gesture.rows
        if gesture.kind == "rect":
            box = geometry.union(self.nodes.rect[[first, last]]).tolist()
            self.drag(box, Qt.KeyboardModifier.AltModifier)
        elif gesture.kind == "text":
            ends = texts_in(self.nodes, first)[0], texts_in(self.nodes, last)[-1]
            self.drag_text(*(Target(int(row)) for row in ends))
        else:
            self._frame_row(first, itself=gesture.kind != "click")
            if gesture.kind == "click":
                self._press_button(Qt.KeyboardModifier.NoModifier)
                self._did("click")
            else:
                self.key(*_KEYS[gesture.kind])

    def _over(self, kind: str, first: int, last: int) -> Sequence[Target]:
        """Return what a rectangle around two rows, or a drag from one to the other, holds."""
        nodes = self.nodes
        box = geometry.union(nodes.rect[[first, last]]).tolist()
        if kind == "rect":
            if box[3] > self._highest or min(box[2:]) <= 0:
                return ()
            frame, slack = self._frame(box), SLACK / self.zoom
            fit = fit_rectangle(nodes, frame, slack=slack, clear=1.0)
            return fit or inside(nodes, frame, slack=slack)
        ends = texts_in(nodes, first)[:1], texts_in(nodes, last)[-1:]
        if box[3] > self.view_height - 80 or not all(map(np.size, ends)):
            return ()
        start, end = int(ends[0][0]), int(ends[1][0])
        return selected_targets(nodes, start, 0, end, len(nodes.text[end]))
