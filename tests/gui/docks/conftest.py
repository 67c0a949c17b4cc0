"""Fixtures `session`, with gold on a page, and `host`, which notes what it is asked."""

import pytest

from tests.gui.parts import Asked, session_on_page


@pytest.fixture
def session():
    return session_on_page()


@pytest.fixture
def host():
    return Asked()
