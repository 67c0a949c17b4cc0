"""Layers: drawings on the open page, the results of its methods, and their scores."""

from collections.abc import Collection, Mapping

from PySide6.QtCore import QObject, Signal

from algorithms.core.attempt import Outcome, ResultScores
from algorithms.params import Params
from engine.document import Document
from gui.state.layers import GOLD_LAYERS, LayerState, changed, default_layers, with_method
from gui.state.messages import Messages
from gui.state.round_steps import DrawnLayers
from gui.state.walk import Shown


class OccurrenceState(Shown):
    """On how many pages of its site each text of the open page stands, drawn as heat.

    Attributes:
        least: The smallest share of pages that is drawn, 0 to 1.
        shares: Row of the page → share of the site's pages with its text; empty until known.
        pages: Number of these pages.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.least = 1 / 3
        self.shares: Mapping[int, float] = {}
        self.pages = 0

    @property
    def drawn(self) -> dict[int, float]:
        """The rows that are drawn, with their shares: those of at least `least`."""
        return {row: share for row, share in self.shares.items() if share >= self.least}

    def set_least(self, least: float) -> None:
        """Draw texts that occur on at least this share of the pages."""
        if least != self.least:
            self.least = least
            self.changed.emit()

    def set_shares(self, shares: Mapping[int, float], pages: int) -> None:
        """Set the shares of the open page's texts, and of how many pages they are."""
        if (shares, pages) != (self.shares, self.pages):
            self.shares, self.pages = shares, pages
            self.changed.emit()


