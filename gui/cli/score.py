"""``pagelet score``: texts extracted elsewhere, scored as methods are."""

import argparse
from pathlib import Path

from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.interrupts import defer_interrupts
from gui.cli import evaluate
from gui.cli.arguments import options_of, progress


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take texts, data sets, measures, and where to write."""
    command.add_argument(
        "texts", metavar="TEXTS", help="JSON {page: text}, or a folder with a file NAME.txt a page"
    )
    evaluate.add_datasets(command)
    command.add_argument(
        "--beside",
        action="append",
        default=[],
        metavar="TEXTS",
        help="further texts, scored beside the first; may be given more than once",
    )
    command.add_argument(
        "--methods",
        default="",
        help="methods to run beside them: keys separated by commas, native, external; -KEY leaves "
        "one out",
    )
    evaluate.add_scoring(command)


def run(options: argparse.Namespace) -> int:
    """Score them, and print the tables."""
    with defer_interrupts():
        from annotate.evaluation.run.outside_texts import score_plan

    plan, notes = score_plan(
        [Path(each).expanduser() for each in (options.texts, *options.beside)],
        options.datasets,
        methods=options.methods,
        measures=options.measures,
        choice=options_of(PageChoice, options),
        options=options_of(EvaluationOptions, options),
    )
    for note in notes:
        progress(f"pagelet: {note}")
    return evaluate.carried_out(plan, options)
