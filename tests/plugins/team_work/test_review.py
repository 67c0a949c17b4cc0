"""The planted differences of two scripted annotators are found and decided by key."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotate.marks.gold import MAIN, Gold
from annotate.plugins.team_work.comments import CommentKind
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import page_key
from gui.plugins.team_work.review.decisions import DecisionsInBar
from gui.plugins.team_work.review.panel import ReviewDock
from gui.plugins.team_work.review.state import ReviewState
from gui.plugins.team_work.team.controller import TeamController
from gui.plugins.team_work.team.panel import CommentsDock
from gui.state.selection import Mode
from tests.gui.annotated import PAGE, gold_of, mark_as
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

AGREED = [(1, "Header", "#top"), (1, "Footer", "#foot"), (2, "Title", "h2")]
ANNA = [(1, "Menu", "#nav"), (1, "Sidebar", "#side"), (2, "Ad", "#one")]
BEN = [(1, "Link list", "#nav"), (1, "Sidebar", "#two")]
PLANTED = {
    ("type differs", 1, "#nav"), ("extent differs", 1, "#side"), ("not marked by all", 2, "#one"),
    ("not marked by all", MAIN, "#third"),
}  # fmt: skip
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE, "ferry.html")
    store = window.workbench.workspace.store
    annotators.change(store, window.workbench.workspace.annotator, "Ruth", Role.REVIEWER)
    return made


@pytest.fixture
def reviewed(window, hand):
    """Start the review of a page that Anna and Ben marked."""
    mark_as(window, "Anna", gold_of(hand, AGREED + ANNA, ["#first", "#second", "#third"]))
    mark_as(window, "Ben", gold_of(hand, AGREED + BEN, ["#first", "#second"]))
    press(hand, Qt.Key.Key_R, CTRL | SHIFT)
    hand.qtbot.waitUntil(lambda: bool(window.session.get(ReviewState).items), timeout=60_000)
    return hand


def seen(hand, window):
    rows = {hand.row(at): at for at in ("#nav", "#side", "#one", "#third")}
    rows |= {row + 1: at for row, at in rows.items() if at == "#third"}
    return {
        (str(each.kind), each.level, rows.get(each.rows[0], each.rows))
        for each in window.session.get(ReviewState).items
    }


def test_exactly_the_planted_differences_are_listed(window, reviewed):
    assert seen(reviewed, window) == PLANTED
    assert len(window.panel(ReviewDock).entries()) == len(PLANTED)
    assert (
        "type differs, level 1: Anna: Menu · Ben: Link list" in window.panel(ReviewDock).entries()
    )
    assert window.panel(ReviewDock).remark() == "4 of 4 to decide"


def test_differences_are_decided_by_key_and_undone(window, reviewed):
    review, session = window.session.get(ReviewState), window.session
    assert review.index == 0  # it starts at the first
    press(reviewed, Qt.Key.Key_Right, CTRL)  # chooses Ben's Link list, then selects the next
    assert [mark.type for mark in session.open.gold.marks] == ["Link list"]
    assert review.open_count == 3
    assert review.index == 1
    press(reviewed, Qt.Key.Key_Left, CTRL)
    press(reviewed, Qt.Key.Key_Down, CTRL)
    press(reviewed, Qt.Key.Key_Up, CTRL)  # neither version
    assert review.open_count == 0
    assert len(review.verdicts) == 4
    assert "neither" in review.verdicts.values()
    for left in range(1, 5):
        press(reviewed, Qt.Key.Key_Z, CTRL)
        assert review.open_count == left
    assert session.open.gold == Gold()


def test_one_key_decides_all_open_differences_and_one_undo_reopens_them(window, reviewed):
    review, session = window.session.get(ReviewState), window.session
    press(reviewed, Qt.Key.Key_Right, CTRL)
    press(reviewed, Qt.Key.Key_Left, ALT | SHIFT)
    assert review.open_count == 0
    assert session.messages.message.startswith("3 differences decided as Anna")
    assert sorted(mark.type for mark in session.open.gold.marks if mark.level) == [
        "Ad", "Link list", "Sidebar",
    ]  # fmt: skip
    press(reviewed, Qt.Key.Key_Z, CTRL)
    assert review.open_count == 3
    assert [mark.type for mark in session.open.gold.marks] == ["Link list"]
    press(reviewed, Qt.Key.Key_Right, ALT | SHIFT)  # Ben has not marked all of it
    assert review.open_count == 0
    assert sum(mark.level == 2 for mark in session.open.gold.marks) == 0
    press(reviewed, Qt.Key.Key_Left, ALT | SHIFT)
    assert session.messages.message == "no difference is left to decide"


def test_decisions_are_restored_when_the_page_is_opened_again(window, reviewed):
    press(reviewed, Qt.Key.Key_Up, CTRL)
    press(reviewed, Qt.Key.Key_J, ALT)
    press(reviewed, Qt.Key.Key_Left, CTRL)
    before = dict(window.session.get(ReviewState).verdicts)
    window.workbench.navigation.reload()
    reviewed.qtbot.waitUntil(
        lambda: (
            window.session.open.page is not None
            and len(window.session.get(ReviewState).verdicts) == 2
        ),
        timeout=60_000,
    )
    assert window.session.get(ReviewState).verdicts == before


def test_majority_marks_are_added_by_key_and_a_new_mark_decides(window, reviewed):
    session, review = window.session, window.session.get(ReviewState)
    press(reviewed, Qt.Key.Key_F, ALT | SHIFT)
    assert [(m.level, m.type) for m in session.open.gold.marks if m.level] == [
        (1, "Header"), (1, "Footer"), (2, "Title"),
    ]  # fmt: skip
    index = next(n for n, each in enumerate(review.items) if str(each.kind) == "type differs")
    review.choose(index)
    press(reviewed, Qt.Key.Key_Up, CTRL)
    session.selection.set_candidate(reviewed.row("#nav"))
    press(reviewed, Qt.Key.Key_Return)
    assert review.verdicts[review.items[index].item] == "marked anew"


NESTED = """<title>Quay</title><main id=large><p id=mine>The ferry is back.</p>
<p id=his>It leaves again tomorrow, weather permitting.</p><p>Nobody was hurt.</p></main>
<footer id=foot>Printed at the quay</footer>"""


@pytest.fixture
def nested(window, qtbot, tmp_path):
    """Start the review of a page where one marked a block around marks of the other."""
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(NESTED, "nested.html")
    workspace = window.workbench.workspace
    annotators.change(workspace.store, workspace.annotator, "Ruth", Role.REVIEWER)
    mark_as(window, "Anna", gold_of(hand, [(2, "Ad", "#mine"), (2, "Logo", "#foot")], []))
    ben = [(2, "Article", "#large"), (2, "Comment", "#his")]
    mark_as(window, "Ben", gold_of(hand, ben, []))
    press(hand, Qt.Key.Key_R, CTRL | SHIFT)
    qtbot.waitUntil(lambda: len(window.session.get(ReviewState).items) == 4, timeout=60_000)
    return hand


def test_choosing_a_block_does_not_decide_the_differences_within_it(window, nested):
    review = window.session.get(ReviewState)
    assert review.current.rows[0] == nested.row("#large")
    press(nested, Qt.Key.Key_Right, CTRL)
    assert window.panel(ReviewDock).remark() == "3 of 4 to decide"
    assert list(review.verdicts.values()) == ["Ben"]
    assert review.current.rows[0] == nested.row("#mine")  # the next, which is open


def test_decisions_keep_their_names_after_further_decisions(window, nested):
    review = window.session.get(ReviewState)
    position = {nested.row(at): at for at in ("#large", "#mine", "#his", "#foot")}

    def decide(at, key):
        review.choose(next(n for n, d in enumerate(review.items)
                           if position[d.rows[0]] == at))  # fmt: skip
        press(nested, key, CTRL)

    decide("#his", Qt.Key.Key_Left)  # as Anna, who has no mark there
    decide("#mine", Qt.Key.Key_Left)
    decide("#large", Qt.Key.Key_Right)
    text = {position[d.rows[0]]: review.verdicts.get(d.item) for d in review.items}
    assert text == {"#large": "Ben", "#mine": "Anna", "#his": "as Anna", "#foot": None}


def test_a_page_in_full_agreement_is_done_automatically_if_allowed(window, hand):
    for name in ("Anna", "Ben"):
        mark_as(window, name, gold_of(hand, AGREED, ["#first"]))
    session, workbench = window.session, window.workbench
    press(hand, Qt.Key.Key_R, CTRL | SHIFT)
    hand.qtbot.waitUntil(lambda: session.get(ReviewState).names == ("Anna", "Ben"), timeout=60_000)
    assert session.open.gold == Gold()
    assert "2 annotators agree on all" in window.panel(ReviewDock).trouble.text()
    press(hand, Qt.Key.Key_X, ALT)
    hand.qtbot.waitUntil(lambda: len(session.open.gold.marks) == 4, timeout=60_000)
    assert workbench.pages.status(session.open.document) == "done"
    press(hand, Qt.Key.Key_Z, CTRL)
    assert session.open.gold == Gold()


def test_heat_is_shown_where_annotators_disagree(window, reviewed):
    press(reviewed, Qt.Key.Key_H, ALT | SHIFT)
    assert window.session.get(ReviewState).is_hot
    heat = window.session.get(ReviewState).heat
    assert heat[reviewed.row("#third")] == 1.0
    assert reviewed.row("#first") not in heat


def test_reviewing_a_page_of_one_annotator_shows_the_reason_why_not(window, hand):
    press(hand, Qt.Key.Key_R, CTRL | SHIFT)
    hand.qtbot.waitUntil(
        lambda: "nobody else" in window.session.get(ReviewState).trouble, timeout=60_000
    )
    assert window.panel(ReviewDock).trouble.isVisible()
    assert (
        not window.panel(ReviewDock).decisions.buttons["left"].isVisible()
    )  # there is nothing to choose from


def test_decisions_stand_in_the_bar_of_the_view_and_else_in_the_panel(window, reviewed):
    dock, review = window.panel(ReviewDock), window.session.get(ReviewState)
    assert dock.decisions.isVisible()  # the review is open in Mark
    window.actions_["task-review"].trigger()
    bar = window.toolbar.findChild(DecisionsInBar)
    reviewed.qtbot.waitUntil(lambda: bar.isVisible() and bool(review.items), timeout=20_000)
    assert not dock.decisions.isVisible()
    texts = [each.text() for each in bar.buttons.values() if each.isVisible()]
    assert texts == ["Anna ←", "Both ↓", "Ben →", "Neither ↑"]
    left = review.open_count
    QTest.mouseClick(bar.buttons["right"], Qt.MouseButton.LeftButton)
    reviewed.qtbot.waitUntil(lambda: review.open_count < left, timeout=20_000)
    window.actions_["task-mark"].trigger()
    reviewed.qtbot.waitUntil(lambda: not bar.isVisible())
    assert not review.is_in_bar


def test_done_reports_the_number_of_open_differences_and_can_be_undone(window, reviewed):
    session, pages = window.session, window.workbench.pages
    document = session.open.document
    press(reviewed, Qt.Key.Key_Right, CTRL)
    press(reviewed, Qt.Key.Key_D)
    assert session.messages.message.startswith("3 differences not decided")
    assert pages.status(document) == "in progress"
    press(reviewed, Qt.Key.Key_D)
    assert pages.status(document) == "done"
    assert "done with 3 differences not decided: Ctrl+Z takes it back" in session.messages.message
    press(reviewed, Qt.Key.Key_Z, CTRL)
    assert pages.status(document) == "in progress"
    assert [mark.type for mark in session.open.gold.marks] == ["Link list"]


def test_done_opens_the_review_if_differences_are_not_decided(window, reviewed):
    press(reviewed, Qt.Key.Key_R, CTRL | SHIFT)
    assert not window.session.get(ReviewState).is_shown
    press(reviewed, Qt.Key.Key_D)
    assert "4 differences not decided" in window.session.messages.message
    assert window.session.get(ReviewState).is_shown


@pytest.fixture
def two_people(window, hand):
    """Start the comparison of Ben's page, which Anna marked too, without a reviewer."""
    workspace = window.workbench.workspace
    annotators.change(workspace.store, workspace.annotator, "Ben", Role.ANNOTATOR)
    mark_as(window, "Anna", gold_of(hand, AGREED + ANNA, ["#first", "#second", "#third"]))
    ben = gold_of(hand, AGREED + BEN, ["#first", "#second"])
    window.workbench.marking.change("mark", lambda _gold, _nodes: ben)
    press(hand, Qt.Key.Key_R, CTRL | SHIFT)
    hand.qtbot.waitUntil(lambda: bool(window.session.get(ReviewState).items), timeout=60_000)
    return hand


