"""Session: what is open, its gold, results and scores; the only thing the panels share.

Signals are past participles and carry at most a key; readers ask the session, so nobody holds an
old value.  Setting an equal value emits nothing.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from algorithms.core.attempt import Outcome, ResultScores
from algorithms.params import Params
from algorithms.templates.site import Site
from annotate.datasets.case_files import PageFiles
from annotate.datasets.no_pages import NoPage
from annotate.datasets.site_pages import Siblings
from annotate.marks.gold import Gold, Mark
from annotate.marks.journal import HistoryStep
from annotate.workspace.workspace import page_key
from engine.document import Document
from engine.errors import PageletError
from engine.page import Page
from engine.words import cut, plural
from gui.state.highlight import NOTHING, Highlight
from gui.state.layers import GOLD_LAYERS, LayerState, changed, default_layers, with_method
from gui.state.occurrence import OccurrenceState
from gui.state.slides import Slide

log = logging.getLogger(__name__)

S = TypeVar("S", bound=QObject)


UNFORESEEN = "this did not work"
"""What is said of an error that nobody foresaw."""


class Mode(StrEnum):
    SELECT = "select"  # selects marks
    MAIN = "main"  # adds to, or takes from, the main content
    LEVEL_1 = "level-1"  # takes the element as a level-1 block
    LEVEL_2 = "level-2"
    WHY = "why"  # asks why the methods shown kept or dropped a text

    @property
    def makes_block(self) -> bool:
        """Whether a click takes the element as a block."""
        return self in (Mode.LEVEL_1, Mode.LEVEL_2)


Keep = Callable[[str, HistoryStep], None]
"""Puts the session's gold on disk, given what led to it; says itself where it cannot."""


