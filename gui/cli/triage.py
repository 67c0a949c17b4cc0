"""``pagelet triage``: which pages to mark first, and how good results probably are."""

import argparse
import json
from pathlib import Path

from algorithms.core.catalogue import available
from annotate.datasets.no_pages import takes_all, takes_none
from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from gui.cli.arguments import add_all, options_of, progress
from gui.cli.evaluate import add_running

FOLDER = "pagelet-triage"
ORDERS = ("bad", "teaches", "unusual", "disagreement")
_EPILOG = """Examples:
  pagelet triage pages
  pagelet triage pages --order teaches
  pagelet triage work.pagelet --methods gleaner,trafilatura --out order --resume
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take pages, methods, and where and how to run them."""
    command.epilog = _EPILOG
    command.add_argument(
        "data",
        nargs="+",
        metavar="DATA",
        help="pages, with gold or without: a folder, a workspace, a data set",
    )
    add_all(command)
    command.add_argument(
        "--methods",
        default="gleaner",
        help="keys separated by commas, or all, native, external (default: gleaner)",
    )
    command.add_argument(
        "--set", action="append", default=[], metavar="METHOD.NAME=VALUE", help="set a parameter"
    )
    command.add_argument(
        "--first",
        type=int,
        default=20,
        metavar="N",
        help="pages to print; OUT/triage.csv has all (default: %(default)s)",
    )
    command.add_argument(
        "--order",
        choices=ORDERS,
        default="bad",
        help="what comes first: pages that are probably bad, teach gleaner most, are unlike the "
        "rest, or on which methods disagree (default: %(default)s)",
    )
    add_running(command, out=Path(FOLDER), report="none")
    command.add_argument("--json", action="store_true", help="print all rows as JSON")


def run(options: argparse.Namespace) -> int:
    """Predict, and print the order of work."""
    with defer_interrupts():
        from annotate.evaluation.run.plan import chosen_of, plan_of
        from annotate.evaluation.run.runner import carry_out
        from annotate.evaluation.run.triage import (
            MEASURES,
            in_order,
            pages_of,
            rows_of,
            table_of,
            write_order,
        )
        from annotate.evaluation.tables.prediction_quality import quality_lines
        from gui.cli.progress import Speaker

        available()
    if options.first < 1:
        raise InputError(f"--first must be at least 1, got {options.first}")
    choice = options_of(PageChoice, options)
    takes = takes_all if options.all else takes_none
    datasets = tuple(choice.taken_of(pages_of(each, takes)) for each in options.data)
    chosen = chosen_of(options.methods, options.set, datasets)
    texts = tuple(each for each in chosen if each.entry.output == "extraction")
    for each in chosen:
        if each.is_named and each not in texts:
            raise InputError(f"{each.entry.key} gives blocks: name methods that extract text")
    plan = plan_of(datasets, texts, options_of(EvaluationOptions, options), measures=MEASURES)
    evaluated = carry_out(plan, Speaker(plan, progress))
    pages = in_order(evaluated.results, options.order)
    out = plan.options.out
    assert out is not None
    write_order(out / "triage.csv", pages)
    if options.json:
        print(json.dumps(list(rows_of(pages)), indent=2, ensure_ascii=False))
    else:
        print(f"{table_of(pages, options.first)}\n\nAll rows: {out / 'triage.csv'}")
        for line in quality_lines(evaluated.results):
            print(line)
    for failure in evaluated.failures:
        progress(f"pagelet: {failure}")
    return 1 if evaluated.has_failed else 0
