"""Versions: which state of a page a mark was made on, where the page has changed since."""

import json
from collections.abc import Sequence
from typing import Any

from annotate.workspace.store import Store


def see(store: Store, key: str, digest: str, now: str) -> None:
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
        for mark in _marked(delta):
            if mark not in result:
                digest = _at(seen, made)
                if digest and digest != present:
                    result[mark] = _in_words(store, key, digest, dict(seen)[digest])
    return result


def _marked(delta: str) -> list[str]:
    return [str(record["id"]) for record in json.loads(delta)["set"]]


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
