"""The schema of a workspace file, and the plain tables of a file with another.

A workspace may come from anybody.  SQLite runs what a file's schema holds: triggers, views, virtual
tables, expressions of indexes, generated columns, defaults and checks.  So before anything else is
asked of a file, its schema is compared with the one that Pagelet itself makes in that format, token
for token.  Of a file with another schema, or a damaged one, pages are copied into memory, and the
schema in that copy is replaced by bare columns before a row is read (`plain_copy`).
"""

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path

import resources
from annotate.workspace.checksums import register
from annotate.workspace.limits import guard

VERSION = 7
"""Number of the last step in ``resources/sql``, kept in ``PRAGMA user_version``."""

LARGEST = 1 << 30
"""Bytes of the largest file that is copied into memory."""

SchemaEntry = tuple[str, str, str, str]
"""Type, name, table and normalised SQL of a row of ``sqlite_schema``."""

_MOST_ENTRIES = 1_000
_NAMED = "SELECT name, rootpage, sql FROM sqlite_schema"
_TOKEN = re.compile(
    r"""(?P<skip>\s+|--[^\n]*|/\*.*?\*/)
    |"(?P<quoted>(?:[^"]|"")*)"
    |(?P<word>\w+)
    |(?P<other>'(?:[^']|'')*'|.)""",
    re.DOTALL | re.VERBOSE,
)


def step(number: int) -> str:
    """Return the SQL that brings a workspace to a format from the one before."""
    return resources.read_text(f"sql/{number:04}.sql")


@cache
def find_schema(version: int) -> frozenset[SchemaEntry]:
    """Return the schema of a workspace in some format, as Pagelet makes it."""
    with closing(_empty(version)) as db:
        return frozenset(_entries(db))


def difference(db: sqlite3.Connection) -> str:
    """Return what in an open file is not as Pagelet makes it, as a noun phrase; "" if nothing.

    Runs nothing of the schema.  A file without any tables is as Pagelet makes it.  May raise
    `sqlite3.Error` or `UnicodeDecodeError` of a damaged file.
    """
    db.execute("BEGIN")
    try:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        (encoding,) = db.execute("PRAGMA encoding").fetchone()
        there = _entries(db)
    finally:
        db.execute("ROLLBACK")
    if not there and version == 0:
        return ""
    if encoding != "UTF-8":
        return f"its texts are in {encoding}"
    expected = find_schema(version) if 0 <= version <= VERSION else frozenset()
    more = [each for each in there if each not in expected]
    if more:
        kind, name, *_ = min(more, key=lambda each: (_worst(each[0]), each))
        return f"its {kind if kind in _KINDS else 'entry'} {_short(name)} is not Pagelet's own"
    missing = expected.difference(there)
    return f"its {min(missing)[0]} {min(missing)[1]} is missing" if missing else ""


_KINDS = ("trigger", "view", "table", "index")


def _worst(kind: str) -> int:
    return _KINDS.index(kind) if kind in _KINDS else len(_KINDS)


def _short(name: str) -> str:
    shown = "".join(letter if letter.isprintable() else "?" for letter in name[:40])
    return f'"{shown}"'


def _entries(db: sqlite3.Connection) -> list[SchemaEntry]:
    sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
    rows = db.execute(sql).fetchmany(_MOST_ENTRIES)
    return [(str(kind), str(name), str(table), _tokens(sql)) for kind, name, table, sql in rows]


def _tokens(sql: object) -> str:
    """Return SQL without comments and spaces, names without quotes and in small letters."""
    if not isinstance(sql, str):
        return ""
    result = []
    for token in _TOKEN.finditer(sql):
        if token["skip"] is None:
            name = token["quoted"] if token["word"] is None else token["word"]
            result.append(token["other"] if name is None else name.lower())
    return "\0".join(result)


def is_plain(db: sqlite3.Connection, table: str) -> bool:
    """Whether an open file has a table of columns of texts and numbers, and nothing else, so named.

    What else is in the file does not run where only that table is read.
    """
    there = db.execute(_NAMED).fetchmany(_MOST_ENTRIES)
    named = [
        (name, root, tokens)
        for name, root, sql in there
        if (tokens := _tokens(sql)).split("\0")[2:3] == [table] or name == table
    ]
    if len(named) != 1:
        return False
    name, root, tokens = named[0]
    return name == table and bool(root) and _PLAIN.fullmatch(tokens) is not None


_PLAIN = re.compile(
    r"create\0table\0[^\0]+\0\(\0"
    r"[^\0,()]+(\0(text|numeric))?(\0,\0[^\0,()]+(\0(text|numeric))?)*\0\)"
)


