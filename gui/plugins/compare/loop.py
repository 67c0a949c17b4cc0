"""``pagelet loop``: a change of a method held against the last one that was accepted."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from gui.cli.arguments import JOBS
from gui.cli.signatures import Argument
from gui.cli.terminal import note, progress
from gui.plugins.compare.compare import LEFT_OUT, Data, MeasureKey

if TYPE_CHECKING:
    from annotate.evaluation.run.plan import Plan
    from annotate.plugins.compare.loop_files import MovedPage

_LEFT_OUT = (*LEFT_OUT, "out", "report", "word_unit")


def run(
    method: str,
    data: Data,
    *,
    hypothesis: str,
    change: str = "",
    explained: Sequence[str] = (),
    log: Path | None = None,
    vault: bool = False,
    measure: MeasureKey = None,
    running: Annotated[EvaluationOptions, Argument(without=_LEFT_OUT, defaults={"jobs": JOBS})],
    choice: PageChoice,
) -> int:
    """Run a method as it is now; return 1 where the change is rejected.

    Args:
        method (METHOD): a version, as compare takes it
        hypothesis (TEXT): what you expect of the change, and why
        change (TEXT): the change, such as a commit (default: none)
        explained (--explained PAGE=WHY...): why a page may fall, each as DATA/PAGE=WHY
        log (DIR): folder of the log and of the accepted results (default: METHOD.loop)
        vault: run the sites that no cycle runs, a quarter of all, and compare with the first
            cycle's method; it is counted in the log

    A change is accepted where the mean rises and no page falls by more than .05 unexplained.
    Examples:
      pagelet loop my_method.py pages --hypothesis "As it is"
      pagelet loop my_method.py pages --hypothesis "Captions are short, so length misjudges them"
      pagelet loop gleaner wcxb --sample 200 --hypothesis "As it is" --log ours
      pagelet loop my_method.py pages --hypothesis "Before the release" --vault
    """
    with defer_interrupts():
        from datetime import UTC, datetime

        from annotate.evaluation.run.triage import pages_of
        from annotate.library.progress import LineProgress
        from annotate.plugins.compare.loop import Hypothesis, part_of, run_cycle, starting_results
        from annotate.plugins.compare.loop_files import (
            START,
            CycleVerdict,
            accepted_digest,
            add_to_log,
            check_unchanged,
            read_accepted,
            read_log,
            removed_cycles,
        )
        from annotate.plugins.compare.runs import plan_for
        from annotate.plugins.external.sides import chosen_side
    reasons = dict(map(_explanation, explained))
    side = chosen_side(method)
    folder = log or Path(f"{Path(method.split()[0]).stem}.loop")
    cycles, before = read_log(folder), read_accepted(folder)

    def plan_of(*, vault: bool) -> "Plan":
        datasets = [choice.taken_of(part_of(pages_of(each), vault=vault)) for each in data]
        return plan_for(datasets, (side,), measure, running)

    plan = plan_of(vault=vault)
    check_unchanged(folder, cycles, plan.measures.text[0].key)
    day = datetime.now(UTC).date().isoformat()
    tried = Hypothesis(hypothesis, change, reasons, day)
    known = read_accepted(folder, START) if vault else before
    cycle, results = run_cycle(plan, known, tried, LineProgress(progress), vault=vault)
    is_first, start = cycle.verdict is CycleVerdict.FIRST, None
    if is_first:
        note("the same on the vault, to compare with later")
        start = starting_results(plan_of(vault=True), LineProgress(progress))
    elif vault and not known:
        note("the log has no results of a starting method on the vault, so its mean stands alone")
    cycle = replace(
        cycle, removed=removed_cycles(folder), accepted=accepted_digest(folder),
        start=accepted_digest(folder, START),
    )  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    is_taken = is_first or cycle.verdict is CycleVerdict.ACCEPTED
    taken = {**before, **results} if is_taken else None
    note(*filter(None, [add_to_log(folder, cycle, taken, start)]))
    for page in cycle.moved:
        print(f"{page.difference:+.3f}  {page.page}: {_in_words(page)}")
    print(f"cycle {len(cycles) + 1} {cycle.summary}")
    return 1 if cycle.verdict is CycleVerdict.REJECTED else 0


def _explanation(text: str) -> tuple[str, str]:
    page, sign, why = text.partition("=")
    if not (page and sign and why.strip()):
        raise InputError(f"--explained takes DATA/PAGE=WHY, got {text!r}")
    return page, why.strip()


def _in_words(page: "MovedPage") -> str:
    """Return the longest text that was lost, and gained, and the decisions on it."""
    parts = [f"lost “{page.lost}”"] if page.lost else []
    parts += [f"gained “{page.gained}”"] if page.gained else []
    before, after = page.why
    parts += [f"before {before}; now {after}"] if before or after else []
    parts += ["known by heart"] if page.by_heart else []
    return "; ".join((*parts, *filter(None, (page.explanation,))))
