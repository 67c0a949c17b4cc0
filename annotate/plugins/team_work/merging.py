"""Merging: the marks of several workspaces side by side in one, nothing of any overwritten.

An annotator is known by his uid in every file.  Where a file has more of his work on a page than
the other (the journal of one begins with all of the other's), the longer one stays: it holds both.
If he continued in two copies of a file, both stay: the second as an annotator of its own, "Anna
(laptop)".  Merging the same files again changes nothing.

A page is the same in two files where its key is, or its file's name and SHA-256 are, as in copies
of a folder on two machines.  Settings and kept runs are not merged.
"""

import json
import uuid
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from annotate.marks import journal
from annotate.plugins.team_work.quiz import merge_results
from annotate.workspace import annotators, sheets
from annotate.workspace.annotators import Annotator, Role
from annotate.workspace.mark_rows import changes_of, extend
from annotate.workspace.page_rows import KnownFiles
from annotate.workspace.page_tags import merge_tags
from annotate.workspace.retyping import continued, retype, types
from annotate.workspace.store import Store
from annotate.workspace.stored_guideline import merge_guidelines, stored_guideline
from annotate.workspace.workspace import Workspace
from annotate.workspace.workspace_file import is_workspace
from engine.errors import InputError, WorkspaceError
from engine.words import join_words, plural

_SPACE = uuid.UUID("6f1f6c0e-6a3c-4d0e-9d26-0d8a6e8b8b52")
_SHEET = "id, key, place, url, title, digest, width, height, status, visited, revision"

MergedRow = tuple[Any, ...]


@dataclass
class Merged:
    """Summary of a merge into a workspace.

    Attributes:
        people: Names of those whose marks were in the files.
        pages, marks, comments: Number of new ones.
        notes: Sentences on what should be known.
    """

    people: list[str]
    pages: int = 0
    marks: int = 0
    comments: int = 0
    notes: tuple[str, ...] = ()

    def add(self, other: "Merged") -> None:
        """Count another merge into the same workspace, too."""
        self.people += [name for name in other.people if name not in self.people]
        self.pages += other.pages
        self.marks += other.marks
        self.comments += other.comments
        self.notes += other.notes

    @property
    def summary(self) -> str:
        numbers = (self.pages, "page"), (self.marks, "mark"), (self.comments, "comment")
        added = [plural(count, word) for count, word in numbers if count]
        new = f"{join_words(added, 'and')} added" if added else "nothing new"
        return f"marks of {join_words(self.people, 'and')}: {new}" if self.people else new


MergeMore = Callable[[Store], Iterable[Merged]]


def merge(files: Iterable[Path], out: Path, more: MergeMore = lambda _: ()) -> Merged:
    """Merge workspaces into ``out``, made if it is not there; they are only read.

    ``more`` is called last, with the workspace, and returns what else it has merged into it.

    All is tried on a copy in memory first: where one of the files would spoil ``out``, that stays
    as it is, byte for byte.  In a new workspace the one who opens it reviews.

    Raises `InputError` for a file that is not a workspace or would damage one, `WorkspaceError`
    where one cannot be read or ``out`` not written.
    """
    paths = [path.resolve() for path in files]
    for path in paths:
        if not is_workspace(path):
            raise InputError(f"{path} is not a workspace")
    if out.resolve() in paths:
        raise InputError(f"{out} is one of the files to merge; name another one with --out")
    sources = [(path.stem, Store.reading(path, is_deep=True)) for path in paths]
    with ExitStack() as opened:
        for _, source in sources:
            opened.callback(source.close)
        with closing(Store.rehearsing(out)) as rehearsal:
            _merge_all(Workspace(rehearsal), sources, more)
            if fault := rehearsal.fault():
                raise InputError(f"{out} would be damaged by these files: {fault}")
        with Workspace.open(out) as workspace:
            return _merge_all(workspace, sources, more)


def _merge_all(
    workspace: Workspace, sources: Sequence[tuple[str, Store]], more: MergeMore
) -> Merged:
    total = Merged([])
    if workspace.damage:
        raise WorkspaceError(workspace.damage)
    if len(workspace.annotators) == 1 and not workspace.pages():
        annotators.change(workspace.store, workspace.annotator, "", Role.REVIEWER)
    for stem, source in sources:
        if source.is_partial:
            total.notes += (source.damage,)
        total.add(merge_into(workspace.store, source, stem))
    for result in more(workspace.store):
        total.add(result)
    return total


