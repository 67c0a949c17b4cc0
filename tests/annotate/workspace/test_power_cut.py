"""A power cut at any write loses neither an acknowledged mark nor the file."""

import json
import random
import sqlite3
import sys
from contextlib import closing

import pytest

from annotate.marks.gold import Gold
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.errors import PageletError
from tests.annotate.disk import Disk, recorded
from tests.e2e.scribe import KEY, change, page, shown

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reaches into SQLite as on Linux")

SAVES = 8
"""In each of three rounds; between them the workspace is closed, then checkpointed while open."""


@pytest.mark.slow
def test_acknowledged_marks_survive_a_power_cut_at_any_write(tmp_path):
    nodes, dice = page(), random.Random(20130613)
    with recorded() as disk:
        states = marked(tmp_path / "marks.pagelet", disk, dice)
    begun = next(k for k, event in enumerate(disk.events) if event.what == "said")
    cuts = 0
    acknowledged = 0
    for count in range(begun + 1, len(disk.events) + 1):
        if disk.events[count - 1].what == "said":
            acknowledged = int(disk.events[count - 1].path)
        allowed = states[acknowledged : acknowledged + 2]  # the mark being saved may be there
        variants = (
            disk.left(count, None),
            disk.left(count, dice),
            disk.left(count, dice, torn=True),
        )
        for files in variants:
            folder = tmp_path / f"cut-{cuts}"
            folder.mkdir()
            for name, data in files.items():
                (folder / name).write_bytes(data)
            with Workspace.open(folder / "marks.pagelet", create=False) as workspace:
                result = json.dumps(shown(workspace.load_gold(KEY, nodes)))
            assert result in allowed, f"cut {cuts}, behind {disk.events[count - 1].what} {count}"
            cuts += 1
    print(f"{cuts} cuts behind {len(disk.events)} events, {len(states) - 1} marks kept")


def marked(path, disk: Disk, dice: random.Random) -> list[str]:
    """Mark a page in a new workspace; return its states in the order of acknowledgement."""
    nodes, gold = page(), Gold()
    states = [json.dumps(shown(gold))]
    for phase in range(3):
        workspace = Workspace.open(path)
        workspace.add_pages([Document(KEY, KEY)])
        gold = workspace.load_gold(KEY, nodes)
        disk.say(str(len(states) - 1))
        for save in range(SAVES):
            if phase == 2 and save == SAVES // 2:
                with closing(sqlite3.connect(path)) as other:
                    other.execute("PRAGMA wal_checkpoint(RESTART)")
            gold = changed(gold, nodes, dice)
            states.append(json.dumps(shown(gold)))
            workspace.save_gold(KEY, gold, nodes, "mark")
            disk.say(str(len(states) - 1))
        workspace.close()
    return states


def changed(gold: Gold, nodes, dice: random.Random) -> Gold:
    """Return the gold after a random change."""
    while True:
        try:
            after = change(gold, nodes, dice)
        except PageletError:
            continue
        if after != gold:
            return after
