"""The table of actions proves itself."""

import dataclasses
import inspect

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QPushButton

from annotate.marks.gold import TYPES
from gui.core.action import Action, Where
from gui.core.when import ALWAYS
from gui.core.workbench import Workbench
from gui.features.marks.type_prompt import TYPE_HINTS, TYPE_KEYS
from gui.window.action_table import MENUS, SECTIONS, Owners, clashes, section_of, tool_tip
from gui.window.actions import ACTIONS
from resources import path
from tests.gui.parts import entries


def test_no_key_has_two_meanings():
    assert clashes(ACTIONS) == []


def test_an_action_is_of_the_class_whose_method_it_names_and_of_none_where_several_inherit_it():
    class Dock:
        def toggle(self):
            return type(self).__name__

    class First(Dock):
        pass

    class Second(Dock):
        def toggle(self):
            return super().toggle()

    owners = Owners([First(), Second()])
    assert (owners.bind(First.toggle)(), owners.bind(Second.toggle)()) == ("First", "Second")
    owners.add(type("Third", (Dock,), {}), Dock)
    with pytest.raises(ValueError, match="toggle: 2 classes have it"):
        owners.bind(First.toggle)


def test_a_clash_is_found_however_it_is_written():
    undo = next(action for action in ACTIONS if action.name == "undo")
    twin = dataclasses.replace(undo, name="twin", keys=("ctrl+z",))
    assert clashes((*ACTIONS, twin)) == ["Ctrl+Z: undo and twin"]


def test_a_key_may_mean_two_things_in_two_views_but_not_in_one():
    walk = next(action for action in ACTIONS if action.name == "walk-next")
    terrain = dataclasses.replace(walk, name="terrain", where=Where.VIEW_3D)
    anywhere = dataclasses.replace(walk, name="anywhere", where=Where.WINDOW)
    assert clashes((walk, terrain)) == []
    assert clashes((walk, anywhere)) == ["Right: walk-next and anywhere"]


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_every_method_takes_the_arguments(action: Action):
    bound = inspect.signature(action.run).bind(None, *action.arguments)
    assert bound.args[1:] == action.arguments


def test_every_action_says_what_it_does_or_is_plain_by_its_text():
    for action in ACTIONS:
        assert action.text[0].isupper(), action.name
        assert not action.help.endswith("."), action.name


def test_every_action_has_two_other_names_and_shares_none():
    words = [word for action in ACTIONS for word in action.words]
    assert [action.name for action in ACTIONS if len(action.words) < 2] == []
    assert [word for word in words if words.count(word) > 1] == []


def test_no_two_rows_of_a_menu_have_one_place():
    for menu in MENUS:
        positions = [action.order for action in ACTIONS if action.top_menu == menu]
        types = sum(action.name.startswith("type-") for action in ACTIONS if action.menu == menu)
        assert len(set(positions)) == len(positions) - max(types - 1, 0), menu


def test_no_menu_of_the_window_has_more_than_20_entries(window):
    menus = [each for each in window.menuBar().findChildren(QMenu) if each.actions()]
    assert len(menus) > len(MENUS)
    for menu in menus:
        assert len(entries(menu)) <= 20, menu.title()
        for action in entries(menu):
            below = action.menu()
            assert below is None or entries(below) or action.objectName() == "open-recent"


def test_a_menu_ticks_the_switches_that_are_on(window):
    view = window.actions_["labels"]
    layers = next(m for m in window.menuBar().findChildren(QMenu) if view in m.actions())
    for is_on in (False, True):
        window.session.layers.set_labels(is_on)
        layers.aboutToShow.emit()
        assert view.isChecked() is is_on
        view.trigger()
        assert window.session.layers.has_labels is not is_on


def test_an_error_nobody_foresaw_offers_its_report_in_the_message(window, qtbot):
    report, toast = window.actions_["copy-report"], window.toast
    window.session.messages.say("saved")
    offered = next(b for b in toast.findChildren(QPushButton) if b.text() == report.text())
    assert offered.isHidden()
    window.session.messages.say_error("Pagelet 1\nZeroDivisionError: by zero", is_saved=True)
    assert toast.text == "This did not work; your marks are saved"
    window.actions_.enable(window.workbench)
    qtbot.mouseClick(offered, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "Pagelet 1\nZeroDivisionError: by zero"


def test_what_cannot_be_had_now_says_why(window):
    assert not window.actions_["delete"].isEnabled()
    for name in ("delete", "undo"):
        assert "Not now: open a page first" in window.actions_[name].toolTip()
    assert "Not now" not in window.actions_["open-file"].toolTip()


def test_every_condition_has_a_reason():
    assert all(action.when.reason for action in ACTIONS if action.when is not ALWAYS)


def test_names_are_unique():
    names = [action.name for action in ACTIONS]
    assert len(set(names)) == len(names)


def test_menus_sections_and_icons_exist():
    for action in ACTIONS:
        assert action.top_menu in (*MENUS, ""), action.name
        assert not action.keys or section_of(action) in SECTIONS, action.name
        assert not action.icon or path(f"icons/{action.icon}.svg").is_file(), action.name


def test_every_key_is_one_qt_knows():
    for action in ACTIONS:
        for key in action.keys:
            assert QKeySequence(key).toString(), f"{action.name}: {key}"
            assert QKeySequence(key).count() == 1, f"{action.name}: {key}"


def test_every_type_of_block_has_a_letter_of_its_own_and_an_action():
    types = [name for names in TYPES.values() for name in names]
    assert list(TYPE_KEYS) == types
    assert len(set(TYPE_KEYS.values())) == len(types)
    by_argument = {a.arguments: a for a in ACTIONS if a.run is Workbench.set_type}
    for name in types:
        action = by_argument[(name,)]
        assert action.keys == (TYPE_KEYS[name],)
        assert action.where is Where.BLOCK


def test_a_letter_that_is_not_the_first_has_a_hint_that_holds_it():
    for name, key in TYPE_KEYS.items():
        if not name.startswith(key):
            assert key.casefold() in TYPE_HINTS[name].casefold(), name


def test_a_tool_tip_says_text_keys_and_help():
    mode = next(action for action in ACTIONS if action.name == "mode-main")
    assert tool_tip(mode).splitlines()[0] == "Main content  (M)"
    assert "drag" in tool_tip(mode)
