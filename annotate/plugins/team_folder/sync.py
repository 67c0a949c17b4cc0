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
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

from annotate.plugins.team_folder.devices import (
    known_in,
    path_of,
    upgrade_membership,
    watch_logs,
    with_log,
)
from annotate.plugins.team_folder.held import Held, held_of
from annotate.plugins.team_folder.keys import PageKeys
from annotate.plugins.team_folder.logs import Log, Logs
from annotate.plugins.team_folder.membership import Membership, membership, put_membership
from annotate.plugins.team_folder.own_changes import New, OwnChanges
from annotate.plugins.team_folder.receiving import ReceivedChanges, Receiving
from annotate.plugins.team_folder.record import Body, LogLine, change_id, is_valid
from annotate.plugins.team_folder.state import SheetId, TeamState, Voice, clock_after
from annotate.plugins.team_folder.writer import LogWriter
from annotate.workspace import annotators
from annotate.workspace.store import Store
from engine.errors import InputError
from engine.words import join_words, plural

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
            numbers = (len(news.marked.get(name, ())), "page"), (news.comments[name], "comment")
            counts = [plural(count, word) for count, word in numbers if count]
            parts.append(f"{name}: {join_words(counts)} new")
        if news.mine:
            parts.append(f"{plural(len(news.mine), 'page')} of yours from another device")
        parts += sorted(news.dealt)
        return ", ".join(parts)


