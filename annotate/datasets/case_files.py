"""Pages and their gold, for every layout: the interface of a case.

Cheap to make, picklable, and read only when asked.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Self

import numpy as np

from algorithms.core.attempt import BlockGold
from algorithms.core.mapping import close_up, common_runs
from algorithms.core.word_numbers import WordNumbers
from algorithms.measures.snippets import Snippets
from annotate.datasets.texts import HasSite, HasSnippets, MayLackGold, TextPage, TypedPage
from annotate.marks import edits, gold_file
from annotate.marks.gold import MAIN, Gold, MarkState, Target
from annotate.marks.guideline import GuidelineRef
from annotate.marks.page_text import page_text, raw_words
from annotate.marks.targets import grow_targets
from annotate.workspace.guideline_versions import mark_versions
from annotate.workspace.stored_guideline import of_workspace
from annotate.workspace.workspace import Workspace, page_key
from engine.bounded_file import Stamp, stamp_or_none
from engine.document import Document
from engine.fetch import read_file
from engine.nodes import NodeTable
from engine.page import Page
from engine.sequences import common_numbers
from engine.tree import Bools

SHORTEST_RUN = 3
"""Words in a row that count as found; fewer may be chance, unless they are all a text says."""

_TYPED = str.maketrans(
    dict.fromkeys("\u2018\u2019\u02bc", "'")
    | dict.fromkeys("\u201c\u201d", '"')
    | dict.fromkeys("\u2010\u2011", "-")
)
"""Quotes and hyphens of print → those of a keyboard."""


@dataclass(frozen=True)
class TextGold:
    """Gold text as found on a page.

    Attributes:
        gold: The main content.
        share: Share of the text's words that were found; 1 for an empty text.
        missing: Passages of the text that were not found, in order.
    """

    gold: Gold
    share: float
    missing: tuple[str, ...]


def align_gold(nodes: NodeTable, text: str) -> TextGold:
    """Find a gold text on a page, word by word in order, and mark it as main content.

    Words are white-space separated and must be equal, but for quotes and hyphens that some tools
    write as they are typed.  Runs of fewer than `SHORTEST_RUN` words are dropped unless they are a
    whole text of the page: a longest common sequence also picks up small words far from where they
    belong.  Elements all of whose words are found are marked whole, so that pictures between
    paragraphs come along.
    """
    gold = text.split()
    page = page_text(nodes)
    spans = raw_words(page.text)
    words = text.translate(_TYPED).split()
    typed = [page.text[start:stop].translate(_TYPED) for start, stop in spans]
    theirs = WordNumbers.of(typed)
    ours = theirs.of_text(words)
    at, result = common_numbers(ours, theirs.numbers).T.copy()
    close_up(at, result, ours, theirs.numbers, np.zeros(len(typed), dtype=bool))
    targets: list[Target] = []
    matched: set[int] = set()
    for one, other in zip(*common_runs(at, result), strict=True):
        first, last = int(at[one]), int(at[other])
        parts = page.parts(spans[result[one]][0], spans[result[other]][1])
        if last - first + 1 >= SHORTEST_RUN or all(part.is_whole for part in parts):
            matched.update(range(first, last + 1))
            targets.extend(parts)
    marks = edits.add_main(Gold(), nodes, grow_targets(nodes, targets))
    share = len(matched) / len(words) if words else 1.0
    runs = groupby(range(len(gold)), matched.__contains__)
    missing = (" ".join(gold[k] for k in mine) for is_found, mine in runs if not is_found)
    return TextGold(marks, share, tuple(missing))


FileStamps = tuple[Stamp, ...]
"""Of a workspace and its log, where it has one."""

Render = Callable[[], Page]
"""Returns the page, rendered; costs that the first time only."""


@dataclass(frozen=True)
class PageFiles(ABC):
    """Locations of a page and its gold.  Picklable; all members may raise `InputError`."""

    @abstractmethod
    def document(self) -> Document: ...

    @abstractmethod
    def marks(self, page: Page) -> Gold:
        """Return the gold as marks on the rendered page, to look at; what it can be found of."""

    @property
    def has_variants(self) -> bool:
        """Whether the page is several files, and its blocks have positions in one of them only."""
        return False

    def site_documents(self) -> tuple[Document, ...]:
        """Return all pages of the page's site, itself among them; none where none is known."""
        return ()

    @property
    def site_name(self) -> str:
        """The name of the page's site; "" where none is known."""
        return ""

    def page_type(self) -> str:
        """Return what sort of page it is, in the data set's words; "" if unknown."""
        return ""

    def guideline(self) -> GuidelineRef | None:
        """Return the guideline of the gold; None if unknown."""
        return None

    def versions(self) -> Mapping[str, GuidelineRef]:
        """Return id of a mark → the version of the guideline that it follows, where known."""
        return {}

    def host(self) -> str:
        """Return the host it was read from; "" if unknown."""
        return ""

    def laid_out(self, page: Page) -> Page:
        """Return the rendered page with the layout it had when the gold was made, if kept."""
        return page

    @property
    def has_layout(self) -> bool:
        """Whether `laid_out` gives other boxes than those of a rendering."""
        return False

    def text(self, render: Render) -> str | None:
        """Return the main content as text; None if it is not marked."""
        return None

    def snippets(self) -> Snippets | None:
        """Return phrases that the main content has, or has not; None if there are none."""
        return None

    def blocks(self, render: Render) -> BlockGold | None:
        """Return the gold blocks; None if none are marked."""
        return None

    def problems(self, render: Render) -> tuple[str, ...]:
        """Return what a user should know of the gold, one sentence each."""
        return ()

    def edges(self) -> Mapping[str, Bools] | None:
        """Return the edge masks of the page; None if they are to be taken from its rendering."""
        return None

    def shown(self, page: Page) -> tuple[Gold, tuple[str, ...]]:
        """Return the gold as marks to look at on a rendered page, and what a user should know."""
        laid_out = self.laid_out(page)
        return self.marks(laid_out), self.problems(lambda: laid_out)

    def marked(self) -> frozenset[tuple[int, str]]:
        """Return level and type of the marks as far as files give them without rendering."""
        return frozenset()

    def gold_bytes(self) -> bytes:
        """Return the bytes of the gold's files, to detect changes; b"" for none."""
        return b""

    @property
    def is_published(self) -> bool:
        """Whether the gold is a data set's, to be copied before it is changed."""
        return True


