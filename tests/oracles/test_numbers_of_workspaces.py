"""Numbers in the rows of a workspace: whatever one is replaced by, one sentence tells it.

The independent truth: SQLite keeps any value in any column, so each column of numbers, and each
number of a stored record, gets what no number of its kind is, with right checksums.  What reads the
workspace takes it, leaves it out or refuses it (`PageletError`); nothing else.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from annotate.datasets.readers import read_dataset
from annotate.workspace.page_search import facts_of_pages, unsure_marks
from annotate.workspace.workspace import Workspace
from engine.errors import PageletError
from engine.nodes import NodeTable
from gui.cli.main import main
from tests.annotate.foreign import KEYS, changed, made
from tests.annotate.pages import nodes_of
from tests.oracles.test_numbers_of_files import ODD, mutants, shown

VALUES = (
    *("-1", "0", "0.5", "1e308", "-1e308", "9e999", "-9e999", "NULL", "'text'", "x'ff00'"),
    *("9223372036854775807", "-9223372036854775808", f"'{'9' * 4000}'", "'1e400'", "'NaN'"),
)
PAGE = "<h1>Harbour</h1><p>A ferry</p><p>comes <b>back</b></p>"
MORE = """
INSERT INTO comments (id, page, mark, author, made, kind, text)
 VALUES ('c', 1, '', 1, '2024-01-01T00:00:00Z', 'question', 'what?');
INSERT INTO assignments (annotator, key, place) VALUES (1, 'https://example.org/1', 1);
UPDATE pages SET width = 1366, height = 768;
"""


@pytest.fixture(scope="module")
def nodes() -> NodeTable:
    return nodes_of(PAGE)


@pytest.fixture(scope="module")
def base(nodes: NodeTable, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("base")
    plain, script = made(folder / "plain.pagelet", nodes, "Anna"), MORE
    for number, key in enumerate(KEYS, 1):
        page = folder / f"{number}.html"
        page.write_text(PAGE)
        script += f"UPDATE pages SET key = '{page}' WHERE key = '{key}';"
    return changed(plain, folder / "base.pagelet", script, is_summed=True)


def numbers_of(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the table and name of each column of numbers, but for checksums."""
    with closing(sqlite3.connect(path)) as db:
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
            for _, name, kind, *_ in db.execute(f'PRAGMA table_info("{table}")'):
                if kind in ("INTEGER", "REAL") and name != "checksum":
                    yield table, name


def changes(base: Path) -> Iterator[tuple[str, str]]:
    """Yield each change of a number, named, as SQL."""
    for table, column in numbers_of(base):
        for value in VALUES:
            yield (
                f"{table}.{column} = {value[:20]}",
                f"UPDATE OR IGNORE {table} SET {column} = {value}",
            )
    with closing(sqlite3.connect(base)) as db:
        ((record,), *_) = db.execute("SELECT record FROM marks")
        ((delta,), *_) = db.execute("SELECT delta FROM changes")
    for table, column, text in (("marks", "record", record), ("changes", "delta", delta)):
        for odd, value in mutants(text):
            quoted = odd.replace("'", "''")
            yield (
                f"{table} {value[:20]}",
                (f"UPDATE {table} SET {column} = '{quoted}' WHERE {column} = '{text}'"),
            )


def read_all(path: Path, nodes: NodeTable) -> None:
    """Read all of a workspace, as window and commands do."""
    for way in (Workspace.reading, Workspace.open):
        with way(path) as workspace:
            for entry in workspace.pages():
                key = entry.key
                assert all(0 <= side <= 1_000_000 for side in entry.viewport), entry
                assert workspace.page(key) == entry
                workspace.load_gold(key, nodes)
                workspace.undo_history(key, nodes)
                workspace.history(key)
                workspace.past(key)
                workspace.made_on(key)
            workspace.marked()
            workspace.gold_digests()
            facts_of_pages(workspace)
            unsure_marks(workspace)
            assert isinstance(workspace.last_page, str)
    read_dataset(path)


