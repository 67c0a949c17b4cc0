"""Files named in stored data are never run: in workspaces, results, layers or pickles."""

import contextlib
import os
import pickle
import sqlite3

import pytest

from algorithms.core.batch import RunStatus, Setup
from algorithms.core.catalogue import method, named_method
from algorithms.measures.prf import Score
from algorithms.own import method_files
from annotate.evaluation.store.rows import ResultRow, RunFacts
from annotate.evaluation.store.stored_runs import store_runs
from engine.errors import InputError
from gui.features.evaluate.view import EvaluateView
from gui.state.layers import from_records, method_layer, to_records
from resources import path as resource
from tests.commands import close_workers
from tests.gui.parts import make_window
from tests.hand import Hand


@pytest.fixture
def trap(tmp_path, monkeypatch):
    """Return a method file and the path that it creates when it is run."""
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "settings"))
    monkeypatch.delenv(method_files.NAMED, raising=False)
    method_files.refresh()
    sprung = tmp_path / "sprung"
    template = resource("plugins/template.py").read_text("utf-8")
    head, mark, rest = template.partition("import numpy")
    file = tmp_path / "trap.py"
    file.write_text(f"{head}open({str(sprung)!r}, 'w').close()\n{mark}{rest}", "utf-8")
    yield file, sprung
    os.environ.pop(method_files.NAMED, None)
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "nothing"))
    method_files.refresh()
    close_workers()


def rows(file, dataset, page):
    facts = RunFacts(
        dataset, page, "original", str(file), "trap.py", '{"words": 12}', 1.0, 0, "", 9
    )
    return [ResultRow(facts, "ws", RunStatus.OK, "", Score(0.5, 0.5, 0.5))]


def test_a_method_file_is_refused_until_the_user_has_named_it(trap):
    file, sprung = trap
    for key in (str(file), f"{file.parent}/./{file.name}"):
        with pytest.raises(InputError, match="name it with --method-file"):
            method(key)
    assert not sprung.exists()
    assert named_method(str(file)).key == "long-texts"
    assert sprung.exists()
    assert method(str(file)) is method("long-texts")


def test_layers_of_a_workspace_or_the_settings_run_no_file(trap):
    file, sprung = trap
    (record,) = to_records([method_layer("bte")])
    result = from_records([record, {**record, "key": str(file)}])
    assert [layer.key for layer in result if not layer.is_gold] == ["bte"]
    assert not sprung.exists()


def test_unpickled_setups_run_no_method_file(trap):
    file, sprung = trap
    known = Setup("bte", method("bte").params(), "original")
    with pytest.raises(InputError):
        pickle.loads(
            pickle.dumps(known).replace(b"\x03bte", bytes([len(str(file))]) + os.fsencode(file))
        )
    assert not sprung.exists()


@pytest.mark.slow
@pytest.mark.web
def test_stored_results_of_a_method_file_are_shown_without_running_it(trap, qtbot, tmp_path):
    file, sprung = trap
    page = tmp_path / "a.html"
    page.write_text("<title>A</title><p>one two three")
    window = make_window(tmp_path)
    qtbot.addWidget(window)
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open_path(page)
    workspace = window.workbench.workspace
    (key,) = [key for _, key in workspace.store.all("SELECT id, key FROM pages")]
    store_runs(workspace, key, rows(file, "open pages", "a"), "")
    window.close_down()
    with contextlib.closing(sqlite3.connect(tmp_path / "marks.pagelet")) as stored:
        (count,) = stored.execute("SELECT count(*) FROM runs WHERE method = ?", (str(file),))
    assert count == (1,)

    window = make_window(tmp_path)
    qtbot.addWidget(window)
    Hand(window.workbench, qtbot, tmp_path).open_path(page)
    window.main_area.toggle(EvaluateView)
    qtbot.waitUntil(lambda: file_column(window, file), timeout=60_000)
    window.main_area.get(EvaluateView).run()
    window.close_down()
    assert not sprung.exists()


def file_column(window, file):
    """Return whether the table has a column with the runs of the file."""
    columns = window.main_area.get(EvaluateView).model.shown.table.columns
    return any(column.method == str(file) for column in columns)
