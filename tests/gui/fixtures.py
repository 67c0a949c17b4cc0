"""Fixtures: `window`, the whole one, and `session`, with gold on a page."""

import pytest

from tests.gui.parts import make_window, session_on_page


@pytest.fixture
def window_size():
    """Width and height, px; a module that looks at another size overrides it."""
    return 1300, 850


@pytest.fixture
def window(qtbot, tmp_path, window_size):
    """Of `window_size`, no page open."""
    made = make_window(tmp_path)
    qtbot.addWidget(made)
    made.resize(*window_size)
    qtbot.waitExposed(made)
    yield made
    made.close_down()


@pytest.fixture
def session():
    """With gold on a page, without a browser."""
    return session_on_page()
