"""Storage of scores: written to the workspace as pages are done, restored next time."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from annotate.evaluation.store.rows import ResultRow
from annotate.evaluation.store.stored_runs import StoredRun, store_runs, stored_runs
from annotate.evaluation.tables.axes import Column, ListedPage
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document
from engine.errors import PageletError
from gui.features.evaluate.filtering import Sort
from gui.state.session import Session

SORT = "evaluate order"
"""Workspace setting: order of the listed pages."""


FOLDED = "evaluate inspector"
"""Workspace setting: size of the window → whether the inspector is folded."""


class WindowRuns:
    """Stores the runs of the window's pages; a write error is shown once.

    Attributes:
        workspace: Where they are stored.
        gold_of: Digest of the gold used for scoring, by name of page.
    """

    def __init__(self, session: Session, workspace: Workspace) -> None:
        self._session, self.workspace = session, workspace
        self._has_failed = False
        self.gold_of: dict[str, str] = {}

    def restore(
        self, documents: Sequence[Document], pages: Sequence[ListedPage]
    ) -> tuple[StoredRun, ...]:
        """Return the stored scores of these documents, as rows of these pages."""
        names = {
            page_key(document): (page.dataset, page.name)
            for document, page in zip(documents, pages, strict=True)
        }
        with self._session.messages.errors():
            return stored_runs(self.workspace, names)
        return ()

    def begin(
        self, documents: Sequence[Document], pages: Sequence[ListedPage], beside: Sequence[str]
    ) -> None:
        """Set the gold by which pages are scored from now on, as it may change later.

        ``beside`` holds digests of the gold beside each page; it may be empty.
        """
        digests: Mapping[str, str] = {}
        with suppress(PageletError):
            digests = self.workspace.gold_digests()
        golds = beside or [""] * len(pages)
        self.gold_of = {
            page.name: digests.get(page_key(document), gold)
            for page, document, gold in zip(pages, documents, golds, strict=True)
        }

    def keep(self, document: Document, rows: Sequence[ResultRow]) -> None:
        gold = self.gold_of.get(rows[0].run.page, "") if rows else ""
        try:
            store_runs(self.workspace, page_key(document), rows, gold)
        except PageletError as error:
            if not self._has_failed:
                self._session.messages.say(f"the scores are not kept: {error}")
            self._has_failed = True

    def keep_folded(self, folded: Mapping[str, object]) -> None:
        """Keep in windows of which size the inspector is folded."""
        with self._session.messages.errors("not saved: "):
            self.workspace.set_setting(FOLDED, dict(folded))

    def folded(self) -> dict[str, object]:
        """Return in windows of which size, "narrow" or "wide", the inspector is folded."""
        stored: object = None
        with suppress(PageletError):
            stored = self.workspace.setting(FOLDED, {})
        return stored if isinstance(stored, dict) else {}

    def sort(self) -> Sort:
        """Return the stored sort order."""
        stored: object = None
        with suppress(PageletError):
            stored = self.workspace.setting(SORT, {})
        if not isinstance(stored, dict):
            return Sort()
        by, down = stored.get("by"), stored.get("down") is True
        if isinstance(by, list) and len(by) == 3 and all(isinstance(each, str) for each in by):
            return Sort(Column.of(*by), down)
        return Sort(by, down) if by in ("list", "title") else Sort()

    def keep_sort(self, sort: Sort) -> None:
        """Store the sort order for the next time; the difference of two methods is not stored."""
        by = sort.by
        if by != "difference":
            stored = [by.method, by.parameters, by.input] if isinstance(by, Column) else by
            with self._session.messages.errors("not saved: "):
                self.workspace.set_setting(SORT, {"by": stored, "down": sort.down})
