"""The whole window on a live page, by mouse and key."""

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QToolButton

from annotate.marks.gold import MAIN
from engine.words import MOST_MESSAGE
from gui.features.layers.details import DetailsDock
from gui.features.layers.panel import LayersDock
from gui.features.outline.panel import OutlineDock
from gui.features.pages.panel import PagesDock
from gui.state.selection import Mode
from gui.widgets.parts import IconButton
from gui.widgets.texts import plain
from gui.window.open_dialogs import whole_address
from tests.gui.parts import cut_off, drop, make_window, press
from tests.hand import hand_in_window

pytestmark = pytest.mark.web

PAGE = """
<title>Harbour news</title>
<style>body{margin:0;font:16px/24px sans-serif} section{padding:10px}</style>
<header id=top>The Courier</header>
<section id=story><h1 id=head>Ferry back</h1>
<p id=first>The ferry <b>returned</b> to the harbour this morning.</p>
<p id=second>Nobody was hurt, the captain said later.</p></section>
"""
hand = hand_in_window


def test_the_window_begins_with_an_offer_of_pages_to_open(window, qtbot):
    title, text = window.empty.words
    assert window.empty.isVisible()
    assert title == "What would you like to do?"
    assert "drop" in text
    with qtbot.waitSignal(window.session.open.page_changed, timeout=20_000):
        qtbot.mouseClick(window.empty.button("Open the sample pages"), Qt.MouseButton.LeftButton)
    assert not window.empty.isVisible()
    assert len(window.panel(PagesDock).titles()) > 2


def test_an_open_page_fills_every_panel(window, hand):
    assert window.windowTitle() == "Harbour news – Pagelet"
    assert window.panel(PagesDock).titles() == ["Harbour news"]
    line = window.status_bar
    assert line.hint.toolTip().endswith("ferry.html")
    assert line.viewport.text == "1366 × 768"
    nodes = window.session.open.page.nodes
    texts = int(nodes.is_text.sum())
    assert f"{len(nodes) - texts} elements and {texts} texts" in line.viewport.toolTip()
    assert line.saved.text == "Saved"
    assert "Press 1 or 2" in window.panel(OutlineDock).none_text


def test_unavailable_actions_on_a_page_name_the_step_before(window, hand):
    for name, step in (("delete", "select a mark first"), ("undo", "there is nothing to undo")):
        assert window.actions_[name].toolTip().endswith(f"Not now: {step}")


@pytest.mark.slow
def test_titles_and_messages_of_millions_of_characters_are_cut(window, hand):
    hand.open("<p>words<script>document.title = 'T'.repeat(17e6)</script>")
    assert window.windowTitle() == f"{'T' * 499}… – Pagelet"
    window.session.messages.say("x" * 1_000_000)
    assert len(window.session.messages.message) == MOST_MESSAGE
    assert len(plain("<b>" + "x" * 1_000_000)) < 2 * MOST_MESSAGE


def test_one_key_sets_each_mode_while_the_page_has_the_focus(window, hand):
    for key, mode in (
        (Qt.Key.Key_M, Mode.MAIN),
        (Qt.Key.Key_1, Mode.LEVEL_1),
        (Qt.Key.Key_2, Mode.LEVEL_2),
        (Qt.Key.Key_V, Mode.SELECT),
    ):
        window.session.selection.set_mode(Mode.LEVEL_2 if mode is Mode.SELECT else Mode.SELECT)
        press(hand, key)
        assert window.session.selection.mode is mode
        (checked,) = [button for button in window.toolbar.modes if button.isChecked()]
        name = f"mode-{mode.value.removeprefix('level-')}"
        assert checked.defaultAction() is window.actions_[name]


