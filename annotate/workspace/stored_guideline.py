"""The guideline of a workspace's own, stored as one of its settings."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from annotate.marks.guideline import Guideline, GuidelinePage, GuidelineRef, mixture
from annotate.marks.journal import dump
from annotate.workspace.late_saves import LateSaves
from annotate.workspace.store import Store

SETTING = "guideline"
_MERGED = "guidelines merged"


def of_workspace(workspace: LateSaves) -> Guideline | None:
    """Return the guideline of a workspace's own; None where it has none."""
    return parse_guideline(workspace.setting(SETTING))


def parse_guideline(stored: object) -> Guideline | None:
    """Return a guideline as a setting has it; None for anything else."""
    match stored:
        case {"name": str(name), "pages": [*rows]}:
            pairs = (row for row in rows if isinstance(row, Sequence) and len(row) == 2)
            pages = [GuidelinePage(*x) for x in pairs if all(isinstance(each, str) for each in x)]
            return Guideline(name, tuple(pages)) if pages else None
    return None


def store_in(workspace: LateSaves, guideline: Guideline | None) -> None:
    """Store a guideline with a workspace, or none."""
    workspace.set_setting(SETTING, as_setting(guideline))


def as_setting(guideline: Guideline | None) -> object:
    """Return the stored form of a guideline."""
    return None if guideline is None else {
        "name": guideline.name, "pages": [[page.title, page.text] for page in guideline.pages],
    }  # fmt: skip


def stored_guideline(store: Store) -> Guideline | None:
    """Return the guideline in a file; None where it has none."""
    return parse_guideline(stored_setting(store, SETTING))


def put_guideline(store: Store, name: str, pages: object) -> None:
    """Write a guideline down as records have it; to be called within a transaction."""
    put_setting(store, SETTING, {"name": name, "pages": pages})


def refs_of(workspace: LateSaves) -> tuple[GuidelineRef | None, ...]:
    """Return which guidelines the gold of a workspace was made by: its own, then merged ones."""
    own = of_workspace(workspace)
    stored = workspace.setting(_MERGED)
    others = [_ref(each) for each in stored] if isinstance(stored, list) else []
    return tuple(dict.fromkeys([None if own is None else own.ref, *others]))


def merge_guidelines(target: Store, source: Store) -> str:
    """Store the guidelines of merged gold in a workspace; return the message, or "".

    A workspace without marks or guideline takes that of the other; else its own stays.  To be
    called within a transaction, before marks are merged.
    """
    theirs, mine = (
        parse_guideline(stored_setting(source, SETTING)),
        parse_guideline(stored_setting(target, SETTING)),
    )
    is_empty = target.one("SELECT 1 FROM marks") is None
    if mine is None and theirs is not None and is_empty:
        put_setting(target, SETTING, stored_setting(source, SETTING))
        mine = theirs
    own = None if mine is None else mine.ref
    known = stored_setting(target, _MERGED)
    others = [own, *(_ref(each) for each in (known if isinstance(known, list) else []))]
    stored = stored_setting(source, _MERGED)
    new = [None if theirs is None else theirs.ref]
    new += [_ref(each) for each in (stored if isinstance(stored, list) else [])]
    has_marks = source.one("SELECT 1 FROM marks") is not None
    refs = list(dict.fromkeys([*others, *(new if has_marks else [])]))
    if refs[1:]:
        put_setting(target, _MERGED, [None if ref is None else asdict(ref) for ref in refs[1:]])
    return mixture(refs)


def _ref(stored: object) -> GuidelineRef | None:
    match stored:
        case {"name": str(name), "digest": str(digest)}:
            return GuidelineRef(name, digest)
    return None


def stored_setting(store: Store, key: str) -> object:
    """Return a setting of a file; None where it has none, or a damaged one."""
    row = store.one("SELECT value FROM settings WHERE key = ?", key)
    try:
        return None if row is None else json.loads(row[0])
    except (ValueError, TypeError, RecursionError):
        return None


def put_setting(store: Store, key: str, value: object) -> None:
    """Write a setting down; to be called within a transaction."""
    store.run(
        "INSERT INTO settings (key, value) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        *(key, dump(value)),
    )
