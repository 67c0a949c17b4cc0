"""``pagelet gate``: whether scores have fallen below a baseline, page by page and in the mean."""

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from annotate.evaluation.run.run_options import EvaluationOptions
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from gui.cli.arguments import add_options, options_of, processors, progress
from gui.plugins.compare.compare import LEFT_OUT, add_measure, write_bundle, write_text

if TYPE_CHECKING:
    from annotate.plugins.compare.gate import GateBaseline, GateResult

EXAMPLES = """Examples:
  pagelet gate extractor.gate.json --new mymodule:run pages     write the baseline
  pagelet gate extractor.gate.json                              hold the code against it
  pagelet gate extractor.gate.json --update                     take the scores as they are now
  pagelet gate extractor.gate.json --junit gate.xml --markdown gate.md --bundle gate
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments for the baseline and the output."""
    command.epilog = EXAMPLES
    command.add_argument(
        "baseline", type=Path, metavar="BASELINE", help="a file, NAME.gate.json for pytest"
    )
    command.add_argument(
        "--new", nargs="+", metavar=("METHOD", "DATA"),
        help="write it: a version as compare takes it, then data sets",
    )  # fmt: skip
    command.add_argument(
        "--update", action="store_true", help="write the scores as they are now into it"
    )
    command.add_argument(
        "--trust", action="store_true",
        help="let the code that the baseline names run, from now on for this folder",
    )  # fmt: skip
    add_measure(command)
    command.add_argument(
        "--mean", type=float, default=None, metavar="D",
        help="with --new or --update: how far the mean may fall (default: 0.005)",
    )  # fmt: skip
    command.add_argument(
        "--each", type=float, default=None, metavar="D",
        help="with --new or --update: how far each page may fall (default: 0.05)",
    )  # fmt: skip
    command.add_argument("--junit", type=Path, metavar="FILE", help="write a JUnit report")
    command.add_argument("--markdown", type=Path, metavar="FILE", help="write a comment")
    command.add_argument(
        "--bundle", type=Path, metavar="DIR", help="write web pages of the pages that fell"
    )
    command.add_argument(
        "--first", type=int, default=20, metavar="N", help="pages to show (default: 20)"
    )
    left_out = (*LEFT_OUT, "out", "report", "word_unit")
    add_options(command, EvaluationOptions, leave_out=left_out, jobs=processors())


def run(options: argparse.Namespace) -> int:
    """Run the method and print losses; return 1 if they are too large."""
    with defer_interrupts():
        from annotate.library.progress import LineProgress
        from annotate.plugins.compare.gate import (
            gate_text,
            read_baseline,
            run_gate,
            unscored_pages,
            verdict,
        )
    path: Path = options.baseline
    if options.first < 1:
        raise InputError(f"--first must be at least 1, got {options.first}")
    baseline = _new(options) if options.new else read_baseline(path)
    baseline = _with_floors(baseline, options)
    own = options_of(EvaluationOptions, options)
    folder, trusts = path.resolve().parent, options.trust or bool(options.new)
    result = run_gate(baseline, folder, own, LineProgress(progress), trusts=trusts)
    if options.new or options.update:
        result.now.write(path)
        means = f"mean {result.now.mean_score:.4f} of {len(result.now.pages)} pages"
        unscored = unscored_pages(result, options.first)
        means += f"; {unscored}" if unscored else ""
        means += f"; {result.mixture}" if options.new and result.mixture else ""
        print(f"{path} is written: {means}" if options.new else f"{verdict(result)}; now {means}")
        return 0
    _write(options, result)
    print(gate_text(result, options.first))
    return 0 if result.has_passed else 1


def _new(options: argparse.Namespace) -> "GateBaseline":
    from algorithms.measures.choice import main_measure
    from annotate.plugins.compare.gate import GateBaseline

    method, *data = options.new
    if not data:
        raise InputError("--new needs a method and data: --new METHOD DATA")
    if options.baseline.exists() and not options.update:
        raise InputError(f"{options.baseline} is there already: --update writes it anew")
    folder = options.baseline.resolve().parent
    return GateBaseline(
        _from_baseline(method, folder),
        tuple(_from_baseline(each, folder) for each in data),
        options.measure or main_measure("text").key,
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


def _with_floors(baseline: "GateBaseline", options: argparse.Namespace) -> "GateBaseline":
    given = {"mean": options.mean, "page": options.each}
    floors = {name: value for name, value in given.items() if value is not None}
    if floors and not (options.new or options.update):
        raise InputError("--mean and --each are written with the baseline: add --update")
    for name, value in floors.items():
        if not 0 <= value <= 1:
            flag = "each" if name == "page" else name
            raise InputError(f"--{flag} must be from 0 to 1, got {value:g}")
    return replace(baseline, **floors)


def _write(options: argparse.Namespace, result: "GateResult") -> None:
    """Write the requested reports, whether the gate passed or not."""
    from annotate.plugins.compare.gate import gate_junit, gate_markdown

    if options.junit is not None:
        write_text(options.junit, gate_junit(result))
    if options.markdown is not None:
        write_text(options.markdown, gate_markdown(result, options.first))
    if options.bundle is not None:
        rows_of = {f"{page.dataset}/{page.name}": page.rows for page in result.compared}
        fell = [page for page in result.pages if page.difference < 0 or page.failure]
        fell.sort(key=lambda page: page.difference)
        rows = [row for page in fell for row in rows_of.get(page.name, ())]
        write_bundle(options.bundle, result.plan, rows)
