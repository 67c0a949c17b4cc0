"""Sweep of the score over parameters: choice of parameters, start and stop, progress."""

import random
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QProgressBar, QWidget

from algorithms.core.attempt import GoldResults
from algorithms.core.catalogue import method
from algorithms.levels import Level
from algorithms.measures.blocks import BlockScorer
from algorithms.plugins.figure.sweep import PagesSweep, ScoredPage, Sweep, sweepable
from algorithms.results import Result
from annotate.datasets.case_files import PageFiles
from annotate.library import rendering
from annotate.marks.gold import Gold
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document
from engine.errors import PageletError
from engine.page import Page
from engine.page_cache import Snapshots, default_folder
from engine.web.renderer import renderer_name
from engine.words import plural
from gui.state.layers import LayerState
from gui.state.session import Session
from gui.state.shown_scores import headline
from gui.widgets.controls import push_button
from gui.widgets.jobs import Task
from gui.widgets.layouts import lay_out
from gui.widgets.parts import small

TICK_MS = 150
"""Interval of updates of the figure while a sweep runs."""

NO_OTHER = "alone"

SAMPLE = 20
"""Number of pages in a sample."""

SweptPage = Callable[[], tuple[Page, Gold] | None]
"""Loads a page with its gold when needed, off the window's thread."""

PageCases = Callable[[int], Sequence[SweptPage]]


class SweepPart(QWidget):
    """Controls of a sweep; runs one at a time and signals new results."""

    grown = Signal()  # `sweep` has new results, or another was started

    def __init__(self, session: Session, cases: PageCases, parent: QWidget | None = None) -> None:
        """Create the controls; ``cases`` returns a number of listed pages with their gold."""
        super().__init__(parent)
        self._session, self._cases = session, cases
        self._task = Task(self, in_line=True)
        self.sweep: Sweep | None = None
        self._seen: tuple[Sweep | None, int] = (None, 0)
        self._of: tuple[str, Page | None] = ("", None)
        self.first, self.second = QComboBox(self), QComboBox(self)
        self.first.setAccessibleName("Parameter")
        self.second.setAccessibleName("Second parameter")
        self.pages = QComboBox(self)
        self.pages.setAccessibleName("Pages")
        self.pages.setToolTip("Pages with gold; those not rendered yet take some seconds each")
        self._fill_pages()
        session.documents_changed.connect(self._fill_pages)
        self.button = push_button("Start", self, self._on_button)
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setMaximumHeight(8)
        lay_out(
            QHBoxLayout(self), small(QLabel("F1 against", self)), self.first,
            small(QLabel("and", self)), self.second, small(QLabel("on", self)), self.pages,
            self.button, (self.bar, 1), margins=(14, 0, 14, 4), spacing=8,
        )  # fmt: skip
        # A separate thread: a long sweep delays neither figures nor methods in the queue.
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._on_tick)
        self.first.currentTextChanged.connect(self._fill_second)
        session.open.document_changed.connect(self.stop)

    @property
    def is_running(self) -> bool:
        return self._task.is_busy

    def has_grown(self) -> bool:
        """Return whether there are new results since the last call."""
        before = self._seen
        self._seen = (self.sweep, self.sweep.done if self.sweep is not None else 0)
        return self._seen != before

    def show_layer(self, layer: LayerState) -> None:
        """Offer the parameters of a layer's method; a sweep of another method is stopped."""
        page = self._session.open.page
        if (layer.key, page) == self._of:
            return
        self.stop()
        self._of, self.sweep = (layer.key, page), None
        names = sweepable(type(layer.params)) if layer.params is not None else ()
        self.first.clear()
        for name in names:
            self.first.addItem(name.replace("_", " "), name)
        self._fill_second()
        self.button.setEnabled(bool(names))
        self.bar.setValue(0)

    def start(self) -> None:
        """Start with the chosen parameters, or explain why they cannot be swept."""
        opened, say = self._session.open, self._session.messages.say
        key, page = self._of
        if page is None or page is not opened.page:
            return
        layer, entry = self._session.layers.layer(key), method(key)
        if layer.params is None or layer.source is None:
            return
        if entry.reads_site and opened.site is None:
            say("the other pages of the site are not read yet")
            return
        count = int(self.pages.currentData())
        if not count and not _is_marked(opened.gold, entry.output):
            say("mark main content or blocks first: a score needs gold")
            return
        self.stop()
        names = tuple(filter(None, (self.first.currentData(), self.second.currentData())))
        if count:
            cases = self._cases(count)
            pages = [partial(_scored, each, entry.output, layer.level) for each in cases]
            self.sweep = PagesSweep(entry, pages, layer.params, layer.source, names)
        else:
            scored = _scorer(page, opened.gold, entry.output, layer.level)
            self.sweep = Sweep(entry, page, layer.params, layer.source, names, scored, opened.site)
        self.bar.setRange(0, self.sweep.size)
        self._task.start(partial(_swept, self.sweep), self._on_done, self._on_failed)
        self.button.setText("Stop")
        self._tick.start()
        self.grown.emit()

    def stop(self) -> None:
        """Stop the running sweep; its results stay."""
        if self._task.is_busy and self.sweep is not None:
            self.sweep.stop()
            self._task.cancel()
            self._end()

    def _on_button(self) -> None:
        if self.is_running:
            self.stop()
        else:
            self.start()

    def _on_tick(self) -> None:
        if self.sweep is not None:
            self.bar.setValue(self.sweep.done)
            self.grown.emit()

    def _on_done(self, _sweep: Sweep) -> None:
        self._end()

    def _on_failed(self, error: Exception) -> None:
        self._end()
        self._session.messages.say(f"the sweep ended early: {error}")

    def _end(self) -> None:
        self._tick.stop()
        self.button.setText("Start")
        if self.sweep is not None:
            self.bar.setValue(self.sweep.done)
        self.grown.emit()

    def _fill_pages(self) -> None:
        count = len(self._session.documents)
        self.pages.clear()
        self.pages.addItem("this page", 0)
        if count > SAMPLE:
            self.pages.addItem(f"{SAMPLE} pages at random", SAMPLE)
        if count > 1:
            self.pages.addItem(f"all {plural(count, 'page')}", count)

    def _fill_second(self) -> None:
        self.second.clear()
        self.second.addItem(NO_OTHER, "")
        for name in (self.first.itemData(k) for k in range(self.first.count())):
            if name != self.first.currentData():
                self.second.addItem(name.replace("_", " "), name)