class Layers(QObject):
    """The layers of the window, in the order of the panel.

    Attributes:
        all: The layers, the first drawn on top.
        outcomes: Layer key → what its method gave on the open page.
        scores: Layer key → its scores there.
        solo: The only layer drawn; "" for all that are visible.
        guest_layer: Layer drawn only as long as it is the current one.
        draws_weak: Whether drafts are drawn that are more probably wrong than right.
        is_gold_only: Whether methods are hidden; their layers keep their state.
        sees_methods: Whether the user wants methods drawn, also while a page is in work.
        fixed: Layers drawn in place of the chosen ones, as by a presentation; None usually.
        has_labels: Whether marks and blocks bear their names on the page.
        own_layers: The user's, while others are lent.
        lent_for: The page others are lent for; None for all.
        occurrence: Text frequency across the site.
        current_layer: That of the parameter form.
        dragged: The layer whose parameter is being dragged.
    """

    outcome_changed = Signal(str)  # layer key
    passing_changed = Signal(str)  # layer key; its result while a value is dragged: only drawn
    drag_rested = Signal(str)  # layer key; the value that is dragged stays for now
    scores_changed = Signal()
    layers_changed = Signal()  # looks: visible, colour, opacity, level, order, solo
    setup_changed = Signal(str)  # layer key; its parameters or input: it must run again
    fixed_changed = Signal()
    layers_asked = Signal()  # show the layers; a view in their place closes

    def __init__(self, messages: Messages, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._messages = messages
        self.all: tuple[LayerState, ...] = default_layers()
        self.outcomes: dict[str, Outcome] = {}
        self.scores: dict[str, ResultScores] = {}
        self.gold_seen: frozenset[str] = frozenset()  # methods that learned from the page's gold
        self.solo = self.guest_layer = self.dragged = ""
        self.is_gold_only = self.sees_methods = self.draws_weak = False
        self.fixed: DrawnLayers | None = None
        self.has_labels = True
        self.own_layers: tuple[LayerState, ...] = ()
        self.lent_for: Document | None = None
        self.occurrence = OccurrenceState(self)
        self.current_layer = self.all[0].key

    def reset(self) -> None:
        """Forget all results, since another page is opened; emits nothing."""
        self.outcomes, self.scores, self.dragged = {}, {}, ""

    def await_results(self) -> None:
        """Hold an empty outcome for each method, since the page is there; emits nothing."""
        self.outcomes = {layer.key: Outcome() for layer in self.all if not layer.is_gold}
        self.scores = {}

    def layer(self, key: str) -> LayerState:
        """Return one layer; `KeyError` if there is none."""
        return {layer.key: layer for layer in self.all}[key]

    @property
    def shown_method(self) -> str:
        """Key of the current layer's method, else of the first method drawn, else ""."""
        if not self.layer(self.current_layer).is_gold:
            return self.current_layer
        return next((x.key for x in self.all if not x.is_gold and self.is_drawn(x)), "")

    def set_layers(self, layers: tuple[LayerState, ...]) -> None:
        """Replace all layers: another order, one more, one less."""
        if layers == self.all:
            return
        known = {layer.key: layer for layer in self.all}
        self.all = layers
        for key in known.keys() - {layer.key for layer in layers}:
            self.outcomes.pop(key, None)
            self.scores.pop(key, None)
        self.layers_changed.emit()
        for layer in layers:
            old, setup = known.get(layer.key), (layer.params, layer.source)
            if not layer.is_gold and (old is None or (old.params, old.source) != setup):
                self.setup_changed.emit(layer.key)

    def change_layer(self, key: str, **changes: object) -> None:
        """Change some attributes of one layer; which lent ones are drawn does not last."""
        if changes.get("visible") and key not in GOLD_LAYERS:
            self.set_gold_only(False)
        if "visible" in changes and key == self.guest_layer:
            self.guest_layer = ""
            self.layers_changed.emit()
        lasting = {name: x for name, x in changes.items() if name not in ("visible", "level")}
        if self.own_layers and lasting:
            self.own_layers = changed(self.own_layers, key, **lasting)
        self.set_layers(changed(self.all, key, **changes))

    def drag_params(self, key: str, params: Params) -> None:
        """Take a value on the way of a drag: the layer follows, panels do when it rests."""
        if self.layer(key).params == params:
            return
        if self.dragged != key:
            self.rest_drag()
        self.dragged = key
        if self.own_layers:
            self.own_layers = changed(self.own_layers, key, params=params)
        self.all = changed(self.all, key, params=params)
        self.setup_changed.emit(key)

    def rest_drag(self) -> None:
        """Notify views of a drag that pauses or ends."""
        if self.dragged:
            key, self.dragged = self.dragged, ""
            self.layers_changed.emit()
            self.drag_rested.emit(key)

    def lend_layers(self, layers: tuple[LayerState, ...], document: Document | None = None) -> None:
        """Show other layers for a while; `return_layers` brings the user's own back.

        Those lent for a page of the list go with the list.
        """
        self.lent_for = document
        if not self.own_layers:
            self.own_layers = self.all
        self.set_solo("")
        self.set_gold_only(False)
        self.set_layers(layers)
        self.layers_changed.emit()

    def return_layers(self) -> None:
        if self.own_layers:
            own, self.own_layers, self.lent_for = self.own_layers, (), None
            self.layers_asked.emit()
            self.set_layers(own)
            self.layers_changed.emit()

    def add_method(self, key: str) -> None:
        """Add a method's layer, unless it already exists; gold alone stays alone."""
        if all(layer.key != key for layer in self.all):
            self.set_layers(with_method(self.all, key))
            if self.is_gold_only:
                words = "added, and hidden while only gold is drawn: Shift+G shows methods"
                self._messages.say(words)
        self.set_current_layer(key)

    def remove_layer(self, key: str) -> None:
        self.set_layers(tuple(x for x in self.all if x.key != key or x.is_gold))

    def set_current_layer(self, key: str) -> None:
        """Set the layer of the parameter form."""
        if key != self.current_layer:
            self.current_layer, self.guest_layer = key, ""
            self.layers_changed.emit()

    def show_layer_shortly(self, key: str) -> None:
        """Make a layer the current one, drawn even if it is switched off."""
        if (key, key) != (self.current_layer, self.guest_layer):
            self.current_layer = self.guest_layer = key
            self.layers_changed.emit()

    def set_solo(self, key: str) -> None:
        """Draw only this layer; ``""`` ends solo."""
        if key != self.solo:
            self.solo = key
            if key and key not in GOLD_LAYERS:
                self.is_gold_only = False
            self.layers_changed.emit()

    def set_gold_only(self, is_on: bool) -> None:
        """Draw no methods, so that one judges for oneself; their layers stay as they are."""
        if is_on != self.is_gold_only:
            self.is_gold_only = is_on
            if is_on:
                self.solo = ""
            self.layers_changed.emit()

    def set_weak(self, are_drawn: bool) -> None:
        """Draw weak drafts (`Mark.is_weak`), or not."""
        if are_drawn != self.draws_weak:
            self.draws_weak = are_drawn
            self.layers_changed.emit()

    def set_labels(self, are_on: bool) -> None:
        """Write names on marks and blocks, or not: they lie on text."""
        if are_on != self.has_labels:
            self.has_labels = are_on
            self.layers_changed.emit()

    def seen_scores(self, key: str) -> ResultScores | None:
        """Return a layer's scores, but not while gold alone is drawn.

        Scores that change with each mark tell an annotator whether a method agrees.
        """
        return None if self.is_gold_only else self.scores.get(key)

    def is_drawn(self, layer: LayerState) -> bool:
        """Whether a layer is on the page now; fixed layers, solo and gold alone considered."""
        if self.fixed is not None:
            return layer.key in self.fixed.layers
        return self.is_chosen(layer)

    def is_chosen(self, layer: LayerState) -> bool:
        """Whether a layer is on the page, or would be if nothing were presented."""
        if self.solo:
            return layer.key == self.solo
        is_wanted = layer.visible or layer.key == self.guest_layer
        return is_wanted and (layer.is_gold or not self.is_gold_only)

    def set_fixed(self, fixed: DrawnLayers | None) -> None:
        """Draw these layers and no others; None: the layers as they are chosen."""
        if fixed != self.fixed:
            self.fixed = fixed
            self.fixed_changed.emit()

    def set_outcome(self, key: str, outcome: Outcome) -> None:
        self.outcomes[key] = outcome
        self.outcome_changed.emit(key)

    def set_passing(self, key: str, outcome: Outcome) -> None:
        """Set what a method gave on the way of a drag; its score is still the one before."""
        self.outcomes[key] = outcome
        self.passing_changed.emit(key)

    def set_scores(self, scores: dict[str, ResultScores], gold_seen: Collection[str] = ()) -> None:
        """Set the scores of all methods that have some, and which of these have seen the gold."""
        self.scores, self.gold_seen = dict(scores), frozenset(gold_seen)
        self.scores_changed.emit()
