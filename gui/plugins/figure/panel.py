"""Figure panel: the current method's measurements, drawn as in its paper and linked to the page.

Items under the mouse in the figure are highlighted on the page, and the reverse; a dragged
threshold changes the layer while it moves, as one undoable step.
"""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from algorithms.core.catalogue import method
from algorithms.explain.differences import words_kept
from algorithms.explain.page_errors import in_source
from algorithms.figures.figure import Figure, to_csv
from algorithms.params import Params
from algorithms.plugins.figure.method_figures import figures_of
from algorithms.templates.site import Site
from annotate.marks.gold import MAIN, Gold
from engine.errors import ParameterError
from engine.page import SOURCES, Input, Page
from engine.source import Source
from gui.core.workbench import Workbench
from gui.plugins.figure.sweep import SweepPart, page_cases
from gui.state.layers import LayerState
from gui.state.selection import NOTHING, of_rows, of_words
from gui.state.undo import ChangeParams, WorkHistory
from gui.widgets.controls import text_label
from gui.widgets.events import debounce
from gui.widgets.file_dialog import ask_save
from gui.widgets.fitted_texts import ElidedCombo
from gui.widgets.jobs import Task
from gui.widgets.layouts import lay_out
from gui.widgets.parts import ElidedLabel, IconButton, PanelDock, small

if TYPE_CHECKING:
    from gui.plugins.figure.plot import Plot

SWEEP = "Score against parameters"

FORMATS = ("PNG", "SVG", "PDF", "CSV")


