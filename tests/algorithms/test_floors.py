"""No method gets worse unnoticed: mean F1 on real pages against recorded floors.

The floors are in floors.json beside this file, a little below what was measured.  A drop fails;
lowering a floor is a deliberate edit.  PAGELET_WRITE_FLOORS=1 records what is measured now.
"""

import json
import os
import statistics
from pathlib import Path

import pytest

from algorithms.catalogue import EXTRACTORS
from algorithms.measures.text import Words, score_words
from tests.corpora import CORPORA, digest, documents

FLOORS = Path(__file__).with_name("floors.json")
MARGIN = 0.004
MEASURES = ("cs", "ws", "bow", "sow")


def measured(pages):
    """Mean F1 of each method and measure."""
    cases = [(page.source, Words(page.gold)) for page in pages]
    found = {}
    for entry in EXTRACTORS:
        if entry.on_source is None:
            continue
        scores = [
            score_words(Words(entry.on_source(source, entry.params()).text), gold)
            for source, gold in cases
        ]
        found[entry.key] = {
            name: statistics.fmean(getattr(score, name).f1 for score in scores) for name in MEASURES
        }
    return found


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("corpus", CORPORA)
def test_no_score_is_below_its_floor(datasets, corpus):
    pages = list(documents(datasets, corpus))
    found = measured(pages)
    floors = json.loads(FLOORS.read_text("utf-8"))
    if os.environ.get("PAGELET_WRITE_FLOORS"):
        floors[corpus] = {
            "digest": digest(pages),
            "floors": {
                key: {name: round(value - MARGIN, 3) for name, value in scores.items()}
                for key, scores in found.items()
            },
        }
        FLOORS.write_text(json.dumps(floors, indent=1) + "\n", "utf-8")
    recorded = floors[corpus]
    assert digest(pages) == recorded["digest"], "the floors were recorded on other pages"
    assert set(found) == set(recorded["floors"]), "a method has no floor, or a floor no method"
    below = {
        f"{key} {name}": (round(scores[name], 4), floor)
        for key, scores in found.items()
        for name, floor in recorded["floors"][key].items()
        if scores[name] < floor
    }
    assert not below
