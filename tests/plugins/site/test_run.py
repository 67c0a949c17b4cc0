"""Evaluating the open pages for real: worker processes, progress, stopping, going on."""

import shutil

import pytest
from PySide6.QtCore import Qt

from gui.features.evaluate.view import EvaluateView
from gui.plugins.site.view import SiteView
from resources import path
from tests.children import living
from tests.features.evaluate.test_run import METHODS, PAGES
from tests.hand import Hand

pytestmark = pytest.mark.web


@pytest.fixture
def window(new_window):
    """Return a new window: each test creates the view, which stays."""
    return new_window


@pytest.fixture
def others():
    """Return the processes that earlier tests have not yet ended."""
    return living()


@pytest.fixture
def table(others, window, qtbot, tmp_path, monkeypatch):
    """Return the table of three sample pages with gold and without snapshots."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in PAGES:
        for ending in ("html", "gold.json"):
            shutil.copy(path("corpus") / name / f"index.{ending}", folder / f"{name}.{ending}")
    session = window.session
    session.layers.set_layers(tuple(layer for layer in session.layers.all if layer.is_gold))
    for key in METHODS:
        session.layers.add_method(key)
    Hand(window.workbench, qtbot, tmp_path).open_path(folder)
    qtbot.keyClick(window, Qt.Key.Key_F8)
    return window.main_area.get(EvaluateView)


def test_an_opened_view_starts_no_process_and_another_replaces_it(others, window, table):
    assert window.main_area.shows(EvaluateView)
    assert not window.main_area.get(SiteView).isVisible()
    assert living() <= others
    window.main_area.toggle(SiteView)
    assert window.main_area.get(SiteView).isVisible()
    assert not table.isVisible()