def test_keys_mark_an_element_set_its_type_and_level_and_delete_it(window, hand):
    hand.hover("#head")
    hand.qtbot.waitUntil(lambda: window.session.selection.candidate == hand.row("#head"))
    press(hand, Qt.Key.Key_1)
    assert window.session.selection.candidate == hand.row(
        "#story"
    )  # the largest that is not the page
    press(hand, Qt.Key.Key_Down)
    press(hand, Qt.Key.Key_Return)
    assert hand.marked(1) == [[hand.row("#head")]]
    assert window.toolbar.type_button.text() == "No type ▾"
    press(hand, Qt.Key.Key_C)
    (mark,) = window.session.open.gold.marks
    assert mark.type == "Content"
    assert window.toolbar.type_button.text() == "Content ▾"
    press(hand, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    assert window.session.open.gold.marks[0].level == 2
    press(hand, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.session.open.gold.marks[0].level == 1
    press(hand, Qt.Key.Key_Delete)
    assert window.session.open.gold.marks == ()


def test_arrow_keys_walk_the_page_and_tab_selects_a_mark(window, hand):
    window.session.selection.set_candidate(hand.row("#first"))
    press(hand, Qt.Key.Key_Up)
    assert window.session.selection.candidate == hand.row("#story")
    press(hand, Qt.Key.Key_M)
    press(hand, Qt.Key.Key_Return)
    assert hand.marked(MAIN) == [[hand.row("#story")]]
    press(hand, Qt.Key.Key_Tab)
    assert len(window.session.selection.selected) == 1
    press(hand, Qt.Key.Key_Escape)
    assert window.session.selection.selected == ()


def test_type_letters_do_nothing_while_no_block_is_selected(window, hand):
    press(hand, Qt.Key.Key_H)
    assert window.session.open.gold.marks == ()
    assert not window.actions_["type-header"].isEnabled()


def test_letters_typed_into_a_field_trigger_no_action(window, hand):
    qtbot = hand.qtbot
    press(hand, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.panel(PagesDock).filter.hasFocus()
    qtbot.keyClicks(window.panel(PagesDock).filter, "m12vd")
    assert window.panel(PagesDock).filter.text() == "m12vd"
    assert window.session.selection.mode is Mode.SELECT
    qtbot.keyClick(window.panel(PagesDock).filter, Qt.Key.Key_Escape)
    assert hand.target.hasFocus()


def test_a_typed_name_becomes_the_type_of_the_block(window, hand):
    hand.click("#story")
    press(hand, Qt.Key.Key_1)
    hand.click("#story")
    hand.qtbot.waitUntil(lambda: bool(window.session.selection.selected))
    press(hand, Qt.Key.Key_T)
    assert window.type_field.line.hasFocus()
    hand.qtbot.keyClicks(window.type_field.line, "Weather box")
    hand.qtbot.keyClick(window.type_field.line, Qt.Key.Key_Return)
    assert window.session.open.gold.marks[0].type == "Weather box"
    assert not window.type_field.isVisible()


def test_a_click_in_the_outline_selects_the_mark(window, hand):
    hand.session.selection.set_candidate(hand.row("#first"))
    window.workbench.session.selection.set_mode(Mode.LEVEL_2)
    window.workbench.marking.take()
    (mark,) = window.session.open.gold.marks
    window.workbench.clear_selection()
    item = window.panel(OutlineDock).tree.topLevelItem(0)
    position = window.panel(OutlineDock).tree.visualItemRect(item).center()
    hand.qtbot.mouseClick(
        window.panel(OutlineDock).tree.viewport(), Qt.MouseButton.LeftButton, pos=position
    )
    assert window.session.selection.selected == (mark.id,)


def test_scores_appear_after_marking(window, hand):
    row = window.panel(LayersDock).row("bte")
    assert row.score.text() == ""
    window.session.selection.set_candidate(hand.row("#story"))
    window.workbench.session.selection.set_mode(Mode.MAIN)
    window.workbench.marking.take()
    hand.qtbot.waitUntil(lambda: row.score.text() != "")
    assert 0 <= float(row.score.text()) <= 1
    window.session.layers.set_current_layer("bte")
    assert window.panel(DetailsDock).scores.cell(0, "F1").text() == row.score.text()


def test_ctrl_with_a_digit_hides_and_shows_a_layer(window, hand):
    press(hand, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert not window.session.layers.layer("gold-1").visible
    press(hand, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert window.session.layers.layer("gold-1").visible


def test_done_is_shown_in_the_list_and_the_toolbar(window, hand):
    window.session.selection.set_candidate(hand.row("#story"))
    window.workbench.session.selection.set_mode(Mode.MAIN)
    window.workbench.marking.take()
    press(hand, Qt.Key.Key_D)
    assert window.panel(PagesDock).remark() == "1 of 1 done"
    assert window.actions_["status-done"].isChecked()


def test_a_stopped_page_shows_the_reason_and_can_be_loaded_again(window, hand):
    press(hand, Qt.Key.Key_F5)
    press(hand, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    hand.qtbot.waitUntil(window.empty.isVisible)
    assert window.empty.words == ("Harbour news could not be shown", "Loading was stopped")
    with hand.qtbot.waitSignal(window.session.open.page_changed, timeout=20_000):
        hand.qtbot.mouseClick(window.empty.button("Try again"), Qt.MouseButton.LeftButton)
    assert not window.empty.isVisible()


def test_a_message_is_shown_over_the_page_and_closed_by_a_click(window, hand):
    window.session.messages.say("not saved: the disk is full")
    assert window.toast.isVisible()
    assert window.toast.text == "Not saved: the disk is full"
    close = window.toast.findChild(IconButton)
    hand.qtbot.mouseClick(close, Qt.MouseButton.LeftButton)
    assert not window.toast.isVisible()
    assert QApplication.activeModalWidget() is None


def test_progress_is_shown_and_can_be_stopped(window, hand):
    window.session.messages.set_progress("Waiting for pictures")
    line = window.status_bar
    assert line.doing.text() == "Waiting for pictures"
    assert line.stop.isVisible()
    hand.qtbot.mouseClick(line.stop, Qt.MouseButton.LeftButton)
    assert window.session.messages.progress == ""
    assert not line.stop.isVisible()


def test_question_mark_shows_all_shortcuts_and_escape_hides_them(window, hand):
    press(hand, Qt.Key.Key_Question)  # the layout of a real keyboard consumes the Shift
    assert window.shortcuts.isVisible()
    hand.qtbot.keyClick(window.shortcuts, Qt.Key.Key_M)
    assert window.session.selection.mode is Mode.SELECT  # nothing reaches the page
    hand.qtbot.keyClick(window.shortcuts, Qt.Key.Key_Escape)
    assert not window.shortcuts.isVisible()


def test_one_key_hides_and_shows_all_panels(window, hand):
    press(hand, Qt.Key.Key_Backslash, Qt.KeyboardModifier.ControlModifier)
    assert all(dock.isHidden() for dock in window.panels.docks)
    press(hand, Qt.Key.Key_Backslash, Qt.KeyboardModifier.ControlModifier)
    assert all(dock.isVisible() for dock in window.panels.docks)


def test_the_address_field_opens_the_typed_path(window, hand, tmp_path):
    other = tmp_path / "mill.html"
    other.write_text("<title>Tide mill</title><p>grinds")
    press(hand, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    window.type_field.line.setText(str(other))
    with hand.qtbot.waitSignal(window.session.open.page_changed, timeout=20_000):
        hand.qtbot.keyClick(window.type_field.line, Qt.Key.Key_Return)
    assert window.session.open.page.title == "Tide mill"
    assert window.dialogs.recent()[0] == str(other)


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("example.org", "https://example.org"),
        ("www.example.org/a?b=1", "https://www.example.org/a?b=1"),
        ("localhost:8000/x", "http://localhost:8000/x"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://example.org", "http://example.org"),
        ("pages/story.html", "pages/story.html"),
        ("story.html", "story.html"),
        ("nowhere", "nowhere"),
    ],
)
def test_host_names_are_completed_to_addresses_as_in_browsers(typed, whole):
    assert whole_address(typed) == whole


@pytest.mark.slow
def test_zoom_keys_are_disabled_while_a_table_is_shown(window, hand):
    before = window.workbench.canvas.zoom
    press(hand, Qt.Key.Key_F8)
    QTest.keyClick(window, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert not window.actions_["zoom-in"].isEnabled()
    assert not window.zoom.isVisible()
    press(hand, Qt.Key.Key_F8)
    assert window.actions_["zoom-in"].isEnabled()
    assert window.workbench.canvas.zoom == before


def test_a_typed_folder_opens_instead_of_a_recent_file_in_it(window, hand, tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in "ab":
        (folder / f"{name}.html").write_text(f"<title>{name}</title><p>{name}")
    window.dialogs.remember(str(folder / "b.html"))
    press(hand, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    window.type_field.line.setText(str(folder))
    with hand.qtbot.waitSignal(window.session.open.page_changed, timeout=20_000):
        hand.qtbot.keyClick(window.type_field.line, Qt.Key.Key_Return)
    hand.qtbot.waitUntil(lambda: window.panel(PagesDock).titles() == ["a", "b"], timeout=20_000)


@pytest.mark.slow
def test_files_that_could_not_be_opened_are_not_listed_as_recent(window, hand, tmp_path):
    gone = tmp_path / "gone.html"
    gone.write_text("<p>here")
    with hand.qtbot.waitSignal(window.session.open.page_changed, timeout=20_000):
        window.dialogs.open_requested.emit(str(gone))
    assert window.dialogs.recent()[0] == str(gone)
    gone.unlink()
    window.dialogs.open_requested.emit(str(gone))
    assert str(gone) not in window.dialogs.recent()
    window.dialogs.open_requested.emit(str(tmp_path / "never.html"))
    assert str(tmp_path / "never.html") not in window.dialogs.recent()


@pytest.mark.slow
def test_opening_other_pages_clears_the_filter_of_the_list(window, hand, tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in "ab":
        (folder / f"{name}.html").write_text(f"<title>{name}</title><p>{name}")
    window.panel(PagesDock).filter.setText("nothing has this name")
    window.panel(PagesDock).narrow.menu().actions()[3].trigger()
    assert window.panel(PagesDock).titles() == []
    with hand.qtbot.waitSignal(window.session.open.page_changed, timeout=20_000):
        window.open_path(str(folder))
    assert len(window.panel(PagesDock).titles()) == 2
    assert window.panel(PagesDock).filter.text() == ""


def test_the_status_bar_shows_locked_gold_and_unlocks_it(window, hand, tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "one.html").write_text("<title>One</title><p>The ferry came back.")
    (folder / "one.txt").write_text("The ferry came back.")
    with hand.qtbot.waitSignal(window.session.open.page_changed, timeout=20_000):
        window.open_path(str(folder))
    line, action = window.status_bar, window.actions_["copy-gold"]
    assert (line.saved.text, line.lock.isVisible()) == ("Gold of the data set, locked", True)
    assert action.isEnabled()
    hand.qtbot.mouseClick(line.lock, Qt.MouseButton.LeftButton)
    assert (line.saved.text, line.lock.isVisible()) == ("Saved", False)
    assert not action.isEnabled()


def test_a_dropped_file_is_opened(window, hand, tmp_path):
    other = tmp_path / "mill.html"
    other.write_text("<title>Tide mill</title><p>grinds")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(other))])
    with hand.qtbot.waitSignal(window.session.open.page_changed, timeout=20_000):
        done = drop(window, data, QPointF(600, 400), Qt.DropAction.CopyAction)
    assert done == Qt.DropAction.CopyAction  # after a move the file manager would remove it
    assert window.session.open.page.title == "Tide mill"


def test_the_file_dialog_does_not_block(window, hand, monkeypatch):
    monkeypatch.setattr(QApplication, "testAttribute", QApplication.testAttribute)
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    window.actions_["open-file"].trigger()  # returns at once
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.reject()


@pytest.mark.parametrize("size", [(1100, 700), (1600, 1000), (3840, 2160)])
def test_buttons_of_the_toolbar_are_not_cut_off(window, hand, size):
    window.resize(*size)
    hand.qtbot.waitUntil(lambda: window.toolbar.width() == size[0])
    hint = window.minimumSizeHint()
    assert hint.width() <= 1100
    assert hint.height() <= 700
    extension = window.toolbar.findChild(QToolButton, "qt_toolbar_ext_button")
    hand.qtbot.waitUntil(lambda: extension is None or not extension.isVisible())
    buttons = [each for each in window.toolbar.findChildren(QToolButton) if each is not extension]
    # Texts appear and disappear during layout: only the final state counts.
    hand.qtbot.waitUntil(
        lambda: (
            [
                button.text()
                for button in buttons
                if button.isVisible()
                and not (
                    window.toolbar.rect().contains(button.geometry())
                    and button.width() >= button.minimumSizeHint().width() - 1
                )
            ]
            == []
        )
    )
    assert window.workbench.canvas.width() >= 380


def test_every_button_has_a_name_for_screen_readers(window, hand):
    for button in window.findChildren(QToolButton) + window.findChildren(QPushButton):
        is_sign = button.metaObject().className() == "QLineEditIconButton"
        if button.isVisible() and not is_sign:
            assert button.accessibleName() or button.text() or button.toolTip(), button


@pytest.mark.slow
def test_layout_and_theme_are_restored(window, qtbot, tmp_path):
    settings = window.workbench.workspace.path.with_name("settings.ini")
    window.panel(OutlineDock).hide()
    window.actions_["theme-dark"].trigger()
    window.close()
    other = tmp_path / "second"
    other.mkdir()
    (other / "settings.ini").write_bytes(settings.read_bytes())
    again = make_window(other)
    qtbot.addWidget(again)
    try:
        assert again.panel(OutlineDock).isHidden()
        assert again.panel(PagesDock).isVisible()
        assert again.themes.theme.name == "dark"
        again.actions_["layout"].trigger()
        assert again.panel(OutlineDock).isVisible()
    finally:
        again.actions_["theme-light"].trigger()
        again.close_down()


def test_alt_click_on_the_swatch_draws_one_layer(window, hand):
    eye = window.panel(LayersDock).row("gold-1").swatch
    hand.qtbot.mouseClick(eye, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier)
    assert window.session.layers.solo == "gold-1"
    hand.qtbot.mouseClick(eye, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier)
    assert window.session.layers.solo == ""


def test_a_new_window_leaves_room_on_the_screen_for_its_frame(qtbot, tmp_path):
    made = make_window(tmp_path)
    qtbot.addWidget(made)
    try:
        assert made.height() <= made.screen().availableGeometry().height() - 48
    finally:
        made.close_down()


def test_layers_and_details_are_tabs_in_a_low_window(window, qtbot):
    layers, details = window.panel(LayersDock), window.panel(DetailsDock)
    details.show()
    assert not window.tabifiedDockWidgets(layers)
    assert layers.isVisible()
    assert details.isVisible()
    window.resize(1100, 700)
    qtbot.waitUntil(lambda: details in window.tabifiedDockWidgets(layers))
    rows = [layers.row(key) for key in layers.order()]
    last = rows[-1]
    qtbot.waitUntil(lambda: last.visibleRegion().boundingRect() == last.rect())  # all are seen
    qtbot.keyClick(window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    window.resize(1300, 850)
    qtbot.waitUntil(lambda: details not in window.tabifiedDockWidgets(layers))
    assert min(layers.height(), details.height()) > 150


def test_only_the_chosen_tool_has_a_text_in_a_narrow_window(window, hand):
    icon = Qt.ToolButtonStyle.ToolButtonIconOnly

    def names():
        shown = (b for b in window.toolbar.modes if b.toolButtonStyle() != icon)
        return [button.text() for button in shown]

    window.resize(1500, 800)
    hand.qtbot.waitUntil(lambda: len(names()) == len(window.toolbar.modes), timeout=60_000)
    window.resize(1100, 700)
    hand.qtbot.waitUntil(lambda: names() == ["Select"], timeout=20_000)
    press(hand, Qt.Key.Key_2)
    assert names() == ["Level 2"]
    assert window.toolbar.sizeHint().width() <= window.width()


def test_the_right_panels_fit_the_window_at_its_minimum_size(window, hand, qtbot):
    for key in ("page-segmenter", "block-fusion-rb", "cetr-km", "bp-numwords+largest"):
        window.session.layers.add_method(key)
        window.session.layers.set_current_layer(key)
    hand.wait_for_methods()
    window.resize(window.minimumSize())
    assert window.width() <= 860
    for dock in (window.panel(LayersDock), window.panel(DetailsDock)):
        dock.show()
        dock.raise_()

        def lies_within(dock=dock):
            right = dock.mapTo(window, dock.rect().topRight()).x()
            return dock.isVisible() and right <= window.width()

        qtbot.waitUntil(lies_within, timeout=30_000)
        assert cut_off(dock) == []


def test_the_start_page_reports_the_last_path_that_could_not_be_opened(window, tmp_path):
    (tmp_path / "bare").mkdir()
    window.open_path(str(tmp_path / "bare"))
    assert "holds no pages" in window.found.banner.text
    window.open_path(str(tmp_path / "missing"))
    window.session.messages.say("")
    window._refresh()
    assert window.found.found is None, "it speaks of what was opened before"
    title, text = window.empty.words
    assert title == "This could not be opened"
    assert "No such file" in text


def test_the_start_page_offers_recently_opened_pages(window, hand, qtbot):
    address = window.dialogs.recent()[0]
    again = make_window(window.workbench.workspace.path.parent)
    qtbot.addWidget(again)
    names = [each.accessibleName() for each in again.empty.findChildren(QPushButton)]
    assert f"Open {address}" in names
    again.close_down()


def test_a_lost_sandbox_and_facts_about_the_page_are_shown_whole(window, qtbot, hand):
    lost = "Chromium's sandbox is off (the page's process is in no namespace of its own)"
    window.session.messages.notes = (lost,)
    hand.open(PAGE, "again.html")
    line = window.status_bar
    assert line.info.text() == "Sandbox off"
    qtbot.mouseClick(line.info, Qt.MouseButton.LeftButton)
    words = [words for _, words in line.sheet._facts if words.isVisible()]
    assert words[0].text() == lost
    assert all(each.height() >= each.heightForWidth(each.width()) for each in words)
    line.sheet.hide()
