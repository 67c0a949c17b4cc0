"""Test hostile sample workspaces and settings."""

import os
import shutil
from pathlib import Path

import pytest

from algorithms.core.attempt import OutcomeStatus, attempt
from algorithms.plugins.external.declared import read_declared
from engine.page import Page
from engine.source import Source

pytestmark = pytest.mark.data


MARK = "PAGELET_HOSTILE_FILES"


def running(mark):
    """Return the other processes that have this mark in their environment."""
    result = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                environment = (folder / "environ").read_bytes()
            except OSError:
                continue
            if mark.encode() in environment:
                result.append(int(folder.name))
    return result


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/environ").is_file(), reason="finds processes by /proc")
def test_commands_that_hang_fork_or_flood_fail_and_leave_no_processes(
    hostile, tmp_path, monkeypatch
):
    monkeypatch.setenv(MARK, mark := tmp_path.name + "-mine")
    settings = Path(shutil.copy(hostile / "methods.toml", tmp_path))
    methods, problems = read_declared(settings)
    assert methods
    assert all("\n" not in problem for problem in problems)
    page = Page("page", Source.from_text("<p>harbour <b>ferry</b>"))
    failed = 0
    for entry in methods:
        params = entry.params(**{**entry.params().as_dict(), "seconds": 1.0})
        outcome = attempt(entry, page, params, "original")
        if outcome.status is OutcomeStatus.FAILED:
            failed += 1
            assert outcome.error
            assert "\n" not in outcome.error
    assert failed >= len(methods) / 2
    assert not running(mark)
