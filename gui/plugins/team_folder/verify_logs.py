"""``pagelet verify`` of team folders: logs that are cut, altered, missing or there twice."""

from collections.abc import Sequence
from pathlib import Path

from annotate.plugins.team_folder.logs import Logs, is_log
from engine.errors import InputError
from gui.cli.terminal import print_json


def run(files: Sequence[Path], *, json: bool = False) -> int | None:
    """Print the faults of team folders; None where none is given."""
    folders = [each for each in files if each.is_dir() and any(map(_is_log, each.iterdir()))]
    if not folders:
        return None
    if len(folders) < len(files):
        other = next(each for each in files if each not in folders)
        raise InputError(f"{other} is no team folder: verify team folders alone")
    faults = {}
    for folder in folders:
        logs = Logs(folder)
        logs.poll()
        faults[folder] = logs.notes
    if json:
        print_json([{"file": str(each), "faults": found} for each, found in faults.items()])
    else:
        for each, found in faults.items():
            print("\n  ".join([f"{each}: {'damaged' if found else 'whole'}", *found]))
    return 1 if any(faults.values()) else 0


def _is_log(path: Path) -> bool:
    return path.is_file() and is_log(path.name)