def test_two_annotators_compare_their_marks_without_a_reviewer(window, two_people):
    review = window.session.get(ReviewState)
    assert seen(two_people, window) == PLANTED
    assert review.names == ("Ben", "Anna")
    assert review.open_count == 4
    assert window.panel(ReviewDock).work.isVisible()


@pytest.mark.slow
def test_comparing_keeps_own_marks_or_takes_the_others_and_can_be_undone(window, two_people):
    review, session = window.session.get(ReviewState), window.session
    before = session.open.gold
    at = {each.item: each for each in review.items}
    while (current := review.current) is not None and review.open_count:
        nav = two_people.row("#nav")
        side = Qt.Key.Key_Left if nav in current.rows else Qt.Key.Key_Right
        press(two_people, side, CTRL)
        assert current.item in review.verdicts
    assert {mark.type for mark in session.open.gold.of_level(1)} >= {
        "Link list",
        "Sidebar",
        "Header",
    }
    main = session.open.gold.as_results(session.open.page).text.text
    assert "weather permitting" in main
    assert "coffee" in main
    sides = [
        [t.row for t in m.targets] for m in session.open.gold.of_level(1) if m.type == "Sidebar"
    ]
    assert sides == [[two_people.row("#side")]]
    for left in range(1, len(at) + 1):
        press(two_people, Qt.Key.Key_Z, CTRL)
        assert review.open_count == left
    assert session.open.gold == before


