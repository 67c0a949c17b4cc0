"""Work of a worker process: one page after the other, rendered or from its snapshot, scored.

It reports the current step of each task, facts about the page, and one run for each setup.
"""

import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from algorithms.core.attempt import BlockGold
from algorithms.core.batch import (
    Measures,
    Run,
    RunStatus,
    Setup,
    measures_of,
    run_extractor,
    run_segmenter,
    scores_of_nothing,
)
from algorithms.learning.seen import of_blocks, of_page
from algorithms.measures.blocks import BlockScorer
from algorithms.measures.text_comparison import GoldText
from algorithms.templates.site import Site
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import FORMS
from annotate.datasets.site_pages import index_of, site_of
from annotate.evaluation.robustness.perturbed import PerturbedFiles, harm
from annotate.evaluation.run.tasks import (
    READING,
    RENDERED,
    RENDERING,
    CaseTask,
    PageFacts,
    Work,
    WorkMessage,
    gold_digest,
)
from engine.document import IS_BINARY, Document, is_binary, with_repeatable
from engine.errors import CaptureError, InputError, LoadTimeout, MethodTimeout, PageletError
from engine.page import Page
from engine.page_cache import Snapshots
from engine.processes.worker_process import Handler, Send
from engine.source import Source
from engine.tree import Bools
from engine.web.worker_browser import LateBrowser

log = logging.getLogger(__name__)

TOLERATED = 0.02
"""Share of the words on screen that a harmless change may take or add: a menu folds."""


@contextmanager
def page_worker(send: Send, work: Work) -> Iterator[Handler]:
    """Do tasks; each is a stream of `WorkMessage`, without an answer."""
    if work.is_verbose:  # failures are in the rows; the log is for finding their causes
        logging.basicConfig(
            level=logging.DEBUG, format="pagelet: %(message)s", stream=sys.stderr, force=True
        )
    with LateBrowser(no_sandbox=work.options.no_sandbox) as browser:
        tools = _PageTools(work, browser)

        def do(task: CaseTask) -> None:
            send(READING)
            _PageWork(tools, task, send).do()

        yield do


class _PageTools:
    """Tools shared by all pages: measures, snapshots, and a browser once a page needs it.

    Attributes:
        scorer: For all pages: variants of one have many texts in common.
    """

    def __init__(self, work: Work, browser: LateBrowser) -> None:
        self.work, self._browser = work, browser
        self.measures: Measures = measures_of(",".join(work.measures))
        self.scorer = BlockScorer()
        self._snapshots = (
            None if work.options.cache is None else Snapshots(work.options.cache, work.renderer)
        )
        self._keeps = True
        self._notes: list[str] = []
        self._last: tuple[Document, Page] | None = None
        self._shown: Document | None = None
        self._site: tuple[tuple[Document, ...], Site] | None = None

    def site(self, files: PageFiles) -> Site | None:
        """Return the site of a page, with that as its seed; pages of one site share their facts.

        None where no site is kept.
        """
        documents = files.site_documents()
        if not documents:
            return None
        if self._site is None or self._site[0] != documents:
            self._site = documents, site_of(documents)
        return self._site[1].at(index_of(documents, files.document()))

    def page(self, document: Document) -> tuple[Page, bool]:
        """Return a document rendered, and whether that was done before."""
        if self._last is not None and self._last[0] == document:
            return self._last[1], True
        known = None if self._snapshots is None else self._snapshots.find(document)
        page = self._capture(document) if known is None else known
        if known is None:
            self._keep(lambda snapshots: snapshots.keep(document, page))
        self._last = document, page
        return page, known is not None

    def _keep(self, store: Callable[[Snapshots], None]) -> None:
        """Store something beside the snapshots; if that cannot be, it costs nothing but time."""
        if self._snapshots is None or not self._keeps:
            return
        try:
            store(self._snapshots)
        except InputError as error:
            self._keeps = False  # reported once, and not tried again
            self._notes.append(f"snapshots of pages are not kept: {error}")

    def notes(self) -> tuple[str, ...]:
        """Return new notes for the user that concern no single page."""
        notes, self._notes = tuple(self._notes), []
        return notes

    def edges(self, document: Document, page: Page) -> Mapping[str, Bools]:
        known = None if self._snapshots is None else self._snapshots.find_edges(document)
        if known is not None:
            return known
        if self._shown != document:
            self._capture(document)
        masks = self._browser.opened().edges(page)
        self._keep(lambda snapshots: snapshots.keep_edges(document, masks))
        return masks

    def _capture(self, document: Document) -> Page:
        self._shown = None
        page = self._browser.capture(document)
        self._shown = document
        return page


