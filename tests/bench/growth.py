"""How CPU time and memory of an evaluation grow with its pages.

Run from the repository's folder: ``python -m tests.bench.growth DATASET METHODS PAGES …``, as in
``python -m tests.bench.growth ../wcxb bte,dsc,accb 136 340 680 1358``.  Each line is an evaluation
by two workers in a process of its own; ms a page without what the start takes (that of two pages).
Pages are taken evenly from all, ordered by their size, so that each line has the same mixture; how
large they are is said, for a few large ones cost more than many small ones.  Nothing is kept from
one line to the next.
"""

import json
import subprocess
import sys
import time

import pagelet

from tests.bench.process_tree import watched


def main() -> None:
    """Print a line for each number of pages."""
    folder, methods, *counts = sys.argv[1:]
    first = _run(folder, methods, 2)
    print(f"start and 2 pages: {first['cpu_s']:.1f} CPU s")
    heads = f"{'wall s':>8} {'CPU s':>8} {'CPU ms/page':>12} {'to first':>13} {'MB':>7}"
    print(f"{'pages':>6} {'kB/page':>8} {heads}")
    base = 0.0
    for count in map(int, counts):
        found = _run(folder, methods, count)
        each = 1000 * (found["cpu_s"] - first["cpu_s"]) / max(1, count - 2)
        base = base or each
        print(
            f"{found['pages']:6} {found['kb']:8.1f} {found['wall_s']:8.1f} "
            f"{found['cpu_s']:8.1f} {each:12.1f} "
            f"{100 * (each / base - 1):+12.1f}% {found['most_mb']:7.0f}",
            flush=True,
        )


def _run(folder: str, methods: str, count: int) -> dict[str, float]:
    words = [sys.executable, "-m", "tests.bench.growth", "--one", folder, methods, str(count)]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return json.loads(said.splitlines()[-1])


def _one(folder: str, methods: str, count: int) -> None:
    cases = pagelet.dataset(folder)
    sizes = [len(case.page.html) for case in cases]
    order = sorted(range(len(cases)), key=sizes.__getitem__)
    numbers = {order[(2 * k + 1) * len(cases) // (2 * count)] for k in range(count)}
    names = {case.name for k, case in enumerate(cases) if k in numbers}
    chosen = cases.filter(lambda case: case.name in names)
    start = time.monotonic()
    with watched(memory=True) as taken:
        found = pagelet.evaluate(chosen, methods, jobs=2, cache=False)
    print(
        json.dumps(
            {
                "pages": len({row.run.key for row in found.rows}),
                "wall_s": time.monotonic() - start,
                "kb": sum(sizes[k] for k in numbers) / len(numbers) / 1000,
                "cpu_s": taken.cpu_s,
                "most_mb": taken.most_mb,
            }
        )
    )


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        _one(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        main()
