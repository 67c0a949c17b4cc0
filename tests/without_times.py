"""Tables of an evaluation without what differs each time: how long things took."""

import csv

_TIMES = ("ms", "ms_median", "mb_per_s")


def without_times(path):
    """Return the rows of a CSV file, times left out."""
    with path.open(newline="", encoding="utf-8") as file:
        return [
            {name: cell for name, cell in row.items() if name not in _TIMES}
            for row in csv.DictReader(file)
        ]
