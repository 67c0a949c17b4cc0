"""Runner: runs methods and measures as jobs and writes back to the session; reads its site."""

import logging
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QThreadPool, Signal

from algorithms.core.attempt import (
    GoldResults,
    Outcome,
    OutcomeStatus,
    ResultScores,
    attempt_located,
)
from algorithms.core.catalogue import method
from algorithms.measures.blocks import BlockScorer
from algorithms.params import Params
from algorithms.results import Extraction
from algorithms.templates.site import Site
from annotate.datasets.site_pages import index_of, site_of
from annotate.marks.gold import MAIN
from engine.document import Document
from engine.page import Page
from gui.state.layers import LayerState, has_seen
from gui.state.open_page import CurrentPage
from gui.state.session import Session
from gui.widgets.events import debounce
from gui.widgets.jobs import JobLine, QueuedCall, Task

log = logging.getLogger(__name__)

ALONE = "it reads a page together with its site, and no other page of it is open"


class SiteReader(QObject):
    """Puts `CurrentPage.site` there; pages of one site share what methods found out about them."""

    def __init__(self, page: CurrentPage, parent: QObject) -> None:
        super().__init__(parent)
        self._page = page
        self._of: tuple[Document, ...] = ()
        self._site: Site | None = None  # of these documents, with any seed
        self._task = Task(self, in_line=True)

    def want(self) -> None:
        """Read the open page's site, unless it is known or on its way."""
        page = self._page
        if page.site is not None or page.site_problem or page.document is None:
            return
        if not page.siblings:
            page.set_site(None, ALONE)
        elif page.siblings == self._of:
            if not self._task.is_busy:
                self._hand_out()
        else:
            self._of, self._site = page.siblings, None
            self._task.start(partial(site_of, page.siblings), self._on_read, self._on_failed)

    def _on_read(self, site: Site) -> None:
        self._site = site
        if self._page.siblings == self._of:
            self._hand_out()

    def _on_failed(self, error: Exception) -> None:
        self._of = ()
        self._page.set_site(None, f"its site cannot be read: {error}")

    def _hand_out(self) -> None:
        page = self._page
        if self._site is None or page.document is None or page.site is not None:
            return
        try:
            position = index_of(self._of, page.document)
        except ValueError:
            page.set_site(None, ALONE)
        else:
            page.set_site(self._site.at(position))


MOST_WAITING = 8
"""So many other programs may be at work on a page at once."""

SAY_MS = 60
"""Delay before a method is shown as running; most finish earlier."""

SETTLE_MS = 15
"""A slider fires many times a second: so long after the first a method runs again, with the last.

A running method is not started anew: it runs again afterwards, with the last value.
"""

PAUSE_MS = 250
"""A value that is dragged and stays so long is scored and shown everywhere."""


