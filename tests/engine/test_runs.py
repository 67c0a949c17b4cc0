"""Test runs of flags and their inverse."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.runs import mark_covered, runs_of

FLAGS = st.lists(st.booleans(), max_size=30).map(lambda flags: np.array(flags, dtype=bool))
RUNS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)).map(sorted), max_size=8)


def test_runs_start_at_the_first_flag_and_end_after_the_last():
    starts, ends = runs_of(np.array([1, 1, 0, 1, 0, 0, 1], dtype=bool))
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == [(0, 2), (3, 4), (6, 7)]


@given(FLAGS)
def test_covering_the_runs_of_flags_returns_the_flags(flags):
    assert mark_covered(*runs_of(flags), flags.size).tolist() == flags.tolist()


@given(RUNS)
def test_a_position_is_covered_if_any_run_holds_it(runs):
    starts, ends = np.array(runs, dtype=np.int32).reshape(-1, 2).T
    expected = [any(start <= k < end for start, end in runs) for k in range(20)]
    assert mark_covered(starts, ends, 20).tolist() == expected
