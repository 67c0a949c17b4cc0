"""Test that what an empty text scores is known of runs that gave none, however they ended."""

import pytest

from algorithms.core.batch import Run, RunStatus, Setup
from algorithms.core.catalogue import method
from algorithms.measures.prf import Score
from annotate.evaluation.run.tasks import CaseTask, PageDone, PageFacts

NOTHING = Score(0.0, 1.0, 0.0)


@pytest.mark.parametrize("status", [RunStatus.FAILED, RunStatus.TIMED_OUT])
def test_a_run_that_was_ended_scores_as_an_empty_text(status):
    setups = tuple(Setup(key, method(key).params(), "original") for key in ("bte", "dsc"))
    facts = PageFacts("ab", 10, if_empty={"ws": NOTHING})
    ran = Run(RunStatus.OK, text="", scores={"ws": Score(0.5, 0.5, 0.5)})
    done = PageDone.of(
        CaseTask(0, None, setups), facts, [Run(status, "the method took too long"), ran]
    )
    assert done.runs[0].if_empty == {"ws": NOTHING}
    assert done.runs[1].if_empty == {}
