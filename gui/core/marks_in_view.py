"""Marks in view, above it and below; changes by keys to marks out of view are announced."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject

from annotate.marks.fit import shown_rects
from annotate.marks.gold import MAIN, Gold, Mark, MarkState
from engine import geometry
from engine.nodes import NodeTable
from engine.words import plural, quote_start
from gui.page.canvas import PageCanvas
from gui.state.session import Session

SHARE = 0.5
"""Of a mark's height, or of the view's where the mark is higher: seen of it, it is in view."""


@dataclass(frozen=True)
class ByView:
    """Marks by where they lie, each group in the order they came in."""

    inside: tuple[Mark, ...]
    above: tuple[Mark, ...]
    below: tuple[Mark, ...]

    @property
    def rest(self) -> str:
        """Number of marks outside the viewport, as text; "" for none."""
        sides = (("above", self.above), ("below", self.below))
        counts = [f"{len(marks)} more {side}" for side, marks in sides if marks]
        return f"{' and '.join(counts)} the view" if counts else ""


def by_view(
    marks: Iterable[Mark], nodes: NodeTable, view: tuple[float, float], height: float
) -> ByView:
    """Part marks by the view, its upper and lower edge on a page of a height, all in CSS px.

    Marks outside the page cannot be scrolled to and count as being at its edge; hidden marks have
    no position to scroll to, and count as in view.
    """
    rects, (top, bottom) = shown_rects(nodes), view
    groups: tuple[list[Mark], list[Mark], list[Mark]] = [], [], []
    for mark in marks:
        rows = [target.row for target in mark.targets]
        _, y, wide, high = geometry.union(rects[rows]).tolist() if rows else (0.0, top, 0.0, 0.0)
        if not (wide or high):
            groups[0].append(mark)
            continue
        first, last = (min(max(edge, 0.0), height) for edge in (y, y + high))
        seen = min(last, bottom) - max(first, top)
        is_in = seen >= SHARE * min(last - first, bottom - top)
        groups[0 if is_in else 1 if first < top else 2].append(mark)
    return ByView(*map(tuple, groups))


class Sight(QObject):
    """Reports changes to marks outside the viewport and scrolls to them.

    So a key never changes what nobody sees: the mark selected before scrolling on, or a change
    made long ago that undo takes back.
    """

    def __init__(self, session: Session, canvas: PageCanvas, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._canvas = session, canvas
        self._before = Gold()
        self.sees_layers: Callable[[], bool] = lambda: True  # whether their panel is in view
        session.open.page_changed.connect(self._look)
        session.open.gold_changed.connect(self._follow)

    def tell_layer(self, key: str, what: str) -> None:
        """Report the effect of a key on a layer while the Methods panel is hidden."""
        if not self.sees_layers():
            self._session.messages.say(f"{self._session.layers.layer(key).title}: {what}")

    def bring(self, mark: Mark) -> None:
        """Scroll to a mark: enough of it that `by_view` counts it in."""
        page, canvas, rows = self._session.open.page, self._canvas, [t.row for t in mark.targets]
        if page is None or not rows:
            return
        canvas.scroll_to(rows[0])
        nodes, (top, bottom) = page.rendered(), canvas.seen
        _, y, _, high = geometry.union(shown_rects(nodes)[rows]).tolist()
        if 0 <= y < canvas.page_height and y + high > 0:
            y_first, _, _, own = nodes.rect[rows[0], [1, 0, 2, 3]].tolist()
            stays = top <= y_first and y_first + own <= bottom  # the first alone is in view by now
            if stays and not by_view([mark], nodes, canvas.seen, canvas.page_height).inside:
                most = canvas.page_height - (bottom - top)
                canvas.scroll_down_to(max(0.0, min(y - min((bottom - top) / 4, 120.0), most)))

    def _look(self) -> None:
        self._before = self._session.open.gold

    def _follow(self) -> None:
        before, after, page = self._before, self._session.open.gold, self._session.open.page
        self._before = after
        if page is None or not before.marks:  # drafts a page begins with are asked for by nobody
            return
        old = {mark.id: mark for mark in before.marks}
        new = {mark.id: mark for mark in after.marks}
        changed = [
            (old.get(each), new.get(each))
            for each in dict.fromkeys([*old, *new])
            if old.get(each) != new.get(each)
        ]
        at = [now or was for was, now in changed]
        marks = [mark for mark in at if mark is not None and mark.targets]
        if not marks:
            return
        sides = by_view(marks, page.rendered(), self._canvas.seen, self._canvas.page_height)
        out = (*sides.below, *sides.above)
        if not out:
            return
        if sides.inside:
            if len(out) > 1 and all(was is not None for was, _ in changed):
                self._session.messages.say(f"{plural(len(marks), 'mark')} changed, {sides.rest}")
            return
        self._session.messages.say(f"out of view: {_said(changed)}. Ctrl+Z takes it back")
        self.bring(out[0])


def _said(changed: Sequence[tuple[Mark | None, Mark | None]]) -> str:
    """Return what became of marks, each as it was and as it is now."""
    was, now = changed[0]
    mark = now or was
    assert mark is not None
    name = "main content" if mark.level == MAIN else (was or mark).shown_type or "block"
    what = f"{name} {quote_start(mark.quote, 40)}" if mark.quote else name
    if was is None:
        done = "marked"
    elif now is None:
        done = "deleted"
    elif was.shown_type != now.shown_type:
        done = f"now {now.shown_type or 'without a type'}"
    elif was.level != now.level:
        done = f"now on level {now.level}"
    elif was.state != now.state:
        done = "confirmed" if now.state is MarkState.EXACT else "no longer confirmed"
    else:
        done = "changed"
    more = f", {len(changed) - 1} more too" if len(changed) > 1 else ""
    return f"{what} is {done}{more}"
