"""Ticks of the page's scroll bar: where marks, drafts and errors lie."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject

from annotate.evaluation.tables.method_colors import GOLD_COLORS
from annotate.marks.fit import shown_rects
from annotate.marks.gold import MarkState
from engine import geometry
from engine.nodes import NodeTable
from gui.core.workbench import Workbench
from gui.features.errors.state import ErrorWalk
from gui.page.overlay.error_layers import STYLES
from gui.page.tick_bar import Tick
from gui.widgets.events import debounce

_HEIGHT = 0.005
"""Height of a tick, a share of the page's: it shows where a block begins, or all would be full."""


class PageTicks(QObject):
    """Keeps the ticks of the open page: drawn marks at the left, listed errors at the right."""

    def __init__(self, workbench: Workbench, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._canvas = workbench.session, workbench.canvas
        self._errors = self._session.get(ErrorWalk)
        self._soon = debounce(self, 80, self._refresh)
        for signal in (
            self._session.open.gold_changed, self._session.open.page_changed,
            self._session.layers.layers_changed, self._errors.changed, self._errors.shown_changed,
        ):  # fmt: skip
            signal.connect(self._soon.start)

    def _refresh(self) -> None:
        page = self._session.open.page
        if page is None or page.nodes is None:
            self._canvas.bar.set_ticks(())
        else:
            self._canvas.bar.set_ticks((*self._marks(page.nodes), *self._wrong(page.nodes)))

    def _marks(self, nodes: NodeTable) -> Iterator[Tick]:
        drawn = {
            layer.level for layer in self._session.layers.all
            if layer.is_gold and self._session.layers.is_drawn(layer)
        }  # fmt: skip
        for mark in self._session.open.gold.marks:
            if mark.level in drawn:
                rows = [target.row for target in mark.targets]
                is_draft = mark.state is not MarkState.EXACT
                yield from _ticks(nodes, rows, GOLD_COLORS[mark.level], is_draft=is_draft)

    def _wrong(self, nodes: NodeTable) -> Iterator[Tick]:
        for error in self._errors.items if self._errors.is_shown else ():
            color = STYLES[str(error.kind)].color
            yield from _ticks(nodes, error.rows, color, is_error=True)


def _ticks(
    nodes: NodeTable, rows: Sequence[int], color: str, *,
    is_error: bool = False, is_draft: bool = False,
) -> Iterator[Tick]:  # fmt: skip
    if rows:
        _, top, wide, high = geometry.union(shown_rects(nodes)[list(rows)]).tolist()
        if wide and high and nodes.height:
            first, last = (min(max(y / nodes.height, 0.0), 1.0) for y in (top, top + high))
            yield Tick(first, min(last, first + _HEIGHT), color, is_error, is_draft)
