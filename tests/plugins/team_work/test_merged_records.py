"""A workspace stays usable after a merge of any records of another one."""

import json
import shutil
import sqlite3
from contextlib import closing

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from annotate.plugins.team_work.merging import merge
from annotate.workspace import checksums
from annotate.workspace.workspace import Workspace
from engine.errors import PageletError
from tests.annotate.foreign import made
from tests.annotate.pages import nodes_of
from tests.plugins.team_work.test_untrusted import use

NODES = nodes_of("<h1>Harbour</h1><p>A ferry</p><p>comes <b>back</b></p>")

NUMBERS = st.sampled_from([-1, 0, 1, 2, 3, 2**31, 2**53, 2**63 - 1, -(2**63), 1.5, float("inf")])
TEXTS = st.sampled_from(["", "a", "é", "\0", "x" * 2_000, "NaN", "null", "[]", "{}", "\\ud800"])
VALUES = st.one_of(st.none(), NUMBERS, TEXTS, st.binary(max_size=4))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), TEXTS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)

COLUMNS = [(table, column) for table, columns in checksums.COLUMNS.items() for column in columns]
CELLS = st.tuples(st.sampled_from(COLUMNS), st.integers(0, 5), VALUES)
EDITS = st.tuples(
    st.sampled_from([("marks", "record"), ("changes", "delta")]),
    st.integers(0, 5),
    st.lists(st.one_of(st.integers(0, 4), TEXTS), max_size=5),
    JSON,
)


def put(value, path, new):
    """Return JSON with another value at a path, or at the part of it that exists."""
    if not path or not isinstance(value, dict | list) or not value:
        return new
    first, *rest = path
    if isinstance(value, dict):
        keys = sorted(value)
        key = keys[first % len(keys)] if isinstance(first, int) else first
        return {**value, key: put(value.get(key), rest, new)}
    index = first % len(value) if isinstance(first, int) else 0
    return [*value[:index], put(value[index], rest, new), *value[index + 1 :]]


def key_of(db, table, number):
    """Return a condition for a row of a table, and its values; None if the table is empty."""
    keys = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[5]]
    rows = db.execute(f"SELECT {', '.join(keys)} FROM {table}").fetchall()
    if not rows:
        return None
    return " AND ".join(f"{key} IS ?" for key in keys), rows[number % len(rows)]


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pair")
    return made(folder / "mine.pagelet", NODES), made(folder / "theirs.pagelet", NODES, "Other")


@pytest.mark.slow
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    cells=st.lists(CELLS, max_size=3),
    edits=st.lists(EDITS, max_size=3),
    is_summed=st.booleans(),
    is_mine=st.booleans(),
)
def test_a_workspace_opens_loads_and_saves_after_merging_corrupted_records(
    pair, tmp_path, cells, edits, is_summed, is_mine
):
    """``is_mine``: the corrupted file has the uid of the annotator of this workspace."""
    mine, theirs = tmp_path / "mine.pagelet", tmp_path / "theirs.pagelet"
    shutil.copy(pair[0], mine)
    shutil.copy(pair[0] if is_mine else pair[1], theirs)
    with closing(sqlite3.connect(theirs)) as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        for (table, column), number, path, new in edits:
            if (row := key_of(db, table, number)) is not None:
                (old,) = db.execute(
                    f"SELECT {column} FROM {table} WHERE {row[0]}", row[1]
                ).fetchone()
                text = json.dumps(put(json.loads(old), path, new))
                db.execute(f"UPDATE {table} SET {column} = ? WHERE {row[0]}", (text, *row[1]))
        for (table, column), number, value in cells:
            if (row := key_of(db, table, number)) is not None:
                try:
                    db.execute(f"UPDATE {table} SET {column} = ? WHERE {row[0]}", (value, *row[1]))
                except sqlite3.IntegrityError:
                    continue  # as for a second row with the same key
        if is_summed:
            checksums.register(db)
            db.executescript(checksums.fill())
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = mine.read_bytes(), theirs.read_bytes()
    try:
        event("merged in part" if merge([theirs], mine).notes else "merged")
    except PageletError as error:
        event("refused")
        assert "\n" not in str(error)  # noqa: PT017
        assert mine.read_bytes() == before[0]
    assert theirs.read_bytes() == before[1]
    assert use(mine, NODES)[:2] == [2, 2]
    with Workspace.reading(mine) as workspace:
        assert not workspace.store.is_partial
        workspace.marked()
        workspace.gold_digests()