class Session(QObject):
    """The state behind the window.

    Attributes:
        keep: Is called with every change of the gold before anyone else hears of it.
    """

    documents_changed = Signal()
    document_changed = Signal()  # another page was asked for; `page` is None until it is there
    page_changed = Signal()
    gold_changed = Signal()
    outcome_changed = Signal(str)  # layer key
    passing_changed = Signal(str)  # layer key; its result while a value is dragged: only drawn
    drag_rested = Signal(str)  # layer key; the value that is dragged stays for now
    lock_changed = Signal()
    scores_changed = Signal()
    layers_changed = Signal()  # looks: visible, colour, opacity, level, order, solo
    setup_changed = Signal(str)  # layer key; its parameters or input: it must run again
    selection_changed = Signal()
    candidate_changed = Signal()
    pointed_changed = Signal()
    highlight_changed = Signal()
    slide_changed = Signal()
    site_changed = Signal()  # the site of the open page was read, or could not be
    mode_changed = Signal()  # what a click does: the mode, or the type of blocks to come
    progress_changed = Signal()
    message_changed = Signal()
    remarks_changed = Signal()
    layers_asked = Signal()  # the layers are to be seen: what stands in their place goes

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._states: dict[type[QObject], QObject] = {}  # of features
        self.remarks: Mapping[str, str] = {}  # mark → what may be wrong with it, in words
        self.documents: tuple[Document, ...] = ()
        self.files: Mapping[str, PageFiles] = {}  # page key → where its gold is
        self.no_pages: tuple[NoPage, ...] = ()  # files that are no pages, with the reason
        self.left_out: tuple[NoPage, ...] = ()  # those of them that are not among the documents
        self.listed: Sequence[int] = ()  # indices of the documents listed, as they are
        self._siblings = Siblings((), {})
        self.document: Document | None = None
        self.page: Page | None = None
        self.siblings: tuple[Document, ...] = ()  # the open page's site, it among them; or none
        self.site: Site | None = None  # with the open page as its seed; None while it is not read
        self.site_problem = ""  # why it cannot be read
        self.gold = Gold()
        self.keep: Keep = _keep_nowhere
        self.is_locked = False  # the marks are a data set's: to be copied before they are changed
        self.outcomes: dict[str, Outcome] = {}
        self.scores: dict[str, ResultScores] = {}
        self.layers: tuple[LayerState, ...] = default_layers()
        self.solo = ""
        self.guest_layer = ""  # drawn because it is looked at, as long as it is
        self.is_gold_only = False  # methods are out of sight, their layers as they were
        self.slide: Slide | None = None  # of a presentation: what is drawn while there is one
        self.error_report = ""  # of the last error that nobody foresaw
        self.has_labels = True  # marks and blocks bear their names on the page
        self.own_layers: tuple[LayerState, ...] = ()  # the user's, while others are lent
        self.lent_for: Document | None = None  # the page others are lent for; None for all
        self.occurrence = OccurrenceState(self)
        self.current_layer = self.layers[0].key
        self.selected: tuple[str, ...] = ()
        self.pointed = ""  # the mark under the mouse, where keys act on it: nothing is selected
        self.dragged = ""  # the layer whose parameter is being dragged
        self.candidate = -1
        self.has_crossed = False  # walking on has just led into another part of the page
        self.sees_methods = False  # the user wants methods drawn, also while a page is in work
        self.highlight = NOTHING
        self.mode = Mode.SELECT
        self.next_type = ""  # of blocks marked from now on
        self.last_type = ""  # that was given last
        self.suggests_types = False  # blocks marked without a type get a suggested one
        self.is_unassisted = False  # the page is one of those that nothing is proposed on
        self.keeps_type = False  # blocks to come have the type that was given last
        self.progress = ""
        self.message = ""
        self.notes: tuple[str, ...] = ()  # of this process, such as "the sandbox is off"

    # states of features --------------------------------------------------------------------
    def get(self, kind: type[S]) -> S:
        """Return a feature's state of this class, made of the session when first asked for."""
        state = self._states.get(kind)
        if state is None:
            state = self._states[kind] = kind(self)
        assert isinstance(state, kind)
        return state

    def set_remarks(self, remarks: Mapping[str, str]) -> None:
        """Set the findings on marks, by mark id."""
        if remarks != self.remarks:
            self.remarks = dict(remarks)
            self.remarks_changed.emit()

    # pages ---------------------------------------------------------------------------------
    def set_documents(
        self,
        documents: Sequence[Document],
        files: Sequence[PageFiles] = (),
        no_pages: Sequence[NoPage] = (),
    ) -> None:
        """Replace the page list; ``files`` say for each page where its gold is.

        ``no_pages`` are files that are none with the reason, those in the list among them.
        """
        self.documents = tuple(documents)
        keys = set(map(page_key, documents))
        self.no_pages = tuple(no_pages)
        self.left_out = tuple(each for each in no_pages if page_key(each[0]) not in keys)
        self.files = dict(zip(map(page_key, documents), files, strict=False))
        self.listed = range(len(self.documents))
        self._siblings = Siblings(self.documents, self.files)
        if self.lent_for is not None and self.lent_for not in self.documents:
            self.return_layers()
        self.documents_changed.emit()

    def set_document(self, document: Document | None) -> None:
        """Set the page that is being opened; what belonged to the last one goes."""
        self.document = document
        self.page = None
        self.site, self.site_problem = None, ""
        self.siblings = ()
        if document is not None:
            try:
                self.siblings = self._siblings.of(document)
            except PageletError as error:
                self.site_problem = str(error)
        self.gold, self.is_locked = Gold(), False
        self.outcomes, self.scores = {}, {}
        self.selected, self.candidate, self.highlight = (), -1, NOTHING
        self.next_type, self.dragged, self.pointed = "", "", ""
        self.document_changed.emit()

    def set_page(self, page: Page, gold: Gold, *, is_locked: bool = False) -> None:
        """Show a page that has become data, with its marks; see `is_locked`."""
        self.page, self.gold, self.is_locked = page, gold, is_locked
        self.outcomes = {layer.key: Outcome() for layer in self.layers if not layer.is_gold}
        self.scores = {}
        self.page_changed.emit()

    def set_site(self, site: Site | None, problem: str = "") -> None:
        """Set the site of the open page, or why it could not be read."""
        self.site, self.site_problem = site, problem
        self.site_changed.emit()

    # marks ---------------------------------------------------------------------------------
    def unlock(self) -> None:
        """Set the marks of the open page as the user's."""
        if self.is_locked:
            self.is_locked = False
            self.lock_changed.emit()

    def set_gold(
        self, gold: Gold, change: str = "change marks", step: HistoryStep = "edit"
    ) -> None:
        """Replace the marks of the open page; ``change`` says what that does.

        They are on disk before they are shown or scored: what goes wrong there loses none.
        """
        if gold == self.gold:
            return
        self.gold = gold
        self.keep(change, step)
        remaining = tuple(mark_id for mark_id in self.selected if gold.find(mark_id))
        self.gold_changed.emit()
        self.set_selected(remaining)

    def set_selected(self, mark_ids: Sequence[str]) -> None:
        if tuple(mark_ids) != self.selected:
            self.selected = tuple(mark_ids)
            self.selection_changed.emit()

    def set_pointed(self, mark_id: str) -> None:
        """Set the mark that keys act on while none is selected; "" for none."""
        if mark_id != self.pointed:
            self.pointed = mark_id
            self.pointed_changed.emit()

    def meant_marks(self) -> tuple[Mark, ...]:
        """Return the selected marks, else the one under the mouse."""
        result = self.gold.find(self.pointed)
        return self.selected_marks() or (() if result is None else (result,))

    def selected_marks(self) -> tuple[Mark, ...]:
        return tuple(m for m in map(self.gold.find, self.selected) if m is not None)

    def set_candidate(self, row: int) -> None:
        """Set the row that a click or Enter would mark; -1 for none."""
        if row != self.candidate:
            self.candidate = row
            self.candidate_changed.emit()

    def set_highlight(self, highlight: Highlight) -> None:
        """Set the highlight of a panel on the page."""
        if highlight != self.highlight:
            self.highlight = highlight
            self.highlight_changed.emit()

    def set_mode(self, mode: Mode) -> None:
        """Choose what a click does; the type chosen for blocks to come goes."""
        if mode != self.mode:
            self.mode, self.next_type = mode, ""
            self.mode_changed.emit()

    def set_keeps_type(self, is_on: bool) -> None:
        """Set whether new blocks get the last type."""
        if is_on != self.keeps_type:
            self.keeps_type = is_on
            self.mode_changed.emit()

    def set_next_type(self, type_name: str) -> None:
        """Set the type of new blocks; "" for none."""
        if type_name != self.next_type:
            self.next_type = type_name
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
        """Change some attributes of one layer; which lent ones are drawn does not last."""
        if changes.get("visible") and key not in GOLD_LAYERS:
            self.set_gold_only(False)
        if "visible" in changes and key == self.guest_layer:
            self.guest_layer = ""
            self.layers_changed.emit()
        lasting = {name: x for name, x in changes.items() if name not in ("visible", "level")}
        if self.own_layers and lasting:
            self.own_layers = changed(self.own_layers, key, **lasting)
        self.set_layers(changed(self.layers, key, **changes))

    def drag_params(self, key: str, params: Params) -> None:
        """Take a value on the way of a drag: the layer follows, panels do when it rests."""
        if self.layer(key).params == params:
            return
        if self.dragged != key:
            self.rest_drag()
        self.dragged = key
        if self.own_layers:
            self.own_layers = changed(self.own_layers, key, params=params)
        self.layers = changed(self.layers, key, params=params)
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
            self.own_layers = self.layers
        self.set_solo("")
        self.set_gold_only(False)
        self.set_layers(layers)
        self.layers_changed.emit()

    def return_layers(self) -> None:
        """Show the user's own layers again."""
        if self.own_layers:
            own, self.own_layers, self.lent_for = self.own_layers, (), None
            self.layers_asked.emit()
            self.set_layers(own)
            self.layers_changed.emit()

    def add_method(self, key: str) -> None:
        """Add a method's layer, unless it already exists; gold alone stays alone."""
        if all(layer.key != key for layer in self.layers):
            self.set_layers(with_method(self.layers, key))
            if self.is_gold_only:
                self.say("added, and hidden while only gold is drawn: Shift+G shows methods")
        self.set_current_layer(key)

    def remove_layer(self, key: str) -> None:
        """Take a method's layer away."""
        self.set_layers(tuple(x for x in self.layers if x.key != key or x.is_gold))

    def set_current_layer(self, key: str) -> None:
        """Set the layer of the parameter form."""
        if key != self.current_layer:
            self.current_layer, self.guest_layer = key, ""
            self.layers_changed.emit()

    def show_layer_shortly(self, key: str) -> None:
        """Make a layer the current one; it is drawn as long as it is, whatever its eye says."""
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
        """Whether a layer is on the page now; a slide, solo and gold alone considered."""
        if self.slide is not None:
            return layer.key in self.slide.layers
        return self.is_chosen(layer)

    def is_chosen(self, layer: LayerState) -> bool:
        """Whether a layer is on the page, or would be if nothing were presented."""
        if self.solo:
            return layer.key == self.solo
        is_wanted = layer.visible or layer.key == self.guest_layer
        return is_wanted and (layer.is_gold or not self.is_gold_only)

    def set_slide(self, slide: Slide | None) -> None:
        """Draw what a slide shows; None: the layers as they are chosen."""
        if slide != self.slide:
            self.slide = slide
            self.slide_changed.emit()

    # results -------------------------------------------------------------------------------
    def set_outcome(self, key: str, outcome: Outcome) -> None:
        """Set what a method gave."""
        self.outcomes[key] = outcome
        self.outcome_changed.emit(key)

    def set_passing(self, key: str, outcome: Outcome) -> None:
        """Set what a method gave on the way of a drag; its score is still the one before."""
        self.outcomes[key] = outcome
        self.passing_changed.emit(key)

    def set_scores(self, scores: dict[str, ResultScores]) -> None:
        """Set the scores of all methods that have some."""
        self.scores = dict(scores)
        self.scores_changed.emit()

    # words to the user -----------------------------------------------------------------------
    def set_progress(self, text: str) -> None:
        """Show a message on the current task; ``""`` when nothing is."""
        if text != self.progress:
            self.progress = text
            self.progress_changed.emit()

    def say(self, text: str) -> None:
        """Show a message that blocks nothing."""
        text = cut(text)
        if text:
            log.info("%s", text)
        self.message = text
        self.message_changed.emit()

    def say_error(self, report: str, *, is_saved: bool) -> None:
        """Show an error; keep what is known of it for a bug report."""
        self.error_report = report
        self.say(f"{UNFORESEEN}{'; your marks are saved' * is_saved}")

    def say_problems(self, problems: Sequence[str]) -> None:
        """Show the problems of a data set: all of it to the log, the first in the window."""
        for problem in problems:
            log.info("%s", problem)
        if problems:
            more = len(problems) - 1
            others = f" (and {plural(more, 'other trouble')}: --verbose lists all)" if more else ""
            self.say(f"{problems[0]}{others}")


def _keep_nowhere(change: str, step: HistoryStep) -> None:
    """A session without a workspace forgets."""
