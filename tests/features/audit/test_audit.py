"""The audit in the window: gold is read in the background, walked and decided by key."""

import json

import pytest
from PySide6.QtCore import Qt

from annotate.team.comments import threads
from annotate.workspace.workspace import page_key
from gui.features.audit.panel import AuditDock
from gui.features.audit.state import AuditWalk
from tests.annotate.datasets.layouts import put
from tests.annotate.evaluation.test_auditing import GOLD, PAGE, SENTENCES
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
WAIT = 60_000


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    gold = {"long": GOLD, "short": GOLD.replace(SENTENCES[5], "")}
    put(
        tmp_path / "news",
        {f"html/{name}.html": PAGE for name in gold}
        | {"ground-truth.json": json.dumps({k: {"articleBody": v} for k, v in gold.items()})},
    )
    made.open_path(tmp_path / "news")
    return made


@pytest.fixture
def walk(window, hand):
    press(hand, Qt.Key.Key_G, CTRL | SHIFT)
    result = window.session.get(AuditWalk)
    hand.qtbot.waitUntil(lambda: result.total > 0 and not result.is_running, timeout=WAIT)
    return result


def go_to_first(window, hand, walk):
    with hand.qtbot.waitSignal(window.session.page_changed, timeout=WAIT):
        press(hand, Qt.Key.Key_G, CTRL)
    hand.wait_for_methods()
    return walk.current


def test_a_part_left_out_is_listed_with_its_reasons_and_shown_on_its_page(window, hand, walk):
    panel = window.panel(AuditDock)
    assert panel.isVisible()
    (entry,) = panel.entries()
    assert SENTENCES[5] in entry
    assert panel.remark() == "1 part of 2 pages"
    part = go_to_first(window, hand, walk)
    assert page_key(window.session.document) == part.page
    assert "gleaner expects" in panel.reasons.text()
    rows = [spec for spec in window.workbench.drawing._extra if spec.is_shown()]
    assert len(rows) == 1, "it is drawn"


def test_fixing_marks_it_and_undo_lists_it_again(window, hand, walk):
    go_to_first(window, hand, walk)
    press(hand, Qt.Key.Key_F, SHIFT)
    assert "copy them into your workspace" in window.session.message
    press(hand, Qt.Key.Key_K, CTRL | SHIFT)
    before = window.session.gold
    press(hand, Qt.Key.Key_F, SHIFT)
    hand.qtbot.waitUntil(lambda: walk.items == (), timeout=WAIT)
    page, text = window.session.page, window.session.gold.as_results(window.session.page).text.text
    assert SENTENCES[5] in " ".join(text.split()), page.title
    assert window.panel(AuditDock).none_text.startswith("Nothing in the gold of 2 pages")
    window.workbench.page_session.undo()
    assert window.session.gold == before
    hand.qtbot.waitUntil(lambda: len(walk.items) == 1, timeout=WAIT)


def test_what_is_kept_is_not_listed_again_until_undo(window, hand, walk):
    go_to_first(window, hand, walk)
    press(hand, Qt.Key.Key_K, SHIFT)
    assert walk.items == ()
    window.panel(AuditDock).again.click()
    hand.qtbot.waitUntil(lambda: walk.done == 2 and not walk.is_running, timeout=WAIT)
    assert walk.items == ()
    assert window.panel(AuditDock).none_text.startswith("Nothing is left to decide")
    window.workbench.page_session.undo()
    assert len(walk.items) == 1


def test_asking_puts_a_question_with_the_reasons_on_the_page(window, hand, walk):
    part = go_to_first(window, hand, walk)
    press(hand, Qt.Key.Key_H, SHIFT)
    assert walk.items == ()
    ((question,),) = threads(window.workbench.workspace, part.page)
    assert question.kind == "question"
    assert "probably missing" in question.text
    assert part.finding.reasons[0] in question.text


def test_pages_without_gold_say_what_to_do_first(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(PAGE, "bridge.html")
    press(hand, Qt.Key.Key_G, CTRL | SHIFT)
    walk = window.session.get(AuditWalk)
    qtbot.waitUntil(lambda: walk.total == 1 and not walk.is_running, timeout=WAIT)
    expected = "None of these pages has main content marked: press M and click it."
    assert window.panel(AuditDock).none_text == expected
