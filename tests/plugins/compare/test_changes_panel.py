"""The panel *What changed*: typing, listing, filtering, stopping and saving."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from algorithms.core.batch import Run, RunStatus
from algorithms.measures.prf import Score
from annotate.datasets.opening import open_pages
from annotate.evaluation.run.open_pages import dataset_of
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.plugins.compare.compare import compare
from annotate.plugins.compare.runs import ComparedPage, plan_for
from annotate.plugins.external.sides import chosen_sides
from gui.plugins.compare.controller import DATASET, ComparisonController
from gui.plugins.compare.panel import ChangesDock
from gui.plugins.compare.state import ChangeWalk, ComparedVersions
from tests.annotate.pages import page_of
from tests.gui.parts import DOCUMENTS
from tests.method_packages import pages

pytestmark = pytest.mark.web

BEFORE, AFTER = "bte", "bte tag_cost=2"
LOST = "One thing Another thing"
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def panel(window, tmp_path):
    """Open the panel by its key, with two articles and a listing in the list of pages."""
    opened = open_pages(pages(tmp_path / "set"))
    window.session.set_documents(opened.documents, opened.files)
    window.session.set_document(opened.documents[0])
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_V, CTRL | SHIFT)
    made = window.panel(ChangesDock)
    assert made.isVisible()
    return made


@pytest.fixture
def walk(window, panel):
    return window.session.get(ChangeWalk)


def start(panel, before=BEFORE, after=AFTER):
    """Type two versions and press Enter."""
    for field, text in ((panel.before, before), (panel.after, after)):
        field.lineEdit().selectAll()
        QTest.keyClicks(field.lineEdit(), text)
    QTest.keyClick(panel.after.lineEdit(), Qt.Key.Key_Return)


def compared(session, workspace, changes):
    """Return the comparison of the listed pages: position → its text after, and the difference."""
    sides = chosen_sides((BEFORE, AFTER))
    named = [(each.name, each) for each in session.documents]
    dataset = dataset_of(DATASET, named, workspace, session.files)
    plan = plan_for((dataset,), sides, None, EvaluationOptions(jobs=1))
    measure = plan.measures.text[0]
    every = []
    for number, (name, document) in enumerate(named):
        texts = (
            (f"Page {number}. {LOST}", 1.0),
            changes.get(number, (f"Page {number}. {LOST}", 1.0)),
        )
        runs = {
            side.entry.key: Run(RunStatus.OK, text=text, scores={measure.key: Score(score)})
            for side, (text, score) in zip(sides, texts, strict=True)
        }
        files = dict(dataset.pages)[name][""]
        every.append(ComparedPage(DATASET, document.name, files, runs))
    return ComparedVersions(plan, compare(sides, every, measure), {})


@pytest.fixture
def take(window, walk, qtbot):
    """Return a function that ends a comparison with these changes."""

    def end(changes):
        walk.begin(BEFORE, AFTER)
        walk.take(compared(window.session, window.workbench.workspace, changes))
        walk.end("")

    return end


SECOND_LOSES = {1: ("Page 1.", 0.75)}


def listed(panel):
    return [panel.sort.itemText(row) for row in range(panel.sort.count())]


def test_the_worst_page_is_listed_first_and_keys_step_through_the_list(panel, walk, take):
    take({1: ("Page 1.", 0.75), 2: ("Page 2.", 0.25)})
    assert [each.partition(",")[0] for each in panel.entries()] == [
        "−0.750 · text lost", "−0.250 · text lost",
    ]  # fmt: skip
    assert panel.bar.status.text() == "Ctrl+Alt+N: to the worst page"
    assert not panel.detail.isVisible()
    panel.list.setFocus()
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    assert (walk.index, panel.bar.status.text()) == (1, "2 of 2 pages")
    assert panel.detail.text().startswith("−0.250 · text lost: 4 words lost")
    QTest.mouseClick(panel.bar.next, Qt.MouseButton.LeftButton)
    assert walk.index == 0


def test_an_unchanged_type_is_reported_apart_from_unchanged_texts(panel, walk, take):
    take(SECOND_LOSES)
    article = next(row for row, each in enumerate(listed(panel)) if each.startswith("article: 0"))
    panel.sort.setFocus()
    for _ in range(article):
        QTest.keyClick(panel.sort, Qt.Key.Key_Down)
    assert walk.items == ()
    assert panel.none.text() == "No page of the type article has changed."
    assert not panel.bar.isVisible()
    QTest.keyClick(panel.sort, Qt.Key.Key_Home)
    assert len(panel.entries()) == 1
    assert panel.none.text() == ""
    take({})
    assert panel.none.text() == "bte and bte tag_cost=2 give the same text on all of 3 pages."


def test_starting_a_comparison_clears_the_last_one(window, panel, walk, take, qtbot):
    take(SECOND_LOSES)
    panel.sort.activated.emit(
        next(r for r, each in enumerate(listed(panel)) if "article: 0" in each)
    )
    assert panel.summary.isVisible()
    start(panel)
    assert walk.is_running
    assert (panel.halt.isVisible(), panel.run.isVisible()) == (True, False)
    assert not panel.summary.isVisible()
    assert not panel.sort.isVisible()
    assert not panel.save.isEnabled()
    QTest.mouseClick(panel.halt, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not walk.is_running, timeout=8_000)
    assert (panel.halt.isVisible(), panel.run.isVisible()) == (False, True)
    assert panel.none.text().startswith("Which pages changed")


def test_enter_during_a_run_compares_the_versions_typed_last(panel, walk, qtbot):
    start(panel)
    for name in ("no-such-thing", "nor-this", "nor-that"):
        start(panel, after=name)
    qtbot.waitUntil(lambda: bool(walk.trouble), timeout=8_000)
    assert "nor-that" in panel.none.text()
    assert not walk.is_running


def test_other_pages_end_a_comparison_and_clear_the_list(window, panel, walk, take, qtbot):
    take(SECOND_LOSES)
    start(panel)
    window.session.set_documents(DOCUMENTS)
    window.session.set_documents(DOCUMENTS[:1])
    assert not walk.is_running
    assert panel.none.text().startswith("Which pages changed")
    start(panel, after="no-such-thing")  # once the first has ended
    qtbot.waitUntil(lambda: "no-such-thing" in panel.none.text(), timeout=8_000)
    window.session.set_documents(DOCUMENTS[2:])  # on the web
    start(panel)
    assert panel.none.text().startswith("Open pages first")


def test_extraction_methods_are_offered_with_their_current_parameters(window, panel):
    def offered():
        return [panel.before.itemText(row) for row in range(panel.before.count())]

    QTest.keyClicks(panel.before.lineEdit(), "mine")
    layers = window.session.layers
    layers.add_method("cetr")
    assert "cetr" in offered()
    params = layers.layer("cetr").params
    layers.change_layer("cetr", params=type(params)(sigma=0.1))
    assert "cetr sigma=0.1" in offered()
    assert panel.before.currentText() == "mine"
    assert not any(each.startswith(("gold", "vips")) for each in offered())  # they give blocks


def test_saving_needs_a_comparison_and_reports_a_failed_write(window, panel, take, tmp_path):
    comparing, messages = window.workbench.get(ComparisonController), window.session.messages
    assert not panel.save.isEnabled()
    assert not window.actions_["change-save"].isEnabled()
    comparing.save()
    assert messages.message == "compare two versions first"
    take(SECOND_LOSES)
    assert panel.save.isEnabled()
    comparing.write(str(tmp_path / "nowhere" / "changes.csv"))
    assert messages.message.startswith("cannot write")
    comparing.write(str(tmp_path / "changes.csv"))
    assert messages.message == "saved changes.csv"
    assert (tmp_path / "changes.csv").read_text().count("\n") == 2


def test_a_closed_panel_shows_no_message_on_an_opened_page(window, panel, walk, take, qtbot):
    session, messages = window.session, window.session.messages
    start(panel)  # so that it knows the pages
    comparing = window.workbench.get(ComparisonController)
    comparing.stop()
    qtbot.waitUntil(lambda: not walk.is_running, timeout=8_000)
    take(SECOND_LOSES)
    session.set_document(session.documents[1])
    page = page_of("<p>Page 1.</p>")  # what was lost is not on it
    session.set_page(page, session.open.gold)
    walk.choose(0)
    qtbot.waitUntil(lambda: messages.message == "the page does not show what changed")
    QTest.mouseClick(panel.close_button, Qt.MouseButton.LeftButton)
    assert panel.isHidden()
    messages.say("")
    with qtbot.waitSignal(walk.marked):
        session.set_page(page, session.open.gold)
    assert messages.message == ""
