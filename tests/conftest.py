"""What every test needs: Qt without a screen, and the folder of data sets."""

import os
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
if hasattr(os, "geteuid") and os.geteuid() == 0:
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

pytest_plugins = ["tests.hand"]  # imported after the lines above: they must come before Qt
REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def datasets() -> Path:
    """The folder of real pages with gold; the test is skipped where there is none."""
    folder = Path(os.environ.get("PAGELET_DATA", REPOSITORY.parent / "shared" / "datasets"))
    if not folder.is_dir():
        pytest.skip("no data sets: set PAGELET_DATA to the folder that holds kreuzer-random")
    return folder
