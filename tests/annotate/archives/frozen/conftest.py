"""Fixture: a frozen page that tests may read but not change."""

import pytest

from tests.annotate.archives.frozen.pages import write_frozen, write_page


@pytest.fixture(scope="session")
def frozen_hard(browser, tmp_path_factory):
    """Return the file of the page that is hard to freeze, and its certificate."""
    folder = tmp_path_factory.mktemp("hard")
    out = folder / "hard.wacz"
    return out, write_frozen(browser, write_page(folder / "page"), out)