def _empty(version: int) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None)
    register(db)
    for number in range(1, version + 1):
        db.executescript(step(number))
    return db


def plain_copy(source: sqlite3.Connection) -> sqlite3.Connection:
    """Return a copy in memory in which the tables of a workspace have columns and nothing else.

    Args:
        source: An open file, whole or damaged, with a schema that may be anybody's.

    Texts are read as far as they are UTF-8.

    Raises:
        sqlite3.Error: Nothing of it can be read.
    """
    copy = sqlite3.connect(":memory:", isolation_level=None)
    try:
        source.backup(copy)
        guard(copy, is_repair=True)
        copy.text_factory = lambda data: data.decode("utf-8", "replace")
        copy.execute("PRAGMA writable_schema = ON")
        (version,) = copy.execute("PRAGMA user_version").fetchone()
        there = copy.execute(_NAMED).fetchmany(_MOST_ENTRIES)
        layout = _layout(_version_of(there, version))
        roots = {
            name: root
            for name, root, sql in there
            if name in layout and isinstance(root, int) and root > 1 and _is_table(sql, name)
        }
        copy.execute("DELETE FROM sqlite_schema")
        copy.executemany(
            "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)"
            " VALUES ('table', ?, ?, ?, ?)",
            [(name, name, root, layout[name]) for name, root in roots.items()],
        )
        copy.execute("PRAGMA writable_schema = RESET")
        copy.execute("PRAGMA writable_schema = ON")  # tables that cannot be read hide no others
        copy.execute("PRAGMA query_only = ON")
    except BaseException:
        copy.close()
        raise
    return copy


def _version_of(there: Sequence[tuple[object, ...]], stated: int) -> int:
    """Return the format whose tables are most like those there: a number may be damaged, too."""
    tables = {str(name): _tokens(sql) for name, _, sql in there}
    alike = {
        version: sum(tables.get(name) == sql for _, name, _, sql in find_schema(version) if sql)
        for version in range(1, VERSION + 1)
    }
    return max(alike, key=lambda version: (alike[version], version == stated, version))


def _is_table(sql: object, name: str) -> bool:
    """Whether an entry, maybe with a damaged letter, is neither a view nor a virtual table."""
    words = _tokens(sql).split("\0")[:2]
    return words not in (["create", "view"], ["create", "virtual"]) and bool(name)


LARGEST_NUMBER = 2**40
"""Of whole numbers in rows: more is added to them, and they go through JSON."""


@cache
def odd_rows() -> dict[str, str]:
    """Return table → SQL condition of rows with a value of another kind than their column's.

    SQLite stores any kind anywhere, and infinite numbers.
    """
    kinds = {
        "TEXT": "typeof({0}) = 'text'",
        "INTEGER": f"typeof({{0}}) = 'integer' AND {{0}} BETWEEN -{LARGEST_NUMBER} AND"
        f" {LARGEST_NUMBER}",
        "REAL": "typeof({0}) = 'real' AND abs({0}) < 1e300",
    }
    result = {}
    with closing(_empty(VERSION)) as db:
        for table in _layout(VERSION):
            columns = db.execute(f'PRAGMA table_info("{table}")').fetchall()
            result[table] = " OR ".join(
                f"NOT ({kinds[kind].format(name)}{'' if is_set or key else f' OR {name} IS NULL'})"
                for _, name, kind, is_set, _, key in columns
            )
    return result


@cache
def _layout(version: int) -> dict[str, str]:
    """Return table → SQL with the stored columns of a format, and nothing else."""
    result = {}
    with closing(_empty(version)) as db:
        tables = "SELECT name, sql FROM sqlite_schema WHERE type = 'table'"
        for name, sql in db.execute(tables).fetchall():
            columns = db.execute(f'PRAGMA table_info("{name}")').fetchall()
            keys = [column[1] for column in sorted(columns, key=lambda c: c[5]) if column[5]]
            is_by_key = _tokens(sql).endswith("without\0rowid")
            typed = [
                f'"{column}" {kind}{" PRIMARY KEY" if key and not is_by_key else ""}'
                for _, column, kind, _, _, key in columns
            ]
            if is_by_key:
                typed.append(f"PRIMARY KEY ({', '.join(keys)})")
            end = " WITHOUT ROWID" if is_by_key else ""
            result[name] = f'CREATE TABLE "{name}" ({", ".join(typed)}){end}'
    return result


def check_size(path: Path) -> str:
    """Return why a file is not copied into memory, as a clause; "" if it may be."""
    size = path.stat().st_size
    return f"it has {size / 1e9:.1f} GB, and 1 GB is the most" if size > LARGEST else ""
