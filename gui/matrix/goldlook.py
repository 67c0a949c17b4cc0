"""Looks at what gold the open pages have, before any of them is rendered."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from annotate.workspace import Workspace
from engine.document import Document
from engine.errors import PageletError
from gui.jobs import Job
from gui.matrix.cases import GoldFacts, facts_beside, facts_in
from gui.session import Session


class GoldLook(QObject):
    """What the workspace holds is asked at once; files beside pages are read off this thread."""

    found = Signal(object)  # list[GoldFacts], one a document

    def __init__(self, session: Session, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._workspace = session, workspace
        self._job: Job | None = None

    def look(self) -> None:
        """Look at all documents anew."""
        if self._job is not None:
            self._job.cancel()
        documents = self._session.documents
        try:
            known = facts_in(self._workspace, documents)
        except PageletError as error:
            self._session.say(str(error))
            return
        self._job = Job(partial(_all, documents, known), self)
        self._job.done.connect(self._on_done)
        self._job.start()

    def _on_done(self, facts: list[GoldFacts]) -> None:
        self._job = None
        self.found.emit(facts)


def _all(documents: tuple[Document, ...], known: list[GoldFacts | None]) -> list[GoldFacts]:
    pairs = zip(documents, known, strict=True)
    return [facts_beside(document) if facts is None else facts for document, facts in pairs]
