"""A plugin of pytest: files in which plug-ins find tests (`Plugin.tests`).

``pytest`` loads it automatically where Pagelet is installed.  Of Pagelet it imports the
declarations of plug-ins alone, and these with the first file that pytest comes upon.
"""

from pathlib import Path
from types import FunctionType

import pytest

TRUST = "--pagelet-trust"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the option that lets code run which files of tests name."""
    parser.getgroup("pagelet").addoption(
        TRUST, action="store_true", help="let the code that files of Pagelet's tests name run"
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Return the tests that a plug-in finds in a file; None where there is none."""
    if file_path.suffix != ".json":
        return None
    from engine import plugin

    collected = (find(file_path, parent) for find in plugin.objects("tests", FunctionType))
    return next((each for each in collected if each is not None), None)
