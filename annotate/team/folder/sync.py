"""Bringing a workspace and a team folder together, in both directions.

First what was done here since the last time is added to the own log, then what is new in the
others' is put into the workspace, with a note, in the same transaction, up to where it was read.
Killed at any moment, the next time goes on: what is in the log and not noted was about to be
written, and that was noted before.  What is in the own log and was not is another program's, as
after a copy of the workspace or an older one was opened: then this one goes on in a log of its own.
"""

import contextlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from annotate.team.folder.keys import PageKeys
from annotate.team.folder.logs import Log, Logs
from annotate.team.folder.membership import (
    Membership,
    log_name,
    membership,
    new_device,
    put,
)
from annotate.team.folder.own_changes import New, OwnChanges
from annotate.team.folder.receiving import News, Receiving
from annotate.team.folder.record import FORMAT, Record, change_id
from annotate.team.folder.state import SheetId, TeamState
from annotate.team.folder.writer import LogWriter
from annotate.workspace import annotators
from annotate.workspace.store import Store
from engine.errors import InputError
from engine.words import listed, plural

_AT_ONCE = 40
"""Sheets a transaction: so the window never waits long for one."""


@dataclass
class Synced:
    """What came of it.

    Attributes:
        written: Records added to the own log.
        news: What came in.
        notes: What is incomplete or one too many in the folder, a sentence each.
        copies: How many of them are of conflicted copies.
        is_busy: Whether another program is writing the own log: nothing was done.
    """

    written: int = 0
    news: News = field(default_factory=News)
    notes: tuple[str, ...] = ()
    copies: int = 0
    is_busy: bool = False

    @property
    def summary(self) -> str:
        """What came in, "" if nothing: "Ben: 3 pages new"."""
        news = self.news
        parts = []
        for name in sorted({*news.marked, *news.comments}):
            counts = [
                plural(count, word)
                for count, word in (
                    (len(news.marked.get(name, ())), "page"),
                    (news.comments.get(name, 0), "comment"),
                )
                if count
            ]
            parts.append(f"{name}: {listed(counts)} new")
        if news.mine:
            parts.append(f"{plural(len(news.mine), 'page')} of yours from another device")
        return ", ".join(parts)


