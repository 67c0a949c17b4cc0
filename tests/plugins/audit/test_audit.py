"""Audit in the window: gold is read in the background; findings are decided by key."""

import json

import pytest
from PySide6.QtCore import Qt

from annotate.marks import gold_file
from annotate.marks.gold import Gold
from annotate.plugins.team_work.comments import threads
from annotate.workspace.workspace import page_key
from gui.plugins.audit.controller import AuditController
from gui.plugins.audit.panel import AuditDock
from gui.plugins.audit.state import AuditWalk
from gui.state.selection import Mode
from tests.annotate.datasets.layouts import put
from tests.gui.annotated import gold_of, mark_as
from tests.gui.parts import mark, press
from tests.hand import Hand
from tests.plugins.audit.test_auditing import GOLD, PAGE, SENTENCES
from tests.tables import page_of_html

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
    with hand.qtbot.waitSignal(window.session.open.page_changed, timeout=WAIT):
        press(hand, Qt.Key.Key_G, CTRL)
    hand.wait_for_methods()
    return walk.current


@pytest.mark.slow
def test_a_missing_part_is_listed_with_its_reasons_and_drawn_on_its_page(window, hand, walk):
    panel = window.panel(AuditDock)
    assert panel.isVisible()
    (entry,) = panel.entries()
    assert SENTENCES[5] in entry
    assert panel.remark() == "1 part of 2 pages"
    part = go_to_first(window, hand, walk)
    assert page_key(window.session.open.document) == part.page
    assert "gleaner expects" in panel.reasons.text()
    rows = [spec for spec in window.workbench.drawing._overlays if spec.is_shown()]
    assert len(rows) == 1, "it is drawn"


@pytest.mark.slow
def test_fixing_marks_the_part_and_undo_lists_it_again(window, hand, walk):
    go_to_first(window, hand, walk)
    press(hand, Qt.Key.Key_F, SHIFT)
    assert "copy them into your workspace" in window.session.messages.message
    press(hand, Qt.Key.Key_K, CTRL | SHIFT)
    before = window.session.open.gold
    press(hand, Qt.Key.Key_F, SHIFT)
    hand.qtbot.waitUntil(lambda: walk.items == (), timeout=WAIT)
    page, text = (
        window.session.open.page,
        window.session.open.gold.as_results(window.session.open.page).text.text,
    )
    assert SENTENCES[5] in " ".join(text.split()), page.title
    assert window.panel(AuditDock).none.text().startswith("Nothing in the gold of 2 pages")
    window.workbench.page_session.undo()
    assert window.session.open.gold == before
    hand.qtbot.waitUntil(lambda: len(walk.items) == 1, timeout=WAIT)


@pytest.mark.slow
def test_a_kept_part_is_not_listed_again_until_undo(window, hand, walk):
    go_to_first(window, hand, walk)
    press(hand, Qt.Key.Key_K, SHIFT)
    assert walk.items == ()
    window.panel(AuditDock).again.click()
    hand.qtbot.waitUntil(lambda: walk.done == 2 and not walk.is_running, timeout=WAIT)
    assert walk.items == ()
    assert window.panel(AuditDock).none.text().startswith("Nothing is left to decide")
    window.workbench.page_session.undo()
    assert len(walk.items) == 1


@pytest.mark.slow
def test_asking_puts_a_question_with_the_reasons_on_the_page(window, hand, walk):
    part = go_to_first(window, hand, walk)
    press(hand, Qt.Key.Key_H, SHIFT)
    assert walk.items == ()
    ((question,),) = threads(window.workbench.workspace, part.page)
    assert question.kind == "question"
    assert "probably missing" in question.text
    assert part.finding.reasons[0] in question.text


def targets(gold):
    return [mark.targets for mark in gold.marks]


