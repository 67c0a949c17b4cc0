"""Foreign workspaces: their schema does not run, and their records damage no other file."""

import json
import re
import sqlite3
from contextlib import closing

import pytest

from annotate.datasets.readers import read_dataset
from annotate.evaluation.store.row_files import read_rows, write_database
from annotate.evaluation.store.rows import ROW_COLUMNS
from annotate.marks import gold_file
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.errors import InputError, PageletError, WorkspaceError
from tests.annotate.foreign import ENDLESS, KEYS, RECORDS, SCHEMAS, changed, made
from tests.annotate.pages import nodes_of
from tests.every_command import Desk, Typed, words_of, write_data_set


@pytest.fixture(scope="module")
def nodes():
    return nodes_of("<h1>Harbour</h1><p>A ferry</p><p>comes <b>back</b></p>")


@pytest.fixture(scope="module")
def base(nodes, tmp_path_factory):
    return made(tmp_path_factory.mktemp("base") / "base.pagelet", nodes, "Other")


@pytest.mark.parametrize("what", SCHEMAS)
def test_foreign_schemas_do_not_run_and_their_plain_tables_are_read(base, tmp_path, nodes, what):
    path = changed(base, tmp_path / "theirs.pagelet", SCHEMAS[what])
    before = path.read_bytes()
    for way in (Workspace.open, Workspace.reading):
        try:
            with way(path) as workspace:
                assert "open for reading only, without what another program put" in workspace.damage
                for key in KEYS:
                    assert len(workspace.load_gold(key, nodes).marks) == 2
                with pytest.raises(WorkspaceError, match="reading only"):
                    workspace.set_setting("layers", [])
        except WorkspaceError as error:
            assert what == "endless pages"
            assert "no page in it can be read" in str(error)  # noqa: PT017
    assert path.read_bytes() == before


@pytest.mark.parametrize("what", RECORDS)
def test_a_workspace_with_invalid_records_opens_for_reading_only(base, tmp_path, nodes, what):
    path = changed(base, tmp_path / "theirs.pagelet", RECORDS[what])
    with Workspace.open(path) as workspace:
        assert "damaged and open for reading only" in workspace.damage
        for entry in workspace.pages():
            workspace.load_gold(entry.key, nodes)
            workspace.undo_history(entry.key, nodes)


@pytest.mark.parametrize("what", RECORDS)
def test_invalid_records_with_valid_checksums_load_or_raise_damaged(base, tmp_path, nodes, what):
    path = changed(base, tmp_path / "theirs.pagelet", RECORDS[what], is_summed=True)
    with Workspace.open(path) as workspace:
        for key in KEYS:
            for ask in (workspace.load_gold, workspace.undo_history):
                try:
                    ask(key, nodes)
                except PageletError as error:
                    assert "damaged" in str(error)  # noqa: PT017


@pytest.mark.parametrize(
    ("table", "column"),
    [("marks", "record"), ("changes", "delta"), ("changes", "what"), ("pages", "title"),
     ("pages", "url"), ("annotators", "name"), ("settings", "value"), ("pages", "checksum")],
)  # fmt: skip
def test_a_changed_letter_in_any_row_is_detected_as_damage(base, tmp_path, nodes, table, column):
    turned = f"UPDATE {table} SET {column} = replace(replace({column}, 'e', 'd'), 'k', 'j')"
    if column in ("title", "checksum"):
        turned = f"UPDATE {table} SET {column} = {column} || '1'"
    path = changed(base, tmp_path / "turned.pagelet", turned)
    with Workspace.open(path) as workspace:
        assert "is damaged and open for reading only" in workspace.damage
        assert len(workspace.pages()) == 2


def test_a_flipped_bit_in_any_record_is_detected_as_damage(base, tmp_path, nodes):
    whole = base.read_bytes()
    path = tmp_path / "turned.pagelet"
    with closing(sqlite3.connect(f"{base.as_uri()}?mode=ro", uri=True)) as db:
        texts = [row[0] for row in db.execute("SELECT record FROM marks")]
        texts += [row[0] for row in db.execute("SELECT delta FROM changes")]
    at = sorted({whole.index(text.encode()[:60]) for text in texts})
    for start in at:
        for offset in range(0, 60, 13):
            torn = bytearray(whole)
            torn[start + offset] ^= 1 << offset % 8
            path.write_bytes(torn)
            with Workspace.open(path) as workspace:
                assert "is damaged" in workspace.damage


SCORES = {
    "an endless view": f"ALTER TABLE scores RENAME TO s; CREATE VIEW scores AS {ENDLESS}"
        " SELECT s.* FROM s, c",
    "a virtual table": "DROP TABLE scores; CREATE VIRTUAL TABLE scores USING fts5(page)",
    "a generated column":
        "ALTER TABLE scores ADD COLUMN g GENERATED ALWAYS AS (hex(zeroblob(100000000)))",
    "a quoted view": f'DROP TABLE scores; CREATE VIEW "SCORES" AS {ENDLESS} SELECT x FROM c',
}  # fmt: skip


