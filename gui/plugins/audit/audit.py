"""``pagelet audit``: probable errors in gold, the most suspicious first."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from annotate.evaluation.run.run_options import PageChoice
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from engine.web.worker_browser import LateBrowser
from gui.cli.arguments import add_options, options_of, progress

if TYPE_CHECKING:
    from annotate.plugins.audit.auditing import Listed

_EPILOG = """Examples:
  pagelet audit wcxb
  pagelet audit wcxb --folds 5 --out suspects.csv
  pagelet audit work.pagelet --out suspects.csv --first 50
  pagelet audit kreuzer-random --folds 13
  pagelet audit work.pagelet --blocks
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments for data sets and output."""
    command.epilog = _EPILOG
    command.add_argument(
        "data", nargs="+", metavar="DATA", help="data sets with gold text or blocks, or workspaces"
    )
    command.add_argument(
        "--blocks",
        action="store_true",
        help="go through the gold blocks, not the main content (by itself where there is no other "
        "gold)",
    )
    command.add_argument("--out", type=Path, metavar="FILE", help="write all parts as CSV")
    command.add_argument(
        "--first",
        type=int,
        default=20,
        metavar="N",
        help="parts to print (default: %(default)s)",
    )
    command.add_argument(
        "--model",
        default="",
        metavar="FILE",
        help="a model of pagelet train gleaner that has not seen this gold (default: Pagelet's "
        "own, which was trained on WCXB)",
    )
    command.add_argument(
        "--folds",
        type=int,
        default=0,
        metavar="N",
        help="train gleaner on these pages themselves, in N folds by site, so that what it "
        "expects of a page it learned from others: for data it was trained on, such as WCXB",
    )
    command.add_argument(
        "--threads", type=int, default=1, metavar="N", help="threads that train (default: 1)"
    )
    add_options(command, PageChoice)
    command.add_argument("--json", action="store_true", help="print all parts as JSON")


def run(options: argparse.Namespace) -> int:
    """Audit the gold and print contradicted parts."""
    with defer_interrupts():
        from annotate.plugins.audit.auditing import rows_of, table_of, write_parts
    _check(options)
    parts, pages, seen = _audited(options)
    if not pages:
        raise InputError(f"none of these pages has gold {'blocks' if options.blocks else 'text'}")
    if options.out is not None:
        write_parts(options.out, parts)
    if options.json:
        print(json.dumps(list(rows_of(parts)), indent=2, ensure_ascii=False))
    else:
        print(table_of(parts, pages, options.first))
    if not (options.model or options.folds):
        progress(f"pagelet: {seen}: with --folds it learns anew without each page")
    return 0


def _check(options: argparse.Namespace) -> None:
    if options.first < 1:
        raise InputError(f"--first must be at least 1, got {options.first}")
    if options.folds and options.folds < 2:
        raise InputError(f"--folds must be at least 2, got {options.folds}")
    if options.threads < 1:
        raise InputError(f"--threads must be at least 1, got {options.threads}")
    if options.folds and options.model:
        raise InputError("--folds and --model exclude each other: give one of them")
    if options.out is not None and not options.out.absolute().parent.is_dir():
        raise InputError(f"{options.out.parent} is no folder: make it first, or change --out")


def _audited(options: argparse.Namespace) -> "tuple[Sequence[Listed], int, str]":
    """Return the contradicted parts, the number of pages, and what the model has seen."""
    from annotate.evaluation.run.triage import pages_of
    from annotate.plugins.audit.auditing import audit
    from annotate.plugins.audit.block_auditing import (
        audit_blocks,
        data_with_blocks,
        has_only_blocks,
    )

    options.blocks = options.blocks or all(map(has_only_blocks, options.data))
    if options.blocks and options.model:
        raise InputError("--model is for gold text: leave it out, or leave out --blocks")
    choice = options_of(PageChoice, options)
    opened = data_with_blocks if options.blocks else pages_of
    datasets = tuple(choice.taken_of(opened(each)) for each in options.data)
    training = {"folds": options.folds, "threads": options.threads}

    def say(line: str) -> None:
        progress(f"pagelet: {line}")

    with LateBrowser(no_sandbox=options.no_sandbox) as browser:
        if options.blocks:
            blocks, pages = audit_blocks(datasets, browser, say, **training)
            return blocks, pages, "terrain-learned has seen the gold of Kreuzer's random pages"
        parts, pages = audit(datasets, browser, say, model=options.model, **training)
        return parts, pages, "gleaner has seen the gold of WCXB"
