"""A scripted annotator: rebuilds the gold of a page by real events, and counts what it does.

It knows the gold, and what the program would make of a gesture.  With a draft at hand it thinks
several ways through, beginning anew among them, and goes the one with fewest actions.  It has the
gestures that users of the guide have: a rectangle dragged around a block, else a click and another
frame; a rectangle around several marks (Ctrl), or the mouse over one, and a key to confirm, delete,
type, move or split them; one key for all that is built like a block, and one that splits an element
into its parts or drafts those of a block.  On each page it either chooses levels first, or stays
where keys follow the mouse and draws with Alt, the level being told by the place.
A block is rebuilt if a mark of its level holds just the same words and pictures; its type is
counted apart.  Every action is a click, a key or a drag; scrolling and moving the mouse are none,
as in other counts of the kind.

Time is that of the keystroke-level model (Card, Moran, Newell 1980): a key takes .28 s (an average
typist), pointing 1.1 s, a press or release of a button .1 s.  A click is then 1.3 s, a drag 2.4 s;
moving the mouse to a mark for a key takes its 1.1 s, too.
Thinking is left out: the annotator knows what it wants.
"""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Qt

from annotate.marks import edits
from annotate.marks.gold import MAIN, Gold, Mark, Target
from annotate.marks.similar import add_similar, copy_type
from engine.errors import InputError
from engine.nodes import NodeTable
from gui.page.gesture_edits import resize_block
from tests.covering import Held
from tests.draft_opener import DraftOpener
from tests.foresight import Unseen
from tests.gestures import MODES, Tally, below, content

ORDERS = (
    ("moved", "missing", "types", "wrong"),
    ("types", "moved", "wrong", "missing"),
    ("moved", "types", "wrong", "missing"),
    ("missing", "types", "wrong"),
    ("missing", "wrong", "types"),
    ("types", "missing", "wrong"),
    ("types", "wrong", "missing"),
    ("wrong", "missing", "types"),
)
"""In which order drafts are put right; the cheapest is chosen page by page."""

Way = Callable[["Annotator"], Tally]
Move = Callable[[Gold, NodeTable, Mark], Gold]


def _to(way: str) -> Move:
    return lambda gold, nodes, mark: resize_block(gold, nodes, mark.id, way)


_CTRL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
_ALT = Qt.KeyboardModifier.AltModifier
_MOVES: tuple[tuple[str, Qt.KeyboardModifier, Move], ...] = (
    ("Up", _CTRL | _SHIFT, _to("parent")),
    ("Down", _CTRL | _SHIFT, _to("child")),
    ("1", _CTRL | _ALT, lambda gold, _nodes, mark: edits.set_level(gold, [mark.id], 1)),
    ("2", _CTRL | _ALT, lambda gold, _nodes, mark: edits.set_level(gold, [mark.id], 2)),
    ("U", _SHIFT, lambda gold, nodes, mark: edits.split(gold, nodes, mark.id)),
)
"""Keys that make another block of the one under the mouse, and what they do."""

_UNDONE = 3
_LEAST_PARTS = 3  # an element is marked and split for so many, and not for fewer


