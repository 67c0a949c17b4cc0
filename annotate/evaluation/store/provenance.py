"""Locations and rendering of an evaluation's pages, stored beside its rows to show them again."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine import bounded_file
from engine.errors import InputError
from engine.whole_file import atomic_write

FILE = "run.json"


@dataclass(frozen=True)
class RunOrigin:
    """Stored origin of an evaluation.

    Attributes:
        datasets: Its data sets that are still there.
        repeatable: See `engine.document.Document`; None left it to the page.
    """

    datasets: tuple[Path, ...] = ()
    repeatable: bool | None = None


def write_origin(out: Path, datasets: Sequence[str | Path], repeatable: bool | None = None) -> None:
    """Note an evaluation's origin in its folder; `InputError` if it cannot be written."""
    content = {
        "datasets": [str(Path(each).expanduser().absolute()) for each in datasets],
        "repeatable": repeatable,
    }
    with atomic_write(out / FILE) as beside:
        beside.write_text(json.dumps(content, indent=1), "utf-8")


def read_origin(out: Path) -> RunOrigin:
    """Return the stored origin of an evaluation, empty if there is none.

    ``out`` is its folder, or the file of its rows there.  Raises `InputError` if the note is
    damaged.
    """
    out = out.parent if out.is_file() else out
    try:
        content = json.loads(bounded_file.read_text(out / FILE))
        named = [Path(each) for each in content["datasets"]]
        repeatable = content.get("repeatable")  # older ones have none
        if not isinstance(repeatable, bool | None):
            raise TypeError
    except FileNotFoundError:
        return RunOrigin()
    except (OSError, ValueError, OverflowError, KeyError, TypeError, RecursionError):
        raise InputError(f"{out / FILE} is damaged: name the data sets with --data") from None
    return RunOrigin(tuple(path for path in named if path.exists()), repeatable)