@pytest.mark.slow
@pytest.mark.parametrize("key", [Qt.Key.Key_K, Qt.Key.Key_H, Qt.Key.Key_F])
def test_undo_on_the_next_page_reverts_the_decision_and_returns(window, qtbot, tmp_path, key):
    hand = Hand(window.workbench, qtbot, tmp_path)
    short = GOLD.replace(SENTENCES[5], "")
    put(
        tmp_path / "news",
        {f"html/{name}.html": PAGE for name in ("one", "two")}
        | {"ground-truth.json": json.dumps({k: {"articleBody": short} for k in ("one", "two")})},
    )
    hand.open_path(tmp_path / "news")
    press(hand, Qt.Key.Key_G, CTRL | SHIFT)
    walk, session = window.session.get(AuditWalk), window.session
    qtbot.waitUntil(lambda: walk.total > 0 and not walk.is_running, timeout=WAIT)
    assert len(walk.items) == 2
    press(hand, Qt.Key.Key_G, CTRL)
    part = walk.current
    qtbot.waitUntil(
        lambda: session.open.page is not None and page_key(session.open.document) == part.page,
        timeout=WAIT,
    )
    hand.wait_for_methods()
    if key == Qt.Key.Key_F:
        press(hand, Qt.Key.Key_K, CTRL | SHIFT)
    before = session.open.gold
    press(hand, key, SHIFT)
    qtbot.waitUntil(
        lambda: session.open.page is not None and page_key(session.open.document) != part.page,
        timeout=WAIT,
    )
    hand.wait_for_methods()
    assert len(walk.items) == 1
    press(hand, Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(
        lambda: session.open.page is not None and page_key(session.open.document) == part.page,
        timeout=WAIT,
    )
    qtbot.waitUntil(
        lambda: (
            walk.current is not None
            and (walk.current.page, walk.current.item) == (part.page, part.item)
        ),
        timeout=WAIT,
    )
    assert len(walk.items) == 2
    assert targets(session.open.gold) == targets(before)
    assert threads(window.workbench.workspace, part.page) == ()


@pytest.mark.slow
def test_the_panel_asks_to_mark_pages_that_have_no_gold(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(PAGE, "bridge.html")
    press(hand, Qt.Key.Key_G, CTRL | SHIFT)
    walk = window.session.get(AuditWalk)
    qtbot.waitUntil(lambda: walk.total == 1 and not walk.is_running, timeout=WAIT)
    expected = "None of these pages has main content or blocks marked: press M and click."
    assert window.panel(AuditDock).none.text() == expected


@pytest.mark.slow
def test_marks_of_other_annotators_are_a_reason(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(PAGE, "bridge.html")
    paragraphs = [f"article p:nth-of-type({n})" for n in range(1, len(SENTENCES) + 1)]
    for name in ("Ann", "Ben"):
        mark_as(window, name, gold_of(hand, [], paragraphs))
    hand.session.selection.set_mode(Mode.MAIN)
    for each in paragraphs[:5] + paragraphs[6:]:
        hand.session.selection.set_candidate(hand.row(each))
        hand.workbench.marking.take()
    press(hand, Qt.Key.Key_G, CTRL | SHIFT)
    walk = window.session.get(AuditWalk)
    said = "2 of 2 other annotators mark it"
    qtbot.waitUntil(lambda: any(said in part.finding.reasons for part in walk.items), timeout=WAIT)
    (part,) = (each for each in walk.items if said in each.finding.reasons)
    assert SENTENCES[5] in part.text
    hand.session.selection.set_candidate(hand.row(paragraphs[7]))
    hand.workbench.marking.take()  # excluded: the page is read again, with the marks of others
    qtbot.waitUntil(
        lambda: len([each for each in walk.items if said in each.finding.reasons]) == 2,
        timeout=WAIT,
    )


STORIES = [" ".join(f"{word}{k}" for word in SENTENCES[5].split() for _ in "ab") for k in range(7)]
BLOCKS = (
    "<title>Stories</title><body><div class=head><h1>Stories of the river</h1></div>"
    + "".join(
        f"<section class=story id=s{k}><p>{story}</p></section>" for k, story in enumerate(STORIES)
    )
    + "<div class=foot><p>All rights reserved by nobody</p></div>"
)
LEFT_OUT = 3


@pytest.fixture
def stories(window, qtbot, tmp_path):
    """Open a page of seven stories of which all but one are marked as blocks."""
    made = Hand(window.workbench, qtbot, tmp_path)
    page = page_of_html(BLOCKS)
    rows = [row for row in range(len(page.nodes)) if page.nodes.name_of(row) == "section"]
    marks = [mark(f"b{k}", 1, row) for k, row in enumerate(rows) if k != LEFT_OUT]
    path = tmp_path / "stories.html"
    path.write_text(f"<!doctype html><meta charset=utf-8>{BLOCKS}")
    gold_file.write(gold_file.gold_path(path), page, Gold(tuple(marks)))
    made.open_path(path)
    press(made, Qt.Key.Key_G, CTRL | SHIFT)
    walk = window.session.get(AuditWalk)
    qtbot.waitUntil(lambda: walk.total > 0 and not walk.is_running, timeout=WAIT)
    return made, walk


def blocks_of(window):
    """Return the ids of the elements that are marked as blocks."""
    session = window.session
    nodes = session.open.page.nodes
    return {
        nodes.attributes[target.row].get("id", "")
        for each in session.open.gold.marks if each.level == 1 for target in each.targets
    }  # fmt: skip


def test_a_missing_block_is_listed_outlined_fixed_and_listed_again_on_undo(window, stories):
    hand, walk = stories
    left_out = [part for part in walk.items if STORIES[LEFT_OUT] in part.text]
    assert [part.says for part in left_out] == ["probably a missing block"]
    walk.choose(walk.items.index(left_out[0]))
    assert any("Missing block" in entry for entry in window.panel(AuditDock).entries())
    auditing = window.workbench.get(AuditController)
    (row,) = auditing.rows
    assert window.session.open.page.nodes.attributes[row]["id"] == f"s{LEFT_OUT}"
    press(hand, Qt.Key.Key_K, CTRL | SHIFT)  # the gold beside the page is copied before it changes
    press(hand, Qt.Key.Key_F, SHIFT)
    hand.qtbot.waitUntil(lambda: f"s{LEFT_OUT}" in blocks_of(window), timeout=WAIT)
    hand.qtbot.waitUntil(
        lambda: all(part.item != left_out[0].item for part in walk.items), timeout=WAIT
    )
    window.workbench.page_session.undo()
    assert f"s{LEFT_OUT}" not in blocks_of(window)
    hand.qtbot.waitUntil(
        lambda: any(part.item == left_out[0].item for part in walk.items), timeout=WAIT
    )


def test_a_kept_block_is_not_listed_again(window, stories):
    hand, walk = stories
    part = walk.items[0]
    walk.choose(0)
    press(hand, Qt.Key.Key_K, SHIFT)
    assert part.item not in [each.item for each in walk.items]


WRONG = 2


@pytest.fixture
def menus(window, qtbot, tmp_path):
    """Open pages of four sites with five menus and a footer; one menu is marked as a footer."""
    made = Hand(window.workbench, qtbot, tmp_path)
    links = "".join(f"<a href=/{name}>{name}</a>" for name in ("News", "Sport", "Weather"))
    folder = tmp_path / "menus"
    folder.mkdir()
    for number in range(4):
        html = (
            f"<title>Site {number}</title><body>{f'<nav>{links}</nav>' * 5}<p>{STORIES[number]}</p>"
            f"<footer>Published since 1906 by the town of {number} rivers</footer>"
        )
        page = page_of_html(html)
        types = {"nav": "Menu", "footer": "Footer"}
        rows = [row for row in range(len(page.nodes)) if page.nodes.name_of(row) in types]
        kinds = [types[page.nodes.name_of(row)] for row in rows]
        kinds[0] = "Footer" if number == WRONG else "Menu"
        gold = Gold(tuple(
            mark(f"b{k}", 1, row, type=kind)
            for k, (row, kind) in enumerate(zip(rows, kinds, strict=True))
        ))  # fmt: skip
        path = folder / f"site{number}.html"
        path.write_text(f"<!doctype html><meta charset=utf-8>{html}")
        gold_file.write(gold_file.gold_path(path), page, gold)
    made.open_path(folder)
    press(made, Qt.Key.Key_G, CTRL | SHIFT)
    walk = window.session.get(AuditWalk)
    qtbot.waitUntil(lambda: walk.total > 0 and not walk.is_running, timeout=WAIT)
    return made, walk


@pytest.mark.slow
def test_a_type_that_other_sites_contradict_is_listed_changed_and_undone(window, menus):
    hand, walk = menus
    (part,) = (part for part in walk.items if part.says == "probably of type Menu")
    assert part.page.endswith("site2.html")
    assert part.finding.reasons[1] == "Menu is right for 100% of them"
    assert any(entry.startswith("Footer → Menu") for entry in window.panel(AuditDock).entries())
    look_at(window, hand, walk, part)
    page = window.session.open.document

    def first_type():
        return window.session.open.gold.marks[0].type

    def is_listed():
        return part.item in [each.item for each in walk.items]

    press(hand, Qt.Key.Key_F, SHIFT)
    assert first_type() == "Menu"
    hand.qtbot.waitUntil(lambda: not is_listed(), timeout=WAIT)  # and goes on to the next
    window.workbench.navigation.open_document(window.session.documents.index(page))
    hand.qtbot.waitUntil(
        lambda: window.session.open.document == page and window.session.open.page is not None,
        timeout=WAIT,
    )
    window.workbench.page_session.undo()
    assert first_type() == "Footer"
    hand.qtbot.waitUntil(is_listed, timeout=WAIT)
    look_at(window, hand, walk, part)
    press(hand, Qt.Key.Key_K, SHIFT)
    assert not is_listed()


def look_at(window, hand, walk, part):
    """Go to a part and wait for its page."""
    walk.choose([each.item for each in walk.items].index(part.item))
    hand.qtbot.waitUntil(
        lambda: window.session.open.page is not None
        and page_key(window.session.open.document) == part.page,
        timeout=WAIT,
    )  # fmt: skip
    hand.wait_for_methods()
