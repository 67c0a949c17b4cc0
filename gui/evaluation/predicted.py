"""The blocks that segmenters found, as files for a scorer that shares no code with Pagelet.

``DATASET/METHOD--VARIANT.json`` is ``{page: [[text of a block, level], ...]}``; a page on which the
method failed is not in it.  While a run is under way each page is a line of ``blocks.jsonl``, so
that a run that was killed can go on.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from algorithms.block_batch import BlockRun
from engine.errors import InputError
from gui.evaluation.ledger import Key

_UNDER_WAY = "blocks.jsonl"

_Found = dict[str, list[list[str | int]] | None]
"""Method → its blocks; None where it gave nothing to score."""


class PredictedBlocks:
    """What was found on the pages that are done.

    Attributes:
        pages: Data set, page and input of those.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.pages: set[Key] = set()

    def begin(self, *, resumes: bool) -> None:
        """Make the folder ready; with ``resumes`` go on with what is in it."""
        path = self._folder / _UNDER_WAY
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            kept = []
            for line in self._lines() if resumes and path.is_file() else ():
                key, _ = _parsed(line)
                self.pages.add(key)
                kept.append(line)
            path.write_text("".join(kept), "ascii")
        except OSError as error:
            raise self._unwritable(error) from error

    def add(self, key: Key, runs: Mapping[str, BlockRun]) -> None:
        """Write down what each method found on a page."""
        found = {method: run.blocks for method, run in runs.items()}
        try:
            with (self._folder / _UNDER_WAY).open("a", encoding="ascii") as file:
                file.write(json.dumps([key, found]) + "\n")
        except OSError as error:
            raise self._unwritable(error) from error
        self.pages.add(key)

    def finish(self) -> None:
        """Write one file a data set, method and input."""
        files: dict[tuple[str, str, str], dict[str, object]] = {}
        for line in self._lines():
            (dataset, page, variant), found = _parsed(line)
            for method, blocks in found.items():
                pages = files.setdefault((dataset, method, variant), {})
                if blocks is not None:
                    pages[page] = blocks
        try:
            for (dataset, method, variant), pages in files.items():
                path = self._folder / dataset / f"{method}--{variant}.json"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(dict(sorted(pages.items()))), "ascii")
        except OSError as error:
            raise self._unwritable(error) from error

    def _lines(self) -> Iterator[str]:
        with (self._folder / _UNDER_WAY).open(encoding="ascii") as file:
            for line in file:
                if line.endswith("\n"):  # the last may be torn
                    yield line

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(f"cannot write to {self._folder}: {error.strerror or error}")


def _parsed(line: str) -> tuple[Key, _Found]:
    key, found = json.loads(line)
    dataset, page, variant = key
    return (dataset, page, variant), found
