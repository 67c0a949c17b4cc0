"""The pages a method does worst on."""

from dataclasses import dataclass

from annotate.datasets.cases import Key
from annotate.evaluation.report.report_parts import ReportPart, sort_out
from annotate.evaluation.store.rows import SCORED
from annotate.evaluation.tables.result_table import Results

MOST = 10


@dataclass(frozen=True)
class WorstRun:
    """Run among a setup's worst.

    Attributes:
        key: Data set, page and input.
        setup: Label of the setup, as `report_parts.setup_labels` makes it.
        measure: Key of the measure it was judged by: fuzzy match for blocks, word sequences for
            text, or the first there is.
        value, precision, recall: None where there is none; a run that failed has no value.
        status, reason: Outcome of the run.
    """

    key: Key
    setup: str
    measure: str
    value: float | None
    precision: float | None
    recall: float | None
    status: str
    reason: str


def worst_runs(results: Results, most: int = MOST) -> tuple[WorstRun, ...]:
    """Return each setup's worst pages by data set, input and kind of gold, the worst first.

    Runs that failed or timed out are worse than any score; skipped runs did not run, and undefined
    scores are not judged.  Pages as bad as each other keep their order.
    """
    return tuple(
        run
        for part in sort_out(results).parts
        for setup in part.setups
        for run in worst_of(part, setup, most)
    )


def worst_of(part: ReportPart, setup: str, most: int = MOST) -> tuple[WorstRun, ...]:
    """Return the worst pages of one setup in one part."""
    result: list[tuple[tuple[bool, float], WorstRun]] = []
    endings = part.endings
    for page, status, value, precision, recall in part.runs(setup, part.main):
        has_failed = status not in SCORED
        if status in ("", "skipped") or (value is None and not has_failed):
            continue
        reason = endings[setup, page].reason
        run = WorstRun(
            part.key(page), setup, part.main.key, value, precision, recall, status, reason
        )
        result.append(((not has_failed, value or 0.0), run))
    result.sort(key=lambda pair: pair[0])
    return tuple(run for _, run in result[:most])
