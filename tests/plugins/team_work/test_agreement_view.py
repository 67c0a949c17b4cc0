"""The Agreement view: filled by a separate process, with the plot and table in sync."""

import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from annotate.marks.gold import MAIN, Gold, Mark, Target, new_id
from annotate.plugins.team_work.agreement import DIAL, page_agreement
from annotate.plugins.team_work.merging import merge
from annotate.workspace import annotators
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document, plain_document
from gui.cli.terminal import json_text
from gui.plugins.team_work.agreement.rows import AgreementRow, types_of
from gui.plugins.team_work.agreement.view import AgreementView
from gui.plugins.team_work.agreement_command import as_json
from tests.annotate.pages import page_of, row_of
from tests.gui.parts import cut_off
from tests.typed_commands import typed

PAGE = page_of(
    "<header id=h><h1>The Courier</h1></header><main id=m><p id=a>The ferry is back.</p>"
    "<p id=b>It had left in May.</p></main><footer id=f>Printed at the quay</footer>"
)


def gold(*blocks):
    nodes = PAGE.rendered()
    return Gold(
        tuple(
            Mark(new_id(), level, (Target(row_of(nodes, name)),), type)
            for level, type, name in blocks
        )
    )


ANNA = gold((1, "Header", "h"), (1, "Content", "m"), (1, "Footer", "f"))
BEN = gold((1, "Header", "h"), (2, "Article", "a"), (2, "Article", "b"), (1, "Menu", "f"))


def found(name, *golds):
    agreement = page_agreement(PAGE, dict(zip(("Anna", "Ben"), golds, strict=True)))
    return AgreementRow(name, name, agreement)


@pytest.fixture
def view(qtbot, tmp_path):
    with Workspace.open(tmp_path / "both.pagelet") as workspace:
        made = AgreementView(workspace)
        qtbot.addWidget(made)
        made.resize(1000, 600)
        made.show()
        qtbot.waitExposed(made)
        yield made
        made.stop()


def cells(view, row):
    return [view.table.item(row, column).text() for column in range(view.table.columnCount())]


def test_pages_fill_the_table_with_their_mean_above(view):
    view.run.answered.emit(None, found("same", ANNA, ANNA))
    view.run.answered.emit(None, found("other", ANNA, BEN))
    assert [cells(view, row)[0] for row in range(3)] == ["Mean of 2", "same", "other"]
    assert cells(view, 1)[1:] == ["Anna, Ben", *["1.000"] * 7, "0"]
    other = found("other", ANNA, BEN)
    assert cells(view, 2)[6] == f"{other.agreement.f1['all']:.3f}"
    assert float(cells(view, 2)[7]) >= float(cells(view, 2)[6])


