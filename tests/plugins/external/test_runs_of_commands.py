"""Runs of commands on a page: each failure has its reason."""

from algorithms.core.batch import RunStatus
from tests.algorithms.core.test_batch import run, setup


def test_failed_and_timed_out_runs_have_a_reason_and_no_score(declare):
    declare(breaks="import sys; sys.exit('no model')", hangs="import time; time.sleep(60)")
    breaks, hangs = run(setup("breaks")), run(setup("hangs", seconds=0.3))
    assert (breaks.status, breaks.reason) == (
        RunStatus.FAILED, "ended with status 1: no model",
    )  # fmt: skip
    assert (hangs.status, hangs.reason) == (RunStatus.TIMED_OUT, "took longer than 0.3 s")
    for each in (breaks, hangs):
        assert not each.scores
        assert each.text is None
        assert (each.if_empty["ws"].value, each.if_empty["ws"].precision) == (0, 1)
