"""Journals and logs next to a workspace: only its own are used, and no mark is lost."""

import sys
import time
from pathlib import Path

import pytest

from annotate.plugins.team_work.merging import merge
from annotate.workspace import backups, side_files
from annotate.workspace.store import Store
from annotate.workspace.workspace import Workspace
from engine.errors import WorkspaceError
from tests.annotate import journals
from tests.annotate.journals import NO_FILES, changes, journal, states
from tests.annotate.workspace.test_settling import beside, notice

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="makes pipes and links")


@pytest.fixture
def path(tmp_path):
    """Return a workspace with seven saves."""
    result = tmp_path / "here" / "w.pagelet"
    result.parent.mkdir()
    result.write_bytes(states()[6])
    return result


@pytest.fixture
def victim(tmp_path):
    result = tmp_path / "thesis.txt"
    result.write_text("a year of work\n")
    return result


@pytest.mark.parametrize("ending", side_files.ENDINGS)
@pytest.mark.parametrize("kind", NO_FILES)
def test_side_files_that_are_not_plain_files_are_refused_everywhere(path, victim, kind, ending):
    NO_FILES[kind](Path(f"{path}{ending}"), victim)
    start = time.monotonic()
    for door in (Workspace.open, Workspace.reading, Store.rehearsing, backups.rotate,
                 lambda path: merge([path], path.with_name("m.pagelet"))):  # fmt: skip
        with pytest.raises(WorkspaceError, match=rf"w\.pagelet{ending} .*not a plain file"):
            door(path)
    assert time.monotonic() - start < 5
    assert victim.read_text() == "a year of work\n"
    assert path.read_bytes() == states()[6]


def test_conflicted_copies_do_not_change_the_workspace_and_can_be_merged(path):
    """The names are those of Dropbox, Nextcloud and Syncthing."""
    for number, name in enumerate(("w (conflicted copy).pagelet", "w.sync-conflict-1-A.pagelet")):
        copy = path.with_name(name)
        copy.write_bytes(states()[3 + number])
        beside(copy, journal(states()[0], states()[1]))
    notice(path)
    assert changes(path) == journals.saved(states()[6])
    merged = path.with_name("merged.pagelet")
    merge([path, *path.parent.glob("w?*.pagelet")], merged)
    assert len(changes(merged)) >= 7