class TeamFolder:
    """A workspace in a team folder.  Use it from one thread; it keeps the workspace open."""

    def __init__(self, store: Store, folder: Path) -> None:
        self._store = store
        self._logs = Logs(folder)
        self._keys = PageKeys(folder)
        self._waiting: dict[str, Record] = {}  # of the logs, and not in the state
        self._state = TeamState()
        self._written: dict[SheetId, int] = {}
        self._version = -1  # of the workspace when it was compared last
        self._is_new = False  # whether the state has more than the workspace

    @classmethod
    def opened(cls, path: Path) -> Self | None:
        """Open a workspace; None where it works in no team folder.  Errors as `Store.open`."""
        store = Store.open(path, create=False)
        member = membership(store)
        if member is None:
            store.close()
            return None
        return cls(store, Path(member.folder))

    @property
    def folder(self) -> Path:
        return self._logs.folder

    @property
    def state(self) -> TeamState:
        """What is known of the team."""
        return self._state

    @property
    def logs(self) -> Collection[Log]:
        return self._logs.by_head.values()

    def close(self) -> None:
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def sync(self) -> Synced:
        """Write what is new here, receive what is new there.

        Raises `InputError` where the folder cannot be read or written, `WorkspaceError` where the
        workspace cannot, or its window left the folder.
        """
        member = membership(self._store)
        if member is None:
            raise InputError("this workspace works in no team folder any more")
        self._poll()
        (version,) = self._store.one("PRAGMA data_version") or (0,)
        if not self._waiting and version == self._version:
            return Synced(notes=self._notes(), copies=self._logs.copies)
        try:
            result = self._both_ways(member.at(self._store.path.absolute()))
        except BaseException:
            self._begin_again()
            raise
        if not result.is_busy:
            self._version = version  # as it was before: what was changed meanwhile comes next
        return result

    def _poll(self) -> None:
        ready, is_less = self._logs.poll()
        if is_less:
            self._begin_again()
        self._waiting.update((each.hash, each) for each in ready)

    def _begin_again(self) -> None:
        """Forget what the workspace has and has not: it is read from its note again."""
        self._state, self._written, self._version = TeamState(), {}, -1
        self._waiting = {key: each for log in self.logs for key, each in log.records.items()}

    def _notes(self) -> tuple[str, ...]:
        parted = sum(not sheet.is_whole for sheet in self._state.sheets.values())
        late = [f"{plural(parted, 'page')} wait for earlier changes, which have not arrived yet"]
        broken = [f"a record is not used: {each}" for each in self._state.problems.values()]
        return (*self._logs.notes, *(late if parted else []), *broken[:3])

    def _both_ways(self, member: Membership) -> Synced:
        member = self._with_present(member)
        self._keys.learn(self._store, member.own)
        news = News()
        with contextlib.ExitStack() as opened:
            path, member = self._own_log(member)
            writer = opened.enter_context(LogWriter.opened(path))
            if writer is None:
                return Synced(notes=self._notes(), copies=self._logs.copies, is_busy=True)
            self._poll()  # what another window of this workspace has just written
            noted = membership(self._store)
            if noted is None:
                raise InputError("this workspace works in no team folder any more")
            member = replace(member, known=noted.known, writing=noted.writing)
            if self._is_of_another(member, path):
                member = replace(member, device=new_device(), writing=())
                path, member = self._own_log(member)
                writer = opened.enter_context(LogWriter.opened(path))
                assert writer is not None  # nobody else knows the name
            self._know([*self._known(member), *member.writing])
            written = self._write(member, path, writer)
            self._know(list(self._waiting))
            member = replace(member, writing=(), known=self._ends())
            if self._is_new or member != noted:
                self._receive(member, news)
        notes = (*self._notes(), *news.notes[:3])
        return Synced(written, news, notes, self._logs.copies)

    def _with_present(self, member: Membership) -> Membership:
        """Have those count as own who work here now."""
        row = self._store.one("SELECT value FROM settings WHERE key = 'annotator'")
        there = {f'"{who.uid}"': who for who in annotators.annotators(self._store)}
        who = there.get(row[0]) if row is not None else None
        if who is None or who.uid in member.own or not who.name:
            return member
        return replace(member, own=(*member.own, who.uid))

    # writing ---------------------------------------------------------------------------------
    def _own_log(self, member: Membership) -> tuple[Path, Membership]:
        """Return the file that this device writes to."""
        for log in self.logs:
            if log.head.body["device"] == member.device:
                return self.folder / log.name, member
        people = {who.uid: who for who in annotators.annotators(self._store)}
        name = next((people[uid].name for uid in member.own if uid in people), "")
        return self.folder / log_name(name, member.device), member

    def _own(self, path: Path) -> Log | None:
        return next((log for log in self.logs if log.name == path.name), None)

    def _is_of_another(self, member: Membership, path: Path) -> bool:
        """Return whether there are records in the own log that this workspace never wrote."""
        log = self._own(path)
        if log is None:
            return False
        ours = {each.hash for each in log.closure(self._known(member))} | {*member.writing}
        return any(each not in ours for each in log.records)

    def _known(self, member: Membership) -> list[str]:
        """Return the hashes of the records that, with all before them, are in the workspace."""
        result = []
        for entry in member.known:
            head, number, last = entry.split(" ")
            log = self._logs.by_head.get(head)
            if log is None or last in log.records:
                result.append(last)
            elif max(each.number for each in log.records.values()) < int(number):
                result += [each.hash for each in log.ends]  # set back: what is left was known
        return result

    def _know(self, hashes: Sequence[str]) -> None:
        """Have records, and all before them, in the state."""
        if not self._waiting:
            return
        for log in self.logs:
            new = [each for each in log.closure(hashes) if each.hash in self._waiting]
            for record in new:
                del self._waiting[record.hash]
            self._state.add(log.head.body["device"], new)
            self._is_new |= bool(new)

    def _write(self, member: Membership, path: Path, writer: LogWriter) -> int:
        bodies = self._unwritten(member)
        log = self._own(path)
        main = None if log is None else next((f for f in log.files if f.path == path), None)
        ends = [] if log is None or main is None else [
            each for each in log.records.values() if each.hash in main.records
        ]  # fmt: skip
        last = max(ends, key=lambda each: (each.number, each.hash), default=None)
        if not bodies and last is not None:
            return 0
        clock = max([self._state.clock, *(each.clock for each in self._waiting.values())])
        records: list[Record] = []
        if last is None:
            uid = member.own[0] if member.own else ""
            head = {
                "format": FORMAT, "uid": uid, "device": member.device, "host": member.host,
                "name": path.name,
            }  # fmt: skip
            records.append(Record.made(0, clock + 1, "", "log", head))
            last = records[0]
        for index, (kind, body) in enumerate(bodies, 1):
            before = records[-1] if records else last
            records.append(
                Record.made(last.number + index, clock + index + 1, before.hash, kind, body)
            )
        with self._store.saving():
            put(self._store, replace(member, writing=tuple(each.hash for each in records)))
        writer.append(records)
        self._poll()
        self._know([records[-1].hash])
        return len(records)

    def _unwritten(self, member: Membership) -> list[New]:
        waiting = self._waiting.values()
        arrived = {change_id(each.body) for each in waiting if each.kind == "change"}
        arrived |= {str(each.body.get("id")) for each in waiting if each.kind == "comment"}
        has_guideline = any(each.kind == "guideline" for each in waiting)
        changes = OwnChanges(self._store, self._state, self._keys, arrived, self._written)
        return changes.of(member.own, has_guideline=has_guideline)

    # receiving -------------------------------------------------------------------------------
    def _ends(self) -> tuple[str, ...]:
        return tuple(
            sorted(
                f"{log.head.hash} {each.number} {each.hash}"
                for log in self.logs
                for each in log.ends
            )
        )

    def _receive(self, member: Membership, news: News) -> None:
        touched = sorted(self._state.touched)
        rest = touched[-_AT_ONCE:]
        for part in _parts(touched[:-_AT_ONCE]):
            with self._store.saving():
                receiving = Receiving(self._store, self._state, self._keys, member.own, news)
                for which in part:
                    receiving.sheet(which)
        with self._store.saving():
            receiving = Receiving(self._store, self._state, self._keys, member.own, news)
            receiving.people()
            for which in rest:
                receiving.sheet(which)
            receiving.comments()
            receiving.assignments()
            receiving.rest()
            put(self._store, member)
        self._state.touched.clear()
        self._is_new = False


def _parts(touched: Sequence[SheetId]) -> Iterator[Sequence[SheetId]]:
    for begin in range(0, len(touched), _AT_ONCE):
        yield touched[begin : begin + _AT_ONCE]
