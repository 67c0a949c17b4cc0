"""Five processes write at once, are killed and restarted, while folders are copied."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from itertools import permutations
from pathlib import Path

import pytest

from annotate.plugins.team_folder.membership import membership
from annotate.workspace.store import Store
from tests.plugins.team_folder.parts import contents, logs, member, replace_with, sync

NAMES = ("Anna", "Ben", "Carla", "Dora", "Emil")


def start(path: Path, seed: int, rounds: int) -> subprocess.Popen:
    words = [sys.executable, "-m", "tests.plugins.team_folder.member_process"]
    with output(path, seed).open("wb") as file:
        return subprocess.Popen([*words, str(path), str(seed), str(rounds)], stdout=file)


def output(path: Path, seed: int) -> Path:
    return path.with_name(f"{path.stem} {seed}.txt")


def saved_by(path: Path, seed: int) -> list[str]:
    """Return the lines that a process has printed, without one cut off by a kill."""
    lines = output(path, seed).read_text().split("\n")[:-1]
    return [line for line in lines if line != "end" and not line.startswith("!")]


def carry(folders: list[Path], dice: random.Random, own: dict[str, Path]) -> str:
    """Copy one log from one folder to another, as badly as programs do."""
    source, target = dice.sample(folders, 2)
    there = [path for path in logs(source) if re.fullmatch(r"\w+-\w+", path.stem)]
    if not there:
        return "nothing"
    log = dice.choice(there)
    if own.get(log.name) == target:
        return "nothing"  # its writer has the newest version
    data, how = log.read_bytes(), dice.random()
    if how < 0.25:
        data = data[: dice.randrange(len(data) + 1)]
        kind = "in part"
    elif how < 0.35:
        at = dice.randrange(len(data) + 1)
        data = data[:at] + b"\0" * (len(data) - at)
        kind = "with a hole"
    elif how < 0.45:
        other = target / f"{log.stem} (conflicted copy {dice.randrange(3)}){log.suffix}"
        replace_with(other, data)
        return "as a conflicted copy"
    else:
        kind = "whole"
    replace_with(target / log.name, data)
    return kind


def work_until_done(paths, folders, own, seed: int, rounds: int, kills: int) -> tuple[set, int]:
    """Run all at once; return what they reported as saved, and the number of kills."""
    dice = random.Random(seed)
    seeds = {path: seed * 100 + i for i, path in enumerate(paths)}
    running = {path: start(path, seeds[path], rounds) for path in paths}
    saved, killed = set(), 0
    while running:
        writers = own()
        for _ in range(4):
            if len(folders) > 1:
                carry(folders, dice, writers)
        time.sleep(0.02)
        victims = [path for path in running if len(saved_by(path, seeds[path])) > 2]
        if killed < kills and victims and (not killed or dice.random() < 0.3):
            running[dice.choice(victims)].send_signal(signal.SIGKILL)
            killed += 1
        for path, process in list(running.items()):
            if process.poll() is None:
                continue
            saved |= {*saved_by(path, seeds[path])}
            assert process.returncode in (0, -signal.SIGKILL)
            del running[path]
            if process.returncode:
                seeds[path] += len(paths)
                running[path] = start(path, seeds[path], rounds)
    return saved, killed


def in_the_end(paths, folders) -> None:
    """Copy all logs to all folders, and synchronise each workspace."""
    for _ in range(3):
        for path in paths:
            sync(path)
        for source, target in permutations(folders, 2):
            for log in logs(source):
                mine = target / log.name
                if not mine.exists() or mine.stat().st_size < log.stat().st_size or b"\0" in (
                    mine.read_bytes()
                ):  # fmt: skip
                    replace_with(mine, log.read_bytes())


def own_logs(paths, folders) -> dict[str, Path]:
    """Return the folder in which each log is written."""
    result = {}
    for path, folder in zip(paths, folders, strict=True):
        store = Store.reading(path)
        value = membership(store)
        store.close()
        result |= {log.name: folder for log in logs(folder) if value.device in log.name}
    return result


def check(paths, saved: set) -> dict:
    """Check that all see the same, and that nothing that was saved is lost."""
    first, *others = [contents(path) for path in paths]
    for other in others:
        assert other == first
    made = {row[4] for row in first["changes"]} | {row[0] for row in first["comments"]}
    assert saved - made == set()
    keys = [row[:3] for row in first["changes"]]
    assert len(keys) == len(set(keys))
    return first


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="kills as Unix does")
@pytest.mark.parametrize("is_shared", [True, False], ids=["one folder", "a folder each"])
def test_five_killed_processes_lose_nothing_and_end_with_the_same_contents(tmp_path, is_shared):
    folders, paths = [], []
    for name in NAMES:
        folder = tmp_path / ("team" if is_shared else f"team of {name}")
        folder.mkdir(exist_ok=True)
        folders.append(folder)
        paths.append(member(folder, tmp_path / f"{name}.pagelet", name))
        sync(paths[-1])
    rounds, kills = int(os.environ.get("PAGELET_ROUNDS", "12")), 6
    different = list(dict.fromkeys(folders))
    own = (dict) if is_shared else (lambda: own_logs(paths, folders))
    saved, killed = work_until_done(paths, different, own, 1, rounds, kills)
    in_the_end(paths, different)
    there = check(paths, saved)
    assert killed > 0
    assert len(saved) >= 5 * rounds * 0.5
    assert {name for _, name, _ in there["people"]} == {*NAMES}
    print(f"{len(saved)} saved, {killed} killed, {len(there['changes'])} changes in the end")