def scores(path):
    """Write the scores of an evaluation, a valid row and an invalid one."""
    whole = dict.fromkeys(ROW_COLUMNS, "") | {
        "page": "p", "method": "bte", "status": "ok", "measure": "ws", "value": "0.5",
    }  # fmt: skip
    odd = whole | {"value": "nan"}
    rows = [[row[name] for name in ROW_COLUMNS] for row in (whole, odd)]
    write_database(path / "scores.sqlite", {"scores": (ROW_COLUMNS, rows)})
    return path / "scores.sqlite"


@pytest.mark.parametrize("what", SCORES)
def test_scores_of_others_are_read_from_a_plain_table_only(tmp_path, what):
    path = scores(tmp_path)
    (row,) = read_rows(path)
    assert row.score.value == 0.5
    with closing(sqlite3.connect(path)) as db:
        db.executescript(f"CREATE VIEW mine AS {ENDLESS} SELECT x FROM c; {SCORES[what]}")
    with pytest.raises(InputError, match="it has no plain table of scores"):
        read_rows(path)


def test_scores_are_read_from_a_database_with_an_additional_view(tmp_path):
    path = scores(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        db.executescript("CREATE VIEW mine AS SELECT avg(value) FROM scores")
    assert len(read_rows(path)) == 1


def test_a_data_set_that_is_a_workspace_is_only_read(tmp_path, nodes):
    path = made(tmp_path / "theirs.pagelet", nodes)
    with closing(sqlite3.connect(path)) as db:
        db.executescript(SCHEMAS["a trigger that deletes"])
    before = path.read_bytes()
    with pytest.raises(InputError, match="without what another program put into it"):
        read_dataset(path)  # its pages are on the web
    assert path.read_bytes() == before
    assert not (tmp_path / "theirs.pagelet.backups").exists()


@pytest.mark.slow
@pytest.mark.web
def test_the_agreement_command_warns_about_a_workspace_changed_elsewhere(tmp_path):
    desk = Desk(write_data_set(tmp_path / "data"), tmp_path / "out")
    desk.prepare_command("import")
    marks = desk.out / "marks.pagelet"
    changed(marks, desk.out / "theirs.pagelet", SCHEMAS["a trigger that deletes"])
    status, _, stderr = desk.run(Typed(("agreement", "OUT/marks.pagelet", "OUT/theirs.pagelet")))
    assert status == 0
    assert stderr.count("reading only, without what another program put into it") == 1


@pytest.mark.slow
@pytest.mark.web
def test_import_refuses_to_write_to_a_workspace_changed_by_another_program(tmp_path):
    desk = Desk(write_data_set(tmp_path / "data"), tmp_path / "out")
    desk.prepare_command("import")
    marks = desk.out / "marks.pagelet"
    marks.replace(desk.out / "base.pagelet")
    changed(desk.out / "base.pagelet", marks, SCHEMAS["a trigger that deletes"])
    before = marks.read_bytes()
    status, _, stderr = desk.run(words_of("import")[0])
    assert status == 1
    assert "open for reading only" in stderr
    assert marks.read_bytes() == before


def test_marks_with_half_a_character_for_an_id_can_be_saved(tmp_path, nodes):
    target = {"path": "/html[1]/body[1]/p[1]", "position": [8, 15], "quote": "A ferry",
              "prefix": "", "suffix": ""}  # fmt: skip
    marks = [{"id": "\ud800", "level": 1, "type": "\udfff", "targets": [target]}]
    page = {"url": "\ud800", "title": "", "digest": "", "viewport": [1, 1]}
    content = {"format": "pagelet-gold", "version": 1, "page": page, "marks": marks}
    file = tmp_path / "a.gold.json"
    file.write_text(json.dumps(content))
    gold = gold_file.read(file, nodes)
    assert [mark.id for mark in gold.marks] == ["\\ud800"]
    with Workspace.open(tmp_path / "marks.pagelet") as workspace:
        workspace.add_pages([Document(KEYS[0], KEYS[0])])
        workspace.save_gold(KEYS[0], gold, nodes, "mark")
        assert workspace.marked() == {KEYS[0]: {(1, "\\udfff")}}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"level": 1', '"level": NaN', "NaN is not a JSON number"),
        ('"viewport": [1, 1]', '"viewport": [1, -1]', "side of a viewport must be a whole number"),
        (
            '"viewport": [1, 1]',
            f'"viewport": [1, {10**30}]',
            "side of a viewport must be a whole number",
        ),
        ("[8, 15]", "[8, 99999999999]", "are not positions in a text"),
        ('"targets": [', '"targets": [null, ', "its target None is invalid"),
        ('"a"', '""', "its id has 0 letters"),
        ('"b"', '"a"', "two of its marks have the id 'a'"),
    ],
)
def test_a_gold_file_that_could_not_be_saved_is_refused(tmp_path, nodes, old, new, words):
    target = {"path": "p", "position": [8, 15], "quote": "", "prefix": "", "suffix": ""}
    marks = [{"id": each, "level": 1, "type": "", "targets": [target]} for each in "ab"]
    page = {"url": "", "title": "", "digest": "", "viewport": [1, 1]}
    content = {"format": "pagelet-gold", "version": 1, "page": page, "marks": marks}
    text = json.dumps(content)
    assert old in text
    file = tmp_path / "a.gold.json"
    file.write_text(text.replace(old, new))
    with pytest.raises(InputError, match=re.escape(words)):
        gold_file.read(file, nodes)
