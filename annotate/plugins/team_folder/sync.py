"""Synchronisation of a workspace and a team folder, in both directions.

First the local changes since the last time are added to the own log, then new records of other logs
are added to the workspace, with a note of the position read, in the same transaction.  It can be
killed at any moment and resumed: records are noted as about to be written before they are written.
Unknown records in the own log are another program's, as after a copy of the workspace or an older
one was opened: then this one continues in a new log.

Logs are read and checked before the workspace is touched; it is changed in short transactions, with
pauses in which its window can save.
"""

import contextlib
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

from annotate.plugins.team_folder.devices import known_in, path_of, upgraded, watched, with_log
from annotate.plugins.team_folder.held import Held, held_of
from annotate.plugins.team_folder.keys import PageKeys
from annotate.plugins.team_folder.logs import Log, Logs
from annotate.plugins.team_folder.membership import Membership, membership, put
from annotate.plugins.team_folder.own_changes import New, OwnChanges
from annotate.plugins.team_folder.receiving import ReceivedChanges, Receiving
from annotate.plugins.team_folder.record import Record, change_id, check
from annotate.plugins.team_folder.state import SheetId, TeamState, Voice, clock_after
from annotate.plugins.team_folder.writer import LogWriter
from annotate.workspace import annotators
from annotate.workspace.store import Store
from engine.errors import InputError
from engine.words import listed, plural

T = TypeVar("T")

_AT_ONCE = 40
"""Sheets a transaction: so the window never waits long for one."""

_MANY = 500
"""Persons, comments or assignments a transaction."""

_FEW = 6
"""Steps of receiving, of one part each, that are one transaction."""

_PAUSE = 0.02
"""Seconds between two of many transactions, in which others can write."""