@dataclass(frozen=True)
class TextFiles(PageFiles):
    """A page with gold text beside it."""

    page: TextPage

    def document(self) -> Document:
        return self.page.document()

    def marks(self, page: Page) -> Gold:
        return self.shown(page)[0]

    def text(self, render: Render) -> str | None:
        return self.page.text()

    def snippets(self) -> Snippets | None:
        return self.page.snippets() if isinstance(self.page, HasSnippets) else None

    def site_documents(self) -> tuple[Document, ...]:
        return self.page.site_documents() if isinstance(self.page, HasSite) else ()

    @property
    def site_name(self) -> str:
        return self.page.site_name if isinstance(self.page, HasSite) else ""

    def page_type(self) -> str:
        return self.page.page_type() if isinstance(self.page, TypedPage) else ""

    def host(self) -> str:
        return self.page.host() if isinstance(self.page, TypedPage) else ""

    def shown(self, page: Page) -> tuple[Gold, tuple[str, ...]]:
        """The text as far as its words are on the page, and how much of it is not."""
        text = self.page.text()
        if text is None:
            notes = "the gold of this page is phrases, which have no place on it: it shows no marks"
            return Gold(), (notes,) if self.snippets() is not None else ()
        result = align_gold(page.rendered(), text)
        gold = Gold(result.gold.marks, text)
        if result.share == 1.0:
            return gold, ()
        lost = ", ".join(f'"{stretch[:40]}"' for stretch in result.missing[:3])
        notes = f"{1 - result.share:.1%} of the gold text's words are not on this page: {lost}"
        return gold, (notes,)

    def gold_bytes(self) -> bytes:
        return (self.page.text() or "").encode("utf-8", "replace")

    def marked(self) -> frozenset[tuple[int, str]]:
        lacks = isinstance(self.page, MayLackGold) and not self.page.has_gold
        return frozenset() if lacks else frozenset({(MAIN, "")})


@dataclass(frozen=True)
class MarkedFiles(PageFiles, ABC):
    """A page with marks made in Pagelet: both kinds of gold.

    Attributes:
        source: The page.
        siblings: The pages of its site, itself among them; none where it has none.
    """

    source: Document
    siblings: tuple[Document, ...] = field(default=(), kw_only=True)

    def document(self) -> Document:
        return self.source

    def site_documents(self) -> tuple[Document, ...]:
        return self.siblings

    @property
    def is_published(self) -> bool:
        return False

    def shown(self, page: Page) -> tuple[Gold, tuple[str, ...]]:
        """The marks; each shows itself whether it was found."""
        return self.marks(page), ()

    def text(self, render: Render) -> str | None:
        page = render()
        result = self.marks(page).as_results(page).text
        return None if result is None else result.text

    def blocks(self, render: Render) -> BlockGold | None:
        page = render()
        return self.marks(page).blocks_as_results(page).block_gold

    def problems(self, render: Render) -> tuple[str, ...]:
        """Number of marks that have moved, and of lost ones, which count in no score."""
        states = [mark.state for mark in self.marks(render()).marks]
        notes = {
            "marks not quite where they were made, to be confirmed": states.count(MarkState.MOVED),
            "marks not found on the page": states.count(MarkState.LOST),
        }
        return tuple(f"{note}: {count}" for note, count in notes.items() if count)


