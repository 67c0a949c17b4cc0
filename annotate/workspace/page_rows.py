"""Pages of a workspace: their keys, their entries, and files that were moved."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

import resources
from annotate.workspace.store import Store
from engine import held_files
from engine.document import Document
from engine.words import UNICODE


class PageStatus(StrEnum):
    """Status of a page for an annotator."""

    OPEN = "open"
    IN_PROGRESS = "in progress"  # from its first mark on
    DONE = "done"
    QUESTION = "question"


def page_key(document: Document) -> str:
    """Return the stable name of a document: its address, in full where it is a file.

    Pages of the sample corpus are named by their place in it, since every installation has it
    elsewhere.  Variants of a page are separate files and so have separate keys.  A name that
    is no UTF-8 is spelt by `engine.words`; `path_of` reads it back.  It is asked for a dozen
    times a page, so it stays with the document.
    """
    kept = vars(document)
    if "page_key" not in kept:
        kept["page_key"] = _key_of(document)
    key: str = kept["page_key"]
    return key


def _key_of(document: Document) -> str:
    if document.root is None or document.data is not None:
        return UNICODE.write(document.address)
    name = document.full_path if is_separate_file(document) else f"corpus:{document.path}"
    return UNICODE.write(name)


def path_of(key: str) -> str:
    """Return the name that a key spells: of a separate file its path."""
    return UNICODE.read(key)


def is_separate_file(document: Document) -> bool:
    """Return whether a document is a separate file, not one of Pagelet's."""
    return document.root is not None and document.data is None and document.root != _corpus()


@cache
def _corpus() -> Path:
    return resources.path("corpus").resolve()


@dataclass(frozen=True)
class PageEntry:
    """Entry of a page in the workspace.

    Attributes:
        key: Its stable name: see `page_key`.
        url, title: As shown.
        digest: SHA-256 of the page as it was opened last, "" if never.
        viewport: Width and height in CSS px it was opened in last; (0, 0) if never.
        status: The annotator's.
        visited: Time it was opened last, UTC in ISO 8601; "" if never.
        marks: Number of its marks.
        questions: How many questions wait for an answer that are for the annotator to see: on the
            own marks, or of others on theirs; all for a reviewer.
    """

    key: str
    url: str
    title: str = ""
    digest: str = ""
    viewport: tuple[int, int] = (0, 0)
    status: PageStatus = PageStatus.OPEN
    visited: str = ""
    marks: int = 0
    questions: int = 0


def entries(
    store: Store, annotator: int, which: str, *values: object, is_reviewer: bool
) -> list[PageEntry]:
    """Return an annotator's pages in the order they were added.

    Args:
        store: The workspace.
        annotator: His number.
        which: Rest of the condition on the pages, in SQL.
        values: Of its placeholders.
        is_reviewer: Reviewers see all questions on a page.  An annotator sees those on his own
            marks, and those that others ask about theirs: only they can answer them.
    """
    rows = store.all(
        "SELECT key, url, title, digest, width, height, status, visited,"
        " (SELECT count(*) FROM marks WHERE page = mine.id),"
        " coalesce(questions, 0) FROM pages mine LEFT JOIN"
        " (SELECT key AS asked, count(*) AS questions"
        "  FROM comments JOIN pages ON pages.id = comments.page"
        "  WHERE kind = 'question' AND NOT settled"
        "  AND (annotator = ? OR author = annotator OR ?) GROUP BY key) ON asked = key"
        f" WHERE annotator = ? {which} ORDER BY place, id",
        *(annotator, is_reviewer, annotator, *values),
    )
    return [
        PageEntry(key, url, title, digest, (width, height), PageStatus(status), *rest)
        for key, url, title, digest, width, height, status, *rest in rows
    ]


_TABLES = ("pages", "versions", "assignments")
"""Those that name pages by their keys."""


def follow(store: Store, files: Iterable[str]) -> dict[str, str]:
    """Update the keys of pages whose files have moved, inside `Store.saving`.

    A page was moved where its own file is gone and a file that the workspace does not know has its
    name and its very bytes, as it was opened last.  Where several could be it, the one whose
    folders are most alike is; where that leaves two, none.

    Args:
        store: The workspace.
        files: Keys of files that are.

    Returns:
        Key it had → key it has now.
    """
    known: dict[str, set[str]] = {}
    for key, digest in store.all("SELECT DISTINCT key, digest FROM pages"):
        known.setdefault(key, set()).update([digest] if digest else [])
    if not any(known.values()):
        return {}
    new = [file for file in files if file not in known]
    names = set(map(_name, new))
    gone = {
        key: digests
        for key, digests in known.items()
        if digests and _name(key) in names and _is_gone(Path(path_of(key)))
    }
    if not gone:
        return {}
    missed = {Path(key).name for key in gone}
    result = pair_paths(gone, [file for file in new if Path(file).name in missed], _digest)
    for old, now in result.items():
        for table in _TABLES:
            store.run(f"UPDATE OR REPLACE {table} SET key = ? WHERE key = ?", now, old)
    if result:
        _rename_in_settings(store, result)
    return result


def pair_paths(
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
        same = (old for old in gone if digest in gone[old] and Path(old).name == Path(path).name)
        likeness += ((_common_tail(old, path), old, path) for old in same)
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
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _is_gone(path: Path) -> bool:
    try:
        return path.is_absolute() and not path.exists()
    except (OSError, ValueError):
        return False


def _digest(key: str) -> str:
    try:
        with held_files.open_held(Path(path_of(key))) as file:
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


class KnownFiles:
    """Pages of a workspace by key, and by name and SHA-256 of their file."""

    def __init__(self, pages: Iterable[tuple[Any, ...]] = ()) -> None:
        self.keys: set[str] = set()
        self._by_file: dict[tuple[str, str], set[str]] = {}
        for key, digest in pages:
            self.keys.add(key)
            self._by_file.setdefault((_name(key), digest), set()).add(key)

    def same_file(self, key: str, digest: str) -> str:
        """Return the one key of the file that a key elsewhere names; "" for none or several."""
        same = self._by_file.get((_name(key), digest), set()) if digest else set()
        return next(iter(same)) if len(same) == 1 else ""


def _name(key: str) -> str:
    return key.replace("\\", "/").rpartition("/")[2]
