"""Test that killing the program at any moment loses nothing that was on screen."""

import json
import multiprocessing
import os
import random
import signal
import time

import pytest

from annotate.workspace.workspace import Workspace
from tests.annotate.pages import gold_at
from tests.e2e import scribe

KILLS = 50


@pytest.mark.long
def test_fifty_kills_lose_no_mark_that_was_shown(tmp_path):
    """One workspace, killed again and again.

    After a kill the workspace has the state shown last, or one more change that was saved
    but not yet shown.
    """
    path = tmp_path / "marks.pagelet"
    nodes = scribe.page()
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(["tests.e2e.scribe"])
    chance = random.Random(7)
    shown, changes, ahead = 0, 0, 0
    for kill in range(KILLS):
        ours, theirs = server.Pipe(duplex=False)
        program = server.Process(target=scribe.run, args=(path, kill, theirs), daemon=True)
        program.start()
        theirs.close()
        last = json.loads(ours.recv_bytes())
        end = time.monotonic() + chance.uniform(0.0, 0.1)
        while time.monotonic() < end:
            if ours.poll(max(0.0, end - time.monotonic())):
                last = json.loads(ours.recv_bytes())
                shown += 1
        assert program.is_alive()
        os.kill(program.pid, signal.SIGKILL)
        program.join()
        try:
            while True:
                last = json.loads(ours.recv_bytes())
                shown += 1
        except (EOFError, OSError):
            pass  # the end, or half a state: that one was not shown
        ours.close()
        with Workspace.open(path, create=False) as workspace:
            result = scribe.shown(workspace.load_gold(scribe.KEY, nodes))
            number = len(workspace.history(scribe.KEY))
            assert scribe.shown(gold_at(workspace, scribe.KEY, number, nodes)) == result
            if result != last:
                before = gold_at(workspace, scribe.KEY, number - 1, nodes)
                assert scribe.shown(before) == last
                ahead += 1
            changes = number
    print(f"{KILLS} kills, {shown} states shown, {changes} changes kept, {ahead} a change ahead")
    assert changes > KILLS
