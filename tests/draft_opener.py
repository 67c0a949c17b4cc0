"""How a scripted hand has several drafts made or dropped by one key."""

from collections.abc import Sequence

from PySide6.QtCore import Qt

from annotate.marks.drafts import draft_parts, drafts_in, similar_drafts
from annotate.marks.gold import Gold, Mark
from engine.errors import InputError
from tests.gestures import Content, content
from tests.main_marker import MainMarker

_MOST_OPENED = 3


class DraftOpener(MainMarker):
    """Finds out what a key would do to drafts, and presses it where that helps."""

    def _contents(self, gold: Gold, level: int, kind: str | None = None) -> set[Content]:
        """Return what the decided marks of a level hold; of a type, if one is given."""
        marks = (m for m in gold.of_level(level) if kind is None or m.type == kind)
        return {content(self.nodes, mark.targets) for mark in marks}

    def _open(self, wanted: Sequence[Mark]) -> None:
        """Have the parts of level-1 blocks drafted, coarser or finer, where that saves actions."""
        for block in wanted:
            mark = self.find(block) if block.level == 1 else None
            if mark is None:
                continue
            best, times, after = (
                self._left_in(mark, self.session.open.gold, wanted),
                0,
                self.session.open.gold,
            )
            for pressed in range(1, _MOST_OPENED + 1):
                try:
                    after = draft_parts(after, self.nodes, mark.id, "")
                except InputError:
                    break
                cost = pressed + self._left_in(mark, after, wanted)
                if cost < best:
                    best, times = cost, pressed
            inside = drafts_in(self.session.open.gold, self.nodes, [t.row for t in mark.targets])
            if times and any(map(self._point_at, [mark, *inside])):
                for _ in range(times):
                    self.key("O", Qt.KeyboardModifier.ShiftModifier)

    def _left_in(self, block: Mark, gold: Gold, wanted: Sequence[Mark]) -> int:
        """Return how many actions the places of level 2 in a block still take: each missing one is
        drawn, and wrong ones are deleted, or right ones confirmed and the rest dropped.
        """
        nodes, rows = self.nodes, [t.row for t in block.targets]
        drafts = Gold(tuple(m for m in drafts_in(gold, nodes, rows) if m.level == 2))
        there = self._contents(drafts, 2)
        inside = [
            m
            for m in wanted
            if m.level == 2
            and all(any(nodes.is_inside(t.row, row) for row in rows) for t in m.targets)
        ]
        meant = self._contents(Gold(tuple(inside)), 2)
        return len(meant - there) + min(len(there - meant), 1 + len(there & meant))

    def _alike(self, wrong: Sequence[Mark]) -> list[tuple[Mark, ...]]:
        """Return the wrong drafts that are built alike, with no right one among them."""
        ids, result, seen = {mark.id for mark in wrong}, [], set[str]()
        for mark in wrong:
            if mark.id in seen:
                continue
            group = similar_drafts(self.session.open.gold, self.nodes, [mark.id])
            seen |= {each.id for each in group}
            if len(group) > 1 and ids >= {each.id for each in group}:
                result.append(group)
        return result
