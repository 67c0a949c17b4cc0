"""``pagelet merge``: marks of several annotators side by side, or an evaluation in shards as one.

The argument decides which of the two: workspaces are files, shards are folders.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from engine import plugin
from engine.errors import InputError
from gui.cli.evaluate import FOLDER
from gui.cli.terminal import note

WORKSPACE = Path("merged.pagelet")


def run(
    given: Sequence[Path],
    *,
    out: Path | None = None,
    report: Literal["none", "tables"] = "tables",
) -> int:
    """Merge shards and print the result; workspaces are merged by the plug-in `team_work`.

    Args:
        given (FILE_OR_DIR): workspaces (NAME.pagelet), or folders that pagelet evaluate --shard
            wrote to
        out: workspace to merge workspaces into, made if missing (default: %(WORKSPACE)s); folder
            to write merged shards to (default: %(FOLDER)s)
        report: for shards: write report.html with its tables and figures (default: tables)

    The marks of both side by side in one workspace, to be compared and reviewed;
    files are only read, and merging them again adds nothing twice:
      pagelet merge anna.pagelet ben.pagelet --out both.pagelet

    The tables of an evaluation whose parts were done with pagelet evaluate --shard:
      pagelet merge shard-1 shard-2 --out results
    """
    if any(each.is_file() for each in given):
        raise InputError(f"merging workspaces {plugin.needs('team_work')}")
    from annotate.evaluation.report.result_files import written_files
    from annotate.evaluation.run.shards import merge

    folder = out or Path(FOLDER)
    merged = merge(given, folder, has_report=report == "tables")
    print(merged.tables())
    print(f"\n{written_files(folder, has_report=False)}")
    note(*merged.failures)
    return 1 if merged.has_failed else 0
