"""``pagelet evaluate``: methods on data sets with gold."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from algorithms.core.catalogue import available
from annotate.evaluation.robustness.perturbations import PERTURBATIONS
from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from gui.cli.arguments import JOBS
from gui.cli.signatures import Argument
from gui.cli.terminal import note, print_json, progress

if TYPE_CHECKING:
    from annotate.evaluation.report.pictures import Draw
    from annotate.evaluation.run.plan import Plan

FOLDER = "pagelet-evaluation"
CHANGES = ", ".join(each.key for each in PERTURBATIONS)
Running = Annotated[
    EvaluationOptions,
    Argument(defaults={"out": Path(FOLDER), "jobs": JOBS, "report": "pictures"}),
]

Datasets = Annotated[
    Sequence[str],
    Argument(
        "gold text: package zip, article benchmark, CleanEval and others' layouts; gold blocks: "
        "folder in Kreuzer's or Webis' layout; both: workspace, pages with gold files",
        metavar="DATASET",
    ),
]
Measures = Annotated[
    str | None,
    Argument(
        "keys separated by commas, or all; of texts text (cs,ws,bow,sow), all-text (default: "
        "text), of blocks blocks (exact, fuzzy), b3, all-blocks (default: blocks,b3)"
    ),
]


def run(
    datasets: Datasets,
    *,
    methods: str = "all",
    inputs: str | None = None,
    settings: Sequence[str] = (),
    perturb: str | None = None,
    measures: Measures = None,
    running: Running,
    choice: PageChoice,
    json: bool = False,
    shard: str | None = None,
    shard_pages: int = 100,
) -> int:
    """Run methods on data sets, and print the tables.

    Args:
        methods: keys separated by commas, or all, native, external, sites: those that read a page
            and its site; -KEY leaves one out (default: all)
        inputs (--input INPUT): inputs, separated by commas: original, dom, seen, rendered
            (default: what each method reads first); of pages in Kreuzer's layout html, original,
            dom, repaired (default: html,dom,repaired)
        settings (--set METHOD.NAME=VALUE): set a parameter
        perturb (CHANGES): also evaluate each page after changes that leave its content, and say
            how far each method's scores change: all, or some of %(CHANGES)s
        json: print the summary as JSON instead of tables
        shard (I/N): do only the I-th of N parts, into OUT/shards; pagelet merge puts them together
        shard_pages (N): most pages of one shard; a part that is killed loses one shard (default:
            100)
    """
    with defer_interrupts():
        from annotate.evaluation.run.plan import make_plan

        available()

    plan = make_plan(
        datasets,
        methods=methods,
        inputs=inputs,
        measures=measures,
        settings=settings,
        options=running,
        choice=choice,
        perturb=perturb,
    )
    if shard is not None:
        return _do_part(plan, datasets, shard, shard_pages)
    return carried_out(plan, datasets, is_json=json)


def carried_out(plan: "Plan", datasets: Sequence[str], *, is_json: bool) -> int:
    """Run a plan and print its results; return the exit status."""
    with defer_interrupts():
        from annotate.evaluation.report.result_files import summaries_as_json, written_files
        from annotate.evaluation.run.runner import carry_out
        from annotate.evaluation.store.row_files import write_origin
        from gui.cli.progress import ProgressPrinter

        draw: Draw | None = None
        if find_spec("PySide6") is not None:
            from gui.pictures.drawers import draw_pictures

            draw = draw_pictures
        elif plan.options.report == "pictures":
            note("the report is without pictures of pages: Qt is not installed")

    results = carry_out(plan, ProgressPrinter(plan), draw)
    assert plan.options.out is not None
    write_origin(plan.options.out, datasets, plan.options.repeatable)
    if is_json:
        print_json(summaries_as_json(results.groups))
    else:
        print(results.tables())
        report = plan.options.report != "none"
        print(f"\n{written_files(plan.options.out, has_report=report)}")
    note(*results.failures)
    return 1 if results.has_failed else 0


def _do_part(plan: "Plan", datasets: Sequence[str], shard: str, pages: int) -> int:
    from annotate.evaluation.run.shards import do_part, part_of
    from annotate.evaluation.store.row_files import write_origin

    if plan.options.predictions:
        raise InputError("--predictions cannot be written in parts: leave out --shard")
    part, parts = part_of(shard)
    print(do_part(plan, part, parts, pages, progress))
    assert plan.options.out is not None
    write_origin(plan.options.out, datasets, plan.options.repeatable)
    return 0
