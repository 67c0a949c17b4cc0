"""Held records, whose log no window of their speaker has accepted, and their effect."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from annotate.plugins.team_folder.logs import Log
from annotate.plugins.team_folder.record import Body, LogLine
from annotate.plugins.team_folder.state import TeamState, Voice
from engine.words import plural

MOST = 50
"""Changes that are listed of one log, and logs that are listed."""


@dataclass(frozen=True)
class Held:
    """Records of one log in the name of one person.

    Attributes:
        voice: Uid of the person, and hash of the log's first record.
        name: Of the person.
        host: Of the machine, as the log has it.
        file: Name of the log.
        written: Time of the last write, UTC, to the minute.
        is_mine: Whether the person works here: whose device it is, is asked here.
        is_refused: Whether the answer was no.
        count: Of the records that change something.
        changes: Effects on the workspace, a clause each, at most `MOST`.
    """

    voice: Voice
    name: str
    host: str
    file: str
    written: str
    is_mine: bool
    is_refused: bool
    count: int
    changes: tuple[str, ...]

    @property
    def origin(self) -> str:
        """Person, host and time: "as Anna, on laptop, 2026-11-26 13:05 UTC"."""
        return f"as {self.name}, on {self.host}, {self.written} UTC"

    @property
    def why(self) -> str:
        """Reason why it waits, as a clause."""
        if self.is_refused:
            return "it was refused here"
        if self.is_mine:
            return "say whether it is you"
        return f"{self.name} has not accepted that device"

    @property
    def question(self) -> str:
        """Question in the window of the person."""
        return (
            f"{self.file} writes as {self.name}, on {self.host}, last {self.written} UTC. "
            "Is that you, on another device?"
        )

    @property
    def note(self) -> str:
        """A sentence on what waits for what."""
        count = plural(self.count, "record")
        return f"{count} of {self.file} in the name of {self.name}: {self.why}"

    def as_json(self) -> Mapping[str, Any]:
        return {
            "log": self.file, "name": self.name, "host": self.host, "written": self.written,
            "yours": self.is_mine, "refused": self.is_refused, "changes": list(self.changes),
        }  # fmt: skip


def held_of(
    state: TeamState, logs: Iterable[Log], own: Collection[str], names: Mapping[str, str]
) -> tuple[Held, ...]:
    """Return the held records of each log and person: own ones first, then by file.

    ``names`` are those of a workspace, by uid.
    """
    by_head = {log.head.hash: log for log in logs}
    result = []
    for voice in sorted(state.held, key=lambda each: (each[0] not in own, each))[:MOST]:
        uid, head = voice
        records = [each for each in state.held[voice].values() if not state.is_introduction(each)]
        if not records or head not in by_head:
            continue
        log = by_head[head]
        lines = [line for each in records if (line := _effect(state, each))]
        more = [f"and {len(lines) - MOST} more"] if len(lines) > MOST else []
        written = datetime.fromtimestamp(log.last_written, UTC).strftime("%Y-%m-%d %H:%M")
        result.append(
            Held(
                voice, _name(state, uid, records, names), log.host, log.shown, written,
                uid in own, voice in state.refused, len(lines), (*lines[:MOST], *more),
            )
        )  # fmt: skip
    return tuple(sorted(result, key=lambda each: (not each.is_mine, each.file, each.voice)))


def _name(state: TeamState, uid: str, records: Iterable[LogLine], names: Mapping[str, str]) -> str:
    """Return a person's name; as the workspace or these records have it, where no log does."""
    claimed = [str(each.body["name"]) for each in records if each.kind == "person"]
    if state.person(uid) is None and (name := names.get(uid) or "".join(claimed[-1:])):
        return name
    return name_of(state, uid)


def name_of(state: TeamState, uid: str) -> str:
    """Return a person's name; who has none is called by how the uid begins."""
    person = state.person(uid)
    return str(person["name"]) if person is not None else uid[:8]


def _effect(state: TeamState, record: LogLine) -> str:
    """Return the effect of a record, as a clause; "" for invisible ones."""
    body, kind = record.body, record.kind
    which = (body[name] for name in ("uid", "key") if name in body)
    if kind in ("person", "status") and body == state.setting(kind, *which):
        return ""
    if kind == "assigned":
        return f"assigns {plural(len(body['pages']), 'page')} to {name_of(state, body['uid'])}"
    return _EFFECTS[kind](body) if kind in _EFFECTS else ""


_EFFECTS: dict[str, Callable[[Body], str]] = {
    "person": lambda b: f"name: {b['name']}{' (reviewer)' * (b['role'] == 'reviewer')}",
    "change": lambda b: f"marks on {_short(b['key'])}: {_short(b['what'])}",
    "status": lambda b: f"status of {_short(b['key'])}: {b['status']}",
    "comment": lambda b: f"{b['kind']} on {_short(b['key'])}: {_short(b['text'])}",
    "removed": lambda b: f"takes back the comment {b['id'][:8]}",
    "settled": lambda b: f"{'settles' if b['settled'] else 'opens'} the comment {b['id'][:8]}",
    "decision": lambda b: f"decision on {_short(b['key'])}: {_short(b['choice'] or 'none')}",
    "quiz": lambda b: f"quiz on {_short(b['key'])}: {b['right']} of {b['of']}",
    "guideline": lambda b: f"guideline: {_short(b['name'])}",
    "accepted": lambda b: f"accepts a device on {b['host']}",
}


def _short(text: str) -> str:
    words = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return words if len(words) <= 70 else f"{words[:69]}…"
