"""Files stored by Pagelet 0.2 open, and its keys and names still work.

0.2 itself (commit 2361b1f) wrote the files in `stored_0_2`, at work on ``/pages/ferry.html``:
``marks.pagelet``, ``settings.ini`` and ``keys.json`` are of one window, ``left_open.pagelet`` was
copied, with its write-ahead log, while its program still ran.  ``names.json`` lists what users of
0.2 could name, ``shown.json`` what 0.2 itself showed of these files when it was started again.

Renamed items are listed in tables: actions in `RENAMED` of the module that reads
``keys.json``, default keys in `OTHER_KEYS` below.
"""

import json
import shutil
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject, QSettings, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QFileDialog, QToolBar
from pytestqt.qtbot import QtBot

from annotate.evaluation.store.stored_runs import stored_runs
from annotate.workspace.workspace import Workspace
from gui.state.layers import from_records, to_records
from gui.state.selection import Mode
from gui.window.actions import ACTIONS
from gui.window.user_keys import RENAMED, read_keys
from tests.gui.parts import make_window
from tests.hand import Hand
from tests.tables import table

STORED = Path(__file__).parent / "stored_0_2"
NAMES = json.loads((STORED / "names.json").read_text("utf-8"))
SHOWN = json.loads((STORED / "shown.json").read_text("utf-8"))
OWN_KEYS = json.loads((STORED / "keys.json").read_text("utf-8"))
PAGE = "/pages/ferry.html"
STORY = """The ferry returned this morning after two weeks in the dock, \
and the island has its milk again."""
MORE = "Nobody on board had seen so many people wait at the pier before."

MENU_KEYS = ("F10", "Alt+A", "Alt+E", "Alt+F", "Alt+H", "Alt+M", "Alt+R", "Alt+T", "Alt+V")
OTHER_KEYS: dict[str, str] = {
    "Alt+1": "task-mark", "Alt+2": "task-compare", **dict.fromkeys(MENU_KEYS, ""),
}  # fmt: skip
"""Key of 0.2 → the action that it triggers now; "" for none.  Users are told in the changelog."""


def in_folder(folder, *names):
    for name in names:
        shutil.copy(STORED / name, folder / name)
    return folder


ASIDE = ("table", "terrain", "side", "siblings", "source")
"""Places of actions that need another view than the page."""