class _PageWork:
    """Work on one task.  Page and gold are loaded when first needed; a failure to load is kept."""

    def __init__(
        self, tools: _PageTools, task: CaseTask, send: Callable[[WorkMessage], None]
    ) -> None:
        self._tools, self._task, self._send = tools, task, send
        self._files = task.case.files
        self._page: Page | None = None  # nothing rendered
        self._rendered: Page | PageletError | None = None
        self._text: dict[str, GoldText] = {}
        self._gold_text: str | None = None
        self._has_text = False
        self._blocks: BlockGold | None = None
        self._has_blocks = False
        self._is_binary = False
        self._facts: PageFacts | None = None
        self._harm: dict[tuple[bool, bool], str] = {}

    def do(self) -> None:
        task = self._task
        for setup in task.setups[task.start :]:
            run = self._run(setup)
            self._send(run if self._tools.work.options.predictions else run.without_blocks())

    def _run(self, setup: Setup) -> Run:
        if setup.input not in FORMS:
            return Run(RunStatus.SKIPPED, f"the data set has no {setup.input} pages")
        if setup.input not in setup.entry.inputs:
            return Run(RunStatus.SKIPPED, f"the method does not read the {setup.input} page")
        try:
            return self._extract(setup) if setup.is_extractor else self._segment(setup)
        except _CannotRenderError as error:
            return error.run
        except PageletError as error:
            is_late = isinstance(error, LoadTimeout | MethodTimeout)
            return Run(RunStatus.TIMED_OUT if is_late else RunStatus.FAILED, str(error))
        except Exception as error:
            log.exception("%s crashed on %s", setup.method, self._task.case.key)
            words = f"reading or scoring the page crashed ({type(error).__name__}: {error})"
            return Run(RunStatus.FAILED, words)

    def _extract(self, setup: Setup) -> Run:
        if not self._has_text:
            self._gold_text = self._files.text(self._render_for_gold)
            self._note_gold(text=self._gold_text)
            self._note_seen(self._gold_text)
            self._note_empty()
            self._has_text = True
        snippets = self._files.snippets()
        needs_gold = not self._tools.work.options.predictions and all(
            measure.needs for measure in self._tools.measures.text
        )
        if self._gold_text is None and snippets is None and needs_gold:
            return Run(RunStatus.SKIPPED, "the page has no gold text")
        page = self._render() if setup.input in RENDERED else self._read()
        if harm := self._why_not(page, setup):
            return Run(RunStatus.SKIPPED, harm)
        source, unit = page.source(setup.input), self._tools.work.options.word_unit
        if setup.input not in self._text:
            self._text[setup.input] = GoldText(self._gold_text, source, snippets, unit)
        self._send(setup.method)
        site = self._tools.site(self._files) if setup.entry.reads_site else None
        gold, measures = self._text[setup.input], self._tools.measures.text
        return run_extractor(page, gold, setup, measures, site)

    def _segment(self, setup: Setup) -> Run:
        if not self._has_blocks:
            blocks = self._files.blocks(self._render_for_gold)
            self._note_gold()
            self._note_seen(None if blocks is None else of_blocks(blocks.texts))
            if self._tools.measures.need_edges and blocks and blocks.blocks:
                blocks = self._with_edges(blocks)
            self._blocks, self._has_blocks = blocks, True
        if self._blocks is None:
            return Run(RunStatus.SKIPPED, "the page has no gold blocks")
        page = self._render()
        if harm := self._why_not(page, setup):
            return Run(RunStatus.SKIPPED, harm)
        self._send(setup.method)
        measures = self._tools.measures.blocks
        return run_segmenter(page, self._blocks, setup, measures, self._tools.scorer)

    def _with_edges(self, gold: BlockGold) -> BlockGold:
        page, known = self._render(), self._files.edges()
        if known is not None:
            return replace(gold, edges=known)
        self._send(RENDERING)
        try:
            edges = self._tools.edges(self._document(), page)
        except CaptureError as error:
            return replace(gold, why_no_edges=f"no picture could be taken of the page: {error}")
        finally:
            self._send(READING)
        return replace(gold, edges=edges)

    # the page ------------------------------------------------------------------------------
    def _read(self) -> Page:
        """Return the document without a rendering."""
        if self._page is None:
            document = self._files.document()
            received = document.receive()
            source = Source.of(received)
            self._page = Page(document.address, source, title=document.title)
            size = len(received.data)
            self._tell(PageFacts(self._page.digest, size, notes=source.notes))
            self._is_binary = is_binary(received.data, received.charset)
        if self._is_binary:
            raise InputError(f"{self._page.url} {IS_BINARY}")
        return self._page

    def _render(self) -> Page:
        """Return the page rendered; the same page, or the same trouble, each time."""
        if self._rendered is None:
            if self._task.unrendered is not None:
                raise _CannotRenderError(self._task.unrendered)
            try:
                self._read()  # before: rows name the page also where it cannot be rendered
                self._send(RENDERING)
                result, is_cached = self._tools.page(self._document())
                self._send(READING)
                self._rendered = self._files.laid_out(result)
                self._note_rendering(self._rendered, is_cached)
            except PageletError as error:
                self._rendered = error
        if isinstance(self._rendered, PageletError):
            raise self._rendered
        return self._rendered

    def _render_for_gold(self) -> Page:
        """Return the page that the gold was made on: where it is changed, as it was."""
        if not isinstance(self._files, PerturbedFiles):
            return self._render()
        self._read()
        self._send(RENDERING)
        page, _ = self._tools.page(self._of_run(self._files.files.document()))
        self._send(READING)
        return self._files.files.laid_out(page)

    def _why_not(self, page: Page, setup: Setup) -> str:
        """Return why a changed page is not one to a reader that it was before; "" where it is."""
        if not isinstance(self._files, PerturbedFiles):
            return ""
        is_rendered = setup.input in RENDERED
        change = self._files.change
        if change.is_of_rendering and not is_rendered:
            return "the change is one of how the page is rendered"
        case = is_rendered, setup.is_extractor
        if case not in self._harm:
            if is_rendered:
                before, after = map(_on_screen, (self._render_for_gold(), page))
            else:
                both = Source.of(self._files.files.document().receive()), page.source("original")
                # Words apart, also where nothing but a tag is between them, if they are changed.
                before, after = (s.text if change.text is None else " ".join(s.words) for s in both)
            self._harm[case] = harm(
                before if change.text is None else change.text(before),
                after,
                tolerated=TOLERATED if is_rendered else 0.0,
                gold=self._gold_words() if change.takes_words else None,
            )
        return self._harm[case]

    def _gold_words(self) -> str:
        """Return all texts of the gold that has been read."""
        blocks = () if self._blocks is None else (text for text, _ in self._blocks.texts)
        return " ".join((self._gold_text or "", *blocks))

    def _document(self) -> Document:
        return self._of_run(self._files.document())

    def _of_run(self, document: Document) -> Document:
        return with_repeatable(document, self._tools.work.options.repeatable)

    def _note_rendering(self, page: Page, is_cached: bool) -> None:
        assert self._facts is not None
        dom = page.source("dom").html
        self._tell(
            replace(
                self._facts,
                dom_size=len(dom) if dom.isascii() else len(dom.encode("utf-8", "replace")),
                viewport=page.viewport,
                is_cached=is_cached,
                notes=(*page.notes, *self._tools.notes()),
            )
        )

    def _note_gold(self, text: str | None = None) -> None:
        self._read()
        assert self._facts is not None
        notes = dict.fromkeys((*self._facts.notes, *self._files.problems(self._render_for_gold)))
        if text is None or not self._tools.work.options.predictions:
            text = self._facts.gold_text
        self._tell(replace(self._facts, notes=tuple(notes), gold_text=text))

    def _note_seen(self, gold: str | None) -> None:
        """Tell the fingerprints of page and gold, where a method may have learned from them."""
        if any(setup.entry.card for setup in self._task.setups):
            words = self._read().source("original").words
            assert self._facts is not None
            self._tell(replace(self._facts, seen=(*self._facts.seen, *of_page(words, gold))))

    def _note_empty(self) -> None:
        """Tell what an empty text scores, before a method may take too long or end the process."""
        if self._gold_text is None and self._files.snippets() is None:
            return
        options, source = self._tools.work.options, self._read().source("original")
        gold = GoldText(self._gold_text, source, self._files.snippets(), options.word_unit)
        assert self._facts is not None
        scores = scores_of_nothing(gold, source, self._tools.measures.text)
        self._tell(replace(self._facts, if_empty=scores))

    def _tell(self, facts: PageFacts) -> None:
        facts = facts if facts.gold else replace(facts, gold=gold_digest(self._files))
        if facts != self._facts:
            self._facts = facts
            self._send(facts)


def _on_screen(page: Page) -> str:
    """Return the texts that are to be seen, in document order."""
    nodes = page.rendered()
    rows = (nodes.has_words & nodes.visible).nonzero()[0].tolist()
    return " ".join(nodes.text[row] for row in rows)


class _CannotRenderError(PageletError):
    """Rendering took a worker down before."""

    def __init__(self, run: Run) -> None:
        super().__init__(run.reason)
        self.run = run
