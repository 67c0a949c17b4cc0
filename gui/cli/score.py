"""``pagelet score``: texts extracted elsewhere, scored as methods are."""

from collections.abc import Sequence
from pathlib import Path

from annotate.evaluation.run.run_options import PageChoice
from engine.interrupts import defer_interrupts
from gui.cli import evaluate
from gui.cli.evaluate import Datasets, Measures, Running
from gui.cli.terminal import note


def run(
    texts: str,
    datasets: Datasets,
    *,
    beside: Sequence[str] = (),
    methods: str = "",
    measures: Measures = None,
    running: Running,
    choice: PageChoice,
    json: bool = False,
) -> int:
    """Score them, and print the tables.

    Args:
        texts (TEXTS): JSON {page: text}, or a folder with a file NAME.txt a page
        beside (TEXTS): further texts, scored beside the first; may be given more than once
        methods: methods to run beside them: keys separated by commas, native, external; -KEY
            leaves one out
        json: print the summary as JSON instead of tables
    """
    with defer_interrupts():
        from annotate.evaluation.run.plan import score_plan

    plan, notes = score_plan(
        [Path(each).expanduser() for each in (texts, *beside)],
        datasets,
        methods=methods,
        measures=measures,
        choice=choice,
        options=running,
    )
    note(*notes)
    return evaluate.carried_out(plan, datasets, is_json=json)
