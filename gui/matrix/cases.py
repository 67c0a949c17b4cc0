"""The open pages as cases of an evaluation: each with the gold the window shows on it.

That is what the workspace holds; of a page nobody has opened yet, what lies beside it.
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotate import goldfile
from annotate.casefiles import BesideFiles, PageFiles, WorkspaceFiles, gold_file_of
from annotate.cases import BLOCKS, TEXT, DataSet
from annotate.datasets import kreuzer, package
from annotate.gold import MAIN, TYPES, Gold
from annotate.workspace import Workspace, page_key
from engine.document import Document
from engine.errors import PageletError
from gui.matrix.measures import Kind

log = logging.getLogger(__name__)


def dataset_of(name: str, pages: Sequence[tuple[str, Document]], workspace: Workspace) -> DataSet:
    """Return named documents with their gold; costs a look into the workspace."""
    marked = _marked(workspace, [document for _, document in pages])
    files: list[tuple[str, dict[str, PageFiles]]] = [
        (
            page,
            {
                "": WorkspaceFiles(document, workspace.path)
                if page_key(document) in marked
                else BesideFiles(document)
            },
        )
        for page, document in pages
    ]
    return DataSet(name, frozenset({TEXT, BLOCKS}), tuple(files))


def _marked(workspace: Workspace, documents: Sequence[Document]) -> set[str]:
    """Return the keys of the pages whose gold is what the workspace says, if that is nothing."""
    entries = {entry.key: entry for entry in workspace.pages()}
    found = set()
    for key in map(page_key, documents):
        entry = entries.get(key)
        if entry is not None and (entry.marks or (entry.visited and workspace.history(key))):
            found.add(key)
    return found


@dataclass(frozen=True)
class GoldFacts:
    """What is known of a page's gold without rendering it.

    Attributes:
        kinds: Of methods there is gold for.
        types: Of its blocks.
    """

    kinds: frozenset[Kind] = frozenset()
    types: frozenset[str] = frozenset()


def _facts(marks: Iterable[tuple[int, str]]) -> GoldFacts:
    """Return what marks of these levels and types say."""
    kinds: set[Kind] = set()
    types = set()
    for level, kind in marks:
        kinds.add("extraction" if level == MAIN else "segmentation")
        if level != MAIN and kind:
            types.add(kind)
    return GoldFacts(frozenset(kinds), frozenset(types))


def facts_of(gold: Gold) -> GoldFacts:
    """Return what a page's marks say."""
    return _facts((mark.level, mark.type) for mark in gold.marks)


def types_of(facts: Iterable[GoldFacts]) -> list[str]:
    """Return all types of blocks: Kreuzer's in their order, then others by name."""
    found = {kind for each in facts for kind in each.types}
    usual = [kind for kinds in TYPES.values() for kind in kinds]
    return [*(kind for kind in usual if kind in found), *sorted(found - set(usual))]


def facts_in(workspace: Workspace, documents: Sequence[Document]) -> list[GoldFacts | None]:
    """Return what the workspace knows of each page's gold; None where it knows nothing of it."""
    marked, marks = _marked(workspace, documents), workspace.marked()
    keys = map(page_key, documents)
    return [_facts(marks.get(key, ())) if key in marked else None for key in keys]


def facts_beside(document: Document) -> GoldFacts:
    """Return what the gold beside a document holds; reads files, so better off this thread."""
    try:
        path = gold_file_of(document)
        if path is not None and path.is_file():
            records = goldfile.read_file(path).records
            return _facts((record["level"], record["type"]) for record in records)
        blocks = kreuzer.blocks_of(document)
        if blocks is not None:
            found = kreuzer.gold_texts(kreuzer.read_blocks(blocks))
            return _facts((block.level, block.type) for block in found)
        return _facts([(MAIN, "")] if package.gold_text(document) else ())
    except PageletError as error:
        log.info("gold of %s: %s", document.address, error)
        return GoldFacts()
