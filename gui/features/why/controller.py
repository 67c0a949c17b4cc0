"""Why a method kept or dropped something: asked by click or key, with changes to try."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from threading import Event
from typing import Any

from PySide6.QtCore import QObject, QThreadPool
from PySide6.QtGui import QImage

from algorithms.core.catalogue import method
from algorithms.explain.counterfactuals import CounterfactualResult
from algorithms.explain.explanations import (
    NOWHERE,
    DecidedLocation,
    Explainer,
    Explanation,
    FinishedRun,
    Location,
    safely,
)
from annotate.marks.gold import Gold
from engine.errors import ParameterError
from engine.page import Page
from gui.core.workbench import Workbench
from gui.features.errors.feature import ErrorWalk
from gui.features.why.state import AppliedChange, WhyState
from gui.state.selection import NOTHING, Highlight, Mode
from gui.state.undo import set_params
from gui.widgets.events import debounce
from gui.widgets.jobs import JobLine, QueuedCall

SEARCH_SECONDS = 3.0
"""Search time per method for a change that reverses its decision."""

Answers = tuple[Explainer, tuple[Explanation, ...]]


class WhyActions(QObject):
    """Actions of the Why panel, its keys and a click; also explains the current error.

    All visible methods and the current one are asked in the background: first for their reasons,
    then for changes that reverse them.
    """

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        session = self._session = workbench.session
        self._canvas = workbench.canvas
        self._state, self._walk = session.get(WhyState), session.get(ErrorWalk)
        self._explainer: Explainer | None = None
        self._gold: Gold | None = None
        self._of: object = None  # last answered question
        self._line = JobLine(self)
        self._calls: set[QueuedCall] = set()
        self._over = Event()
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._timer = debounce(self, 0, self._answer)
        workbench.marking.why_asked.connect(self.ask)
        self._walk.index_changed.connect(self._follow_error)
        opened, layers = session.open, session.layers
        for signal in (self._state.shown_changed, opened.gold_changed, layers.layers_changed):
            signal.connect(self._timer.start)
        layers.outcome_changed.connect(lambda _key: self._timer.start())
        opened.document_changed.connect(self._forget)

    # asking ----------------------------------------------------------------------------------
    def ask(self, row: int, offset: int = -1, word: int = -1, of: str = "") -> None:
        """Ask the visible methods why they kept or dropped a place of the page; see `Location`."""
        self._state.ask(Location(row, offset, word, of))
        self._timer.start()

    def ask_here(self) -> None:
        """Ask about the current error, else the framed element; clicks ask from now on."""
        selection = self._session.selection
        selection.set_mode(Mode.WHY)
        self._state.show(True)
        if self._walk.is_shown and self._walk.current is not None:
            self._ask_about_error()
        elif selection.candidate >= 0:
            self.ask(selection.candidate)

    def _follow_error(self) -> None:
        if self._state.is_shown:
            self._ask_about_error()

    def _ask_about_error(self) -> None:
        error = self._walk.current
        if error is None:
            return
        row, offset = (error.rows[0], -1) if error.rows else (-1, -1)
        if error.ranges:
            row, start, end = error.ranges[len(error.ranges) // 2]
            offset = (start + end) // 2
        word = -1 if error.is_elsewhere else error.word
        self.ask(row, offset, word, self._walk.key)

    # the page --------------------------------------------------------------------------------
    def point(self, location: DecidedLocation | None) -> None:
        """Outline a decision's position on the page; None for nothing."""
        result = NOTHING
        if location is not None and location != NOWHERE:
            result = Highlight(location.texts, location.rows, is_outlined=True)
        self._session.selection.set_highlight(result)

    def bring(self, location: DecidedLocation) -> None:
        """Scroll to the position of a decision."""
        if location.texts:
            self._canvas.scroll_to_texts(location.texts)
        elif location.rows:
            self._canvas.scroll_to(location.rows[0])

    def picture(self) -> QImage:
        """Return the page as shown now; `CaptureError` if it cannot be drawn."""
        return self._canvas.settled_picture()

    # changes to try --------------------------------------------------------------------------
    def apply_counterfactual(self, key: str) -> None:
        """Set a method's parameters so that the decision asked about is reversed."""
        turned = self._state.counterfactuals.get(key)
        before = self._session.layers.layer(key).params
        change = None if turned is None else turned.counterfactual
        if change is None or before is None:
            return
        try:
            after = replace(before, **{change.parameter: change.after})
        except ParameterError as error:
            self._session.messages.say(str(error))
            return
        self._state.note(AppliedChange(key, before, after))
        set_params(self._session, key, after)

    def undo_counterfactual(self) -> None:
        """Restore the previous parameters of the changed method."""
        session, tried = self._session, self._state.take_back()
        if tried is None:
            session.messages.say("nothing to undo: no parameter was changed in the Why panel")
        elif any(layer.key == tried.key for layer in session.layers.all):
            set_params(session, tried.key, tried.before)

    # answering -------------------------------------------------------------------------------
    @property
    def is_busy(self) -> bool:
        """Whether a search is running."""
        return self._timer.isActive() or bool(self._calls)

    def stop(self) -> None:
        """Cancel all searches."""
        self._timer.stop()
        self._cancel()

    def _cancel(self) -> None:
        self._over.set()
        self._over = Event()
        self._pool.clear()
        for call in self._calls:
            call.cancel()
        self._calls.clear()

    def _forget(self) -> None:
        self._cancel()
        self._explainer = None
        self._state.ask(None)

    def _answer(self) -> None:
        opened, location = self._session.open, self._state.location
        page, gold = opened.page, opened.gold
        if not self._state.is_shown or location is None or page is None:
            return
        setups = self._setups()
        runs = [(each.entry.key, each.params, each.source, each.result) for each in setups]
        of = (page, gold, location, runs)
        if of == self._of:
            return
        self._of = of
        self._cancel()
        if self._gold is not gold:
            self._explainer, self._gold = None, gold
        work = partial(_answers, self._explainer, page, gold, setups, location)
        self._start(work, partial(self._on_answers, setups))

    def _start(self, work: Callable[[], object], on_done: Callable[[Any], None]) -> None:
        def answer(value: object) -> None:
            self._calls.discard(call)
            on_done(value)

        call = self._line.start(work, answer, self._pool)
        self._calls.add(call)

    def _setups(self) -> list[FinishedRun]:
        """Return the methods to ask, the current one first; running ones are asked later."""
        layers, site = self._session.layers, self._session.open.site
        result = []
        for layer in sorted(layers.all, key=lambda layer: layer.key != layers.current_layer):
            outcome = layers.outcomes.get(layer.key)
            is_asked = layer.key == layers.current_layer or layers.is_drawn(layer)
            if layer.is_gold or not is_asked or outcome is None or outcome.result is None:
                continue
            assert layer.params is not None
            assert layer.source is not None
            entry = method(layer.key)
            read = site if entry.reads_site else None
            result.append(FinishedRun(entry, layer.params, layer.source, outcome.result, read))
        return result

    def _on_answers(self, setups: Sequence[FinishedRun], answer: Answers | Exception) -> None:
        if isinstance(answer, Exception):
            return
        self._explainer, answers = answer
        self._state.set_answers(answers)
        search, over = self._explainer.counterfactual, self._over
        for setup, each in zip(setups, answers, strict=True):
            if each.why is not None:
                work = partial(search, setup, each.why, SEARCH_SECONDS, lambda: not over.is_set())
                self._start(work, partial(self._on_counterfactual, setup.entry.key))

    def _on_counterfactual(self, key: str, change: CounterfactualResult | Exception) -> None:
        found = CounterfactualResult(None) if isinstance(change, Exception) else change
        self._state.set_counterfactual(key, found)


def _answers(
    explainer: Explainer | None,
    page: Page,
    gold: Gold,
    setups: Sequence[FinishedRun],
    location: Location,
) -> Answers:
    explainer = explainer or Explainer(page, gold.as_results(page))
    return explainer, tuple(safely(explainer, setup, location) for setup in setups)
