"""Redraw the layers when the session changes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum, auto

from PySide6.QtCore import QObject, Signal, SignalInstance

from annotate.marks.edits import is_main
from annotate.marks.gold import Mark, Target
from gui.page.canvas import PageCanvas
from gui.page.handles import Handles
from gui.page.overlay.pieces import PageNumberings
from gui.page.overlay.specs import (
    LayerSpec,
    candidate_spec,
    drop_labels,
    gold_specs,
    heat_spec,
    highlight_spec,
    is_shown,
    result_spec,
)
from gui.state.layers import GOLD_1, GOLD_2, GOLD_LAYERS, GOLD_MAIN
from gui.state.selection import NOTHING, Mode
from gui.state.session import Session
from gui.widgets.events import debounce

VERBS = {Mode.SELECT: "", Mode.MAIN: "add:", Mode.LEVEL_1: "level 1:", Mode.LEVEL_2: "level 2:",
         Mode.WHY: "why:"}  # fmt: skip
GOLD_OF_MODE = {Mode.MAIN: GOLD_MAIN, Mode.LEVEL_1: GOLD_1, Mode.LEVEL_2: GOLD_2}
LAYER_OF = {level: key for key, level in GOLD_LAYERS.items()}
NEUTRAL = "#5B6470"


class HiddenLayers(Enum):
    """Layers hidden while an overlay is drawn."""

    NOTHING = auto()
    METHODS = auto()
    LAYERS = auto()


@dataclass(frozen=True)
class PageOverlay:
    """Overlay of a feature on the page, besides the layers.

    Attributes:
        specs: What is drawn, above the layers.
        is_shown: Whether it is now; never during a presentation.
        signals: Emitted when it may be another.
        hides: What is not drawn meanwhile.
    """

    specs: Callable[[PageNumberings], list[LayerSpec]]
    is_shown: Callable[[], bool]
    signals: tuple[SignalInstance, ...]
    hides: HiddenLayers = HiddenLayers.NOTHING


class OverlaySync(QObject):
    """Draws soon after a change: however many signals one click sends, the page is drawn once."""

    redrawn = Signal()  # all layers, perhaps as before

    def __init__(
        self, session: Session, canvas: PageCanvas, handles: Handles, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._canvas, self._handles = session, canvas, handles
        self._overlays: list[PageOverlay] = []
        self._made: dict[str, tuple[object, LayerSpec]] = {}  # layer → what it was made of
        self.timer = debounce(self, 0, self.draw)
        session.open.page_changed.connect(self._on_page)  # panels take their time afterwards
        for signal in (
            session.open.gold_changed,
            session.layers.layers_changed,
            session.selection.selection_changed,
            session.layers.fixed_changed,
            session.layers.outcome_changed,
            session.layers.passing_changed,
            session.layers.occurrence.shown_changed,
            session.layers.occurrence.changed,
        ):
            signal.connect(self._soon)
        session.open.document_changed.connect(self._made.clear)
        for signal in (
            session.selection.candidate_changed,
            session.layers.fixed_changed,
            session.selection.pointed_changed,
            session.open.gold_changed,
        ):
            signal.connect(self.draw_candidate)
        session.selection.highlight_changed.connect(self.draw_highlight)
        session.selection.mode_changed.connect(self._on_mode_changed)

    def add(self, overlay: PageOverlay) -> None:
        self._overlays.append(overlay)
        for signal in overlay.signals:
            signal.connect(self._soon)

    def draw(self) -> None:
        """Draw all layers that are shown, the first of the panel on top."""
        self.timer.stop()
        session, page, pieces = self._session, self._session.open.page, self._canvas.pieces
        if page is None or pieces is None:
            return
        gold, selected = session.open.gold, session.selection.selected
        fixed, overlays = session.layers.fixed, self._shown()
        if (alone := _alone(overlays)) is not None:
            self._draw(alone.specs(pieces))
            self._canvas.draw_handles(None)
            return
        hides_methods = any(each.hides is HiddenLayers.METHODS for each in overlays)
        specs: list[LayerSpec] = []
        for layer in reversed(session.layers.all):
            if not session.layers.is_drawn(layer) or (hides_methods and not layer.is_gold):
                continue
            if layer.is_gold:
                is_solo = session.layers.solo == layer.key
                weak = session.layers.draws_weak
                specs += gold_specs(layer, gold, selected, pieces, is_solo, draws_weak=weak)
                continue
            outcome = session.layers.outcomes.get(layer.key)
            if outcome is None or outcome.result is None:
                continue
            if fixed is not None:
                layer = replace(layer, step=fixed.step)
            cached = self._made.get(layer.key)
            # Names on every block of every method would hide the page: the current one has them.
            current = session.layers.current_layer if fixed is None else fixed.layer
            is_named = layer.key in (current, session.layers.solo)
            made_of = (layer, outcome.result, is_named)
            if cached is None or cached[0] != made_of:
                spec = result_spec(layer, outcome.result, page, pieces, is_named=is_named)
                self._made[layer.key] = cached = (made_of, spec)
            specs.append(cached[1])
        if session.layers.occurrence.is_shown and fixed is None:
            specs.append(heat_spec(session.layers.occurrence.drawn, pieces))
        for each in overlays:
            specs += each.specs(pieces)
        if fixed is not None:  # an audience has no mouse to have dots named by
            specs = [{**spec, "yields": False} for spec in specs]
        self._draw(specs)
        self._handles.draw()

    def _shown(self) -> list[PageOverlay]:
        """Return the overlays that are drawn now."""
        is_fixed = self._session.layers.fixed is not None
        return [] if is_fixed else [each for each in self._overlays if each.is_shown()]

    def drawn(self, marks: Iterable[Mark]) -> tuple[Mark, ...]:
        """Return those of some marks that are drawn on the page, in view or not."""
        return () if _alone(self._shown()) is not None else in_drawn_layers(self._session, marks)

    def await_painted(self) -> bool:
        """Flush pending drawing before a key acts on the page.

        Returns whether it does; shows a message if the page does not answer.
        """
        if self.timer.isActive():
            self.draw()
        is_painted = self._canvas.await_painted()
        if not is_painted:
            self._session.messages.say("the page is still being drawn: press the key again")
        return is_painted

    def _draw(self, specs: list[LayerSpec]) -> None:
        self._canvas.draw(
            specs if self._session.layers.has_labels else [drop_labels(s) for s in specs]
        )
        self.redrawn.emit()

    def draw_candidate(self) -> None:
        """Frame what a click would take, or the mark that keys act on."""
        session, selection = self._session, self._session.selection
        page, pieces, gold = session.open.page, self._canvas.pieces, session.open.gold
        mark, row = gold.find(selection.pointed), selection.candidate
        is_quiet = (row < 0 and mark is None) or session.layers.fixed is not None
        if page is None or pieces is None or is_quiet:
            self._canvas.draw_candidate(None)
            return
        nodes = page.rendered()
        if mark is not None and all(target.is_whole for target in mark.targets):
            rows = [target.row for target in mark.targets]
            key = LAYER_OF[mark.level]
            verb = f"{mark.shown_type}:" if mark.shown_type else ""
        else:
            rows, key, verb = [row], GOLD_OF_MODE.get(selection.mode, ""), VERBS[selection.mode]
            if selection.mode is Mode.MAIN and is_main(gold, nodes, Target(row)):
                verb = "remove:"
            if selection.has_crossed:
                verb = f"{verb} on to".strip()
            if selection.next_type:
                verb = f"{verb.removesuffix(':')} {selection.next_type}:"
        color = session.layers.layer(key).color if key else NEUTRAL
        self._canvas.draw_candidate(candidate_spec(rows, nodes, pieces, color, verb))

    def draw_highlight(self) -> None:
        pieces, highlight = self._canvas.pieces, self._session.selection.highlight
        if pieces is not None:
            self._canvas.draw_highlight(
                None if highlight == NOTHING else highlight_spec(highlight, pieces)
            )

    def _soon(self, _key: str = "") -> None:
        self.timer.start()

    def _on_page(self) -> None:
        self._canvas.set_mode(self._session.selection.mode)
        self.draw()

    def _on_mode_changed(self) -> None:
        self._canvas.set_mode(self._session.selection.mode)
        self.draw_candidate()
        self._handles.draw()


def _alone(overlays: Iterable[PageOverlay]) -> PageOverlay | None:
    """Return the first overlay in whose place no layers are drawn; None if there is none."""
    return next((each for each in overlays if each.hides is HiddenLayers.LAYERS), None)


def in_drawn_layers(session: Session, marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Return those of some marks that their layers draw; overlays are not considered."""
    layers, selected = session.layers, session.selection.selected
    levels = {level for level, key in LAYER_OF.items() if layers.is_drawn(layers.layer(key))}
    result = (mark for mark in marks if mark.level in levels)
    return tuple(mark for mark in result if layers.draws_weak or is_shown(mark, selected))