class Annotator(DraftOpener):
    """Works on the open page of a window or workbench, by events.

    Attributes:
        lets_suggest: Whether types are suggested for blocks it makes; else the last type is kept.
    """

    lets_suggest = False

    def mark_all(self, wanted: Sequence[Mark]) -> None:
        """Make blocks by level and type; next comes what needs no other level, or type, if any."""
        waiting: dict[tuple[int, str | None], list[Mark]] = {}
        for mark in wanted:
            key = mark.level, mark.type if self.with_types and not self.lets_suggest else None
            waiting.setdefault(key, []).append(mark)
        while waiting:
            session = self.session
            level, kind = min(
                waiting,
                key=lambda key: (
                    self.stays and key[0],  # what lies in a level-1 block is told by that
                    (session.selection.mode is not MODES[key[0]])
                    + (key[1] not in (None, session.selection.next_type)),
                    session.selection.mode
                    is not MODES[key[0]],  # another level only once one is through
                    str(key[1]),
                ),
            )
            self.level(level)
            marks = waiting.pop((level, kind))
            self._split_around(marks, kind, wanted)
            for mark in marks:
                if not self.has(mark):
                    self._mark_as(mark, kind)
                    self._mark_alike(mark, kind, wanted)

    def _mark_as(self, mark: Mark, kind: str | None) -> None:
        """Make a block of a type; None leaves its type to what is suggested, if that is right."""
        session = self.session
        if kind == "" and session.selection.next_type:
            self.type("")
        if kind and not session.selection.next_type and not session.selection.selected:
            self.type(kind)  # of all blocks to come
        self.mark(mark)
        result = self.find(mark)
        if kind is None and self.with_types and result is not None and mark.type:
            kind = None if _kind(result) == mark.type else mark.type  # what is suggested is wrong
        if kind is None or result is None or result.type == kind or not kind:
            return
        if result in session.selection.meant_marks():
            self.type(kind)

    # several at once ---------------------------------------------------------------------------
    def _gain(self, after: Gold, level: int, kind: str | None, wanted: Gold) -> int:
        """Return how many wanted blocks a gesture makes that makes no others and harms none."""
        before = self.session.open.gold
        made = self._contents(after.sure, level) - self._contents(before.sure, level)
        there = self._contents(before, level)
        meant = self._contents(wanted, level, kind)
        lost = (there & self._contents(wanted, level)) - self._contents(after, level)
        return len(made) if made <= meant and not lost else 0

    def _mark_alike(self, mark: Mark, kind: str | None, wanted: Sequence[Mark]) -> None:
        """Mark all that is built like a block just marked, if that is all wanted."""
        result = self.find(mark)
        if (
            result is None
            or self.session.selection.meant_marks() != (result,)
            or len(result.targets) > 1
        ):
            return
        after = add_similar(self.session.open.gold, self.nodes, [result.id])
        if self._gain(after, mark.level, kind, Gold(tuple(wanted))):
            self.key("E", Qt.KeyboardModifier.ShiftModifier)

    def _split_around(
        self, marks: Sequence[Mark], kind: str | None, wanted: Sequence[Mark]
    ) -> None:
        """Mark elements whose parts are three wanted blocks or more, and split them."""
        nodes, meant = self.nodes, Gold(tuple(wanted))
        rows = [m.targets[0].row for m in marks if len(m.targets) == 1]
        around = {int(nodes.parent[row]) for row in rows if nodes.parent[row] > 0}
        for row in sorted(around):
            whole = Mark("whole", marks[0].level, (Target(row),), kind or "")
            missing = sum(not self.has(m) and m.targets[0].row in below(nodes, row) for m in marks)
            fitting = self._fitting(whole)
            if missing < _LEAST_PARTS or fitting is None:
                continue
            try:
                added = edits.add_block(
                    self.session.open.gold,
                    nodes,
                    whole.targets,
                    whole.level,
                    kind or "",
                    lambda: "whole",
                )
                after = edits.split(edits.settle(added, nodes, "whole"), nodes, "whole")
            except InputError:
                continue
            if self._gain(after, whole.level, kind, meant) < _LEAST_PARTS:
                continue
            self._mark_as(whole, kind)
            self.key("U", Qt.KeyboardModifier.ShiftModifier)

    # choosing ----------------------------------------------------------------------------------
    def with_draft(self, gold: Gold) -> Tally:
        """Rebuild blocks with the current layer in view: it is taken over where that helps."""
        return self._cheapest(
            lambda hand: hand.from_scratch(gold),
            *(lambda hand, order=order: hand.from_draft(gold, order) for order in ORDERS),
        )

    def scratch_at_best(self, gold: Gold) -> Tally:
        """Rebuild blocks with nothing to start from, with types kept or suggested."""
        return self._cheapest(lambda hand: hand.from_scratch(gold))

    def _cheapest(self, *ways: Way) -> Tally:
        """Go the way with fewest actions, each thought through on the marks as they are.

        With types, each is thought through with types kept and with types suggested; and with
        levels chosen first and told from places.  What a way leaves undone counts as what it takes
        to do it by hand.
        """

        def cost(choice: tuple[Way, bool, bool]) -> int:
            way, lets_suggest, stays = choice
            thinker = Thinker(self.session, self.zoom, self.view_height, with_types=self.with_types)
            thinker.lets_suggest, thinker.stays = lets_suggest, stays
            done = way(thinker)
            return done.count + _UNDONE * (done.blocks - done.rebuilt + done.superfluous)

        manners = {(False, False), (self.with_types, False), (self.with_types, True)}
        choices = [(way, *manner) for way in ways for manner in sorted(manners)]
        way, self.lets_suggest, self.stays = min(choices, key=cost)
        return way(self)

    # ways --------------------------------------------------------------------------------------
    def from_scratch(self, gold: Gold) -> Tally:
        """Rebuild the blocks of a page with nothing to start from; drafts there are dropped."""
        self.stage = "marking"
        if self.session.open.gold.drafts():
            self.key("Delete", _SHIFT)
        self._keep_types()
        expected = [m for m in gold.marks if m.level != MAIN and m.targets]
        self.mark_all(expected)
        self._confirm_types(expected)
        return self._count(gold)

    def _keep_types(self) -> None:
        """Have types kept for the next blocks, or suggested for each."""
        if (
            self.with_types
            and self.session.selection.keeps_type is self.lets_suggest
            and not self.stays
        ):
            self.key("T", _SHIFT)

    def _confirm_types(self, wanted: Sequence[Mark]) -> None:
        """Put suggested types right, and confirm them by one key."""
        if self.with_types and any(mark.awaits_type for mark in self.session.open.gold.marks):
            self._retype(wanted)
        self.confirm_all()

    def from_draft(self, gold: Gold, order: Sequence[str] = ORDERS[0]) -> Tally:
        """Take the current layer over, put right what is wrong, confirm the rest.

        A page that has begun with drafts needs no taking over.
        """
        self.stage = "taking over"
        self._keep_types()
        if not self.session.open.gold.drafts():
            self.key("A", _SHIFT)
        self._open([m for m in gold.marks if m.level != MAIN and m.targets])
        expected = [m for m in gold.marks if m.level != MAIN and m.targets]
        stages = {
            "missing": self._add_missing,
            "types": self._retype,
            "wrong": self._decide,
            "moved": self._move,
        }
        for self.stage in order:
            stages[self.stage](expected)
        self.stage = "types"
        self._retype(expected)
        self.stage = "confirming"
        self.confirm_all()
        self.stage = "nested"
        self.mark_all([mark for mark in expected if not self.has(mark)])
        self._confirm_types(expected)
        return self._count(gold)

    def _add_missing(self, wanted: Sequence[Mark]) -> None:
        missing = [mark for mark in wanted if self.find(mark) is None]
        self.mark_all([mark for mark in missing if not self._harms(mark, wanted)])

    def _harms(self, mark: Mark, wanted: Sequence[Mark]) -> bool:
        """Return whether more right drafts than wrong ones would give way to a block.

        It is made once they are gold.
        """
        gold, nodes = self.session.open.gold, self.nodes
        try:
            added = edits.add_block(gold, nodes, mark.targets, mark.level, ids=lambda: "new")
        except InputError:
            return False
        after = edits.settle(added, nodes, "new")
        meant = self._contents(Gold(tuple(wanted)), mark.level)
        lost = self._contents(gold, mark.level) - self._contents(after, mark.level)
        return len(lost & meant) > len(lost - meant)

    def _move(self, wanted: Sequence[Mark]) -> None:
        """Put drafts right that one key makes what is wanted, the mouse on each."""
        meant = Gold(tuple(wanted))
        right = {result.id for mark in wanted if (result := self.find(mark)) is not None}
        for draft in self.session.open.gold.drafts():
            if draft.level == MAIN or draft.id in right or len(draft.targets) != 1:
                continue
            if self.session.open.gold.find(draft.id) is None:
                continue
            worth, key, keys = max(
                ((self._worth_of(draft, edit, meant), key, keys) for key, keys, edit in _MOVES),
                key=lambda each: each[0],
            )
            if worth > 1 and self._point_at(draft):
                self.key(key, keys)

    def _worth_of(self, draft: Mark, edit: Move, meant: Gold) -> int:
        """Return how many actions an edit of a wrong draft saves: blocks that need not be drawn,
        and it itself that need not be deleted; what it makes and is not wanted has to be.
        """
        gold, nodes = self.session.open.gold, self.nodes
        try:
            after = edit(gold, nodes, draft)
        except InputError:
            return 0
        worth = 1
        for level in (1, 2):
            before, now = self._contents(gold, level), self._contents(after, level)
            expected = self._contents(meant, level)
            worth += len((now - before) & expected) - len((now - before) - expected)
            worth -= len((before - now) & expected)
        return worth

    # drafts ------------------------------------------------------------------------------------
    def _decide(self, wanted: Sequence[Mark]) -> None:
        """Part right drafts from wrong ones, the cheaper way.

        Either the wrong ones are deleted and the rest is confirmed by one key at the end, or the
        right ones are confirmed and the rest is dropped by one key.
        """
        result = {mark.id for mark in map(self.find, wanted) if mark is not None}
        drafts = [mark for mark in self.session.open.gold.drafts() if mark.level != MAIN]
        right = [mark for mark in drafts if mark.id in result]
        wrong = [mark for mark in drafts if mark.id not in result]
        remaining = [mark for mark in self.session.open.gold.sure.marks if mark.level != MAIN]
        if not drafts:
            return
        if not wrong:
            return
        alike = self._alike(wrong)
        in_alike = {mark.id for group in alike for mark in group}
        rest = [mark for mark in wrong if mark.id not in in_alike]
        ways = (([], wrong), (alike, rest)) if alike else (([], wrong),)
        result = [
            (*way, *self._worth(*self._cover(way[1], [*right, *remaining]), way[1])) for way in ways
        ]
        groups, _, *away = min(result, key=lambda each: len(each[0]) + _cost(*each[2:]))
        stay = self._worth(*self._cover(right, wrong), right)
        if right and len(groups) + _cost(*away) <= _cost(*stay) + 1:
            for group in groups:
                if self._point_at(group[0]):
                    self.key("Delete", _CTRL)
            there = [mark for mark in wrong if self.session.open.gold.find(mark.id) is not None]
            left = [*away[1], *(mark for mark in there if mark.id in in_alike)]
            self._together(away[0], left if groups else away[1], "Delete")
            return
        self._together(*stay, "Y")
        self.key("Delete", _SHIFT)

    def _retype(self, wanted: Sequence[Mark]) -> None:
        """Give blocks their types, those of one type together, as long as that helps."""
        if not self.with_types:
            return
        meant = {result.id: mark.type for mark in wanted if (result := self.find(mark)) is not None}
        left = None
        while (asked := self._mistyped(meant)) and asked != left:
            left = asked
            for kind in sorted({meant[mark.id] for mark in asked}):
                self._retype_to(kind, meant)

    def _mistyped(self, meant: Mapping[str, str]) -> list[Mark]:
        marks = self.session.open.gold.marks
        return [m for m in marks if meant.get(m.id) not in (None, "", _kind(m))]

    def _retype_to(self, kind: str, meant: Mapping[str, str]) -> None:
        """Type what rectangles hold together; drafts built like them follow."""
        ask = [mark for mark in self._mistyped(meant) if meant[mark.id] == kind]
        if not ask:
            return
        blocks = [mark for mark in self.session.open.gold.marks if mark.level != MAIN]
        held, left = self._cover(ask, [m for m in blocks if meant.get(m.id) != kind])
        held, left = self._worth(self._needed(held, kind, meant), left, ask)
        if held:
            self._select(held)
            self.type(kind)
        for mark in left:
            result = self.session.open.gold.find(mark.id)
            if result is not None and _kind(result) != kind and self._point_at(result):
                self.type(kind)
        for mark in sorted(left, key=lambda mark: mark.level):
            fitting = self._fitting(mark)
            result = self.session.open.gold.find(mark.id)
            if fitting is None or result is None or _kind(result) == kind:
                continue
            self.level(mark.level)
            self.outline(*fitting)
            result = self.find(mark)
            if result is not None and _kind(result) != kind:
                self.type(kind)

    def _needed(self, held: Sequence[Held], kind: str, meant: Mapping[str, str]) -> list[Held]:
        """Return the rectangles without those whose blocks get the type from ones built alike."""
        gold, remaining = self.session.open.gold, list(held)
        for each in held:
            others = [one for one in remaining if one is not each]
            ids = [i for one in others for i in one.ids]
            after = copy_type(gold, edits.set_type(gold, ids, kind), self.nodes, ids)
            if all(mark is not None and _kind(mark) == kind for mark in map(after.find, each.ids)):
                remaining = others
        return remaining

    def _count(self, gold: Gold) -> Tally:
        expected = [m for m in gold.marks if m.level != MAIN and m.targets]
        right = [mark for mark in expected if self.has(mark)]
        self.tally.blocks += len(expected)
        self.tally.rebuilt += len(right)
        self.tally.typed += sum(self.find(mark).type == mark.type for mark in right)
        contents = {(mark.level, content(self.nodes, mark.targets)) for mark in expected}
        self.tally.superfluous += sum(
            (mark.level, content(self.nodes, mark.targets)) not in contents
            for mark in self.session.open.gold.marks
            if mark.level != MAIN
        )
        return self.tally


class Thinker(Unseen, Annotator):
    """The annotator in thought: tries a way, so that the cheapest can be chosen."""


def _cost(held: Sequence[Held], left: Sequence[Mark]) -> int:
    return len(held) + bool(held) + len(left)


def _kind(mark: Mark) -> str:
    """Return the type a mark has, or will have once all is confirmed."""
    return mark.type or (mark.guess.type if mark.guess is not None else "")
