"""The report of an evaluation, with pictures of the pages each method does worst on.

Pictures are drawn in processes of their own, since the caller may be a window, and a page may take
the process down that renders it.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from algorithms.batch import Setup
from annotate.casefiles import PageFiles
from annotate.cases import Key
from gui.evaluation.ledger import Row
from gui.evaluation.plan import Plan
from gui.evaluation.tables import setup_columns

_PAGE_S = 60.0
"""What one page with its pictures may take before they are given up."""

_Place = tuple[Key, str]


@dataclass(frozen=True)
class _Wanted:
    """A picture to draw; it travels to the process that draws it."""

    key: Key
    label: str
    files: PageFiles
    setup: Setup
    says: str
    why_not: str


def make_report(plan: Plan, rows: Sequence[Row]) -> Path:
    """Write the report of a plan's rows into its folder; return where it is.

    Raises:
        InputError: The folder cannot be written to.
    """
    from gui.evaluation.report.write import write_report  # matplotlib

    assert plan.out is not None, "a report needs a folder"
    pictures: dict[_Place, Path] = {}
    problems: dict[_Place, str] = {}
    if plan.report == "pictures":
        pictures, problems = _drawn(_wanted(plan, rows), plan)
    title = ", ".join(dataset.name for dataset in plan.datasets)
    return write_report(plan.out, rows, pictures, title=title, problems=problems)


def _wanted(plan: Plan, rows: Sequence[Row]) -> list[_Wanted]:
    from gui.evaluation.report.scores import setup_labels
    from gui.evaluation.report.worst import worst_runs

    labels = setup_labels(rows)
    places: dict[_Place, tuple[PageFiles, Setup]] = {}
    for _, case, setups in plan.cases():
        for setup in setups:
            label = labels[setup.method, setup_columns(setup)["parameters"]]
            places[case.key, label] = case.files, setup
    wanted = []
    for run in worst_runs(rows):
        files, setup = places[run.key, run.setup]
        says = "" if run.value is None else f"{run.measure} {run.value:.3f}"
        wanted.append(_Wanted(run.key, run.setup, files, setup, says, run.reason))
    return wanted


def _drawn(wanted: Sequence[_Wanted], plan: Plan) -> tuple[dict[_Place, Path], dict[_Place, str]]:
    """Draw pictures, those of a page in the same process one after the other."""
    assert plan.out is not None, "pictures need a folder"
    pages: dict[Key, list[_Wanted]] = {}
    for each in wanted:
        pages.setdefault(each.key, []).append(each)
    shares = [list(pages.values())[k :: plan.jobs] for k in range(plan.jobs)]
    pictures: dict[_Place, Path] = {}
    problems: dict[_Place, str] = {}
    # Spawned, not forked: Chromium starts only in a process that has none yet.
    pool = ProcessPoolExecutor(plan.jobs, mp_context=get_context("spawn"))
    try:
        futures = [
            (share, pool.submit(_draw, share, plan.out / "pictures", no_sandbox=plan.no_sandbox))
            for share in shares
            if share
        ]
        for share, future in futures:
            try:
                found = future.result(_PAGE_S * len(share))
            except (BrokenProcessPool, TimeoutError):
                reason = "drawing took its process down, or too long"
                problems |= {(each.key, each.label): reason for page in share for each in page}
            else:
                pictures |= found[0]
                problems |= found[1]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return pictures, problems


def _draw(
    pages: Sequence[Sequence[_Wanted]], folder: Path, *, no_sandbox: bool
) -> tuple[Mapping[_Place, Path], Mapping[_Place, str]]:
    """Draw the pictures of some pages; the body of a process."""
    from engine.web import noise  # Qt
    from engine.web.headless import Browser
    from gui.evaluation.report.pictures import Subject, draw_worst

    noise.install()
    subjects = [
        Subject(
            each.key,
            each.label,
            each.files.document,
            each.files.marks,
            each.setup.entry,
            each.setup.params,
            each.setup.input,
            each.says,
            each.why_not,
        )
        for page in pages
        for each in page
    ]
    with Browser(no_sandbox=no_sandbox) as browser:
        drawn = draw_worst(subjects, folder, browser)
    return drawn.pictures, drawn.problems
