"""State of a team: a function of the set of all records, in any order.

Changes of the marks of a page name the change they follow, and so make a tree; where two devices of
one annotator diverged, it forks.  For each setting (a name, a status, a decision) the record of the
highest rank holds.  Comments are added, and removed by who wrote them, once and for all. Nothing
here depends on when a record came, or how often.

A record counts for a person only if its log is a *voice* of that person: accepted as a device of
theirs.  Other records are held, and read only for their effect.  Voices are told by the
workspace (`TeamState.accept`), and a voice may name others of its person, by a record ``accepted``.
The first device of a person unknown so far is a voice without being asked (`trust_first`).
"""

import uuid
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from annotate.plugins.team_folder.record import Body, LogLine, change_id, check
from engine.errors import InputError

SheetId = tuple[str, str]
"""Uid of an annotator, and the key of a page as logs have it."""

Setting = tuple[str, ...]
"""What tells a thing that is set from others of its kind."""

Voice = tuple[str, str]
"""Uid of a person, and the hash of the first record of a log: that it may speak for the person."""

FARTHEST = 1 << 24
"""How far a clock may be ahead of all others.  Whoever sets theirs to the largest number there is
would leave none to those who write next; honest ones grow by two a record at most."""

_SPACE = uuid.UUID("0c6f4a3e-58a8-4e0e-8d0b-6a1f6d4f2b11")

_SETTINGS: dict[str, tuple[str, ...]] = {
    "person": ("uid",),
    "page": ("uid", "key"),
    "status": ("uid", "key"),
    "settled": ("id",),
    "decision": ("uid", "key", "item"),
    "assigned": ("uid",),
    "quiz": ("uid", "key"),
    "guideline": (),
    "accepted": ("uid", "log"),
}


def uid_beside(uid: str, device: str) -> str:
    """Return who has what an annotator did on a device apart from the others: "Anna (laptop)"."""
    return uuid.uuid5(_SPACE, f"{uid} {device}").hex


