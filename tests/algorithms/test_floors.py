"""The mean F1 of every method on real pages must not fall below its recorded floor.

The sample pages come with Pagelet, so every run of the tests compares on them; the data sets are
larger, and compared where they are.  ``python -m tests.algorithms.record_floors`` records floors
for a new method, see there.
"""

import pytest

from algorithms.core.catalogue import has_method
from engine.plugin import plugins
from tests.algorithms.floors import (
    SAMPLES,
    Measured,
    measure_corpus,
    measure_samples,
    read_floors,
)
from tests.algorithms.record_floors import renewed
from tests.corpora import CORPORA


def check(measured, name):
    """Compare with the recorded floors for the pages of this name."""
    recorded = read_floors()[name]
    assert measured.digest == recorded.digest, "the floors were recorded on other pages"
    floors = recorded.scores
    if not plugins():  # the core alone
        floors = {key: own for key, own in floors.items() if has_method(key)}
    assert set(measured.scores) == set(floors), (
        "a method has no floor, or a floor no method: run python -m tests.algorithms.record_floors"
    )
    assert not below(measured, Measured(recorded.digest, floors))


def below(measured, floors):
    """Return the scores below their floors, with both numbers."""
    return {
        f"{method} {name}": (round(measured.scores[method][name], 4), floor)
        for method, recorded in floors.scores.items()
        for name, floor in recorded.items()
        if measured.scores[method][name] < floor
    }


@pytest.mark.web
def test_no_score_on_the_sample_pages_is_below_its_floor(sample_pages):
    check(measure_samples(sample_pages), SAMPLES)


@pytest.mark.data
@pytest.mark.long
@pytest.mark.parametrize("corpus", CORPORA)
def test_no_score_is_below_its_floor(datasets, corpus):
    check(measure_corpus(corpus, datasets), corpus)


OLD = Measured("a", {"bte": {"ws": 0.7, "cs": 0.5}, "gone": {"ws": 0.1}})


def test_a_score_below_its_floor_is_reported():
    assert below(Measured("a", {"bte": {"ws": 0.69, "cs": 0.5}, "gone": {"ws": 0.2}}), OLD) == {
        "bte ws": (0.69, 0.7)
    }


def test_recording_raises_floors_adds_new_ones_and_lowers_none_unasked():
    now = Measured("b", {"bte": {"ws": 0.6, "cs": 0.6}, "terrain": {"fuzzy": 0.5}})
    remaining, changes = renewed(OLD, now, lower=False)
    assert remaining == Measured("b", {"bte": {"ws": 0.7, "cs": 0.596}, "terrain": {"fuzzy": 0.48}})
    assert changes == ["bte cs: 0.5 → 0.596", "terrain fuzzy: None → 0.48", "gone: gone"]
    assert renewed(OLD, now, lower=True)[0].scores["bte"] == {"ws": 0.596, "cs": 0.596}


def test_recording_one_method_leaves_all_others_as_they_are():
    now = Measured("a", {"terrain": {"fuzzy": 0.5}})
    remaining, changes = renewed(OLD, now, lower=False, keeps_others=True)
    assert remaining == Measured("a", OLD.scores | {"terrain": {"fuzzy": 0.48}})
    assert changes == ["terrain fuzzy: None → 0.48"]
