"""What the table found stays: written to the workspace as pages are done, there again next time."""

from collections.abc import Sequence

from annotate.evaluation.columns import ListedPage
from annotate.evaluation.rows import ResultRow
from annotate.evaluation.stored_runs import StoredRun, store_runs, stored_runs
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document
from engine.errors import PageletError
from gui.state.session import Session


class RunStore:
    """Keeps the runs of the window's pages; a workspace that cannot be written is said once.

    Attributes:
        gold_of: Name of a page → digest of the gold it is being scored by.
    """

    def __init__(self, session: Session, workspace: Workspace) -> None:
        self._session, self._workspace = session, workspace
        self._has_failed = False
        self.gold_of: dict[str, str] = {}

    def restore(
        self, documents: Sequence[Document], pages: Sequence[ListedPage]
    ) -> tuple[StoredRun, ...]:
        """Return what was found on these documents, as rows of these pages."""
        names = {
            page_key(document): (page.dataset, page.name)
            for document, page in zip(documents, pages, strict=True)
        }
        try:
            return stored_runs(self._workspace, names)
        except PageletError as error:
            self._session.say(str(error))
            return ()

    def begin(
        self, documents: Sequence[Document], pages: Sequence[ListedPage], beside: Sequence[str]
    ) -> None:
        """Note by which gold pages are scored from now on: what changes later is not that.

        ``beside`` holds digests of the gold beside each page; it may be empty.
        """
        try:
            digests = self._workspace.gold_digests()
        except PageletError:
            digests = {}
        golds = beside or [""] * len(pages)
        self.gold_of = {
            page.name: digests.get(page_key(document), gold)
            for page, document, gold in zip(pages, documents, golds, strict=True)
        }

    def keep(self, document: Document, rows: Sequence[ResultRow]) -> None:
        gold = self.gold_of.get(rows[0].run.page, "") if rows else ""
        try:
            store_runs(self._workspace, page_key(document), rows, gold)
        except PageletError as error:
            if not self._has_failed:
                self._session.say(f"the scores are not kept: {error}")
            self._has_failed = True
