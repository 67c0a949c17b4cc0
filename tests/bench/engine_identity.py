"""The same evaluation by every engine: how many cells of ``scores.csv`` differ, times left out.

Run from the repository's folder: ``python -m tests.bench.engine_identity [DATASET [METHODS]]``; by
default all segmenters on the sample pages.  Every engine renders every page again.
"""

import subprocess
import sys
import tempfile
import time
import warnings
from contextlib import contextmanager
from pathlib import Path

import pagelet

from algorithms.core.catalogue import SEGMENTERS
from tests.without_times import without_times


def main() -> None:
    """Print a line for each engine."""
    folder = sys.argv[1] if len(sys.argv) > 1 else str(pagelet.samples())
    methods = sys.argv[2].split(",") if len(sys.argv) > 2 else [each.key for each in SEGMENTERS]
    cases = pagelet.dataset(folder)
    print(f"{len(cases)} pages × {len(methods)} methods: {', '.join(methods)}")
    print(f"{'engine':26} {'rows':>6} {'cells':>7} {'differ':>7} {'wall s':>7}")
    with tempfile.TemporaryDirectory() as position:
        runs = {
            "one process": lambda out: _evaluate(cases, methods, out, jobs=1),
            "two processes": lambda out: _evaluate(cases, methods, out, jobs=2),
            "Dask, two workers": lambda out: _on_dask(cases, methods, out),
            "Ray, two actors": lambda out: _on_ray(cases, methods, out),
            "three shards, merged": lambda out: _merged(folder, methods, out),
        }
        first = None
        for number, (name, run) in enumerate(runs.items()):
            out, start = Path(position) / str(number), time.monotonic()
            run(out)
            rows = without_times(out / "scores.csv")
            first = first or rows
            cells = sum(len(row) for row in rows)
            pairs = zip(first, rows, strict=len(first) == len(rows))
            differ = sum(a[key] != b[key] for a, b in pairs for key in a)
            differ += abs(len(rows) - len(first)) * len(first[0])
            wall = time.monotonic() - start
            print(
                f"{name:26} {len(rows):6} {cells:7} {differ:7} {wall:7.1f}",
                flush=True,
            )


def _evaluate(cases, methods, out, **how) -> None:
    pagelet.evaluate(cases, methods, out=out, cache=False, **how)


def _on_dask(cases, methods, out) -> None:
    with two_workers() as client:
        _evaluate(cases, methods, out, executor=client, shard_pages=8)


def _on_ray(cases, methods, out) -> None:
    import ray

    try:
        _evaluate(cases, methods, out, executor="ray", jobs=2, shard_pages=8)
    finally:
        ray.shutdown()


def _merged(folder, methods, out) -> None:
    parts = []
    for part in (1, 2, 3):
        parts.append(f"{out}-{part}")
        _pagelet(
            "evaluate", folder, "--methods", ",".join(methods), "--shard", f"{part}/3",
            "--out", parts[-1], "--jobs", "2", "--no-cache",
        )  # fmt: skip
    _pagelet("merge", *parts, "--out", str(out), "--report", "none")


def _pagelet(*words: str) -> None:
    command = [sys.executable, "-m", "gui.cli.main", *words]
    subprocess.run(command, check=True, capture_output=True)


@contextmanager
def two_workers():
    """A client of two workers of one thread each on this machine."""
    from distributed import Client, LocalCluster

    warnings.simplefilter("ignore")
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


if __name__ == "__main__":
    main()
