"""The open pages as cases of an evaluation: each with the gold the window shows on it.

That is the gold in the workspace; for a page not opened yet, the gold beside it.
"""

import hashlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from annotate.datasets.case_files import BesideFiles, PageFiles, ShownFiles, WorkspaceFiles
from annotate.datasets.cases import BLOCKS, TEXT, DataSet
from annotate.evaluation.tables.axes import OutputKind
from annotate.marks.gold import MAIN, TYPES, Gold
from annotate.workspace.workspace import PageEntry, Workspace, page_key
from engine.document import Document
from engine.errors import PageletError

log = logging.getLogger(__name__)


def dataset_of(
    name: str,
    pages: Sequence[tuple[str, Document]],
    workspace: Workspace,
    given: Mapping[str, PageFiles],
    siblings: Callable[[Document], tuple[Document, ...]] = lambda _document: (),
) -> DataSet:
    """Return named documents with their gold; costs a look into the workspace.

    ``given`` gives by page key the location of gold that comes with a page, ``siblings`` the pages
    of a page's site.
    """
    marked, kinds = _marked(workspace, [document for _, document in pages]), workspace.marked()

    def of(document: Document) -> PageFiles:
        key = page_key(document)
        if key not in marked:
            return _given_files(document, given.get(key), siblings)
        known, site = kinds.get(key, frozenset()), siblings(document)
        return WorkspaceFiles(document, workspace.path, known, siblings=site)

    files = tuple((page, {"": of(document)}) for page, document in pages)
    return DataSet(name, frozenset({TEXT, BLOCKS}), files)


def files_of(document: Document, workspace: Workspace, given: Mapping[str, PageFiles]) -> PageFiles:
    """Return the gold of one page, as `dataset_of` finds it, without a look at any other page."""
    key = page_key(document)
    entry = workspace.page(key)
    if entry is not None and _has_gold(entry, workspace):
        return WorkspaceFiles(document, workspace.path)
    return _given_files(document, given.get(key), lambda _document: ())


def names_of(documents: Sequence[Document]) -> list[str]:
    """Return a name for each document, no two the same."""
    names = [document.path or document.address for document in documents]
    if len(set(names)) < len(names):
        names = [document.address for document in documents]
    if len(set(names)) < len(names):
        names = [f"{index}: {name}" for index, name in enumerate(names, 1)]
    return names


def _given_files(
    document: Document,
    files: PageFiles | None,
    siblings: Callable[[Document], tuple[Document, ...]],
) -> PageFiles:
    """Return a page's gold as the window shows it: texts, and blocks at their positions."""
    if files is None:
        return BesideFiles(document, siblings=siblings(document))
    if files.has_variants:
        return ShownFiles.of(files)
    if isinstance(files, BesideFiles):
        return replace(files, siblings=siblings(document))
    return files


def _marked(workspace: Workspace, documents: Sequence[Document]) -> set[str]:
    """Return the keys of the pages whose gold is the workspace's, even if it is empty."""
    listed = set(map(page_key, documents))
    return {
        entry.key
        for entry in workspace.pages(only_seen=True)
        if entry.key in listed and _has_gold(entry, workspace)
    }


def _has_gold(entry: PageEntry, workspace: Workspace) -> bool:
    return bool(entry.marks or (entry.visited and workspace.history(entry.key)))


@dataclass(frozen=True)
class GoldFacts:
    """Facts about a page's gold that need no rendering.

    Attributes:
        kinds: Of methods there is gold for.
        types: Of its blocks.
        gold: SHA-256 of the marks; "" where that is not known.
        page: SHA-256 of the document, as above.
    """

    kinds: frozenset[OutputKind] = frozenset()
    types: frozenset[str] = frozenset()
    gold: str = ""
    page: str = ""


def _facts(marks: Iterable[tuple[int, str]]) -> GoldFacts:
    """Return the facts given by marks of these levels and types."""
    kinds: set[OutputKind] = set()
    types = set()
    for level, kind in marks:
        kinds.add("extraction" if level == MAIN else "segmentation")
        if level != MAIN and kind:
            types.add(kind)
    return GoldFacts(frozenset(kinds), frozenset(types))


def facts_of(gold: Gold) -> GoldFacts:
    """Return the facts given by a page's marks."""
    return _facts((mark.level, mark.type) for mark in gold.sure.marks)


def types_of(facts: Iterable[GoldFacts]) -> list[str]:
    """Return all types of blocks: Kreuzer's in their order, then others by name."""
    result = {kind for each in facts for kind in each.types}
    usual = [kind for kinds in TYPES.values() for kind in kinds]
    return [*(kind for kind in usual if kind in result), *sorted(result - set(usual))]


def facts_in(workspace: Workspace, documents: Sequence[Document]) -> list[GoldFacts | None]:
    """Return what the workspace knows of each page's gold; None where it knows nothing of it."""
    marked, marks = _marked(workspace, documents), workspace.marked()
    digests = workspace.gold_digests()
    return [
        replace(_facts(marks.get(key, ())), gold=digests.get(key, "")) if key in marked else None
        for key in map(page_key, documents)
    ]


def with_digests(facts: GoldFacts, document: Document, files: PageFiles | None) -> GoldFacts:
    """Return facts with digests of the page and, if that is what counts, of the gold beside it.

    Reads files, so better off the window's thread.
    """
    try:
        gold = facts.gold or hashlib.sha256(files.gold_bytes() if files else b"").hexdigest()
        data = b"" if document.is_live else document.receive().data
    except PageletError as error:
        log.info("%s: %s", document.address, error)
        return facts
    return replace(facts, gold=gold, page=hashlib.sha256(data).hexdigest() if data else "")


def facts_beside(document: Document, files: PageFiles | None) -> GoldFacts:
    """Return facts about the gold that comes with a page; reads files, so use another thread."""
    try:
        return GoldFacts() if files is None else _facts(files.marked())
    except PageletError as error:
        log.info("gold of %s: %s", document.address, error)
        return GoldFacts()
