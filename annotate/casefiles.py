"""Where a page and its gold are, for every layout: what a case is asked for.

Cheap to make, picklable, and read only when asked.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from algorithms.batch import BlockGold
from algorithms.measures.snippets import Snippets
from algorithms.results import Segmentation
from annotate import goldfile
from annotate.beside import gold_beside
from annotate.datasets.kreuzer import gold_texts, read_blocks, read_gold
from annotate.datasets.package import align_gold
from annotate.datasets.texts import HasSnippets, TextPage
from annotate.datasets.webis import WebisGold, WebisPage
from annotate.gold import Gold, Mark, State, Target, new_id
from annotate.workspace import Workspace, page_key
from engine.document import Document
from engine.page import Page
from engine.tree import Bools

Render = Callable[[], Page]
"""Returns the page, rendered; costs that the first time only."""

_NO_PLACE = "only blocks of the repaired page have a known place on it"


@dataclass(frozen=True)
class PageFiles(ABC):
    """Where a page and its gold are.  Picklable; all that is asked of it may raise `InputError`."""

    @abstractmethod
    def document(self) -> Document:
        """Return the document."""

    @abstractmethod
    def marks(self, page: Page) -> Gold:
        """Return the gold as marks on the rendered page, to look at; what it can be found of."""

    def laid_out(self, page: Page) -> Page:
        """Return the rendered page with the layout it had when the gold was made, if kept."""
        return page

    def text(self, render: Render) -> str | None:
        """Return the main content as text; None if nobody marked it."""
        return None

    def snippets(self) -> Snippets | None:
        """Return phrases that the main content has, or has not; None if nobody wrote some down."""
        return None

    def blocks(self, render: Render) -> BlockGold | None:
        """Return the gold blocks; None if nobody marked any."""
        return None

    def problems(self, render: Render) -> tuple[str, ...]:
        """Return what a user should know of the gold, one sentence each."""
        return ()

    def edges(self) -> Mapping[str, Bools] | None:
        """Return the edge masks of the page; None if they are to be taken from its rendering."""
        return None


@dataclass(frozen=True)
class TextFiles(PageFiles):
    """A page with gold text beside it."""

    page: TextPage

    def document(self) -> Document:
        """The document."""
        return self.page.document()

    def marks(self, page: Page) -> Gold:
        """The text as far as its words are on the page."""
        text = self.page.text()
        return Gold() if text is None else align_gold(page.rendered(), text).gold

    def text(self, render: Render) -> str | None:
        """The gold text; nothing is rendered for it."""
        return self.page.text()

    def snippets(self) -> Snippets | None:
        """The phrases of formats that have some."""
        return self.page.snippets() if isinstance(self.page, HasSnippets) else None


@dataclass(frozen=True)
class KreuzerFiles(PageFiles):
    """One of the files of a page in Kreuzer's layout; its gold are texts of blocks.

    Blocks have a place on the repaired page only: its DOM is the one they were marked on.
    """

    shown: Document
    gold: Path | None

    def document(self) -> Document:
        """The document."""
        return self.shown

    def marks(self, page: Page) -> Gold:
        """The blocks; on a variant they were not marked on, those found there."""
        return Gold() if self.gold is None else _kreuzer_gold(page, read_blocks(self.gold))[0]

    def blocks(self, render: Render) -> BlockGold | None:
        """All marked elements."""
        if self.gold is None:
            return None
        marked = read_blocks(self.gold)
        texts = [(block.text, block.level) for block in gold_texts(marked)]
        if not self.shown.repaired:
            return BlockGold(texts, None, _NO_PLACE)
        page = render()
        return BlockGold(texts, _kreuzer_gold(page, marked)[0].as_segmentation(page))

    def problems(self, render: Render) -> tuple[str, ...]:
        """Blocks that were not found on the page."""
        if self.gold is None or not self.shown.repaired:
            return ()
        return _kreuzer_gold(render(), read_blocks(self.gold))[1]


@lru_cache(maxsize=1)
def _kreuzer_gold(page: Page, marked: str) -> tuple[Gold, tuple[str, ...]]:
    found = read_gold(page.rendered(), marked)
    return found.gold, found.problems


@dataclass(frozen=True)
class WebisFiles(PageFiles):
    """A page of Webis-WebSeg-20: its gold are segments of the recorded layout."""

    page: WebisPage

    def document(self) -> Document:
        """The recorded DOM."""
        return self.page.document()

    def laid_out(self, page: Page) -> Page:
        """The page with the boxes that were recorded."""
        return self.page.page(page)

    def marks(self, page: Page) -> Gold:
        """The segments as marks on the nodes they hold."""
        blocks = _webis_gold(self.page, page).segmentation.blocks
        return Gold(
            tuple(
                Mark(new_id(), block.level, tuple(map(Target, block.rows)), block.type)
                for block in blocks
            )
        )

    def blocks(self, render: Render) -> BlockGold | None:
        """The segments as blocks."""
        return gold_of(_webis_gold(self.page, render()).segmentation)

    def problems(self, render: Render) -> tuple[str, ...]:
        """Segments that hold nothing, or are not what their file says."""
        return _webis_gold(self.page, render()).problems

    def edges(self) -> Mapping[str, Bools]:
        """Those of the screenshot; none without one, since a rendering is laid out otherwise."""
        return self.page.edges() or {}


@lru_cache(maxsize=1)
def _webis_gold(files: WebisPage, page: Page) -> WebisGold:
    return files.gold(page)


_FRAMED = "stand in frames and count in no score: the page's HTML does not hold what frames show"


@dataclass(frozen=True)
class Marked(PageFiles, ABC):
    """A page with marks made in Pagelet: both kinds of gold."""

    shown: Document

    def document(self) -> Document:
        """The document."""
        return self.shown

    def text(self, render: Render) -> str | None:
        """The text of the main content."""
        page = render()
        found = self.marks(page).as_results(page).text
        return None if found is None else found.text

    def blocks(self, render: Render) -> BlockGold | None:
        """The marked blocks."""
        page = render()
        found = self.marks(page).as_results(page).blocks
        return None if found is None else gold_of(found)

    def problems(self, render: Render) -> tuple[str, ...]:
        """How many marks are not where they were, and what of them counts in no score."""
        page = render()
        marks = self.marks(page)
        states = [mark.state for mark in marks.marks]
        moved, lost = states.count(State.MOVED), states.count(State.LOST)
        framed = marks.words_in_frames(page.rendered())
        return (
            *([f"marks not quite where they were made: {moved}"] if moved else []),
            *([f"marks not found on the page: {lost}"] if lost else []),
            *([f"{framed:,} words of main content {_FRAMED}"] if framed else []),
        )


@dataclass(frozen=True)
class BesideFiles(Marked):
    """A page with gold beside it, found as the window finds it when it opens the page."""

    def marks(self, page: Page) -> Gold:
        """The marks that lie beside the page."""
        return _beside(self.shown, page)[0]

    def problems(self, render: Render) -> tuple[str, ...]:
        """What of the gold was not found."""
        return (*_beside(self.shown, render())[1], *super().problems(render))


@dataclass(frozen=True)
class WorkspaceFiles(Marked):
    """A page of a workspace."""

    workspace: Path

    def marks(self, page: Page) -> Gold:
        """The marks as they are in the workspace at this moment."""
        return _marks_in_workspace(self.workspace, page_key(self.shown), page)


# What is asked of one page follows on itself: the last answer is enough.


@lru_cache(maxsize=1)
def _beside(document: Document, page: Page) -> tuple[Gold, tuple[str, ...]]:
    return gold_beside(document, page)


@lru_cache(maxsize=1)
def _marks_in_workspace(path: Path, key: str, page: Page) -> Gold:
    return _workspace(path).load_gold(key, page.rendered())


@lru_cache(maxsize=4)
def _workspace(path: Path) -> Workspace:
    """Return a workspace, opened once a process: opening checks the whole file."""
    return Workspace.open(path, create=False)


def gold_of(blocks: Segmentation) -> BlockGold:
    """Return a segmentation as gold."""
    return BlockGold([(blocks.text_of(block), block.level) for block in blocks.blocks], blocks)


def gold_file_of(document: Document) -> Path | None:
    """Return where the gold file of a document lies, if it is there or not; None for none."""
    if document.root is None or document.data is not None or document.package is not None:
        return None
    return goldfile.gold_path(document.root / document.path)
