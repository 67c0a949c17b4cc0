"""The method editor: a file is written beside the page, saved by key, and run on all pages."""

import os

import pytest
from PySide6.QtCore import Qt

from algorithms.own import method_files
from gui.features.layers.feature import ShownLayers
from gui.plugins.compare.state import ChangeWalk
from gui.plugins.method_editor.code_field import CodeField
from gui.plugins.method_editor.controller import MethodEditorController
from gui.plugins.method_editor.panel import MethodEditorDock
from tests.gui.parts import make_window, press
from tests.hand import Hand
from tests.method_packages import pages
from tests.pulse import Pulse

CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
WAIT = 120_000


@pytest.fixture
def hand(window, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv(method_files.NAMED, "")
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "settings"))
    method_files.refresh()
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open_path(pages(tmp_path / "set"))
    return made


@pytest.fixture
def editor(window, hand, tmp_path):
    """Open the template as a new file and run it on the open page."""
    press(hand, Qt.Key.Key_W, CTRL | ALT)
    editing, panel = window.workbench.get(MethodEditorController), window.panel(MethodEditorDock)
    assert panel.isVisible()
    editing.make(str(tmp_path / "my_texts.py"))
    session = window.session
    hand.qtbot.waitUntil(lambda: "my-texts" in session.layers.outcomes, timeout=WAIT)
    hand.wait_for_methods()
    return panel


def replace_text(panel, old, new):
    text = panel.code.toPlainText()
    assert old in text
    panel.code.setPlainText(text.replace(old, new))


def failed(window):
    outcome = window.session.layers.outcomes.get("my-texts")
    return "" if outcome is None else outcome.error


@pytest.mark.web
@pytest.mark.slow
def test_saving_runs_the_method_and_lists_the_changes_on_all_pages(window, hand, editor):
    assert window.session.layers.current_layer == "my-texts"
    assert editor.remark() == "my_texts.py"
    replace_text(editor, "param(12,", "param(7,")
    assert editor.remark() == "my_texts.py · not saved"
    press(hand, Qt.Key.Key_S, CTRL)
    assert editor.remark() == "my_texts.py"
    walk = window.session.get(ChangeWalk)
    hand.qtbot.waitUntil(lambda: walk.compared is not None, timeout=WAIT)
    assert (walk.before, walk.after) == ("last saved", "now")
    assert {change.text.kind for change in walk.items} == {"no longer empty"}
    assert len(walk.items) >= 2


@pytest.mark.web
@pytest.mark.slow
def test_errors_are_shown_below_the_code_and_their_line_is_marked(window, hand, editor):
    replace_text(editor, "    positions = stretches(source)  #", "    positions = nothing_such(  #")
    press(hand, Qt.Key.Key_S, CTRL)
    hand.qtbot.waitUntil(lambda: bool(editor.trouble.text()), timeout=WAIT)
    assert "SyntaxError" in editor.trouble.text()
    assert editor.code.error_line > 0
    replace_text(
        editor, "    positions = nothing_such(  #", "    positions = nothing_such(source)  #"
    )
    press(hand, Qt.Key.Key_S, CTRL)
    hand.qtbot.waitUntil(lambda: "NameError" in editor.trouble.text(), timeout=WAIT)
    line = editor.code.toPlainText().split("\n")[editor.code.error_line - 1]
    assert "nothing_such(source)" in line


@pytest.mark.slow
@pytest.mark.web
def test_unsaved_text_is_restored_when_the_editor_is_opened_again(window, hand, tmp_path):
    editing = window.workbench.get(MethodEditorController)
    editing.make(str(tmp_path / "my_texts.py"))
    editing.type(editing.text + "# more\n")
    editing.stop()
    editing.path = None
    editing.restore()
    assert editing.text.endswith("# more\n")
    assert editing.is_modified
    assert not (tmp_path / "my_texts.py").read_text().endswith("# more\n")


def test_code_after_a_string_of_several_lines_is_highlighted(qtbot):
    field = CodeField()
    qtbot.addWidget(field)
    field.setPlainText('def run():\n    """One\n    two."""\n    return 1\n')
    qtbot.waitUntil(lambda: any(kind == "value" for _, _, kind in field.colors.kinds_of(2)))
    assert [kind for _, _, kind in field.colors.kinds_of(0)] == ["keyword", "tag"]
    assert field.colors.kinds_of(3)[0] == (4, 6, "keyword")


