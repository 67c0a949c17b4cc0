"""A parameter that is a file, in the form of elISA: typed, chosen, dropped, refused."""

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtWidgets import QFileDialog

from algorithms.core.catalogue import method
from algorithms.plugins.elisa.elisa import ElisaParams
from engine.errors import ParameterError
from gui.cli.methods import describe
from gui.features.layers.params import FileField, ParamsForm
from tests.gui.parts import drop

RULES = """<RULES><RULE context="P"><CHECK><WHENEVER test="true()">
<SET attr="elISAtype">"content"</SET></WHENEVER></CHECK></RULE></RULES>"""


@pytest.fixture
def rules(qtbot):
    """Return the parameter form of elISA, whose rules are a file."""
    made = ParamsForm()
    qtbot.addWidget(made)
    made.resize(260, 260)
    made.given = []
    made.changed.connect(made.given.append)
    made.show_params(ElisaParams())
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "mine.xml"
    path.write_text(RULES, encoding="utf-8")
    return path


def file_field(form):
    return form.field("rules").findChild(FileField)


def retype(qtbot, line, text):
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


def test_a_typed_path_of_a_valid_file_changes_the_parameters(qtbot, rules, good):
    field = file_field(rules)
    assert field.line.placeholderText() == "Pagelet's own rules"
    retype(qtbot, field.line, str(good))
    assert rules.given == [ElisaParams(rules=str(good))]
    assert not field.trouble.isVisible()
    field.line.clear()
    assert rules.given[-1] == ElisaParams()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "There is no such file"),
        (b"<RULES>\n<RULE context='P'>", "Line 2: Premature end"),
        (b"\xff\xfe", "It is not UTF-8 text"),
        (b"<p>a page</p>", "RULES"),
    ],
)
def test_an_invalid_file_is_refused_with_a_reason_and_its_path_is_kept(
    qtbot, rules, tmp_path, content, reason
):
    path = tmp_path / "bad.xml"
    if content is not None:
        path.write_bytes(content)
    field = file_field(rules)
    retype(qtbot, field.line, str(path))
    assert field.trouble.isVisible()
    assert reason in field.trouble.text()
    assert "\n" not in field.trouble.text()
    assert field.line.text() == str(path)
    assert rules.given == []
    path.write_text(RULES, encoding="utf-8")
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert not field.trouble.isVisible()
    assert rules.given == [ElisaParams(rules=str(path))]


def test_a_dropped_file_changes_the_parameters(rules, good):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(good))])
    field = file_field(rules)
    done = drop(field, data, QPointF(field.line.geometry().center()))
    assert done == Qt.DropAction.IgnoreAction  # only moving was offered
    assert rules.given == [ElisaParams(rules=str(good))]
    assert field.line.text() == str(good)


def test_the_button_opens_a_file_dialog_without_blocking(qtbot, rules, good):
    field = file_field(rules)
    qtbot.mouseClick(field.button, Qt.MouseButton.LeftButton)
    (dialog,) = rules.findChildren(QFileDialog)
    assert dialog.isVisible()
    assert dialog.nameFilters()[0] == "Rules (*.xml)"
    dialog.setDirectory(str(good.parent))
    dialog.selectFile(good.name)
    dialog.accept()
    assert rules.given == [ElisaParams(rules=str(good))]


def test_a_file_deleted_since_it_was_chosen_is_reported_as_missing(rules, good):
    rules.show_params(ElisaParams(rules=str(good)))
    assert not file_field(rules).trouble.isVisible()
    good.unlink()
    rules.show_params(ElisaParams(rules=str(good), label="logo"))
    assert "There is no such file" in file_field(rules).trouble.text()
    assert rules.given == []


def test_parsing_parameters_refuses_a_missing_file_and_a_folder(tmp_path, good):
    assert ElisaParams.parse({"rules": str(good)}) == ElisaParams(rules=str(good))
    with pytest.raises(ParameterError, match=r"rules: .*there is no such file"):
        ElisaParams.parse({"rules": str(tmp_path / "none.xml")})
    with pytest.raises(ParameterError, match="it is a folder"):
        ElisaParams.parse({"rules": str(tmp_path)})


def test_methods_as_json_have_the_types_of_parameters_and_file_patterns():
    rules, label = describe(method("elisa"))["parameters"]
    assert (rules["type"], rules["files"]) == ("file", ["*.xml"])
    assert (label["type"], label["files"]) == ("str", [])
