"""Outcomes of runs, in columns."""

from algorithms.core.batch import RunStatus
from annotate.evaluation.store.rows import ResultRow, RunFacts
from annotate.evaluation.tables.axes import ListedPage
from annotate.evaluation.tables.result_table import Results
from annotate.evaluation.tables.run_outcomes import RunOutcome

PAGES = [ListedPage("set", name) for name in ("a", "b")]


def row(page, **facts):
    run = RunFacts("set", page, "original", "plain", "1", **facts)
    return ResultRow(run, "cs", RunStatus.OK)


def test_run_outcomes_are_stored_unchanged():
    known = row("a", ms=2.5, unmapped_words=0, page_hash="f" * 64, size=7, gold_on_page=0.5,
                viewport=(1024, 768), word_unit="characters")  # fmt: skip
    unknown = row("b")
    results = Results(PAGES)
    results.take([known, unknown])
    first, second = (RunOutcome(row.run, row.status, row.reason) for row in (known, unknown))
    assert dict(results.facts) == {(0, 0): first, (1, 0): second}


def test_a_repeated_run_replaces_the_earlier_one():
    results = Results(PAGES)
    results.take([row("a", ms=1.0), row("b", ms=2.0)])
    results.take([row("a", ms=3.0)])
    assert [(cell, end.run.ms) for cell, end in results.facts.items()] == [
        ((0, 0), 3.0),
        ((1, 0), 2.0),
    ]
    assert len(results.facts) == 2
