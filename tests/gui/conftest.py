"""Fixture `window`: the whole window, on an empty workspace."""

import pytest

from tests.gui.parts import make_window


@pytest.fixture
def window(qtbot, tmp_path):
    """1300 × 850 px, no page open."""
    made = make_window(tmp_path)
    qtbot.addWidget(made)
    made.resize(1300, 850)
    qtbot.waitExposed(made)
    yield made
    made.close_down()
