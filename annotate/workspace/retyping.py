"""Renaming a type of block in a whole workspace, as one change that is taken back as one.

Each sheet with the type gets a change in its journal, all of one name and time, so logs, merges and
histories carry it like any other.  The guideline follows: its page on the type
is renamed, or joins that on the other type, and states the former name.  In a team folder only the
sheets of those who work in this workspace are changed: the others' belong to their own logs.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from annotate.marks import journal, records
from annotate.marks.guideline import Guideline, default
from annotate.marks.journal import HistoryStep
from annotate.workspace import mark_rows
from annotate.workspace.store import Store
from annotate.workspace.stored_guideline import (
    SETTING,
    as_setting,
    parse_guideline,
    put_setting,
    stored_guideline,
    stored_setting,
)
from engine.errors import InputError
from engine.words import plural

_NAME = re.compile(r"rename type “(.*)” to “(.*)” everywhere", re.DOTALL)

_BEFORE = "guidelines before renaming"
"""Setting: name of a change, and the guideline that it changed; the latest last."""

_MOST_BEFORE = 20

_TEAM_FOLDER = "team folder"
"""Setting of the plug-in of that name: ``own`` are the uids of those who work here."""

_RECORDS = """
SELECT page, marks.id, record FROM marks JOIN pages ON pages.id = page
JOIN annotators ON annotators.id = annotator
WHERE ? IN (json_extract(record, '$.type'), json_extract(record, '$.guess.type'))
    AND uid IN (SELECT value FROM json_each(?))
