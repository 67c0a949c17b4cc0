"""Workspace: one file that keeps pages, their gold with every change of it, settings and runs.

A save is one transaction that is written through before the call returns, so killing the program
loses nothing that was saved (`annotate.workspace.store`).  Each change of gold is also
appended to a journal, from which every earlier state and the undo history can be rebuilt
(`annotate.marks.journal`).

Failures to read or write raise `WorkspaceError` with one sentence.  They leave the `Gold` in memory
unchanged, and the next save writes all that is missing.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from annotate.marks import journal, records
from annotate.marks.anchor import Anchors
from annotate.marks.gold import Gold, Mark
from annotate.marks.journal import CAME_WITH_PAGE, History, HistoryStep, PastChange, Revision
from annotate.workspace import annotators, mark_rows
from annotate.workspace.annotators import Annotator, Role
from annotate.workspace.late_saves import LateSaves
from annotate.workspace.mark_rows import marks_of
from annotate.workspace.page_rows import PageEntry as PageEntry
from annotate.workspace.page_rows import PageStatus as PageStatus
from annotate.workspace.page_rows import entries, follow, is_separate_file
from annotate.workspace.page_rows import page_key as page_key
from annotate.workspace.page_rows import path_of as path_of
from annotate.workspace.store import BUSY_SECONDS, Store
from engine.document import Document
from engine.errors import (
    InputError,
    MarksContested,
    PageletError,
    WorkspaceBusy,
    WorkspaceError,
)
from engine.nodes import NodeTable


@dataclass
class _Open:
    """Page whose gold was loaded: its state in the file, and the revision of that."""

    page: int
    anchors: Anchors
    revision: int
    saved: dict[str, tuple[Mark, str]]  # id → the mark, and its record as written
    is_read_back: bool = True


class Workspace(LateSaves):
    """A workspace file, for one thread; several programs may have it open.

    Raises `WorkspaceError` where the file is damaged.
    """

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._open: dict[str, _Open] = {}
        there = annotators.annotators(store)
        if not there:
            raise WorkspaceError(f"{store.path} is damaged: it has no annotator")
        last = self.setting(_ANNOTATOR)
        self._annotator = next((each for each in there if each.uid == last), there[0])

    @classmethod
    def open(cls, path: Path, *, create: bool = True) -> Self:
        """Open a workspace, or create it if it is missing; errors as `Store.open`."""
        return cls(Store.open(path, create=create))

    @classmethod
    def reading(cls, path: Path, annotator: str = "") -> Self:
        """Open a workspace in its current state, without changing it; errors as `Store.reading`.

        The annotator is the one of that name, by default the last who worked there;
        `InputError` lists the existing ones.
        """
        result = cls(Store.reading(path))
        if annotator:
            try:
                result._annotator = annotators.annotator_named(result.store, annotator)
            except InputError:
                result.close()
                raise
        return result

    @property
    def damage(self) -> str:
        """Sentence why the file can only be read: damaged or write-protected; "" if it is not."""
        return self._store.damage

    @property
    def store(self) -> Store:
        """The database, for modules that keep their tables in it."""
        return self._store

    def close(self) -> None:
        """Close the file; values that wait are saved now, the rest is saved already."""
        if self._is_late:
            with suppress(PageletError), self._store.waiting(BUSY_SECONDS):
                self.save_late()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    # -- annotators

    @property
    def annotator(self) -> Annotator:
        """Name of the annotator whose pages, marks and statuses are used."""
        number = self._annotator.number
        return next((each for each in self.annotators if each.number == number), self._annotator)

    @property
    def annotators(self) -> tuple[Annotator, ...]:
        return annotators.of_rows(self.rows(annotators.ROWS))

    def work_as(self, who: Annotator) -> None:
        """Switch to another annotator's pages and marks, also for the next opening.

        The annotator gets a sheet of each page that the previous one had.
        """
        before = self._annotator
        if not self.damage:
            with self._store.saving():
                self._put_setting(_ANNOTATOR, who.uid)
                self._store.run(
                    "INSERT OR IGNORE INTO pages (annotator, key, place, url, title)"
                    " SELECT ?, key, place, url, title FROM pages WHERE annotator = ?",
                    *(who.number, before.number),
                )
        self._annotator = who
        self._open.clear()

    def golds(
        self, key: str, nodes: NodeTable, *, with_unconfirmed: bool = False
    ) -> dict[Annotator, Gold]:
        """Return what each annotator marked on a page, found on its nodes; those who marked."""
        anchors, result = Anchors(nodes), {}
        for who in self.annotators:
            row = self._store.one(
                "SELECT id FROM pages WHERE key = ? AND annotator = ?", key, who.number
            )
            marks = marks_of(self._store, row[0]) if row is not None else {}
            if marks:
                gold = Gold(tuple(self._located(anchors, text) for text in marks.values()))
                result[who] = gold if with_unconfirmed else gold.sure
        return result

    # -- pages

    def follow_files(self, documents: Sequence[Document]) -> dict[str, str]:
        """Find known pages again whose files were moved; returns old key → new key."""
        if self.damage:
            return {}
        with self._store.saving():
            files = [page_key(each) for each in documents if is_separate_file(each)]
            moved = follow(self._store, files)
        for key in moved:
            self._open.pop(key, None)
        return moved

    def add_pages(self, documents: Sequence[Document], *, follows: bool = True) -> dict[str, str]:
        """Add documents after the existing pages; known ones keep their data.

        Unless ``follows`` is False, `follow_files` comes first, and its result is returned.
        Nothing is added to a damaged workspace: its other pages have no marks there.
        """
        if self.damage:
            return {}
        moved = self.follow_files(documents) if follows else {}
        with self._store.saving():
            me = self._annotator.number
            (last,) = self._one("SELECT coalesce(max(place), 0) FROM pages WHERE annotator = ?", me)
            self._store.run_each(
                "INSERT INTO pages (annotator, key, place, url, title) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (annotator, key) DO UPDATE SET url = excluded.url,"
                " title = iif(excluded.title = '', title, excluded.title)",
                [
                    (me, page_key(each), index, each.home or each.url, _sentence(each.title))
                    for index, each in enumerate(documents, last + 1)
                ],
            )
        return moved

    def pages(self, *, only_seen: bool = False) -> tuple[PageEntry, ...]:
        """Return all pages in the order they were added, or those that were opened or marked."""
        seen = "AND (visited <> '' OR EXISTS (SELECT 1 FROM marks WHERE page = mine.id))"
        return self._entries(seen if only_seen else "")

    @property
    def page_count(self) -> int:
        (count,) = self._one(
            "SELECT count(*) FROM pages WHERE annotator = ?", self._annotator.number
        )
        return int(count)

    def page(self, key: str) -> PageEntry | None:
        """Return one page, None if the workspace does not know it."""
        return next(iter(self._entries("AND key = ?", key)), None)

    def _entries(self, which: str, *values: object) -> tuple[PageEntry, ...]:
        me, is_reviewer = self._annotator.number, self.annotator.role is Role.REVIEWER
        rows = entries(self._store, me, which, *values, is_reviewer=is_reviewer)
        late = {key: status for (who, key), status in self._late_statuses.items() if who == me}
        return tuple(replace(row, status=late[row.key]) if row.key in late else row for row in rows)

    def set_status(self, key: str, status: PageStatus) -> None:
        """Set the status of a page; waits as settings do, and is read at once."""
        with suppress(WorkspaceBusy):
            self.page_id(key)
        self._late_statuses[self._annotator.number, key] = status
        self._save_or_wait()

    @property
    def has_late_statuses(self) -> bool:
        """Whether the status of a page waits for another program."""
        return bool(self._late_statuses)

    def visit(
        self,
        key: str,
        *,
        title: str,
        digest: str,
        viewport: tuple[int, int],
        is_urgent: bool = True,
    ) -> bool:
        """Record that a page was opened, and its version; it becomes the last page.

        Return whether it is the same as when it was opened last (True the first time).  Nothing is
        recorded in a damaged workspace.  Changes that are not urgent are written with the next
        save, at the latest when the workspace is closed; `save_late` must be called.
        """
        if self.damage:
            known = self.page(key)
            return known is None or known.digest in ("", digest)
        page, now = self.page_id(key), _now()
        (before,) = self._one("SELECT digest FROM pages WHERE id = ?", page)

        def note() -> None:
            self._store.run(
                "UPDATE pages SET title = iif(? = '', title, ?), visited = ?, digest = ?,"
                " width = ?, height = ? WHERE id = ?",
                *(_sentence(title), _sentence(title), now, digest, *viewport, page),
            )
            if digest:
                mark_rows.note_version(self._store, key, digest, now)

        self._late_visits.append(note)
        self._late[_LAST_PAGE] = journal.dump(key)
        if is_urgent:
            self._save_or_wait()
        return before in ("", digest)

    @property
    def last_page(self) -> str:
        """Key of the page that was open last, "" if there is none."""
        return str(self.setting(_LAST_PAGE, ""))

    # -- gold

    def load_gold(self, key: str, nodes: NodeTable) -> Gold:
        """Return a page's marks as found on its nodes; empty for a page without any."""
        row = self._store.one(
            "SELECT id, revision FROM pages WHERE key = ? AND annotator = ?",
            *(key, self._annotator.number),
        )
        if row is None:
            return Gold()
        page, revision = row
        anchors = Anchors(nodes)
        texts = marks_of(self._store, page)
        saved = {i: (self._located(anchors, text), text) for i, text in texts.items()}
        self._open[key] = _Open(page, anchors, revision, saved)
        return Gold(tuple(mark for mark, _ in saved.values()))

    def gold_in_file(self, key: str, nodes: NodeTable) -> Gold:
        """Return a page's marks in the file now; `save_gold` still compares with those loaded."""
        state = self._loaded(key, nodes)
        texts = marks_of(self._store, state.page).values()
        return Gold(tuple(self._located(state.anchors, text) for text in texts))

    def save_gold(
        self,
        key: str,
        gold: Gold,
        nodes: NodeTable,
        what: str,
        step: HistoryStep = "edit",
        *,
        overwrite: bool = False,
    ) -> None:
        """Save a page's marks and append the change to its journal; one transaction.

        Only marks that changed since the last save are described and written.  If another window
        has changed the marks of this page since they were loaded here, raises `MarksContested` and
        writes nothing; ``overwrite`` saves anyway (the journal keeps both).
        """
        state = self._loaded(key, nodes)
        written: dict[str, tuple[Mark, str]] = {}
        for mark in gold.marks:
            saved = state.saved.get(mark.id)
            if saved is None or (saved[0] is not mark and saved[0] != mark):
                saved = mark, journal.dump(records.check(state.anchors.record(mark)))
            written[mark.id] = saved
        after = _texts(written)
        if not overwrite and journal.delta(_texts(state.saved), after) is None:
            self._read_back(state)
            return
        with self._store.saving():
            (revision,) = self._one("SELECT revision FROM pages WHERE id = ?", state.page)
            before = _texts(state.saved)
            if revision != state.revision:
                there = marks_of(self._store, state.page)
                # Changes that another window has undone do not count.
                if not overwrite and list(there.items()) != list(before.items()):
                    raise MarksContested("another window has changed the marks of this page")
                before = there
            change = journal.delta(before, after)
            if change is not None:
                revision += 1
                mark_rows.write(self._store, state.page, before, after)
                self._store.run(
                    "INSERT INTO changes (page, revision, made, what, step, delta)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    *(state.page, revision, _now(), what, step, change),
                )
                self._store.run(
                    "UPDATE pages SET revision = ?,"
                    " status = iif(status = 'open' AND ?, 'in progress', status) WHERE id = ?",
                    *(revision, what != CAME_WITH_PAGE, state.page),
                )
        state.revision, state.saved, state.is_read_back = revision, written, False
        self._read_back(state)

    def _read_back(self, state: _Open) -> None:
        """Check that other programs would read the saved data."""
        if state.is_read_back:
            return
        row = self._store.read_back("SELECT revision FROM pages WHERE id = ?", state.page)
        if row is None or row[0] < state.revision:
            raise WorkspaceError(f"{self.path} cannot be saved: other programs read an older file")
        state.is_read_back = True

    def _loaded(self, key: str, nodes: NodeTable) -> _Open:
        """Return the stored gold of a page, located on these nodes."""
        state = self._open.get(key)
        if state is None:
            self.page_id(key)
            self.load_gold(key, nodes)
            state = self._open[key]
        elif state.anchors.nodes is not nodes:  # the same page, captured again
            anchors = Anchors(nodes)
            texts = _texts(state.saved)
            saved = {i: (self._located(anchors, text), text) for i, text in texts.items()}
            state = self._open[key] = _Open(state.page, anchors, state.revision, saved)
        return state

    def _located(self, anchors: Anchors, text: str) -> Mark:
        try:
            return anchors.find(records.read_json(text))
        except (ValueError, OverflowError, RecursionError, InputError) as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> WorkspaceError:
        return WorkspaceError(f"{self.path} is damaged: {error}")

    def forget_loaded(self) -> None:
        """Read marks from the file when they are asked for next: changed there in one go."""
        self._open.clear()

    def marked(self) -> dict[str, frozenset[tuple[int, str]]]:
        """Return level and type of the marks on each page that has some; renders nothing.

        Drafts are left out: they are not gold.
        """
        return mark_rows.kinds_by_page(self._store, self._annotator.number)

    def gold_digests(self) -> dict[str, str]:
        """Return SHA-256 of the gold of each page whose marks were changed here, by its key.

        Pages whose marks are unchanged are left out: their gold is in the file beside them.
        """
        return mark_rows.gold_digests(self._store, self._annotator.number)

    # -- history

    def history(self, key: str) -> tuple[Revision, ...]:
        """Return all changes of a page's gold, the oldest first."""
        return tuple(revision for revision, _ in self._changes(key))

    def undo_history(self, key: str, nodes: NodeTable, limit: int = 100) -> History:
        """Return the steps of a page that can be undone and redone, as they were left.

        Its current state equals what `load_gold` returned, so an undo stack can be built from it.
        """
        result = self._changes(key)
        if not result:
            return History()
        state = self._loaded(key, nodes)
        try:
            past = journal.history(result, lambda text: self._located(state.anchors, text), limit)
        except journal.GAPS as error:
            raise self._damaged(error) from None
        present = tuple(mark for mark, _ in state.saved.values())
        if state.revision == len(result) and past.states[past.index].marks != present:
            raise self._damaged(ValueError(f"changes of the marks on {key} do not lead to them"))
        return past

    def past(self, key: str) -> tuple[PastChange, ...]:
        """Return the edits of a page's gold, the oldest first, and how undo leads to each."""
        try:
            return journal.past(self._changes(key))
        except journal.GAPS as error:
            raise self._damaged(error) from None

    def gold_after(self, key: str, number: int, nodes: NodeTable) -> Gold:
        """Return a page's gold after its change of this number; 0 for before the first."""
        state = self._loaded(key, nodes)
        try:
            texts = journal.states(change for _, change in self._changes(key)[:number])[-1]
        except journal.GAPS as error:
            raise self._damaged(error) from None
        return Gold(tuple(self._located(state.anchors, text) for text in texts.values()))

    def dropped_drafts(self, key: str, nodes: NodeTable) -> tuple[Mark, ...]:
        """Return the rejected drafts of a page at their positions on these nodes."""
        try:
            texts = journal.dropped_drafts(self._changes(key)).values()
        except journal.GAPS as error:
            raise self._damaged(error) from None
        anchors = Anchors(nodes) if texts else None
        found = (self._located(anchors, text) for text in texts if anchors is not None)
        return tuple(mark for mark in found if mark.targets)

    def _changes(self, key: str) -> list[tuple[Revision, str]]:
        row = self._store.one(
            "SELECT id FROM pages WHERE key = ? AND annotator = ?", key, self._annotator.number
        )
        changes = [] if row is None else mark_rows.changes_of(self._store, row[0])
        return [(Revision(*change[:4]), change[4]) for change in changes]

    def made_on(self, key: str) -> dict[str, str]:
        """Return id of a mark → what the page was when it was made, where it has changed since."""
        self._save_late_values()  # the page's latest state may not be in the file yet
        try:
            return mark_rows.made_on(self._store, key, self._annotator.number)
        except journal.GAPS as error:
            raise self._damaged(error) from None

    # -- rows

    def _one(self, sql: str, *values: object) -> tuple[Any, ...]:
        row = self._store.one(sql, *values)
        if row is None:
            raise WorkspaceError(f"{self.path} is damaged: a page is missing")
        return row

    def page_id(self, key: str) -> int:
        """Return a page's number in the file; `WorkspaceError` if it is not known there."""
        row = self._store.one(
            "SELECT id FROM pages WHERE key = ? AND annotator = ?", key, self._annotator.number
        )
        if row is None:
            raise WorkspaceError(f"the workspace has no page {key}")
        return int(row[0])


_LAST_PAGE = "last page"
_ANNOTATOR = "annotator"


def _sentence(text: str) -> str:
    """Return a text that UTF-8 can encode: pages may contain lone surrogates."""
    return text.encode("utf-8", "replace").decode()


def _texts(marks: Mapping[str, tuple[Mark, str]]) -> dict[str, str]:
    return {mark_id: text for mark_id, (_, text) in marks.items()}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
