"""How a scripted hand marks main content: few gestures over many pieces."""

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import Qt

from annotate.marks.edits import is_main
from annotate.marks.fit import fit_rectangle
from annotate.marks.gold import MAIN, Gold, Target
from annotate.marks.targets import holds, leaves, remainder, selected_targets
from engine import geometry
from tests.gestures import MARGIN, Gestures, Tally, content

Act = Callable[[], None]


class MainMarker(Gestures):
    """Marks main content on the open page."""

    def main_content(self, gold: Gold, *, is_drafted: bool) -> Tally:
        """Rebuild the main content by clicks: what is missing is added, what is not is taken."""
        self.stage = "marking"
        if is_drafted:
            self.key("A", Qt.KeyboardModifier.ShiftModifier)
        nodes = self.nodes
        expected = [t for mark in gold.of_level(MAIN) for t in mark.targets]
        there = self.session.open.gold.of_level(MAIN)
        wrong = [m for m in there if not any(is_main(gold, nodes, t) for t in m.targets)]
        self.stage = "wrong"
        held = self._cover(wrong, [mark for mark in there if mark not in wrong])
        self._together(*self._worth(*held, wrong), "Delete")
        self.stage = "missing"
        self.mode(MAIN)
        missing = [t for t in expected if not is_main(self.session.open.gold, nodes, t)]
        while missing:
            self._add_run(missing, gold)
            rest = [t for t in missing if not is_main(self.session.open.gold, nodes, t)]
            if rest and rest[0] == missing[0]:
                self._toggle(rest[0])
                rest = rest[1:]
            missing = rest
        self.confirm_all()
        self.tally.blocks += len(expected)
        self.tally.rebuilt += sum(is_main(self.session.open.gold.sure, nodes, t) for t in expected)
        self.tally.superfluous += sum(
            not any(is_main(gold, nodes, t) for t in mark.targets)
            for mark in self.session.open.gold.of_level(MAIN)
        )
        return self.tally

    def _add_run(self, missing: Sequence[Target], gold: Gold) -> None:
        """Add the first piece, and as many after it as save most actions.

        One rectangle, or one drag over text, adds them; what it holds besides is taken out again.
        """
        expected = [target for mark in gold.of_level(MAIN) for target in mark.targets]
        best: tuple[int, Act, Sequence[Target]] | None = None
        for count in range(2, len(missing) + 1):
            run = missing[:count]
            for result, act in self._runs(run):
                extra = remainder(self.nodes, result, expected)
                extra = [t for t in extra if not is_main(gold, self.nodes, t)]
                new = sum(any(holds(self.nodes, f, t) for f in result) for t in missing)
                saved = new - 1 - len(extra)
                if extra and any(is_main(self.session.open.gold, self.nodes, t) for t in extra):
                    continue
                if saved > 0 and (best is None or saved > best[0]):
                    best = saved, act, extra
        if best is None:
            return
        best[1]()
        for target in best[2]:
            if is_main(self.session.open.gold, self.nodes, target):
                self._toggle(target)

    def _runs(self, run: Sequence[Target]) -> Iterator[tuple[Sequence[Target], Act]]:
        """Yield what one gesture over some pieces adds, and the gesture."""
        nodes = self.nodes
        box = geometry.union(nodes.rect[[target.row for target in run]]).tolist()
        if box[3] <= self._highest and all(target.is_whole for target in run):
            result = fit_rectangle(nodes, self._frame(box))
            if result:
                yield result, lambda: self.drag(box, Qt.KeyboardModifier.AltModifier)
        ends = [self._text_of(run[0], 0), self._text_of(run[-1], -1)]
        if None in ends or box[3] > self.view_height - 80:
            return
        first, last = ends
        end = len(nodes.text[last.row]) if last.is_whole else last.end
        result = selected_targets(nodes, first.row, max(first.start, 0), last.row, end)
        if result:
            yield result, lambda: self.drag_text(first, last)

    def _text_of(self, target: Target, place: int) -> Target | None:
        """Return the first or the last text of a piece that is seen."""
        if not target.is_whole:
            return target
        rows = [row for row in leaves(self.nodes, target.row) if self.nodes.is_text[row]]
        return Target(int(rows[place])) if rows else None

    def _toggle(self, target: Target) -> None:
        """Add a piece, or take it out: a text by dragging over it, what is larger by rectangle with
        Alt where one fits, else by clicks.
        """
        nodes = self.nodes
        if nodes.is_text[target.row]:
            self.drag_text(target, target)
            return
        box = nodes.rect[target.row].tolist()
        meant = content(nodes, [target])
        for margin in (MARGIN, 0.0):
            result = fit_rectangle(nodes, self._frame(box, margin))
            if result and content(nodes, result) == meant:
                self.drag(box, Qt.KeyboardModifier.AltModifier, margin)
                return
        if nodes.area[target.row]:  # nobody can point at what has none
            self._click(target.row, adds=False)
