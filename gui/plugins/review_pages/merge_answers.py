"""``pagelet merge`` of answers to a review: one more annotator beside the others."""

from collections.abc import Sequence
from pathlib import Path

from annotate.plugins.review_pages.answers import (
    is_answers,
    keys_beside,
    read_answers,
    take_answers,
)
from annotate.plugins.review_pages.review_folder import KEY_ENDING
from annotate.plugins.team_work.merging import merge
from gui.cli.merge import WORKSPACE
from gui.cli.terminal import note


def run(given: Sequence[Path], *, out: Path | None) -> int | None:
    """Merge answers, and workspaces given with them; None where no answers are given.

    The answers of a review that pagelet bundle --review wrote, into the workspace itself:
      pagelet merge answers-Ben.json --out work.pagelet
    """
    files = [path for path in given if is_answers(path)]
    if not files:
        return None
    keys = [path for path in given if path.name.endswith(KEY_ENDING)]
    target = out or WORKSPACE
    found = [*keys, *keys_beside([*given, target])]
    answers = [read_answers(path, found) for path in files]
    workspaces = [path for path in given if path not in files and path not in keys]
    merged = merge(
        workspaces, target, lambda store: [take_answers(store, each) for each in answers]
    )
    note(*merged.notes)
    print(f"{target}: {merged.summary}")
    return 0
