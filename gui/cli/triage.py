"""``pagelet triage``: which pages to mark first, and how good results probably are."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from algorithms.core.catalogue import available
from annotate.datasets.no_pages import takes_all as take_all
from annotate.datasets.no_pages import takes_none as take_none
from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from gui.cli.arguments import JOBS, TakesAll
from gui.cli.signatures import Argument, Count
from gui.cli.terminal import note, print_json

_RUNNING = {"out": Path("pagelet-triage"), "jobs": JOBS, "report": "none"}


def run(
    data: Sequence[str],
    *,
    takes_all: TakesAll = False,
    methods: str = "gleaner",
    settings: Sequence[str] = (),
    first: Count = 20,
    order: Literal["bad", "teaches", "unusual", "disagreement"] = "bad",
    running: Annotated[EvaluationOptions, Argument(defaults=_RUNNING)],
    choice: PageChoice,
    json: bool = False,
) -> int:
    """Predict, and print the order of work.

    Args:
        data (DATA): pages, with gold or without: a folder, a workspace, a data set
        methods: keys separated by commas, or all, native, external (default: gleaner)
        settings (--set METHOD.NAME=VALUE): set a parameter
        first (N): pages to print; OUT/triage.csv has all (default: %(default)s)
        order: pages to list first: those that are probably bad, teach gleaner most, are unlike the
            rest, or on which methods disagree (default: %(default)s)
        json: print all rows as JSON

    Examples:
      pagelet triage pages
      pagelet triage pages --order teaches
      pagelet triage work.pagelet --methods gleaner,trafilatura --out order --resume
    """
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
        from gui.cli.progress import ProgressPrinter

        available()
    takes = take_all if takes_all else take_none
    datasets = tuple(choice.taken_of(pages_of(each, takes)) for each in data)
    chosen = chosen_of(methods, settings, datasets)
    texts = tuple(each for each in chosen if each.entry.output == "extraction")
    for each in chosen:
        if each.is_named and each not in texts:
            raise InputError(f"{each.entry.key} gives blocks: name methods that extract text")
    plan = plan_of(datasets, texts, running, measures=MEASURES)
    evaluated = carry_out(plan, ProgressPrinter(plan))
    pages = in_order(evaluated.results, order)
    out = plan.options.out
    assert out is not None
    write_order(out / "triage.csv", pages)
    if json:
        print_json(list(rows_of(pages)))
    else:
        print(f"{table_of(pages, first)}\n\nAll rows: {out / 'triage.csv'}")
        for line in quality_lines(evaluated.results):
            print(line)
    note(*evaluated.failures)
    return 1 if evaluated.has_failed else 0
