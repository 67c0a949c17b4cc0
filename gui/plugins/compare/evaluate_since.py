"""``pagelet evaluate --since``: results on two captures of the same pages."""

from collections.abc import Sequence

from algorithms.core.catalogue import available
from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from gui.cli.terminal import print_json


def run(
    datasets: Sequence[str],
    *,
    methods: str,
    inputs: str | None,
    settings: Sequence[str],
    perturb: str | None,
    measures: str | None,
    shard: str | None,
    running: EvaluationOptions,
    choice: PageChoice,
    json: bool,
    since: str | None = None,
) -> int | None:
    """Compare results on two captures of the same pages; None without an earlier capture.

    Args:
        since (EARLIER): compare with an earlier capture of the same pages (WARC, WACZ, folder,
            data set) in place of gold: how far each method's result changed on the text that
            stayed
    """
    if since is None:
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
        from gui.cli.progress import ProgressPrinter

        available()
    refused = {"perturb": perturb, "shard": shard, "measures": measures,
               "predictions": running.predictions, "resume": running.resumes}  # fmt: skip
    for flag, value in refused.items():
        if value:
            raise InputError(f"--since compares two captures without gold: leave out --{flag}")
    if inputs not in (None, "original"):
        raise InputError("--since reads the source of both captures: leave out --input")
    if len(datasets) != 1:
        raise InputError("--since takes one later capture: name one")
    earlier, later = in_both(captures(since), captures(datasets[0]))
    later = choice.taken_of(later)
    earlier, later = in_both(earlier, later)
    plan = plan_over_time((earlier, later), chosen_of(methods, settings, (later,)), running)
    changes = changes_over_time(plan, ProgressPrinter(plan))
    assert running.out is not None
    path = running.out / "captures.csv"
    write_over_time(path, changes)
    if json:
        print_json([*rows_over_time(changes)])
    else:
        print(f"{table_over_time(changes)}\n\nRows: {path}")
    return 1 if all(each.trouble for each in changes) else 0