def test_enter_keeps_the_indentation_and_increases_it_after_a_colon(qtbot):
    field = CodeField()
    qtbot.addWidget(field)
    qtbot.keyClicks(field, "def run():")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.keyClicks(field, "x = 1")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    qtbot.keyClicks(field, "y")
    assert field.toPlainText() == "def run():\n    x = 1\n        y"


@pytest.mark.slow
@pytest.mark.web
def test_a_method_file_of_a_workspace_runs_only_after_the_user_opens_it(
    window, hand, tmp_path, qtbot
):
    file, ran = tmp_path / "evil.py", tmp_path / "ran"
    file.write_text(f"open({str(ran)!r}, 'w').close()\n")
    workspace = window.workbench.workspace
    workspace.set_setting("method editor", {"path": str(file), "text": "# a draft\n"})
    press(hand, Qt.Key.Key_W, CTRL | ALT)
    panel = window.panel(MethodEditorDock)
    assert panel.accept.isVisible()
    assert panel.accept.text() == "Open evil.py"
    assert not panel.code.isVisible()
    Pulse(100).wait(qtbot, 5)
    method_files.refresh()
    assert not ran.exists()
    assert str(file) not in os.environ[method_files.NAMED]
    qtbot.mouseClick(panel.accept, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(ran.exists, timeout=WAIT)
    assert panel.code.toPlainText() == "# a draft\n"
    assert not panel.accept.isVisible()
    # the user is asked once: from now on the same workspace opens it
    editing = window.workbench.get(MethodEditorController)
    editing.path = None
    editing.restore()
    assert (editing.path, editing.offered) == (file, None)
    # and again once it is another file, with what has changed
    editing.path = None
    file.write_text(file.read_text() + "# pulled\n")
    editing.restore()
    assert (editing.path, editing.offered) == (None, file)
    assert "evil.py: 1 line added, 0 removed" in panel._none.text()


@pytest.mark.web
@pytest.mark.parametrize("path", ["\0", "x" * 5000, "/dev/zero", "no/such.py", 7])
def test_a_path_in_a_workspace_that_is_no_file_is_not_offered(window, hand, path):
    window.workbench.workspace.set_setting("method editor", {"path": path})
    press(hand, Qt.Key.Key_W, CTRL | ALT)
    assert not window.panel(MethodEditorDock).accept.isVisible()
    assert window.panel(MethodEditorDock).new.hasFocus()


@pytest.mark.slow
@pytest.mark.web
def test_the_layer_of_an_own_method_is_there_after_a_restart(qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv(method_files.NAMED, "")
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "settings"))
    method_files.refresh()
    window = make_window(tmp_path)
    qtbot.addWidget(window)
    window.workbench.get(MethodEditorController).make(str(tmp_path / "my_texts.py"))
    layers = window.session.layers
    qtbot.waitUntil(lambda: any(each.key == "my-texts" for each in layers.all), timeout=WAIT)
    layers.change_layer("my-texts", color="#123456")
    before = [layer.key for layer in layers.all]
    window.close_down()
    monkeypatch.setenv(method_files.NAMED, "")
    method_files.refresh()
    again = make_window(tmp_path)
    qtbot.addWidget(again)
    qtbot.waitUntil(
        lambda: [layer.key for layer in again.session.layers.all] == before, timeout=WAIT
    )
    assert again.session.layers.layer("my-texts").color == "#123456"
    assert again.workbench.get(MethodEditorController).path == tmp_path / "my_texts.py"
    again.close_down()


@pytest.mark.web
def test_the_layer_of_a_method_that_is_unknown_now_stays_stored(qtbot, tmp_path):
    window = make_window(tmp_path)
    qtbot.addWidget(window)
    window.session.layers.set_solo("")
    window.workbench.get(ShownLayers).keep()
    stored = window.workbench.workspace.setting("layers")
    strange = {**stored[4], "key": "of-a-missing-plugin"}
    window.workbench.workspace.set_setting("layers", [*stored[:4], strange, *stored[4:]])
    window.close_down()
    again = make_window(tmp_path)
    qtbot.addWidget(again)
    again.workbench.get(ShownLayers).keep()
    assert again.workbench.workspace.setting("layers")[4] == strange
    again.close_down()
