"""Record the floors that `test_floors` checks.

    .venv/bin/python -m tests.algorithms.record_floors [--lower] [METHOD] [PAGES ...]

With the key of a METHOD only that one is measured, and no other floor changes.  PAGES are
``sample-pages`` (the default), ``readability-pages`` or ``article-sample``; the last two lie in the
folder of data sets (`tests/outside.py`).  A method without floors gets them, floors of a method
that is gone go, and a floor rises to what is measured now.  None sinks unless ``--lower`` says so:
then look at each line that is printed, and say in the commit why the score had to drop.
"""

import argparse

from algorithms.core.catalogue import EXTRACTORS, SEGMENTERS
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
    """Measure, print the changes, and record them."""
    parser = argparse.ArgumentParser(description="Record the floors of methods' scores.")
    parser.add_argument("words", nargs="*", metavar="WORD", help="a method, and pages")
    parser.add_argument("--lower", action="store_true", help="let floors sink, too")
    given = parser.parse_args()
    pages = [word for word in given.words if word in NAMES] or [SAMPLES]
    keys = [word for word in given.words if word not in NAMES]
    for key in keys:
        if key not in {entry.key for entry in (*EXTRACTORS, *SEGMENTERS)}:
            parser.error(f"{key} is no method and no pages: {', '.join(NAMES)}")
    datasets = datasets_folder()
    if any(name != SAMPLES for name in pages) and not datasets.is_dir():
        parser.error("set PAGELET_DATA to the folder of data sets")
    floors = read_floors()
    for name in pages:
        now = measure(name, datasets, keys)
        old = floors.get(name, Measured("", {}))
        if keys and old.digest != now.digest:
            parser.error(f"{name} are other pages than the floors are of: record all methods")
        floors[name], changes = renewed(old, now, lower=given.lower, keeps_others=bool(keys))
        print(name, *(changes or ["nothing changes"]), sep="\n  ")
    write_floors(floors)


def renewed(
    old: Measured, now: Measured, *, lower: bool, keeps_others: bool = False
) -> tuple[Measured, list[str]]:
    """Return the floors to record after measuring, and a line for each changed one."""
    floors: dict[str, dict[str, float]] = dict(old.scores) if keeps_others else {}
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
    changes += [f"{method}: gone" for method in old.scores if method not in floors]
    return Measured(now.digest, floors), changes


if __name__ == "__main__":
    main()
