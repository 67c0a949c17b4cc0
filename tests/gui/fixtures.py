"""Fixtures: `window`, reused, or `new_window`; `session` with gold on a page."""

import pytest

from tests.gui.parts import make_window, session_on_page
from tests.gui.reused_window import WindowPool


@pytest.fixture
def window_size():
    """Return width and height, px; a module that needs another size overrides it."""
    return 1300, 850


@pytest.fixture
def new_window(qtbot, tmp_path, window_size):
    """Return a new window of `window_size` without a page."""
    made = make_window(tmp_path)
    qtbot.addWidget(made)
    made.resize(*window_size)
    qtbot.waitExposed(made)
    yield made
    made.close_down()


@pytest.fixture(scope="session")
def windows(qapp, tmp_path_factory):
    """Return the pool of the window that all tests of a process share."""
    pool = WindowPool(tmp_path_factory.mktemp("windows"))
    yield pool
    pool.close()


@pytest.fixture
def window(request, windows, qtbot, window_size):
    """Return a window as new with an empty workspace; `new_window` is for storing or starting."""
    made = windows.take(window_size)
    before = windows.uses - 1
    words = f"reused: {before} tests had it before" if before else f"new; {windows.refused}"
    request.node.add_report_section("setup", "window", words.rstrip("; "))
    qtbot.waitExposed(made)
    yield made
    windows.give_back()


@pytest.fixture
def session():
    """Return a session with gold on a page, without a browser."""
    return session_on_page()
