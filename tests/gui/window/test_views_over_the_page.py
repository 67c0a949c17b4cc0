"""Views that cover the page."""

import re

import pytest

from gui.core.main_area import Room
from gui.widgets.theme import LIGHT, style_sheet
from tests.gui.parts import make_window


@pytest.fixture
def window(tmp_path, qtbot):
    made = make_window(tmp_path)
    yield made
    made.close_down()
    made.close()
    made.deleteLater()


def test_views_over_the_page_have_an_opaque_background(window):
    filled = {
        name
        for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", style_sheet(LIGHT))
        if re.search(r"(?<![-\w])background: #\w{6}", body)
        for name in re.findall(r"#(\w+)(?=,|\s*$)", selectors.strip())
    }
    views = [window.main_area.get(kind) for kind in window.main_area.kinds]
    over = [each.widget.objectName() for each in views if each.room is Room.OVER_PAGE]
    assert len(over) >= 5
    assert set(over) <= filled
