"""Pages whose files were moved or renamed: what the workspace knows of them goes along."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from annotate.workspace.store import Store
from engine import held_files

_TABLES = ("pages", "versions", "assignments")
"""Those that name pages by their keys."""


def follow(store: Store, files: Iterable[Path]) -> dict[str, str]:
    """Update the keys of pages whose files have moved, inside `Store.saving`.

    A page was moved where its own file is gone and a file that the workspace does not know has its
    name and its very bytes, as it was opened last.  Where several could be it, the one whose
    folders are most alike is; where that leaves two, none.

    Returns:
        Key it had → key it has now.
    """
    known: dict[str, set[str]] = {}
    for key, digest in store.all("SELECT DISTINCT key, digest FROM pages"):
        known.setdefault(key, set()).update([digest] if digest else [])
    new = [file for file in files if str(file) not in known]
    names = {file.name for file in new}
    gone = {
        key: digests
        for key, digests in known.items()
        if digests and Path(key).name in names and _is_gone(Path(key))
    }
    if not gone:
        return {}
    missed = {Path(key).name for key in gone}
    result = paired(gone, [str(file) for file in new if file.name in missed], _digest)
    for old, now in result.items():
        for table in _TABLES:
            store.run(f"UPDATE OR REPLACE {table} SET key = ? WHERE key = ?", now, old)
    if result:
        _rename_in_settings(store, result)
    return result


def paired(
    gone: Mapping[str, set[str]], new: Iterable[str], digest_of: Callable[[str], str]
) -> dict[str, str]:
    """Return which path became which: `follow`'s rule, without a file system.

    Args:
        gone: Removed paths → digests of their content.
        new: Paths that are.
        digest_of: The digest of what one of these holds.
    """
    likeness: list[tuple[int, str, str]] = []
    for path in new:
        digest = digest_of(path)
        for old, digests in gone.items():
            if digest in digests and Path(old).name == Path(path).name:
                likeness.append((_common_tail(old, path), old, path))
    result: dict[str, str] = {}
    taken: set[str] = set()
    for alike in sorted({size for size, _, _ in likeness}, reverse=True):
        level = [
            (old, path)
            for size, old, path in likeness
            if size == alike and old not in result and path not in taken
        ]
        olds, paths = [old for old, _ in level], [path for _, path in level]
        result.update(
            (old, path) for old, path in level if olds.count(old) == 1 == paths.count(path)
        )
        # A tie is assigned to neither: less similar ones are no better.
        taken.update(paths)
    return result


def _common_tail(first: str, second: str) -> int:
    pairs = zip(reversed(Path(first).parts), reversed(Path(second).parts), strict=False)
    size = 0
    for mine, other in pairs:
        if mine != other:
            break
        size += 1
    return size


def _is_gone(path: Path) -> bool:
    try:
        return path.is_absolute() and not path.exists()
    except (OSError, ValueError):
        return False


def _digest(path: str) -> str:
    try:
        with held_files.opened(Path(path)) as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return ""


def _rename_in_settings(store: Store, moved: Mapping[str, str]) -> None:
    """Notes, times and the last page are kept by the keys of pages, too."""
    for name, text in store.all("SELECT key, value FROM settings"):
        try:
            value = json.loads(text)
        except ValueError:
            continue
        renamed = _renamed(value, moved)
        if renamed != value:
            store.run("UPDATE settings SET value = ? WHERE key = ?", json.dumps(renamed), name)


def _renamed(value: Any, moved: Mapping[str, str]) -> Any:  # noqa: ANN401
    if isinstance(value, dict):
        return {moved.get(key, key): _renamed(inner, moved) for key, inner in value.items()}
    return moved.get(value, value) if isinstance(value, str) else value
