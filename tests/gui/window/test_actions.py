"""The table of actions proves itself."""

import dataclasses
import inspect

import pytest
from PySide6.QtGui import QKeySequence

from annotate.marks.gold import TYPES
from gui.core.action import Action, Where
from gui.core.recovery import Recovery
from gui.core.restoring import Restoring
from gui.core.workbench import Workbench
from gui.features.checks.controller import Checking
from gui.features.drafts.controller import Drafting
from gui.features.errors.text_diff import TextDiffDock
from gui.features.evaluate.view import EvaluateView
from gui.features.exchange.panel import ExchangeDock
from gui.features.export.bundle_writer import BundleWriter
from gui.features.figure.panel import FigureDock
from gui.features.freezing.controller import Freezing
from gui.features.layers.controller import ShownLayers
from gui.features.layers.details import DetailsDock
from gui.features.layers.panel import LayersDock
from gui.features.marks.repeating import Repeating
from gui.features.page_diff.view import SiblingsView
from gui.features.presentation.stage import Presentation
from gui.features.review.controller import Reviewing
from gui.features.side_by_side.view import SideBySide
from gui.features.source.panel import SourceDock
from gui.features.suggestions.controller import Suggesting
from gui.features.team.panel import CommentsDock
from gui.features.transfer.controller import Carrying
from gui.features.transfer.copying import Copying
from gui.features.view_3d.panel import TerrainPanel
from gui.features.why.controller import Inquiry
from gui.features.why.panel import WhyDock
from gui.page.marking import Marking
from gui.window.actions import (
    ACTIONS,
    MENUS,
    SECTIONS,
    TYPE_HINTS,
    TYPE_KEYS,
    clashes,
    section_of,
)
from gui.window.asking import Asking
from gui.window.bound_actions import tool_tip
from gui.window.central import Central
from gui.window.dock_layout import DockLayout
from gui.window.memory_setting import MemorySetting
from gui.window.open_dialogs import OpenDialogs
from gui.window.own_keys import OwnKeys
from gui.window.page_views import Views
from gui.window.window import Window
from resources import path

OWNERS = {
    "workbench": Workbench,
    "recovery": Recovery,
    "restoring": Restoring,
    "window": Window,
    "dialogs": OpenDialogs,
    "panels": DockLayout,
    "central": Central,
    "table": EvaluateView,
    "asking": Asking,
    "memory_setting": MemorySetting,
    "own_keys": OwnKeys,
    "bundles": BundleWriter,
    "details": DetailsDock,
    "inquiry": Inquiry,
    "carrying": Carrying,
    "copying": Copying,
    "repeating": Repeating,
    "drafting": Drafting,
    "checking": Checking,
    "marking": Marking,
    "suggesting": Suggesting,
    "freezing": Freezing,
    "reviewing": Reviewing,
    "comments": CommentsDock,
    "exchange": ExchangeDock,
    "layers": LayersDock,
    "shown_layers": ShownLayers,
    "text": TextDiffDock,
    "why": WhyDock,
    "figure": FigureDock,
    "views": Views,
    "terrain": TerrainPanel,
    "source": SourceDock,
    "side": SideBySide,
    "siblings": SiblingsView,
    "talk": Presentation,
}


def test_no_key_has_two_meanings():
    assert clashes() == []


def test_a_clash_is_found_however_it_is_written():
    undo = next(action for action in ACTIONS if action.name == "undo")
    twin = dataclasses.replace(undo, name="twin", keys=("ctrl+z",))
    assert clashes((*ACTIONS, twin)) == ["Ctrl+Z: undo and twin"]


def test_a_key_may_mean_two_things_in_two_views_but_not_in_one():
    walk = next(action for action in ACTIONS if action.name == "walk-next")
    terrain = dataclasses.replace(walk, name="terrain", where=Where.TERRAIN)
    anywhere = dataclasses.replace(walk, name="anywhere", where=Where.WINDOW)
    assert clashes((walk, terrain)) == []
    assert clashes((walk, anywhere)) == ["Right: walk-next and anywhere"]


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_every_handler_exists_and_takes_the_arguments(action: Action):
    owner, _, name = action.handler.partition(".")
    handler = getattr(OWNERS[owner], name)
    if owner == "window" and name == "close":  # QWidget's own
        return
    bound = inspect.signature(handler).bind(None, *action.arguments)
    assert bound.args[1:] == action.arguments


def test_names_are_unique():
    names = [action.name for action in ACTIONS]
    assert len(set(names)) == len(names)


def test_menus_sections_and_icons_exist():
    for action in ACTIONS:
        assert action.menu in (*MENUS, ""), action.name
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
    by_argument = {a.arguments: a for a in ACTIONS if a.handler == "workbench.set_type"}
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
