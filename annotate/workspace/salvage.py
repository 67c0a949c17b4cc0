"""What can still be read of a damaged workspace file.

Pages, marks, annotators, comments, decisions and settings are read row by row, from both ends of
each table, and those that are whole go into a database in memory.  A damaged mark is taken from the
journal of changes, where that is whole.  The journal itself is left, and so are kept runs, which
can be run again.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from annotate.marks import journal, records
from annotate.workspace import checksums, schema, sheets, workspace_file
from annotate.workspace.limits import deadline
from engine.bounds import NOTED_SIDE
from engine.errors import InputError

SalvagedRow = Sequence[Any]

_Mend = Callable[[SalvagedRow], SalvagedRow | None]
"""Returns a row that can be stored; None for one that cannot."""

_MOST_ROWS = 10_000_000
_PAGES = "id, annotator, key, place, url, title, digest, width, height, status, visited, revision"


def damage(db: sqlite3.Connection, *, is_deep: bool = False, is_older: bool = False) -> str:
    """Return the damage of an open workspace of the current format; "" if nothing is.

    ``is_deep`` reads each record and change as well: it may contain values that Pagelet would not
    write.  So does ``is_older``, of a file that had no checksums.  May raise `sqlite3.Error` or
    `UnicodeDecodeError` if it is too damaged to be queried.
    """
    (result,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    if result != "ok":
        return str(result)
    if db.execute("PRAGMA foreign_key_check").fetchone() is not None:
        return "what belongs to a page has no page"
    if result := checksums.fault(db):
        return result
    for table, is_odd in schema.odd_rows().items():
        if db.execute(f"SELECT 1 FROM {table} WHERE {is_odd} LIMIT 1").fetchone() is not None:
            return f"a row of its {table} is damaged"
    for sql, what in _CHECKS:
        if db.execute(f"{sql} LIMIT 1").fetchone() is not None:
            return what
    for table, columns in checksums.COLUMNS.items():
        for _ in db.execute(f"SELECT {', '.join(columns)} FROM {table}"):
            pass  # a text that is no UTF-8 raises
    return sheets.fault(db, leads=is_deep) if is_deep or is_older else ""


_PAGE_IS_NONE = f"""
SELECT 1 FROM pages
WHERE width NOT BETWEEN 0 AND {NOTED_SIDE.most} OR height NOT BETWEEN 0 AND {NOTED_SIDE.most}"""
_REVISION_IS_NONE = """
SELECT 1 FROM pages LEFT JOIN
(SELECT page, count(*) AS size, min(revision) AS first, max(revision) AS last
 FROM changes GROUP BY page) ON page = id