@dataclass
class Sheet:
    """The changes of one annotator's marks on one page, as a tree.

    Attributes:
        changes: Id of a change → its record's body.
        following: Id → ids of the changes directly behind it; "" of those that begin.
        devices: Id → the devices in whose logs it is.
    """

    changes: dict[str, Body] = field(default_factory=dict)
    following: dict[str, set[str]] = field(default_factory=dict)
    devices: dict[str, set[str]] = field(default_factory=dict)

    def add(self, body: Body, device: str) -> None:
        key = change_id(body)
        self.changes[key] = body
        self.following.setdefault(body["after"], set()).add(key)
        self.devices.setdefault(key, set()).add(device)

    def chains(self) -> list[tuple[str, list[str]]]:
        """Return, for each device, the longest line of changes it wrote an end of: their ids.

        Only lines that are complete from the first change on, and not part of a longer one.  In the
        order of the devices, so that all who have the same records have the same first one.
        """
        ends: dict[str, tuple[int, str]] = {}
        open_ = [("", 0)]
        while open_:
            key, depth = open_.pop()
            following = self.following.get(key, ())
            behind = [each for each in following if self.changes[each]["revision"] == depth + 1]
            if behind:
                open_ += [(each, depth + 1) for each in behind]
            elif key:
                device = min(self.devices[key])
                ends[device] = max(ends.get(device, (0, "")), (depth, key))
        return [(device, self._to(key)) for device, (_, key) in sorted(ends.items())]

    def _to(self, end: str) -> list[str]:
        result = [end]
        while after := self.changes[result[-1]]["after"]:
            result.append(after)
        return result[::-1]

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing before any of the changes."""
        return all(each == "" or each in self.changes for each in self.following)


@dataclass
class TeamState:
    """State of a team; `add` takes records in.

    Attributes:
        sheets: Of whom, of which page.
        settings: Kind → setting → its current record.
        introduced: Uid → the record by which others name an absent person.
        removed: Comments that were taken back: id, and author.
        decisions: Of a sheet: the differences that were decided.
        touched: Sheets with news, since it was last emptied.
        devices: Uid → the devices that write for it, each with the name of its host.
        voices: Logs accepted for each person.
        refused: Logs that are never accepted.
        held: Records that count for nobody, since their log is not accepted for their speaker.
        heads: Hash → the first record of each log.
        problems: Hash of a log → problems of its records that are not used.
        clock: The largest that is not too far ahead.
    """

    sheets: dict[SheetId, Sheet] = field(default_factory=dict)
    settings: dict[str, dict[Setting, LogLine]] = field(default_factory=dict)
    introduced: dict[str, LogLine] = field(default_factory=dict)
    removed: set[tuple[str, str]] = field(default_factory=set)
    decisions: dict[SheetId, set[str]] = field(default_factory=dict)
    touched: set[SheetId] = field(default_factory=set)
    devices: dict[str, dict[str, str]] = field(default_factory=dict)
    voices: set[Voice] = field(default_factory=set)
    refused: set[Voice] = field(default_factory=set)
    held: dict[Voice, dict[str, LogLine]] = field(default_factory=dict)
    heads: dict[str, LogLine] = field(default_factory=dict)
    problems: dict[str, dict[int, str]] = field(default_factory=dict)
    clock: int = 0
    _comments: dict[str, dict[str, LogLine]] = field(default_factory=dict)  # id → author → record
    _removers: dict[str, dict[str, LogLine]] = field(default_factory=dict)  # id → log → record
    _claims: dict[str, set[str]] = field(default_factory=dict)  # uid → logs with its records
    _named: dict[Voice, set[str]] = field(default_factory=dict)  # log → those that name it theirs
    _ahead: dict[str, tuple[LogLine, LogLine]] = field(default_factory=dict)  # head, and record
    _beside: set[str] = field(default_factory=set)
    _dealers: dict[str, str] = field(default_factory=dict)  # hash of a record → uid of its log

    # taking in -------------------------------------------------------------------------------
    def add(self, head: LogLine, records: Iterable[LogLine]) -> None:
        """Add records of the log that begins with ``head``."""
        self.heads[head.hash] = head
        self._ahead.update((each.hash, (head, each)) for each in records)
        self.clock = clock_after(self.clock, (each for _, each in self._ahead.values()))
        limit = self.clock + FARTHEST
        ready = [pair for pair in self._ahead.values() if pair[1].clock <= limit]
        for log, record in ready:
            del self._ahead[record.hash]
            self._take(log, record)

    def _take(self, head: LogLine, record: LogLine) -> None:
        try:
            check(record)
        except InputError as error:
            self.problems.setdefault(head.hash, {})[record.number + 1] = str(error)
            return
        if record.kind == "removed":
            self._removers.setdefault(record.body["id"], {})[head.hash] = record
            for author in self._comments.get(record.body["id"], ()):
                self._remove(head.hash, author, record)
            return
        if record.kind not in _KNOWN:
            return
        uid = record.speaker(head)
        if record.kind == "accepted":
            self._named.setdefault((uid, record.body["log"]), set()).add(head.hash)
        if record.kind == "person" and uid != head.body["uid"]:
            held = self.introduced.get(uid)
            if held is None or held.rank < record.rank:
                self.introduced[uid] = record
        elif head.hash not in (claims := self._claims.setdefault(uid, set())):
            claims.add(head.hash)
            self._beside.add(uid_beside(uid, head.body["device"]))
        voice = uid, head.hash
        if voice in self.voices:
            self._add(head, record)
        else:
            self.held.setdefault(voice, {})[record.hash] = record

    def accept(self, voices: Iterable[Voice]) -> None:
        """Accept logs for persons, unless they were refused."""
        new = [each for each in voices if each not in self.voices | self.refused]
        while new:
            voice = new.pop()
            if voice in self.voices or voice in self.refused:
                continue
            self.voices.add(voice)
            for record in self.held.pop(voice, {}).values():
                if record.kind == "removed":
                    self._remove(voice[1], voice[0], record)
                else:
                    self._add(self.heads[voice[1]], record)
            new += [k for k, by in self._named.items() if k[0] == voice[0] and voice[1] in by]

    def trust_first(self, own: Collection[str] = ()) -> set[Voice]:
        """Accept the first log of each person who has no voice yet; return which these are.

        The person's own before those of others, then the one that most of the others name as
        theirs, then one with content, then the oldest.  Never for ``own``: their person decides
        which devices are theirs.
        """
        result = set()
        heard = {uid for uid, _ in self.voices}
        for uid, logs in sorted(self._claims.items()):
            if uid in heard or uid in own or uid in self._beside:
                continue
            logs = {log for log in logs if (uid, log) not in self.refused}
            logs = {log for log in logs if self.heads[log].body["uid"] == uid} or logs
            if logs:
                result.add((uid, min(logs, key=lambda log: self._age(uid, log))))
        self.accept(result)
        return result

    def _age(self, uid: str, log: str) -> tuple[int, bool, int, str]:
        named = self._named.get((uid, log), set()) - {log}
        is_bare = all(each.kind == "log" for each in self.held.get((uid, log), {}).values())
        return -len(named & self._claims[uid]), is_bare, self.heads[log].clock, log

    def _add(self, head: LogLine, record: LogLine) -> None:
        body, kind, device = record.body, record.kind, head.body["device"]
        if kind == "log":
            self.devices.setdefault(body["uid"], {})[device] = body["host"]
        elif kind == "change":
            which = body["uid"], body["key"]
            self.sheets.setdefault(which, Sheet()).add(body, device)
            self.touched.add(which)
        elif kind == "comment":
            of_id = self._comments.setdefault(body["id"], {})
            held = of_id.get(body["author"])
            if held is None or record.rank < held.rank:
                of_id[body["author"]] = record
            for log, remover in self._removers.get(body["id"], {}).items():
                self._remove(log, body["author"], remover)
        else:
            self._set(head, record)

    def _set(self, head: LogLine, record: LogLine) -> None:
        body, kind = record.body, record.kind
        what = tuple(str(body[name]) for name in _SETTINGS[kind])
        of_kind = self.settings.setdefault(kind, {})
        held = of_kind.get(what)
        if held is None or held.rank < record.rank:
            of_kind[what] = record
            if kind in ("assigned", "guideline"):
                self._dealers[record.hash] = head.body["uid"]
            if kind == "decision":
                self.decisions.setdefault((body["uid"], body["key"]), set()).add(body["item"])
            if kind in ("page", "status", "decision"):
                self.touched.add((body["uid"], body["key"]))
        if kind == "accepted":
            self.accept([(body["uid"], body["log"])])

    def _remove(self, log: str, author: str, record: LogLine) -> None:
        if (author, log) in self.voices:
            self.removed.add((record.body["id"], author))
        else:
            self.held.setdefault((author, log), {})[record.hash] = record

    # asking ----------------------------------------------------------------------------------
    @property
    def comments(self) -> dict[str, LogLine]:
        """Id → record of the comments that were not taken back.

        Where several persons wrote one of the same id, those of a higher rank have another.
        """
        result = {}
        for number, by_author in self._comments.items():
            ordered = sorted(by_author.values(), key=lambda each: each.rank)
            for index, record in enumerate(ordered):
                author = record.body["author"]
                if (number, author) not in self.removed:
                    result[uid_beside(number, author) if index else number] = record
        return result

    def has_comment(self, number: str, author: str) -> bool:
        """Return whether a comment is or was in a log."""
        return author in self._comments.get(number, ())

    @property
    def ahead(self) -> dict[str, int]:
        """Hash of a log → how many of its records have a clock too far ahead of all others."""
        return Counter(head.hash for head, _ in self._ahead.values())

    def setting(self, kind: str, *which: str) -> Body | None:
        """Return the body of the record with a setting; None where nothing is."""
        record = self.settings.get(kind, {}).get(which)
        return None if record is None else record.body

    def of_kind(self, kind: str) -> list[Body]:
        """Return all settings of a kind, in a fixed order."""
        there = self.settings.get(kind, {})
        return [there[what].body for what in sorted(there)]

    def person(self, uid: str) -> Body | None:
        """Return name and role as the person gives them; of absent persons as others give them."""
        own = self.setting("person", uid)
        if own is None and uid in self.introduced and uid not in self._claims:
            return self.introduced[uid].body
        return own

    def is_introduction(self, record: LogLine) -> bool:
        """Return whether a record only names an absent person."""
        return record.kind == "person" and record.body["uid"] not in self._claims

    def people(self) -> list[Body]:
        """Return all persons, absent ones too, in a fixed order."""
        uids = {what[0] for what in self.settings.get("person", {})} | self.introduced.keys()
        return [body for uid in sorted(uids) if (body := self.person(uid)) is not None]

    def dealer(self, kind: str, *which: str) -> str:
        """Return the uid of the person who made a public setting; "" if nobody did."""
        record = self.settings.get(kind, {}).get(which)
        return "" if record is None else self._dealers.get(record.hash, "")


_KNOWN = {"log", "change", "comment", *_SETTINGS}


def clock_after(clock: int, records: Iterable[LogLine]) -> int:
    """Return the largest clock that is not too far ahead of the one before it."""
    for each in sorted(record.clock for record in records):
        if each > clock + FARTHEST:
            break
        clock = max(clock, each)
    return clock
