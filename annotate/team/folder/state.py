"""What a team has done: a function of the set of all records, whatever order they came in.

Changes of the marks of a page name the change they follow, and so make a tree; where two devices
of one annotator went on apart, it forks.  Of what is set (a name, a status, a decision) the record
of the highest rank holds.  Comments are added, and removed once and for all.  Nothing here depends
on when a record came, or how often.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from annotate.team.folder.record import Body, Record, change_id, check
from engine.errors import InputError

SheetId = tuple[str, str]
"""Uid of an annotator, and the key of a page as logs have it."""

Setting = tuple[str, ...]
"""What tells a thing that is set from others of its kind."""

_SETTINGS: dict[str, tuple[str, ...]] = {
    "person": ("uid",),
    "page": ("uid", "key"),
    "status": ("uid", "key"),
    "settled": ("id",),
    "decision": ("uid", "key", "item"),
    "assigned": ("uid",),
    "quiz": ("uid", "key"),
    "guideline": (),
}


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

    def add(self, body: Body, device: str) -> str:
        key = change_id(body)
        self.changes[key] = body
        self.following.setdefault(body["after"], set()).add(key)
        self.devices.setdefault(key, set()).add(device)
        return key

    def chains(self) -> list[tuple[str, list[str]]]:
        """Return, for each end of the tree, a device that wrote it and the ids that lead to it.

        Only what is whole from the first change on.  In the order of the devices, so that all
        who have the same records have the same first one.
        """
        result: list[tuple[str, list[str]]] = []
        open_: list[tuple[str, int]] = [(key, 1) for key in self._behind("", 0)]
        line: list[str] = []
        while open_:
            key, depth = open_.pop()
            del line[depth - 1 :]
            line.append(key)
            behind = self._behind(key, depth)
            if behind:
                open_ += [(each, depth + 1) for each in behind]
            else:
                result.append((min(self.devices[key]), line.copy()))
        return sorted(result, key=lambda each: (each[0], each[1][-1]))

    def _behind(self, key: str, revision: int) -> list[str]:
        return [
            each
            for each in self.following.get(key, ())
            if self.changes[each]["revision"] == revision + 1
        ]

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing before any of the changes."""
        return all(each == "" or each in self.changes for each in self.following)


@dataclass
class TeamState:
    """All that is known; `add` takes records in.

    Attributes:
        sheets: Of whom, of which page.
        settings: Kind → what is set → the record that holds.
        comments: Id → its record.
        removed: Ids of comments that were taken back.
        decisions: Of a sheet: the differences that were decided.
        touched: Sheets with news, since somebody emptied it.
        devices: Uid → the devices that wrote for it, each with the name of its host.
        problems: What is wrong with records that are not used, a sentence each.
        clock: The largest there is.
    """

    sheets: dict[SheetId, Sheet] = field(default_factory=dict)
    settings: dict[str, dict[Setting, Record]] = field(default_factory=dict)
    comments: dict[str, Record] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    decisions: dict[SheetId, set[str]] = field(default_factory=dict)
    touched: set[SheetId] = field(default_factory=set)
    devices: dict[str, dict[str, str]] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    clock: int = 0

    def add(self, device: str, records: Iterable[Record]) -> None:
        """Take in records of the log of a device."""
        for record in records:
            self.clock = max(self.clock, record.clock)
            try:
                check(record)
            except InputError as error:
                self.problems[record.hash] = str(error)
                continue
            self._add(device, record)

    def _add(self, device: str, record: Record) -> None:
        body, kind = record.body, record.kind
        if kind == "log":
            self.devices.setdefault(body["uid"], {})[device] = body["host"]
        elif kind == "change":
            which = body["uid"], body["key"]
            self.sheets.setdefault(which, Sheet()).add(body, device)
            self.touched.add(which)
        elif kind == "comment":
            held = self.comments.get(body["id"])
            if held is None or record.rank < held.rank:
                self.comments[body["id"]] = record
        elif kind == "removed":
            self.removed.add(body["id"])
        elif kind in _SETTINGS:
            what = tuple(str(body[name]) for name in _SETTINGS[kind])
            of_kind = self.settings.setdefault(kind, {})
            held = of_kind.get(what)
            if held is None or held.rank < record.rank:
                of_kind[what] = record
                if kind == "decision":
                    items = self.decisions.setdefault((body["uid"], body["key"]), set())
                    items.add(body["item"])
                if kind in ("page", "status", "decision"):
                    self.touched.add((body["uid"], body["key"]))

    def setting(self, kind: str, *which: str) -> Body | None:
        """Return what is set, as the body of its record; None where nothing is."""
        record = self.settings.get(kind, {}).get(which)
        return None if record is None else record.body

    def of_kind(self, kind: str) -> list[Body]:
        """Return all that is set of a kind, in an order of its own."""
        there = self.settings.get(kind, {})
        return [there[what].body for what in sorted(there)]
