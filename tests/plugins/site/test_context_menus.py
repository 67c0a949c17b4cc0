"""Context menus: the entries at each place of the window, by real events."""

import pytest
from PySide6.QtWidgets import QApplication

from gui.plugins.site.view import SiteView
from gui.state.selection import Mode
from tests.gui.parts import DOCUMENTS, GOLD, make_window
from tests.gui.window.test_context_menus import PAGE, _is_open, offered, right_click


@pytest.fixture(scope="module")
def shared(tmp_path_factory, qapp):
    """Return a window with a page that no browser has rendered."""
    made = make_window(tmp_path_factory.mktemp("menus"))
    made.resize(1300, 850)
    yield made
    made.close_down()
    made.close()
    made.deleteLater()


@pytest.fixture
def window(shared):
    session = shared.session
    shared.main_area.show_page()
    session.set_documents(DOCUMENTS)
    session.set_document(DOCUMENTS[0])
    session.set_page(PAGE, GOLD)
    session.selection.set_mode(Mode.SELECT)
    session.layers.set_current_layer(session.layers.all[0].key)
    yield shared
    if shared.context_menus.menu is not None and _is_open(shared):
        shared.context_menus.menu.close()
        QApplication.sendPostedEvents(None, 52)  # DeferredDelete


def test_a_right_click_selects_a_tile_of_the_site_view_and_offers_to_open_it(window):
    window.actions_["site"].trigger()
    view = window.main_area.get(SiteView)
    tiles = view.thumbnails
    tiles.resize(600, 500)
    right_click(tiles.viewport(), tiles.rect_of(2).center())
    assert view.state.selected == {2}
    assert offered(window)[:2] == ["site-open", "site-cluster"]