ORDER BY page, marks.place
"""

SheetChanges = Sequence[tuple[Any, ...]]
"""Changes of a sheet as `mark_rows.changes_of` returns them."""


@dataclass(frozen=True)
class Retyped:
    """A change of types: its name, and how many marks on how many sheets it changed."""

    what: str
    marks: int
    sheets: int

    @property
    def summary(self) -> str:
        return f"{plural(self.marks, 'mark')} on {plural(self.sheets, 'page')}"


def is_everywhere(what: str) -> bool:
    """Return whether a change of this name was made in the whole workspace."""
    return _NAME.fullmatch(what) is not None


def name_of(old: str, new: str) -> str:
    """Return the name of the change that renames a type."""
    return f"rename type “{old}” to “{new}” everywhere"


def names_of(what: str) -> tuple[str, str] | None:
    """Return the former and the new type of a renaming; None for the name of another change."""
    match = _NAME.fullmatch(what)
    return None if match is None else (match[1], match[2])


def types(store: Store) -> Counter[str]:
    """Return the types of all marks that a renaming would change, with their numbers."""
    rows = store.all(
        "SELECT json_extract(record, '$.type') AS type, count(*) FROM marks"
        " JOIN pages ON pages.id = page JOIN annotators ON annotators.id = annotator"
        " WHERE type <> '' AND uid IN (SELECT value FROM json_each(?))"
        " GROUP BY type ORDER BY type",
        _own(store),
    )
    return Counter(dict(rows))


def retype(store: Store, old: str, new: str, step: HistoryStep = "edit") -> Retyped:
    """Give all marks of a type another one, there already or not, inside `Store.saving`.

    Raises `InputError` where there is no such type or no other name.
    """
    new = records.writable(" ".join(new.split()))
    if not new or new == old:
        raise InputError(f"{old} keeps its name: enter another one")
    what = name_of(old, new)
    sheets: dict[int, dict[str, str]] = {}
    for page, mark, record in store.all(_RECORDS, old, _own(store)):
        sheets.setdefault(page, {})[mark] = record
    before = stored_guideline(store)
    own = _renamed_guideline(before, old, new)
    if not sheets and own is None:
        raise InputError(f"no mark has the type {old}")
    made = _now()
    for page, marks in sheets.items():
        after = {mark: _retyped(record, {old: new}) for mark, record in marks.items()}
        _append(store, page, marks, after, (made, what, step))
    if own is not None:
        kept = [each for each in _kept(store) if each[0] != what][-_MOST_BEFORE:]
        put_setting(store, _BEFORE, [*kept, [what, as_setting(before)]])
        put_setting(store, SETTING, as_setting(own))
    return Retyped(what, sum(map(len, sheets.values())), len(sheets))


def take_back(store: Store, what: str) -> Retyped:
    """Give the marks that a renaming changed their former type again, inside `Store.saving`.

    Marks that got another type since keep it, and so does a guideline that was changed since.
    Raises `InputError` if there is nothing to take back.
    """
    match = _NAME.fullmatch(what)
    if match is None:
        raise InputError(f"{what} was not made everywhere: undo it on its page")
    old, new = match.groups()
    marks, sheets, made = 0, 0, _now()
    for (page,) in store.all(
        "SELECT DISTINCT page FROM changes WHERE what = ? ORDER BY page", what
    ):
        earlier = _last_of(mark_rows.changes_of(store, page), what)
        now = mark_rows.marks_of(store, page)
        changed = {mark: now[mark] for mark in earlier if mark in now}
        after = {mark: _as_before(text, earlier[mark], new) for mark, text in changed.items()}
        count = sum(after[mark] != text for mark, text in changed.items())
        if count:
            _append(store, page, changed, after, (made, what, "undo"))
            marks, sheets = marks + count, sheets + 1
    kept = dict(_kept(store))
    if what in kept:
        before = kept.pop(what)
        if stored_guideline(store) == _renamed_guideline(parse_guideline(before), old, new):
            put_setting(store, SETTING, before)
        put_setting(store, _BEFORE, [list(each) for each in kept.items()])
    elif not sheets:
        raise InputError(f"nothing is left of: {what}")
    return Retyped(what, marks, sheets)


def continued(ours: SheetChanges, theirs: SheetChanges) -> list[tuple[Any, ...]] | None:
    """Return what another copy of a sheet adds to this one, but for types renamed in either.

    The changes that are new have the types that are valid here, and numbers that follow ours; none
    if ours holds all of theirs.  None where the copies differ otherwise.
    """
    every = [*ours, *theirs]
    if not any(is_everywhere(change[2]) for change in every):
        return None
    names = _names(every, with_undone=True)
    mine, other = _plain(ours, names), _plain(theirs, names)
    count = min(len(mine), len(other))
    if mine[:count] != other[:count]:
        return None
    renamed_here = {change[2] for change in ours if is_everywhere(change[2])}
    present, seen = _names(ours), 0
    result: list[tuple[Any, ...]] = []
    for _, made, what, step, delta in theirs:
        seen += not is_everywhere(what)
        if seen > count and what not in renamed_here:
            result.append((len(ours) + len(result) + 1, made, what, step, _renamed(delta, present)))
    return result


def _renamed_guideline(before: Guideline | None, old: str, new: str) -> Guideline | None:
    """Return the guideline to store after a renaming; None where that changes nothing."""
    there = before or default()
    after = there.renamed(old, new)
    if after == there:
        return None
    return after if before is not None else replace(after, name=f"{after.name}, changed")


def _names(changes: SheetChanges, *, with_undone: bool = False) -> dict[str, str]:
    """Return former type → type by the renamings in changes, chains followed to their end."""
    pairs: dict[str, str] = {}
    for _, _, what, step, _ in changes:
        match = _NAME.fullmatch(what)
        if match is not None:
            old, new = match.groups()
            if step != "undo":
                pairs.pop(new, None)
                pairs[old] = new
            elif not with_undone:
                pairs.pop(old, None)
    result = {}
    for old in pairs:
        new = pairs[old]
        for _ in pairs:
            new = pairs.get(new, new)
        result[old] = new
    return result


def _plain(changes: SheetChanges, names: Mapping[str, str]) -> list[tuple[Any, ...]]:
    return [
        (made, what, step, _renamed(delta, names))
        for _, made, what, step, delta in changes
        if not is_everywhere(what)
    ]


def _renamed(delta: str, names: Mapping[str, str]) -> str:
    change = records.read_json(delta)
    change["set"] = [
        records.read_json(_retyped(journal.dump(each), names)) for each in change["set"]
    ]
    return journal.dump(change)


def _retyped(text: str, names: Mapping[str, str]) -> str:
    """Return a record with the types that names have for its type and its suggested one."""
    record = records.read_json(text)
    record["type"] = names.get(record["type"], record["type"])
    if "guess" in record:
        record["guess"]["type"] = names.get(record["guess"]["type"], record["guess"]["type"])
    return journal.dump(record)


def _as_before(text: str, earlier: str, new: str) -> str:
    """Return a record with the earlier types where it still has the new one."""
    record, before = records.read_json(text), records.read_json(earlier)
    if record["type"] == new:
        record["type"] = before["type"]
    if "guess" in record and "guess" in before and record["guess"]["type"] == new:
        record["guess"]["type"] = before["guess"]["type"]
    return journal.dump(record)


def _last_of(changes: SheetChanges, what: str) -> dict[str, str]:
    """Return the records of the marks a change set, before it; none if it was taken back."""
    result: dict[str, str] = {}
    state: journal.Records = {}
    for _, _, name, step, delta in changes:
        if name == what:
            changed = [str(record["id"]) for record in records.read_json(delta)["set"]]
            result = {i: state[i] for i in changed if i in state} if step != "undo" else {}
        state = journal.apply(state, delta)
    return result


def _append(
    store: Store,
    page: int,
    before: Mapping[str, str],
    after: Mapping[str, str],
    change: tuple[str, str, HistoryStep],
) -> None:
    delta = journal.delta(before, after)
    if delta is None:
        return
    mark_rows.write(store, page, before, after)
    (last,) = store.all("SELECT revision FROM pages WHERE id = ?", page)[0]
    store.run(
        "INSERT INTO changes (page, revision, made, what, step, delta) VALUES (?, ?, ?, ?, ?, ?)",
        *(page, last + 1, *change, delta),
    )
    store.run("UPDATE pages SET revision = ? WHERE id = ?", last + 1, page)


def _own(store: Store) -> str:
    """Return the uids of those whose sheets may be changed, as JSON."""
    match stored_setting(store, _TEAM_FOLDER):
        case {"own": [*own]}:
            return json.dumps(own)
    return json.dumps([uid for (uid,) in store.all("SELECT uid FROM annotators")])


def _kept(store: Store) -> list[tuple[str, object]]:
    stored = stored_setting(store, _BEFORE)
    pairs: Iterable[object] = stored if isinstance(stored, list) else ()
    return [(str(x[0]), x[1]) for x in pairs if isinstance(x, list) and len(x) == 2]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