@dataclass
class Synced:
    """Result of a synchronisation.

    Attributes:
        written: Records added to the own log.
        news: The received changes.
        notes: Missing or surplus files in the folder, a sentence each.
        copies: Number of them on conflicted copies.
        held: Records that count for nobody, since their device is not accepted.
        gone: Logs that have lost records that were read, each with its loss; among the notes.
        is_busy: Whether another program is writing the own log: nothing was done.
    """

    written: int = 0
    news: ReceivedChanges = field(default_factory=ReceivedChanges)
    notes: tuple[str, ...] = ()
    copies: int = 0
    held: tuple[Held, ...] = ()
    gone: tuple[tuple[str, str], ...] = ()
    is_busy: bool = False

    @property
    def summary(self) -> str:
        """Summary of the received changes, "" if none: "Ben: 3 pages new"."""
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
        parts += sorted(news.dealt)
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
        self._own_uids: tuple[str, ...] = ()
        self._gone: tuple[tuple[str, str], ...] = ()

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
        """State of the team."""
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
        """Write new local changes, receive new changes of others.

        Raises `InputError` where the folder cannot be read or written, `WorkspaceError` where the
        workspace cannot, or its window left the folder.
        """
        member = self._membership()
        self._poll()
        (version,) = self._store.one("PRAGMA data_version") or (0,)
        if not self._waiting and version == self._version:
            return self._result(Synced())
        try:
            result = self._both_ways(member.at(self._store.path.absolute()))
        except BaseException:
            self._begin_again()
            raise
        if not result.is_busy:
            self._version = version  # as it was before: later changes come next
        return result

    def answer(self, voice: Voice, *, is_accepted: bool) -> None:
        """Accept or refuse a log for a person in this workspace.

        Where the person works here, all others learn of it with the next `sync`.
        """
        member = self._membership()
        voices = tuple(each for each in member.voices or () if each != voice)
        refused = tuple(each for each in member.refused if each != voice)
        if is_accepted:
            # Held records are not in the workspace: else they would be overruled from here.
            known = tuple(each for each in member.known if each.split(" ")[0] != voice[1])
            member = replace(member, voices=(*voices, voice), refused=refused, known=known)
        else:
            member = replace(member, voices=voices, refused=(*refused, voice))
        with self._store.saving():
            put(self._store, member)
        self._begin_again()

    def forget(self, file: str) -> bool:
        """Dismiss the note that a log is missing, shorter or changed; return whether it existed."""
        member = self._membership()
        left = tuple(each for each in member.read if each[3] != file)
        with self._store.saving():
            put(self._store, replace(member, read=left))
        self._begin_again()
        return left != member.read

    def _membership(self) -> Membership:
        member = membership(self._store)
        if member is None:
            raise InputError("this workspace works in no team folder any more")
        return member

    def _result(self, synced: Synced, *more: str) -> Synced:
        notes = (*self._notes(), *more)
        names = {}
        if self._state.held:
            names = {who.uid: who.name for who in annotators.annotators(self._store)}
        held = held_of(self._state, self.logs, self._own_uids, names)
        copies = self._logs.copies
        return replace(synced, notes=notes, copies=copies, held=held, gone=self._gone)

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
        names = {log.head.hash: log.shown for log in self.logs}
        broken = [
            f"{names.get(head, 'a log')}, line {line} is not used: {problem}{_others(problems)}"
            for head, problems in self._state.problems.items()
            for line, problem in sorted(problems.items())[:1]
        ]
        ahead = [
            f"{names.get(head, 'a log')}: the clock of {plural(count, 'line')} is far ahead of all "
            "others; not used"
            for head, count in self._state.ahead.items()
        ]
        gone = [f"{name}: {what}" for name, what in self._gone]
        return (*self._logs.notes, *(late if parted else []), *broken, *ahead, *gone)

    def _both_ways(self, member: Membership) -> Synced:
        member = self._with_present(member)
        self._keys.learn(self._store, member.own)
        news = ReceivedChanges()
        with contextlib.ExitStack() as opened:
            member = self._with_log(upgraded(member, self._logs))
            path = path_of(member, self.folder)
            assert member.log is not None
            writer = opened.enter_context(LogWriter.opened(path, member.log))
            if writer is None:
                return self._result(Synced(is_busy=True))
            self._poll()  # what another window of this workspace has just written
            noted = self._membership()
            member = replace(member, known=noted.known, writing=noted.writing)
            if self._is_of_another(member):
                before, last = member, writer
                member = self._with_log(member.anew())
                path = path_of(member, self.folder)
                assert member.log is not None
                writer = opened.enter_context(LogWriter.opened(path, member.log))
                assert writer is not None  # no other device knows the name
                self._log_successor(before, member, last)
            self._own_uids = member.own
            self._state.refused |= {*member.refused}
            self._state.accept(member.voices or ())
            self._add_to_state([*known_in(member, self._logs), *member.writing])
            written = self._write(member, path, writer)
            self._add_to_state(list(self._waiting))
            member = replace(member, writing=(), known=self._ends())
            self._is_new |= bool(self._state.trust_first(member.own))
            # Also those that a log names which may be gone tomorrow.
            learned = sorted(self._state.voices.difference(member.voices or ()))
            member = replace(member, voices=(*(member.voices or ()), *learned))
            member, self._gone = watched(member, noted, self._logs)
            if self._is_new or member != noted:
                self._receive(member, news)
        return self._result(Synced(written, news), *news.notes[:3])

    def _with_log(self, member: Membership) -> Membership:
        people = {who.uid: who.name for who in annotators.annotators(self._store)}
        name = next((people[uid] for uid in member.own if uid in people), "")
        return with_log(member, self._logs, name)

    def _with_present(self, member: Membership) -> Membership:
        """Add the current annotator to the workspace's own ones."""
        row = self._store.one("SELECT value FROM settings WHERE key = 'annotator'")
        there = {f'"{who.uid}"': who for who in annotators.annotators(self._store)}
        who = there.get(row[0]) if row is not None else None
        if who is None or who.uid in member.own or not who.name:
            return member
        return replace(member, own=(*member.own, who.uid))

    # writing ---------------------------------------------------------------------------------
    def _own(self, member: Membership) -> Log | None:
        return None if member.log is None else self._logs.by_head.get(member.log.hash)

    def _is_of_another(self, member: Membership) -> bool:
        """Return whether there are records in the own log that this workspace never wrote."""
        log = self._own(member)
        if log is None:
            return False
        ours = {each.hash for each in log.closure(known_in(member, self._logs))} | {*member.writing}
        return any(each not in ours for each in log.records)

    def _log_successor(self, before: Membership, member: Membership, writer: LogWriter) -> None:
        """Write to the previous log that its annotators continue in another."""
        log = self._own(before)
        assert log is not None
        assert member.log is not None
        last = log.last
        records: list[Record] = []
        for uid in member.own:
            body = {
                "uid": uid, "log": member.log.hash, "host": member.log.body["host"],
                "made": datetime.now(UTC).isoformat(timespec="seconds"),
            }  # fmt: skip
            end = records[-1] if records else last
            records.append(Record.made(end.number + 1, end.clock + 1, end.hash, "accepted", body))
        writer.append(records)
        self._poll()

    def _add_to_state(self, hashes: Sequence[str]) -> None:
        """Add records, and all before them, to the state."""
        if not self._waiting:
            return
        for log in self.logs:
            new = [each for each in log.closure(hashes) if each.hash in self._waiting]
            for record in new:
                del self._waiting[record.hash]
            self._state.add(log.head, new)
            self._is_new |= bool(new)

    def _write(self, member: Membership, path: Path, writer: LogWriter) -> int:
        bodies = self._unwritten(member)
        log = self._own(member)
        main = None if log is None else next((f for f in log.files if f.path == path), None)
        ends = [] if log is None or main is None else [
            each for each in log.records.values() if each.hash in main.records
        ]  # fmt: skip
        last = max(ends, key=lambda each: (each.number, each.hash), default=None)
        if not bodies and last is not None:
            return 0
        clock = clock_after(self._state.clock, self._waiting.values())
        records: list[Record] = []
        if last is None:
            assert member.log is not None
            records.append(member.log)
            last = member.log
        clock = max(clock, last.clock)
        for index, (kind, body) in enumerate(bodies, 1):
            before = records[-1] if records else last
            records.append(Record.made(last.number + index, clock + index, before.hash, kind, body))
        with self._store.saving():
            put(self._store, replace(member, writing=tuple(each.hash for each in records)))
        writer.append(records)
        self._poll()
        self._add_to_state([records[-1].hash])
        return len(records)

    def _unwritten(self, member: Membership) -> list[New]:
        waiting = self._waiting.values()
        arrived = {change_id(each.body) for each in waiting if _is_good(each, "change")}
        arrived |= {each.body["id"] for each in waiting if _is_good(each, "comment")}
        has_guideline = any(_is_good(each, "guideline") for each in waiting)
        changes = OwnChanges(self._store, self._state, self._keys, arrived, self._written)
        result = changes.of(member.own, has_guideline=has_guideline)
        return [*result, *self._devices(member)]

    def _devices(self, member: Membership) -> Iterator[New]:
        """Yield which other devices of those who work here were accepted here."""
        for uid, head in member.voices or ():
            log = self._logs.by_head.get(head)
            is_said = self._state.setting("accepted", uid, head) is not None
            is_other = member.log is None or head != member.log.hash
            if log is not None and is_other and uid in member.own and not is_said:
                made = datetime.now(UTC).isoformat(timespec="seconds")
                yield "accepted", {"uid": uid, "log": head, "host": log.host, "made": made}

    # receiving -------------------------------------------------------------------------------
    def _ends(self) -> tuple[str, ...]:
        return tuple(
            sorted(
                f"{log.head.hash} {each.number} {each.hash}"
                for log in self.logs
                for each in log.ends
            )
        )

    def _receive(self, member: Membership, news: ReceivedChanges) -> None:
        state = self._state
        receiving = Receiving(self._store, state, self._keys, member.own, news)
        people, touched = state.people(), sorted(state.touched)
        comments, dealt = receiving.new_comments(), state.of_kind("assigned")
        steps: list[Callable[[], None]] = [
            *(partial(receiving.people, part) for part in _parts(people, _MANY)),
            *(partial(receiving.sheets, part) for part in _parts(touched, _AT_ONCE)),
            *(partial(receiving.comments, part) for part in _parts(comments, _MANY)),
            *(partial(receiving.assignments, part) for part in _parts(dealt, _MANY)),
            receiving.rest,
            partial(put, self._store, member),
        ]
        is_little = len(steps) <= _FEW
        if is_little:
            receiving.read(touched)
            with self._store.saving():
                for step in steps:
                    step()
        else:
            self._receive_in_parts(receiving, steps)
        state.touched.clear()
        self._is_new = False

    def _receive_in_parts(self, receiving: Receiving, steps: Sequence[Callable[[], None]]) -> None:
        for step in steps:
            if isinstance(step, partial) and step.func == receiving.sheets:
                receiving.read(*step.args)
            with self._store.saving():
                step()
            time.sleep(_PAUSE)


def _is_good(record: Record, kind: str) -> bool:
    if record.kind != kind:
        return False
    try:
        check(record)
    except InputError:
        return False
    return True


def _others(problems: Mapping[int, str]) -> str:
    return f" (and {plural(len(problems) - 1, 'other line')})" if len(problems) > 1 else ""


def _parts(items: Sequence[T], most: int) -> Iterator[Sequence[T]]:
    for begin in range(0, len(items), most):
        yield items[begin : begin + most]
