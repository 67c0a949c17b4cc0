"""What every test needs: Qt without a screen, and the folder of data sets."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes says more of the machine than of the code; seeds are fixed, so that a
# red run can be looked at, and every example that failed once is kept in the test itself.
settings.register_profile(
    "pagelet", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("pagelet")

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
if hasattr(os, "geteuid") and os.geteuid() == 0:
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

# Imported after the lines above: those must come before Qt.
pytest_plugins = ["tests.hand", "tests.commands"]
REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def datasets() -> Path:
    """The folder of real pages with gold; the test is skipped where there is none."""
    folder = Path(os.environ.get("PAGELET_DATA", REPOSITORY.parent / "shared" / "datasets"))
    if not folder.is_dir():
        pytest.skip("no data sets: set PAGELET_DATA to the folder that holds kreuzer-random")
    return folder
