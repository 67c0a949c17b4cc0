"""Workers of Dask and actors of Ray killed while they evaluate, and all of it at once.

Run from the repository's folder: ``python -m tests.bench.engine_kills [DATASET [PAGES]]``.  For
each: how many shards there are, how often one was begun, how many of those that were done before a
resume were lost or done again, and whether the scores are those of an undisturbed run.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pagelet
import psutil

from annotate.evaluation.run.shards import do_shard
from annotate.library import evaluating
from tests.bench.engine_identity import two_workers
from tests.without_times import without_times

METHODS = ["plain", "bte", "dsc"]
SHARD = 3


def main() -> None:
    """Print a line for each engine and what was killed."""
    folder = sys.argv[1] if len(sys.argv) > 1 else str(pagelet.samples())
    pages = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    heads = f"{'shards':>7} {'begun':>6} {'kept':>5} {'lost':>5} {'again':>6} {'same scores':>12}"
    print(f"{'engine':8} {'killed':22} {heads}")
    with tempfile.TemporaryDirectory() as position:
        cases = pagelet.dataset(folder)[:pages]
        pagelet.evaluate(cases, METHODS, out=Path(position) / "alone")
        alone = without_times(Path(position) / "alone" / "scores.csv")
        for engine in ("dask", "ray"):
            for what in ("a worker", "the driver, scheduler", "everything"):
                out = Path(position) / f"{engine}-{what.replace(', ', '-').replace(' ', '-')}"
                print(f"{engine:8} {what:22} {_line(engine, what, folder, pages, out, alone)}")


def _line(engine, what, folder, pages, out, alone) -> str:
    log = out.with_suffix(".log")
    log.touch()
    driver = _driver(engine, folder, pages, out, log)
    _await(lambda: len(_marks(out)) >= 1 and len(_begun(log)) > len(_marks(out)), driver)
    if what == "a worker":
        os.kill(int(_begun(log)[-1].split()[1]), signal.SIGKILL)
        driver.wait(600)
        count = lost = again = 0
    else:
        if what == "everything":
            below = psutil.Process(driver.pid).children(recursive=True)
            for process in below:
                _kill(process)
        driver.kill()
        driver.wait()
        count = len(before := _marks(out))
        driver = _driver(engine, folder, pages, out, log)
        driver.wait(600)
        after = _marks(out)
        lost = sum(name not in after for name in before)
        again = sum(after.get(name) != mark for name, mark in before.items()) - lost
    same = driver.returncode == 0 and without_times(out / "scores.csv") == alone
    shards = len(_marks(out))
    verdict = "yes" if same else "NO"
    return f"{shards:7} {len(_begun(log)):6} {count:5} {lost:5} {again:6} {verdict:>12}"


def _driver(engine, folder, pages, out, log) -> subprocess.Popen:
    words = [sys.executable, "-m", "tests.bench.engine_kills", "--drive", engine, folder]
    with log.with_suffix(".err").open("ab") as err:
        return subprocess.Popen(
            [*words, str(pages), str(out), str(log)],
            stdout=subprocess.DEVNULL, stderr=err, start_new_session=True,
        )  # fmt: skip


def drive(engine, folder, pages, out, log) -> None:
    """Evaluate; each shard that is begun leaves its number and the worker's in a file."""

    def noted(shard):
        with open(log, "a", encoding="utf-8") as file:  # noqa: PTH123  (goes to the worker whole)
            file.write(f"{shard.number} {os.getpid()}\n")
        time.sleep(0.5)  # so that there is time to be killed in
        return do_shard(shard)

    evaluating.do_shard = noted
    how = {"out": out, "resume": Path(out).exists(), "shard_pages": SHARD}
    cases = pagelet.dataset(folder)[:pages]
    if engine == "dask":
        with two_workers() as client:
            pagelet.evaluate(cases, METHODS, executor=client, **how)
    else:
        pagelet.evaluate(cases, METHODS, executor="ray", jobs=2, **how)


def _marks(out) -> dict[str, int]:
    return {file.name: file.stat().st_mtime_ns for file in (out / "shards").glob("*.done")}


def _begun(log) -> list[str]:
    return log.read_text("utf-8").splitlines()


def _kill(process) -> None:
    with suppress(psutil.Error):  # it has ended already
        process.kill()


def _await(is_so, driver) -> None:
    end = time.monotonic() + 300
    while not is_so():
        if driver.poll() is not None or time.monotonic() > end:
            raise SystemExit("the evaluation ended before it could be killed")
        time.sleep(0.01)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--drive"]:
        drive(sys.argv[2], sys.argv[3], int(sys.argv[4]), Path(sys.argv[5]), sys.argv[6])
    else:
        main()
