"""A server to crawl."""

import pytest

from tests.town import Town


@pytest.fixture
def town():
    """Serve a site that has no pages yet."""
    result = Town()
    yield result
    result.end()
