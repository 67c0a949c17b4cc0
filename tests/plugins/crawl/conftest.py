"""A server to crawl."""

import pytest

from tests.town import Town


@pytest.fixture
def town():
    """A server without pages yet."""
    result = Town()
    yield result
    result.end()
