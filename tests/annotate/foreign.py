"""Workspaces that somebody else made: schemas with SQL in them, and records that are none."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.workspace import annotators, checksums
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.nodes import NodeTable

KEYS = ("https://example.org/1", "https://example.org/2")

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"

SCHEMAS = {
    "a trigger that deletes": "CREATE TRIGGER t AFTER INSERT ON marks BEGIN DELETE FROM marks; END",
    "a trigger that swallows":
        "CREATE TRIGGER t BEFORE INSERT ON marks BEGIN SELECT raise(ignore); END",
    "a trigger that forges":
        "CREATE TRIGGER t AFTER UPDATE ON pages BEGIN UPDATE pages SET status = 'done'; END",
    "a trigger named like a checksum's":
        "CREATE TRIGGER checksum_marks_insert AFTER INSERT ON marks BEGIN DELETE FROM marks; END",
    "an endless view":
        f"DROP TABLE settings; CREATE VIEW settings AS {ENDLESS}"
        " SELECT cast(x AS text) AS key, '1' AS value FROM c",
    "endless pages":
        f"ALTER TABLE pages RENAME TO others; CREATE VIEW pages AS {ENDLESS}"
        " SELECT others.* FROM others, c",
    "a huge view":
        "DROP TABLE settings; CREATE VIEW settings AS"
        " SELECT 'a' AS key, replace(hex(zeroblob(400000000)), '0', 'x') AS value",
    "a view of nothing of ours": f"CREATE VIEW v AS {ENDLESS} SELECT x FROM c",
    "an index of an expression":
        "CREATE INDEX i ON marks (replace(record, 'a', hex(zeroblob(1000000))))",
    "an index of a part": "CREATE INDEX i ON pages (title) WHERE length(hex(zeroblob(9))) > 1",
    "a generated column":
        "ALTER TABLE marks ADD COLUMN g TEXT GENERATED ALWAYS AS (hex(zeroblob(10000000))) VIRTUAL",
    "a column more": "ALTER TABLE pages ADD COLUMN d TEXT DEFAULT 'x'",
    "a default with a call":
        "CREATE TABLE other (a TEXT DEFAULT (hex(zeroblob(10000000)))); INSERT INTO other DEFAULT"
        " VALUES",
    "a check":
        "ALTER TABLE comments ADD COLUMN d TEXT CHECK (length(hex(zeroblob(100000000))) > 1)",
    "a virtual table": "CREATE VIRTUAL TABLE v USING fts5(words)",
    "another table": "CREATE TABLE mine (a)",
    "another collation": "CREATE INDEX i ON pages (title COLLATE NOCASE)",
    "statistics": "ANALYZE",
    "a table less": "DROP TABLE versions",
}  # fmt: skip
"""What is in the schema → SQL that puts it there."""

RECORDS = {
    "not a number":
        """UPDATE marks SET record = replace(record, '"level":1', '"level":1,"confidence":NaN')""",
    "infinity":
        """UPDATE marks SET record = replace(record, '"level":1', '"level":1,"x":[-Infinity]')""",
    "a number beyond all":
        """UPDATE marks SET record = replace(record, '"level":1', '"level":1,"x":1e999')""",
    "no target": """UPDATE marks SET record = replace(record, '"targets":[', '"targets":[null,')""",
    "a target without a path": """UPDATE marks SET record = replace(record, '"path"', '"way"')""",
    "a position before all":
        """UPDATE marks SET record = replace(record, '"position":[', '"position":[-3,1],"o":[')""",
    "a position beyond all": """UPDATE marks SET record =
        replace(record, '"position":[', '"position":[1,99999999999999999999],"o":[')""",
    "an id of none": """UPDATE marks SET record = replace(record, '"id":"', '"id":7,"o":"')""",
    "another's id": """UPDATE marks SET record = replace(record, '"id":"', '"id":"x')""",
    "changes ahead": "UPDATE changes SET revision = revision + 10",
    "a gap in changes": "UPDATE changes SET revision = revision + 5 WHERE revision = 2",
    "changes behind": "UPDATE changes SET revision = revision - 9",
    "no changes": "DELETE FROM changes",
    "the last change missing": "DELETE FROM changes WHERE revision = 2",
    "the last revision": "UPDATE pages SET revision = 9223372036854775807",
    "a revision before all": "UPDATE pages SET revision = -1",
    "the last of all places": "UPDATE marks SET place = 9223372036854775807 WHERE place = 2",
    "the last place of a page": "UPDATE pages SET place = 9223372036854775807",
    "an endless viewport": "UPDATE pages SET width = 9223372036854775807",
    "a change that is none": "UPDATE changes SET delta = '{}'",
    "a change of nothing": """UPDATE changes SET delta = '{"set":[null],"drop":[]}'""",
    "a change of another order":
        """UPDATE changes SET delta = replace(delta, '"drop":[]', '"drop":[],"order":["x"]')""",
    "a change with no number":
        """UPDATE changes SET delta = replace(delta, '"drop":[]', '"drop":[],"n":NaN')""",
    "a change that leads elsewhere":
        """UPDATE changes SET delta = '{"set":[],"drop":[]}' WHERE revision = 2""",
    "half a character":
        """UPDATE marks SET record = replace(record, '"type":""', '"type":"\\ud800"')""",
    "half a character throughout":
        """UPDATE marks SET record = replace(record, '"type":""', '"type":"\\ud800"');
        UPDATE changes SET delta = replace(delta, '"type":""', '"type":"\\ud800"')""",
    "a name twice":
        """UPDATE marks SET record = replace(record, '"level":1', '"level":7,"level":1');
        UPDATE changes SET delta = replace(delta, '"level":1', '"level":7,"level":1')""",
    "an id that ends early":
        """UPDATE marks SET id = id || 'x', record = replace(record, '"id":"', '"id":"\\u0000')""",
    "a uid of bytes": "UPDATE annotators SET uid = x'00'",
    "marks without a page": "UPDATE marks SET page = 99 WHERE page = 2",
    "changes without a page": "UPDATE changes SET page = 99 WHERE page = 2",
    "nobody's pages": "UPDATE pages SET annotator = 77",
    "bytes for a title": "UPDATE pages SET title = x'ff00'",
    "a comment on no page": "INSERT INTO comments (id, page, mark, author, made, kind, text)"
        " VALUES ('c', 99, '', 1, '', 'question', 'what?')",
}  # fmt: skip
"""What is in the records → SQL that puts it there."""


def made(path: Path, nodes: NodeTable, name: str = "") -> Path:
    """Write a workspace of two pages with two marks each."""
    with Workspace.open(path) as workspace:
        if name:
            annotators.change(workspace.store, workspace.annotator, name, Role.ANNOTATOR)
        workspace.add_pages([Document(key, key) for key in KEYS])
        for key in KEYS:
            gold = edits.add_block(Gold(), nodes, [Target(2)], 1)
            workspace.save_gold(key, gold, nodes, "mark")
            gold = edits.add_block(gold, nodes, [Target(4)], 1)
            workspace.save_gold(key, gold, nodes, "mark")
        workspace.set_setting("layers", [{"key": "vips"}])
    return path


def changed(base: Path, path: Path, script: str, *, is_summed: bool = False) -> Path:
    """Write a copy of a workspace with SQL run on it; with right checksums, if wished."""
    shutil.copy(base, path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA legacy_alter_table = ON")
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.executescript(script)
        if is_summed:
            checksums.register(db)
            db.executescript(checksums.fill())
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path