def test_text_outside_the_chosen_main_content_is_removed(window, hand):
    workspace = window.workbench.workspace
    annotators.change(workspace.store, workspace.annotator, "Ben", Role.ANNOTATOR)
    mark_as(window, "Anna", gold_of(hand, AGREED, ["#first"]))
    ben = gold_of(hand, AGREED, ["#story"])
    window.workbench.marking.change("mark", lambda _gold, _nodes: ben)
    press(hand, Qt.Key.Key_R, CTRL | SHIFT)
    review = window.session.get(ReviewState)
    hand.qtbot.waitUntil(lambda: bool(review.items), timeout=60_000)
    while review.open_count:
        press(hand, Qt.Key.Key_Right, CTRL)
    main = window.session.open.gold.as_results(window.session.open.page).text.text
    assert " ".join(main.split()) == (
        "The ferry returned to the harbour this morning, and all of the town was there."
    )


def test_a_question_on_a_mark_is_asked_answered_and_undone(window, reviewed):
    session, qtbot = window.session, reviewed.qtbot
    document = session.open.document
    press(reviewed, Qt.Key.Key_Q, ALT)
    field = window.panel(CommentsDock).field
    qtbot.waitUntil(field.hasFocus, timeout=60_000)
    QTest.keyClicks(field, "Is this a menu?")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert window.panel(CommentsDock).entries() == ["Ruth?  Is this a menu?"]
    ((asked,),) = window.workbench.get(TeamController).threads()
    assert (asked.owner, asked.kind) == ("Anna", CommentKind.QUESTION)
    assert window.workbench.pages.status(document) == "question"
    press(reviewed, Qt.Key.Key_R, ALT | SHIFT)
    QTest.keyClicks(field, "It is.")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert window.panel(CommentsDock).entries() == [
        "Ruth? ✓  Is this a menu?",
        "    ↳ Ruth  It is.",
    ]
    assert window.workbench.pages.status(document) != "question"
    press(reviewed, Qt.Key.Key_Z, CTRL)
    assert window.panel(CommentsDock).entries() == ["Ruth?  Is this a menu?"]


