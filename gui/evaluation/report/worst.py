"""The pages a method does worst on."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.cases import Key
from gui.evaluation.ledger import Row
from gui.evaluation.report.scores import SCORED, Part, read_results

MOST = 10


@dataclass(frozen=True)
class WorstRun:
    """One run among a setup's worst.

    Attributes:
        key: Data set, page and input.
        setup: Label of the setup, as `gui.evaluation.report.scores.setup_labels` makes it.
        measure: Key of the measure it was judged by: fuzzy match for blocks, word sequences for
            text, or the first there is.
        value, precision, recall: None where there is none; a run that failed has no value.
        status, reason: How the run ended.
    """

    key: Key
    setup: str
    measure: str
    value: float | None
    precision: float | None
    recall: float | None
    status: str
    reason: str


def worst_runs(rows: Sequence[Row], most: int = MOST) -> tuple[WorstRun, ...]:
    """Return each setup's worst pages by data set, input and kind of gold, the worst first.

    Runs that failed or timed out are worse than any score; what was skipped did not run, and what
    has no defined score is not judged.  Pages as bad as each other keep the order of the rows.
    """
    return tuple(
        run
        for part in read_results(rows).parts
        for setup in part.setups
        for run in worst_of(part, setup, most)
    )


def worst_of(part: Part, setup: str, most: int = MOST) -> tuple[WorstRun, ...]:
    """Return the worst pages of one setup in one part."""
    series = part.series.get((setup, part.main.key))
    if series is None:
        return ()
    found: list[tuple[tuple[bool, float], WorstRun]] = []
    columns = (series.value, series.precision, series.recall)
    for page, status, *numbers in zip(
        part.pages, series.statuses, *(column.tolist() for column in columns), strict=True
    ):
        value, precision, recall = (None if n != n else n for n in numbers)
        has_failed = status not in SCORED
        if status in ("", "skipped") or (value is None and not has_failed):
            continue
        reason = part.endings[setup, page].reason
        run = WorstRun(
            part.key(page), setup, part.main.key, value, precision, recall, status, reason
        )
        found.append(((not has_failed, value or 0.0), run))
    found.sort(key=lambda pair: pair[0])
    return tuple(run for _, run in found[:most])
