"""Walking the pages that a change makes worse, with the differences drawn on each."""

import pytest

from algorithms.core.batch import measures_of, run_extractor
from algorithms.measures.text_comparison import GoldText
from annotate.evaluation.run.tasks import PageFacts, rows_of
from annotate.evaluation.store.row_files import write_rows
from annotate.evaluation.store.rows import cells
from gui.features.errors.state import ErrorWalk
from gui.features.evaluate.controller import EvaluationController
from gui.features.evaluate.view import EvaluateView
from tests.features.evaluate.scored import METHODS, STORIES, file_of, html, setup
from tests.tables import page_of_html

pytestmark = pytest.mark.web

WORSE = {"owl.html": "Nothing of it.", "mill.html": "<p>The tide mill, no more."}
GOLDS = {"pages": STORIES, "pages ~ names": {**STORIES, **WORSE}}


def scored(folder):
    """Write results in which two pages are worse after a change, the owl most."""
    rows = []
    for dataset, stories in GOLDS.items():
        for name in ("owl.html", "mill.html", "comet.html"):
            page, made = page_of_html(html(name)), setup("plain")
            chosen = measures_of("bow")
            story = page_of_html(f"<body>{stories[name]}").dom.text
            run = run_extractor(page, GoldText(story, page.dom), made, chosen.text)
            key = (dataset, name, made.input)
            rows += rows_of(key, PageFacts("", 100), "", made, run, chosen.of(made.entry))
    write_rows(folder / "scores.csv", map(cells, rows))
    return folder


@pytest.fixture
def window(new_window):
    """Return a new window: each test creates the view, which stays."""
    return new_window


@pytest.fixture
def pages(window, qtbot, tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in STORIES:
        (folder / name).write_bytes(file_of(name))
    assert METHODS[0] == "plain"
    with qtbot.waitSignal(window.session.open.page_changed, timeout=20_000):
        window.workbench.navigation.open_path(str(folder))
    return folder


@pytest.mark.slow
def test_the_pages_a_change_makes_worse_are_walked_worst_first(window, qtbot, pages, tmp_path):
    assert window.main_area.get(EvaluateView).open_results(scored(tmp_path / "out"))
    walk, session = window.session.get(ErrorWalk), window.session
    for name in ("owl.html", "mill.html", "owl.html"):
        window.workbench.get(EvaluationController).show_next_worst()
        qtbot.waitUntil(
            lambda name=name: session.open.page is not None and session.open.document.path == name,
            timeout=20_000,
        )
        assert not window.main_area.shows(EvaluateView)
        assert walk.is_shown
        assert walk.against == "change names"
        assert session.layers.current_layer == "plain"


def test_a_cell_of_an_unchanged_page_shows_errors_against_gold(window, qtbot, pages, tmp_path):
    table = window.main_area.get(EvaluateView)
    assert table.open_results(scored(tmp_path / "out"))
    listed = table.model.shown.table
    walk = window.session.get(ErrorWalk)
    for dataset, against in (("pages ~ names", "change names"), ("pages", "")):
        table.show_cell(listed.row_of(dataset, "owl.html"), 0)
        assert walk.against == against


def test_results_of_a_file_are_shown_by_a_measure_they_have_and_name_the_data_set(
    window, qtbot, pages, tmp_path
):
    table = window.main_area.get(EvaluateView)
    usual = table.model.shown.shown["extraction"].key
    assert table.open_results(scored(tmp_path / "out"))
    shown = table.model.shown
    assert [column.method for column in shown.table.columns] == ["plain"]
    assert shown.shown["extraction"].key == "bow" != usual
    assert table.model.data(table.model.index(0, 0)).startswith("0.")
    titles = [page.title for page in shown.table.pages]
    assert {"owl.html", "names: owl.html"} <= set(titles)
    table.close_results()
    assert table.model.shown.shown["extraction"].key == usual


def test_a_message_names_the_command_that_makes_changed_pages(window, qtbot, pages):
    window.workbench.get(EvaluationController).show_next_worst()
    assert "pagelet evaluate --perturb" in window.session.messages.message