def test_the_question_status_asks_for_a_text_and_ends_with_the_answer(window, hand):
    session, qtbot, workbench = window.session, hand.qtbot, window.workbench
    document = session.open.document
    before = workbench.pages.status(document)
    press(hand, Qt.Key.Key_D, SHIFT)
    assert workbench.pages.status(document) == "question"
    field = window.panel(CommentsDock).field
    qtbot.waitUntil(field.hasFocus, timeout=60_000)
    QTest.keyClicks(field, "Is all of this an ad?")
    QTest.keyClick(field, Qt.Key.Key_Return)
    page = workbench.canvas.view
    qtbot.waitUntil(lambda: page.hasFocus() or page.focusProxy().hasFocus(), timeout=60_000)
    (line,) = window.panel(CommentsDock).entries()
    assert line.endswith("?  Is all of this an ad?")
    assert workbench.pages.status(document) == "question"
    press(hand, Qt.Key.Key_R, ALT | SHIFT)
    qtbot.waitUntil(field.hasFocus, timeout=60_000)
    QTest.keyClicks(field, "No.")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert workbench.pages.status(document) == ("open" if before == "new" else before)


def test_comments_of_an_annotator_working_alone_show_no_name(window, qtbot, tmp_path):
    hand, field = Hand(window.workbench, qtbot, tmp_path), window.panel(CommentsDock).field
    hand.open(PAGE, "alone.html")
    press(hand, Qt.Key.Key_Q, ALT)
    qtbot.waitUntil(field.hasFocus, timeout=60_000)
    QTest.keyClicks(field, "An ad?")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert window.panel(CommentsDock).entries() == ["?  An ad?"]
    press(hand, Qt.Key.Key_N, ALT)
    QTest.keyClicks(field, "It is.")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert window.panel(CommentsDock).entries() == ["?  An ad?", "It is."]
    press(hand, Qt.Key.Key_K, ALT)
    press(hand, Qt.Key.Key_R, ALT | SHIFT)
    assert field.placeholderText() == "Answer  (Alt+Shift+R)"


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_a_page_can_have_the_question_status_without_a_text(window, hand, key):
    press(hand, Qt.Key.Key_D, SHIFT)
    field = window.panel(CommentsDock).field
    hand.qtbot.waitUntil(field.hasFocus, timeout=60_000)
    QTest.keyClick(field, key)
    page = window.workbench.canvas.view
    hand.qtbot.waitUntil(lambda: page.hasFocus() or page.focusProxy().hasFocus(), timeout=60_000)
    assert window.panel(CommentsDock).entries() == []
    assert window.workbench.pages.status(window.session.open.document) == "question"


