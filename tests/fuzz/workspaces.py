"""Workspaces that somebody else made: any SQL in the schema, any values in the records.

The same seed gives the same file.
"""

import json
import random
import sqlite3
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

from annotate.workspace import checksums, schema
from annotate.workspace.workspace import Workspace
from tests.annotate import foreign
from tests.fuzz.files import nodes, odd, turned

TABLES = (*checksums.COLUMNS, "runs", "scores")
ENDLESS = foreign.ENDLESS
_CALLS = (
    "hex(zeroblob(100000000))", "randomblob(1000000000)", "load_extension('x')", "abs(-1)",
    "printf('%.*c', 900000000, 'x')", "replace(hex(zeroblob(1000000)), '0', 'xxxxxxxxxxxxxxxx')",
    "(SELECT count(*) FROM pages a, pages b, marks c)", "json('[')", "fts3_tokenizer('x')",
    "sqlite_compileoption_used('x')", "crc32('x')", "readfile('/dev/zero')", "1/0", "x'00'",
)  # fmt: skip


@cache
def base(version: int) -> bytes:
    """Return a workspace of two pages in some format, as Pagelet made it."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = foreign.made(Path(folder) / "base.pagelet", nodes(), "Other")
        if version == schema.VERSION:
            return path.read_bytes()
        older = Path(folder) / "older.pagelet"
        with closing(sqlite3.connect(older)) as db:
            for number in range(1, version + 1):
                db.executescript(schema.step(number))
            db.execute("DELETE FROM annotators")
            db.execute("ATTACH ? AS newer", (str(path),))
            for table in checksums.COLUMNS:
                known = db.execute(f"PRAGMA main.table_info({table})").fetchall()
                if known:
                    columns = ", ".join(row[1] for row in known)
                    db.execute(
                        f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM newer.{table}"
                    )
            db.commit()
        return older.read_bytes()


def with_schema(seed: int, path: Path) -> None:
    """Write a workspace with some SQL in its schema."""
    dice = random.Random(f"schema {seed}")
    path.write_bytes(base(dice.choice((3, 4, schema.VERSION, schema.VERSION))))
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA legacy_alter_table = ON")
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000)  # of who makes it, not of who reads
        checksums.register(db)
        for _ in range(dice.choice((1, 1, 2, 4))):
            with suppress(sqlite3.Error):  # what cannot be made is none
                db.executescript(_statement(dice))
        if dice.random() < 0.3:
            _overwrite(db, dice)
        db.commit()
        with suppress(sqlite3.Error):
            db.execute("PRAGMA journal_mode = DELETE")
    if dice.random() < 0.1:
        path.write_bytes(turned(dice, path.read_bytes(), 1.0, 100))


def _statement(dice: random.Random) -> str:
    table, name = dice.choice(TABLES), dice.choice((*TABLES, "t", "sqlite_x", "a b", "checksum_x"))
    call = dice.choice(_CALLS)
    column = dice.choice(checksums.COLUMNS.get(table, ("run",)))
    when = dice.choice(("AFTER", "BEFORE"))
    event = dice.choice(("INSERT", "UPDATE", "DELETE"))
    body = dice.choice((
        f"DELETE FROM {table}", "SELECT raise(ignore)", f"SELECT {call}",
        f"UPDATE {table} SET {column} = {call}", f"INSERT INTO {table} SELECT * FROM {table}",
        "SELECT raise(abort, '\x1b[2J')",
    ))  # fmt: skip
    views = f"SELECT {table}_.* FROM {table}_, c", f"SELECT {call} AS {column}", "SELECT x FROM c"
    return dice.choice((
        f'CREATE TRIGGER "{name}" {when} {event} ON {table} BEGIN {body}; END',
        f'DROP TABLE {table}; CREATE VIEW {table} AS {ENDLESS} {dice.choice(views[1:])}',
        f"ALTER TABLE {table} RENAME TO {table}_; CREATE VIEW {table} AS {ENDLESS} {views[0]}",
        f'CREATE VIEW "{name}" AS {ENDLESS} SELECT x FROM c',
        f'CREATE INDEX "{name}" ON {table} ({column}) WHERE {call}',
        f'CREATE INDEX "{name}" ON {table} (abs({column}), {column} COLLATE NOCASE)',
        f"ALTER TABLE {table} ADD COLUMN g GENERATED ALWAYS AS ({call}) VIRTUAL",
        f"ALTER TABLE {table} ADD COLUMN g TEXT DEFAULT 'x' CHECK ({call} IS NOT g)",
        f"DROP TABLE {table}; CREATE TABLE {table} ({column} TEXT DEFAULT ({call}))",
        f"DROP TABLE {table}; CREATE VIRTUAL TABLE {table} USING fts5({column})",
        f'CREATE VIRTUAL TABLE "{name}" USING {dice.choice(("rtree(a, b, c)", "fts4(x)"))}',
        f"DROP TABLE {table}", f"ALTER TABLE {table} RENAME COLUMN {column} TO \"{name}\"",
        f"ALTER TABLE {table} DROP COLUMN {column}", "ANALYZE", "REINDEX",
        f"PRAGMA user_version = {dice.choice((0, 1, 2, 3, 4, 5, -1))}",
    ))  # fmt: skip


def _overwrite(db: sqlite3.Connection, dice: random.Random) -> None:
    """Put anything into the table of the schema itself."""
    db.execute("PRAGMA writable_schema = ON")
    rows = [row[0] for row in db.execute("SELECT rowid FROM sqlite_schema")]
    for _ in range(dice.choice((1, 2))):
        column = dice.choice(("type", "name", "tbl_name", "rootpage", "sql"))
        value = dice.choice((
            None, 0, 1, 2, -1, 2**40, "view", "table", "trigger", "pages", "marks", "", "x" * 9_999,
            f"CREATE VIEW pages AS {ENDLESS} SELECT x FROM c",
            "CREATE VIRTUAL TABLE v USING fts5(x)",
            "CREATE TABLE pages (id)", b"\xff\xfe", "CREATE TABLE" + "(" * 900, "\0",
        ))  # fmt: skip
        with suppress(sqlite3.Error):
            db.execute(
                f"UPDATE sqlite_schema SET {column} = ? WHERE rowid = ?", (value, dice.choice(rows))
            )


def with_records(seed: int, path: Path) -> None:
    """Write a workspace with odd values in its rows, their checksums right or not."""
    dice = random.Random(f"records {seed}")
    version = dice.choice((3, 4, schema.VERSION, schema.VERSION, schema.VERSION))
    path.write_bytes(base(version))
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        for _ in range(dice.choice((1, 1, 2, 5))):
            _change(db, dice)
        if dice.random() < 0.2:
            script = dice.choice(tuple(foreign.RECORDS.values()))
            with suppress(sqlite3.Error):
                db.executescript(script)
        if version == schema.VERSION and dice.random() < 0.7:
            checksums.register(db)
            with suppress(sqlite3.Error):
                db.executescript(checksums.fill())
        db.commit()


def _change(db: sqlite3.Connection, dice: random.Random) -> None:
    table = dice.choice((*checksums.COLUMNS, "marks", "changes", "pages"))  # some are empty
    keys = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[5]]
    rows = db.execute(f"SELECT {', '.join(keys)} FROM {table}").fetchall() if keys else []
    if not rows:
        return
    column = dice.choice(checksums.COLUMNS[table])
    ours, which = " AND ".join(f"{key} IS ?" for key in keys), dice.choice(rows)
    with suppress(sqlite3.Error, OverflowError, ValueError, RecursionError):
        (old,) = db.execute(f"SELECT {column} FROM {table} WHERE {ours}", which).fetchone()
        new: object = dice.choice(
            (odd(dice), -1, 0, 2**31, 2**63 - 1, -(2**63), 1e999, b"\xff", "")
        )
        if isinstance(old, str) and old[:1] in "[{" and dice.random() < 0.8:
            new = json.dumps(_put(dice, json.loads(old), new))
        elif isinstance(new, dict | list | bool):
            new = json.dumps(new)
        db.execute(f"UPDATE {table} SET {column} = ? WHERE {ours}", (new, *which))


def _put(dice: random.Random, value: object, new: object) -> object:
    """Return JSON with another value somewhere in it."""
    if isinstance(new, bytes):
        new = new.decode("latin-1")
    if not isinstance(value, dict | list) or not value or dice.random() < 0.15:
        return new
    if isinstance(value, dict):
        key = dice.choice(sorted(value))
        if dice.random() < 0.1:
            return {name: each for name, each in value.items() if name != key}
        return {**value, key: _put(dice, value[key], new)}
    index = dice.randrange(len(value))
    return [*value[:index], _put(dice, value[index], new), *value[index + 1 :]]


def mine(path: Path) -> Path:
    """Write a sound workspace to merge into."""
    path.write_bytes(_mine())
    return path


@cache
def _mine() -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return foreign.made(Path(folder) / "mine.pagelet", nodes()).read_bytes()


def is_usable(path: Path) -> None:
    """Open a workspace, load, undo and save every page of everybody; raises where that fails."""
    from tests.annotate.workspace.test_untrusted import use

    assert use(path, nodes())[:2] == [2, 2]
    with Workspace.reading(path) as workspace:
        assert not workspace.store.is_partial