class TeamFolder:
    """A workspace in a team folder.  Use it from one thread; it keeps the workspace open.

    Attributes:
        state: Of the team.
    """

    def __init__(self, store: Store, folder: Path) -> None:
        self._store = store
        self._logs = Logs(folder)
        self._keys = PageKeys(folder)
        self._waiting: dict[str, LogLine] = {}  # in the logs, and not in the state
        self.state = TeamState()
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
            self._set(replace(member, voices=(*voices, voice), refused=refused, known=known))
        else:
            self._set(replace(member, voices=voices, refused=(*refused, voice)))

    def forget(self, file: str) -> bool:
        """Dismiss the note that a log is missing, shorter or changed; return whether it existed."""
        member = self._membership()
        left = tuple(each for each in member.read if each[3] != file)
        self._set(replace(member, read=left))
        return left != member.read

    def _set(self, member: Membership) -> None:
        with self._store.saving():
            self._put(member)
        self._begin_again()

    def _membership(self) -> Membership:
        member = membership(self._store)
        if member is None:
            raise InputError("this workspace works in no team folder any more")
        return member

    def _put(self, member: Membership) -> None:
        """Remember it, inside `Store.saving`; `InputError` if the folder was left meanwhile."""
        if Path(self._membership().folder) != self._logs.folder:
            raise InputError(f"this workspace does not work in {self._logs.folder} any more")
        put_membership(self._store, member)

    def _result(self, synced: Synced, *more: str) -> Synced:
        people = annotators.annotators(self._store) if self.state.held else ()
        names = {who.uid: who.name for who in people}
        return replace(
            synced,
            notes=(*self._notes(), *more),
            copies=self._logs.copies,
            held=held_of(self.state, self.logs, self._own_uids, names),
            gone=self._gone,
        )

    def _poll(self) -> None:
        ready, is_less = self._logs.poll()
        if is_less:
            self._begin_again()
        self._waiting.update((each.hash, each) for each in ready)

    def _begin_again(self) -> None:
        """Forget what the workspace has and has not: it is read from its note again."""
        self.state, self._written, self._version = TeamState(), {}, -1
        self._waiting = {key: each for log in self.logs for key, each in log.records.items()}

    def _notes(self) -> tuple[str, ...]:
        parted = sum(not sheet.is_whole for sheet in self.state.sheets.values())
        late = [f"{plural(parted, 'page')} wait for earlier changes, which have not arrived yet"]
        names = {log.head.hash: log.shown for log in self.logs}
        broken = []
        for head, problems in self.state.problems.items():
            line, problem = min(problems.items())
            rest = len(problems) - 1
            others = f" (and {plural(rest, 'other line')})" if rest else ""
            broken.append(f"{names.get(head, 'a log')}, line {line} is not used: {problem}{others}")
        ahead = [
            f"{names.get(head, 'a log')}: the clock of {plural(count, 'line')} is far ahead of all "
            "others; not used"
            for head, count in self.state.ahead.items()
        ]
        gone = [f"{name}: {what}" for name, what in self._gone]
        return (*self._logs.notes, *(late if parted else []), *broken, *ahead, *gone)

    def _both_ways(self, member: Membership) -> Synced:
        member = self._with_present(member)
        self._keys.learn(self._store, member.own)
        news = ReceivedChanges()
        with contextlib.ExitStack() as opened:
            member, writer = self._with_log(upgrade_membership(member, self._logs), opened)
            if writer is None:
                return self._result(Synced(is_busy=True))
            self._poll()  # records just written by another window of this workspace
            noted = self._membership()
            member = replace(member, known=noted.known, writing=noted.writing)
            if self._is_of_another(member):
                before, last = member, writer
                member, writer = self._with_log(member.anew(), opened)
                assert writer is not None  # no other device knows the name
                self._log_successor(before, member, last)
            self._own_uids = member.own
            self.state.refused |= {*member.refused}
            self.state.accept(member.voices or ())
            self._add_to_state([*known_in(member, self._logs), *member.writing])
            written = self._write(member, writer)
            self._add_to_state(list(self._waiting))
            ends = ((log.head.hash, each) for log in self.logs for each in log.ends)
            known = sorted(f"{head} {each.number} {each.hash}" for head, each in ends)
            member = replace(member, writing=(), known=tuple(known))
            self._is_new |= bool(self.state.trust_first(member.own))
            # Also those that a log names which may be gone tomorrow.
            learned = sorted(self.state.voices.difference(member.voices or ()))
            member = replace(member, voices=(*(member.voices or ()), *learned))
            member, self._gone = watch_logs(member, noted, self._logs)
            if self._is_new or member != noted:
                self._receive(member, news)
        return self._result(Synced(written, news), *news.notes[:3])

    def _with_log(
        self, member: Membership, opened: contextlib.ExitStack
    ) -> tuple[Membership, LogWriter | None]:
        """Return the membership with its own log, open for writing until ``opened`` is left."""
        people = {who.uid: who.name for who in annotators.annotators(self._store)}
        name = next((people[uid] for uid in member.own if uid in people), "")
        member = with_log(member, self._logs, name)
        assert member.log is not None
        path = path_of(member, self._logs.folder)
        return member, opened.enter_context(LogWriter.opened(path, member.log))

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
        log, head = self._own(before), member.log
        assert log is not None
        assert head is not None
        records = [log.last]
        for uid in member.own:
            end, body = records[-1], _accepted(uid, head.hash, head.body["host"])
            records.append(LogLine.made(end.number + 1, end.clock + 1, end.hash, "accepted", body))
        writer.append(records[1:])
        self._poll()

    def _add_to_state(self, hashes: Sequence[str]) -> None:
        """Add records, and all before them, to the state."""
        if not self._waiting:
            return
        for log in self.logs:
            new = [each for each in log.closure(hashes) if each.hash in self._waiting]
            for record in new:
                del self._waiting[record.hash]
            self.state.add(log.head, new)
            self._is_new |= bool(new)

    def _write(self, member: Membership, writer: LogWriter) -> int:
        bodies = self._unwritten(member)
        log = self._own(member)
        files = log.files if log is not None else []
        written = next((file.records for file in files if file.path == writer.path), {})
        ends = [each for each in written.values() if log is not None and each.hash in log.records]
        last = max(ends, key=lambda each: (each.number, each.hash), default=None)
        if not bodies and last is not None:
            return 0
        assert member.log is not None
        records = [last or member.log]
        clock = max(clock_after(self.state.clock, self._waiting.values()), records[0].clock)
        for index, (kind, body) in enumerate(bodies, 1):
            number = records[0].number + index
            records.append(LogLine.made(number, clock + index, records[-1].hash, kind, body))
        if last is not None:
            del records[0]
        with self._store.saving():
            self._put(replace(member, writing=tuple(each.hash for each in records)))
        writer.append(records)
        self._poll()
        self._add_to_state([records[-1].hash])
        return len(records)

    def _unwritten(self, member: Membership) -> list[New]:
        kinds = ("change", "comment", "guideline")
        waiting = [each for each in self._waiting.values() if each.kind in kinds and is_valid(each)]
        arrived = {change_id(each.body) for each in waiting if each.kind == "change"}
        arrived |= {each.body["id"] for each in waiting if each.kind == "comment"}
        has_guideline = any(each.kind == "guideline" for each in waiting)
        changes = OwnChanges(self._store, self.state, self._keys, arrived, self._written)
        result = changes.of(member.own, has_guideline=has_guideline)
        return [*result, *self._devices(member)]

    def _devices(self, member: Membership) -> Iterator[New]:
        """Yield which other devices of those who work here were accepted here."""
        for uid, head in member.voices or ():
            log = self._logs.by_head.get(head)
            is_said = self.state.setting("accepted", uid, head) is not None
            is_other = member.log is None or head != member.log.hash
            if log is not None and is_other and uid in member.own and not is_said:
                yield "accepted", _accepted(uid, head, log.host)

    # receiving -------------------------------------------------------------------------------
    def _receive(self, member: Membership, news: ReceivedChanges) -> None:
        state = self.state
        receiving = Receiving(self._store, state, self._keys, member.own, news)
        people, touched = state.people(), sorted(state.touched)
        comments, dealt = receiving.new_comments(), state.of_kind("assigned")
        steps: list[Callable[[], None]] = [
            *(partial(receiving.people, part) for part in _parts(people, _MANY)),
            *(partial(receiving.sheets, part) for part in _parts(touched, _AT_ONCE)),
            *(partial(receiving.comments, part) for part in _parts(comments, _MANY)),
            *(partial(receiving.assignments, part) for part in _parts(dealt, _MANY)),
            receiving.rest,
            partial(self._put, member),
        ]
        if len(steps) <= _FEW:
            receiving.read(touched)
            with self._store.saving():
                for step in steps:
                    step()
        else:
            for step in steps:
                if isinstance(step, partial) and step.func == receiving.sheets:
                    receiving.read(*step.args)
                with self._store.saving():
                    step()
                time.sleep(_PAUSE)
        state.touched.clear()
        self._is_new = False


def _accepted(uid: str, log: str, host: str) -> Body:
    """Return the body of the record by which a person accepts a log as a device of theirs."""
    made = datetime.now(UTC).isoformat(timespec="seconds")
    return {"uid": uid, "log": log, "host": host, "made": made}


def _parts(items: Sequence[T], most: int) -> Iterator[Sequence[T]]:
    for begin in range(0, len(items), most):
        yield items[begin : begin + most]