def test_switching_to_another_annotator_shows_the_marks_of_that_name(window, hand):
    session, workbench = window.session, window.workbench
    mark_as(window, "Anna", gold_of(hand, AGREED, []))
    press(hand, Qt.Key.Key_W, ALT)
    QTest.keyClicks(window.type_field.line, "Anna")
    QTest.keyClick(window.type_field.line, Qt.Key.Key_Return)
    hand.qtbot.waitUntil(
        lambda: session.open.page is not None and len(session.open.gold.marks) == 3, timeout=60_000
    )
    assert window.status_bar.who.text == "Anna"
    assert workbench.workspace.annotator.name == "Anna"


def go_on_as(hand, window, name, *, down=0, key=(Qt.Key.Key_W, ALT)):
    """Type a name into the field and choose the offered line at a position."""
    press(hand, *key)
    QTest.keyClicks(window.type_field.line, name)
    offered = window.type_field.offered()
    for _ in range(down):
        QTest.keyClick(window.type_field.line, Qt.Key.Key_Down)
    with hand.qtbot.waitSignal(window.session.open.page_changed, timeout=60_000):
        QTest.keyClick(window.type_field.line, Qt.Key.Key_Return)
    hand.qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=60_000)
    return offered


@pytest.fixture
def unnamed(window, qtbot, tmp_path):
    """Open a page of a new workspace and mark it without a name."""
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(PAGE, "unnamed.html")
    window.session.selection.set_mode(Mode.LEVEL_1)
    window.session.selection.set_candidate(hand.row("#nav"))
    press(hand, Qt.Key.Key_Return)
    assert len(window.session.open.gold.marks) == 1
    return hand


@pytest.mark.slow
def test_a_first_name_does_not_take_over_unnamed_marks(window, unnamed):
    session, workspace = window.session, window.workbench.workspace
    assert go_on_as(unnamed, window, "Ben") == ["Ben", "Ben"]
    assert session.open.gold == Gold()
    assert window.workbench.pages.status(session.open.document) != "in progress"
    assert [who.name for who in workspace.annotators] == ["", "Ben"]
    assert workspace.annotator.name == "Ben"
    assert "without a name" in window.toast.text
    golds = workspace.golds(page_key(session.open.document), session.open.page.rendered())
    assert [who.shown for who in golds] == ["without a name"]


def test_unnamed_marks_can_be_claimed_with_the_first_name(window, unnamed):
    session, workspace = window.session, window.workbench.workspace
    go_on_as(unnamed, window, "Ben", down=1)
    assert len(session.open.gold.marks) == 1
    assert [who.name for who in workspace.annotators] == ["Ben"]
    assert window.status_bar.who.text == "Ben"