WHERE revision <> coalesce(size, 0) OR (size AND (first <> 1 OR last <> size))"""
_MARK_IS_NONE = """
SELECT 1 FROM marks WHERE CASE WHEN json_valid(record) THEN
coalesce(json_extract(record, '$.id'), '') <> id
OR coalesce(json_extract(record, '$.level'), -1) NOT IN (0, 1, 2)
OR coalesce(json_type(record, '$.targets'), '') <> 'array' ELSE 1 END"""
_CHANGE_IS_NONE = """
SELECT 1 FROM changes WHERE CASE WHEN json_valid(delta) THEN
coalesce(json_type(delta, '$.set'), '') <> 'array'
OR coalesce(json_type(delta, '$.drop'), '') <> 'array' ELSE 1 END"""
_CHECKS = (
    (_PAGE_IS_NONE, "a page's entry is damaged"),
    (_MARK_IS_NONE, "a mark is damaged"),
    (_CHANGE_IS_NONE, "a change of marks is damaged"),
    (_REVISION_IS_NONE, "changes of marks are missing"),
)


def salvage(path: Path, steps: Sequence[str]) -> sqlite3.Connection | None:
    """Return a database in memory with what can be read of a file; None if no page can.

    Nothing of the file's own schema is used (`schema.plain_copy`).

    Args:
        path: Of a workspace that is damaged, or has another schema; it is not touched.
        steps: SQL that makes the tables of a workspace.
    """
    salvaged = sqlite3.connect(":memory:", isolation_level=None)
    checksums.register(salvaged)
    for step in steps:
        salvaged.executescript(step)
    checksums.begin(salvaged)
    salvaged.execute("PRAGMA foreign_keys = OFF")  # an annotator may be lost, the marks be there
    with (
        suppress(sqlite3.Error, OSError),
        closing(_open(path)) as torn,
        deadline(torn, path.stat().st_size),
    ):
        for table, columns, whole in _TABLES:
            _copy_rows(torn, salvaged, table, columns, whole)
        _restore_marks(torn, salvaged)
    salvaged.execute(
        "INSERT OR IGNORE INTO annotators (id, uid, name)"
        " SELECT DISTINCT annotator, 'lost-' || annotator, 'lost ' || annotator FROM pages"
    )
    if salvaged.execute("SELECT 1 FROM pages LIMIT 1").fetchone() is None:
        salvaged.close()
        return None
    salvaged.execute("PRAGMA query_only = ON")
    return salvaged


def _open(path: Path) -> sqlite3.Connection:
    """Return the plain tables of a file; `sqlite3.Error` if there are none."""
    if schema.check_size(path):
        raise sqlite3.DatabaseError("too large")
    with closing(workspace_file.read_only(path, is_repair=True)) as source:
        return schema.plain_copy(source)


def _copy_rows(
    torn: sqlite3.Connection, salvaged: sqlite3.Connection, table: str, columns: str, whole: _Mend
) -> None:
    if not _has(torn, table, "1"):
        return
    summed = _has(torn, table, "checksum")
    marks = ", ".join("?" * (columns.count(",") + 1))
    instead = "REPLACE" if table == "annotators" else "IGNORE"
    insert = f"INSERT OR {instead} INTO {table} ({columns}) VALUES ({marks})"
    asked = _known(torn, table, columns) + (", checksum" if summed else "")
    for row in _rows(torn, table, asked):
        values = row[:-1] if summed else row
        # Marks hang on pages and annotators: those stay, whatever became of their names.
        if summed and table not in _STAY and checksums.of(values) != row[-1]:
            continue
        with suppress(sqlite3.Error, OverflowError):  # as of a status that is none
            if (mended := whole(values)) is not None:
                salvaged.execute(insert, mended)


_STAY = ("annotators", "pages")


def _restore_marks(torn: sqlite3.Connection, salvaged: sqlite3.Connection) -> None:
    """Take marks that are damaged from the journal of their page, where all of that is whole."""
    summed = _has(torn, "changes", "checksum")
    columns = checksums.COLUMNS["changes"]
    asked = ", ".join((*columns, "checksum") if summed else columns)
    for page, revision in salvaged.execute("SELECT id, revision FROM pages").fetchall():
        state: dict[str, Any] = {}
        try:
            rows = torn.execute(
                f"SELECT {asked} FROM changes WHERE page = ? ORDER BY revision", (page,)
            ).fetchall()
            if [row[1] for row in rows] != list(range(1, revision + 1)):
                continue
            if summed and any(checksums.of(row[:-1]) != row[-1] for row in rows):
                continue
            for row in rows:
                state = sheets.after(state, row[len(columns) - 1])
        except (sqlite3.Error, InputError):
            continue
        marks = ((mark, journal.dump(records.check(record))) for mark, record in state.items())
        salvaged.executemany(
            "INSERT OR IGNORE INTO marks (page, id, place, record) VALUES (?, ?, ?, ?)",
            [(page, mark, place, text) for place, (mark, text) in enumerate(marks, 1)],
        )


def _rows(db: sqlite3.Connection, table: str, columns: str) -> Iterator[SalvagedRow]:
    """Yield rows up to the first unreadable one, then those after it, from the end."""
    first = columns.split(",")[0]
    for order in ("ASC", "DESC"):
        try:
            yield from db.execute(
                f"SELECT {columns} FROM {table} ORDER BY {first} {order} LIMIT {_MOST_ROWS}"
            )
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
                raise
            continue
        return


def _has(db: sqlite3.Connection, table: str, column: str) -> bool:
    try:
        db.execute(f"SELECT {column} FROM {table} LIMIT 0")
    except sqlite3.Error:
        return False
    return True


def _known(db: sqlite3.Connection, table: str, columns: str) -> str:
    """Return columns as a file of an older format has them: all was one annotator's then."""
    if table == "pages" and not _has(db, "pages", "annotator"):
        return columns.replace("annotator", "1 AS annotator")
    return columns


def _page(row: SalvagedRow) -> SalvagedRow | None:
    """Return a page for access to its marks; other damaged values count as unknown."""
    number, annotator, key, order, url, title, digest, width, height, status, visited, last = row
    if not (_are(int, number, annotator) and _are(str, key, status)):
        return None
    texts = [each if isinstance(each, str) else "" for each in (title, digest, visited)]
    has_size = _are(int, width, height) and all(0 <= px <= NOTED_SIDE.most for px in row[7:9])
    return (
        number, annotator, key,
        order if isinstance(order, int) and abs(order) <= schema.LARGEST_NUMBER else number,
        url if isinstance(url, str) else key,
        *texts[:2], *(row[7:9] if has_size else (0, 0)), status, texts[2],
        last if isinstance(last, int) and 0 <= last <= schema.LARGEST_NUMBER else 0,
    )  # fmt: skip


def _are(kind: type, *values: object) -> bool:
    return all(
        isinstance(each, kind) and (not isinstance(each, int) or abs(each) <= schema.LARGEST_NUMBER)
        for each in values
    )


def _numbered(row: SalvagedRow) -> SalvagedRow | None:
    return row if _are(int, row[0]) and _are(str, *row[1:]) else None


def _comment(row: SalvagedRow) -> SalvagedRow | None:
    _, page, mark, author, *rest, answers, settled = row
    is_whole = _are(int, page, author, settled) and _are(str, row[0], mark, *rest, answers)
    return row if is_whole else None


def _mark(row: SalvagedRow) -> SalvagedRow | None:
    page, mark_id, position, record = row
    if not (_are(int, page) and _are(str, mark_id, record)):
        return None
    try:
        whole = journal.dump(sheets.check_sheet(mark_id, record))
    except InputError:
        return None
    is_placed = isinstance(position, int) and abs(position) <= schema.LARGEST_NUMBER
    return page, mark_id, position if is_placed else schema.LARGEST_NUMBER, whole


def _setting(row: SalvagedRow) -> SalvagedRow | None:
    return row if _are(str, *row) else None


_TABLES: tuple[tuple[str, str, _Mend], ...] = (
    ("annotators", "id, uid, name, role", _numbered),
    ("pages", _PAGES, _page),
    ("marks", "page, id, place, record", _mark),
    ("comments", "id, page, mark, author, made, kind, text, answers, settled", _comment),
    ("decisions", "page, item, choice", _numbered),
    ("settings", "key, value", _setting),
)
