"""The form generated from the declared parameters of a method."""

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QSlider,
    QSpinBox,
    QWidget,
)

from algorithms.core.attempt import Outcome, OutcomeStatus
from algorithms.core.catalogue import METHODS
from algorithms.params import Params, changed_values, param
from engine.errors import ParameterError
from gui.core.changed_note import ChangedNote
from gui.features.layers.details import DetailsDock
from gui.features.layers.params import ParamsForm, decimals
from gui.state.undo import WorkHistory, set_params
from tests.gui.parts import cut_off


@dataclass(frozen=True)
class Sample(Params):
    """One parameter of each kind."""

    cost: float = param(0.25, "what a tag costs", low=0.0, high=1.0)
    range: int = param(20, "how far to look", low=1, high=60)
    links: bool = param(False, "whether links count")
    kind: str = param("mean", "how to combine", choices=("mean", "median"))
    note: str = param("", "any text")
    least: int = param(3, "no upper bound", low=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.links and self.kind == "median":
            raise ParameterError("links cannot be combined by median")


@pytest.fixture
def form(qtbot):
    made = ParamsForm()
    qtbot.addWidget(made)
    made.given = []
    made.changed.connect(made.given.append)
    made.show_params(Sample())
    made.show()
    qtbot.waitExposed(made)
    return made


def test_each_kind_of_parameter_gets_a_matching_control(form):
    kinds = {
        "cost": (QSlider, QDoubleSpinBox),
        "range": (QSlider, QSpinBox),
        "links": (QCheckBox,),
        "kind": (QComboBox,),
        "note": (QLineEdit,),
        "least": (QSpinBox,),
    }
    for name, controls in kinds.items():
        for control in controls:
            assert form.field(name).findChild(control) is not None, (name, control)
    assert form.field("least").findChild(QSlider) is None


def test_showing_values_emits_no_change(form):
    form.show_params(Sample(cost=0.5, range=7, links=True, note="x"))
    assert form.given == []
    assert form.field("cost").findChild(QDoubleSpinBox).value() == 0.5
    assert form.field("cost").findChild(QSlider).value() == 100
    assert form.field("links").findChild(QCheckBox).isChecked()


def test_a_slider_updates_the_spin_box_and_emits_the_change(qtbot, form):
    slider = form.field("range").findChild(QSlider)
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert form.given[-1] == Sample(range=21)
    assert form.field("range").findChild(QSpinBox).value() == 21


def test_a_typed_number_moves_the_slider_and_emits_one_change(qtbot, form):
    spin = form.field("cost").findChild(QDoubleSpinBox)
    spin.selectAll()
    qtbot.keyClicks(spin, "0.6")
    assert form.given == []  # not while typing
    qtbot.keyClick(spin, Qt.Key.Key_Return)
    assert form.given == [Sample(cost=0.6)]
    assert form.field("cost").findChild(QSlider).value() == 120


def test_check_box_and_text_field_emit_changes(qtbot, form):
    qtbot.mouseClick(form.field("links").findChild(QCheckBox), Qt.MouseButton.LeftButton,
                     pos=QPoint(8, 8))  # fmt: skip
    assert form.given[-1].links
    line = form.field("note").findChild(QLineEdit)
    qtbot.keyClicks(line, "h1")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert form.given[-1].note == "h1"


def test_a_value_that_the_method_refuses_is_reverted(qtbot, form):
    form.show_params(Sample(links=True))
    combo = form.field("kind").findChild(QComboBox)
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert form.given == []
    assert combo.currentText() == "mean"


def wheel(widget):
    position = QPointF(widget.rect().center())
    event = QWheelEvent(
        position,
        widget.mapToGlobal(position),
        QPoint(0, 0),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def test_the_wheel_over_a_field_without_focus_changes_nothing(qtbot, form):
    form.field("note").findChild(QLineEdit).setFocus()
    slider = form.field("range").findChild(QSlider)
    wheel(slider)
    assert form.given == []
    slider.setFocus()
    wheel(slider)
    assert form.given != []


@given(st.floats(0.001, 0.999).map(lambda x: round(x, 3)))
def test_every_default_is_shown_exactly(default):
    assert float(f"{default:.{decimals(default, 0.0, 1.0)}f}") == default


# the panel -----------------------------------------------------------------------------------
@pytest.fixture
def dock(qtbot, session):
    made = DetailsDock(session)
    qtbot.addWidget(made)
    made.resize(340, 700)
    made.show()
    return made


@pytest.mark.parametrize("entry", METHODS, ids=lambda entry: entry.key)
def test_every_method_has_a_form_and_a_switch_for_its_input(qtbot, dock, session, entry):
    session.layers.add_method(entry.key)
    for name in entry.params.specs():
        qtbot.waitUntil(dock.form.field(name).isVisible)
    assert (dock.inputs() is not None) == (len(entry.inputs) > 1)


@pytest.mark.parametrize("width", [0, 300, 420])
def test_nothing_in_the_panel_is_cut_off_at_any_width(qtbot, dock, session, width):
    for entry in METHODS:
        session.layers.add_method(entry.key)
        session.layers.set_current_layer(entry.key)
        dock.resize(max(width, dock.minimumSizeHint().width()), 700)
        qtbot.waitUntil(lambda: cut_off(dock.widget()) == [])


def test_a_parameter_changed_in_the_form_is_set_on_the_layer(qtbot, dock, session):
    session.layers.set_current_layer("vips")
    slider = dock.form.field("pdoc").findChild(QSlider)
    slider.setFocus()
    with qtbot.waitSignal(session.layers.setup_changed) as data:
        qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert data.args == ["vips"]
    assert (
        session.layers.layer("vips").params.pdoc
        == type(session.layers.layer("vips").params)().pdoc + 1
    )


def test_reset_restores_the_defaults(qtbot, dock, session):
    session.layers.set_current_layer("vips")
    assert not dock.reset.isVisible()
    params = session.layers.layer("vips").params
    session.layers.change_layer("vips", params=type(params)(pdoc=3))
    assert dock.reset.isVisible()
    qtbot.mouseClick(dock.reset, Qt.MouseButton.LeftButton)
    assert session.layers.layer("vips").params == params
    assert not dock.reset.isVisible()


def test_the_input_switch_sets_the_source_of_the_layer(qtbot, dock, session):
    session.layers.set_current_layer("bte")
    with qtbot.waitSignal(session.layers.setup_changed):
        qtbot.mouseClick(dock.inputs().button("original"), Qt.MouseButton.LeftButton)
    assert session.layers.layer("bte").source == "original"


def test_the_panel_explains_missing_scores(dock, session):
    session.layers.set_current_layer("bte")
    assert "when the method has run" in dock.no_scores
    session.layers.set_outcome("bte", Outcome(OutcomeStatus.OK, seconds=0.01))
    assert "Mark main content" in dock.no_scores
    session.layers.set_outcome(
        "bte", Outcome(OutcomeStatus.FAILED, error="this page has no original HTML")
    )
    assert dock.trouble == "This page has no original HTML"


def test_a_gold_layer_shows_the_number_of_its_marks(dock, session):
    session.layers.set_current_layer("gold-1")
    assert dock.no_scores == "2 marked"


# changed parameters ----------------------------------------------------------------------------
@pytest.fixture
def note(qtbot, session):
    ground = QWidget()
    qtbot.addWidget(ground)
    yield ChangedNote(session, ground)
    del ground


def test_a_changed_method_has_a_star_until_reset_and_again_after_undo(session, note):
    session.layers.add_method("cetr")
    before = session.layers.layer("cetr").params
    assert (session.layers.layer("cetr").title, note.isHidden()) == ("CETR", True)
    set_params(session, "cetr", replace(before, sigma=0.1))
    assert session.layers.layer("cetr").title == "CETR *"
    assert not note.isHidden()
    assert note.text() == "1 method is not as published · Reset"
    assert "CETR: sigma 0.1" in note.toolTip()
    note.click()
    assert (session.layers.layer("cetr").title, note.isHidden()) == ("CETR", True)
    session.get(WorkHistory).last.command.undo()
    assert session.layers.layer("cetr").title == "CETR *"


def test_a_model_file_does_not_count_as_a_changed_parameter():
    for entry in METHODS:
        params = entry.params()
        assert params.changed() == {}
        for name, spec in entry.params.specs().items():
            if spec.file is not None:
                assert changed_values(entry.params, {name: "model.npz"}) == {}


def test_successive_changes_of_one_field_are_one_undo_step(session, dock):
    session.layers.add_method("cetr")
    session.layers.set_current_layer("cetr")
    before = session.layers.layer("cetr").params
    for value in (1.1, 1.2, 1.3):
        dock.form.field("sigma").changed.emit("sigma", value)
    assert session.layers.layer("cetr").params.sigma == 1.3
    history = session.get(WorkHistory)
    history.last.command.undo()
    history.move(-1)
    assert session.layers.layer("cetr").params == before
    assert history.last is None