def by_command(path: Path, _nodes: NodeTable) -> None:
    """Merge a workspace, and look into it."""
    for words in (
        ["merge", str(path), "--out", str(path.with_name("merged.pagelet"))],
        ["open", str(path), "--look"],
    ):
        if main(words) not in (0, 1):
            raise AssertionError(words[0])
    path.with_name("merged.pagelet").unlink(missing_ok=True)


def failures(
    base: Path, folder: Path, nodes: NodeTable, reader: Callable[[Path, NodeTable], None]
) -> tuple[dict[str, str], int]:
    """Return what a reader raised that is no sentence, by the change; and the count of changes."""
    found, count = {}, 0
    for name, script in changes(base):
        try:
            path = changed(base, folder / "theirs.pagelet", script, is_summed=True)
        except sqlite3.IntegrityError:
            continue  # not even SQLite keeps it there
        count += 1
        try:
            reader(path, nodes)
        except PageletError as error:
            if len(str(error)) > 1000 or "\n" in str(error):
                found[name] = str(error)
        except Exception as error:  # noqa: BLE001  (the finding)
            found[name] = f"{type(error).__name__}: {error}"
    return found, count


@pytest.mark.slow
@pytest.mark.parametrize("reader", [read_all, pytest.param(by_command, marks=pytest.mark.long)])
def test_odd_numbers_in_rows_are_taken_left_out_or_told(base, tmp_path, nodes, reader):
    found, count = failures(base, tmp_path, nodes, reader)
    print(count, "workspaces", len(found), "found")
    assert count >= 20 * len(VALUES) + 2 * len(ODD)
    assert not found, "\n".join(f"{name}: {why[:200]}" for name, why in list(found.items())[:20])


def test_the_whole_workspace_is_read(base, tmp_path, nodes):
    path = changed(base, tmp_path / "theirs.pagelet", "SELECT 1", is_summed=True)
    read_all(path, nodes)
    with Workspace.open(path) as workspace:
        assert not workspace.damage
        assert [entry.viewport for entry in workspace.pages()] == [(1366, 768)] * 2


@pytest.mark.slow
def test_the_oracle_finds_a_reader_of_rows_that_trusts_them(base, tmp_path, nodes):
    def trusting(path: Path, _nodes: NodeTable) -> None:
        with closing(sqlite3.connect(path)) as db:
            for width, height in db.execute("SELECT width, height FROM pages"):
                bytearray(width * height % 1000)

    found, _ = failures(base, tmp_path, nodes, trusting)
    assert any(name.startswith("pages.width") for name in found)
    assert all(name.startswith("pages.") for name in found)


@pytest.mark.web
@pytest.mark.long
@pytest.mark.parametrize("odd", ["-1", "1e308", '"text"'])
def test_a_window_opens_a_workspace_whose_settings_are_odd(tmp_path, odd):
    folder, plain = tmp_path / "set", tmp_path / "plain.pagelet"
    folder.mkdir()
    (folder / "p.html").write_text(PAGE)
    shown(plain, str(folder), "close")
    with closing(sqlite3.connect(plain)) as db:
        stored = dict(db.execute("SELECT key, value FROM settings"))
    script = "UPDATE pages SET width = 4000000000, height = -7, place = 1e300;"
    for key, value in stored.items():
        changed_value = re.sub(r"(?<![\w\"])-?\d+(\.\d+)?(?![\w\"])", odd, value)
        script += f"UPDATE settings SET value = '{changed_value}' WHERE key = '{key}';"
    path = changed(plain, tmp_path / "odd.pagelet", script, is_summed=True)
    assert shown(path, str(folder), "close")["pages"] == ["p.html"]
    for key in stored:  # and in place of the whole value
        script += f"UPDATE settings SET value = '{odd}' WHERE key = '{key}';"
    path = changed(plain, tmp_path / "odder.pagelet", script, is_summed=True)
    assert shown(path, str(folder), "close")["pages"] == ["p.html"]
