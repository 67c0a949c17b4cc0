"""Annotators: who works in a workspace, and in which role.

A workspace of one person has one annotator without a name.  Each annotator has a sheet of his own
of each page; a reviewer's sheets hold the decisions.  The ``uid`` tells who is who when files are
merged, so that names may change and two Annas stay two.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, count
from typing import Any
from uuid import uuid4

from annotate.marks.journal import CAME_WITH_PAGE
from annotate.workspace.store import Store
from engine.errors import InputError
from engine.words import no_such

NAMELESS = "without a name"
"""How one is called who works alone."""


class Role(StrEnum):
    """Role of a person."""

    ANNOTATOR = "annotator"
    REVIEWER = "reviewer"  # sees what all marked, and decides


@dataclass(frozen=True)
class Annotator:
    """A person: ``number`` is of this file, ``uid`` of all; ``name`` is "" until one is given."""

    number: int
    uid: str
    name: str
    role: Role = Role.ANNOTATOR

    @property
    def shown(self) -> str:
        return self.name or NAMELESS


ROWS = "SELECT id, uid, name, role FROM annotators ORDER BY id"
"""The query whose rows `of_rows` takes."""

_RENAME = "UPDATE annotators SET name = ?, role = ? WHERE id = ?"


def annotators(store: Store) -> tuple[Annotator, ...]:
    """Return all there are, in the order they came."""
    return of_rows(store.all(ROWS))


def of_rows(rows: Iterable[tuple[Any, ...]]) -> tuple[Annotator, ...]:
    """Return the annotators in a file's rows."""
    return tuple(Annotator(number, uid, name, Role(role)) for number, uid, name, role in rows)


def annotator_named(store: Store, name: str) -> Annotator:
    """Return one by name, or who has none as `NAMELESS`; `InputError` names those there are."""
    there = annotators(store)
    for each in there:
        if each.shown == name:
            return each
    raise InputError(no_such("annotator", name, [each.shown for each in there]))


def add(store: Store, name: str, role: Role = Role.ANNOTATOR, uid: str = "") -> Annotator:
    """Add a person, inside `Store.saving`; a used name gets a number: "Anna 2"."""
    uid, name = uid or uuid4().hex, free_name(store, name)
    sql = "INSERT INTO annotators (uid, name, role) VALUES (?, ?, ?)"
    return Annotator(store.run(sql, uid, name, str(role)), uid, name, role)


def free_name(store: Store, name: str) -> str:
    """Return an unused name: the given one, else with a number appended."""
    taken = {each.name for each in annotators(store)}
    numbered = (f"{name} {number}".strip() for number in count(2))
    return next(each for each in chain([name], numbered) if each not in taken)


def has_worked(store: Store, who: Annotator) -> bool:
    """Return whether a person has marks, statuses, decisions or comments.

    Marks that came with a page do not count.
    """
    (result,) = store.one(
        "SELECT EXISTS (SELECT 1 FROM pages WHERE annotator = ? AND (status <> 'open'"
        "  OR revision > 1 OR (revision = 1 AND NOT EXISTS"
        "  (SELECT 1 FROM changes WHERE page = pages.id AND what = ?))))"
        " OR EXISTS (SELECT 1 FROM decisions JOIN pages ON pages.id = decisions.page"
        "  WHERE annotator = ?)"
        " OR EXISTS (SELECT 1 FROM comments WHERE author = ?)",
        *(who.number, CAME_WITH_PAGE, who.number, who.number),
    ) or (0,)
    return bool(result)


def take_name(store: Store, who: Annotator, name: str, role: Role) -> None:
    """Set a person's name, which may be that of one without work.

    The pages assigned to that name go with it, and the other is left without a name.
    `InputError` if the name belongs to one who has worked, or ``who`` has a name already.
    """
    other = next((each for each in annotators(store) if each.name == name), None)
    if other is None or other.number == who.number:
        change(store, who, name, role)
        return
    if who.name or has_worked(store, other):
        raise InputError(f"there is an annotator {name} already")
    with store.saving():
        store.run(_RENAME, other.uid, str(other.role), other.number)  # names are unique
        store.run(_RENAME, name, str(role), who.number)
        store.run(_RENAME, "", str(Role.ANNOTATOR), other.number)
        store.run(
            "UPDATE OR REPLACE assignments SET annotator = ? WHERE annotator = ?",
            *(who.number, other.number),
        )


def change(store: Store, who: Annotator, name: str, role: Role) -> None:
    """Change a person's name or role; `InputError` if the name is taken."""
    if any(each.name == name and each.number != who.number for each in annotators(store)):
        raise InputError(f"there is an annotator {name} already")
    with store.saving():
        store.run(_RENAME, name, str(role), who.number)


def is_control(store: Store, who: Annotator, key: str) -> bool:
    """Return whether a page is a control for an annotator: its gold is hidden."""
    row = store.one(
        "SELECT control FROM assignments WHERE annotator = ? AND key = ?", who.number, key
    )
    return row is not None and bool(row[0])
