"""Marks kept in a gold file beside each page after each save, and edits of these files taken back.

A file holds the marks as the workspace has saved them, one a line, so that a version control shows
which marks have changed.  A file that another program has changed since is not overwritten before
the user has chosen whose marks to keep.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject

from annotate.datasets.case_files import gold_file_of
from annotate.marks import gold_file
from annotate.marks.gold_file import GoldFile
from annotate.marks.guideline import GuidelineRef
from annotate.workspace.guideline_versions import mark_versions
from annotate.workspace.mark_rows import marks_of
from annotate.workspace.page_rows import is_separate_file, path_of
from annotate.workspace.stored_guideline import refs_of
from annotate.workspace.workspace import PageEntry, page_key
from engine import bounded_file
from engine.bounded_file import atomic_write
from engine.document import Document
from engine.errors import PageletError
from engine.words import plural
from gui.core.workbench import Workbench
from gui.widgets.events import debounce
from gui.widgets.jobs import Task

IS_ON = "marks beside pages"
_WRITTEN = "marks beside pages: written"  # page → SHA-256 of its file as it is known here

REST_MS = 300
"""Marks that follow each other are written together."""

_AT_ONCE = 20
"""Pages whose records are read in one go."""


@dataclass(frozen=True)
class MirrorJob:
    """A file to write.

    Attributes:
        key: Of the page.
        path: Where its file lies.
        entry: The page in the workspace.
        texts: Its records as stored.
        guideline: What the marks were made by.
        versions: Id of a mark → the version of it that the mark follows.
        known: SHA-256 of the file as it was written or taken last; "" if never.
        is_forced: Whether a changed file is overwritten.
    """

    key: str
    path: Path
    entry: PageEntry
    texts: tuple[str, ...]
    guideline: GuidelineRef | None
    versions: Mapping[str, GuidelineRef]
    known: str
    is_forced: bool


@dataclass(frozen=True)
class Mirrored:
    """Outcome of a job: the file's SHA-256 now; "" where it was changed outside and not written."""

    job: MirrorJob
    digest: str = ""
    problem: str = ""


def write_mirror(job: MirrorJob) -> Mirrored:
    """Write a file, unless another program has changed its marks since."""
    entry, records = job.entry, tuple(json.loads(text) for text in job.texts)
    name = Path(path_of(job.key)).name
    records = gold_file.with_versions(records, job.guideline, job.versions)
    made = GoldFile(name, entry.title, entry.digest, entry.viewport, records, job.guideline)
    content = gold_file.compose(made)
    try:
        there = bounded_file.read_bytes(job.path) if job.path.exists() else b""
        digest = hashlib.sha256(there).hexdigest() if there else ""
        if there and digest != job.known and not job.is_forced:
            with suppress(PageletError):
                if _by_id(gold_file.read_file(job.path)) == _by_id(made):
                    return Mirrored(job, digest)
            return Mirrored(job)
        if there != content:
            with atomic_write(job.path) as beside:
                beside.write_bytes(content)
    except (PageletError, OSError) as error:
        return Mirrored(job, problem=str(error))
    return Mirrored(job, hashlib.sha256(content).hexdigest())


def _by_id(file: GoldFile) -> dict[str, object]:
    # Versions of the guideline tell when a mark was made, and so nothing of the mark.
    return {
        record["id"]: {name: value for name, value in record.items() if name != "guideline"}
        for record in file.records
    }


