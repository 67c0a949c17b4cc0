"""Fixtures: `window`, the whole one, new or `shared_window`; `session`, with gold on a page."""

import pytest

from tests.gui.parts import make_window, session_on_page, tidy


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


@pytest.fixture
def window(new_window):
    """A new one for each test; a module that takes `shared_window` for it is quicker."""
    return new_window


@pytest.fixture(scope="module")
def one_window(qapp, tmp_path_factory):
    made = make_window(tmp_path_factory.mktemp("window"))
    made.resize(1300, 850)
    yield made, made.saveState()
    made.close_down()
    made.close()
    made.deleteLater()


@pytest.fixture
def shared_window(one_window, qtbot):
    """One for all tests of a module, tidied before each; a module takes it as its `window`.

    Pages must be files of the test's own: what is marked and set in the workspace stays.
    """
    made, docks = one_window
    made.activateWindow()
    qtbot.waitExposed(made)
    tidy(made)
    made.restoreState(docks)
    return made


@pytest.fixture
def session():
    """With gold on a page, without a browser."""
    return session_on_page()