@pytest.mark.slow
def test_unnamed_marks_can_be_claimed_later(window, unnamed):
    session, workspace = window.session, window.workbench.workspace
    go_on_as(unnamed, window, "Ben")
    go_on_as(unnamed, window, "without")
    assert window.status_bar.who.text == "without a name"
    assert len(session.open.gold.marks) == 1
    assert go_on_as(unnamed, window, "Ben", down=1) == ["Ben", "Ben"]
    assert len(session.open.gold.marks) == 1
    assert workspace.annotator.name == "Ben"
    assert workspace.annotator.number == 1
    assert [name for name, _ in window.workbench.get(TeamController).workers()] == ["Ben"]


@pytest.mark.slow
def test_a_name_with_marks_cannot_claim_unnamed_marks(window, unnamed):
    mark_as(window, "Anna", gold_of(unnamed, AGREED, []))
    assert go_on_as(unnamed, window, "Anna") == ["Anna"]
    assert len(window.session.open.gold.marks) == len(AGREED)


@pytest.mark.slow
def test_a_reviewer_cannot_claim_unnamed_marks(window, unnamed):
    assert go_on_as(unnamed, window, "Ruth", key=(Qt.Key.Key_W, ALT | SHIFT)) == ["Ruth"]
    assert window.session.open.gold == Gold()
    assert [name for name, _ in window.workbench.get(TeamController).workers()] == [
        "without a name",
        "Ruth",
    ]


@pytest.mark.slow
def test_a_first_name_without_any_marks_replaces_the_unnamed_annotator(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(PAGE, "fresh.html")
    assert go_on_as(hand, window, "Ben") == ["Ben"]
    assert [who.name for who in window.workbench.workspace.annotators] == ["Ben"]


@pytest.mark.slow
def test_deciding_against_the_majority_removes_its_text(window, reviewed):
    mark_as(window, "Carla", gold_of(reviewed, AGREED, ["#first", "#second", "#third"]))
    review, session = window.session.get(ReviewState), window.session
    press(reviewed, Qt.Key.Key_R, CTRL | SHIFT)
    press(reviewed, Qt.Key.Key_R, CTRL | SHIFT)
    reviewed.qtbot.waitUntil(lambda: len(review.names) == 3, timeout=60_000)
    press(reviewed, Qt.Key.Key_F, ALT | SHIFT)
    index = next(n for n, each in enumerate(review.items) if each.level == MAIN)
    assert review.verdicts[review.items[index].item] == "Anna and Carla"
    review.choose(index)
    press(reviewed, Qt.Key.Key_Right, CTRL)  # as Ben, who left it out
    assert review.verdicts[review.items[index].item] == "as Ben"
    rows = {t.row for mark in session.open.gold.marks if mark.level == MAIN for t in mark.targets}
    assert rows == {reviewed.row("#first"), reviewed.row("#second")}


def test_agreed_marks_are_taken_by_a_key_and_differences_stay_open(window, reviewed):
    session, review = window.session, window.session.get(ReviewState)
    press(reviewed, Qt.Key.Key_G, ALT | SHIFT)
    assert [mark.type for mark in session.open.gold.marks if mark.level] == [
        "Header",
        "Footer",
        "Title",
    ]
    assert len(session.open.gold.of_level(MAIN)) == 2
    assert review.open_count == len(PLANTED)
    assert (
        session.messages.message == "5 marks that all agree on taken; 4 differences left to decide"
    )
    press(reviewed, Qt.Key.Key_G, ALT | SHIFT)
    assert "no mark is left" in session.messages.message
    press(reviewed, Qt.Key.Key_Z, CTRL)
    assert session.open.gold == Gold()


def test_a_review_starts_with_the_agreed_marks_if_that_is_checked(window, reviewed):
    session = window.session
    window.actions_["agreed-at-once"].trigger()
    reviewed.qtbot.waitUntil(lambda: len(session.open.gold.marks) == 5, timeout=60_000)
    press(reviewed, Qt.Key.Key_Z, CTRL)
    window.session.get(ReviewState).show(False)
    press(reviewed, Qt.Key.Key_R, CTRL | SHIFT)
    reviewed.qtbot.waitUntil(lambda: bool(session.get(ReviewState).items), timeout=60_000)
    assert session.open.gold == Gold()  # undone marks are not added again
