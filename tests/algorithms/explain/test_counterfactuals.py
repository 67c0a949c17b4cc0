"""The search for the smallest change of a parameter that reverses a decision."""

import gzip
from dataclasses import dataclass, replace

import numpy as np
import pytest

from algorithms.core.catalogue import method
from algorithms.explain.counterfactuals import CounterfactualSearch
from algorithms.explain.why import TextQuery
from algorithms.params import Params, param
from engine.source import Source
from gui.cli.why import places_of_text
from resources import path


@dataclass(frozen=True)
class Knobs(Params):
    """A number, a whole number, and a switch."""

    width: float = param(0.0, "any number", low=0.0, high=500.0)
    count: int = param(3, "a whole number", low=1, high=40)
    loud: bool = param(False, "a switch")


@dataclass(frozen=True)
class WideKnobs(Params):
    """A whole number with too many values to try all, and a number."""

    reach: int = param(25, "a whole number", low=1, high=500)
    share: float = param(0.75, "any number", low=0.0, high=1.0)


@dataclass(frozen=True)
class WholeKnobs(Params):
    """A whole number and a switch: all changes can be tried."""

    count: int = param(3, "a whole number", low=1, high=40)
    loud: bool = param(False, "a switch")


@dataclass(frozen=True)
class AutoKnobs(Params):
    """A number whose 0 is no measure, and a number."""

    width: float = param(0.0, "any number; 0: by itself", low=0.0, high=500.0, special="by itself")
    share: float = param(0.75, "any number", low=0.0, high=1.0)


def search(params, turns, first=(), is_over=lambda: False):
    return CounterfactualSearch(
        params, lambda changed: True if turns(changed) else None, lambda _: None, is_over
    ).smallest(first)


def test_a_narrow_range_of_values_is_not_skipped():
    result = search(Knobs(), lambda knobs: 156 <= knobs.width <= 165)
    assert result.counterfactual.parameter == "width"
    assert result.counterfactual.after == pytest.approx(156, abs=0.5)


def test_the_nearer_of_two_ranges_is_chosen():
    result = search(Knobs(), lambda knobs: 110 < knobs.width < 120 or knobs.width > 190)
    assert result.counterfactual.after == pytest.approx(110, abs=0.5)


def test_a_single_whole_number_that_turns_is_not_missed_and_the_nearest_wins():
    assert search(Knobs(), lambda knobs: knobs.count == 37).counterfactual.after == 37
    assert search(Knobs(), lambda knobs: knobs.count in (7, 23, 24, 40)).counterfactual.after == 7


def test_below_the_smallest_change_known_numbers_are_tried_more_finely():
    result = search(Knobs(), lambda knobs: knobs.count == 4 or 6.2 < knobs.width < 6.8)
    assert (result.counterfactual.parameter, result.counterfactual.size) == (
        "width",
        pytest.approx(6.2 / 500, abs=1e-3),
    )


def test_whole_numbers_of_a_wide_range_are_tried_one_by_one_up_to_the_smallest_change_known():
    result = search(WideKnobs(), lambda knobs: knobs.reach == 63 or knobs.share > 0.84)
    assert result.counterfactual.after == 63


def test_a_border_is_followed_to_a_thousandth_of_the_range():
    change = search(Knobs(), lambda knobs: knobs.width > 33.333).counterfactual
    assert 33.333 < change.after <= 33.333 + 0.55


def test_the_smallest_step_away_from_a_special_value_is_tried():
    """As 0 of cetr's sigma, which means the deviation: the next value may reverse it."""
    result = search(Knobs(), lambda knobs: 0 < knobs.width < 0.4 or knobs.width > 200)
    assert (result.counterfactual.parameter, result.counterfactual.size) == (
        "width",
        pytest.approx(0, abs=1e-3),
    )
    assert 0 < result.counterfactual.after < 0.4


def test_leaving_a_special_value_is_no_small_change():
    result = search(AutoKnobs(), lambda knobs: 0 < knobs.width < 0.4 or knobs.share > 0.9)
    assert result.counterfactual.parameter == "share"
    result = search(AutoKnobs(), lambda knobs: 0 < knobs.width < 0.4)
    assert result.counterfactual.size == 1
    assert "(now 0: by itself) it is kept. No other parameter reverses it in" in result.sentence
    assert "Nothing smaller" not in result.sentence
    assert not result.is_complete


def test_a_special_value_is_not_reached_as_a_number():
    result = search(AutoKnobs(width=0.5), lambda knobs: knobs.width == 0)
    assert (result.counterfactual.after, result.counterfactual.size) == (0.0, 1.0)


def test_a_smaller_change_of_another_parameter_wins():
    result = search(Knobs(), lambda knobs: knobs.width > 400 or knobs.count > 4, ("width",))
    assert (result.counterfactual.parameter, result.counterfactual.after) == ("count", 5)


def test_a_search_without_result_reports_tries_and_completeness():
    result = search(WholeKnobs(), lambda _: False)
    assert (result.counterfactual, result.runs, result.is_complete) == (None, 39 + 1, True)
    assert result.basis == "40 tries, all there are"
    result = search(Knobs(), lambda _: False)
    assert result.runs > 64 + 39
    assert not result.is_complete
    assert result.basis == f"{result.runs} tries"


def test_no_value_is_run_twice():
    seen = []
    search(Knobs(), lambda knobs: seen.append(knobs))
    assert len(seen) == len(set(seen))


def test_a_search_cut_short_reports_that_time_ran_out():
    calls = []
    result = search(Knobs(), calls.append, is_over=lambda: len(calls) > 9)
    assert result.is_cut_short
    assert result.basis == "10 tries (time ran out)"


@pytest.mark.data
def test_sigma_turns_a_line_that_cetr_keeps(datasets):
    # pagelet why cetr-km wcxb/dev/html/0453.html.gz --text "starts, it can fetch the"
    data = gzip.decompress((datasets / "wcxb/dev/html/0453.html.gz").read_bytes())
    source, entry = Source.from_bytes(data), method("cetr-km")
    asked = TextQuery(entry, source, entry.params())
    why = asked.why(places_of_text(source, "starts, it can fetch the")[0][2])
    assert why.is_kept
    change = asked.counterfactual(why, seconds=20.0).counterfactual
    assert change.parameter == "sigma"
    assert change.after <= 156.25


@pytest.mark.parametrize("key", [pytest.param("gleaner", marks=pytest.mark.slow), "bte"])
def test_no_change_that_empties_the_page_is_named(key):
    """It would drop all other words too: nearly every answer for gleaner was such a change."""
    html = (path("corpus") / "news" / "index.html").read_text(encoding="utf-8")
    source, entry = Source.from_text(html), method(key)
    asked = TextQuery(entry, source, entry.params())
    kept, named = np.flatnonzero(asked.trace.kept).tolist(), 0
    for word in kept[:: max(1, len(kept) // 3)]:
        why = asked.why(word)
        change = asked.counterfactual(why, seconds=2.0).counterfactual
        if change is not None:
            named += 1
            then = entry.on_source(
                source, replace(entry.params(), **{change.parameter: change.after})
            )
            assert then.text.strip(), change
        if key == "gleaner":
            assert change is None or change.parameter != "least"
    assert named > 0 or key == "gleaner"
