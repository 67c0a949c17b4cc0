"""What a worker process does: one page after the other, rendered or from its snapshot, scored.

It answers each task with what the page is (or why it cannot be had), then one run for each setup,
then None.
"""

import os
import signal
import threading
from dataclasses import dataclass
from multiprocessing import connection, parent_process
from pathlib import Path
from typing import TYPE_CHECKING

from algorithms.batch import Setup
from algorithms.block_batch import BlockGold, BlockRun, run_one
from algorithms.measures.blocks import BlockScorer
from algorithms.measures.named_blocks import BlockMeasure, block_measures
from annotate.datasets.kreuzer import gold_texts, read_blocks, read_gold
from engine.document import Document
from engine.errors import PageletError
from engine.page import Page
from engine.snapshots import Snapshots

if TYPE_CHECKING:
    from engine.web.headless import Browser


@dataclass(frozen=True)
class Work:
    """What is done on every page, the same for all workers.

    Attributes:
        setups: What is run.
        measures: Keys of block measures.
        renderer: Name and version of the browser engine.
        cache: The folder of snapshots; None renders every time.
        no_sandbox: See `engine.web.headless.Browser`.
        seconds: How long rendering one page, or one method on it, may take.
    """

    setups: tuple[Setup, ...]
    measures: tuple[str, ...]
    renderer: str
    cache: Path | None = None
    no_sandbox: bool = False
    seconds: float = 120.0


@dataclass(frozen=True)
class PageTask:
    """One page in one variant.

    Attributes:
        number: What the caller knows it by.
        document: What to render.
        gold: The file of gold blocks.
        has_rows: Whether the gold is to be found on the rows of this variant.
        start: The first setup to run; those before it are done.
    """

    number: int
    document: Document
    gold: Path
    has_rows: bool
    start: int = 0


@dataclass(frozen=True)
class PageFacts:
    """What rows of a table say of a page.

    Attributes:
        digest: SHA-256 of the document.
        size: Its bytes.
        viewport: Width and height it was rendered in.
        is_cached: Whether it was not rendered this time.
        notes: What a user should know of the rendering and the gold.
    """

    digest: str
    size: int
    viewport: tuple[int, int]
    is_cached: bool
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class PageDone:
    """A page with one run for each setup; without facts it could not be rendered."""

    task: PageTask
    facts: PageFacts | None
    runs: tuple[BlockRun, ...]


Message = str | PageFacts | BlockRun | None
"""Why the page cannot be had; what it is; a run; the end of the page."""

_NO_PLACE = "only blocks of the repaired page have a known place on it"


def serve(pipe: "connection.Connection[Message, PageTask]", work: Work) -> None:
    """Answer tasks until the pipe closes; the body of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the caller's to answer
    os.set_inheritable(pipe.fileno(), False)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    hand = _Hand(work)
    try:
        while True:
            hand.do(pipe, pipe.recv())
    except (EOFError, BrokenPipeError):
        hand.close()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)  # a method may be at work that never ends


class _Hand:
    """Does tasks; starts a browser when the first page has to be rendered."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._measures: tuple[BlockMeasure, ...] = block_measures(",".join(work.measures))
        self._snapshots = None if work.cache is None else Snapshots(work.cache, work.renderer)
        self._scorer = BlockScorer()  # for all pages: variants of one have many texts in common
        self._browser: Browser | None = None

    def close(self) -> None:
        """Let go of the browser."""
        if self._browser is not None:
            self._browser.close()

    def do(self, pipe: "connection.Connection[Message, PageTask]", task: PageTask) -> None:
        """Do one task and send the answers."""
        try:
            size = len(task.document.read())
            page, is_cached = self._page(task.document)
            gold, notes = self._gold(task, page)
        except PageletError as error:
            pipe.send(str(error))
            pipe.send(None)
            return
        notes = (*page.notes, *notes)
        pipe.send(PageFacts(page.digest, size, page.viewport, is_cached, notes))
        for setup in self._work.setups[task.start :]:
            pipe.send(run_one(page, gold, setup, self._measures, self._scorer))
        pipe.send(None)

    def _page(self, document: Document) -> tuple[Page, bool]:
        if self._snapshots is not None:
            found = self._snapshots.find(document)
            if found is not None:
                return found, True
        if self._browser is None:
            from engine.web import noise  # Qt
            from engine.web.headless import Browser

            noise.install()
            self._browser = Browser(no_sandbox=self._work.no_sandbox)
        page = self._browser.capture(document)
        if self._snapshots is not None:
            self._snapshots.keep(document, page)
        return page, False

    def _gold(self, task: PageTask, page: Page) -> tuple[BlockGold, tuple[str, ...]]:
        blocks_html = read_blocks(task.gold)
        texts = [(block.text, block.level) for block in gold_texts(blocks_html)]
        if not task.has_rows:
            return BlockGold(texts, None, _NO_PLACE), ()
        found = read_gold(page.rendered(), blocks_html)
        return BlockGold(texts, found.gold.as_segmentation(page)), found.problems