def _swept(sweep: Sweep) -> Sweep:
    """Run a sweep, and end the process that rendered its pages; in a separate thread."""
    try:
        return sweep.run()
    finally:
        rendering.close()


def _scored(case: SweptPage, output: str, level: Level) -> ScoredPage | None:
    """Return a page and the function that scores results on it; on the pool thread."""
    result = case()
    if result is None or not _is_marked(result[1], output):
        return None
    return result[0], _scorer(*result, output, level)


def _is_marked(gold: Gold, output: str) -> bool:
    return gold.sure.has_main if output == "extraction" else bool(gold.sure.marks)


def _scorer(page: Page, gold: Gold, output: str, level: Level) -> Callable[[Result], float | None]:
    is_text = output == "extraction"
    text = GoldResults(text=gold.as_extraction(page)) if is_text else None
    return partial(_score, text or gold.blocks_as_results(page), BlockScorer(), level)


def _score(gold: GoldResults, scorer: BlockScorer, level: Level, result: Result) -> float | None:
    """Return the F1 that the layers show; on the pool thread."""
    results = gold.score(result, scorer)
    return None if results is None else headline(results, level, result).prf.f1


def page_cases(session: Session, workspace: Path, count: int) -> list[SweptPage]:
    """Return ``count`` pages of the list, chosen by a fixed random seed.

    Each is read when called, on any thread: its snapshot, as stored by an evaluation, and its
    marks, the user's or those that came with it; without a snapshot it is rendered in a
    separate process. One that cannot be read gives None.
    """
    documents = list(session.documents)
    if count < len(documents):
        documents = random.Random(0).sample(documents, count)
    snapshots, opened = Snapshots(default_folder(), renderer_name()), session.open
    shown = {} if opened.page is None else {opened.document: (opened.page, opened.gold)}
    return [
        partial(lambda known: known, shown[each])
        if each in shown
        else partial(_case, each, session.files.get(page_key(each)), workspace, snapshots)
        for each in documents
    ]


def _case(
    document: Document, files: PageFiles | None, workspace: Path, snapshots: Snapshots
) -> tuple[Page, Gold] | None:
    try:
        page = snapshots.find(document) or rendering.render(document)
        with Workspace.reading(workspace) as opened:
            gold = opened.load_gold(page_key(document), page.rendered())
        if not gold.marks and files is not None:
            gold = files.shown(page)[0]
    except PageletError:
        return None
    return page, gold
