"""Finds the errors of the current layer in the background after possible changes."""

from functools import partial

from PySide6.QtCore import QObject

from algorithms.core.attempt import Outcome, attempt
from algorithms.core.catalogue import method
from algorithms.explain.page_errors import DiffPiece, PageError, errors_of, input_errors, text_diff
from algorithms.results import Extraction, Result
from annotate.evaluation.robustness.perturbations import Perturbation
from annotate.evaluation.robustness.perturbed import after_change
from annotate.marks.gold import MAIN, Gold
from engine.errors import PageletError
from engine.page import Input, Page
from gui.features.errors.state import CHANGES, GOLD, INPUTS, ErrorWalk
from gui.state.layers import LayerState
from gui.state.session import Session
from gui.widgets.debounce import debounce
from gui.widgets.jobs import Task

ErrorsOrTrouble = tuple[tuple[PageError, ...], tuple[DiffPiece, ...], str]
"""Errors, both texts as one, and why errors could not be found; "" if they could."""


class ErrorFinder(QObject):
    """Keeps the list of errors up to date while it is shown."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._walk = session.get(ErrorWalk)
        self._task = Task(self)
        self._of: tuple[object, ...] = ()
        self.timer = debounce(self, 0, self._find)
        session.open.document_changed.connect(self._forget)
        for signal in (
            session.open.page_changed,
            session.open.document_changed,
            session.open.gold_changed,
            session.layers.layers_changed,
            self._walk.shown_changed,
            self._walk.asked,
        ):
            signal.connect(self.timer.start)
        session.layers.outcome_changed.connect(lambda _key: self.timer.start())
        session.layers.layers_asked.connect(lambda: self._walk.show(False))

    def _forget(self) -> None:
        """Drop the errors of the previous page at once: its rows are invalid on the next one."""
        self._task.cancel()
        self._of = ()
        self._walk.set_errors(self._walk.key, ())

    def _find(self) -> None:
        session, walk = self._session, self._walk
        page = session.open.page
        if not walk.is_shown:
            return
        key = session.layers.current_layer
        trouble, result, other = self._pair(key)
        of = (page, key, walk.against, result, other, session.open.gold)
        source = INPUTS.get(walk.against)
        if of == self._of:
            if not self._task.is_busy:
                walk.begin()
            return
        self._of = of
        self._task.cancel()
        if page is None or result is None or trouble:
            walk.set_errors(key, (), trouble)
            return
        work = partial(_errors, page, result, other, session.open.gold)
        if source is not None:
            work = partial(
                _on_inputs, page, result, session.layers.layer(key), source, session.open.gold
            )
        if walk.against in CHANGES:
            change = CHANGES[walk.against]
            work = partial(
                _on_changed, page, result, session.layers.layer(key), change, session.open.gold
            )
        self._task.start(work, partial(self._on_done, key))

    def _pair(self, key: str) -> tuple[str, Result | None, Result | None]:
        """Return why there is no comparison ("" if there is one), the result and its reference.

        The reference is None for gold.
        """
        session = self._session
        if session.open.page is None:
            return "Errors appear when a page is open.", None, None
        layers = {layer.key: layer for layer in session.layers.all}
        layer = layers.get(key)
        if layer is None or layer.is_gold:
            return "Choose a method in the layers to see its errors.", None, None
        outcome = session.layers.outcomes.get(key, Outcome())
        if outcome.result is None:
            return outcome.error or f"{layer.title} has no result yet.", None, None
        if self._walk.against in INPUTS or self._walk.against in CHANGES:
            return "", outcome.result, None
        if self._walk.against != GOLD:
            other = session.layers.outcomes.get(self._walk.against, Outcome()).result
            name = layers[self._walk.against].name if self._walk.against in layers else ""
            if other is None or type(other) is not type(outcome.result):
                return f"{layer.title} cannot be compared with {name or 'this'}.", None, None
            return "", outcome.result, other
        is_text = isinstance(outcome.result, Extraction)
        has_gold = any((mark.level == MAIN) == is_text for mark in session.open.gold.sure.marks)
        if not has_gold:
            how = "main content (M)" if is_text else "blocks (1, 2)"
            return f"Mark {how} to see the errors of {layer.title}.", None, None
        return "", outcome.result, None

    def _on_done(self, key: str, result: ErrorsOrTrouble) -> None:
        errors, pieces, trouble = result
        self._walk.set_errors(key, errors, trouble, pieces)


def _errors(page: Page, result: Result, other: Result | None, gold: Gold) -> ErrorsOrTrouble:
    expected = gold.as_results(page)
    reference = other
    if reference is None:
        reference = expected.text if isinstance(result, Extraction) else expected.blocks
    if reference is None:
        return (), (), ""
    text = None if other is None else expected.text
    errors = errors_of(page, result, reference, expected.blocks, text)
    if isinstance(result, Extraction) and isinstance(reference, Extraction):
        return errors, text_diff(page, result, reference), ""
    return errors, (), ""


def _on_inputs(
    page: Page, result: Result, layer: LayerState, source: Input, gold: Gold
) -> ErrorsOrTrouble:
    """Compare a method's result with its result on another input of the page."""
    assert layer.params is not None
    outcome = attempt(method(layer.key), page, layer.params, source)
    if not isinstance(outcome.result, Extraction) or not isinstance(result, Extraction):
        return (), (), outcome.error or f"{layer.title} cannot be compared with itself so."
    reference = gold.as_results(page)
    return (*input_errors(page, result, outcome.result, reference.blocks, reference.text), "")


def _on_changed(
    page: Page, result: Result, layer: LayerState, change: Perturbation, gold: Gold
) -> ErrorsOrTrouble:
    """Compare a method's result with its result after a harmless change of the page."""
    assert layer.params is not None
    if not isinstance(result, Extraction):
        return (), (), f"{layer.title} cannot be compared with itself so."
    try:
        other = after_change(method(layer.key), layer.params, result.source, change)
    except PageletError as error:
        return (), (), str(error)
    reference = gold.as_results(page)
    errors = errors_of(page, result, other, reference.blocks, reference.text)
    return errors, text_diff(page, result, other), ""
