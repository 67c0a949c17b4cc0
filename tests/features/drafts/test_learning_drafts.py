"""Drafts that learn, in the window: by real pages, marks and events."""

import pytest
from PySide6.QtCore import Qt

from annotate.marks import drafts as marks_drafts
from annotate.marks import edits
from annotate.marks.gold import Target
from annotate.marks.learned.bias import DRAFTING
from annotate.marks.learned.learned_drafts import LEARNED
from annotate.workspace.workspace import page_key
from gui.features.drafts.controller import LEARNS
from gui.features.drafts.learning import LearningDrafts
from gui.features.drafts.panel import LearningDock
from gui.page.overlay.specs import gold_specs
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

STYLE = "<style>body{margin:0;font:16px/24px sans-serif} div{padding:9px}</style>"
WAIT = 90_000
SHIFT = Qt.KeyboardModifier.ShiftModifier


def page(number):
    return (
        f"<title>Page {number}</title>{STYLE}<div class=top>The Courier of the quay</div>"
        f"<div class=odd><p>Number {number} of the tide tables, printed for all who sail</p></div>"
        f"<div class=story><h2>Story {number}</h2><p>The ferry returned to the harbour, and all "
        f"of the town was on its feet, for the {number}th time this week.</p></div>"
        "<div class=end>Printed at the quay by those who wait for the ferry to come in</div>"
    )


@pytest.fixture
def window(new_window):
    return new_window


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(page(1), "p1.html")
    return made


@pytest.fixture
def learning(window):
    return window.workbench.get(LearningDrafts)


def mark_odd(hand):
    """Mark an element as no method would: as an Ad of level 2."""
    row = hand.row(".odd")
    hand.workbench.marking.change(
        "mark", lambda gold, nodes: edits.add_block(gold, nodes, [Target(row)], 2, "Ad")
    )


def turn_on(hand, learning, share="0 %"):
    learning._drafting.set_share(share)
    learning.toggle()


def drafted(hand, qtbot):
    qtbot.waitUntil(lambda: bool(hand.session.open.gold.drafts()), timeout=WAIT)
    return hand.session.open.gold.drafts()


@pytest.mark.slow
def test_a_new_page_begins_with_drafts_learned_from_the_page_before(window, hand, qtbot, learning):
    mark_odd(hand)
    turn_on(hand, learning)
    hand.open(page(2), "p2.html")
    drafts = drafted(hand, qtbot)
    odd = next(m for m in drafts if m.targets[0].row == hand.row(".odd"))
    assert (odd.level, odd.type, odd.seed.method) == (2, "Ad", LEARNED)
    assert 0.3 < odd.seed.confidence < 0.67
    assert "1 page" in hand.session.messages.message
    labels = [
        box["label"]
        for spec in gold_specs(hand.session.layers.layer("gold-2"), hand.session.open.gold, (),
                               window.workbench.canvas.pieces, is_solo=False)
        for box in spec["boxes"]
    ]  # fmt: skip
    assert f"2 Ad · draft {odd.seed.confidence:.0%}" in labels
    assert learning.state.pages == 1
    assert learning.state.seconds < 1
    hand.workbench.page_session.undo()
    assert hand.session.open.gold.marks == ()


@pytest.mark.slow
def test_pages_kept_free_are_not_learned_from_and_get_no_drafts(window, hand, qtbot, learning):
    mark_odd(hand)
    turn_on(hand, learning, "100 %")
    assert hand.session.open.is_unassisted
    hand.open(page(2), "p2.html")
    with qtbot.waitSignal(learning.answered, timeout=WAIT):
        learning.state.show(True)
    while not learning.state.measured:
        with qtbot.waitSignal(learning.answered, timeout=WAIT):
            pass
    assert hand.session.open.gold.marks == ()
    assert learning.state.pages == 0
    assert [each.is_free for each in learning.state.measured] == [True]
    learning.adopt()
    assert "kept free" in hand.session.messages.message


def test_the_switch_is_stored_and_its_message_names_the_share_of_free_pages(window, hand, learning):
    assert not learning.is_on
    learning.toggle()
    assert window.workbench.workspace.setting(LEARNS) is True
    assert marks_drafts.share_of(window.workbench.workspace.setting(marks_drafts.FREE_SHARE)) == 0.1
    assert "10% of the pages stay without" in hand.session.messages.message
    learning.toggle()
    assert not learning.is_on


@pytest.mark.slow
def test_the_panel_shows_edits_per_page_and_reports_too_little_data(window, hand, qtbot, learning):
    mark_odd(hand)
    turn_on(hand, learning)
    learning.state.show(True)
    hand.open(page(2), "p2.html")
    drafted(hand, qtbot)
    press(hand, Qt.Key.Key_Y, SHIFT)
    qtbot.waitUntil(lambda: not hand.session.open.gold.drafts(), timeout=5000)
    hand.open(page(3), "p3.html")
    drafted(hand, qtbot)
    qtbot.waitUntil(lambda: len(learning.state.measured) == 2, timeout=WAIT)
    dock = window.findChild(LearningDock)
    assert dock.isVisible()
    first, second = dock.curve.pages
    assert (first.edits_per_mark, first.is_drafted) == (1.0, False)
    assert second.is_drafted
    assert second.edits == 1
    assert dock.bias.text().startswith("Too few pages to judge bias")
    assert "Learned from 2 pages" in dock.learned.text()
    history = window.workbench.workspace.history(page_key(hand.session.open.document))
    assert history[0].what.startswith(DRAFTING)
