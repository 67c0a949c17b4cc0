"""How much an evaluation of many pages holds in memory, in the process that hands them out.

Run from the repository's folder: ``python -m tests.bench.evaluation_memory PAGES [METHODS]``, each
number of pages in a process of its own.  Pages are a package made beside it; what workers would
answer is one page's real answer again and again, so that the time of methods does not count: rows,
files and tables are written as always.
"""

import contextlib
import io
import resource
import sys
import tempfile
import time
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

from annotate.evaluation.run import runner
from annotate.evaluation.run.workers import run_in_workers
from annotate.evaluation.store.predictions import PredictedPage, write_package

STORY = "The ferry came back this morning after nine long years away from the harbour."


def _make(path: Path, count: int) -> None:
    page = PredictedPage("", f"<p>{STORY}</p>".encode(), STORY, {})
    write_package(path, "many", [replace(page, name=f"page-{k}") for k in range(count)])


def main() -> None:
    """Print a line."""
    count = int(sys.argv[1])
    methods = sys.argv[2] if len(sys.argv) > 2 else "plain"
    from gui.cli.main import main as pagelet

    def same_answers(tasks, work, jobs, states=None):
        tasks = iter(tasks)
        one = [next(tasks)]
        (first,) = [page for page in run_in_workers(one, work, 1, states) if page is not None]
        yield first
        for task in tasks:
            yield replace(first, task=task)

    runner.run_in_workers = same_answers
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.zip"
        making = get_context("spawn").Process(target=_make, args=(path, count))
        making.start()  # beside this process: its memory is not the evaluation's
        making.join()
        words = ["evaluate", str(path), "--methods", methods, "--out", f"{folder}/out"]
        start = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            status = pagelet([*words, "--jobs", "1", "--report", "none", "--no-cache"])
        size = Path(folder, "out", "scores.csv").stat().st_size / 1e6 if status == 0 else 0.0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = time.process_time() - start
    print(f"{count:8} pages, {methods}: status {status}, {most:6.0f} MB at most, ", end="")
    print(f"{seconds:6.1f} CPU s, scores.csv {size:.1f} MB", flush=True)


if __name__ == "__main__":
    main()
