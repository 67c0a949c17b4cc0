"""The next page is loaded ahead and shown without a wait."""

import pytest
from PySide6.QtWidgets import QWidget

from annotate.marks.gold import MAIN
from gui.state.selection import Mode

pytestmark = pytest.mark.web

WAIT = 60_000
PAGE = "<title>{0}</title><h1 id=head>{0}</h1><p id=first>The ferry returned this morning.</p>"


@pytest.fixture
def pages(hand):
    """Return a folder of three pages, the first open and the second loaded ahead."""
    folder = hand.folder / "pages"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.html").write_text(f"<!doctype html>{PAGE.format(name)}")
    hand.workbench.navigation.reads_ahead = True
    hand.open_path(folder)
    hand.qtbot.waitUntil(lambda: hand.workbench.canvas.next_page.is_ready, timeout=WAIT)
    return folder


def go_on(hand):
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=WAIT):
        hand.workbench.navigation.next_page()


def test_the_next_page_is_shown_from_another_view_and_marked_as_any_other(hand, pages):
    first = hand.workbench.canvas.view
    go_on(hand)
    assert hand.workbench.canvas.view is not first
    assert hand.session.open.page.title == "b"
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    hand.click("#first")
    hand.qtbot.waitUntil(lambda: hand.marked(MAIN) == [[hand.row("#first")]], timeout=WAIT)
    hand.qtbot.waitUntil(lambda: hand.workbench.canvas.next_page.is_ready, timeout=WAIT)
    go_on(hand)
    assert hand.session.open.page.title == "c"
    assert hand.workbench.canvas.view is first
    hand.click("#head")
    hand.qtbot.waitUntil(lambda: hand.marked(MAIN) == [[hand.row("#head")]], timeout=WAIT)


def test_a_page_loaded_ahead_is_completely_covered(hand, pages):
    canvas = hand.workbench.canvas
    for _ in range(2):
        stacked = [each for each in canvas.children() if isinstance(each, QWidget)]
        above = stacked[stacked.index(canvas.next_page.stage.area) + 1 :]
        assert any(each.autoFillBackground() and each.geometry() == canvas.rect() for each in above)
        go_on(hand)
        hand.qtbot.waitUntil(lambda: canvas.next_page.stage is not None, timeout=WAIT)


def test_a_page_loaded_ahead_equals_the_page_loaded_on_request(hand, pages):
    go_on(hand)
    ahead = hand.session.open.page
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=WAIT):
        hand.workbench.navigation.reload()
    again = hand.session.open.page
    assert again.digest == ahead.digest
    assert again.nodes.tag.tolist() == ahead.nodes.tag.tolist()
    assert again.nodes.rect.tolist() == ahead.nodes.rect.tolist()
    assert again.dom.html == ahead.dom.html


def test_a_file_that_changed_meanwhile_is_loaded_again(hand, pages):
    (pages / "b.html").write_text(f"<!doctype html>{PAGE.format('new')}")
    go_on(hand)
    assert hand.session.open.page.title == "new"


def test_another_page_than_the_next_is_loaded_and_can_be_hovered(hand, pages):
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=WAIT):
        hand.workbench.navigation.open_document(2)
    assert hand.session.open.page.title == "c"
    hand.hover("#first")
    hand.qtbot.waitUntil(lambda: hand.session.selection.candidate >= 0, timeout=WAIT)


def test_the_page_loaded_ahead_reports_no_mouse(hand, pages):
    heard = []
    hand.workbench.canvas.pointed.connect(heard.append)
    hand.hover("#first")
    hand.qtbot.waitUntil(lambda: any(e["event"] == "hover" for e in heard), timeout=WAIT)
    rows = {hand.session.selection.candidate}
    assert rows == {hand.row("#first")}


def test_the_next_page_opens_after_its_hidden_renderer_died(hand, pages):
    hand.workbench.canvas.next_page.stage.view.kill_renderer()
    hand.qtbot.waitUntil(lambda: not hand.workbench.canvas.next_page.is_ready, timeout=WAIT)
    go_on(hand)
    assert hand.session.open.page.title == "b"
    assert hand.workbench.page_session.asks_to_wait is False


def test_a_page_loaded_ahead_has_the_size_and_zoom_of_the_shown_one(hand, pages):
    canvas = hand.workbench.canvas
    ahead = canvas.next_page.stage.view

    def is_like_the_seen_one():
        sizes = {(view.size().toTuple(), view.zoomFactor()) for view in (ahead, canvas.view)}
        return len(sizes) == 1

    assert is_like_the_seen_one()
    canvas.resize(700, 500)
    hand.qtbot.waitUntil(is_like_the_seen_one, timeout=WAIT)
    canvas.set_zoom(0.5)
    assert is_like_the_seen_one()
    area, size = canvas.next_page.stage.area, ahead.size()
    go_on(hand)
    assert canvas.view is ahead
    assert ahead.size() == size
    assert canvas.view.parentWidget().parentWidget() is area


def test_methods_run_after_the_page_is_drawn(hand, pages):
    order = []
    runner, canvas = hand.workbench.runner, hand.workbench.canvas
    hand.session.layers.outcome_changed.connect(lambda _: order.append("methods"))
    drawn = canvas.once_drawn
    canvas.once_drawn = lambda call: drawn(lambda: (order.append("drawn"), call()))
    hand.session.layers.add_method("accb")
    hand.wait_for_methods()
    order.clear()
    go_on(hand)
    assert runner.is_running
    hand.wait_for_methods()
    assert order[0] == "drawn"
    assert "methods" in order
