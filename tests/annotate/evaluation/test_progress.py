"""The progress of a run, in words."""

import pytest

from annotate.evaluation.run.run_progress import RunProgress


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.4, "0 s"), (99.4, "99 s"), (100.0, "2 min"), (3500.0, "58 min"), (3599.0, "1 h 00 min"),
     (11100.0, "3 h 05 min")],
)  # fmt: skip
def test_the_time_left_is_as_exact_as_a_reader_wants_it(seconds, said):
    state = RunProgress(1, 9, 0.5, seconds, ("rendering p1 for 3 s",))
    assert state.line == f"1/9 pages, 0.5 pages/s, {said} left; rendering p1 for 3 s"


def test_no_remaining_time_is_shown_at_the_start_and_at_the_end():
    assert RunProgress(0, 9, 0.0, None).line == "0/9 pages, 0.0 pages/s"
    assert RunProgress(9, 9, 2.5, 0.0, ("idle",)).line == "9/9 pages, 2.5 pages/s"
