"""``pagelet evaluate``: methods on data sets with gold."""

import argparse
import json
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algorithms.catalogue import available
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from engine.word_units import WORD_UNITS
from gui.cli.arguments import add_choice, add_repeatable, processors, progress

if TYPE_CHECKING:
    from annotate.evaluation.pictures import Draw
    from annotate.evaluation.plan import Plan

FOLDER = "pagelet-evaluation"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take data sets, methods, measures, and where and how to run them."""
    add_datasets(command)
    _add_methods(command)
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
        "and its site (default: all)",
    )
    command.add_argument(
        "--input",
        help="what is read, separated by commas: original, dom, rendered (default: what each "
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
    command.add_argument(
        "--word-unit",
        choices=WORD_UNITS,
        default=WORD_UNITS[0],
        help="what a word of Chinese, Japanese, Thai, Lao, Khmer and Burmese is: one of its "
        "characters, or a clause, all between two signs or blanks (default: %(default)s)",
    )
    command.add_argument("--out", type=Path, default=Path(FOLDER), help="folder to write to")
    command.add_argument(
        "--predictions", action="store_true", help="also write what each method returned"
    )
    command.add_argument(
        "--jobs",
        type=int,
        default=processors(),
        metavar="N",
        help="worker processes (default: %(default)s, as many as there are processors); one or two "
        "more help where many pages have to be rendered",
    )
    command.add_argument(
        "--resume",
        action="store_true",
        help="skip pages that are in OUT/scores.csv already; with --shard: shards that are done",
    )
    command.add_argument(
        "--cache", type=Path, metavar="DIR", help="folder for snapshots of rendered pages"
    )
    command.add_argument("--no-cache", action="store_true", help="render every page again")
    add_repeatable(command)
    command.add_argument(
        "--report",
        choices=("none", "tables", "pictures"),
        default="pictures",
        help="write report.html: its tables and figures, or also pictures of the pages each "
        "method does worst on (default: pictures)",
    )
    command.add_argument(
        "--timeout",
        type=float,
        default=120.0,
        metavar="SECONDS",
        help="time to render one page, or for one method on it (default: 120)",
    )
    add_choice(command, "pages of each data set")
    command.add_argument(
        "--json", action="store_true", help="print the summary as JSON instead of tables"
    )


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
        from annotate.evaluation.choice import PageChoice
        from annotate.evaluation.plan import make_plan

        available()

    plan = make_plan(
        options.datasets,
        methods=options.methods,
        inputs=options.input,
        measures=options.measures,
        settings=options.set,
        out=options.out,
        cache=options.cache,
        is_cached=not options.no_cache,
        predictions=options.predictions,
        jobs=options.jobs,
        resumes=options.resume,
        report="" if options.report == "none" else options.report,
        no_sandbox=options.no_sandbox,
        seconds=options.timeout,
        repeatable=options.repeatable,
        word_unit=options.word_unit,
        choice=PageChoice(options.limit, options.sample, options.seed),
    )
    if options.shard is not None:
        return _do_part(plan, options)
    return carried_out(plan, options)


def options_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return the attributes of a plan that `add_scoring` takes; raises `InputError`."""
    from engine.page_cache import default_folder

    if options.jobs < 1:
        raise InputError(f"--jobs must be at least 1, got {options.jobs}")
    if not options.timeout > 0:
        raise InputError(f"--timeout must be more than 0 seconds, got {options.timeout:g}")
    return {
        "out": options.out,
        "cache": None if options.no_cache else options.cache or default_folder(),
        "predictions": options.predictions,
        "jobs": options.jobs,
        "resumes": options.resume,
        "report": "" if options.report == "none" else options.report,
        "no_sandbox": options.no_sandbox,
        "seconds": options.timeout,
        "repeatable": options.repeatable,
        "word_unit": options.word_unit,
    }


def carried_out(plan: "Plan", options: argparse.Namespace) -> int:
    """Carry a plan out and print what came of it; return the exit status."""
    with defer_interrupts():
        from annotate.evaluation.provenance import write_origin
        from annotate.evaluation.run import carry_out
        from annotate.evaluation.writing import summaries_as_json
        from gui.cli.progress import Speaker

        draw: Draw | None = None
        if find_spec("PySide6") is not None:
            from gui.pictures.drawers import draw_pictures

            draw = draw_pictures
        elif plan.report == "pictures":
            progress("pagelet: the report is without pictures of pages: Qt is not installed")

    results = carry_out(plan, Speaker(plan, progress), draw)
    write_origin(options.out, options.datasets, options.repeatable)
    if options.json:
        print(json.dumps(summaries_as_json(results.groups), indent=2, ensure_ascii=False))
    else:
        print(results.tables())
        print(f"\n{results.places()}")
    for failure in results.failures:
        progress(f"pagelet: {failure}")
    return 1 if results.has_failed else 0


def _do_part(plan: "Plan", options: argparse.Namespace) -> int:
    """Do one part of the plan."""
    from annotate.evaluation.parts import do_part, part_of

    if options.predictions:
        raise InputError("--predictions cannot be written in parts: leave out --shard")
    part, parts = part_of(options.shard)
    print(do_part(plan, part, parts, options.shard_pages, progress))
    return 0
