"""``pagelet verify``: a frozen page brought back, and held against what it was."""

import argparse
import json
import sys
from pathlib import Path

from annotate.archives.frozen.certificate import Certificate
from annotate.archives.frozen.verifying import verify
from engine.errors import InputError
from gui.cli.freeze import status_of

_EPILOG = """Example:
  pagelet verify story.wacz

Exit status: 0 identical, 3 different, 1 damaged or does not come back, 2 no frozen page.
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take files of frozen pages."""
    command.epilog = _EPILOG
    command.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a frozen page")
    command.add_argument("--json", action="store_true", help="print the certificates as JSON")


def run(options: argparse.Namespace) -> int:
    """Verify each file; print what is the same and what is not."""
    result: dict[Path, Certificate] = {}
    wrong = 0
    for file in options.files:
        try:
            result[file] = verify(file)
        except InputError as error:
            if len(options.files) == 1:
                raise
            wrong += 1
            print(f"pagelet: {error}", file=sys.stderr)
            continue
        if not options.json:
            _tell(file, result[file])
    if options.json:
        every = [{"file": str(file), **each.as_json()} for file, each in result.items()]
        print(json.dumps(every, indent=1))
    return 2 if wrong else status_of(result.values())


def _tell(file: Path, certificate: Certificate) -> None:
    print(f"{file}: {certificate.summary}")
    for line in certificate.lines():
        print(f"  {line}")
