"""Merging with a copy in which types were renamed, or which went on with the former ones."""

import json
import random
import shutil
import sqlite3
from contextlib import closing

import pytest

from annotate.plugins.team_work.merging import merge
from annotate.workspace.retyping import name_of, retype, take_back
from annotate.workspace.workspace import Workspace
from tests.oracles.test_types_everywhere import (
    IDS,
    counted,
    mark_some,
    nodes_of,
    replayed,
    rows,
    workspace_at,
)


@pytest.fixture(scope="module")
def nodes():
    return nodes_of("".join(f"<p id={each}>Text {each} of the quay</p>" for each in IDS))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("who", ["here", "there", "both", "undone"])
def test_merging_a_continued_copy_keeps_all_marks(tmp_path, nodes, seed, who):
    """A teammate goes on with a copy while types are renamed here, there or in both."""
    here = workspace_at(tmp_path / "here.pagelet", nodes, seed, ("",))
    there = tmp_path / "there.pagelet"
    shutil.copy(here, there)
    for path, acts in ((here, who != "there"), (there, who in ("there", "both"))):
        with Workspace.open(path) as workspace:
            with workspace.store.saving():
                if acts:
                    retype(workspace.store, "Menu", "Navigation")
            if who == "undone" and acts:
                with workspace.store.saving():
                    take_back(workspace.store, name_of("Menu", "Navigation"))
            if path == there:
                mark_some(workspace, nodes, random.Random(seed + 50), 6)
    ids = {row[1] for path in (here, there) for row in rows(path)}
    merge([there], here)
    merged = rows(here)
    kept = {row[1] for row in merged}
    with closing(sqlite3.connect(there)) as db:
        dropped = {
            each
            for (delta,) in db.execute("SELECT delta FROM changes")
            for each in json.loads(delta)["drop"]
        }
    assert ids - dropped <= kept
    assert replayed(here) == []
    with Workspace.open(here) as workspace:
        assert len(workspace.annotators) == 1  # one line of work, none beside it
    assert merge([there], here).marks == 0
    assert rows(here) == merged
    if who in ("here", "both"):
        assert counted(here)[0]["Menu"] == 0
