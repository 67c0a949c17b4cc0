"""User-defined shortcuts: stored, shown everywhere, checked for clashes and printed."""

import json

import pytest
from markupsafe import escape
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtPdf import QPdfDocument

from engine.errors import InputError
from gui.state.selection import Mode
from gui.window.action_table import clashes
from gui.window.actions import ACTIONS
from gui.window.shortcuts import sections
from gui.window.user_keys import as_html, is_key, read_keys, with_keys, write_keys, write_sheet


def test_stored_keys_are_read_again_and_replace_the_defaults(tmp_path):
    path = tmp_path / "config" / "keys.json"
    assert read_keys(path, ACTIONS) == ({}, [])
    write_keys(path, {"undo": ("Ctrl+U",), "redo": ()})
    keys, problems = read_keys(path, ACTIONS)
    assert (keys, problems) == ({"undo": ("Ctrl+U",), "redo": ()}, [])
    rows = {action.name: action.keys for action in with_keys(ACTIONS, keys)}
    assert rows["undo"] == ("Ctrl+U",)
    assert rows["redo"] == ()
    assert rows["mode-main"] == ("M",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no json", "cannot be read"),
        ("[]", "not a table of shortcuts"),
        ('{"fly": ["F3"]}', "no action fly"),
        ('{"undo": "Ctrl+U"}', "not a list of keys"),
        ('{"undo": ["Hyper+!!"]}', "not a list of keys"),
    ],
)
def test_an_invalid_file_is_reported_and_the_default_keys_apply(tmp_path, text, said):
    path = tmp_path / "keys.json"
    path.write_text(text)
    keys, (problem,) = read_keys(path, ACTIONS)
    assert keys == {}
    assert said in problem


def test_an_unwritable_file_of_keys_raises_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_keys(tmp_path / "file" / "keys.json", {})


def test_only_single_key_combinations_are_accepted():
    assert all(is_key(key) for action in ACTIONS for key in action.keys)
    assert not any(is_key(key) for key in ("", "Ctrl+K, Ctrl+S", 3, None))


def test_the_sheet_of_keys_is_written_as_html_and_as_one_page_pdf(tmp_path, qapp):
    html = as_html(sections(ACTIONS))
    for action in ACTIONS:
        if action.keys and not action.name.startswith("layer-"):
            assert escape(action.text.removesuffix("…")) in html
    write_sheet(tmp_path / "keys.html", sections(ACTIONS))
    assert (tmp_path / "keys.html").read_text(encoding="utf-8") == html
    write_sheet(tmp_path / "keys.pdf", sections(ACTIONS))
    data = (tmp_path / "keys.pdf").read_bytes()
    assert data.startswith(b"%PDF")
    assert len(data) > 10_000
    pdf = QPdfDocument()
    pdf.load(str(tmp_path / "keys.pdf"))
    assert pdf.pageCount() == 1
    last = list(sections(ACTIONS))[-1][1][-1][0]
    assert last in pdf.getAllText(0).text()


def choose(window, name, key):
    editor = window.own_keys.editor
    window.own_keys.change()
    editor.choose(name)
    editor.edit.setKeySequence(QKeySequence(key))
    return editor


@pytest.mark.web
def test_a_changed_key_works_at_once_is_shown_and_is_stored(window, qtbot):
    editor = choose(window, "mode-main", "F3")
    assert "already" in editor.message.text()  # of the Source panel
    assert not editor.apply.isEnabled()
    editor.edit.setKeySequence(QKeySequence("Ctrl+Alt+M"))
    qtbot.mouseClick(editor.apply, Qt.MouseButton.LeftButton)
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_M, both)
    assert window.session.selection.mode is Mode.MAIN
    assert "Ctrl+Alt+M" in window.actions_["mode-main"].toolTip()
    kept = window.workbench.workspace.path.with_name("keys.json")
    assert json.loads(kept.read_text()) == {"mode-main": ["Ctrl+Alt+M"]}
    listed = {key for _, rows in sections(window.actions_.rows) for _, keys in rows for key in keys}
    assert "Ctrl+Alt+M" in listed
    qtbot.mouseClick(editor.all_usual, Qt.MouseButton.LeftButton)
    assert window.own_keys.keys == {}
    assert clashes(window.actions_.rows) == []


@pytest.mark.web
def test_actions_are_found_by_name_and_by_key(window):
    window.own_keys.change()
    window.own_keys.editor.filter.setText("undo")
    assert window.own_keys.editor.listed() == ["undo"]
    window.own_keys.editor.filter.setText("shift+a")
    assert "adopt" in window.own_keys.editor.listed()
