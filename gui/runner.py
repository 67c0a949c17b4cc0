"""Runner: listens to the session, runs methods and measures as jobs, writes back to the session."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from algorithms.catalogue import method
from algorithms.measures.text import score_text
from PySide6.QtCore import QObject, QThreadPool, QTimer

from algorithms.measures.blocks import score_blocks
from algorithms.results import Extraction, Result, Segmentation
from annotate.gold import MAIN, Gold
from engine.errors import PageletError
from engine.page import Page
from gui.jobs import Job
from gui.layers import LayerState
from gui.session import Outcome, Scores, Session, Status

log = logging.getLogger(__name__)

SETTLE_MS = 30
"""A slider fires many times a second: a method runs again once it has rested this long."""


@dataclass(frozen=True)
class Timed:
    """A result and the seconds it took."""

    result: Result
    seconds: float


@dataclass(frozen=True, eq=False)
class GoldResults:
    """The gold of a page as measures take it, made once and used for every method.

    Attributes:
        text: None where no main content is marked.
        blocks: None where no block is marked.
    """

    page: Page
    gold: Gold
    text: Extraction | None
    blocks: Segmentation | None

    @classmethod
    def of(cls, page: Page, gold: Gold) -> "GoldResults":
        """Turn marks into results."""
        has_blocks = gold.of_level(1) or gold.of_level(2)
        return cls(
            page,
            gold,
            gold.as_extraction(page) if gold.of_level(MAIN) else None,
            gold.as_segmentation(page) if has_blocks else None,
        )


class Runner(QObject):
    """Every method layer has an outcome on the open page, and a score while there is gold."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs: dict[str, Job] = {}
        self._stale: set[str] = set()
        self._gold: GoldResults | None = None
        # One thread: methods hold the interpreter's lock, two would only slow each other down.
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(SETTLE_MS)
        self._rest.timeout.connect(self._run_stale)
        session.page_changed.connect(self.run_all)
        session.document_changed.connect(self.stop)
        session.setup_changed.connect(self._on_setup_changed)
        session.gold_changed.connect(self.score_all)

    @property
    def is_running(self) -> bool:
        """Whether a method is at work."""
        return bool(self._jobs)

    def run_all(self) -> None:
        """Run every method layer on the open page."""
        self.stop()
        for layer in self._session.layers:
            if not layer.is_gold:
                self._run(layer)

    def stop(self) -> None:
        """Drop the answers of all jobs; their layers wait."""
        for key, job in self._jobs.items():
            job.cancel()
            if key in self._session.outcomes:
                self._session.set_outcome(key, Outcome())
        self._jobs.clear()
        self._stale.clear()
        self._pool.clear()

    def score_all(self) -> None:
        """Score all results against the gold as it stands."""
        scores: dict[str, Scores] = {}
        for key, outcome in self._session.outcomes.items():
            found = self._score(outcome.result)
            if found is not None:
                scores[key] = found
        self._session.set_scores(scores)

    def _score(self, result: Result | None) -> Scores | None:
        page, gold = self._session.page, self._session.gold
        if page is None or result is None:
            return None
        if self._gold is None or self._gold.page is not page or self._gold.gold is not gold:
            self._gold = GoldResults.of(page, gold)
        if isinstance(result, Extraction):
            return score_text(result, self._gold.text) if self._gold.text else None
        return score_blocks(result, self._gold.blocks) if self._gold.blocks else None

    def _on_setup_changed(self, key: str) -> None:
        if self._session.page is not None:
            self._stale.add(key)
            self._rest.start()

    def _run_stale(self) -> None:
        stale, self._stale = self._stale, set()
        for layer in self._session.layers:
            if layer.key in stale:
                self._run(layer)

    def _run(self, layer: LayerState) -> None:
        key, page = layer.key, self._session.page
        if page is None:
            return
        if key in self._jobs:
            self._jobs.pop(key).cancel()
        before = self._session.outcomes.get(key, Outcome())
        # The old result stays on the page until the new one is there, so nothing flickers.
        self._session.set_outcome(key, Outcome(Status.RUNNING, before.result, before.seconds))
        job = Job(_call(layer, page), self)
        job.done.connect(lambda timed: self._on_done(key, page, timed))
        job.failed.connect(lambda error: self._on_failed(key, page, error))
        self._jobs[key] = job
        job.start(self._pool)

    def _on_done(self, key: str, page: Page, timed: Timed) -> None:
        self._jobs.pop(key, None)
        if page is self._session.page:
            status = Status.EMPTY if is_empty(timed.result) else Status.OK
            self._finish(key, Outcome(status, timed.result, timed.seconds))

    def _on_failed(self, key: str, page: Page, error: Exception) -> None:
        self._jobs.pop(key, None)
        if page is self._session.page:
            if not isinstance(error, PageletError):
                log.error("%s failed on %s", key, page.url, exc_info=error)
            self._finish(key, Outcome(Status.FAILED, error=in_words(error)))

    def _finish(self, key: str, outcome: Outcome) -> None:
        self._session.set_outcome(key, outcome)
        scores = dict(self._session.scores)
        scores.pop(key, None)
        found = self._score(outcome.result)
        if found is not None:
            scores[key] = found
        self._session.set_scores(scores)


def is_empty(result: Result) -> bool:
    """Whether a method found nothing."""
    return not result.text if isinstance(result, Extraction) else not result.blocks


def in_words(error: BaseException) -> str:
    """Return an error as a sentence for the user."""
    if isinstance(error, PageletError):
        return str(error)
    return f"the method broke down ({type(error).__name__}: {error})"


def _call(layer: LayerState, page: Page) -> Callable[[], Timed]:
    def work() -> Timed:
        assert layer.params is not None
        assert layer.source is not None
        entry = method(layer.key)
        start = time.perf_counter()
        result = entry.run(page, layer.params, layer.source)
        return Timed(result, time.perf_counter() - start)

    return work
