"""Test hostile sample workspaces and settings."""

import shutil
from pathlib import Path

import pytest

from annotate.workspace.workspace import Workspace
from engine.errors import PageletError
from tests.fuzz import files
from tests.fuzz.methods import told

pytestmark = pytest.mark.data


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
