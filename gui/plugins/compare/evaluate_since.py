"""``pagelet evaluate --since``: results on two captures of the same pages."""

import argparse
import json

from algorithms.core.catalogue import available
from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from gui.cli.arguments import options_of, progress


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the argument for the earlier capture."""
    command.add_argument(
        "--since",
        metavar="EARLIER",
        help="compare with an earlier capture of the same pages (WARC, WACZ, folder, data set) in "
        "place of gold: how far each method's result changed on the text that stayed",
    )


def run(options: argparse.Namespace) -> int | None:
    """Compare results on two captures of the same pages; None without an earlier capture."""
    if options.since is None:
        return None
    with defer_interrupts():
        from annotate.evaluation.run.plan import chosen_of
        from annotate.plugins.compare.over_time import (
            captures,
            changes_over_time,
            in_both,
            plan_over_time,
        )
        from annotate.plugins.compare.over_time_tables import (
            rows_over_time,
            table_over_time,
            write_over_time,
        )
        from gui.cli.progress import Speaker

        available()
    for name in ("perturb", "shard", "measures", "predictions", "resumes"):
        if getattr(options, name):
            flag = "resume" if name == "resumes" else name
            raise InputError(f"--since compares two captures without gold: leave out --{flag}")
    if options.input not in (None, "original"):
        raise InputError("--since reads the source of both captures: leave out --input")
    if len(options.datasets) != 1:
        raise InputError("--since takes one later capture: name one")
    choice = options_of(PageChoice, options)
    earlier, later = in_both(captures(options.since), captures(options.datasets[0]))
    later = choice.taken_of(later)
    earlier, later = in_both(earlier, later)
    methods = chosen_of(options.methods, options.set, (later,))
    plan = plan_over_time((earlier, later), methods, options_of(EvaluationOptions, options))
    changes = changes_over_time(plan, Speaker(plan, progress))
    path = options.out / "captures.csv"
    write_over_time(path, changes)
    if options.json:
        print(json.dumps([*rows_over_time(changes)], indent=2, ensure_ascii=False))
    else:
        print(f"{table_over_time(changes)}\n\nRows: {path}")
    return 1 if all(each.trouble for each in changes) else 0
