"""``pagelet merge``: marks of several annotators side by side, or an evaluation in shards as one.

Which of the two is decided by what is given: workspaces are files, shards are folders.
"""

import argparse
import sys
from pathlib import Path

from engine.errors import InputError
from gui.cli.arguments import progress
from gui.cli.evaluate import FOLDER

WORKSPACE = Path("merged.pagelet")

_EPILOG = """The marks of both side by side in one workspace, to be compared and reviewed;
files are only read, and merging them again adds nothing twice:
  pagelet merge anna.pagelet ben.pagelet --out both.pagelet

The tables of an evaluation whose parts were done with pagelet evaluate --shard:
  pagelet merge shard-1 shard-2 --out results
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take workspaces or the folders of shards, and where to write."""
    command.epilog = _EPILOG
    command.add_argument(
        "given",
        nargs="+",
        type=Path,
        metavar="FILE_OR_DIR",
        help="workspaces (NAME.pagelet), or folders that pagelet evaluate --shard wrote to",
    )
    command.add_argument(
        "--out",
        type=Path,
        help=f"workspace to merge workspaces into, made if missing (default: {WORKSPACE}); "
        f"folder to write merged shards to (default: {FOLDER})",
    )
    command.add_argument(
        "--report",
        choices=("none", "tables"),
        default="tables",
        help="for shards: write report.html with its tables and figures (default: tables)",
    )


def run(options: argparse.Namespace) -> int:
    """Merge the inputs and print the result."""
    files = [each for each in options.given if each.is_file()]
    if not files:
        return _shards(options)
    if len(files) < len(options.given):
        other = next(each for each in options.given if each not in files)
        problem = "is a folder" if other.is_dir() else "is not there"
        raise InputError(f"{other} {problem}: give workspaces alone, or folders of shards alone")
    from annotate.team.merging import merge

    out = options.out or WORKSPACE
    merged = merge(files, out)
    for note in merged.notes:
        print(f"pagelet: {note}", file=sys.stderr)
    print(f"{out}: {merged.summary}")
    return 0


def _shards(options: argparse.Namespace) -> int:
    from annotate.evaluation.run.shards import merge

    out = options.out or Path(FOLDER)
    merged = merge(options.given, out, has_report=options.report == "tables")
    print(merged.tables)
    print(f"\nRows: {out / 'scores.csv'}, summary: {out / 'summary.csv'}")
    for failure in merged.failures:
        progress(f"pagelet: {failure}")
    return 1 if merged.has_failed else 0