class Runner(QObject):
    """Keep an outcome for each method layer on the open page, and a score while there is gold."""

    rested = Signal()  # all finished runs are scored

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs: dict[str, QueuedCall] = {}
        self._line = JobLine(self)
        self._line.handed_on.connect(self._on_handed_on)
        self._unscored: set[str] = set()  # outcomes that are there, of answers that came together
        self._stale: set[str] = set()
        self._gold = GoldResults()
        self._gold_page: Page | None = None
        self._seen: dict[tuple[str, Params | None], bool] = {}
        self._seen_page: Page | None = None
        self._marks: tuple[object, object] = ((), ())
        self._scorer = BlockScorer()
        # One thread: methods hold the interpreter's lock, two would only slow each other down.
        self._pool = QThreadPool(self, maxThreadCount=1)
        # Other makers' methods wait for a process of theirs: one that hangs holds up nobody.
        self._waiting = QThreadPool(self, maxThreadCount=MOST_WAITING)
        # Methods on sites read many pages: they hold up none that reads one.
        self._on_sites = QThreadPool(self, maxThreadCount=1)
        self.site_reader = SiteReader(session.open, self)
        self._for_site: set[str] = set()  # methods that wait for the site
        self._rest = debounce(self, SETTLE_MS, self._run_stale)
        self._is_due = False  # the page has come, and is not drawn yet
        self._say = debounce(self, SAY_MS, self._say_running)
        session.open.page_changed.connect(self._on_page)
        session.open.document_changed.connect(self.stop)
        session.layers.setup_changed.connect(self._on_setup_changed)
        session.open.site_changed.connect(self._run_on_site)
        session.open.gold_changed.connect(self.score_all)
        self._passing: set[str] = set()  # methods whose results were drawn and not yet scored
        session.layers.drag_rested.connect(self._on_drag_rested)
        self._pause = debounce(self, PAUSE_MS, session.layers.rest_drag)

    @property
    def is_running(self) -> bool:
        """Whether a method is at work, or about to be."""
        return bool(self._jobs or self._stale or self._for_site or self._is_due)

    def _on_page(self) -> None:
        self._is_due = True

    def begin(self) -> None:
        """Begin with the page that has come, now that it is drawn with its marks."""
        if self._is_due:
            self._run_new()

    def run_all(self) -> None:
        self._run_new()
        self._say_running()

    def _run_new(self) -> None:
        """Run every method layer; show as running only those that take a while."""
        self.stop()
        for layer in self._session.layers.all:
            if not layer.is_gold:
                self._start(layer)
        self._say.start()

    def _say_running(self) -> None:
        self._say.stop()
        for key in (*self._jobs, *self._for_site):
            self._set_running(key, is_known=True)

    def _set_running(self, key: str, *, is_known: bool = False) -> None:
        """Show that a method runs, unless that ``is_known`` already."""
        layers = self._session.layers
        before = layers.outcomes.get(key, Outcome())
        if not is_known or before.status is not OutcomeStatus.RUNNING:
            # The old result stays on the page until the new one is there, so nothing flickers.
            running = Outcome(OutcomeStatus.RUNNING, before.result, before.seconds)
            layers.set_outcome(key, running)

    def stop(self) -> None:
        """Drop the answers of all jobs; their layers wait."""
        self._is_due = False
        self._rest.stop()
        self._say.stop()
        self._passing.clear()
        self._unscored.clear()
        for key, job in self._jobs.items():
            job.cancel()
            if key in self._session.layers.outcomes:
                self._session.layers.set_outcome(key, Outcome())
        for key in self._for_site & self._session.layers.outcomes.keys():
            self._session.layers.set_outcome(key, Outcome())
        self._jobs.clear()
        self._stale.clear()
        self._for_site.clear()
        for pool in (self._on_sites, self._pool, self._waiting):
            pool.clear()

    def score_all(self) -> None:
        """Score the results against the gold as it stands; nothing that stayed is done again."""
        before = self._gold
        gold = self._gold_now()
        scores = {}
        for key, outcome in self._session.layers.outcomes.items():
            is_text = isinstance(outcome.result, Extraction)
            same = gold.text is before.text if is_text else gold.blocks is before.blocks
            result = self._session.layers.scores.get(key) if same else self._score(outcome)
            if result is not None:
                scores[key] = result
        self._set_scores(scores)

    def _set_scores(self, scores: dict[str, ResultScores]) -> None:
        """Show scores, and who has seen the gold: asked once of each page, which is read for it."""
        layers, page = self._session.layers, self._session.open.page
        if page is not self._seen_page:
            self._seen, self._seen_page = {}, page
        gold, seen = self._gold_now(), set()
        for layer in layers.all:
            if page is not None and layer.key in scores:
                key = layer.key, layer.params
                if key not in self._seen:
                    self._seen[key] = has_seen(layer, page, gold)
                seen |= {layer.key} if self._seen[key] else set()
        layers.set_scores(scores, seen)

    def _score(self, outcome: Outcome) -> ResultScores | None:
        if outcome.result is None:
            return None
        return self._gold_now().score(outcome.result, self._scorer)

    def _gold_now(self) -> GoldResults:
        """Return the gold as measures take it; the half of it whose marks are the same is kept."""
        page, gold = self._session.open.page, self._session.open.gold
        if page is None:
            return GoldResults()
        gold = gold.sure
        main = (gold.of_level(MAIN), gold.text)
        blocks = (gold.of_level(1), gold.of_level(2), gold.block_texts)
        is_other = page is not self._gold_page
        text, segmentation = self._gold.text, self._gold.blocks
        if is_other or main != self._marks[0]:
            text = gold.as_extraction(page) if gold.has_main else None
        if is_other or blocks != self._marks[1]:
            segmentation = gold.as_segmentation(page) if any(blocks[:2]) else None
        is_same = text is self._gold.text and segmentation is self._gold.blocks
        if not is_same or gold.block_texts != self._gold.block_texts:
            self._gold = GoldResults(text, segmentation, gold.block_texts, gold.why_no_location)
        self._gold_page, self._marks = page, (main, blocks)
        return self._gold

    def _on_setup_changed(self, key: str) -> None:
        if self._session.open.page is not None:
            self._stale.add(key)
            if self._session.layers.dragged:
                self._pause.start()
            if not self._rest.isActive():
                self._rest.start()

    def _run_stale(self) -> None:
        """Rerun methods with changed parameters; own methods at work are let finish first."""
        # Another maker's program may never end: it gives way at once.
        waiting = {key for key in self._stale & self._jobs.keys() if method(key).is_own}
        stale, self._stale = self._stale - waiting, waiting
        for layer in self._session.layers.all:
            if layer.key in stale:
                self._run(layer)

    def _run(self, layer: LayerState) -> None:
        if self._session.open.page is None:
            return
        if self._session.layers.dragged != layer.key:
            self._set_running(layer.key)
        self._start(layer)

    def _start(self, layer: LayerState) -> None:
        key, page = layer.key, self._session.open.page
        if page is None:
            return
        if key in self._jobs:
            self._jobs.pop(key).cancel()
        assert layer.params is not None
        assert layer.source is not None
        entry, site = method(key), self._session.open.site
        if entry.reads_site and site is None:
            self._for_site.add(key)
            self.site_reader.want()
            self._run_on_site()
            return
        pool = self._on_sites if entry.reads_site else self._pool
        self._jobs[key] = self._line.start(
            partial(attempt_located, entry, page, layer.params, layer.source, site),
            partial(self._on_done, key, page),
            pool if entry.is_own else self._waiting,
        )

    def _run_on_site(self) -> None:
        """Run the methods that waited for the site, or report why they cannot run."""
        session, page = self._session, self._session.open.page
        if page is None or (session.open.site is None and not session.open.site_problem):
            return
        waiting, self._for_site = self._for_site, set()
        for layer in session.layers.all:
            if layer.key not in waiting:
                continue
            if session.open.site is not None:
                self._run(layer)
            else:
                failed = Outcome(OutcomeStatus.FAILED, error=session.open.site_problem)
                self._on_done(layer.key, page, failed)
        if waiting:
            self._on_handed_on()

    def _on_done(self, key: str, page: Page, answer: Outcome | Exception) -> None:
        self._jobs.pop(key, None)
        if page is not self._session.open.page:
            return
        outcome = _broken(key, answer) if isinstance(answer, Exception) else answer
        if self._session.layers.dragged == key:
            self._passing.add(key)
            self._session.layers.set_passing(key, outcome)
        elif key in self._stale:  # drawn, but a newer value is computed and will be scored
            self._session.layers.set_outcome(key, replace(outcome, status=OutcomeStatus.RUNNING))
        else:
            self._passing.discard(key)
            self._unscored.add(key)
            self._session.layers.set_outcome(key, outcome)
        if key in self._stale:
            self._run_stale()

    def _on_handed_on(self) -> None:
        """Score all new outcomes at once: panels follow once."""
        self._score_new()
        if not self.is_running:
            self._say.stop()
            self.rested.emit()

    def _on_drag_rested(self, key: str) -> None:
        """Score outcomes that were only drawn, unless a new result is due."""
        is_there = key in self._passing and key in self._session.layers.outcomes
        if is_there and key not in self._jobs and key not in self._stale:
            self._passing.discard(key)
            self._unscored.add(key)
            self._session.layers.set_outcome(key, self._session.layers.outcomes[key])
            self._score_new()

    def _score_new(self) -> None:
        if not self._unscored:
            return
        scores = dict(self._session.layers.scores)
        for key in self._unscored & self._session.layers.outcomes.keys():
            scores.pop(key, None)
            result = self._score(self._session.layers.outcomes[key])
            if result is not None:
                scores[key] = result
        self._unscored.clear()
        self._set_scores(scores)


def _broken(key: str, error: Exception) -> Outcome:
    """Return the outcome of a method whose text has no location to be drawn at."""
    log.error("%s crashed", key, exc_info=error)
    words = f"the method crashed ({type(error).__name__}: {error})"
    return Outcome(OutcomeStatus.FAILED, error=words)
