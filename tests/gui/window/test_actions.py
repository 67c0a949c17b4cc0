"""The table of actions is consistent."""

import dataclasses
import inspect
from collections import defaultdict

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QPushButton

from annotate.marks.gold import TYPES
from gui.core.action import SUB, Action
from gui.core.main_area import Where
from gui.core.when import ALWAYS
from gui.core.workbench import Workbench
from gui.features.marks.type_prompt import TYPE_HINTS, TYPE_KEYS
from gui.window.action_table import MENUS, SECTIONS, Owners, clashes, section_of, tool_tip
from gui.window.actions import ACTIONS
from resources import path
from tests.gui.parts import entries


def test_no_key_has_two_actions():
    assert clashes(ACTIONS) == []


def test_a_method_is_bound_to_its_own_class_and_refused_when_ambiguous():
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


def test_a_clash_is_found_in_any_spelling_of_a_key():
    undo = next(action for action in ACTIONS if action.name == "undo")
    twin = dataclasses.replace(undo, name="twin", keys=("ctrl+z",))
    assert clashes((*ACTIONS, twin)) == ["Ctrl+Z: undo and twin"]


def test_one_key_may_have_two_actions_in_two_views_but_not_in_one():
    walk = next(action for action in ACTIONS if action.name == "walk-next")
    terrain = dataclasses.replace(walk, name="terrain", where=Where("terrain", is_view=True))
    anywhere = dataclasses.replace(walk, name="anywhere", where=Where.WINDOW)
    assert clashes((walk, terrain)) == []
    assert clashes((walk, anywhere)) == ["Right: walk-next and anywhere"]


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_every_method_accepts_the_arguments_of_its_action(action: Action):
    bound = inspect.signature(action.run).bind(None, *action.arguments)
    assert bound.args[1:] == action.arguments


def test_texts_of_actions_begin_with_a_capital_and_helps_have_no_full_stop():
    for action in ACTIONS:
        assert action.text[0].isupper(), action.name
        assert not action.help.endswith("."), action.name


def test_every_action_has_two_or_more_search_words_of_no_other_action():
    words = [word for action in ACTIONS for word in action.words]
    assert [action.name for action in ACTIONS if len(action.words) < 2] == []
    assert [word for word in words if words.count(word) > 1] == []


def test_entries_of_a_menu_have_distinct_positions():
    positions = defaultdict(list)  # by menu; a submenu stands where its first row does
    firsts = {}
    for action in ACTIONS:
        if action.top_menu and not action.name.startswith("type-"):
            positions[action.menu].append(action.order)
            parts = action.menu.split(SUB)
            for depth in range(1, len(parts)):
                firsts.setdefault(SUB.join(parts[: depth + 1]), action.order)
    for menu, order in firsts.items():
        positions[menu.rpartition(SUB)[0]].append(order)
    for menu, orders in positions.items():
        assert len(set(orders)) == len(orders), (menu, sorted(orders))


def test_no_menu_of_the_window_has_more_than_20_entries(window):
    menus = [each for each in window.menuBar().findChildren(QMenu) if each.actions()]
    assert len(menus) > len(MENUS)
    for menu in menus:
        assert len(entries(menu)) <= 20, menu.title()
        for action in entries(menu):
            below = action.menu()
            assert below is None or entries(below) or action.objectName() == "open-recent"


def test_a_menu_shows_the_state_of_a_switch(window):
    view = window.actions_["labels"]
    layers = next(m for m in window.menuBar().findChildren(QMenu) if view in m.actions())
    for is_on in (False, True):
        window.session.layers.set_labels(is_on)
        layers.aboutToShow.emit()
        assert view.isChecked() is is_on
        view.trigger()
        assert window.session.layers.has_labels is not is_on


def test_the_message_of_an_unexpected_error_offers_to_copy_its_report(window, qtbot):
    report, toast = window.actions_["copy-report"], window.toast
    window.session.messages.say("saved")
    offered = next(b for b in toast.findChildren(QPushButton) if b.text() == report.text())
    assert offered.isHidden()
    window.session.messages.say_error("Pagelet 1\nZeroDivisionError: by zero", is_saved=True)
    assert toast.text == "This did not work; your marks are saved"
    window.actions_.enable(window.workbench)
    qtbot.mouseClick(offered, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "Pagelet 1\nZeroDivisionError: by zero"


def test_tool_tips_of_unavailable_actions_show_the_reason(window):
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


def test_qt_parses_every_key_as_one_combination():
    for action in ACTIONS:
        for key in action.keys:
            assert QKeySequence(key).toString(), f"{action.name}: {key}"
            assert QKeySequence(key).count() == 1, f"{action.name}: {key}"


def test_every_type_of_block_has_a_unique_letter_and_an_action():
    types = [name for names in TYPES.values() for name in names]
    assert list(TYPE_KEYS) == types
    assert len(set(TYPE_KEYS.values())) == len(types)
    by_argument = {a.arguments: a for a in ACTIONS if a.run is Workbench.set_type}
    for name in types:
        action = by_argument[(name,)]
        assert action.keys == (TYPE_KEYS[name],)
        assert action.where is Where.BLOCK


def test_types_whose_letter_is_not_their_first_have_a_hint_with_it():
    for name, key in TYPE_KEYS.items():
        if not name.startswith(key):
            assert key.casefold() in TYPE_HINTS[name].casefold(), name


def test_a_tool_tip_shows_text_keys_and_help():
    mode = next(action for action in ACTIONS if action.name == "mode-main")
    assert tool_tip(mode).splitlines()[0] == "Main content  (M)"
    assert "drag" in tool_tip(mode)
