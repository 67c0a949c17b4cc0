"""``pagelet merge`` of workspaces: marks of several annotators side by side."""

from collections.abc import Sequence
from pathlib import Path

from annotate.plugins.team_work.merging import merge
from engine.errors import InputError
from gui.cli.merge import WORKSPACE
from gui.cli.terminal import note


def run(given: Sequence[Path], *, out: Path | None) -> int | None:
    """Merge workspaces and print the result; None where no file is given."""
    files = [each for each in given if each.is_file()]
    if not files:
        return None
    if len(files) < len(given):
        other = next(each for each in given if each not in files)
        problem = "is a folder" if other.is_dir() else "is not there"
        raise InputError(f"{other} {problem}: give workspaces alone, or folders of shards alone")
    target = out or WORKSPACE
    merged = merge(files, target)
    note(*merged.notes)
    print(f"{target}: {merged.summary}")
    return 0
