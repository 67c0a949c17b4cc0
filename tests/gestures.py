"""What a hand does to a page by real events, each counted, with what it knows of the outcome."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPoint, Qt

from annotate.marks.drafts import drafts_in, unsure
from annotate.marks.fit import fit_rectangle, shown_rects
from annotate.marks.gold import MAIN, Mark, Target
from annotate.marks.targets import leaves
from engine import geometry
from engine.nodes import NodeTable
from gui.features.drafts.controller import DraftsController
from gui.features.drafts.seen import SeenMarks
from gui.features.marks.type_prompt import TYPE_KEYS
from gui.page.overlay import hit
from gui.state.selection import Mode
from tests.covering import Held, cover
from tests.hand import Hand

SECONDS = {"key": 0.28, "click": 1.3, "drag": 2.4}
POINTING = 1.1
MODE_KEYS = {MAIN: "M", 1: "1", 2: "2"}
MODES = {MAIN: Mode.MAIN, 1: Mode.LEVEL_1, 2: Mode.LEVEL_2}
WAIT = 240_000
MARGIN = 3
"""How far outside a block a rectangle begins, CSS px."""
NO_KEYS = Qt.KeyboardModifier.NoModifier
_CTRL_ALT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
_MOST_CONFIRMED = 60
_LEAST_MOVE = 6  # a drag shorter than this is a click

_TRIES = 4  # pieces of a mark the mouse is moved to, until keys act on it

_MOST_VIEWS = 4  # nobody drags over more heights of the view than this

_ENDS = """([index, start, end]) => {
  const range = document.createRange(), node = pagelet.overlay.parts.nodeOf(index);
  if (!node) return null;
  range.setStart(node, start); range.setEnd(node, end);
  const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
  if (!boxes.length) return null;
  const a = boxes[0], b = boxes.at(-1);
  return [[a.left + 1, a.top + a.height / 2], [b.right - 1, b.top + b.height / 2]];
}"""

Content = tuple[int, ...]


@dataclass
class Tally:
    """What was done."""

    actions: Counter = field(default_factory=Counter)
    stages: Counter = field(default_factory=Counter)
    pointings: int = 0
    blocks: int = 0
    rebuilt: int = 0
    typed: int = 0
    superfluous: int = 0

    def add(self, kind: str, stage: str, number: int = 1) -> None:
        self.actions[kind] += number
        self.stages[stage] += number

    @property
    def count(self) -> int:
        return sum(self.actions.values())

    @property
    def seconds(self) -> float:
        acted = sum(SECONDS[kind] * number for kind, number in self.actions.items())
        return acted + POINTING * self.pointings


def below(nodes: NodeTable, row: int) -> range:
    return range(row, int(nodes.end[row]))


def content(nodes: NodeTable, targets: Iterable[Target]) -> Content:
    """Return the words and pictures some targets hold; their rows where they hold none."""
    rows = [target.row for target in targets]
    return tuple(sorted({int(x) for row in rows for x in leaves(nodes, row)})) or tuple(rows)


class Gestures:
    """One hand on the open page of a window or workbench, by events that are counted.

    Attributes:
        stays: Whether it stays where keys act on what is under the mouse, and draws blocks with
            Alt, whose level the program tells from their place; else it chooses levels first.
    """

    def __init__(self, hand: Hand, press, *, with_types: bool = True) -> None:
        self.hand, self._press, self.with_types = hand, press, with_types
        self.session, self.canvas = hand.session, hand.workbench.canvas
        self.tally = Tally()
        self.stage = "marking"
        self.stays = False

    @property
    def nodes(self) -> NodeTable:
        return self.session.open.page.rendered()

    def _did(self, kind: str, number: int = 1) -> None:
        self.tally.add(kind, self.stage, number)

    # gestures ----------------------------------------------------------------------------------
    def key(self, key: str, keys=NO_KEYS) -> None:
        code = Qt.Key(ord(key)) if len(key) == 1 else getattr(Qt.Key, f"Key_{key}")
        self._press(code, keys)
        self._did("key")

    def mode(self, level: int) -> None:
        if self.session.selection.mode is not MODES[level]:
            self.key(MODE_KEYS[level])
            assert self.session.selection.mode is MODES[level]

    def level(self, level: int) -> None:
        """Have blocks of a level made, but where the place of each tells it."""
        if not self.stays:
            self.mode(level)

    def _scroll(self, top: float) -> float:
        """Bring a height of the page a little below the view's upper edge; return where it is."""
        ask = "scrollTo({top: %f, behavior: 'instant'}), scrollY" % max(0.0, top - 40)  # noqa: UP031
        return float(self.hand.ask(f"({ask})"))

    @property
    def zoom(self) -> float:
        return self.canvas.view.zoomFactor()

    @property
    def view_height(self) -> float:
        """How much of the page is seen at once, CSS px."""
        return self.hand.target.height() / self.zoom

    def _at(self, x: float, y: float, scrolled: float) -> QPoint:
        return QPoint(round(x * self.zoom), round((y - scrolled) * self.zoom))

    def _frame(self, box, margin: float = MARGIN) -> tuple[float, float, float, float]:
        """Return the rectangle a hand drags around a box: within the page, corners apart."""
        left, top = max(1.0, box[0] - margin), max(1.0, box[1] - margin)
        right = min(self.session.open.page.viewport[0] - 2.0, box[0] + box[2] + margin)
        return left, top, max(right - left, 1.0), max(box[1] + box[3] + margin - top, 1.0)

    def drag(self, box, keys=NO_KEYS, margin: float = MARGIN) -> None:
        """Drag around a box; at the edge of the view the page moves on by itself."""
        self._draw(self._frame(box, margin), keys)
        self._did("drag")

    def drag_text(self, first: Target, last: Target) -> None:
        """Drag over texts, or parts of texts, from the first letter to the last."""
        self._drag_over(first, last)
        self._did("drag")

    def _draw(self, frame, keys) -> None:
        with self._heard("rect", timeout=20_000, raising=False):
            self._drag(frame, keys)

    def _drag_over(self, first: Target, last: Target) -> None:
        self._scroll(float(self.nodes.rect[first.row, 1]))
        ends = []
        for target in (first, last):
            text = self.nodes.text[target.row]
            start, end = (0, len(text)) if target.is_whole else (target.start, target.end)
            positions = json.dumps(self.canvas.pieces.range(target.row, start, end))
            ends.append(self.hand.ask(f"({_ENDS})({positions})"))
        if None in ends:
            return
        positions = ends[0][0], ends[1][1]
        start, end = (QPoint(round(x * self.zoom), round(y * self.zoom)) for x, y in positions)
        with self._heard("drag", timeout=20_000, raising=False):
            self.hand.drag(start, end)

    @property
    def _highest(self) -> float:
        """How high a rectangle is at most, CSS px."""
        return _MOST_VIEWS * self.view_height

    def _fitting(self, wanted: Mark) -> tuple[list[float], float] | None:
        """Return the box of a block, and how far outside a rectangle fits it; None if none does."""
        nodes = self.nodes
        box = geometry.union(shown_rects(nodes)[[t.row for t in wanted.targets]]).tolist()
        if max(box[2:]) * self.zoom <= _LEAST_MOVE or box[3] > self._highest:
            return None
        meant = content(nodes, wanted.targets)
        for margin in (MARGIN, 0.0):
            result = fit_rectangle(nodes, self._frame(box, margin))
            if result and content(nodes, result) == meant:
                return box, margin
        return None

    def _heard(self, name: str, **more):
        """Wait until the page has reported an event of a name."""
        return self.hand.qtbot.waitSignal(
            self.canvas.pointed,
            timeout=more.get("timeout", WAIT),
            raising=more.get("raising", True),
            check_params_cb=lambda event: event["event"] == name,
        )

    def _drag(self, frame, keys) -> None:
        x, y, width, height = frame
        scrolled = self._scroll(y)
        start, end = self._at(x, y, scrolled), self._at(x + width, y + height, scrolled)
        floor = self.hand.target.height() - 40
        if end.y() <= floor:
            self.hand.drag(start, end, keys)
        else:
            edge = QPoint(end.x(), self.hand.target.height() - 4)
            self.hand.hold(start, edge, keys)
            expected = y + height - floor / self.zoom
            limit = self.hand.ask("document.documentElement.scrollHeight - innerHeight")
            self.hand.qtbot.waitUntil(
                lambda: self.hand.ask("scrollY") >= min(expected, limit - 1), timeout=WAIT
            )
            self.hand.move(QPoint(end.x(), floor), keys)  # away from the edge: the page stops
            here = self.hand.ask("scrollY")
            self.hand.let_go(self._at(x + width, y + height, here), keys)

    # blocks ------------------------------------------------------------------------------------
    def mark(self, wanted: Mark) -> bool:
        """Make one block; return whether it is there now."""
        rows = [t.row for t in wanted.targets]
        fitting = self._fitting(wanted)
        if fitting is not None:
            self.outline(*fitting)
            if self.stays and not self.has(wanted) and self._stands_elsewhere(wanted):
                self.key(MODE_KEYS[wanted.level], _CTRL_ALT)
            if self.has(wanted):
                return True
            self.undo()
        if not self.nodes.area[[rows[0], rows[-1]]].all():
            return False  # nobody can point at what has no area
        self.mode(wanted.level)
        for row in dict.fromkeys((rows[0], rows[-1])):  # Shift-click extends to the last
            self._click(row, adds=row != rows[0])
        return self.has(wanted)

    def outline(self, box, margin: float) -> None:
        """Draw a rectangle around what is to be a block."""
        if self.stays:
            self._follow()
            self.drag(box, Qt.KeyboardModifier.AltModifier, margin)
        else:
            self.drag(box, margin=margin)

    def _stands_elsewhere(self, wanted: Mark) -> bool:
        """Whether the block just drawn is the one wanted, but for its level."""
        made = self.session.open.gold.find(self.session.selection.pointed)
        return made is not None and content(self.nodes, made.targets) == content(
            self.nodes, wanted.targets
        )

    def _follow(self) -> None:
        """Have keys act on what is under the mouse."""
        if self.session.selection.mode is not Mode.SELECT:
            self.key("V")

    def confirm_all(self) -> None:
        """Look through the page and confirm what was seen; else view by view, until all is done."""
        if not unsure(self.session.open.gold):
            return
        self._look_through()
        self.key("Return", Qt.KeyboardModifier.AltModifier)
        for _ in range(_MOST_CONFIRMED):
            before = self.canvas.seen
            if not unsure(self.session.open.gold):
                return
            self.key("Y", Qt.KeyboardModifier.ShiftModifier)
            if unsure(self.session.open.gold):
                self._await_view(before)

    def _look_through(self) -> None:
        """Have all that is to be confirmed in view for a moment, which takes scrolling alone."""
        top, most = 0.0, self.canvas.page_height - self.view_height
        while set(self._seen.asked()) - set(self._seen.marks()) and top < most + self.view_height:
            self._rest_at(min(top, most))
            top += self.view_height / 2

    @property
    def _seen(self) -> SeenMarks:
        return self.hand.workbench.get(DraftsController).seen

    def _rest_at(self, top: float) -> None:
        there = self._scroll(top + 40)
        self.hand.qtbot.waitUntil(
            lambda: abs(self.canvas.scrolled - there) < 2 and self._seen.rests, timeout=WAIT
        )

    def _await_view(self, before: tuple[float, float]) -> None:
        """Wait until another part of the page is in view."""
        self.hand.qtbot.waitUntil(lambda: self.canvas.seen != before, timeout=WAIT)

    def undo(self) -> None:
        self.key("Z", Qt.KeyboardModifier.ControlModifier)

    def _click(self, row: int, *, adds: bool) -> None:
        """Frame a row, and click."""
        self._frame_row(row)
        shift = Qt.KeyboardModifier.ShiftModifier if adds else NO_KEYS
        self._press_button(shift)
        self._did("click")

    def _frame_row(self, row: int, *, itself: bool = False) -> None:
        """Point at a place of the row, and widen the frame until it holds the same, or is it."""
        nodes = self.nodes
        inside = content(nodes, [Target(row)])
        first = inside[0] if inside else row
        x, y, width, height = nodes.rect[first].tolist()
        deepest = int(nodes.parent[first]) if nodes.is_text[first] else first
        for _ in range(_TRIES):  # a page that has just been scrolled may report what was there
            self.session.selection.set_candidate(-1)
            self._move_to(x + min(width / 2, 8.0), y + min(height / 2, 6.0), nodes.rect[row, 1])
            if self.session.selection.mode is not Mode.MAIN or (
                self.session.selection.candidate == deepest
            ):
                break
        # Where marks are selected what is under the mouse counts, and a click more goes deeper.
        walked: set[int] = set()
        while self.session.selection.mode is not Mode.SELECT:
            here = self.session.selection.candidate
            if here < 0 or here == row or here in walked:
                break
            walked.add(here)
            if not itself and content(nodes, [Target(here)]) == inside:
                break
            way = "parent" if nodes.is_inside(row, here) is False else "child"
            there = hit.stride(nodes, here, way)
            if there == here:
                break
            self.key("Up" if way == "parent" else "Down")

    def _move_to(self, x: float, y: float, top: float) -> None:
        """Point at a place, with the page scrolled to a height."""
        self._mouse = at = self._at(x, y, self._scroll(float(top)))
        with self._heard("hover", timeout=2000, raising=False):
            self.hand.qtbot.mouseMove(self.hand.target, at + QPoint(1, 1))
            self.hand.qtbot.mouseMove(self.hand.target, at)

    def _press_button(self, keys) -> None:
        """Click where the mouse is."""
        left = Qt.MouseButton.LeftButton
        with self._heard("click", timeout=20_000, raising=False):
            self.hand.qtbot.mouseClick(self.hand.target, left, keys, self._mouse)

    def find(self, wanted: Mark) -> Mark | None:
        """Return the mark that is a wanted one, as gold or as a draft."""
        meant = content(self.nodes, wanted.targets)
        for mark in self.session.open.gold.of_level(wanted.level):
            if content(self.nodes, mark.targets) == meant:
                return mark
        return None

    def has(self, wanted: Mark) -> bool:
        result = self.find(wanted)
        return result is not None and not result.is_draft

    def type(self, name: str) -> None:
        """Give the selected block a type, by its letter or its name."""
        if not name:
            self.key("Escape")
        elif name in TYPE_KEYS:
            self.key(TYPE_KEYS[name])
        else:
            self.key("T")
            self._type_name(name)
            self._did("key", len(name) + 1)

    def _type_name(self, name: str) -> None:
        line = self.hand.workbench.canvas.window().type_field.line
        line.setText(name)
        self.hand.qtbot.keyClick(line, Qt.Key.Key_Return)

    def _point_at(self, mark: Mark) -> bool:
        """Move the mouse to where keys act on a mark; return whether there is such a place."""
        if self.session.open.gold.find(mark.id) is None:
            return False
        self._follow()
        if self.session.selection.selected:
            self.key("Escape")
        self.tally.pointings += 1
        for x, y in self._points_of(mark):
            self._move_to(x, y, y)
            if self.session.selection.pointed == mark.id:
                return True
        return False

    def _points_of(self, mark: Mark) -> list[tuple[float, float]]:
        """Return where on a mark, and on none inside it, the mouse may be."""
        boxes = self.nodes.rect[self._bare_rows(mark)[:_TRIES]].tolist()
        near = [(x + min(w / 2, 8.0), y + min(h / 2, 6.0)) for x, y, w, h in boxes]
        middle = [(x + w / 2, y + h / 2) for x, y, w, h in boxes]
        own = self.nodes.rect[[t.row for t in mark.targets]].tolist()
        edges = [(x + w - 2, y + h - 2) for x, y, w, h in own if min(w, h) > _LEAST_MOVE]
        return list(dict.fromkeys([*near, *middle, *edges]))

    def _drop(self, mark: Mark) -> None:
        """Delete one draft, chosen by clicks: each reaches the mark below."""
        self._follow()
        row = self._bare_rows(mark)[0]
        for _ in range(4):
            self._click(row, adds=False)
            if self.session.selection.selected == (mark.id,):
                self.key("Delete")
                return

    def _bare_rows(self, mark: Mark) -> list[int]:
        """Return rows of a mark that lie in no mark inside it; its own if there are none."""
        nodes = self.nodes
        inner = [
            t.row
            for other in self.session.open.gold.marks
            for t in other.targets
            if other.id != mark.id and any(nodes.is_inside(t.row, own.row) for own in mark.targets)
        ]
        result = [
            int(row)
            for row in content(nodes, mark.targets)
            if nodes.area[row] and not any(nodes.is_inside(row, other) for other in inner)
        ]
        return result or [mark.targets[0].row]

    # several marks -----------------------------------------------------------------------------
    def _cover(self, wanted: Sequence[Mark], others: Sequence[Mark]):
        return cover(self.nodes, wanted, others, self._frame, self._highest)

    def _select(self, held: Sequence[Held]) -> None:
        """Select what some rectangles hold, all of it together."""
        ctrl, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
        for index, each in enumerate(held):
            self.drag(each.box, ctrl | shift if index else ctrl)

    def _worth(
        self, held: Sequence[Held], left: Sequence[Mark], asked: Sequence[Mark]
    ) -> tuple[list[Held], list[Mark]]:
        """Return the rectangles that cost less than pointing at what they hold, and what is left.

        A key does for the mark under the mouse what it does for those in rectangles.
        """
        is_kept = [each for each in held if len(each.ids) > 1]
        if sum(len(each.ids) - 1 for each in is_kept) <= 1:
            is_kept = []
        ids = {i for each in is_kept for i in each.ids}
        by_id = {mark.id: mark for mark in (*asked, *left)}
        return is_kept, [mark for mark in by_id.values() if mark.id not in ids]

    def _together(self, held: Sequence[Held], left: Sequence[Mark], key: str) -> None:
        """Press a key for what rectangles hold, and with the mouse on each mark that is left."""
        if held:
            self._select(held)
            self.key(key)
        asked = {mark.id for mark in left}
        size = {mark.id: -len(content(self.nodes, mark.targets)) for mark in left}
        for mark in sorted(left, key=lambda mark: size[mark.id]):  # what holds others first
            if self.session.open.gold.find(mark.id) in (None, *self._settled(key, asked)):
                continue
            if not self._point_at(mark):
                self._drop(mark) if key == "Delete" else self._mark_on(mark)
                continue
            rows = [target.row for target in mark.targets]
            inside = {each.id for each in drafts_in(self.session.open.gold, self.nodes, rows)}
            is_all = len(inside) > 1 and inside <= asked
            self.key(key, Qt.KeyboardModifier.AltModifier if is_all else NO_KEYS)

    def _settled(self, key: str, asked: Collection[str]) -> list[Mark]:
        """Return the marks asked for that are decided already, where deciding leaves them there."""
        marks = self.session.open.gold.sure.marks if key != "Delete" else ()
        return [mark for mark in marks if mark.id in asked]

    def _mark_on(self, wanted: Mark) -> None:
        self.level(wanted.level)
        self.mark(wanted)
