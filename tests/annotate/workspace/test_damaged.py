"""Damaged workspaces are reported, never written to, and read as far as possible."""

import random
import sqlite3
from contextlib import closing

import pytest

from annotate.datasets.readers import read_dataset
from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.errors import InputError, PageletError, WorkspaceError
from tests.annotate.pages import nodes_of

KEYS = [f"https://example.org/{n}" for n in range(60)]


@pytest.fixture
def nodes():
    return nodes_of("<h1>Harbour</h1><p>A ferry</p><p>comes <b>back</b></p>")


@pytest.fixture
def path(tmp_path, nodes):
    """Return a workspace of sixty pages with two marks each."""
    path = tmp_path / "marks.pagelet"
    with Workspace.open(path) as workspace:
        workspace.add_pages([Document(key, key) for key in KEYS])
        for key in KEYS:
            gold = edits.add_block(Gold(), nodes, [Target(2)], 1)
            gold = edits.add_block(gold, nodes, [Target(4)], 1)
            workspace.save_gold(key, gold, nodes, "mark")
        workspace.set_setting("layers", [{"key": "vips"}])
    return path


def change(path, sql, *values):
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute(sql, values)
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@pytest.mark.parametrize(
    "record",
    [
        "{}",
        "",
        "[1,2",
        "null",
        b"\xff\xfe",
        "[" * 5000,
        '{"id": 5, "level": 1, "targets": []}',
        b'{"id": "a", "level": 1, "targets": []}',
    ],
)
def test_an_invalid_mark_is_left_out_and_the_rest_is_read(path, nodes, record):
    change(path, "UPDATE marks SET record = ? WHERE page = 1 AND place = 1", record)
    change(path, "UPDATE changes SET delta = delta || ' ' WHERE page = 1")
    before = path.read_bytes()
    with Workspace.open(path) as workspace:
        assert workspace.damage == (
            f"{path} is damaged and open for reading only: 60 pages and 119 marks of it can be read"
        )
        assert [entry.marks for entry in workspace.pages()] == [1] + [2] * 59
        assert len(workspace.load_gold(KEYS[0], nodes).marks) == 1
        assert len(workspace.load_gold(KEYS[1], nodes).marks) == 2
        assert workspace.setting("layers") == [{"key": "vips"}]
        assert workspace.visit(KEYS[0], title="x", digest="y", viewport=(1, 1))
        workspace.add_pages([Document("https://other.example", "https://other.example")])
        gold = edits.add_block(workspace.load_gold(KEYS[1], nodes), nodes, [Target(3)], 2)
        with pytest.raises(WorkspaceError, match="is damaged and open for reading only"):
            workspace.save_gold(KEYS[1], gold, nodes, "mark")
        with pytest.raises(WorkspaceError, match="is damaged and open for reading only"):
            workspace.set_setting("layers", [])
    assert path.read_bytes() == before


def test_a_damaged_mark_is_restored_from_its_changes(path, nodes):
    with Workspace.open(path) as workspace:
        whole = workspace.load_gold(KEYS[0], nodes)
    change(path, "UPDATE marks SET record = replace(record, 'ferry', 'merry') WHERE page = 1")
    with Workspace.open(path) as workspace:
        assert "60 pages and 120 marks of it can be read" in workspace.damage
        assert workspace.load_gold(KEYS[0], nodes) == whole


@pytest.mark.parametrize(
    ("sql", "pages"),
    [
        ("UPDATE pages SET status = 'lost' WHERE id = 3", 59),
        ("UPDATE pages SET title = x'ff00' WHERE id = 3", 60),
        ("UPDATE pages SET title = CAST(x'ff61' AS TEXT) WHERE id = 3", 60),
        ("UPDATE pages SET width = 'wide' WHERE id = 3", 60),
        ("UPDATE changes SET delta = '{}' WHERE page = 3", 60),
    ],
)
def test_an_invalid_page_entry_is_left_out_and_the_rest_is_read(path, sql, pages):
    change(path, sql)
    with Workspace.open(path) as workspace:
        assert "is damaged and open for reading only" in workspace.damage
        assert len(workspace.pages()) == pages


@pytest.mark.parametrize("value", ["[1,2", "", "[" * 5000, b"\x00\xff", 7])
def test_an_invalid_setting_counts_as_missing(path, value):
    change(path, "UPDATE settings SET value = ? WHERE key = 'layers'", value)
    with Workspace.open(path) as workspace:
        assert workspace.setting("layers", "default") in ("default", 7)
        if not workspace.damage:
            workspace.set_setting("layers", [])
            assert workspace.setting("layers") == []


@pytest.mark.slow
def test_random_damage_is_detected_and_a_damaged_file_is_not_written(path, nodes):
    whole = path.read_bytes()
    dice = random.Random(13)
    ends = {"whole": 0, "damaged": 0, "refused": 0}
    for _ in range(120):
        torn = bytearray(whole)
        for _ in range(dice.choice((1, 4, 30))):
            torn[dice.randrange(100, len(torn))] = dice.randrange(256)
        if dice.random() < 0.3:
            del torn[dice.randrange(100, len(torn)) :]
        path.write_bytes(torn)
        try:
            workspace = Workspace.open(path)
        except WorkspaceError as error:
            assert "damaged" in str(error) or "newer" in str(error)  # noqa: PT017
            ends["refused"] += 1
            continue
        with workspace:
            ends["damaged" if workspace.damage else "whole"] += 1
            read_all(workspace, nodes)
            if workspace.damage:
                assert path.read_bytes() == torn
    assert ends["damaged"] > 20, ends


def read_all(workspace, nodes):
    """Read all pages; each error must be one sentence."""
    for ask in (workspace.pages, workspace.marked, workspace.gold_digests):
        told(ask)
    for key in KEYS[:5]:
        told(lambda key=key: workspace.load_gold(key, nodes))
        told(lambda key=key: workspace.undo_history(key, nodes))


def told(ask):
    try:
        ask()
    except PageletError as error:
        assert "damaged" in str(error) or "has no " in str(error)  # noqa: PT017


def test_read_dataset_refuses_a_damaged_workspace(path):
    change(path, "UPDATE marks SET record = '{}' WHERE page = 1 AND place = 1")
    with pytest.raises(InputError, match="is damaged and open for reading only"):
        read_dataset(path)
