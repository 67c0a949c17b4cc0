"""Export and import of marks in the window: losses are shown first."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from annotate.datasets.cases import page_name, page_names
from annotate.datasets.looking.inspection import look_into
from annotate.library import rendering
from annotate.marks.gold import Gold, Mark, MarkState
from annotate.plugins.exchange.all_pages import (
    read_marked,
    workspace_files,
    write_guideline,
    write_pages,
)
from annotate.plugins.exchange.formats import format_of, losses
from annotate.plugins.exchange.imports import MarkFile, fresh_marks, missing_pages, recognise_format
from annotate.plugins.exchange.marked_page import MarkedPage
from annotate.workspace.guideline_versions import mark_versions
from annotate.workspace.stored_guideline import of_workspace
from annotate.workspace.workspace import Workspace, page_key
from engine.page import Page
from engine.words import plural
from gui.core.workbench import Workbench
from gui.widgets.jobs import Task


@dataclass(frozen=True)
class ImportPreview:
    """Marks in another tool's file for the open page.

    Attributes:
        path: The file.
        fresh: New marks that were found on the page.
        lines: Messages, a sentence each.
    """

    path: Path
    fresh: tuple[Mark, ...]
    lines: tuple[str, ...]


class ExchangeController(QObject):
    """Actions of the Exchange panel; an import is one undoable step."""

    changed = Signal()
    exported = Signal()  # all pages are exported, or a message gives the reason

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        session = self._session = workbench.session
        self._workspace, self._marking = workbench.workspace, workbench.marking
        self.files = workbench.main_area.files
        self.preview: ImportPreview | None = None
        self._task = Task(self)
        self._stop = threading.Event()
        self._annotator = ""
        session.open.document_changed.connect(self._forget)
        session.open.gold_changed.connect(self.changed)
        session.open.page_changed.connect(self.changed)

    def marked(self) -> MarkedPage | None:
        opened, documents = self._session.open, self._session.documents
        document = opened.document
        if opened.page is None or document is None:
            return None
        name = page_name(document)
        if document in documents:
            name = page_names(documents)[documents.index(document)]
        guideline = of_workspace(self._workspace)
        ref = None if guideline is None else guideline.ref
        versions = mark_versions(self._workspace, page_key(document))
        return MarkedPage(name, document, opened.page, opened.gold, ref, versions)

    def lost(self, key: str) -> tuple[str, ...]:
        """Return the losses of a format for the open page's marks, a sentence each."""
        with self._session.messages.errors():
            marked = self.marked()
            return () if marked is None else losses(format_of(key), marked)
        return ()

    def export(self, key: str, folder: str) -> None:
        """Write the marks of the open page in a format."""
        chosen = format_of(key)
        with self._session.messages.errors():
            if marked := self.marked():
                summary = write_pages(chosen, [marked], Path(folder))
                write_guideline(of_workspace(self._workspace), Path(folder))
                self._session.messages.say(f"{chosen.name}: {summary}")

    @property
    def is_exporting(self) -> bool:
        """Whether all pages are being exported."""
        return self._task.is_busy

    def export_all(self, key: str, folder: str) -> None:
        """Write the marks of all pages of the workspace in a format, in the background."""
        if self._task.is_busy:
            self._session.messages.say("an export of all pages is running already")
            return
        self._stop.clear()
        self._annotator = self._workspace.annotator.name
        self._session.messages.say("all pages with marks are being exported; go on meanwhile")
        self._task.start(
            partial(self._export_all, key, Path(folder)),
            self._on_exported,
            lambda error: self._on_exported(str(error)),
        )
        self.changed.emit()

    def stop(self) -> None:
        """Cancel the export of all pages; nothing is written."""
        self._stop.set()

    def _export_all(self, key: str, out: Path) -> str:
        """Export in the background: pages are rendered in a separate process."""
        problems: list[str] = []
        try:
            files = workspace_files(self._workspace.path, self._annotator)
            pages = read_marked(files, rendering.render, problems.append, self._stop.is_set)
            if self._stop.is_set():
                return "nothing was exported: it was stopped"
            if not pages:
                return f"nothing was exported: {problems[0] if problems else 'no page has marks'}"
            summary = write_pages(format_of(key), pages, out)
            with Workspace.reading(self._workspace.path) as workspace:
                write_guideline(of_workspace(workspace), out)
        finally:
            rendering.close()
        more = f"; {plural(len(problems), 'problem')}: {problems[0]}" if problems else ""
        return f"{format_of(key).name}: {summary}{more}"

    def _on_exported(self, summary: str) -> None:
        self._session.messages.say(summary)
        self.changed.emit()
        self.exported.emit()

    def show_preview(self, key: str, path: str) -> None:
        """Find the marks of another tool's file on the open page, without importing them."""
        marked = self.marked()
        if marked is None:
            return
        file = Path(path)
        found = look_into(file)
        if found.kind not in ("annotations", "unknown"):
            self._session.messages.say(found.description)
            return
        with self._session.messages.errors():
            marks = MarkFile(file, recognise_format(file) or key)
            name = marks.name_of(marked.name, marked.document)
            # A file of one page is meant for the one that is open, whatever it calls it.
            name = name or (marks.names[0] if len(marks.names) == 1 else None)
            self.preview = self._previewed(marks, file, name, marked.page)
            self.changed.emit()

    def _previewed(
        self, marks: MarkFile, file: Path, name: str | None, page: Page
    ) -> ImportPreview:
        account = marks.account
        if name is None:
            account.add(missing_pages(marks, (), "this window"))
            few = ", ".join(list(marks.names)[:3])
            self._session.messages.say(
                f"{file.name} has no marks for this page, only for {few or 'none'}"
            )
            return ImportPreview(file, (), (account.sentence(),))
        result = marks.marks(name, page)
        fresh = fresh_marks(result, self._session.open.gold)
        account.add(result.account)
        account.add(missing_pages(marks, (name,), "this window"))
        lines = [f"{plural(len(fresh), 'mark')} to import", account.sentence()]
        if result.by_box:
            lines.append(f"{result.by_path} by path, {result.by_box} by box alone")
        moved = [mark for mark in fresh if mark.state is MarkState.MOVED]
        lines += [f"to be confirmed, {mark.score:.0%} alike: {mark.quote[:80]}" for mark in moved]
        return ImportPreview(file, fresh, (*lines, *result.problems))

    def take_in(self) -> None:
        """Add the imported marks to the page; moved ones must be confirmed."""
        preview = self.preview
        if preview is None:
            return
        fresh, name = preview.fresh, preview.path.name
        if self._marking.change(
            f"import from {name}", lambda gold, _nodes: Gold((*gold.marks, *fresh))
        ):
            moved = sum(mark.state is MarkState.MOVED for mark in fresh)
            asks = f", {moved} to be confirmed" if moved else ""
            self._session.messages.say(f"{plural(len(fresh), 'mark')} imported from {name}{asks}")
        self._forget()

    def import_lines(self) -> tuple[str, ...] | None:
        """Return the messages on the previewed file; None if there is none."""
        return None if self.preview is None else self.preview.lines

    def orphans(self) -> tuple[tuple[Mark, str], ...]:
        """Return the marks that are not found on the page, each with its origin."""
        opened = self._session.open
        own = [mark for mark in opened.gold.marks if mark.state is MarkState.LOST]
        if not own or opened.document is None:
            return ()
        made: Mapping[str, str] = {}
        with self._session.messages.errors():
            made = self._workspace.made_on(page_key(opened.document))
        return tuple((mark, made.get(mark.id, "")) for mark in own)

    def _forget(self) -> None:
        self.preview = None
        self.changed.emit()
