"""Path of the framed element: it stays, leads on the page, and names what methods do there."""

import pytest
from PySide6.QtCore import Qt

from gui.plugins.element_path import panel
from gui.plugins.element_path.described import facts_of, role_of, what_a_method_does
from gui.plugins.element_path.panel import PathDock
from tests.gui.parts import press
from tests.hand import Hand

PAGE = """<!doctype html><title>Ferry</title><style>p { font: 700 18px serif }</style>
<header><nav><a href="/">Home</a></nav></header>
<main id=main><article><h1>The ferry</h1><p id=first>The ferry leaves the pier at noon, and comes
back at four in the afternoon.</p><header><b>By Ann</b></header></article></main>"""


@pytest.fixture
def hand(window, qtbot, tmp_path):
    return Hand(window.workbench, qtbot, tmp_path)


@pytest.fixture
def path(hand, window):
    hand.open(PAGE, "ferry.html")
    window.actions_["element-path"].trigger()
    return window.findChild(PathDock)


def row_named(page, name):
    nodes = page.rendered()
    return next(r for r in range(len(nodes)) if nodes.name_of(r) == name)


def shown(path):
    return [text.removeprefix("› ") for b in path.crumbs.buttons if (text := b.text())]


def frame(window, qtbot, path, row):
    window.session.selection.set_candidate(row)
    qtbot.waitUntil(lambda: path.facts.text() == facts_of(window.session.open.page.nodes, row))


@pytest.mark.web
def test_the_path_names_the_elements_around_the_framed_one_and_stays(window, hand, qtbot, path):
    frame(window, qtbot, path, row_named(window.session.open.page, "p"))
    assert shown(path) == ["html", "body", "main#main", "article", "p#first"]
    assert "18 px bold · role paragraph" in path.facts.text()
    window.session.selection.set_candidate(-1)
    qtbot.waitUntil(lambda: not path._soon.isActive())
    assert shown(path)[-1] == "p#first"


@pytest.mark.web
def test_a_click_on_the_path_frames_an_element_and_the_way_back_stays(window, hand, qtbot, path):
    page = window.session.open.page
    frame(window, qtbot, path, row_named(page, "p"))
    qtbot.mouseClick(path.crumbs.buttons[2], Qt.MouseButton.LeftButton)
    assert window.session.selection.candidate == row_named(page, "main")
    qtbot.waitUntil(lambda: path.crumbs.buttons[2].font().bold())
    assert shown(path)[-1] == "p#first"
    qtbot.mouseClick(path.crumbs.buttons[4], Qt.MouseButton.LeftButton)
    assert window.session.selection.candidate == row_named(page, "p")


@pytest.mark.web
def test_each_method_with_a_result_is_named_with_what_it_does(window, hand, qtbot, path):
    hand.wait_for_methods()
    page, layers = window.session.open.page, window.session.layers
    row = row_named(page, "p")
    frame(window, qtbot, path, row)
    for layer in layers.all:
        outcome = layers.outcomes.get(layer.key)
        if outcome is not None and outcome.result is not None and not layer.is_gold:
            said = what_a_method_does(page, row, outcome.result)
            names = path.methods.text().partition(f"{said}: ")[2].partition(" · ")[0]
            assert layer.title in names.split(", ")
    assert "Kept: " in path.methods.text()


@pytest.mark.web
def test_a_header_has_a_role_outside_an_article_only(window, hand, path):
    nodes = window.session.open.page.rendered()
    headers = [r for r in range(len(nodes)) if nodes.name_of(r) == "header"]
    assert [role_of(nodes, each) for each in headers] == ["banner", ""]


@pytest.mark.web
def test_a_narrow_panel_hides_the_outer_elements(window, hand, qtbot, path):
    frame(window, qtbot, path, row_named(window.session.open.page, "p"))
    path.crumbs.resize(path.crumbs.buttons[4].sizeHint().width() + 20, 30)
    assert [b.isVisibleTo(path.crumbs) for b in path.crumbs.buttons[:5]] == [False] * 4 + [True]


@pytest.mark.web
def test_another_page_empties_the_path(window, hand, qtbot, path):
    frame(window, qtbot, path, row_named(window.session.open.page, "p"))
    hand.open("<p>Other", "other.html")
    qtbot.waitUntil(lambda: not shown(path))
    press(hand, Qt.Key.Key_P, Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier)
    assert path.isHidden()


@pytest.mark.web
def test_the_methods_of_a_large_page_are_asked_beside_the_window(
    window, hand, qtbot, path, monkeypatch
):
    row = row_named(window.session.open.page, "p")
    frame(window, qtbot, path, row)
    qtbot.waitUntil(lambda: "Kept" in path.methods.text())
    text = path.methods.text()
    monkeypatch.setattr(panel, "LARGE", 1)
    path.refresh()
    assert path.methods.text() == "…"
    qtbot.waitUntil(lambda: not path.is_busy)
    assert path.methods.text() == text
