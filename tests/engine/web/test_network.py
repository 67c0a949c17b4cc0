"""Test that a local page cannot send anything to the network.

Runs in a new network namespace with listeners in place of other hosts (`alone.py`).
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.web, pytest.mark.long]

HERE = Path(__file__).parent


def what_got_out(mode, *files):
    """Show the evil page in a new network namespace; return what the listeners received."""
    try:
        subprocess.run(["unshare", "-n", "true"], check=True, capture_output=True, timeout=10)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no network namespace can be made here: {error}")
    answer = subprocess.run(
        ["unshare", "-n", sys.executable, str(HERE / "alone.py"), mode, *map(str, files)],
        cwd=HERE.parents[2],
        env={**os.environ, "PYTHONPATH": str(HERE.parents[2])},
        capture_output=True,
        timeout=90,
    )
    assert answer.returncode == 0, answer.stderr.decode()[-2000:]
    return json.loads(answer.stdout.decode().splitlines()[-1])


def test_listeners_see_requests_that_are_not_blocked():
    seen = what_got_out("loose")
    assert seen["tcp"] > 5
    assert seen["near"] > 0
    assert seen["dns"] > 0


def test_an_offline_process_sends_nothing():
    seen = what_got_out("offline")
    assert (seen["tcp"], seen["near"], seen["udp"], seen["dns"]) == (0, 0, 0, 0)
    assert seen["refused"] > 10
    assert seen["is read"]


@pytest.mark.data
def test_the_egress_sample_sends_no_packet(hostile):
    seen = what_got_out("offline", hostile / "egress.html")
    assert seen["packets"] == 0, seen
    assert seen["refused"] > 10
    assert seen["nodes"] > 3


@pytest.mark.parametrize("mode", ["online", "after live"])
def test_a_local_page_in_an_online_process_sends_nothing(mode):
    seen = what_got_out(mode)
    assert (seen["tcp"], seen["near"], seen["udp"], seen["dns"]) == (0, 0, 0, 0)
    assert seen["refused"] > 10
    assert seen["is read"]


def test_a_frozen_page_is_replayed_without_connections():
    """Replay it in an online process and in the offline one that certifies it."""
    seen = what_got_out("replay")
    assert (seen["tcp"], seen["near"], seen["udp"], seen["dns"]) == (0, 0, 0, 0)
    assert seen["is read"]


def test_a_process_for_local_servers_sends_nothing_to_other_hosts():
    seen = what_got_out("near")
    assert (seen["tcp"], seen["udp"], seen["dns"]) == (0, 0, 0)
    assert seen["is read"]
