"""The documentation in the window: opened by Help, searched, browsed and closed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest

from gui.features.evaluate.view import EvaluateView
from gui.features.help.controller import HelpController
from gui.features.help.view import HelpView
from gui.features.pages.panel import PagesDock
from gui.window.actions import ACTIONS
from gui.window.features import FEATURES
from resources.documentation import PAGES, SITE, build_site

pytestmark = pytest.mark.web

_THEME = "document.body && document.body.dataset.theme"


@pytest.fixture(scope="session", autouse=True)
def site():
    """Build the documentation where Help opens it, if it is missing."""
    pytest.importorskip("furo")
    if not (SITE / "index.html").is_file():
        assert build_site(SITE) == ""


@pytest.fixture
def help_view(window):
    window.actions_["guide"].trigger()
    return window.main_area.get(HelpView)


def answer(qtbot, view, script):
    answers = []
    view.page.runJavaScript(script, answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    return answers[0]


def wait_for(qtbot, view, words):
    """Wait until the page shown has these words in its text."""

    def is_there():
        text = answer(qtbot, view, "document.body ? document.body.innerText : ''")
        assert words in (text or "")

    qtbot.waitUntil(is_there, timeout=15_000)


def test_every_entry_of_the_help_menu_opens_an_existing_page():
    targets = [a.arguments[0] for a in ACTIONS if a.run is HelpController.open]
    assert len(targets) > 5
    assert set(targets) <= set(PAGES)


def test_every_feature_names_an_existing_page_of_the_guide():
    assert {each.name: each.guide for each in FEATURES if each.guide not in PAGES} == {}


def test_help_opens_the_page_about_the_focused_widget(window):
    guide_of = window.workbench.get(HelpController).guide_of
    assert guide_of(window.panel(PagesDock)) == "pages.md"
    assert guide_of(window.workbench.canvas.view) == "marking.md"
    assert guide_of(None) == "start.md"


def test_a_link_opens_another_page_and_alt_left_goes_back(window, help_view, qtbot):
    window.workbench.get(HelpController).open("glossary.md")
    wait_for(qtbot, help_view, "What a reader came for".lower())
    answer(qtbot, help_view, "document.querySelector('article a[href*=measures]').click(), 1")
    wait_for(qtbot, help_view, "of many pages")
    qtbot.waitUntil(lambda: help_view.title.text() == "Measures")
    QTest.keyClick(help_view.view, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    wait_for(qtbot, help_view, "what a reader came for")


def test_a_search_lists_and_opens_results_and_escape_closes_help(window, help_view, qtbot):
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is help_view.search
    QTest.keyClicks(help_view.search, "landmarks")
    QTest.keyClick(help_view.search, Qt.Key.Key_Return)
    wait_for(qtbot, help_view, "Search finished")
    in_results = "document.activeElement.closest('ul.search li') !== null"
    qtbot.waitUntil(lambda: answer(qtbot, help_view, in_results), timeout=15_000)
    QTest.keyClick(help_view.view.focusProxy(), Qt.Key.Key_Return)
    left = "document.body !== null && !location.pathname.endsWith('search.html')"
    qtbot.waitUntil(lambda: answer(qtbot, help_view, left), timeout=15_000)
    wait_for(qtbot, help_view, "landmarks")
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.main_area.is_covered


def test_escape_returns_to_the_table_that_help_was_opened_from(window, qtbot):
    window.main_area.toggle(EvaluateView)
    window.actions_["guide"].trigger()
    assert window.main_area.shows(HelpView)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.main_area.shows(EvaluateView)


@pytest.mark.slow
def test_help_has_the_theme_of_the_window(window, help_view, qtbot):
    for theme in ("dark", "light"):
        window.themes.choose(theme)
        qtbot.waitUntil(lambda theme=theme: answer(qtbot, help_view, _THEME) == theme, timeout=9000)


def test_help_loads_nothing_from_outside_and_opens_web_links_on_the_desktop(
    window, help_view, qtbot, monkeypatch
):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    window.workbench.get(HelpController).open("about.md")
    wait_for(qtbot, help_view, "Chromium")
    before = help_view.page.url()
    answer(qtbot, help_view, "location.href = 'https://example.org/', 1")
    qtbot.waitUntil(lambda: opened == ["https://example.org/"])
    answer(qtbot, help_view, "location.href = 'file:///etc/hostname', 1")
    failed = "fetch('https://example.org/').then(() => window.got = 1, () => window.got = 0), 1"
    answer(qtbot, help_view, failed)
    qtbot.waitUntil(lambda: answer(qtbot, help_view, "String(window.got)") == "0")
    assert help_view.page.url() == before


def test_help_opens_at_the_first_steps_without_a_page_and_escape_closes_it(window, qtbot):
    QTest.keyClick(window, Qt.Key.Key_F1)
    shown = window.main_area.get(HelpView)
    qtbot.waitUntil(lambda: shown.page.url().fragment() == "3-mark", timeout=15_000)
    wait_for(qtbot, shown, "Mark")
    QTest.keyClick(shown.view.focusProxy(), Qt.Key.Key_Escape)
    assert not window.main_area.is_covered
    assert window.empty.isVisible()
