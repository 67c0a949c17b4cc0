"""``pagelet evaluate``: methods on data sets with gold."""

import argparse
import json
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from algorithms.core.catalogue import available
from annotate.evaluation.robustness.perturbations import PERTURBATIONS
from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from engine.page_cache import default_folder
from gui.cli.arguments import add_options, options_of, processors, progress

if TYPE_CHECKING:
    from annotate.evaluation.report.pictures import Draw
    from annotate.evaluation.run.plan import Plan

FOLDER = "pagelet-evaluation"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take data sets, methods, measures, and where and how to run them."""
    add_datasets(command)
    _add_methods(command)
    command.add_argument(
        "--perturb",
        metavar="CHANGES",
        help="also evaluate each page after changes that leave its content, and say how "
        "far each method's scores change: all, or some of "
        f"{', '.join(each.key for each in PERTURBATIONS)}",
    )
    add_scoring(command)
    _add_shards(command)


def add_datasets(command: argparse.ArgumentParser) -> None:
    """Take data sets."""
    command.add_argument(
        "datasets",
        nargs="+",
        metavar="DATASET",
        help="gold text: package zip, article benchmark, CleanEval and others' layouts; gold "
        "blocks: folder in Kreuzer's or Webis' layout; both: workspace, pages with gold files",
    )


def _add_methods(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--methods",
        default="all",
        help="keys separated by commas, or all, native, external, sites: those that read a page "
        "and its site; -KEY leaves one out (default: all)",
    )
    command.add_argument(
        "--input",
        help="what is read, separated by commas: original, dom, seen, rendered (default: what each "
        "method reads first); of "
        "pages in Kreuzer's layout html, original, dom, repaired (default: html,dom,repaired)",
    )
    command.add_argument(
        "--set", action="append", default=[], metavar="METHOD.NAME=VALUE", help="set a parameter"
    )


def add_scoring(command: argparse.ArgumentParser) -> None:
    """Take measures, and where and how to run."""
    command.add_argument(
        "--measures",
        help="keys separated by commas, or all; of texts text (cs,ws,bow,sow), all-text (default: "
        "text), of blocks blocks (exact, fuzzy), b3, all-blocks (default: blocks,b3)",
    )
    add_running(command, out=Path(FOLDER), report="pictures")
    command.add_argument(
        "--json", action="store_true", help="print the summary as JSON instead of tables"
    )


def add_running(command: argparse.ArgumentParser, out: Path, report: str) -> None:
    """Take how to run, of which pages, and where to write."""
    add_options(command, EvaluationOptions, out=out, jobs=processors(), report=report)
    cache = command.add_mutually_exclusive_group()
    cache.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        default=default_folder(),
        help="folder for snapshots of rendered pages",
    )
    cache.add_argument(
        "--no-cache",
        action="store_const",
        const=None,
        dest="cache",
        help="render every page again",
    )
    add_options(command, PageChoice)


def _add_shards(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--shard",
        metavar="I/N",
        help="do only the I-th of N parts, into OUT/shards; pagelet merge puts them together",
    )
    command.add_argument(
        "--shard-pages",
        type=int,
        default=100,
        metavar="N",
        help="most pages of one shard; a part that is killed loses one shard (default: 100)",
    )


def run(options: argparse.Namespace) -> int:
    """Run them, and print the tables."""
    with defer_interrupts():
        from annotate.evaluation.run.plan import make_plan

        available()

    plan = make_plan(
        options.datasets,
        methods=options.methods,
        inputs=options.input,
        measures=options.measures,
        settings=options.set,
        options=options_of(EvaluationOptions, options),
        choice=options_of(PageChoice, options),
        perturb=options.perturb,
    )
    if options.shard is not None:
        return _do_part(plan, options)
    return carried_out(plan, options)


def carried_out(plan: "Plan", options: argparse.Namespace) -> int:
    """Run a plan and print its results; return the exit status."""
    with defer_interrupts():
        from annotate.evaluation.report.result_files import summaries_as_json
        from annotate.evaluation.run.runner import carry_out
        from annotate.evaluation.store.provenance import write_origin
        from gui.cli.progress import Speaker

        draw: Draw | None = None
        if find_spec("PySide6") is not None:
            from gui.pictures.drawers import draw_pictures

            draw = draw_pictures
        elif plan.options.report == "pictures":
            progress("pagelet: the report is without pictures of pages: Qt is not installed")

    results = carry_out(plan, Speaker(plan, progress), draw)
    write_origin(options.out, options.datasets, options.repeatable)
    if options.json:
        print(json.dumps(summaries_as_json(results.groups), indent=2, ensure_ascii=False))
    else:
        print(results.tables())
        print(f"\n{results.written_files()}")
    for failure in results.failures:
        progress(f"pagelet: {failure}")
    return 1 if results.has_failed else 0


def _do_part(plan: "Plan", options: argparse.Namespace) -> int:
    from annotate.evaluation.run.shards import do_part, part_of
    from annotate.evaluation.store.provenance import write_origin

    if options.predictions:
        raise InputError("--predictions cannot be written in parts: leave out --shard")
    part, parts = part_of(options.shard)
    print(do_part(plan, part, parts, options.shard_pages, progress))
    write_origin(options.out, options.datasets, options.repeatable)
    return 0