# -- the window


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the files of a window of 0.2 and its page."""
    made = tmp_path_factory.mktemp("stored")
    in_folder(made, "marks.pagelet", "settings.ini", "keys.json", "ferry.html")
    settings = made / "settings.ini"
    content = settings.read_text("utf-8").replace("folder=/pages\n", f"folder={made}\n")
    settings.write_text(content, "utf-8")
    return made


@pytest.fixture(scope="module")
def window(qapp, folder):
    """Return a window started with all files of 0.2."""
    made = make_window(folder)
    assert QTest.qWaitForWindowExposed(made)
    yield made
    made.close_down()
    made.close()
    shiboken6.delete(made)  # else it would take the mouse from windows of later tests


def named_actions(window):
    return {each.objectName(): each for each in window.findChildren(QAction) if each.objectName()}


def name_now(action):
    return RENAMED.get(action["name"], action["name"])


def own_keys():
    return {RENAMED.get(name, name): keys for name, keys in OWN_KEYS.items()}


@pytest.mark.web
def test_every_action_of_0_2_exists_or_is_listed_with_its_new_name(window):
    there = named_actions(window)
    assert len(NAMES["actions"]) == 227
    assert [each["name"] for each in NAMES["actions"] if name_now(each) not in there] == []
    assert set(RENAMED).isdisjoint(there), "no action takes up a name that another one had"


def test_keys_chosen_for_a_renamed_action_are_kept(tmp_path):
    path = tmp_path / "keys.json"
    renamed = {"turn-back": "undo", "turn-on": "redo"}
    path.write_text('{"turn-back": ["Ctrl+U"], "turn-on": ["F3"], "redo": ["F4"]}', "utf-8")
    assert read_keys(path, ACTIONS, renamed) == ({"undo": ("Ctrl+U",), "redo": ("F4",)}, [])


@pytest.mark.web
def test_keys_chosen_in_0_2_replace_the_defaults(window, qtbot):
    there = named_actions(window)
    assert len(own_keys()) >= 12
    for name, keys in own_keys().items():
        assert there[name].shortcuts() == [QKeySequence(key) for key in keys], name
    control = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_M)
    assert window.session.selection.mode is Mode.SELECT
    qtbot.keyClick(window, Qt.Key.Key_M, control)
    assert window.session.selection.mode is Mode.MAIN
    window.workbench.session.selection.set_mode(Mode.SELECT)


@pytest.mark.web
def test_the_window_restores_the_panels_of_0_2(window):
    there = {each.objectName(): each for each in window.findChildren(QDockWidget)}
    for name, was in NAMES["docks"].items():
        dock = there[name]
        tabs = {
            each.objectName() for each in window.tabifiedDockWidgets(dock) if not each.isHidden()
        }
        assert {
            "shown": not dock.isHidden(),
            "floating": dock.isFloating(),
            "area": window.dockWidgetArea(dock).name,
            "tabs": sorted(tabs & set(NAMES["docks"])),
        } == was, name
    assert {each.objectName() for each in window.findChildren(QToolBar)} >= {"Toolbar"}


@pytest.mark.web
def test_the_window_restores_the_settings_of_0_2(window, folder):
    assert window.themes.choice == "dark"
    assert named_actions(window)["theme-dark"].isChecked()
    assert window.dialogs.recent() == SHOWN["recent"]
    assert window.panels.opened == {"FigureDock", "SourceDock"}
    named_actions(window)["open-file"].trigger()
    (chooser,) = window.findChildren(QFileDialog)
    assert chooser.directory().path() == str(folder)
    chooser.reject()


# -- the workspace, without a window


@pytest.fixture
def workspace(tmp_path):
    with Workspace.open(in_folder(tmp_path, "marks.pagelet") / "marks.pagelet") as made:
        yield made


@pytest.fixture(scope="module")
def nodes():
    """Return the elements of ``ferry.html`` that have marks of 0.2, without a browser."""
    at = (0, 0, 900, 100)
    return table(
        (
            "body",
            at,
            [
                ("header", at, "The Courier, daily"),
                ("nav", at, [("a", at, "News"), " ", ("a", at, "Sport")]),
                ("main", at, [("h1", at, "The ferry is back"), ("p", at, STORY), ("p", at, MORE)]),
                ("aside", at, "Tide tables, weather, boats for sale"),
                ("footer", at, "Imprint of The Courier"),
            ],
        )
    )


def facts(gold):
    return [[mark.level, mark.type, mark.quote] for mark in gold.marks]


def test_marks_of_each_annotator_are_read_at_their_elements(workspace, nodes):
    for was in SHOWN["annotators"]:
        (who,) = [each for each in workspace.annotators if each.name == was["annotator"]]
        workspace.work_as(who)
        gold = workspace.load_gold(PAGE, nodes)
        assert facts(gold) == was["marks"]
        assert gold.sure == gold
        rows = [target.row for mark in gold.marks for target in mark.targets]
        for mark, row in zip(gold.marks, rows, strict=True):
            assert "".join(mark.quote.split()) in "".join(nodes.text_below(row).split())


def test_the_history_of_changes_is_read_for_undo_and_redo(workspace, nodes):
    history = workspace.history(PAGE)
    assert [[each.what, str(each.step)] for each in history] == SHOWN["history"]
    gold = workspace.load_gold(PAGE, nodes)
    past = workspace.undo_history(PAGE, nodes)
    assert list(past.texts) == SHOWN["undo_steps"]
    assert past.index == SHOWN["undo_index"]
    assert past.states[past.index].marks == gold.marks
    assert not past.states[0].marks
    assert "Article" not in {mark.type for mark in past.states[past.index - 1].marks}
    assert "Link list" in {mark.type for mark in past.states[past.index + 1].marks}


def test_settings_of_the_workspace_keep_their_names_and_values(workspace):
    assert set(SHOWN["values"]) | {"layers"} == set(NAMES["workspace_settings"])
    for name, value in SHOWN["values"].items():
        assert workspace.setting(name) == value, name
    assert workspace.last_page == PAGE


def test_stored_scores_are_read(workspace):
    runs = stored_runs(workspace, {PAGE: ("open pages", "ferry")})
    rows = [row for run in runs for row in run.rows]
    assert len(rows) == SHOWN["scores"]
    assert {row.run.method for row in rows} == {
        each["key"] for each in SHOWN["shown_layers"] if each["params"]
    }


def test_marks_in_the_write_ahead_log_of_a_killed_program_are_read(tmp_path, nodes):
    names = ("left_open.pagelet", "left_open.pagelet-wal")
    with Workspace.open(in_folder(tmp_path, *names) / names[0]) as left:
        assert not left.damage
        gold = left.load_gold(PAGE, nodes)
        assert [(mark.level, mark.type) for mark in gold.marks] == [(0, ""), (1, "Header")]
        (page,) = left.pages()
        assert str(page.status) == "in progress"


def test_layers_of_every_method_keep_parameters_input_and_colour():
    assert len(NAMES["layers"]) > 50
    now = {each["key"]: each for each in to_records(from_records(NAMES["layers"]))}
    for was in NAMES["layers"]:
        is_now = now[was["key"]]
        assert is_now["params"] | was["params"] == is_now["params"], was["key"]
        assert {name: is_now[name] for name in was if name != "params"} == {
            name: value for name, value in was.items() if name != "params"
        }


# -- the page, in the window


@pytest.fixture(scope="module")
def hand(request, window, folder):
    """Open the page, which is now in another folder."""
    made = Hand(window.workbench, QtBot(request), folder)
    made.open_path(folder / "ferry.html")
    return made


class Watch(QObject):
    """Stops and records the shortcuts that reach actions."""

    def __init__(self, actions):
        super().__init__()
        self.reached = []
        for each in actions:
            each.installEventFilter(self)

    def eventFilter(self, action, event):
        if event.type() != QEvent.Type.Shortcut:
            return False
        self.reached.append("several" if event.isAmbiguous() else action.objectName())
        return True


def reached_by(keys, hand, window, actions):
    """Return key → the action it reaches with these enabled and the focus on the page."""
    before = {each: each.isEnabled() for each in window.findChildren(QAction)}
    watch, result = Watch(before), {}
    try:
        for each in before:
            each.setEnabled(each in actions)
        window.activateWindow()
        assert QTest.qWaitForWindowActive(window)
        hand.target.setFocus()
        for key in keys:
            (combination,) = QKeySequence(key)
            watch.reached.clear()
            QTest.keyClick(hand.target, combination.key(), combination.keyboardModifiers())
            result[key] = watch.reached[0] if watch.reached else ""
            while menu := QApplication.activePopupWidget():
                menu.close()
            hand.target.setFocus()
    finally:
        for each, was in before.items():
            each.removeEventFilter(watch)
            each.setEnabled(was)
    return result


@pytest.mark.web
def test_every_key_of_0_2_triggers_the_same_action_or_is_listed(hand, window):
    there = named_actions(window)
    rows = NAMES["actions"]
    aside = [each for each in rows if each["where"] in ASIDE]
    in_presentation = [each for each in rows if each["in_talk"]]
    on_page = [each for each in rows if each["where"] != "talk" and each not in aside]
    window.own_keys.choose({})
    try:
        for held, others in ((on_page, OTHER_KEYS), (in_presentation, {})):
            window.menus.set_off(is_off=held is not on_page)  # there are none in a presentation
            expected = {
                key: others.get(key, name_now(each)) for each in held for key in each["keys"]
            }
            actions = {there[name_now(each)] for each in held}
            actions |= {there[name] for name in others.values() if name}
            assert reached_by(expected, hand, window, actions) == expected
        for each in aside:
            keys = {QKeySequence(key) for key in each["keys"] if key not in OTHER_KEYS}
            assert keys <= set(there[name_now(each)].shortcuts()), each["name"]
    finally:
        window.menus.set_off(is_off=False)
        window.own_keys.choose({name: tuple(keys) for name, keys in own_keys().items()})


@pytest.mark.web
def test_undo_and_redo_continue_the_stored_history(hand, window):
    undo, redo = (named_actions(window)[name] for name in ("undo", "redo"))
    marks = len(window.session.open.gold.marks)
    undo.trigger()
    assert len(window.session.open.gold.marks) == marks - 1
    redo.trigger()
    assert len(window.session.open.gold.marks) == marks
    redo.trigger()
    assert "Link list" in {mark.type for mark in window.session.open.gold.marks}
    assert not redo.isEnabled()
    undo.trigger()
    assert facts(window.session.open.gold) == SHOWN["annotators"][0]["marks"]


@pytest.mark.web
def test_a_closed_window_stores_settings_under_the_names_of_0_2(window, folder):
    window.close()
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    assert set(settings.allKeys()) >= set(NAMES["settings"])
    assert settings.value("theme") == "dark"
    assert json.loads((folder / "keys.json").read_text("utf-8")) == own_keys()
