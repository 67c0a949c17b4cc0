"""One key confirms what was seen: drafts that rested in view as they are now, by real events."""

import json

import pytest
from PySide6.QtCore import Qt

from algorithms.results import Block
from annotate.marks.drafts import DraftScope, adopt_blocks
from annotate.marks.gold import Gold, Seed
from gui.features.drafts.controller import DraftsController
from gui.features.evaluate.view import EvaluateView
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

ALT, CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
NAMES = ("top", "middle", "foot")
PAGE = "<style>body{margin:0} section{height:3000px} p{margin:0;height:80px}</style>" + "".join(
    f"<section><p id={name}>The {name} of the page, by the ferry</p></section>" for name in NAMES
)


@pytest.fixture
def hand(window, qtbot, tmp_path):
    """A hand on a page of three drafts, each out of sight of the others."""
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE, "ferry.html")
    adopt(made, "", NAMES)
    rest_at(made, 0)
    return made


def adopt(hand, params, names):
    seed = Seed("learned", "1", params, "rendered")
    blocks = [Block((hand.row(f"#{name}"),), 2, "Article") for name in names]
    hand.workbench.marking.change(
        "adopt",
        lambda gold, nodes: adopt_blocks(gold, nodes, blocks, seed, DraftScope()).gold,
    )


def rest_at(hand, top):
    """Scroll, and wait until what is there counts as seen."""
    hand.ask(f"scrollTo({{top: {top}, behavior: 'instant'}})")
    canvas, seen = hand.workbench.canvas, hand.workbench.get(DraftsController).seen
    hand.qtbot.waitUntil(lambda: abs(canvas.scrolled - top) < 2 and seen.rests, timeout=60_000)


def turned(gold, ids):
    """Return the gold with another type of some drafts, which stay drafts."""
    return Gold(tuple(m.with_(type="Menu") if m.id in ids else m for m in gold.marks))


def confirmed(hand):
    nodes = hand.session.open.page.rendered()
    marks = hand.session.open.gold.sure.marks
    return [nodes.attributes[mark.targets[0].row]["id"] for mark in marks]


def test_one_key_confirms_drafts_seen_at_rest_and_one_undo_reverts_it(hand):
    for top in (3000, 6000, 1500):  # the last one shows no draft
        rest_at(hand, top)
    press(hand, Qt.Key.Key_Return, ALT)
    assert confirmed(hand) == ["top", "middle", "foot"]
    assert hand.session.messages.message == "3 marks confirmed that you saw"
    press(hand, Qt.Key.Key_Z, CTRL)
    assert confirmed(hand) == []


def test_an_unseen_draft_stays_and_is_shown_next(hand):
    rest_at(hand, 6000)
    press(hand, Qt.Key.Key_Return, ALT)
    assert confirmed(hand) == ["top", "foot"]
    assert "1 mark not seen yet" in hand.session.messages.message
    (middle,) = hand.session.open.gold.drafts()
    assert hand.session.selection.selected == (middle.id,)


def test_drafts_scrolled_past_are_not_confirmed(hand):
    hand.ask("scrollTo({top: 3000, behavior: 'instant'})")
    rest_at(hand, 1500)
    press(hand, Qt.Key.Key_Return, ALT)
    assert confirmed(hand) == ["top"]


def test_a_draft_that_changed_out_of_view_must_be_seen_again(hand):
    rest_at(hand, 6000)
    rest_at(hand, 0)
    ids = [hand.session.open.gold.marks[k].id for k in (0, 2)]
    hand.workbench.marking.change("change", lambda gold, _nodes: turned(gold, ids))
    press(hand, Qt.Key.Key_Return, ALT)
    assert confirmed(hand) == ["top"]


@pytest.mark.parametrize(
    "keys", [(Qt.Key.Key_Return, ALT), (Qt.Key.Key_Y, SHIFT), (Qt.Key.Key_Y, ALT)]
)
def test_weak_drafts_are_confirmed_only_where_they_are_drawn(hand, keys):
    press(hand, Qt.Key.Key_Delete, SHIFT)
    hand.open(PAGE.replace("ferry", "mill"), "mill.html")
    adopt(hand, json.dumps({"confidence": 0.2}), NAMES[:1])
    (weak,) = hand.session.open.gold.drafts()
    assert weak.is_weak
    hand.session.selection.set_candidate(0)
    press(hand, *keys)
    assert hand.session.open.gold.drafts() == (weak,)
    assert "1 weak draft not drawn" in hand.session.messages.message
    hand.session.layers.set_weak(True)
    press(hand, *keys)
    assert confirmed(hand) == ["top"]
    hand.session.layers.set_weak(False)


def test_drafts_of_a_layer_that_is_not_drawn_are_not_seen(hand):
    hand.open(PAGE.replace("ferry", "mill"), "mill.html")
    hand.workbench.session.layers.set_solo("gold-1")
    adopt(hand, "", NAMES)
    assert len(hand.session.open.gold.drafts()) == 3
    rest_at(hand, 3000)
    for key, held in ((Qt.Key.Key_Return, ALT), (Qt.Key.Key_Y, SHIFT)):
        press(hand, key, held)
        assert confirmed(hand) == []
        assert "3 marks not drawn" in hand.session.messages.message
    rest_at(hand, 1500)
    hand.workbench.session.layers.set_solo("")
    press(hand, Qt.Key.Key_Return, ALT)
    assert confirmed(hand) == []


def test_a_draft_without_a_box_is_not_seen(hand):
    hand.open(PAGE.replace("<p id=middle>", "<p id=middle style=display:none>"), "hidden.html")
    adopt(hand, "", NAMES)
    for top in (3000, 6000, 0):
        rest_at(hand, top)
    press(hand, Qt.Key.Key_Return, ALT)
    assert confirmed(hand) == ["top", "foot"]
    assert "1 mark not seen yet" in hand.session.messages.message


def lay_view_over(hand):
    area = hand.workbench.main_area
    area.toggle(EvaluateView)
    return lambda: area.toggle(EvaluateView)


def lay_cover_over(hand):
    hand.workbench.canvas.hold()
    return hand.workbench.canvas.release


@pytest.mark.parametrize("lay_over", [lay_view_over, lay_cover_over])
def test_covered_content_is_not_seen(hand, lay_over):
    hand.open(PAGE.replace("ferry", "mill"), "mill.html")
    take_away = lay_over(hand)
    adopt(hand, "", NAMES)
    assert len(hand.session.open.gold.drafts()) == 3
    seen = hand.workbench.get(DraftsController).seen
    hand.qtbot.waitUntil(lambda: seen.rests, timeout=60_000)
    assert not seen.marks()
    hand.ask("scrollTo({top: 1500, behavior: 'instant'})")
    take_away()
    rest_at(hand, 1500)
    press(hand, Qt.Key.Key_Return, ALT)
    assert confirmed(hand) == []
    rest_at(hand, 0)
    rest_at(hand, 1500)
    press(hand, Qt.Key.Key_Return, ALT)
    assert confirmed(hand) == ["top"]