class Mirror(QObject):
    """Actions on the files beside pages."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench, self._workspace = workbench, workbench.workspace
        self._session, self._opened = workbench.session, workbench.session.open
        self._task = Task(self)
        self._due: dict[str, Path] = {}
        self._forced: set[str] = set()
        self._told = ""
        self.changed_file: Path | None = None
        """The open page's file that another program has changed, until that is settled."""
        self.is_on = False
        """Whether marks are kept in files beside the pages."""
        with suppress(PageletError):
            self.is_on = self._workspace.setting(IS_ON, False) is True
        self._timer = debounce(self, REST_MS, self._write)
        self._watcher: QFileSystemWatcher | None = None
        self._opened.gold_changed.connect(self._follow)
        self._opened.page_changed.connect(self._on_page)
        workbench.saving.changed.connect(self._follow)

    @property
    def is_busy(self) -> bool:
        """Whether a file is still to be written."""
        return self._task.is_busy or self._timer.isActive()

    def toggle(self) -> None:
        """Keep the marks of all pages in files beside them, or no longer."""
        with self._session.messages.errors("not saved: "):
            self._workspace.set_setting(IS_ON, not self.is_on)
            self.is_on = not self.is_on
            if not self.is_on:
                self._session.messages.say("the files beside the pages stay as they are from now")
                self._settle()
                return
            marked = {each.key for each in self._workspace.pages() if each.marks}
            self._due = {
                page_key(each): path
                for each in self._session.documents
                if page_key(each) in marked and (path := _file_of(each)) is not None
            }
            count = plural(len(self._due), "page")
            self._session.messages.say(f"the marks of {count} are kept in files beside them")
            self._on_page()

    def take(self) -> None:
        """Show the marks of the changed file; undo brings back those that were here."""
        path = self.changed_file
        if path is None or self._opened.document is None:
            return
        with self._session.messages.errors():
            read = gold_file.read_file(path)
            self._forced.add(page_key(self._opened.document))
            is_taken = self._workbench.marking.change(
                f"take the marks of {path.name}", lambda _gold, nodes: read.located_on(nodes)
            )
            if is_taken:
                self._session.messages.say(f"{path.name} is taken; undo restores your marks")
            self._settle()
            self._follow()

    def keep(self) -> None:
        """Write the marks that are here over the changed file."""
        if self.changed_file is not None and self._opened.document is not None:
            self._forced.add(page_key(self._opened.document))
            self._settle()
            self._follow()

    def stop(self) -> None:
        """Write the marks that wait: the window closes."""
        if self._watcher is not None:
            self._watcher.blockSignals(True)
            self._watcher.deleteLater()
            self._watcher = None
        if self._timer.isActive() and self.is_on:
            self._timer.stop()
            self._task.cancel()
            with suppress(PageletError):
                self._note([write_mirror(job) for job in self._jobs()])

    # writing ---------------------------------------------------------------------------------
    def _on_page(self) -> None:
        self._settle()
        if (watcher := self._watcher) is not None:
            watcher.removePaths([*watcher.files(), *watcher.directories()])
        self._follow()

    def _follow(self) -> None:
        """Write the file of the open page soon, once its marks are saved."""
        document = self._opened.document
        if document is None or self._opened.page is None or not self.is_on:
            return
        path = _file_of(document)
        if path is not None and not self._opened.is_locked and self._workbench.saving.is_saved:
            self._due[page_key(document)] = path
        self._timer.start()

    def _write(self) -> None:
        if self._task.is_busy:
            self._timer.start()
            return
        with self._session.messages.errors():
            if jobs := self._jobs():
                self._task.start(partial(_write_all, jobs), self._note)

    def _jobs(self) -> list[MirrorJob]:
        written, guideline = self._written(), refs_of(self._workspace)[0]
        jobs = []
        for key in list(self._due)[:_AT_ONCE]:
            path, entry = self._due.pop(key), self._workspace.page(key)
            if entry is None or not (entry.marks or self._workspace.history(key)):
                continue
            texts = tuple(marks_of(self._workspace.store, self._workspace.page_id(key)).values())
            is_forced = key in self._forced
            self._forced.discard(key)
            known = written.get(key, "")
            refs = guideline, mark_versions(self._workspace, key)
            jobs.append(MirrorJob(key, path, entry, texts, *refs, known, is_forced))
        return jobs

    def _written(self) -> dict[str, str]:
        stored = self._workspace.setting(_WRITTEN, {})
        return dict(stored) if isinstance(stored, dict) else {}

    def _note(self, done: Sequence[Mirrored]) -> None:
        """Remember what the files are now; ask about a changed one of the open page."""
        document = self._opened.document
        here = "" if document is None else page_key(document)
        with self._session.messages.errors():
            written = self._written()
            now = written | {each.job.key: each.digest for each in done if each.digest}
            if now != written:
                self._workspace.set_setting(_WRITTEN, now)
        problem = next((each.problem for each in done if each.problem), "")
        if problem and problem != self._told:
            self._session.messages.say(f"the marks are saved, but not beside the page: {problem}")
        self._told = problem
        for each in done:
            if each.job.key == here and not each.problem:
                self._watch(each.job.path)
                if each.digest:
                    self._settle()
                else:
                    self._ask(each.job.path)
        if self._due:
            self._timer.start()

    def _watch(self, path: Path) -> None:
        """Hear of changes of a file, and of its folder: editors put a new file in its place."""
        if self._watcher is None:
            self._watcher = QFileSystemWatcher(self)
            self._watcher.fileChanged.connect(self._follow)
            self._watcher.directoryChanged.connect(self._follow)
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if new := sorted({str(path), str(path.parent)} - watched):
            self._watcher.addPaths(new)

    # a changed file --------------------------------------------------------------------------
    def _ask(self, path: Path) -> None:
        if self.changed_file == path:
            return
        self.changed_file = path
        steps = [
            ("Take its marks", "Undo brings back those that are here", self.take),
            ("Keep mine", "Writes the marks that are here over the file", self.keep),
        ]
        self._workbench.requests.offered.emit(f"the file {path.name} was changed outside", steps)
        self._workbench.requests.enable.emit()

    def _settle(self) -> None:
        if self.changed_file is not None:
            self.changed_file = None
            self._workbench.requests.offered.emit("", [])
            self._workbench.requests.enable.emit()


def _write_all(jobs: Sequence[MirrorJob]) -> list[Mirrored]:
    return [write_mirror(job) for job in jobs]


def _file_of(document: Document) -> Path | None:
    """Return where the marks of a page lie beside it; None where it is no file of the user's."""
    return gold_file_of(document) if is_separate_file(document) else None
