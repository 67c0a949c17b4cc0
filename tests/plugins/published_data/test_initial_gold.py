"""Gold that comes with pages: shown, locked if published, copied to be changed."""

import pytest

from algorithms.results import Block, Segmentation
from annotate.plugins.published_data.webis_writer import write_page
from tests.gui.core.test_initial_gold import PAGE

pytestmark = pytest.mark.web


def test_recorded_boxes_that_the_window_does_not_show_are_named(hand):
    hand.open(PAGE)
    page = hand.session.open.page
    blocks = Segmentation(page.rendered(), (Block((hand.row("#a"),), 1, "Content"),))
    folder = hand.folder / "set" / "000007"
    write_page(folder, page, {"majority-vote": blocks})
    hand.open_path(folder)
    assert hand.marked(1) == [[hand.row("#a")]]
    assert "on the boxes recorded with the gold" in hand.session.messages.message
    (folder / "nodes.csv").unlink()
    hand.session.messages.say("")
    hand.open_path(folder)
    assert "recorded" not in hand.session.messages.message
