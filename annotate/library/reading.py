"""Results read again from what an evaluation wrote."""

from pathlib import Path

from annotate.evaluation.store.row_files import read_rows
from annotate.library.results import Evaluation


def read(path: str | Path) -> Evaluation:
    """Return the results in a folder or file that an evaluation wrote; raises `InputError`."""
    return Evaluation(read_rows(Path(path).expanduser()))
