"""``pagelet gate``: whether scores have fallen below a baseline, page by page and in the mean."""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from annotate.evaluation.run.run_options import EvaluationOptions
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from engine.words import plural
from gui.cli.arguments import JOBS
from gui.cli.signatures import Argument, Count, Share
from gui.cli.terminal import progress
from gui.plugins.compare.compare import LEFT_OUT, MeasureKey, write_bundle, write_text

if TYPE_CHECKING:
    from annotate.plugins.compare.gate import GateBaseline

_LEFT_OUT = (*LEFT_OUT, "out", "report", "word_unit")


def run(
    baseline: Path,
    *,
    new: Sequence[str] = (),
    update: bool = False,
    trust: bool = False,
    measure: MeasureKey = None,
    mean: Share | None = None,
    each: Share | None = None,
    junit: Path | None = None,
    markdown: Path | None = None,
    bundle: Path | None = None,
    first: Count = 20,
    running: Annotated[EvaluationOptions, Argument(without=_LEFT_OUT, defaults={"jobs": JOBS})],
) -> int:
    """Run the method and print losses; return 1 if they are too large.

    Args:
        baseline (BASELINE): a file, NAME.gate.json for pytest
        new (--new METHOD DATA...): write it: a version as compare takes it, then data sets
        update: write the scores as they are now into it
        trust: let the code that the baseline names run, from now on for this folder
        mean (D): with --new or --update: how far the mean may fall (default: 0.005)
        each (D): with --new or --update: how far each page may fall (default: 0.05)
        junit (FILE): write a JUnit report
        markdown (FILE): write a comment
        bundle (DIR): write web pages of the pages that fell
        first (N): pages to show (default: 20)

    Examples:
      pagelet gate extractor.gate.json --new mymodule:run pages     write the baseline
      pagelet gate extractor.gate.json                              hold the code against it
      pagelet gate extractor.gate.json --update                     take the scores as they are now
      pagelet gate extractor.gate.json --junit gate.xml --markdown gate.md --bundle gate
    """
    with defer_interrupts():
        from annotate.library.progress import LineProgress
        from annotate.plugins.compare.gate import (
            check_floors,
            gate_junit,
            gate_markdown,
            gate_text,
            read_baseline,
            run_gate,
            unscored_pages,
            verdict,
        )
        from annotate.plugins.compare.runs import input_of
    floors: dict[str, float] = {
        name: value for name, value in (("mean", mean), ("page", each)) if value is not None
    }
    if floors and not (new or update):
        raise InputError("--mean and --each are written with the baseline: add --update")
    earlier = set[str]()
    if new:
        held = _new(baseline, new, measure, update=update)
        held = check_floors(baseline, replace(held, **floors))  # type: ignore[arg-type]
        with suppress(InputError):  # an edited baseline may be replaced
            earlier |= {*read_baseline(baseline, may_fall={"mean": 0}).pages}
    else:
        held = read_baseline(baseline, may_fall=floors)
        earlier |= held.pages.keys()
    folder, trusts = baseline.resolve().parent, trust or bool(new)
    result = run_gate(held, folder, running, LineProgress(progress), trusts=trusts)
    if new or update:
        result.now.write(baseline)
        means = f"mean {result.now.mean_score:.4f} of {len(result.now.pages)} pages"
        (key,) = {side.entry.key for side in result.plan.methods}
        means += f" (input: {input_of(result.compared, key)})"
        unscored = unscored_pages(result, first)
        means += f"; {unscored}" if unscored else ""
        means += f"; {result.mixture}" if new and result.mixture else ""
        gone = earlier - {*result.now.pages}
        means += f"; {plural(len(gone), 'page')} left out, such as {min(gone)}" if gone else ""
        print(f"{baseline} is written: {means}" if new else f"{verdict(result)}; now {means}")
        return 0
    if junit is not None:
        write_text(junit, gate_junit(result))
    if markdown is not None:
        write_text(markdown, gate_markdown(result, first))
    if bundle is not None:
        rows_of = {f"{page.dataset}/{page.name}": page.rows for page in result.compared}
        fell = [page for page in result.pages if page.difference < 0 or page.failure]
        fell.sort(key=lambda page: page.difference)
        rows = [row for page in fell for row in rows_of.get(page.name, ())]
        write_bundle(bundle, result.plan, rows)
    print(gate_text(result, first))
    return 0 if result.has_passed else 1


def _new(path: Path, new: Sequence[str], measure: str | None, *, update: bool) -> "GateBaseline":
    from algorithms.measures.choice import main_measure
    from annotate.plugins.compare.gate import GateBaseline

    method, *data = new
    if not data:
        raise InputError("--new needs a method and data: --new METHOD DATA")
    if path.exists() and not update:
        raise InputError(f"{path} is there already: --update writes it anew")
    folder = path.resolve().parent
    return GateBaseline(
        _from_baseline(method, folder),
        tuple(_from_baseline(each, folder) for each in data),
        measure or main_measure("text").key,
    )


def _from_baseline(word: str, folder: Path) -> str:
    """Return a path relative to the baseline's folder; other texts are unchanged."""
    first, blank, rest = word.partition(" ")
    before, at, commit = first.rpartition("@")
    path = Path(before or first)
    if not path.exists():
        return word
    inside = Path(os.path.relpath(path.resolve(), folder)).as_posix()
    return f"{inside}{at}{commit if at else ''}{blank}{rest}"