@dataclass(frozen=True)
class BesideFiles(MarkedFiles):
    """A page with a gold file beside it, or none yet."""

    @property
    def _file(self) -> Path | None:
        """The gold file, if it is there."""
        path = gold_file_of(self.source)
        return path if path is not None and path.is_file() else None

    def marks(self, page: Page) -> Gold:
        return Gold() if (path := self._file) is None else _beside(path, page)

    def guideline(self) -> GuidelineRef | None:
        return None if (path := self._file) is None else gold_file.read_file(path).guideline

    def gold_bytes(self) -> bytes:
        return b"" if (path := self._file) is None else read_file(path)

    def marked(self) -> frozenset[tuple[int, str]]:
        records = () if (path := self._file) is None else gold_file.read_file(path).records
        return frozenset((record["level"], record["type"]) for record in records)


@dataclass(frozen=True)
class ShownFiles(MarkedFiles):
    """Page with the marks that the window shows on it, of any origin."""

    files: PageFiles

    @classmethod
    def of(cls, files: PageFiles) -> Self:
        """Return a page whose blocks count where they were found on it."""
        return cls(files.document(), files)

    def marks(self, page: Page) -> Gold:
        return self.files.shown(page)[0]

    def marked(self) -> frozenset[tuple[int, str]]:
        return self.files.marked()

    def problems(self, render: Render) -> tuple[str, ...]:
        return self.files.shown(render())[1]


@dataclass(frozen=True)
class WorkspaceFiles(MarkedFiles):
    """A page of a workspace.

    Attributes:
        workspace: The file.
        kinds: Levels and types of the marks when it was listed.
        annotator: Annotator of the marks; "" for the last one who worked there.
    """

    workspace: Path
    kinds: frozenset[tuple[int, str]] = frozenset()
    annotator: str = ""

    def marks(self, page: Page) -> Gold:
        key = page_key(self.source)
        if self.annotator:
            with Workspace.reading(self.workspace, self.annotator) as workspace:
                return workspace.load_gold(key, page.rendered())
        return _marks_in_workspace(self.workspace, key, page)

    def guideline(self) -> GuidelineRef | None:
        own = of_workspace(_workspace(self.workspace, _stamp(self.workspace)))
        return None if own is None else own.ref

    def versions(self) -> Mapping[str, GuidelineRef]:
        with Workspace.reading(self.workspace, self.annotator) as workspace:
            return mark_versions(workspace, page_key(self.source))

    def gold_bytes(self) -> bytes:
        """The digest of its marks; of pages that have just what came with them b""."""
        digests = _digests_in(self.workspace, self.annotator, _stamp(self.workspace))
        return digests.get(page_key(self.source), "").encode()

    def marked(self) -> frozenset[tuple[int, str]]:
        return self.kinds

    @property
    def is_published(self) -> bool:
        """Whether it is shown beside the user's own workspace, as another person's marks."""
        return True


# Requests for one page follow each other: the last answer is enough.


@lru_cache(maxsize=1)
def _beside(path: Path, page: Page) -> Gold:
    return gold_file.read(path, page.rendered())


@lru_cache(maxsize=1)
def _marks_in_workspace(path: Path, key: str, page: Page) -> Gold:
    return _workspace(path, _stamp(path)).load_gold(key, page.rendered())


@lru_cache(maxsize=4)
def _workspace(path: Path, stamp: FileStamps) -> Workspace:
    """Return a workspace in its current state, read once a process: that checks the whole file."""
    return Workspace.reading(path)


@lru_cache(maxsize=4)
def _digests_in(path: Path, annotator: str, stamp: FileStamps) -> Mapping[str, str]:
    if not annotator:
        return _workspace(path, stamp).gold_digests()
    with Workspace.reading(path, annotator) as workspace:
        return workspace.gold_digests()


def _stamp(path: Path) -> FileStamps:
    """Return what changes with each save: of the file, and of its log if it has one."""
    stamps = map(stamp_or_none, (path, path.with_name(f"{path.name}-wal")))
    return tuple(stamp for stamp in stamps if stamp is not None)


def gold_file_of(document: Document) -> Path | None:
    """Return the path of the gold file of a document, existing or not; None for none."""
    if document.root is None:
        return None
    return gold_file.gold_path(document.root / document.path)
