"""The report of an evaluation, with the pages each method does worst on.

Rendered pages are shown by a picture, the others by the text lost and taken wrongly.
"""

import time
from collections.abc import Callable
from pathlib import Path

from algorithms.core.batch import Setup
from annotate.datasets.case_files import PageFiles
from annotate.evaluation.report.pictures import (
    Draw,
    Excerpt,
    PictureKey,
    PictureRequest,
    Pictures,
    excerpt,
)
from annotate.evaluation.report.report_parts import setup_labels, worst_runs
from annotate.evaluation.report.result_files import facts_of, groups_of
from annotate.evaluation.report.stability import stabilities
from annotate.evaluation.robustness.perturbed import names_as_they_are
from annotate.evaluation.run.plan import Plan
from annotate.evaluation.run.tasks import RENDERED
from annotate.evaluation.store.rows import parameters_of
from annotate.evaluation.tables.axes import canonical
from annotate.evaluation.tables.result_table import FAILED, TIMED_OUT, Results
from engine.interrupts import defer_interrupts

_SAY_EVERY = 5.0
"""Seconds between two lines on how many pictures are drawn."""


def make_report(
    plan: Plan,
    results: Results,
    draw: Draw | None = None,
    say: Callable[[str], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Path:
    """Write the report of a plan's results into its folder; return where it is.

    Args:
        plan: Plan of the evaluation.
        results: Its results.
        draw: Draws the pictures the plan asks for; without it the report has none.
        say: Called with the progress, from time to time.
        is_stopped: Whether to go without the pictures that are not drawn yet.

    Raises:
        InputError: The folder cannot be written to.
    """
    with defer_interrupts():
        from annotate.evaluation.report.html_report import write_report

    out, drawn, excerpts = plan.options.out, Pictures(), dict[PictureKey, Excerpt]()
    assert out is not None, "a report needs a folder"
    if plan.options.report == "pictures":
        requests, problems = _requests_for(plan, results)
        for each in requests:
            if result := excerpt(each.files, each.setup):
                excerpts[each.picture_key] = result
        # Who draws knows the methods of the catalogue; a text made elsewhere has no picture.
        requests = [r for r in requests if r.picture_key not in excerpts and r.setup.recipe is None]
        told = time.monotonic()

        def goes_on(done: int) -> bool:
            nonlocal told
            if done < len(requests) and time.monotonic() - told >= _SAY_EVERY:
                told = time.monotonic()
                say(f"{done}/{len(requests)} pictures for the report")
            return not is_stopped()

        if draw is not None:
            jobs, no_sandbox = plan.options.jobs, plan.options.no_sandbox
            where = out / "pictures"
            drawn = draw(requests, where, jobs, no_sandbox=no_sandbox, on_progress=goes_on)
            drawn.problems.update(problems)
    return write_report(
        out,
        results,
        drawn.files,
        title=", ".join(names_as_they_are(plan.datasets)),
        problems=drawn.problems,
        sites={(of.name, page): site for of in plan.datasets for page, site in of.sites.items()},
        copies={name: each.copies for name, each in facts_of(plan.datasets).items()},
        excerpts=excerpts,
    )


def _requests_for(
    plan: Plan, results: Results
) -> tuple[list[PictureRequest], dict[PictureKey, str]]:
    """Return the pictures to draw, and why others cannot be drawn."""
    labels = setup_labels(results)
    runs: dict[PictureKey, tuple[PageFiles, Setup]] = {}
    for _, case, setups in plan.cases():
        for setup in setups:
            label = labels[setup.method, canonical(parameters_of(setup))]
            runs[case.key, label] = case.files, setup
    # Pages that could not be rendered are not tried a second time.
    lost = {
        row.run.key
        for cell, row in results.facts.items()
        if results.status[cell] in (FAILED, TIMED_OUT) and row.run.viewport is None
    }
    requests, problems = [], {}
    for run in worst_runs(results):
        files, setup = runs[run.key, run.setup]
        if setup.input in RENDERED and run.key in lost:
            problems[run.key, run.setup] = run.reason
            continue
        says = "" if run.value is None else f"{run.measure} {run.value:.3f}"
        requests.append(PictureRequest(run.key, run.setup, files, setup, says, run.reason))
    for stability in stabilities(results, groups_of(results)):
        for drop in stability.drops:
            key = drop.dataset, drop.page, drop.column.input
            label = labels[drop.column.method, drop.column.parameters]
            files, setup = runs[key, label]
            says = f"{stability.measure.key} {drop.after:.3f}, before the change {drop.before:.3f}"
            requests.append(PictureRequest(key, label, files, setup, says, ""))
    return requests, problems
