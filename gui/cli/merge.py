"""``pagelet merge``: an evaluation in shards becomes one."""

import argparse
from pathlib import Path

from gui.cli.evaluate import FOLDER


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take the folders of shards, and where to write."""
    command.add_argument(
        "folders",
        nargs="+",
        type=Path,
        metavar="SHARD_DIR",
        help="a folder that pagelet evaluate --shard wrote to",
    )
    command.add_argument(
        "--out", type=Path, default=Path(FOLDER), help="folder for what is written"
    )
    command.add_argument(
        "--report",
        choices=("none", "tables"),
        default="tables",
        help="write report.html with its tables and figures (default: tables)",
    )


def run(options: argparse.Namespace) -> int:
    """Put them together, and print the tables."""
    from annotate.evaluation.parts import merge

    print(merge(options.folders, options.out, has_report=options.report == "tables"))
    print(f"\nRows: {options.out / 'scores.csv'}, summary: {options.out / 'summary.csv'}")
    return 0
