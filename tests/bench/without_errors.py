"""Mean scores of methods with all pages, and without those whose gold is known to be wrong.

    python -m tests.bench.without_errors OUT/scores.csv resources/audited/wcxb.csv

The first file is of `pagelet evaluate`, the second a list of what the auditor asked about with a
verdict on each; pages with an ``error`` are left out, then also those with a ``guideline``.
"""

import csv
import sys
from collections import defaultdict
from pathlib import Path
from statistics import mean

MAIN = ("bow", "fuzzy")


def pages_with(path: str, *verdicts: str) -> set[str]:
    """Return the pages of a list with one of these verdicts."""
    with Path(path).open(newline="", encoding="utf-8") as file:
        return {row["page"] for row in csv.DictReader(file) if row["verdict"] in verdicts}


def main() -> None:
    """Print a row for each method."""
    scores, listed = sys.argv[1:3]
    values: dict[str, dict[str, float]] = defaultdict(dict)
    with Path(scores).open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["measure"] in MAIN and row["value"]:
                values[row["method"]][row["page"]] = float(row["value"])
    errors = pages_with(listed, "error")
    unclear = errors | pages_with(listed, "guideline")
    print(f"{len(errors)} pages with errors, {len(unclear)} with errors or guideline")
    print(f"{'method':<20} {'pages':>6} {'all':>7} {'without errors':>15} {'nor guideline':>14}")
    for name, by_page in sorted(values.items(), key=lambda each: -mean(each[1].values())):
        means = [
            mean(value for page, value in by_page.items() if page not in left_out)
            for left_out in (set[str](), errors, unclear)
        ]
        every, right, clear = means
        print(f"{name:<20} {len(by_page):>6} {every:>7.3f} {right:>15.3f} {clear:>14.3f}")


if __name__ == "__main__":
    main()
