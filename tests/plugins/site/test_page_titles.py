"""Titles of pages are read before the pages are opened."""

import pytest
from PySide6.QtWidgets import QListView

from gui.features.evaluate.view import EvaluateView
from gui.features.pages.panel import PagesDock
from gui.plugins.site.view import SiteView
from tests.gui.parts import make_window

pytestmark = pytest.mark.web


def test_titles_of_all_pages_of_a_folder_are_shown_in_all_lists(qtbot, tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(3):
        (folder / f"a81{number}f.html").write_text(f"<title>Tea &amp; cakes {number}</title><p>Tea")
    (folder / "none.html").write_text("<html><p>No title")
    window = make_window(tmp_path)
    qtbot.addWidget(window)
    workbench = window.workbench
    workbench.navigation.open_path(str(folder))
    qtbot.waitUntil(lambda: not workbench.pages.titles.is_busy, timeout=20_000)
    expected = ["Tea & cakes 0", "Tea & cakes 1", "Tea & cakes 2", "none.html"]
    documents = window.session.documents
    assert [workbench.pages.title(document) for document in documents] == expected
    shown = window.panel(PagesDock).findChild(QListView).model()
    assert [shown.index(k, 0).data() for k in range(4)] == expected
    assert list(window.main_area.get(SiteView).state.names) == expected
    model = window.main_area.get(EvaluateView).model
    qtbot.waitUntil(lambda: [page.title for page in model.shown.table.pages] == expected)
    assert window.windowTitle() == "Tea & cakes 0 – Pagelet"
    window.close_down()
