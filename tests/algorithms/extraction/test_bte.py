"""BTE against the printed listing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.extraction.bte import BteParams, best_run, extract
from engine.errors import ParameterError
from engine.source import Source

ARTICLE = "<ul><li><a>home</a><li><a>news</a></ul><p>the long story of the day</p><i>ad</i>"


def test_drops_menu_and_keeps_story():
    extraction = extract(Source.from_text(ARTICLE), BteParams())
    assert extraction.text == "the long story of the day"


def test_a_free_tag_costs_nothing():
    extraction = extract(Source.from_text(ARTICLE), BteParams(tag_cost=0.0))
    assert extraction.text.split()[0] == "home"
    assert extraction.text.split()[-1] == "ad"


def listing(tag):
    """Algorithm 3.1 for runs that start and end with a word; tag is 1 for tags, 0 for words."""
    best, result = 0, None
    for i in range(len(tag)):
        for j in range(i, len(tag)):
            if tag[i] or tag[j]:
                continue
            value = sum(tag[:i]) + sum(1 - b for b in tag[i : j + 1]) + sum(tag[j + 1 :])
            if value > best:
                best, result = value, (i, j)
    return result


@given(st.lists(st.integers(0, 1), max_size=24))
def test_the_run_is_the_listings(tag):
    start, end = best_run(np.where(np.array(tag, dtype=bool), -1.0, 1.0))
    result = listing(tag)
    assert (start, end - 1) == result if result else start == end


@given(st.lists(st.sampled_from([-1.0, 1.0]), max_size=24))
def test_no_run_has_a_larger_sum(gain):
    start, end = best_run(np.array(gain))
    sums = [sum(gain[i:j]) for i in range(len(gain) + 1) for j in range(i, len(gain) + 1)]
    assert sum(gain[start:end]) == max(sums)


def test_a_cost_out_of_bounds_is_refused():
    with pytest.raises(ParameterError, match="tag_cost must be at most 20, got 21"):
        BteParams(tag_cost=21.0)
