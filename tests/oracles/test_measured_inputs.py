"""The figures of extractors in measurements.md#inputs are those that the program measures today."""

import re

import pagelet
import pytest

from algorithms.core.catalogue import EXTRACTORS
from engine.page import SOURCES
from resources import path
from tests.bench.seen_inputs import means_of

METHODS = tuple(entry.key for entry in EXTRACTORS)
FIRST = {"samples": 1, "kreuzer": 4}
"""Column of the first input, by data set."""


def stated(text: str, dataset: str) -> dict[str, list[str]]:
    """Return the three figures of each method in the table, as they are written."""
    rows = [re.split(r" *\| *", line) for line in text.splitlines() if line.startswith("| `")]
    first = FIRST[dataset] + 2
    return {row[1].strip("`"): row[first : first + 3] for row in rows if len(row) > 12}


def untrue(text: str, dataset: str, measured: dict[tuple[str, str], list[float]]) -> list[str]:
    """Return the methods whose figures are others than those measured."""
    table = stated(text, dataset)
    said = {(key, name): x for key in METHODS for name, x in zip(SOURCES, table[key], strict=True)}
    return sorted({at[0] for at, x in said.items() if abs(float(x) - measured[at][0]) > 0.00051})


@pytest.mark.long
@pytest.mark.web
@pytest.mark.parametrize("dataset", FIRST)
def test_the_table_of_inputs_has_the_figures_of_today(dataset, request):
    if dataset == "samples":
        folder = pagelet.samples()
    else:
        folder = request.getfixturevalue("datasets") / "kreuzer-random"
    if not folder.is_dir():
        pytest.skip(f"there is no {folder.name}")
    _, measured = means_of(str(folder))
    text = path("docs/explanation/measurements.md").read_text("utf-8")
    assert untrue(text, dataset, measured) == []
    line = next(each for each in text.splitlines() if each.startswith("| `gleaner` | .833"))
    planted = text.replace(line, re.sub(r"\.(\d)(\d\d)", r".\g<1>00", line))
    assert untrue(planted, dataset, measured) == ["gleaner"]
