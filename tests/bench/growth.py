"""How CPU time and memory of an evaluation grow with its pages.

Run from the repository's folder: ``python -m tests.bench.growth DATASET METHODS PAGES …``, as in
``python -m tests.bench.growth ../wcxb bte,dsc,accb 136 340 680 1358``.  Each line is an evaluation
by two workers in a process of its own; ms a page without what the start takes (that of two pages).
Pages are taken evenly from all, ordered by their size, so that each line has the same mixture; how
large they are is said, for a few large ones cost more than many small ones.  A CPU second does
less where others use the other half of the core: so the first number of pages is evaluated again
before and after each line, and the line compared with these two.  Nothing is kept from one line to
the next.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import pagelet

from annotate.library.page_cases import PageCase
from tests.bench.process_tree import watched


def main() -> None:
    """Print a line for each number of pages."""
    folder, methods, *words = sys.argv[1:]
    counts = [int(word) for word in words]
    start = _run(folder, methods, 2)
    print(f"start and 2 pages: {start['cpu_s']:.1f} CPU s")

    def each_ms(found: dict[str, float]) -> float:
        return 1000 * (found["cpu_s"] - start["cpu_s"]) / max(1, found["pages"] - 2)

    heads = f"{'wall s':>8} {'CPU s':>8} {'CPU ms/page':>12} {f'of {counts[0]} then':>12}"
    print(f"{'pages':>6} {'kB/page':>8} {heads} {'to these':>9} {'MB':>7}")
    before = each_ms(_run(folder, methods, counts[0]))
    for count in counts:
        result = _run(folder, methods, count)
        after = each_ms(_run(folder, methods, counts[0]))
        beside, before = (before + after) / 2, after
        each = each_ms(result)
        print(
            f"{result['pages']:6} {result['kb']:8.1f} {result['wall_s']:8.1f} "
            f"{result['cpu_s']:8.1f} {each:12.1f} {beside:12.1f} "
            f"{100 * (each / beside - 1):+8.1f}% {result['most_mb']:7.0f}",
            flush=True,
        )


def _run(folder: str, methods: str, count: int) -> dict[str, float]:
    words = [sys.executable, "-m", "tests.bench.growth", "--one", folder, methods, str(count)]
    data = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return json.loads(data.splitlines()[-1])


def _one(folder: str, methods: str, count: int) -> None:
    cases = pagelet.dataset(folder)
    sizes = [_size(case) for case in cases]
    order = sorted(range(len(cases)), key=sizes.__getitem__)
    numbers = {order[(2 * k + 1) * len(cases) // (2 * count)] for k in range(count)}
    names = {case.name for k, case in enumerate(cases) if k in numbers}
    chosen = cases.filter(lambda case: case.name in names)
    start = time.monotonic()
    with watched(memory=True) as taken:
        result = pagelet.evaluate(chosen, methods, jobs=2, cache=False)
    print(
        json.dumps(
            {
                "pages": len({row.run.key for row in result.rows}),
                "wall_s": time.monotonic() - start,
                "kb": sum(sizes[k] for k in numbers) / len(numbers) / 1000,
                "cpu_s": taken.cpu_s,
                "most_mb": taken.most_mb,
            }
        )
    )


def _size(case: PageCase) -> int:
    document = next(iter(case.files.values())).document()
    if document.root is None or document.content is not None:
        return len(document.read())
    return Path(document.full_path).stat().st_size


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        _one(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        main()