def test_level_and_atoms_select_the_values_of_the_table(view, qtbot):
    view.run.answered.emit(None, found("other", ANNA, BEN))
    both = cells(view, 1)
    qtbot.mouseClick(view.level.button("2"), Qt.MouseButton.LeftButton)
    assert cells(view, 1) != both
    qtbot.mouseClick(view.level.button("main"), Qt.MouseButton.LeftButton)
    assert cells(view, 1)[6:8] == ["–", "–"]
    text = found("other", ANNA, BEN).agreement.blocks[1, "nodes"].alpha
    qtbot.mouseClick(view.level.button("1"), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(view.atoms.button("nodes"), Qt.MouseButton.LeftButton)
    assert cells(view, 1)[4] == f"{text:.3f}"


def test_the_granularity_plot_cuts_the_table_by_mouse_and_key(view, qtbot):
    page = found("other", ANNA, BEN)
    view.run.answered.emit(None, page)
    assert cells(view, 1)[8] == f"{page.agreement.dial()[0]:.3f}"
    plot = view.plot
    at = plot.point(4, 0.5).toPoint()
    qtbot.mouseClick(plot, Qt.MouseButton.LeftButton, pos=QPoint(at.x(), at.y()))
    assert plot.cut == 4
    assert cells(view, 1)[8] == f"{page.agreement.dial()[4]:.3f}"
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert plot.cut == 5
    for _ in range(20):
        QTest.keyClick(plot, Qt.Key.Key_Right)
    assert plot.cut == len(DIAL) - 1


def test_a_level_shows_only_the_types_plot_and_columns_of_that_level(view, qtbot):
    page = found("other", ANNA, BEN)
    view.run.answered.emit(None, page)

    def types():
        return {view.types.item(row).text().split("   ")[1] for row in range(view.types.count())}

    def choose(level):
        qtbot.mouseClick(view.level.button(level), Qt.MouseButton.LeftButton)

    assert {name[:7] for name in types()} == {"level 1", "level 2"}
    pairs = [view.confused.item(row).text().split("   ")[1] for row in range(view.confused.count())]
    assert set(pairs) == {"Content / no block", "Article / no block", "Footer / Menu"}
    for level in ("1", "2"):
        choose(level)
        assert {name[:7] for name in types()} == {f"level {level}"}
        assert cells(view, 1)[8] == f"{page.agreement.dials[level][0]:.3f}"
    choose("main")
    assert cells(view, 1)[2:] == [*["–"] * 7, "0"]  # nobody marked main content
    assert cells(view, 0)[2:] == [*["–"] * 7, "0"]
    assert view.table.item(1, 2).background().style() == Qt.BrushStyle.NoBrush
    assert [view.table.isColumnHidden(column) for column in range(9)] == [False] * 6 + [True] * 3
    assert not view.plot.isVisible()
    assert not view.types.isVisible()
    choose("both")
    assert view.plot.isVisible()
    assert not view.table.isColumnHidden(7)
    assert cells(view, 1)[8] == f"{page.agreement.dial()[0]:.3f}"


def test_pages_without_marks_on_a_level_are_left_out_of_its_mean(view, qtbot):
    content = Gold((Mark(new_id(), MAIN, (Target(row_of(PAGE.rendered(), "m")),)),))
    view.run.answered.emit(None, found("blocks", ANNA, ANNA))
    view.run.answered.emit(None, found("half", content, gold()))
    qtbot.mouseClick(view.level.button("main"), Qt.MouseButton.LeftButton)
    assert cells(view, 1)[2:5] == ["–"] * 3
    assert cells(view, 0)[2:5] == cells(view, 2)[2:5]
    qtbot.mouseClick(view.level.button("both"), Qt.MouseButton.LeftButton)
    assert cells(view, 2)[2:] == [*["–"] * 7, "0"]
    assert cells(view, 0)[2:] == [*["1.000"] * 7, "0"]


def test_types_are_listed_by_increasing_agreement():
    rows = types_of([found("other", ANNA, BEN), found("same", ANNA, ANNA)])
    assert rows[-1] == ("level 1, Header", 2, 1.0)
    assert {name for name, _, alpha in rows if alpha < 1} >= {"level 1, Footer", "level 1, Menu"}


def test_the_view_without_shared_pages_offers_to_merge_marks(view, qtbot):
    view.start()
    title, text = view.nothing.words
    assert "two annotators" in title
    assert "Merge" in text
    assert view.nothing.isVisible()
    assert not view.table.isVisible()
    assert cut_off(view.nothing) == []
    with qtbot.waitSignal(view.asked) as asked:
        qtbot.mouseClick(view.nothing.button("Merge marks…"), Qt.MouseButton.LeftButton)
    assert asked.args == ["merge"]


COURIER = "<h1 id=h>The Courier</h1><p id=a>The ferry is back.</p>"


def share(workspace, *paths):
    """Mark the heading of each page as Anna and as Ben."""
    nodes = page_of(COURIER).rendered()
    for name in ("Anna", "Ben"):
        with workspace.store.saving():
            who = annotators.add(workspace.store, name)
        workspace.work_as(who)
        workspace.add_pages([Document(str(path), path.as_uri()) for path in paths])
        for path in paths:
            workspace.save_gold(str(path), gold_at(nodes), nodes, "mark")


@pytest.mark.web
def test_pages_are_read_in_a_separate_process_and_failures_are_counted(view, qtbot, tmp_path):
    path, gone = tmp_path / "ferry.html", tmp_path / "gone.html"
    path.write_text(COURIER)
    share(view._workspace, path, gone)
    view.start()
    assert not view.nothing.isVisible()
    with qtbot.waitSignal(view.run.ended, timeout=60_000):
        assert not view.is_ready
    assert view.is_ready
    assert [page.name for page in view.pages] == ["ferry.html"]
    assert view.pages[0].agreement.annotators == ("Anna", "Ben")
    assert view.words.text() == (
        "1 page marked by two annotators or more; 1 could not be read (Anna 2, Ben 2 marked)"
    )
    path.unlink()
    with qtbot.waitSignal(view.run.ended, timeout=60_000):
        qtbot.mouseClick(view.again, Qt.MouseButton.LeftButton)
    assert "gone.html" in view.words.text()


def gold_at(nodes):
    return Gold((Mark(new_id(), 1, (Target(row_of(nodes, "h")),), "Header"),))


@pytest.mark.slow
@pytest.mark.web
def test_agreement_is_the_same_in_window_and_command_and_for_a_merged_file(tmp_path, qtbot):
    nodes = page_of(COURIER).rendered()
    dealt = {"Anna": "pq", "Ben": "qr", "Carla": "rp"}
    for name in "pqr":
        (tmp_path / f"{name}.html").write_text(COURIER)
    files = [tmp_path / f"{who}.pagelet" for who in dealt]
    for file, (who, names) in zip(files, dealt.items(), strict=True):
        with Workspace.open(file) as workspace:
            with workspace.store.saving():
                annotator = annotators.add(workspace.store, who)
            workspace.work_as(annotator)
            documents = [plain_document(tmp_path / f"{name}.html") for name in names]
            workspace.add_pages(documents)
            for document in documents:
                row, kind = ("h", "Header") if who != "Carla" else ("a", "Article")
                marks = (Mark(new_id(), 1, (Target(row_of(nodes, row)),), kind),)
                workspace.save_gold(page_key(document), Gold(marks), nodes, "mark")
    merged = tmp_path / "all.pagelet"
    merge(files, merged)
    with Workspace.open(merged) as workspace:
        view = AgreementView(workspace)
        qtbot.addWidget(view)
        view.show()
        with qtbot.waitSignal(view.run.ended, timeout=60_000):
            qtbot.mouseClick(view.again, Qt.MouseButton.LeftButton)
        shown = as_json({page.name: page.agreement for page in view.pages})
        view.stop()
    assert sorted(len(page.agreement.annotators) for page in view.pages) == [2, 2, 2]
    for paths in (files, [merged]):
        done = typed("agreement", "--json", *paths)
        assert done.returncode == 0, done.stderr
        by_name = sorted(json.loads(done.stdout), key=lambda page: page["page"])
        expected = sorted(json.loads(json_text(shown)), key=lambda page: page["page"])
        assert by_name == expected


def test_the_merge_button_has_the_focus_if_no_page_is_shared(view, qtbot):
    view.open()
    view.take_focus()
    assert view.focusWidget() is view.nothing.button("Merge marks…")


def test_levels_are_named_in_plain_words(view):
    named = [button.text() for button in view.level.findChildren(QAbstractButton)]
    assert named == ["Blocks", "Level 1", "Level 2", "Main content"]
