"""The process that renders for the library ends with the tests that used it."""

import pagelet
import pytest


@pytest.fixture(scope="session", autouse=True)
def _ends_rendering():
    yield
    pagelet.close()
