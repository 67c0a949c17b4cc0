"""Looks up the gold of the open pages and their digests, before rendering any."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal

from annotate.datasets.case_files import PageFiles
from annotate.evaluation.run.open_pages import (
    GoldFacts,
    facts_beside,
    facts_in,
    facts_of,
    with_digests,
)
from annotate.workspace.workspace import page_key
from engine.document import Document
from gui.core.workbench import Workbench
from gui.widgets.jobs import Task


class GoldLookup(QObject):
    """Lookup of the documents' gold: the workspace at once, files beside pages in the background.

    Attributes:
        facts: Gold of each document; empty until known.
    """

    found = Signal(object)  # list[GoldFacts], one a document

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        session = self._session = workbench.session
        self._workspace = workbench.workspace
        self._task = Task(self)
        self.facts: list[GoldFacts] = []
        session.documents_changed.connect(lambda: self.facts.clear())
        session.documents_changed.connect(self.count)
        session.open.gold_changed.connect(self._on_gold)

    def count(self) -> None:
        """Look up the gold of all documents again."""
        self._task.cancel()
        documents = self._session.documents
        with self._session.messages.errors():
            known = facts_in(self._workspace, documents)
            self._task.start(partial(_all, documents, known, self._session.files), self._on_done)

    def _on_done(self, facts: list[GoldFacts]) -> None:
        self.facts[:] = facts
        self.found.emit(facts)

    def _on_gold(self) -> None:
        documents, document = self._session.documents, self._session.open.document
        if document in documents and len(self.facts) == len(documents):
            self.facts[documents.index(document)] = facts_of(self._session.open.gold)


def _all(
    documents: tuple[Document, ...], known: list[GoldFacts | None], given: Mapping[str, PageFiles]
) -> list[GoldFacts]:
    result = []
    for document, facts in zip(documents, known, strict=True):
        files = given.get(page_key(document))
        facts = facts_beside(document, files) if facts is None else facts
        result.append(with_digests(facts, document, files))
    return result
