"""Answers `WhyState.asked` in the background: first reasons, then changes that reverse them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from threading import Event
from typing import Any

from PySide6.QtCore import QObject, QThreadPool

from algorithms.core.catalogue import method
from algorithms.explain.counterfactuals import CounterfactualResult
from algorithms.explain.explanations import Explainer, Explanation, FinishedRun, Location, safely
from algorithms.explain.why import BlockWhy, Why
from annotate.marks.gold import Gold
from engine.errors import ParameterError
from engine.page import Page
from gui.features.why.state import AppliedChange, WhyState
from gui.state.session import Session
from gui.state.undo import set_params
from gui.widgets.debounce import debounce
from gui.widgets.jobs import JobLine, QueuedCall

SEARCH_SECONDS = 3.0
"""Search time per method for a change that reverses its decision."""


class WhyFinder(QObject):
    """Asks all visible methods and the current one."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._state = session.get(WhyState)
        self._explainer: Explainer | None = None
        self._gold: Gold | None = None
        self._of: object = None  # last answered question
        self._line = JobLine(self)
        self._calls: set[QueuedCall] = set()
        self._over = Event()
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self.timer = debounce(self, 0, self._answer)
        self._state.asked.connect(self.timer.start)
        for signal in (
            session.open.gold_changed,
            session.layers.layers_changed,
            self._state.shown_changed,
        ):
            signal.connect(self.timer.start)
        session.layers.outcome_changed.connect(lambda _key: self.timer.start())
        session.open.document_changed.connect(self._forget)

    @property
    def is_busy(self) -> bool:
        """Whether a search is running."""
        return self.timer.isActive() or bool(self._calls)

    def apply(self, key: str) -> None:
        """Set a method's parameters so that its decision is reversed."""
        session = self._session
        turned = self._state.counterfactuals.get(key)
        change = None if turned is None else turned.counterfactual
        before = session.layers.layer(key).params
        if change is None or before is None:
            return
        try:
            after = replace(before, **{change.parameter: change.after})
        except ParameterError as error:
            session.messages.say(str(error))
            return
        self._state.note(AppliedChange(key, before, after))
        set_params(session, key, after)

    def take_back(self) -> None:
        """Restore the previous parameters of the method changed last."""
        session = self._session
        tried = self._state.take_back()
        if tried is None:
            session.messages.say("nothing to undo: no parameter was changed in the Why panel")
        elif any(layer.key == tried.key for layer in session.layers.all):
            set_params(session, tried.key, tried.before)

    def stop(self) -> None:
        """Cancel all searches."""
        self._over.set()
        self._over = Event()
        self._pool.clear()
        for call in self._calls:
            call.cancel()
        self._calls.clear()

    def _forget(self) -> None:
        self.stop()
        self._explainer = None
        self._state.ask(None)

    def _answer(self) -> None:
        session, page = self._session, self._session.open.page
        if not self._state.is_shown or self._state.location is None or page is None:
            return
        setups = self._setups()
        runs = [(each.entry.key, each.params, each.source, each.result) for each in setups]
        of = (page, session.open.gold, self._state.location, runs)
        if of == self._of:
            return
        self._of = of
        self.stop()
        if self._explainer is None or self._gold is not session.open.gold:
            self._explainer, self._gold = None, session.open.gold
        work = partial(
            _answers, self._explainer, page, session.open.gold, setups, self._state.location
        )
        self._start(work, partial(self._on_answers, setups))

    def _start(self, work: Callable[[], object], on_done: Callable[[Any], None]) -> None:
        def answer(value: object) -> None:
            self._calls.discard(call)
            on_done(value)

        call = self._line.start(work, answer, self._pool)
        self._calls.add(call)

    def _setups(self) -> list[FinishedRun]:
        """Return the methods to ask, the current one first; running ones are asked later."""
        session = self._session
        asked = [
            layer
            for layer in session.layers.all
            if not layer.is_gold
            and (layer.key == session.layers.current_layer or session.layers.is_drawn(layer))
        ]
        asked.sort(key=lambda layer: layer.key != session.layers.current_layer)
        result = []
        for layer in asked:
            outcome = session.layers.outcomes.get(layer.key)
            if outcome is not None and outcome.result is not None:
                assert layer.params is not None
                assert layer.source is not None
                entry = method(layer.key)
                site = session.open.site if entry.reads_site else None
                result.append(FinishedRun(entry, layer.params, layer.source, outcome.result, site))
        return result

    def _on_answers(
        self,
        setups: Sequence[FinishedRun],
        answer: tuple[Explainer, tuple[Explanation, ...]] | Exception,
    ) -> None:
        if isinstance(answer, Exception):
            return
        self._explainer, answers = answer
        self._state.set_answers(answers)
        for setup, each in zip(setups, answers, strict=True):
            if each.why is not None:
                self._search_counterfactual(self._explainer, setup, each.why)

    def _search_counterfactual(
        self, explainer: Explainer, setup: FinishedRun, why: Why | BlockWhy
    ) -> None:
        def answer(change: CounterfactualResult | Exception) -> None:
            found = CounterfactualResult(None) if isinstance(change, Exception) else change
            self._state.set_counterfactual(setup.entry.key, found)

        self._start(partial(_counterfactual, explainer, setup, why, self._over), answer)


def _answers(
    explainer: Explainer | None,
    page: Page,
    gold: Gold,
    setups: Sequence[FinishedRun],
    location: Location,
) -> tuple[Explainer, tuple[Explanation, ...]]:
    explainer = explainer or Explainer(page, gold.as_results(page))
    return explainer, tuple(safely(explainer, setup, location) for setup in setups)


def _counterfactual(
    explainer: Explainer, setup: FinishedRun, why: Why | BlockWhy, over: Event
) -> CounterfactualResult:
    return explainer.counterfactual(setup, why, SEARCH_SECONDS, lambda: not over.is_set())
