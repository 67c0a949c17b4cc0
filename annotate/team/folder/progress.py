"""Who works in a team folder, and how far each is: read from the logs alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotate.team.folder.logs import Logs
from annotate.team.folder.state import TeamState
from engine.errors import InputError
from engine.words import listed, plural


@dataclass(frozen=True)
class Progress:
    """How far somebody is.

    Attributes:
        name, role: Who.
        hosts: The machines he works on; none: he was only assigned pages.
        marked, done, assigned, questions: Pages.
        comments: How many he wrote.
        last: When his last change of marks or comment was made, UTC in ISO 8601; "" for none.
    """

    name: str
    role: str
    hosts: tuple[str, ...]
    marked: int
    done: int
    assigned: int
    questions: int
    comments: int
    last: str

    def __str__(self) -> str:
        role = " (reviewer)" if self.role == "reviewer" else ""
        if not self.hosts:
            return f"{self.name}{role}: {plural(self.assigned, 'page')} assigned, not here yet"
        of = f" of {self.assigned}" if self.assigned else ""
        parts = [f"{plural(self.marked, 'page')} marked", f"{self.done}{of} done"]
        if self.questions:
            parts.append(f"{self.questions} with a question")
        if self.comments:
            parts.append(plural(self.comments, "comment"))
        last = f", last change {self.last[:16].replace('T', ' ')} UTC" if self.last else ""
        return f"{self.name}{role}: {', '.join(parts)}{last}, on {listed(self.hosts)}"

    def as_json(self) -> Mapping[str, Any]:
        return vars(self) | {"hosts": list(self.hosts)}


def progress_of(folder: Path) -> tuple[list[Progress], list[str]]:
    """Return how far all are, by name, and a sentence on each file that is incomplete."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder")
    logs, state = Logs(folder), TeamState()
    logs.poll()
    for log in logs.by_head.values():
        state.add(log.head.body["device"], log.records.values())
    people = [_of(state, body) for body in state.of_kind("person")]
    return sorted(people, key=lambda each: each.name), logs.notes


def _of(state: TeamState, person: Mapping[str, Any]) -> Progress:
    uid = person["uid"]
    sheets = [sheet for (who, _), sheet in state.sheets.items() if who == uid]
    statuses = [each["status"] for each in state.of_kind("status") if each["uid"] == uid]
    mine = [each.body for each in state.comments.values() if each.body["author"] == uid]
    said = [each for each in mine if each["id"] not in state.removed]
    made = [each["made"] for sheet in sheets for each in sheet.changes.values()]
    assigned = state.setting("assigned", uid) or {"pages": []}
    return Progress(
        person["name"], person["role"], tuple(sorted({*state.devices.get(uid, {}).values()})),
        len(sheets), statuses.count("done"), len(assigned["pages"]), statuses.count("question"),
        len(said), max([*made, *(each["made"] for each in said)], default=""),
    )  # fmt: skip
