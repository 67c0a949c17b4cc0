"""A process that tries one seed after the other, and says what it does: made to be watched.

    python -m tests.fuzz.worker KIND FIRST COUNT FOLDER

A line on standard output before each seed, ``begin SEED``, and one after it, JSON: ``seed``,
``ended`` ("read", "refused", ... or "broke"), ``trace`` of one that broke, ``seconds``, ``peak``
(MB this process took at most meanwhile), ``open`` (its open files).
"""

import gc
import json
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path


def main(kind: str, first: int, count: int, folder: Path) -> None:
    """Try seeds until told to stop by a closed pipe, or all are done."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what is printed by others is no answer
    trial, end = _trial(kind)
    for seed in range(first, first + count):
        print("begin", seed, file=answers, flush=True)
        print(json.dumps(_try(trial, seed, folder)), file=answers, flush=True)
    end()


def _trial(kind: str) -> tuple[Callable[[int, Path], str], Callable[[], None]]:
    from tests.fuzz import trials

    if kind != "rendered":
        from engine.processes.foreign import close_workers

        return {**trials.FILES, "mixed": trials.mixed}[kind], close_workers
    from engine.web import profile
    from engine.web.headless import Browser

    profile.prepare(headless=True)
    browser = Browser()
    return partial(trials.rendered, browser=browser), browser.close


def _try(trial: Callable[[int, Path], str], seed: int, folder: Path) -> dict[str, object]:
    _forget_peak()
    began = time.monotonic()
    text = {"seed": seed}
    try:
        with tempfile.TemporaryDirectory(dir=folder) as own:
            ended = trial(seed, Path(own))
    except Exception:  # noqa: BLE001  (whatever it is, it is told)
        ended = "broke"
        text["trace"] = traceback.format_exc()
    seconds = round(time.monotonic() - began, 2)
    gc.collect()
    return {**text, "ended": ended, "seconds": seconds, "peak": _peak(), "open": _open_files()}


def _forget_peak() -> None:
    if sys.platform.startswith("linux"):
        Path("/proc/self/clear_refs").write_text("5")


def _peak() -> int:
    """Return the most memory since `_forget_peak`, MB; 0 where nobody knows."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0
    return int(status.partition("VmHWM:")[2].split()[0]) // 1000


def _open_files() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
