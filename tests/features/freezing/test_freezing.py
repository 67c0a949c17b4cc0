"""The open page becomes a frozen one with its marks, while the window goes on."""

import pytest
from PySide6.QtCore import Qt, QThreadPool
from PySide6.QtWidgets import QApplication

from annotate.archives.frozen.frozen_file import FrozenFile
from annotate.workspace.workspace import page_key
from gui.features.layers.details import DetailsDock
from gui.features.pages.panel import PagesDock
from gui.state.selection import Mode
from tests.annotate.archives.frozen.test_round_trip import shifted, tamper
from tests.gui.parts import make_window
from tests.hand import Hand, hand_in_window

pytestmark = pytest.mark.web

PAGE = """<!doctype html><title>Harbour news</title><style>body{margin:0}</style>
<h1 id=head>Ferry back</h1><p id=first>The ferry returned this morning.</p>
<script>document.body.append('written by a script')</script>"""
PATIENCE = 120_000


@pytest.fixture
def window(new_window):
    """Return a new window with a workspace in an empty folder."""
    return new_window


hand = hand_in_window


@pytest.fixture
def frozen(window, hand):
    """Mark main content, freeze the page from the menu and return the frozen one."""
    window.session.selection.set_mode(Mode.MAIN)
    hand.click("#first")
    hand.qtbot.waitUntil(lambda: len(window.session.open.gold.marks) == 1)
    before = window.session.open.document
    window.actions_["freeze"].trigger()
    assert window.session.open.document is before
    hand.qtbot.waitUntil(lambda: window.session.open.document is not before, timeout=PATIENCE)
    hand.qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=PATIENCE)
    return window.session.open.document


def test_a_frozen_page_keeps_its_marks_and_shows_its_certificate(window, hand, frozen, tmp_path):
    assert isinstance(frozen.store, FrozenFile)
    assert frozen.store.path.parent.name == "marks.pages"
    assert [mark.level for mark in window.session.open.gold.marks] == [0]
    assert window.session.open.gold.marks[0].quote == "The ferry returned this morning."
    assert window.session.documents == (frozen,)  # one row, counted once
    part = window.panel(DetailsDock).certificate
    assert part.isVisibleTo(window.panel(DetailsDock))
    assert part.title.text() == "Comes back identical"
    keys = [entry.key for entry in window.workbench.workspace.pages()]
    assert page_key(frozen) in keys

    window.actions_["freeze"].trigger()
    assert window.session.messages.message == "this page is frozen already"

    hand.open_path(tmp_path / "ferry.html")
    assert not part.isVisibleTo(window.panel(DetailsDock))
    assert len(window.session.open.gold.marks) == 1  # the original page keeps them


@pytest.mark.slow
def test_changes_since_freezing_are_listed_with_links_to_the_page(window, hand, frozen):
    path = frozen.store.path
    whole = path.read_bytes()
    aside = path.with_suffix(".aside")
    aside.write_bytes(whole)
    tamper(aside, path, "pagelet/reference-columns-rect.npy", shifted)
    part = window.panel(DetailsDock).certificate
    hand.qtbot.mouseClick(part.again, Qt.MouseButton.LeftButton)
    hand.qtbot.waitUntil(lambda: part.title.text() == "Comes back different", timeout=PATIENCE)
    assert "1 node changed" in part.more.text()
    with hand.qtbot.waitSignal(part.row_requested) as asked:
        part.more.linkActivated.emit(str(part.certificate.changes[0].row))
    assert asked.args == [5]


@pytest.mark.slow
def test_the_framed_element_is_clicked_before_freezing_and_named_in_the_certificate(
    window, qtbot, tmp_path
):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(
        "<title>Story</title><div id=banner>Cookies <button onclick='banner.remove()'>Close"
        "</button></div><p id=first>The ferry returned this morning.</p>",
        "story.html",
    )
    window.actions_["click-first"].trigger()
    assert "frame the element to click" in window.session.messages.message
    window.session.selection.set_candidate(hand.row("button"))
    window.actions_["click-first"].trigger()
    assert "1 click before the page is frozen" in window.session.messages.message
    before = window.session.open.document
    window.actions_["freeze"].trigger()
    hand.qtbot.waitUntil(lambda: window.session.open.document is not before, timeout=PATIENCE)
    hand.qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=PATIENCE)
    assert "Cookies" not in " ".join(window.session.open.page.rendered().text)
    (clicked,) = window.session.open.document.store.certificate().clicked
    assert clicked.endswith("<button> “Close”")


@pytest.mark.slow
def test_freezing_that_ends_after_the_window_closed_writes_the_file_without_a_message(
    qtbot, tmp_path
):
    window = make_window(tmp_path)
    qtbot.addWidget(window)
    Hand(window.workbench, qtbot, tmp_path).open(PAGE, "ferry.html")
    window.actions_["freeze"].trigger()
    window.close()
    window.close_down()
    last = window.session.messages.message
    pool = QThreadPool.globalInstance()
    qtbot.waitUntil(lambda: pool.activeThreadCount() == 0, timeout=PATIENCE)
    QApplication.processEvents()  # the answer is on its way to this thread
    assert window.session.messages.message == last
    (path,) = (tmp_path / "marks.pages").iterdir()
    assert "The ferry returned this morning." in FrozenFile(path).reference().rendered().text


@pytest.mark.slow
def test_a_frozen_page_replaces_its_origin_after_a_restart(window, hand, frozen, tmp_path, qtbot):
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "ferry.html").write_text(PAGE)
    (folder / "mill.html").write_text("<title>Mill</title><p>Corn was ground.")
    hand.open_path(folder)
    window.workbench.navigation.open_document(0)
    qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=PATIENCE)
    window.actions_["freeze"].trigger()
    qtbot.waitUntil(lambda: window.session.open.document.store is not None, timeout=PATIENCE)
    names = [document.name for document in window.session.documents]
    assert len(names) == 2
    assert window.panel(PagesDock).titles() == ["Harbour news", "Mill"]
    window.close_down()
    again = make_window(tmp_path)
    qtbot.addWidget(again)
    Hand(again.workbench, qtbot, tmp_path).open_path(folder)
    assert [document.name for document in again.session.documents] == names
    assert isinstance(again.session.documents[0].store, FrozenFile)
    again.close_down()
