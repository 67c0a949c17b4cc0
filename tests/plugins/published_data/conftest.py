"""One browser for all tests of published data."""

import pytest

from engine.web.headless import Browser


@pytest.fixture(scope="session")
def browser(qapp):
    with Browser() as browser:
        yield browser
