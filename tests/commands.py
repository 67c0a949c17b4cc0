"""Commands as methods, for tests of what goes wrong in a method."""

import sys

import pytest

from algorithms.core import catalogue
from engine.processes.foreign import close_workers


@pytest.fixture
def declare(tmp_path, monkeypatch):
    """Declares Python code as methods for this test, also for the processes it starts."""
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path))

    def write(**codes):
        entries = (
            f"[command.{key}]\nrun = [{sys.executable!r}, '-c', {code!r}]\nseconds = 20\n"
            for key, code in codes.items()
        )
        (tmp_path / "methods.toml").write_text("\n".join(entries))
        catalogue._others.cache_clear()

    yield write
    close_workers()
    catalogue._others.cache_clear()
