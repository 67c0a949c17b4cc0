"""Whether the marks of a page and the journal that led to them hold together.

Asked of all that enters a workspace from another file, and of what a merge would leave, before it
is written: a page that passes can be loaded, undone and saved.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from annotate.marks import journal, records
from engine.errors import InputError

SheetChange = tuple[int, str]
"""Revision and delta of a change."""

_MARKS = "SELECT id, record FROM marks WHERE page = ? ORDER BY place"
_CHANGES = "SELECT revision, delta FROM changes WHERE page = ? ORDER BY revision"


def check(
    revision: int, marks: Mapping[str, str], changes: Sequence[SheetChange], *, leads: bool = True
) -> None:
    """Check the marks of one annotator on one page.

    Args:
        revision: The page's.
        marks: Id → record, in their order.
        changes: The journal, in order.
        leads: Whether the changes must lead to the marks, and all be written as Pagelet writes
            them, so that they mean the same to SQLite.  Old files may hold to less.

    Raises:
        InputError: A record, a change or their order is not as loading and saving need it.
    """
    there = {mark: check_sheet(mark, text) for mark, text in marks.items()}
    if any("\\ud" in text and "\\ud" in there[mark]["type"] for mark, text in marks.items()):
        raise InputError("a mark is damaged: its type has half a character")
    if [number for number, _ in changes] != list(range(1, revision + 1)):
        raise InputError("changes of its marks are missing")
    state: dict[str, Any] = {}
    for _, delta in changes:
        _apply(state, delta)
    same = {mark: records.check(record) for mark, record in state.items()}
    if not leads:
        return
    if list(same.items()) != list(there.items()):
        raise InputError("its changes do not lead to its marks")
    for text in (*marks.values(), *(delta for _, delta in changes)):
        if journal.dump(records.read_json(text)) != text:  # as with a repeated name
            raise InputError("a mark is damaged: it is not written as Pagelet writes it")


def check_sheet(mark: str, text: str) -> records.MarkRecord:
    """Return a stored record, repaired as `records.check` does.

    `InputError` if it is none, or not in strict JSON.
    """
    try:
        record = records.check(records.read_json(text))
    except records.BROKEN as error:
        raise InputError(f"a mark is damaged: {error}") from None
    if record["id"] != mark:
        raise InputError("a mark is damaged: its id is used twice")
    return record


def after(state: Mapping[str, Any], delta: str) -> dict[str, Any]:
    """Return the records, by id, after a change; `InputError` if it does not describe one."""
    result = dict(state)
    _apply(result, delta)
    return result


def marks_after(deltas: Sequence[str]) -> dict[str, str]:
    """Return id → record of the marks that changes lead to; `InputError` if they lead to none."""
    state: dict[str, Any] = {}
    for delta in deltas:
        _apply(state, delta)
    marks = {mark: journal.dump(record) for mark, record in state.items()}
    check(len(deltas), marks, list(enumerate(deltas, 1)))
    return marks


def check_change(delta: str) -> None:
    """Raise `InputError` if a text is not a change of marks, as Pagelet writes one."""
    try:
        change = records.read_json(delta)
        for record in change["set"]:
            records.check(record)
        named = [*change["drop"], *change.get("order", ())]
        if not all(isinstance(mark, str) for mark in named) or journal.dump(change) != delta:
            raise ValueError("it is not written as Pagelet writes it")
    except records.BROKEN as error:
        raise InputError(f"a change of its marks is damaged: {error}") from None


def _apply(state: dict[str, Any], delta: str) -> None:
    """Change records in place: a journal is read in a time that grows with its length alone."""
    try:
        change = records.read_json(delta)
        for mark in change["drop"]:
            state.pop(mark, None)
        for record in change["set"]:
            state[records.check(record)["id"]] = record
        if "order" in change:
            if sorted(change["order"]) != sorted(state):
                raise ValueError("its order lists other marks")
            there = {mark: state[mark] for mark in change["order"]}
            state.clear()
            state.update(there)
    except records.BROKEN as error:
        raise InputError(f"a change of its marks is damaged: {error}") from None


def fault(db: sqlite3.Connection, *, leads: bool = True) -> str:
    """Return the problem of the first inconsistent page, or ""; some 20 µs a change."""
    for page, url, revision in db.execute("SELECT id, url, revision FROM pages").fetchall():
        try:
            marks = db.execute(_MARKS, (page,)).fetchall()
            check(revision, dict(marks), db.execute(_CHANGES, (page,)).fetchall(), leads=leads)
        except InputError as error:
            return f"{url}: {error}"
    return ""
