"""Limits of connections to foreign files: their schema does not run, and queries end."""

import sqlite3
from contextlib import closing

import pytest

from annotate.workspace import limits

COUNT = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c"


@pytest.fixture
def db():
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        made.executescript(
            "CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t;"
            "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; END"
        )
        yield made


def test_only_temporary_triggers_of_this_connection_run(db):
    db.execute("CREATE TABLE u (a, b)")
    db.execute(
        "CREATE TEMP TRIGGER checksum_u AFTER INSERT ON main.u BEGIN UPDATE u SET b = a; END"
    )
    limits.guard(db)
    db.execute("INSERT INTO u (a) VALUES (7)")
    assert db.execute("SELECT b FROM u").fetchone() == (7,)
    with pytest.raises(sqlite3.DatabaseError, match=r"prohibited|not authorized"):
        db.execute("SELECT * FROM v")
    try:
        db.execute("INSERT INTO t VALUES (1)")
    except sqlite3.DatabaseError:
        pass  # before Python 3.12
    else:
        assert db.execute("SELECT count(*) FROM t").fetchone() == (1,)


def test_a_value_above_the_length_limit_is_refused(db):
    limits.guard(db)
    with pytest.raises(sqlite3.DataError, match="too big"):
        db.execute("SELECT zeroblob(900000000)")


def test_an_endless_query_is_stopped(db, monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.05)
    with pytest.raises(sqlite3.OperationalError, match="interrupted"), limits.deadline(db):
        db.execute(f"{COUNT}) SELECT max(x) FROM c")
    assert db.execute("SELECT 1").fetchone() == (1,)


def test_an_interrupt_in_the_middle_of_a_query_is_not_swallowed(db, monkeypatch):
    def interrupt():
        raise KeyboardInterrupt

    def ask():
        with limits.deadline(db):
            monkeypatch.setattr(limits.time, "monotonic", interrupt)
            db.execute(f"{COUNT} LIMIT 9000000) SELECT max(x) FROM c")

    with pytest.raises(KeyboardInterrupt):
        ask()
