"""Test hostile sample workspaces and settings."""

import os
import shutil
from pathlib import Path

import pytest

from algorithms.core.attempt import OutcomeStatus, attempt
from algorithms.plugins.external.declared import declared
from annotate.workspace.workspace import Workspace
from engine.errors import PageletError
from engine.page import Page
from engine.source import Source
from tests.fuzz import files
from tests.fuzz.methods import told

pytestmark = pytest.mark.data

MARK = "PAGELET_HOSTILE_FILES"


@pytest.mark.parametrize(
    ("name", "is_damaged"),
    [("badrec2", True), ("badset", False), ("workspace-flipped-bytes", True)],
)
def test_only_damaged_workspaces_are_opened_for_reading_only(hostile, tmp_path, name, is_damaged):
    path = Path(shutil.copy(hostile / f"{name}.pagelet", tmp_path))
    before = path.read_bytes()
    nodes = files.nodes()
    with Workspace.open(path) as workspace:
        assert ("is damaged and open for reading only" in workspace.damage) == is_damaged
        assert workspace.pages()
        for entry in workspace.pages():
            workspace.load_gold(entry.key, nodes)
        try:
            workspace.setting("layers")
        except PageletError as error:
            told(error)
    assert (path.read_bytes() == before) == is_damaged  # what is whole is brought up to date


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
    methods, problems = declared(settings)
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
