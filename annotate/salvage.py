"""What can still be read of a damaged workspace file.

Pages, marks, annotators, comments and settings are read row by row, from both ends of each table,
and those that are whole go into a database in memory.  The journal of changes is left: with a gap
it leads nowhere.  So are kept runs, which can be run again.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from annotate import records
from engine.errors import InputError

SalvagedRow = Sequence[Any]

_MOST_ROWS = 10_000_000
_PAGES = "id, annotator, key, place, url, title, digest, width, height, status, visited, revision"


def damage(db: sqlite3.Connection) -> str:
    """Return what is wrong with an open workspace of the present format; "" if nothing is.

    May raise `sqlite3.Error` or `UnicodeDecodeError` for what is so broken that it cannot be asked.
    """
    (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        return str(found)
    for sql, what in _CHECKS:
        if db.execute(f"{sql} LIMIT 1").fetchone() is not None:
            return what
    for table, columns in (("pages", _PAGES), ("marks", "id, record"), ("settings", "key, value")):
        for _ in db.execute(f"SELECT {columns} FROM {table}"):
            pass  # a text that is no UTF-8 raises
    return ""


_PAGE_IS_NONE = """
SELECT 1 FROM pages WHERE typeof(key) || typeof(url) || typeof(title) || typeof(digest)
|| typeof(visited) || typeof(width) || typeof(height) || typeof(revision) || typeof(annotator)
<> 'texttexttexttexttextintegerintegerintegerinteger'"""
_MARK_IS_NONE = """
SELECT 1 FROM marks WHERE typeof(id) <> 'text' OR typeof(record) <> 'text'
OR CASE WHEN json_valid(record) THEN
coalesce(json_type(record, '$.id'), '') <> 'text'
OR coalesce(json_extract(record, '$.level'), -1) NOT IN (0, 1, 2)
OR coalesce(json_type(record, '$.targets'), '') <> 'array' ELSE 1 END"""
_CHANGE_IS_NONE = """
SELECT 1 FROM changes WHERE typeof(made) || typeof(what) || typeof(delta) <> 'texttexttext'
OR CASE WHEN json_valid(delta) THEN
coalesce(json_type(delta, '$.set'), '') <> 'array'
OR coalesce(json_type(delta, '$.drop'), '') <> 'array' ELSE 1 END"""
_CHECKS = (
    (_PAGE_IS_NONE, "a page's entry is damaged"),
    (_MARK_IS_NONE, "a mark is damaged"),
    (_CHANGE_IS_NONE, "a change of marks is damaged"),
)


def salvage(path: Path, steps: Sequence[str]) -> sqlite3.Connection | None:
    """Return a database in memory with what can be read of a file; None if no page can.

    Args:
        path: Of a damaged workspace; it is not touched.
        steps: SQL that makes the tables of a workspace.
    """
    found = sqlite3.connect(":memory:", isolation_level=None)
    for step in steps:
        found.executescript(step)
    found.execute("PRAGMA foreign_keys = OFF")  # an annotator may be lost, and the marks be there
    with suppress(sqlite3.Error, OSError), closing(_open(path)) as torn:
        for table, columns, is_whole in _TABLES:
            if not _has(torn, table):
                continue
            marks = ", ".join("?" * (columns.count(",") + 1))
            instead = "REPLACE" if table == "annotators" else "IGNORE"
            insert = f"INSERT OR {instead} INTO {table} ({columns}) VALUES ({marks})"
            for row in _rows(torn, table, _known(torn, table, columns)):
                if is_whole(row):
                    with suppress(sqlite3.Error):  # as of a status that is none
                        found.execute(insert, row)
    found.execute(
        "INSERT OR IGNORE INTO annotators (id, uid, name)"
        " SELECT DISTINCT annotator, 'lost-' || annotator, 'lost ' || annotator FROM pages"
    )
    if found.execute("SELECT 1 FROM pages LIMIT 1").fetchone() is None:
        found.close()
        return None
    found.execute("PRAGMA query_only = ON")
    return found


def _open(path: Path) -> sqlite3.Connection:
    address = path.absolute().as_uri()
    for mode in ("mode=ro", "mode=ro&immutable=1"):  # the latter where no log can be made beside it
        db = sqlite3.connect(f"{address}?{mode}", uri=True)
        db.text_factory = lambda data: data.decode("utf-8", "replace")
        try:
            db.execute("PRAGMA writable_schema = ON")  # what of the schema is whole is used
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.Error:
            db.close()
            continue
        return db
    raise sqlite3.DatabaseError("nothing of it can be read")


def _rows(db: sqlite3.Connection, table: str, columns: str) -> Iterator[SalvagedRow]:
    """Yield rows up to the first that cannot be read, then those behind it, from the end."""
    first = columns.split(",")[0]
    for order in ("ASC", "DESC"):
        try:
            yield from db.execute(
                f"SELECT {columns} FROM {table} ORDER BY {first} {order} LIMIT {_MOST_ROWS}"
            )
        except sqlite3.Error:
            continue
        return


def _has(db: sqlite3.Connection, table: str) -> bool:
    try:
        db.execute(f"SELECT 1 FROM {table} LIMIT 0")
    except sqlite3.Error:
        return False
    return True


def _known(db: sqlite3.Connection, table: str, columns: str) -> str:
    """Return columns as a file of an older format has them: all was one annotator's then."""
    if table == "pages":
        try:
            db.execute("SELECT annotator FROM pages LIMIT 0")
        except sqlite3.Error:
            return columns.replace("annotator", "1 AS annotator")
    return columns


def _is_page(row: SalvagedRow) -> bool:
    number, annotator, key, place, url, title, digest, width, height, _, visited, revision = row
    return all(
        isinstance(each, int) for each in (number, annotator, place, width, height, revision)
    ) and all(isinstance(each, str) for each in (key, url, title, digest, visited))


def _is_annotator(row: SalvagedRow) -> bool:
    return isinstance(row[0], int) and all(isinstance(each, str) for each in row[1:])


def _is_comment(row: SalvagedRow) -> bool:
    _, page, mark, author, *said, answers, settled = row
    texts = (row[0], mark, *said, answers)
    return all(isinstance(each, int) for each in (page, author, settled)) and all(
        isinstance(each, str) for each in texts
    )


def _is_mark(row: SalvagedRow) -> bool:
    page, mark_id, place, record = row
    if not isinstance(record, str):
        return False
    try:
        is_same = records.check(json.loads(record))["id"] == mark_id
    except (ValueError, RecursionError, InputError):
        return False
    return is_same and isinstance(page, int) and isinstance(place, int)


def _is_setting(row: SalvagedRow) -> bool:
    return all(isinstance(each, str) for each in row)


_TABLES: tuple[tuple[str, str, Callable[[SalvagedRow], bool]], ...] = (
    ("annotators", "id, uid, name, role", _is_annotator),
    ("pages", _PAGES, _is_page),
    ("marks", "page, id, place, record", _is_mark),
    ("comments", "id, page, mark, author, made, kind, text, answers, settled", _is_comment),
    ("settings", "key, value", _is_setting),
)