class FigureDock(PanelDock):
    """The figures of the current layer's method on the open page."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__("Figure", "FigureDock", parent)
        session = self._session = workbench.session
        self._canvas = workbench.canvas
        self.plot: Plot | None = None
        self._figures: tuple[Figure, ...] = ()
        self._drawn: Figure | None = None
        self._shown = ("", "")  # layer and title of the drawn figure
        self._chosen_figures: dict[str, str] = {}  # layer → the title last chosen for it
        self._task = Task(self)
        self._is_late = False  # a change arrived while figures of a drag were computed
        self._before: Params | None = None  # parameters before the current drag
        self._read: Source | None = None
        self._rows: np.ndarray[tuple[int], np.dtype[np.int32]] | None = None  # of its words

        self.choice = ElidedCombo("Which figure of the method", 22, self, least=8)
        self.choice.activated.connect(self._on_chosen)
        self.whole = IconButton("fit", "The whole figure (double click)", self, self._show_all)
        self.export = IconButton("export", "Save the figure…", self)
        menu = QMenu(self.export)
        for kind in FORMATS:
            menu.addAction(f"{kind}…", partial(self._ask_where, kind))
        self.export.setMenu(menu)
        self.export.setPopupMode(IconButton.ToolButtonPopupMode.InstantPopup)
        for widget in (self.choice, self.whole, self.export):
            self.add_to_title(widget)
        self.show_on_hover(self.export)
        self.add_close()
        self.empty = text_label(self, factor=0.9)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.readout = small(ElidedLabel("", self))
        self.readout.setContentsMargins(14, 2, 8, 5)
        cases = partial(page_cases, session, workbench.workspace.path)
        self.sweep = SweepPart(session, cases, self)
        self.sweep.hide()
        self.sweep.grown.connect(self._on_grown)
        lay_out(self.body, self.sweep, (self.empty, 1), self.readout)

        self._timer = debounce(self, 0, self._make)
        opened, layers = session.open, session.layers
        for signal in (
            opened.page_changed, opened.document_changed, opened.gold_changed,
            layers.layers_changed, layers.outcome_changed, layers.passing_changed,
        ):  # fmt: skip
            signal.connect(self._soon)
        session.selection.candidate_changed.connect(self._on_candidate)

    # drawing -----------------------------------------------------------------------------------
    @property
    def figure(self) -> Figure | None:
        """Shown figure; None if there is none."""
        if self._is_sweep:
            layer, sweep = self._layer(), self.sweep.sweep
            return None if layer is None or sweep is None else sweep.figure(layer.params)
        index = self.choice.currentIndex()
        return self._figures[index] if 0 <= index < len(self._figures) else None

    @property
    def _is_sweep(self) -> bool:
        return self.choice.currentText() == SWEEP

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(each.title for each in self._figures)

    @property
    def is_busy(self) -> bool:
        """Whether figures are being computed."""
        return self._task.is_busy or self._timer.isActive()  # late ones begin at once

    def choose(self, title: str) -> None:
        self.choice.setCurrentText(title)
        self._on_chosen()

    def showEvent(self, event: QShowEvent) -> None:
        """Create the plot when first shown: its library takes a while to load."""
        super().showEvent(event)
        if self.plot is None:
            from gui.plugins.figure.plot import Plot  # most sessions never show a figure

            self.plot = Plot(self)
            self.plot.pointed.connect(self._on_pointed)
            self.plot.picked.connect(self._on_picked)
            self.plot.dragged.connect(self._on_dragged)
            self.plot.dropped.connect(self._on_dropped)
            self.body.insertWidget(1, self.plot, 1)
            self.plot.hide()
        self._soon()

    def hideEvent(self, event: QHideEvent) -> None:
        """Clear the highlight on the page, as the panel is hidden."""
        super().hideEvent(event)
        self._session.selection.set_highlight(NOTHING)

    def _soon(self, _key: str = "") -> None:
        if self.plot is not None and not self.isHidden():
            self._timer.start()

    def _layer(self) -> LayerState | None:
        key = self._session.layers.current_layer
        result = next((layer for layer in self._session.layers.all if layer.key == key), None)
        return None if result is None or result.is_gold else result

    def _make(self) -> None:
        page, layer = self._session.open.page, self._layer()
        if self._task.is_busy and self._session.layers.dragged:
            self._is_late = True  # let it finish: else nothing would be drawn before the drag ends
            return
        self._is_late = False
        self._task.cancel()
        if page is None:
            self._show_reason("Open a page to see figures of its methods.")
            return
        if layer is None or layer.params is None or layer.source is None:
            self._show_reason("Choose a method in the layers to see figures.")
            return
        if self._drawn is None:
            self.empty.setText("")  # its previous result is outdated
        gold, site = self._session.open.gold, self._session.open.site
        work = partial(_made, layer.key, page, layer.params, layer.source, gold, site)
        self._task.start(
            work,
            partial(self._on_made, layer),
            lambda error: self._show_reason(f"There is no figure: {error}."),
        )

    def _show_reason(self, words: str) -> None:
        self._session.selection.set_highlight(NOTHING)
        self._figures, self._drawn, self._shown = (), None, ("", "")
        self.choice.clear()
        self.empty.setText(words)
        self._arrange()

    def _arrange(self) -> None:
        is_there, is_sweep = self._drawn is not None, self._is_sweep
        self.empty.setVisible(not is_there)
        self.sweep.setVisible(is_sweep)
        self.choice.setVisible(is_there or is_sweep)
        for widget in (self.whole, self.export, self.readout):
            widget.setVisible(is_there)
        if self.plot is not None:
            self.plot.setVisible(is_there)

    def _on_made(self, layer: LayerState, figures: tuple[Figure, ...]) -> None:
        if self._is_late:
            self._soon()
        page = self._session.open.page
        if page is None or self._layer() is None:
            return
        self._figures = figures
        self._read = page.source(layer.source) if layer.source in SOURCES else None
        self._rows = None
        chosen = self._chosen_figures.get(layer.key, "")
        self.choice.offer([(title, None) for title in (*self.titles, SWEEP)])
        self.choice.setCurrentIndex(max(0, self.choice.findText(chosen)))
        self.set_remark(layer.title)
        self._draw()

    def _on_grown(self) -> None:
        if self._is_sweep and self.plot is not None:
            self._draw()

    def _on_chosen(self, _index: int = 0) -> None:
        self._chosen_figures[self._session.layers.current_layer] = self.choice.currentText()
        self._draw()

    def _draw(self) -> None:
        layer = self._layer()
        if self.plot is None or layer is None:
            return
        if self._is_sweep:
            self.sweep.show_layer(layer)
            self.empty.setText("Choose one parameter or two, and press Start.")
        figure = self._drawn = self.figure
        shown = (layer.key, "" if figure is None else figure.title)
        # A sweep that grows is shown whole; else the zoom is the user's.
        keeps = shown == self._shown and not (self._is_sweep and self.sweep.has_grown())
        self.plot.show_figure(figure, layer.color, keep_view=keeps)
        if shown != self._shown:  # the hovered item is gone
            self._session.selection.set_highlight(NOTHING)
        self._shown = shown
        self._arrange()
        self._show_label(-1)
        self._on_candidate()

    # figure → page -----------------------------------------------------------------------------
    def _on_pointed(self, item: int) -> None:
        self._show_label(item)
        figure, page, selection = self._drawn, self._session.open.page, self._session.selection
        if figure is None or page is None or self.plot is None:
            return
        self.plot.light((item,) if item >= 0 else ())
        if item < 0:
            selection.set_highlight(NOTHING)
            return
        first, last = figure.items.places[item].tolist()
        if figure.of_rows:
            selection.set_highlight(of_rows(page, first, last))
        elif self._read is not None:
            selection.set_highlight(of_words(page, self._read, first, last))

    def _on_picked(self, item: int) -> None:
        if self._is_sweep:
            self._take(item)
            return
        self._on_pointed(item)
        row = self._session.selection.highlight.first_row
        if row >= 0:
            self._canvas.scroll_to(row)

    def _take(self, item: int) -> None:
        """Run with the values of a point of the sweep."""
        layer, sweep = self._layer(), self.sweep.sweep
        if layer is not None and layer.params is not None and sweep is not None:
            after = replace(layer.params, **sweep.chosen(item))
            self._change_params(layer.key, layer.params, after)

    def _change_params(self, key: str, before: Params, after: Params) -> None:
        """Set the parameters of a layer as one step."""
        if after != before:
            change = ChangeParams(self._session, key, before, after)
            self._session.get(WorkHistory).push(change)

    def _show_label(self, item: int) -> None:
        figure = self._drawn
        if figure is not None:
            self.readout.setText(figure.items.labels[item] if item >= 0 else figure.note)

    # page → figure -----------------------------------------------------------------------------
    def _on_candidate(self) -> None:
        figure, page, row = self._drawn, self._session.open.page, self._session.selection.candidate
        if self.plot is None or self.isHidden() or figure is None or page is None:
            return
        places: tuple[int, int] | None = None
        if row >= 0:
            last = int(page.rendered().end[row])
            places = (row, last) if figure.of_rows else self._words(page, row, last)
        result = figure.items.on(*places).tolist() if places is not None else []
        self.plot.light(result)
        if len(result) == 1:
            self._show_label(result[0])

    def _words(self, page: Page, row: int, last: int) -> tuple[int, int] | None:
        """Return the first word in rows ``row`` to ``last`` (exclusive), and one past the last."""
        if self._read is None:
            return None
        if self._rows is None:
            self._rows = page.alignment(self._read).place[:, 0]
        on = np.flatnonzero((self._rows >= row) & (self._rows < last))
        return (int(on[0]), int(on[-1]) + 1) if on.size else None

    # thresholds --------------------------------------------------------------------------------
    def _on_dragged(self, parameter: str, value: float) -> None:
        layer = self._layer()
        if layer is None or layer.params is None:
            return
        self._before = self._before or layer.params
        spec = layer.params.specs()[parameter]
        value = max(value, spec.low if spec.low is not None else value)
        value = min(value, spec.high if spec.high is not None else value)
        is_whole = isinstance(getattr(layer.params, parameter), int)
        value = round(value) if is_whole else round(value, 4)
        with suppress(ParameterError):
            params = replace(layer.params, **{parameter: value})
            self._session.layers.drag_params(layer.key, params)
            self.readout.setText(f"{parameter.replace('_', ' ')} {value:g}")

    def _on_dropped(self) -> None:
        layer, before = self._layer(), self._before
        self._before = None
        self._session.layers.rest_drag()
        if layer is None or layer.params is None or before is None:
            return
        self._change_params(layer.key, before, layer.params)
        self._soon()

    # exporting ---------------------------------------------------------------------------------
    def _show_all(self) -> None:
        if self.plot is not None:
            self.plot.show_all()

    def _ask_where(self, kind: str) -> None:
        name = f"{self._session.layers.current_layer}-{self.choice.currentText()}".lower()
        name = "".join(c if c.isalnum() or c == "-" else "-" for c in name)
        ending = kind.lower()
        ask_save(self, "Save the figure", kind, (ending,), self.save, f"{name}.{ending}")

    def save(self, path: str) -> None:
        """Write the figure as PNG, SVG, PDF or CSV, by suffix."""
        figure, file = self._drawn, Path(path)
        if figure is None or self.plot is None:
            return
        is_written = False
        with suppress(OSError):
            if file.suffix.lower() == ".csv":
                file.write_text(to_csv(figure), encoding="utf-8")
                is_written = True
            else:
                is_written = self.plot.save(file)
        words = f"saved {file.name}" if is_written else f"the figure could not be written to {path}"
        self._session.messages.say(words)


def _made(
    key: str, page: Page, params: Params, source: Input, gold: Gold, site: Site | None
) -> tuple[Figure, ...]:
    """Compute the figures of a method; for a pool thread."""
    gold_words = None
    if source != "rendered" and gold.sure.of_level(MAIN):
        marked = in_source(page, gold.as_extraction(page), page.source(source))
        gold_words = words_kept(marked)
    return figures_of(method(key), page, params, source, gold_words, site)