def merge_into(target: Store, source: Store, stem: str) -> Merged:
    """Add the content of one workspace to another, in one transaction.

    Args:
        target: The workspace to change.
        source: The workspace to merge, opened with ``is_deep``; only read.
        stem: Of the source's file: the name of annotators that have none.

    Raises:
        InputError: The target could not be loaded or saved afterwards; it stays as it is.
        WorkspaceError: It could not be written.
    """
    with target.saving():
        return _Merge(target, source, stem).run()


class _Merge:
    def __init__(self, target: Store, source: Store, stem: str) -> None:
        self._target, self._source, self._stem = target, source, stem
        self._keys = _keys(target, source)
        self._changed: dict[int, str] = {}  # pages whose marks are new → their addresses
        self._done = Merged([])

    def run(self) -> Merged:
        here: dict[int, int] = {}
        if mixed := merge_guidelines(self._target, self._source):
            self._done.notes += (mixed,)
        merge_results(self._target, self._source)
        merge_tags(self._target, self._source, self._keys)
        for who in annotators.annotators(self._source):
            sheets = self._source.all(f"SELECT {_SHEET} FROM pages WHERE annotator = ?", who.number)
            has_comments = self._source.one("SELECT 1 FROM comments WHERE author = ?", who.number)
            worked = [sheet for sheet in sheets if sheet[-1] or self._marks(self._source, sheet[0])]
            if not worked and not has_comments and not self._assigned(who):
                continue
            mine = self._person(who)
            here[who.number] = mine.number
            if worked:
                self._done.people.append(mine.shown)
            for sheet in sheets:
                self._sheet(who, mine, sheet)
            for row in self._assigned(who):
                self._target.run(
                    "INSERT OR IGNORE INTO assignments (annotator, key, place, control)"
                    " VALUES (?, ?, ?, ?)",
                    *(mine.number, self._keys.get(row[0], row[0]), *row[1:]),
                )
        self._comments(here)
        self._rename()
        for page, url in self._changed.items():
            self._check(page, url)
        return self._done

    def _check(self, page: int, url: str) -> None:
        """Raise `InputError`, which undoes the merge, if a page does not hold together now."""
        (revision,) = self._target.one("SELECT revision FROM pages WHERE id = ?", page) or (0,)
        marks = {mark: row[1] for mark, row in self._marks(self._target, page).items()}
        changes = [(change[0], change[-1]) for change in changes_of(self._target, page)]
        try:
            sheets.check(revision, marks, changes)
        except InputError as error:
            raise InputError(f"{self._source.path} is not merged: {url}: {error}") from None

    def _assigned(self, who: Annotator) -> list[MergedRow]:
        return self._source.all(
            "SELECT key, place, control FROM assignments WHERE annotator = ?", who.number
        )

    def _person(self, who: Annotator, uid: str = "", name: str = "") -> Annotator:
        """Return this annotator in the target; added, if missing there."""
        uid = uid or who.uid
        known = {each.uid: each for each in annotators.annotators(self._target)}
        name = name or who.name or self._stem
        return known.get(uid) or annotators.add(self._target, name, who.role, uid)

    def _sheet(
        self, who: Annotator, mine: Annotator, sheet: MergedRow, *, is_copy: bool = False
    ) -> None:
        """Merge one sheet: add it, continue the existing one, or keep both."""
        number, key, position, url, title, digest, width, height, status, visited, revision = sheet
        key = self._keys.get(key, key)
        there = self._target.one(
            "SELECT id, status, revision FROM pages WHERE annotator = ? AND key = ?",
            *(mine.number, key),
        )
        if there is None:
            page = self._target.run(
                "INSERT INTO pages (annotator, key, place, url, title, digest, width, height,"
                " status, visited) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                *(mine.number, key, position, url, title, digest, width, height, status, visited),
            )
            self._done.pages += 1
            there = (page, status, 0)
        theirs, ours = changes_of(self._source, number), changes_of(self._target, there[0])
        incoming, had = self._marks(self._source, number), self._marks(self._target, there[0])
        is_ahead = len(theirs) > len(ours) and theirs[: len(ours)] == ours
        if is_ahead or not (ours or had):
            if theirs or incoming:
                self._changed[there[0]] = str(url or key)
                self._go_on(there[0], theirs[len(ours) :], incoming, had, revision)
        elif incoming == had or (theirs and theirs == ours[: len(theirs)]):
            pass  # the existing one holds all of it
        elif (more := continued(ours, theirs)) is not None:
            if more:
                self._changed[there[0]] = str(url or key)
                self._renamed(there[0], [*ours, *more], more, had)
        elif is_copy:
            self._done.notes += (f"{mine.shown} has marked {url or key} in two ways: kept as was",)
        else:
            beside = self._person(
                who,
                uuid.uuid5(_SPACE, f"{who.uid} {self._stem}").hex,
                f"{mine.name or self._stem} ({self._stem})",
            )
            if beside.shown not in self._done.people:
                self._done.people.append(beside.shown)
            self._sheet(who, beside, sheet, is_copy=True)
            return
        if there[1] == "open" and status != "open":
            self._target.run("UPDATE pages SET status = ? WHERE id = ?", status, there[0])

    def _go_on(
        self,
        page: int,
        more: list[MergedRow],
        incoming: dict[str, MergedRow],
        had: dict[str, MergedRow],
        revision: int,
    ) -> None:
        if not more and incoming != had:  # a damaged file has no journal
            records = [json.loads(record) for _, record in incoming.values()]
            delta = {"set": records, "drop": [each for each in had if each not in incoming]}
            revision = 1
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            more = [(1, now, f"marks of {self._stem}", "edit", journal.dump(delta))]
        extend(self._target, page, more, incoming, revision)
        self._done.marks += len(incoming.keys() - had.keys())

    def _rename(self) -> None:
        """Call types as the guideline here does, also on pages that did not have them."""
        guideline, there = stored_guideline(self._target), types(self._target)
        for old, new in (guideline.former if guideline is not None else {}).items():
            if self._changed and there[old]:
                done = retype(self._target, old, new)
                self._done.notes += (f"{done.summary} with the former type {old}: {new} now",)

    def _renamed(
        self, page: int, every: list[MergedRow], more: list[MergedRow], had: dict[str, MergedRow]
    ) -> None:
        """Go on with changes whose types were renamed, and with the marks that they lead to."""
        after = journal.states(change[-1] for change in every)[-1]
        marks = {mark: (place, text) for place, (mark, text) in enumerate(after.items(), 1)}
        extend(self._target, page, more, marks, len(every))
        self._done.marks += len(marks.keys() - had.keys())

    def _comments(self, here: dict[int, int]) -> None:
        """Merge comments, each on the sheet of its mark."""
        for mark_id, owner, key, author, *rest, settled in self._source.all(
            "SELECT comments.id, annotator, key, author, mark, made, kind, text, answers, settled"
            " FROM comments JOIN pages ON pages.id = page ORDER BY comments.id"
        ):
            sheet = self._target.one(
                "SELECT id FROM pages WHERE annotator = ? AND key = ?",
                *(here.get(owner), self._keys.get(key, key)),
            )
            if sheet is None or author not in here:
                continue
            if self._target.one("SELECT 1 FROM comments WHERE id = ?", mark_id) is None:
                self._target.run(
                    "INSERT INTO comments (id, page, author, mark, made, kind, text, answers,"
                    " settled) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    *(mark_id, sheet[0], here[author], *rest, settled),
                )
                self._done.comments += 1
            elif settled:
                self._target.run("UPDATE comments SET settled = 1 WHERE id = ?", mark_id)

    @staticmethod
    def _marks(store: Store, page: int) -> dict[str, MergedRow]:
        rows = store.all("SELECT id, place, record FROM marks WHERE page = ? ORDER BY place", page)
        return {mark: (position, record) for mark, position, record in rows}


def _keys(target: Store, source: Store) -> dict[str, str]:
    """Return key in the source → key in the target, for pages that are the same under two."""
    asked = "SELECT DISTINCT key, digest FROM pages"
    there = KnownFiles(target.all(asked))
    found = ((key, there.same_file(key, digest)) for key, digest in source.all(asked))
    return {key: same for key, same in found if same and key not in there.keys}
