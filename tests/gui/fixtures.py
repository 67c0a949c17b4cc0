"""Fixtures: `window`, the whole one, used again or `new_window`; `session`, gold on a page."""

import pytest

from tests.gui.parts import make_window, session_on_page
from tests.gui.reused_window import WindowPool


@pytest.fixture
def window_size():
    """Width and height, px; a module that looks at another size overrides it."""
    return 1300, 850


@pytest.fixture
def new_window(qtbot, tmp_path, window_size):
    """Of `window_size`, no page open."""
    made = make_window(tmp_path)
    qtbot.addWidget(made)
    made.resize(*window_size)
    qtbot.waitExposed(made)
    yield made
    made.close_down()


@pytest.fixture(scope="session")
def windows(qapp, tmp_path_factory):
    """The window of all tests of a process."""
    pool = WindowPool(tmp_path_factory.mktemp("windows"))
    yield pool
    pool.close()


@pytest.fixture
def window(windows, qtbot, window_size):
    """As new, with an empty workspace; `new_window` where storing or starting is the point."""
    made = windows.take(window_size)
    qtbot.waitExposed(made)
    yield made
    windows.give_back()


@pytest.fixture
def session():
    """With gold on a page, without a browser."""
    return session_on_page()
