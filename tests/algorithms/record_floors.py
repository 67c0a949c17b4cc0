"""Record the floors that `test_floors` holds methods to.

    .venv/bin/python -m tests.algorithms.record_floors [--lower] [PAGES ...]

PAGES are ``sample-pages`` (the default), ``readability-pages`` or ``article-sample``; the last
two lie in the folder of data sets (`tests/outside.py`).  A method without floors gets them, floors
of a method that is gone go, and a floor rises to what is measured now.  None sinks unless
``--lower`` says so: then look at each line that is printed, and say in the commit why the score
had to drop.
"""

import argparse

from tests.algorithms.floors import (
    NAMES,
    SAMPLES,
    Measured,
    margin,
    measure,
    read_floors,
    write_floors,
)
from tests.outside import datasets_folder


def main() -> None:
    """Measure, print what changes, and record it."""
    parser = argparse.ArgumentParser(description="Record the floors of methods' scores.")
    parser.add_argument("pages", nargs="*", choices=[*NAMES, []], help=f"default: {SAMPLES}")
    parser.add_argument("--lower", action="store_true", help="let floors sink, too")
    given = parser.parse_args()
    datasets = datasets_folder()
    if any(name != SAMPLES for name in given.pages) and not datasets.is_dir():
        parser.error("set PAGELET_DATA to the folder of data sets")
    floors = read_floors()
    for name in given.pages or [SAMPLES]:
        now = measure(name, datasets)
        floors[name], changes = renewed(floors.get(name, Measured("", {})), now, lower=given.lower)
        print(name, *(changes or ["nothing changes"]), sep="\n  ")
    write_floors(floors)


def renewed(old: Measured, now: Measured, *, lower: bool) -> tuple[Measured, list[str]]:
    """Return the floors to record after measuring, and a line for each that is another."""
    floors: dict[str, dict[str, float]] = {}
    changes = []
    for method, scores in now.scores.items():
        floors[method] = {}
        for measure_name, score in scores.items():
            before = old.scores.get(method, {}).get(measure_name)
            floor = max(0.0, round(score - margin(method), 3))
            if before is not None and floor < before and not lower:
                floor = before
            floors[method][measure_name] = floor
            if floor != before:
                changes.append(f"{method} {measure_name}: {before} → {floor}")
    changes += [f"{method}: gone" for method in old.scores if method not in now.scores]
    return Measured(now.digest, floors), changes


if __name__ == "__main__":
    main()
