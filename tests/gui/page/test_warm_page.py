"""A page that was not loaded ahead opens in a renderer started in advance."""

import os
import signal

import pytest

from annotate.marks.gold import MAIN
from gui.state.selection import Mode

pytestmark = pytest.mark.web

WAIT = 60_000
PAGE = "<title>{0}</title><h1 id=head>{0}</h1><p id=first>The ferry returned this morning.</p>"
LATE = (
    "<script>setTimeout(() => { document.querySelector('p').textContent = 'Late' }, 200)</script>"
)
NAMES = ("a", "b", "c", "d")


@pytest.fixture
def pages(hand):
    """Return a folder of four pages, the first open, a renderer started, none loaded ahead."""
    folder = hand.folder / "pages"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.html").write_text(f"<!doctype html>{PAGE.format(name)}")
    (folder / "d.html").write_text(f"<!doctype html>{PAGE.format('d')}{LATE}")
    hand.workbench.navigation.warms_up = True
    hand.open_path(folder)
    await_warm(hand)
    return folder


def await_warm(hand):
    hand.qtbot.waitUntil(lambda: hand.workbench.canvas.view.is_warm, timeout=WAIT)


def go_to(hand, name):
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=WAIT):
        hand.workbench.navigation.open_document(NAMES.index(name))


def mark(hand, selector):
    hand.session.selection.set_mode(Mode.MAIN)
    hand.click(selector)
    hand.qtbot.waitUntil(lambda: hand.marked(MAIN) == [[hand.row(selector)]], timeout=WAIT)


def test_a_page_in_a_warm_renderer_is_marked_as_any_other(hand, pages):
    view, before = hand.workbench.canvas.view, hand.workbench.canvas.view.page()
    go_to(hand, "c")
    assert hand.workbench.canvas.view is view
    assert view.page() is not before
    assert hand.session.open.page.title == "c"
    mark(hand, "#first")
    await_warm(hand)
    go_to(hand, "a")
    mark(hand, "#head")
    await_warm(hand)
    go_to(hand, "c")
    assert hand.marked(MAIN) == [[hand.row("#first")]]


def test_the_focus_stays_on_the_page(hand, pages):
    view = hand.workbench.canvas.view
    view.setFocus()
    hand.qtbot.waitUntil(lambda: view.focusProxy().hasFocus(), timeout=WAIT)
    go_to(hand, "b")
    assert view.focusProxy().hasFocus()


def test_a_page_has_settled_before_it_is_shown(hand, pages):
    go_to(hand, "d")
    assert "Late" in hand.session.open.page.rendered().text_below(0)


def test_the_last_of_several_quickly_opened_pages_is_shown(hand, pages):
    for name in ("b", "c", "d"):
        with hand.qtbot.waitSignal(hand.workbench.canvas.view.begun, timeout=WAIT):
            hand.workbench.navigation.open_document(NAMES.index(name))
    for name in ("a", "b"):
        hand.workbench.navigation.open_document(NAMES.index(name))
    go_to(hand, "c")
    assert hand.session.open.page.title == "c"
    mark(hand, "#first")


@pytest.mark.slow
def test_a_page_whose_renderer_dies_while_loading_opens_in_another(hand, pages):
    view = hand.workbench.canvas.view
    hand.workbench.navigation.open_document(3)
    hand.qtbot.waitUntil(lambda: view.document is hand.session.open.document and not view.is_warm)
    os.kill(view.page().renderProcessPid(), signal.SIGKILL)
    hand.qtbot.waitUntil(lambda: hand.session.open.page is not None, timeout=WAIT)
    go_to(hand, "b")
    mark(hand, "#first")


@pytest.mark.slow
def test_the_next_page_is_loaded_ahead_besides_a_warm_renderer(hand, pages):
    hand.workbench.navigation.reads_ahead = True
    go_to(hand, "b")
    hand.qtbot.waitUntil(lambda: hand.workbench.canvas.next_page.is_ready, timeout=WAIT)
    go_to(hand, "c")
    assert hand.session.open.page.title == "c"
    await_warm(hand)
    go_to(hand, "a")
    mark(hand, "#head")


def test_the_page_area_has_the_same_width_during_and_after_loading(hand, pages):
    area = hand.workbench.canvas.stage.area
    room = area.width()
    widths = []
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=WAIT):
        with hand.qtbot.waitSignal(hand.workbench.canvas.view.begun, timeout=WAIT):
            hand.workbench.navigation.open_document(1)
        widths.append(area.width())
    widths.append(area.width())
    assert widths == [room, room]
