"""Rows of marks in a workspace: the marks of a page, their changes, and digests of both."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from annotate.marks.journal import CAME_WITH_PAGE, is_appended
from annotate.workspace.store import Store


def marks_of(store: Store, page: int) -> dict[str, str]:
    """Return id → record of the marks of a sheet, in order."""
    return dict(store.all("SELECT id, record FROM marks WHERE page = ? ORDER BY place", page))


def write(store: Store, page: int, before: Mapping[str, str], after: Mapping[str, str]) -> None:
    """Write the marks of a sheet that differ from those before, inside `Store.saving`."""
    store.run_each(
        "DELETE FROM marks WHERE page = ? AND id = ?",
        [(page, i) for i in before if i not in after],
    )
    store.run_each(
        "UPDATE marks SET record = ? WHERE page = ? AND id = ?",
        [(text, page, i) for i, text in after.items() if before.get(i, text) != text],
    )
    (last,) = store.all("SELECT coalesce(max(place), 0) FROM marks WHERE page = ?", page)[0]
    new = [(i, text) for i, text in after.items() if i not in before]
    store.run_each(
        "INSERT INTO marks (page, id, place, record) VALUES (?, ?, ?, ?)",
        [(page, i, index, text) for index, (i, text) in enumerate(new, last + 1)],
    )
    if not is_appended(before, after):
        store.run_each(
            "UPDATE marks SET place = ? WHERE page = ? AND id = ?",
            [(index, page, i) for index, i in enumerate(after, 1)],
        )


def changes_of(store: Store, page: int) -> list[tuple[Any, ...]]:
    """Return revision, time, name, step and delta of the changes of a sheet, in order."""
    return store.all(
        "SELECT revision, made, what, step, delta FROM changes WHERE page = ? ORDER BY revision",
        page,
    )


def extend(
    store: Store,
    page: int,
    changes: Iterable[tuple[Any, ...]],
    marks: Mapping[str, tuple[int, str]],
    revision: int,
) -> None:
    """Append changes to a sheet and set its marks, inside `Store.saving`.

    Args:
        store: The workspace.
        page: Number of the sheet.
        changes: As `changes_of` returns them.
        marks: Id → position and record; in place of those there are.
        revision: Of the sheet afterwards.
    """
    store.run_each(
        "INSERT INTO changes (page, revision, made, what, step, delta) VALUES (?, ?, ?, ?, ?, ?)",
        [(page, *change) for change in changes],
    )
    store.run("DELETE FROM marks WHERE page = ?", page)
    store.run_each(
        "INSERT INTO marks (page, id, place, record) VALUES (?, ?, ?, ?)",
        [(page, mark, *row) for mark, row in marks.items()],
    )
    store.run("UPDATE pages SET revision = ? WHERE id = ?", revision, page)


def kinds_by_page(store: Store, annotator: int) -> dict[str, frozenset[tuple[int, str]]]:
    """Return level and type of an annotator's marks by page, drafts left out."""
    rows = store.all(
        "SELECT DISTINCT key, json_extract(record, '$.level'), json_extract(record, '$.type')"
        " FROM marks JOIN pages ON pages.id = marks.page"
        " WHERE annotator = ? AND json_extract(record, '$.draft') IS NULL",
        annotator,
    )
    result: dict[str, set[tuple[int, str]]] = {}
    for key, level, kind in rows:
        result.setdefault(key, set()).add((level, kind))
    return {key: frozenset(kinds) for key, kinds in result.items()}


def gold_digests(store: Store, annotator: int) -> dict[str, str]:
    """Return SHA-256 of an annotator's gold by page, of those whose marks were changed here."""
    changed = store.all(
        "SELECT id, key FROM pages WHERE revision > 0 AND annotator = ? AND NOT (revision = 1"
        " AND EXISTS (SELECT 1 FROM changes WHERE page = pages.id AND what = ?))",
        *(annotator, CAME_WITH_PAGE),
    )
    digests = {key: hashlib.sha256("\n".join(_sure(store, page)).encode()) for page, key in changed}
    return {key: digest.hexdigest() for key, digest in digests.items()}


def _sure(store: Store, page: int) -> list[str]:
    """Return the records of a sheet without drafts; that a mark is unsure is no part of gold."""
    rows = store.all(
        "SELECT iif(json_extract(record, '$.unsure') IS NULL, record,"
        " json_remove(record, '$.unsure')) FROM marks WHERE page = ?"
        " AND json_extract(record, '$.draft') IS NULL ORDER BY place",
        page,
    )
    return [record for (record,) in rows]


def note_version(store: Store, key: str, digest: str, now: str) -> None:
    """Note, inside `Store.saving`, that a page was seen in this state."""
    store.run(
        "INSERT OR IGNORE INTO versions (key, digest, seen) VALUES (?, ?, ?)", key, digest, now
    )


def made_on(store: Store, key: str, annotator: int) -> dict[str, str]:
    """Return id of a mark → the state it was made on, in words; those of the present state not.

    A page of the workspace that has just that content (a frozen one, or another copy) is named.
    """
    sheet = store.one(
        "SELECT id, digest FROM pages WHERE key = ? AND annotator = ?", key, annotator
    )
    if sheet is None:
        return {}
    page, present = sheet
    seen = store.all("SELECT digest, seen FROM versions WHERE key = ? ORDER BY seen", key)
    result: dict[str, str] = {}
    for made, delta in store.all(
        "SELECT made, delta FROM changes WHERE page = ? ORDER BY revision", page
    ):
        for mark in (str(record["id"]) for record in json.loads(delta)["set"]):
            if mark not in result:
                digest = _at(seen, made)
                if digest and digest != present:
                    result[mark] = _in_words(store, key, digest, dict(seen)[digest])
    return result


def _at(seen: Sequence[tuple[Any, ...]], made: str) -> str:
    """Return the state that was seen last before something was made."""
    before = [digest for digest, when in seen if when <= made]
    return str(before[-1]) if before else ""


def _in_words(store: Store, key: str, digest: str, seen: str) -> str:
    other = store.one(
        "SELECT key FROM pages WHERE digest = ? AND key <> ? ORDER BY id LIMIT 1", digest, key
    )
    there = f", kept as {other[0]}" if other is not None else ""
    return f"made on the page as of {seen[:10]} ({digest[:8]}{there})"
