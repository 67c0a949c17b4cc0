"""Session: what is open, its gold, results and scores; the only thing the panels share.

Signals are past participles and carry at most a key; readers ask the session, so nobody holds an
old value.  Setting an equal value emits nothing.
"""

import logging
from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import QObject, Signal

from algorithms.evaluation import Outcome, Scores
from annotate.gold import Gold, Mark
from engine.document import Document
from engine.page import Page
from gui.layers import LayerState, changed, default_layers, method_layer

log = logging.getLogger(__name__)


class Mode(StrEnum):
    """What a click on the page does."""

    SELECT = "select"  # selects marks
    MAIN = "main"  # adds to, or takes from, the main content
    LEVEL_1 = "level-1"  # takes the element as a level-1 block
    LEVEL_2 = "level-2"


class Session(QObject):
    """The state behind the window."""

    documents_changed = Signal()
    document_changed = Signal()  # another page was asked for; `page` is None until it is there
    page_changed = Signal()
    gold_changed = Signal()
    outcome_changed = Signal(str)  # layer key
    scores_changed = Signal()
    layers_changed = Signal()  # looks: visible, colour, opacity, level, order, solo
    setup_changed = Signal(str)  # layer key; its parameters or input: it must run again
    selection_changed = Signal()
    candidate_changed = Signal()
    mode_changed = Signal()
    progress_changed = Signal()
    message_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.documents: tuple[Document, ...] = ()
        self.document: Document | None = None
        self.page: Page | None = None
        self.gold = Gold()
        self.gold_change = ""  # what led to the marks as they are, in the user's words
        self.outcomes: dict[str, Outcome] = {}
        self.scores: dict[str, Scores] = {}
        self.layers: tuple[LayerState, ...] = default_layers()
        self.solo = ""
        self.current_layer = self.layers[0].key
        self.selected: tuple[str, ...] = ()
        self.candidate = -1
        self.mode = Mode.SELECT
        self.progress = ""
        self.message = ""
        self.notes: tuple[str, ...] = ()  # of this process, such as "the sandbox is off"

    # pages ---------------------------------------------------------------------------------
    def set_documents(self, documents: Sequence[Document]) -> None:
        """Replace the page list."""
        self.documents = tuple(documents)
        self.documents_changed.emit()

    def set_document(self, document: Document | None) -> None:
        """Say which page is being opened; what belonged to the last one goes."""
        self.document = document
        self.page = None
        self.gold = Gold()
        self.outcomes, self.scores = {}, {}
        self.selected, self.candidate = (), -1
        self.document_changed.emit()

    def set_page(self, page: Page, gold: Gold) -> None:
        """Show a page that has become data, with its marks."""
        self.page, self.gold = page, gold
        self.outcomes = {layer.key: Outcome() for layer in self.layers if not layer.is_gold}
        self.scores = {}
        self.page_changed.emit()

    # marks ---------------------------------------------------------------------------------
    def set_gold(self, gold: Gold, change: str = "change marks") -> None:
        """Replace the marks of the open page; ``change`` says what that does."""
        if gold == self.gold:
            return
        self.gold, self.gold_change = gold, change
        kept = tuple(mark_id for mark_id in self.selected if gold.find(mark_id))
        self.gold_changed.emit()
        self.set_selected(kept)

    def set_selected(self, mark_ids: Sequence[str]) -> None:
        """Select marks."""
        if tuple(mark_ids) != self.selected:
            self.selected = tuple(mark_ids)
            self.selection_changed.emit()

    def selected_marks(self) -> tuple[Mark, ...]:
        """Return the selected marks."""
        return tuple(m for m in map(self.gold.find, self.selected) if m is not None)

    def set_candidate(self, row: int) -> None:
        """Say which row a click or Enter would take; -1 for none."""
        if row != self.candidate:
            self.candidate = row
            self.candidate_changed.emit()

    def set_mode(self, mode: Mode) -> None:
        """Choose what a click does."""
        if mode != self.mode:
            self.mode = mode
            self.mode_changed.emit()

    # layers --------------------------------------------------------------------------------
    def layer(self, key: str) -> LayerState:
        """Return one layer; `KeyError` if there is none."""
        for layer in self.layers:
            if layer.key == key:
                return layer
        raise KeyError(key)

    def set_layers(self, layers: tuple[LayerState, ...]) -> None:
        """Replace all layers: another order, one more, one less."""
        if layers == self.layers:
            return
        known = {layer.key: layer for layer in self.layers}
        self.layers = layers
        for key in known.keys() - {layer.key for layer in layers}:
            self.outcomes.pop(key, None)
            self.scores.pop(key, None)
        self.layers_changed.emit()
        for layer in layers:
            old = known.get(layer.key)
            if not layer.is_gold and (
                old is None or (old.params, old.source) != (layer.params, layer.source)
            ):
                self.setup_changed.emit(layer.key)

    def change_layer(self, key: str, **changes: object) -> None:
        """Change some attributes of one layer."""
        self.set_layers(changed(self.layers, key, **changes))

    def add_method(self, key: str) -> None:
        """Add a method's layer, drawn, unless it is there already."""
        if all(layer.key != key for layer in self.layers):
            place = sum(not layer.is_gold for layer in self.layers)
            self.set_layers((*self.layers, method_layer(key, place, visible=True)))
        self.set_current_layer(key)

    def remove_layer(self, key: str) -> None:
        """Take a method's layer away."""
        self.set_layers(tuple(x for x in self.layers if x.key != key or x.is_gold))

    def set_current_layer(self, key: str) -> None:
        """Say which layer the parameter form speaks of."""
        if key != self.current_layer:
            self.current_layer = key
            self.layers_changed.emit()

    def set_solo(self, key: str) -> None:
        """Draw only this layer; ``""`` ends solo."""
        if key != self.solo:
            self.solo = key
            self.layers_changed.emit()

    def is_drawn(self, layer: LayerState) -> bool:
        """Whether a layer is on the page now, solo considered."""
        return layer.key == self.solo if self.solo else layer.visible

    # results -------------------------------------------------------------------------------
    def set_outcome(self, key: str, outcome: Outcome) -> None:
        """Set what a method gave."""
        self.outcomes[key] = outcome
        self.outcome_changed.emit(key)

    def set_scores(self, scores: dict[str, Scores]) -> None:
        """Set the scores of all methods that have some."""
        self.scores = dict(scores)
        self.scores_changed.emit()

    # words to the user -----------------------------------------------------------------------
    def set_progress(self, text: str) -> None:
        """Say what is going on; ``""`` when nothing is."""
        if text != self.progress:
            self.progress = text
            self.progress_changed.emit()

    def say(self, text: str) -> None:
        """Tell the user something in a place that does not block."""
        if text:
            log.info("%s", text)
        self.message = text
        self.message_changed.emit()
