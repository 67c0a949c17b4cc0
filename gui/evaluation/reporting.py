"""The report of an evaluation, with pictures of the pages each method does worst on."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from algorithms.batch import RunStatus, Setup
from annotate.casefiles import PageFiles
from annotate.cases import Key
from gui.ctrl_c import held
from gui.evaluation.drawing import Pictures, Place, Wanted, draw_pictures
from gui.evaluation.ledger import Row
from gui.evaluation.page_work import RENDERED
from gui.evaluation.plan import Plan
from gui.evaluation.tables import setup_columns

_LOST = (RunStatus.FAILED, RunStatus.TIMED_OUT)
_SAY_EVERY = 5.0
"""Seconds between two lines on how many pictures are drawn."""


def make_report(
    plan: Plan,
    rows: Sequence[Row],
    say: Callable[[str], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Path:
    """Write the report of a plan's rows into its folder; return where it is.

    Args:
        plan: What was evaluated.
        rows: What came of it.
        say: Is told now and then how far it is.
        is_stopped: Whether to go without the pictures that are not drawn yet.

    Raises:
        InputError: The folder cannot be written to.
    """
    with held():
        from gui.evaluation.report.write import write_report  # matplotlib

    assert plan.out is not None, "a report needs a folder"
    drawn = Pictures()
    if plan.report == "pictures":
        wanted, problems = _wanted(plan, rows)
        progress = _Progress(len(wanted), say, is_stopped)
        drawn = draw_pictures(
            wanted,
            plan.out / "pictures",
            plan.jobs,
            no_sandbox=plan.no_sandbox,
            on_progress=progress.goes_on,
        )
        drawn.problems.update(problems)
    title = ", ".join(dataset.name for dataset in plan.datasets)
    return write_report(plan.out, rows, drawn.files, title=title, problems=drawn.problems)


class _Progress:
    """Says how many pictures are drawn, now and then."""

    def __init__(
        self, total: int, say: Callable[[str], None], is_stopped: Callable[[], bool]
    ) -> None:
        self._total, self._say, self._is_stopped = total, say, is_stopped
        self._said = time.monotonic()

    def goes_on(self, done: int) -> bool:
        """Say how many are done, and return whether to go on."""
        if done < self._total and time.monotonic() - self._said >= _SAY_EVERY:
            self._said = time.monotonic()
            self._say(f"{done}/{self._total} pictures for the report")
        return not self._is_stopped()


def _wanted(plan: Plan, rows: Sequence[Row]) -> tuple[list[Wanted], dict[Place, str]]:
    """Return what is to be drawn, and why other pictures cannot be."""
    from gui.evaluation.report.scores import setup_labels
    from gui.evaluation.report.worst import worst_runs

    labels = setup_labels(rows)
    places: dict[Place, tuple[PageFiles, Setup]] = {}
    for _, case, setups in plan.cases():
        for setup in setups:
            label = labels[setup.method, setup_columns(setup)["parameters"]]
            places[case.key, label] = case.files, setup
    # What could not be rendered before is not waited for a second time.
    lost = {_page(row) for row in rows if row["status"] in _LOST and not row["viewport"]}
    wanted, problems = [], {}
    for run in worst_runs(rows):
        files, setup = places[run.key, run.setup]
        if setup.input in RENDERED and run.key in lost:
            problems[run.key, run.setup] = run.reason
            continue
        says = "" if run.value is None else f"{run.measure} {run.value:.3f}"
        wanted.append(Wanted(run.key, run.setup, files, setup, says, run.reason))
    return wanted, problems


def _page(row: Row) -> Key:
    return row["dataset"], row["page"], row["input"]
