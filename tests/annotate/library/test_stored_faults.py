"""Planted faults of workspaces and runs are each found, and none in what is whole."""

import csv
import gzip
import json
import re
import sqlite3
from contextlib import closing

import pytest

from annotate.library.stored_faults import run_faults, workspace_faults
from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.workspace.workspace import Workspace
from engine.document import Document
from tests.annotate.pages import nodes_of
from tests.typed_commands import typed

KEYS = [f"https://example.org/{n}" for n in range(5)]


@pytest.fixture
def workspace(tmp_path):
    path, nodes = tmp_path / "marks.pagelet", nodes_of("<h1>Harbour</h1><p>A ferry</p>")
    with Workspace.open(path) as made:
        made.add_pages([Document(key, key) for key in KEYS])
        for key in KEYS:
            gold = edits.add_block(Gold(), nodes, [Target(2)], 1)
            made.save_gold(key, gold, nodes, "mark")
    return path


def test_a_workspace_with_changes_in_its_log_is_whole(workspace):
    with closing(sqlite3.connect(workspace)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("PRAGMA wal_autocheckpoint = 0")
        other.execute("CREATE TABLE filler (text)")
        other.execute("INSERT INTO filler VALUES (?)", ("y" * 200_000,))
        other.execute("DROP TABLE filler")
        other.commit()
        assert workspace_faults(workspace) == []


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("DELETE FROM marks WHERE page = 2", "marks"),
        ("UPDATE marks SET record = record || ' ' WHERE page = 1", "marks"),
        ("DELETE FROM pages WHERE id = 3", "has no page"),
        ("DELETE FROM changes WHERE page = 2", "changes of marks are missing"),
        ("UPDATE marks SET page = 77 WHERE page = 1", "has no page"),
        ("UPDATE pages SET digest = 'ab' WHERE id = 1", "pages is not as it was written"),
        ("CREATE TRIGGER t AFTER INSERT ON marks BEGIN DELETE FROM marks; END", "t"),
    ],
)
def test_a_planted_fault_of_a_workspace_is_named(workspace, sql, said):
    assert workspace_faults(workspace) == []
    with closing(sqlite3.connect(workspace)) as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        changed = db.execute(sql).rowcount
        db.commit()
    assert changed
    before = workspace.read_bytes()
    (fault,) = workspace_faults(workspace)
    assert said in fault
    assert workspace.read_bytes() == before


@pytest.mark.parametrize("share", [0.3, 0.7, 0.95])
def test_a_truncated_workspace_is_named(workspace, share):
    data = workspace.read_bytes()
    workspace.write_bytes(data[: int(len(data) * share)])
    assert len(workspace_faults(workspace)) == 1


@pytest.fixture
def results(tmp_path):
    gold = {}
    (tmp_path / "pages" / "html").mkdir(parents=True)
    for name in ("one", "two"):
        page = tmp_path / "pages" / "html" / f"{name}.html.gz"
        page.write_bytes(gzip.compress(f"<p>{'word ' * 30}{name}</p>".encode()))
        gold[name] = {"articleBody": "word " * 30, "url": f"https://example.org/{name}"}
    (tmp_path / "pages" / "ground-truth.json").write_text(json.dumps(gold))
    out = tmp_path / "run"
    words = ("evaluate", str(tmp_path / "pages"), "--methods", "plain,bte", "--out", str(out))
    done = typed(*words, "--report", "tables")
    assert done.returncode == 0, done.stderr
    return out


def altered(path, column, value):
    """Set a column of the first row with a value there."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    at = rows[0].index(column)
    row = next(row for row in rows[1:] if row[at])
    row[at] = value
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def test_planted_faults_of_a_run_are_named(results, tmp_path):
    assert run_faults(results) == []
    stored = (results / "scores.csv").read_bytes()
    altered(results / "scores.csv", "value", "0.123")
    found = run_faults(results)
    assert any("differs between scores.csv and scores.sqlite" in each for each in found)
    assert any(re.match(r"summary.csv, line \d+, does not follow", each) for each in found)
    (results / "scores.csv").write_bytes(stored)
    altered(results / "summary.csv", "pages", "7")
    (fault,) = run_faults(results)
    assert "does not follow from the rows" in fault
    (results / "scores.csv").write_bytes(b"\n".join(stored.split(b"\n")[:-2]))
    assert any("and not in scores.csv" in each for each in run_faults(results))
    (results / "scores.csv").write_bytes(stored)
    (tmp_path / "pages" / "html" / "one.html.gz").write_bytes(gzip.compress(b"<p>another page"))
    assert any("pages/one: the page or its gold is another" in k for k in run_faults(results))


def test_verify_looks_what_a_path_is(workspace, tmp_path):
    done = typed("verify", str(workspace))
    assert done.stdout == f"{workspace}: whole\n", done.stderr
    workspace.write_bytes(workspace.read_bytes()[:9000])
    done = typed("verify", str(workspace), "--json")
    assert done.returncode == 1
    assert '"faults"' in done.stdout
