"""``pagelet freeze`` killed while it works: the file that is there is a whole one."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from annotate.archives.frozen.damage import damage_of
from annotate.archives.frozen.frozen_file import FrozenFile
from engine.errors import PageletError

PAGE = (
    "<!doctype html><meta charset=utf-8><title>Ferry</title><h1>Ferry back</h1>"
    + "<p>The ferry returned to the harbour this morning.</p>" * 200
)


def capture(folder: Path, seconds: float | None) -> tuple[bool, str]:
    """Capture a page, and kill all that does after some seconds; return whether it was said done.

    The second is the last line on its screen.
    """
    screen = folder / "screen.txt"
    words = ["freeze", str(folder / "page.html"), "--out", str(folder / "page.wacz")]
    with screen.open("wb") as text:
        program = subprocess.Popen(
            [sys.executable, "-P", "-m", "gui.cli.main", *words],
            stdout=text, stderr=text, stdin=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        try:
            program.wait(seconds)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
        with suppress(ProcessLookupError):  # the browser's processes have nobody to work for
            os.killpg(program.pid, signal.SIGKILL)
    lines = screen.read_text("utf-8", "replace").splitlines()
    return program.returncode == 0, lines[-1] if lines else ""


def kill_freezes(folder: Path, dice: random.Random, kills: int) -> tuple[int, str]:
    """Return how many kills lost something, and how they ended.

    Lost is a file that does not open, is not what was written, or has no certificate; one that was
    there before and is gone; and one that was said to be there and is not.
    """
    page, out = folder / "page.html", folder / "page.wacz"
    page.write_text(PAGE, "utf-8")
    start = time.monotonic()
    is_done, text = capture(folder, None)
    if not is_done:
        raise RuntimeError(f"the page could not be captured: {text}")
    took = time.monotonic() - start
    first, ends, lost = out.read_bytes(), {"older file kept": 0, "new file whole": 0}, 0
    for number in range(kills):
        is_new = number % 2 == 0  # every other time there is a file already
        if is_new:
            out.unlink(missing_ok=True)
        else:
            out.write_bytes(first)
        is_done, _ = capture(folder, dice.uniform(0.3, 1.1) * took)
        if not out.exists():
            lost += is_done or not is_new
            continue
        try:
            file = FrozenFile(out)
            lost += bool(damage_of(file)) or file.certificate() is None
        except PageletError:
            lost += 1
        ends["older file kept" if out.read_bytes() == first else "new file whole"] += 1
    none = kills - sum(ends.values())
    sentence = [f"{count} times {name}" for name, count in ends.items() if count]
    return lost, ", ".join([*sentence, *([f"{none} times no file"] if none else [])])
