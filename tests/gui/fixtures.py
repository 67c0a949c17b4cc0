"""Fixtures: `window`, the whole one, `shared_window`, and `session`, with gold on a page."""

import pytest

from tests.gui.parts import make_window, session_on_page, tidy


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


@pytest.fixture(scope="module")
def one_window(qapp, tmp_path_factory):
    made = make_window(tmp_path_factory.mktemp("window"))
    made.resize(1300, 850)
    yield made
    made.close_down()
    made.close()
    made.deleteLater()


@pytest.fixture
def shared_window(one_window, qtbot):
    """One for all tests of a module, tidied before each; a module takes it as its `window`.

    Pages must be files of the test's own: what is marked and set in the workspace stays.
    """
    one_window.activateWindow()
    qtbot.waitExposed(one_window)
    tidy(one_window)
    return one_window


@pytest.fixture
def session():
    """With gold on a page, without a browser."""
    return session_on_page()
