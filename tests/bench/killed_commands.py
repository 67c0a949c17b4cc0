"""``pagelet export``, ``freeze`` and ``bundle`` killed at work: what is lost, spoilt, left over.

    PAGELET_KILLS=50 python -m tests.bench.killed_commands FOLDER [COMMAND ...]

prints a table.  Each is killed at a random time, every other time over what an earlier run wrote.
*Lost* is a file of that run which is gone, *spoilt* one that is incomplete, *left over* a file that
no run writes which is still there after the next whole run and the next opening of the workspace.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from annotate.archives.frozen.damage import damage_of
from annotate.archives.frozen.frozen_file import FrozenFile
from annotate.workspace.workspace import Workspace
from engine.errors import PageletError
from tests.every_command import Desk, words_of, write_data_set

KILLS = int(os.environ.get("PAGELET_KILLS", "4"))
WRITES = {"export": "gold", "freeze": "page.wacz", "bundle": "bundle"}
"""What each command writes, below the folder for output."""


def files_of(path: Path) -> dict[str, bytes]:
    """Return the bytes of a file, or of all files of a folder, by name."""
    if path.is_file():
        return {path.name: path.read_bytes()}
    return {
        each.relative_to(path).as_posix(): each.read_bytes()
        for each in path.rglob("*")
        if each.is_file()
    }


def is_whole(name: str, data: bytes, good: dict[str, bytes], steady: set[str], path: Path) -> bool:
    """Whether a file is one that a whole run writes; of times in it only the end is looked at.

    A bundle's index and its notes of what is written grow while it is written: the index ends as
    each of its states does, and of the notes each line but the last is one.
    """
    if name == "index.html":
        return data.endswith(b"</html>\n")
    if name == "pages/done.jsonl":
        return all(line in good[name].splitlines() for line in data.splitlines()[:-1])
    if name in steady:
        return data == good[name]
    if name.endswith(".wacz"):
        with suppress(PageletError):
            return not damage_of(FrozenFile(path))
        return False
    return data[-16:] == good[name][-16:]


def kill_command(desk: Desk, command: str, dice: random.Random, kills: int) -> tuple[int, int, int]:
    """Kill a command again and again; return how many files were lost, spoilt, and left over."""
    line, out = words_of(command)[0], desk.out / WRITES[command]
    beside = set(desk.out.iterdir()) | {out}
    start = time.monotonic()
    status, _, stderr = desk.run(line)
    assert status in line.statuses, stderr
    took = time.monotonic() - start
    first = files_of(out)
    desk.run(line)
    good = files_of(out)
    steady = {name for name, data in first.items() if good.get(name) == data}
    lost = spoilt = 0
    for number in range(kills):
        is_new = number % 2 == 0
        if is_new:
            shutil.rmtree(out) if out.is_dir() else out.unlink(missing_ok=True)
        elif out.suffix:
            out.write_bytes(good[out.name])
        else:
            for name, data in good.items():
                (out / name).parent.mkdir(parents=True, exist_ok=True)
                (out / name).write_bytes(data)
        with desk.start(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            with suppress(subprocess.TimeoutExpired):
                process.wait(dice.uniform(0.3, 1.0) * took)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        now = files_of(out) if out.exists() else {}
        known = {name: data for name, data in now.items() if name in good}
        lost += 0 if is_new else len(set(good) - set(known))
        below = out.parent if out.suffix else out
        spoilt += sum(
            not is_whole(name, data, good, steady, below / name) for name, data in known.items()
        )
    desk.run(line)
    for workspace in desk.out.glob("*.pagelet"):  # the next window takes an empty journal away
        Workspace.open(workspace).close()
    strange = set(files_of(out)) - set(good)
    return lost, spoilt, len(strange) + len(set(desk.out.iterdir()) - beside)


def main() -> None:
    """Print the table."""
    base = Path(sys.argv[1])
    desk = Desk(write_data_set(base / "data"), base / "out")
    for command in ("import", "evaluate"):
        desk.prepare_command(command)
    print(f"{'command':<10} {'kills':>6} {'lost':>6} {'spoilt':>6} {'left over':>9}")
    for command in sys.argv[2:] or WRITES:
        counts = kill_command(desk, command, random.Random(command), KILLS)
        print(f"{command:<10} {KILLS:>6} {counts[0]:>6} {counts[1]:>6} {counts[2]:>9}", flush=True)


if __name__ == "__main__":
    main()
