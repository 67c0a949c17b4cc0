"""``pagelet verify``: a frozen page brought back, and held against what it was."""

from collections.abc import Sequence
from pathlib import Path

from annotate.archives.frozen.certificate import Certificate
from annotate.archives.frozen.verifying import verify
from engine.errors import InputError
from gui.cli.freeze import status_of
from gui.cli.terminal import note, print_json


def run(files: Sequence[Path], *, json: bool = False) -> int:
    """Verify each file; print its parts that are the same and those that differ.

    Args:
        files (FILE): a frozen page
        json: print the certificates as JSON

    Example:
      pagelet verify story.wacz

    Exit status: 0 identical, 3 different, 1 damaged or does not come back, 2 no frozen page.
    """
    result: dict[Path, Certificate] = {}
    wrong = 0
    for file in files:
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
        every = [{"file": str(file), **each.as_json()} for file, each in result.items()]
        print_json(every, indent=1, is_ascii=True)
    return 2 if wrong else status_of(result.values())
