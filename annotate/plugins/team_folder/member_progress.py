"""Who works in a team folder, and how far each is: read from the logs alone."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotate.plugins.team_folder.membership import state_of
from annotate.plugins.team_folder.state import TeamState
from engine.errors import InputError
from engine.words import join_words, plural


@dataclass(frozen=True)
class Progress:
    """Progress of a person.

    Attributes:
        name, role: Name and role.
        hosts: The machines he works on; none: he was only assigned pages.
        marked, done, assigned, questions: Pages.
        comments: Number of his comments.
        last: Time of his last change of marks or comment, UTC in ISO 8601; "" for none.
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
        return f"{self.name}{role}: {', '.join(parts)}{last}, on {join_words(self.hosts)}"

    def as_json(self) -> Mapping[str, Any]:
        return vars(self) | {"hosts": list(self.hosts)}


def progress_in(folder: Path) -> tuple[list[Progress], list[str]]:
    """Return how far all are, by name, and a sentence on each file that is incomplete."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder")
    state, notes = state_of(folder)
    return progress_of(state), notes


def progress_of(state: TeamState) -> list[Progress]:
    """Return how far all are, by name."""
    sheets, statuses = defaultdict(list), defaultdict(list)
    for (uid, _), sheet in state.sheets.items():
        sheets[uid].append(sheet)
    for body in state.of_kind("status"):
        statuses[body["uid"]].append(body["status"])
    said = defaultdict(list)
    for record in state.comments.values():
        said[record.body["author"]].append(record.body["made"])
    result = []
    for person in state.people():
        uid = person["uid"]
        made = [each["made"] for sheet in sheets[uid] for each in sheet.changes.values()]
        assigned = state.setting("assigned", uid) or {"pages": []}
        result.append(
            Progress(
                person["name"], person["role"],
                tuple(sorted({*state.devices.get(uid, {}).values()})), len(sheets[uid]),
                statuses[uid].count("done"), len(assigned["pages"]),
                statuses[uid].count("question"), len(said[uid]),
                max([*made, *said[uid]], default=""),
            )
        )  # fmt: skip
    return sorted(result, key=lambda each: each.name)
