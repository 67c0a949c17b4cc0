"""Test that killing an evaluation in shards keeps finished shards and repeats at most one."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from resources import path
from tests.without_times import without_times

ROOT = Path(__file__).resolve().parents[2]


def command(*words):
    return [sys.executable, "-m", "gui.cli.main", *map(str, words)]


def part(out, *more):
    return command(
        "evaluate", path("corpus"), "--methods", "plain,bte", "--out", out, "--jobs", 1,
        "--shard", "1/1", "--shard-pages", 2, *more,
    )  # fmt: skip


def marks(out):
    return {file.name: file.stat().st_mtime_ns for file in (out / "shards").glob("*.done")}


def processes_of(group):
    result = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] != "Z":
                result.append(int(entry.name))
    return result


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="counts processes by /proc")
def test_resuming_after_kills_keeps_all_shards_and_repeats_at_most_one(tmp_path):
    subprocess.run(command("evaluate", path("corpus"), "--methods", "plain,bte", "--report", "none",
                           "--out", tmp_path / "whole"), cwd=ROOT, check=True,
                   capture_output=True)  # fmt: skip
    out, chance, kills, begun = tmp_path / "killed", random.Random(3), 0, 0
    while len(marks(out)) < 8:
        before = marks(out)
        run = subprocess.Popen(
            part(out, "--resume"), cwd=ROOT, start_new_session=True, stderr=subprocess.DEVNULL
        )
        expected = len(before) + chance.randint(1, 3)
        while len(marks(out)) < expected and run.poll() is None:
            time.sleep(0.005)
        if run.poll() is None and chance.random() < 0.5:
            run.kill()  # the evaluation alone: its workers must end by themselves
        elif run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        kills += run.returncode == -signal.SIGKILL
        end = time.monotonic() + 10
        while processes_of(run.pid) and time.monotonic() < end:
            time.sleep(0.01)
        assert processes_of(run.pid) == []
        now = marks(out)
        assert {name: now[name] for name in before} == before, "a shard was lost or done again"
        begun += len(now) - len(before) + (run.returncode != 0)
    print(f"{kills} kills; {begun} shards begun for 8")
    assert kills >= 2
    assert begun <= 8 + kills
    merge = command("merge", out, "--out", tmp_path / "merged", "--report", "none")
    subprocess.run(merge, cwd=ROOT, check=True, capture_output=True)
    for name in ("scores.csv", "summary.csv"):
        assert without_times(tmp_path / "merged" / name) == without_times(tmp_path / "whole" / name)
