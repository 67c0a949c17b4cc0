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
from gui.widgets.events import debounce
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
        walk, layers = self._walk, session.layers
        for signal in (
            session.open.page_changed, session.open.document_changed, session.open.gold_changed,
            layers.layers_changed, walk.shown_changed, walk.asked,
        ):  # fmt: skip
            signal.connect(self.timer.start)
        layers.outcome_changed.connect(lambda _key: self.timer.start())
        layers.layers_asked.connect(lambda: walk.show(False))

    def _forget(self) -> None:
        """Drop the errors of the previous page at once: its rows are invalid on the next one."""
        self._task.cancel()
        self._of = ()
        self._walk.set_errors(self._walk.key, ())

    def _find(self) -> None:
        session, walk = self._session, self._walk
        page, gold, key = session.open.page, session.open.gold, session.layers.current_layer
        if not walk.is_shown:
            return
        trouble, result, other = self._pair(key)
        of = (page, key, walk.against, result, other, gold)
        if of == self._of:
            if not self._task.is_busy:
                walk.begin()
            return
        self._of = of
        self._task.cancel()
        if page is None or result is None or trouble:
            walk.set_errors(key, (), trouble)
            return
        layer = session.layers.layer(key)
        work = partial(_errors, page, result, other, gold)
        if walk.against in INPUTS:
            work = partial(_on_inputs, page, result, layer, INPUTS[walk.against], gold)
        elif walk.against in CHANGES:
            work = partial(_on_changed, page, result, layer, CHANGES[walk.against], gold)
        self._task.start(work, partial(self._on_done, key))

    def _pair(self, key: str) -> tuple[str, Result | None, Result | None]:
        """Return why there is no comparison ("" if there is one), the result and its reference.

        The reference is None for gold.
        """
        session = self._session
        if session.open.page is None:
            return "Errors appear when a page is open.", None, None
        layers, against = {layer.key: layer for layer in session.layers.all}, self._walk.against
        layer = layers.get(key)
        if layer is None or layer.is_gold:
            return "Choose a method in the layers to see its errors.", None, None
        outcome = session.layers.outcomes.get(key, Outcome())
        result, other = outcome.result, None
        if result is None:
            return outcome.error or f"{layer.title} has no result yet.", None, None
        if against == GOLD:
            is_text = isinstance(result, Extraction)
            if all((mark.level == MAIN) != is_text for mark in session.open.gold.sure.marks):
                how = "main content (M)" if is_text else "blocks (1, 2)"
                return f"Mark {how} to see the errors of {layer.title}.", None, None
        elif against not in INPUTS and against not in CHANGES:
            other = session.layers.outcomes.get(against, Outcome()).result
            if type(other) is not type(result):
                name = layers[against].name if against in layers else "this"
                return f"{layer.title} cannot be compared with {name}.", None, None
        return "", result, other

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
