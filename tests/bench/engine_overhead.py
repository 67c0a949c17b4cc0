"""What Dask costs beside Pagelet's own two processes, at shards of 100 pages.

Run from the repository's folder: ``python -m tests.bench.engine_overhead DATASET METHODS [TIMES]``.
CPU seconds of all processes; starting the cluster and its first import of Pagelet are said apart,
for they are paid once, however many pages follow.
"""

import sys
import time
from statistics import median

import pagelet

from tests.bench.engine_identity import two_workers
from tests.bench.process_tree import cpu_s, watched


def main() -> None:
    """Print both, and what is between them."""
    folder, methods = sys.argv[1], sys.argv[2]
    times = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    cases = pagelet.dataset(folder)
    print(f"{len(cases)} pages, {methods}, shards of 100, {times} times, in turn")
    before = cpu_s()
    with two_workers() as client:
        pagelet.evaluate(cases[:2], "plain", executor=client, shard_pages=1, cache=False)
        print(f"start of the cluster: {cpu_s() - before:.1f} CPU s")
        alone, there = [], []
        for _ in range(times):
            alone.append(_take(cases, methods, None))
            there.append(_take(cases, methods, client))
    a, b = median(cpu for cpu, _ in alone), median(cpu for cpu, _ in there)
    for name, runs in (("two processes", alone), ("Dask, two workers", there)):
        text = "  ".join(f"{cpu:.1f} ({wall:.1f})" for cpu, wall in runs)
        print(f"{name:20} CPU s (wall s): {text}")
    print(f"median: {a:.1f} and {b:.1f} CPU s, {100 * (b / a - 1):+.1f} %")


def _take(cases, methods, executor) -> tuple[float, float]:
    start = time.monotonic()
    with watched() as taken:
        jobs = 2 if executor is None else 1  # Dask has its two workers
        pagelet.evaluate(cases, methods, jobs=jobs, executor=executor, shard_pages=100, cache=False)
    return taken.cpu_s, time.monotonic() - start


if __name__ == "__main__":
    main()
