"""A page loaded in a new profile is marked and scrolled like any other."""

import pytest

from annotate.marks.gold import MAIN
from gui.state.selection import Mode

pytestmark = pytest.mark.web

TALL = "<p id=first>The ferry returned.</p><p style='height: 3000px'>Water.</p><p>The end</p>"


def test_a_page_is_marked_and_scrolled_after_the_scripts_of_the_view_were_lost(hand):
    hand.open("<p>before")
    view, page = hand.workbench.canvas.view, hand.workbench.canvas.view.page()
    page.scripts().clear()  # as if the frames had lost their scripts
    hand.open(TALL, "tall.html")
    assert hand.workbench.canvas.view is view
    assert view.page() is not page
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    hand.click("#first")
    hand.qtbot.waitUntil(lambda: hand.marked(MAIN) == [[hand.row("#first")]], timeout=60_000)
    with hand.qtbot.waitSignal(view.scrolled, timeout=60_000):
        hand.ask("(scrollTo(0, 900), true)")
