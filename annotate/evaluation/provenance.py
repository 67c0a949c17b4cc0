"""Where an evaluation's pages are: noted beside its rows, so that they can be shown again."""

import json
from collections.abc import Sequence
from pathlib import Path

from engine import bounded_file
from engine.errors import InputError
from engine.whole_file import atomic_write

FILE = "run.json"


def write_origin(out: Path, datasets: Sequence[str | Path]) -> None:
    """Note the data sets of an evaluation in its folder; `InputError` if it cannot be written."""
    content = {"datasets": [str(Path(each).expanduser().absolute()) for each in datasets]}
    with atomic_write(out / FILE) as beside:
        beside.write_text(json.dumps(content, indent=1), "utf-8")


def read_origin(out: Path) -> tuple[Path, ...]:
    """Return the data sets of an evaluation that are still there; none where they were not noted.

    `InputError` says that the note is damaged.
    """
    try:
        content = json.loads(bounded_file.read_text(out / FILE))
        named = [Path(each) for each in content["datasets"]]
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, OverflowError, KeyError, TypeError, RecursionError):
        raise InputError(f"{out / FILE} is damaged: name the data sets with --data") from None
    return tuple(path for path in named if path.exists())
