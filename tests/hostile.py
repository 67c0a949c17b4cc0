"""Fixture `hostile`: the folder of pages made to break a browser, outside the repository."""

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def hostile() -> Path:
    """The folder of hostile pages; the test is skipped where there is none."""
    given = os.environ.get("PAGELET_HOSTILE")
    folder = Path(given) if given else REPOSITORY.parent / "shared" / "hostile"
    if not folder.is_dir():
        pytest.skip("no hostile pages: set PAGELET_HOSTILE to the folder that holds them")
    return folder
