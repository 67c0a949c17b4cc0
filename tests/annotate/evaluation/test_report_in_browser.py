"""The report in a browser: sorting, definitions and folds by real events, at any width."""

import json

import pytest
from PySide6.QtCore import Qt

from annotate.evaluation.report.html_report import write_report
from tests.annotate.evaluation.rows import scored, table_of
from tests.reader import read_in_browser

VALUES = {
    "bte": [0.9, 0.8, 0.7, 0.95, 0.85, 0.9],
    "dsc": [0.5, 0.6, 0.4, 0.55, 0.0, None],
    "plain": [0.5, 0.5, 0.45, 0.5, 0.0, 0.4],
    "crunch": [None] * 6,
}


@pytest.fixture
def reader(qtbot, tmp_path):
    """Open a report of four methods by two measures, 900 px wide."""
    rows = scored(VALUES, "ws") + scored(VALUES, "sow")
    path = write_report(tmp_path, table_of(rows), formats=())
    with read_in_browser(path, qtbot) as made:
        yield made


ORDER = (
    "[...document.querySelectorAll('#scores table')[0].tBodies[0].rows]"
    ".map(line => line.cells[0].textContent)"
)


def head(name):
    return (
        "[...document.querySelectorAll('#scores table thead')[0].querySelectorAll('button.sort')]"
        f".find(b => b.textContent === {json.dumps(name)})"
    )


@pytest.mark.web
def test_a_text_that_became_markup_could_neither_run_nor_load(reader):
    reader.ask(
        "(() => { window.seen = [];"
        " addEventListener('securitypolicyviolation', (e) => seen.push(e.effectiveDirective));"
        " document.body.insertAdjacentHTML('beforeend', '<img src=x.png onerror=\"ran = 1\">"
        '<iframe src=//far.example/></iframe><i onclick="ran = 1" id=inline>x</i>\');'
        " document.getElementById('inline').click(); return 0; })()"
    )
    reader.wait("seen.length >= 3")
    assert {"img-src", "frame-src", "script-src-attr"} <= set(reader.ask("seen"))
    assert reader.ask("typeof ran") == "undefined"


def test_a_click_on_a_header_sorts_and_a_second_click_reverses_the_order(reader):
    assert reader.ask(ORDER) == ["bte", "plain", "dsc", "crunch"]  # dsc failed on a page
    reader.click(head("P"))
    reader.wait(f"{head('P')}.parentElement.ariaSort === 'descending'")
    assert reader.ask(ORDER) == ["bte", "dsc", "plain", "crunch"]
    reader.click(head("P"))
    reader.wait(f"{head('P')}.parentElement.ariaSort === 'ascending'")
    assert reader.ask(ORDER) == ["plain", "dsc", "bte", "crunch"]  # no value is always last
    reader.click(head("method"))
    reader.wait(f"{head('method')}.parentElement.ariaSort === 'ascending'")
    assert reader.ask(ORDER) == ["bte", "crunch", "dsc", "plain"]
    assert reader.ask(f"{head('P')}.parentElement.ariaSort") is None


@pytest.mark.web
def test_a_click_opens_a_definition_and_escape_closes_it(reader):
    about = "document.querySelector('#scores caption .about')"
    text = "document.querySelector('#measure-ws')"
    reader.click(about)
    reader.wait(f"{text}.matches(':popover-open')")
    box = reader.ask(f"{text}.getBoundingClientRect().toJSON()")
    assert 0 <= box["left"] < box["right"] <= 900
    assert 0 <= box["top"] < box["bottom"] <= 700
    assert "subsequence of words" in reader.ask(f"{text}.innerText")
    reader.qtbot.keyClick(reader.view.focusProxy(), Qt.Key.Key_Escape)
    reader.wait(f"!{text}.matches(':popover-open')")


@pytest.mark.web
def test_a_definition_in_a_fold_does_not_open_the_fold(reader):
    reader.click("document.querySelector('#scores .outer > summary')")
    reader.wait("document.querySelector('#scores .outer').open")
    reader.click("document.querySelector('#scores .outer details summary .about')")
    reader.wait("document.querySelector('#measure-sow').matches(':popover-open')")
    assert not reader.ask("document.querySelector('#scores .outer details').open")


@pytest.mark.web
def test_all_controls_are_reached_by_keyboard(reader):
    reader.ask("document.querySelector('nav a').focus() ?? 0")
    seen = []
    for _ in range(60):
        reader.ask("(window.before = document.activeElement, 0)")
        reader.press(Qt.Key.Key_Tab)
        reader.wait("document.activeElement !== before")
        seen.append(
            reader.ask("document.activeElement.className || document.activeElement.tagName")
        )
        if "sort" in seen and "about" in seen and "scroll" in seen:
            break
    assert {"sort", "about", "scroll"} <= set(seen)


@pytest.mark.web
@pytest.mark.parametrize("width", [400, 700, 1600])
def test_the_page_is_never_wider_than_the_window(reader, width):
    reader.view.resize(width, 700)
    reader.wait(f"window.innerWidth === {width}")
    assert reader.ask(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )
    bar = reader.ask("document.querySelector('nav').getBoundingClientRect().width")
    assert bar <= width
