"""``pagelet verify``: faults of frozen pages, workspaces, runs and team folders."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from annotate.archives.frozen.certificate import Certificate
from annotate.archives.frozen.verifying import verify
from annotate.library.stored_faults import is_run, run_faults, workspace_faults
from annotate.workspace.workspace_file import is_workspace
from engine.errors import InputError
from gui.cli.freeze import status_of
from gui.cli.terminal import note, print_json


def run(files: Sequence[Path], *, json: bool = False) -> int:
    """Verify each file; print its parts that are the same and those that differ.

    Args:
        files (FILE): a frozen page, a workspace, a folder that evaluate wrote, or a team folder
        json: print certificates and faults as JSON

    Examples:
      pagelet verify story.wacz
      pagelet verify team.pagelet

    Exit status: 0 identical or whole, 1 different, damaged or does not come back, 2 another file.
    """
    result: dict[Path, Certificate] = {}
    faults: dict[Path, list[str]] = {}
    wrong = 0
    for file in files:
        if (found := _stored_faults(file)) is not None:
            faults[file] = found
            if not json:
                print("\n  ".join([f"{file}: {'damaged' if found else 'whole'}", *found]))
            continue
        try:
            result[file] = verify(file)
        except InputError as error:
            if len(files) == 1:
                raise
            wrong += 1
            note(error)
            continue
        if not json:
            print(f"{file}: {result[file].summary}", *result[file].lines(), sep="\n  ")
    if json:
        every: list[dict[str, Any]] = [
            {"file": str(file), **each.as_json()} for file, each in result.items()
        ]
        every += [{"file": str(file), "faults": found} for file, found in faults.items()]
        print_json(every, indent=1, is_ascii=True)
    return 2 if wrong else 1 if any(faults.values()) else status_of(result.values())


def _stored_faults(path: Path) -> list[str] | None:
    """Return the faults of a workspace or run; None for what is neither."""
    if is_workspace(path):
        return workspace_faults(path)
    return run_faults(path) if is_run(path) else None
