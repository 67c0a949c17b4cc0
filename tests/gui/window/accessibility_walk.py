"""The whole window as a screen reader sees it; run by `test_accessibility.py` alone."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui.features.layers.layer_row import LayerRow
from gui.features.layers.panel import LayersDock
from gui.features.layers.params import ParamsForm
from gui.features.why.controller import WhyActions
from gui.features.why.panel import LocationText, WhyDock
from gui.features.why.state import WhyState
from gui.state.selection import Mode
from gui.widgets.events import OneStop
from gui.window.features import FEATURES
from resources import path
from tests.accessibility import QAccessible, address, announced, faults, is_empty
from tests.gui.calm import is_seen
from tests.gui.parts import make_window
from tests.gui.read_aloud import astray, nameless, out_of_order, twins
from tests.hand import Hand

pytestmark = pytest.mark.web
PANELS = [panel.name for feature in FEATURES for panel in feature.panels]
VIEWS = [row.kind.__name__ for feature in FEATURES for row in feature.views]


@pytest.fixture(scope="module")
def whole_window(qapp, tmp_path_factory):
    made = make_window(tmp_path_factory.mktemp("window"))
    made.resize(1600, 1000)
    # Panels that become tabs get and lose bars of tabs; PySide crashes on those that were read.
    made.panels.page_room.keep_soon = lambda: None
    yield made
    made.close_down()


@pytest.fixture
def opened(whole_window, qtbot, tmp_path):
    """Return the window with a sample page that has gold, its methods run, the page shown."""
    if whole_window.session.open.page is None:
        file = path("corpus") / "news" / "index.html"
        Hand(whole_window.workbench, qtbot, tmp_path).open_path(file)
    whole_window.main_area.show_page()
    return whole_window


def docks(window):
    panels = [panel for feature in FEATURES for panel in feature.panels]
    return dict(zip([panel.name for panel in panels], window._docks.values(), strict=True))


@pytest.mark.parametrize("name", PANELS)
def test_every_control_of_a_panel_has_a_name_and_a_role(opened, qtbot, name):
    dock = docks(opened)[name]
    dock.show()
    dock.raise_()
    qtbot.waitUntil(lambda: not is_empty(dock))
    assert faults(dock) == []


def test_every_control_around_panels_and_views_has_a_name_and_a_role(opened):
    assert faults(opened) == []


def test_every_text_of_the_why_panel_has_a_name(opened, qtbot):
    key = scored_rows(opened, qtbot)[0].key
    opened.session.layers.change_layer(key, visible=True)
    opened.session.selection.set_mode(Mode.WHY)
    opened.workbench.get(WhyActions).ask(opened.session.open.gold.marks[-1].targets[0].row)
    qtbot.waitUntil(lambda: bool(opened.session.get(WhyState).answers))
    dock = opened.panel(WhyDock)
    qtbot.waitUntil(lambda: bool(dock.findChildren(LocationText)))
    assert faults(dock) == []
    assert all(each.accessibleName() for each in dock.findChildren(LocationText))
    opened.session.selection.set_mode(Mode.SELECT)


@pytest.mark.parametrize("key", ["gleaner", "vips", "terrain"])
def test_every_control_of_a_method_s_details_has_a_name_at_1100(opened, qtbot, key):
    opened.resize(1100, 700)
    if all(layer.key != key for layer in opened.session.layers.all):
        opened.session.layers.add_method(key)
    opened.session.layers.set_current_layer(key)
    dock = docks(opened)["details"]
    dock.show()
    dock.raise_()

    def fields():
        form = dock.findChild(ParamsForm)
        mine = [each for each in form._fields.values() if each.isVisible()]
        return [box for each in mine for box in each.findChildren(QAbstractSpinBox) if is_seen(box)]

    qtbot.waitUntil(lambda: bool(fields()))
    field = fields()[0]
    assert nameless(opened) == []
    name = field.accessibleName()
    field.setAccessibleName("")
    assert len(nameless(opened)) == 1
    field.setAccessibleName(name)
    opened.resize(1600, 1000)


def test_a_control_without_a_name_and_an_empty_panel_are_faults(qtbot):
    dock = QDockWidget("Panel")
    qtbot.addWidget(dock)
    body = QWidget()
    lines = QVBoxLayout(body)
    dock.setWidget(body)
    dock.show()
    assert is_empty(dock)
    lines.addWidget(QPushButton(""))
    own = QWidget()
    own.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    lines.addWidget(own)
    qtbot.waitUntil(own.isVisible)
    kinds = [fault.partition(":")[0] for fault in faults(body)]
    assert sorted(kinds) == ["no name", "no name", "no role"]
    own.setAccessibleName("Plot")
    own.setAccessibleDescription("a plot")
    body.findChild(QPushButton).setAccessibleName("Run")
    assert faults(body) == []
    assert not is_empty(dock)


def test_a_control_of_the_window_that_loses_its_name_is_a_fault(opened):
    button = opened.panel(LayersDock).add_button
    opened.panel(LayersDock).raise_()
    name = button.accessibleName()
    button.setAccessibleName("")
    button.setToolTip("")
    try:
        assert any("IconButton" in fault for fault in faults(opened.panel(LayersDock)))
    finally:
        button.setAccessibleName(name)


def scored_rows(window, qtbot):
    """Return the rows with a score, once there is one."""

    def scored():
        rows = window.panel(LayersDock).findChildren(LayerRow)
        return [row for row in rows if row.score.text()]

    qtbot.waitUntil(lambda: bool(scored()), timeout=20_000)
    return scored()


def test_a_changed_score_of_a_layer_is_announced(opened, qtbot):
    session, row = opened.session, scored_rows(opened, qtbot)[0]
    before = row.score.accessibleName()
    with announced() as seen:
        session.selection.set_selected(
            [mark.id for mark in session.open.gold.marks if mark.level == 0]
        )
        opened.workbench.delete_selected()
        qtbot.waitUntil(lambda: row.score.accessibleName() != before)
    opened.actions_["undo"].trigger()
    assert (QAccessible.Event.NameChanged, address(row.score)) in seen


def test_a_row_of_a_layer_is_read_with_its_score(opened, qtbot):
    for row in scored_rows(opened, qtbot):
        assert f"F1 {row.score.text()}" in row.accessibleDescription()


def test_values_of_meters_messages_and_progress_are_announced(opened, qtbot):
    row = scored_rows(opened, qtbot)[0]
    with announced() as seen:
        row.meter.set_share(0.123, "#808080")
        opened.session.messages.say("nothing is left to check")
        opened.status_bar.doing.setText("Rendering 3 of 8")
    assert (QAccessible.Event.ValueChanged, address(row.meter)) in seen
    assert (QAccessible.Event.Announcement, address(opened.toast)) in seen
    assert (QAccessible.Event.NameChanged, address(opened.status_bar.doing)) in seen


def test_a_label_with_a_fixed_name_announces_no_change(qtbot):
    label = QLabel("F1 .5")
    qtbot.addWidget(label)
    label.setAccessibleName("F1")
    with announced() as seen:
        label.setText("F1 .6")
    assert address(label) not in [thing for _, thing in seen]


@pytest.mark.parametrize("name", VIEWS)
def test_every_control_of_a_view_has_a_name_and_a_role(opened, qtbot, name):
    (kind,) = (each for each in opened.main_area.kinds if each.__name__ == name)
    opened.main_area.toggle(kind)
    qtbot.waitUntil(lambda: opened.main_area.shows(kind))
    assert faults(opened.main_area.current.widget) == []


def test_a_second_control_of_one_name_and_one_in_the_wrong_place_are_found(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(300, 120)
    buttons = [QPushButton("Run", window) for _ in range(3)]
    for button, y in zip(buttons, (80, 0, 40), strict=True):
        button.setGeometry(0, y, 80, 30)
    window.show()
    qtbot.waitUntil(buttons[-1].isVisible)
    assert nameless(window) == []
    assert twins(window) == ["3 × Button Run"]
    for number, button in enumerate(buttons):
        button.setAccessibleName(f"Run {number}")
    assert twins(window) == []
    buttons[0].setFocus()
    assert out_of_order(window) == ["Run 0 before Run 1"]
    for number, button in enumerate(buttons):
        button.move(0, 40 * number)
    buttons[0].setFocus()
    assert out_of_order(window) == []
    buttons[1].setText("")
    buttons[1].setAccessibleName("")
    assert len(nameless(window)) == 1


def test_a_stop_of_tab_that_is_covered_and_one_that_keeps_it_are_found(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(300, 120)
    for place, name in enumerate(("Seen", "Covered", "Keeps")):
        made = QPushButton(name, window) if name != "Keeps" else QPlainTextEdit(window)
        made.setAccessibleName(name)
        made.setGeometry(0, 40 * place, 80, 30)
    window.show()
    first, second = window.findChildren(QPushButton)
    qtbot.waitUntil(second.isVisible)
    first.setFocus()
    assert astray(window) == ["Tab stays at Keeps"]
    window.findChild(QPlainTextEdit).setTabChangesFocus(True)
    first.setFocus()
    assert astray(window) == []
    cover = QWidget(window)
    cover.setAutoFillBackground(True)
    cover.setGeometry(second.geometry())
    cover.show()
    first.setFocus()
    assert astray(window) == ["unseen Covered"]


def test_a_view_under_another_is_a_fault_once_it_is_seen_by_tab_again(opened, qtbot):
    opened.tasks.choose("evaluate")
    qtbot.waitUntil(lambda: opened.main_area.is_covered)
    assert astray(opened) == []
    opened.empty.show()  # as it was: below the table, where Qt leaves it visible
    try:
        assert any("unseen Mark pages" in each for each in astray(opened))
    finally:
        opened.empty.hide()
        opened.tasks.choose("mark")


def test_a_button_that_neither_tab_nor_arrows_reach_is_found(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    line = QHBoxLayout(window)
    buttons = [QPushButton(name) for name in ("One", "Two", "Three")]
    for button in buttons:
        line.addWidget(button)
    line.addWidget(QPushButton("Next"))
    window.show()
    qtbot.waitUntil(buttons[-1].isVisible)
    OneStop(window, buttons)
    buttons[0].setFocus()
    assert astray(window) == []
    alone = QPushButton("Mouse alone", window, focusPolicy=Qt.FocusPolicy.NoFocus)
    alone.show()
    buttons[0].setFocus()
    assert astray(window) == ["passed over Mouse alone"]
