"""What methods found, as files for scorers that share no code with Pagelet.

``DATASET/METHOD--INPUT.json`` is, for blocks, ``{page: [[text of a block, level], ...]}``, and for
texts ``{"name", "seconds": {document: s}, "output": {document: text}}``; a page on which the method
failed is not in it.  For a data set that is no package (formats.md#package) a package with its gold
is written beside them.  During a run each page is a line of ``found.jsonl``, so that a killed run
can resume.
"""

import json
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from algorithms.core.batch import Run, Setup
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import Key
from engine.bounded_file import atomic_write
from engine.errors import convert_os_error
from engine.source import Source
from engine.words import UNICODE

_THEN = (1980, 1, 1, 0, 0, 0)
"""Time stamp of every member: the same pages give the same package."""


@dataclass
class Predictions:
    """Texts that one method extracted from the pages of one data set."""

    name: str
    seconds: dict[str, float] = field(default_factory=dict)
    output: dict[str, str] = field(default_factory=dict)

    def write(self, path: Path) -> None:
        """Write the file; raises `InputError` if it cannot be written."""
        with convert_os_error(f"write {path}"):
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(path) as beside:
                beside.write_text(json.dumps(vars(self), indent=0), "ascii")


@dataclass(frozen=True)
class PredictedPage:
    """Document of a package: its bytes as received, gold text, metadata."""

    name: str
    data: bytes
    gold: str
    about: Mapping[str, str]


def write_package(path: Path, name: str, pages: Iterable[PredictedPage]) -> None:
    """Write a package of formats.md#package; raises `InputError` if it cannot be written.

    What UTF-8 cannot say of a page's name stands in it as in the rows, ``\\udce9``.
    """
    documents = []
    with convert_os_error(f"write {path}"):
        path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as beside, zipfile.ZipFile(beside, "w") as package:

        def add(member: str, data: bytes) -> None:
            package.writestr(zipfile.ZipInfo(member, _THEN), data, zipfile.ZIP_DEFLATED)

        for page in pages:
            base = UNICODE.write(page.name)
            documents.append(base)
            add(f"{base}.html", page.data)
            add(f"{base}.txt", page.gold.encode("utf-8", "replace"))
            add(f"{base}.json", _json(page.about))
        about = {
            "format": "ce-package", "version": 1, "name": name, "description": "", "source": "",
            "licence": "", "gold": "full", "documents": documents,
        }  # fmt: skip
        add("package.json", _json(about))


def _json(value: Mapping[str, object]) -> bytes:
    return json.dumps(dict(value), ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")


_UNDER_WAY = "found.jsonl"

_ReturnedPage = dict[str, Any]
"""Method → what it found: blocks, or text and seconds; None where it gave nothing to score."""


class Predicted:
    """Predictions for the pages that are done.

    Attributes:
        pages: Data set, page and input of those.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.pages: set[Key] = set()

    def begin(self, known: Collection[Key], *, resumes: bool) -> None:
        """Prepare the folder; with ``resumes`` keep its entries for known pages."""
        path = self._folder / _UNDER_WAY
        with convert_os_error(f"write to {self._folder}"):
            self._folder.mkdir(parents=True, exist_ok=True)
            lines_left = []
            for line in self._lines() if resumes and path.is_file() else ():
                with suppress(ValueError, OverflowError, TypeError):  # from a damaged line
                    if (key := _parsed(line)[0]) in known:
                        self.pages.add(key)
                        lines_left.append(line)
            path.write_text("".join(lines_left), "ascii")

    def add(self, key: Key, setups: Sequence[Setup], runs: Sequence[Run], gold: str | None) -> None:
        """Write down what each method found on a page, and its gold text."""
        result: _ReturnedPage = {}
        for setup, run in zip(setups, runs, strict=True):
            text = {"text": run.text, "seconds": run.seconds or 0.0}
            result[setup.method] = run.blocks if run.text is None else text
        path = self._folder / _UNDER_WAY
        with convert_os_error(f"write to {self._folder}"), path.open("a", encoding="ascii") as file:
            file.write(json.dumps([key, result, gold]) + "\n")
        self.pages.add(key)

    def finish(self, packed: Mapping[str, Mapping[str, PageFiles]]) -> None:
        """Write one file a data set, method and input.

        Args:
            packed: The data sets that are to be written as packages with their gold text, because
                they are none (formats.md#package), and the pages of each.
        """
        blocks: dict[tuple[str, str, str], dict[str, object]] = {}
        texts: dict[tuple[str, str, str], Predictions] = {}
        golds: dict[str, dict[str, str]] = {}
        for line in self._lines():
            (dataset, page, name), result, gold = _parsed(line)
            if gold is not None and dataset in packed:
                golds.setdefault(dataset, {})[page] = gold
            for method, what in result.items():
                key = dataset, method, name
                if isinstance(what, list):
                    blocks.setdefault(key, {})[page] = what
                elif what is not None:
                    mine = texts.setdefault(key, Predictions(f"{method}--{name}"))
                    mine.output[page], mine.seconds[page] = what["text"], what["seconds"]
        with convert_os_error(f"write to {self._folder}"):
            for key, pages in blocks.items():
                path = self._path(*key)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(dict(sorted(pages.items()))), "ascii")
        for key, mine in texts.items():
            mine.write(self._path(*key))
        for dataset, pages_here in golds.items():
            pages_of = _package_pages(packed[dataset], pages_here)
            write_package(self._folder / f"{dataset}.zip", dataset, pages_of)

    def _path(self, dataset: str, method: str, name: str) -> Path:
        return self._folder / dataset / f"{method}--{name}.json"

    def _lines(self) -> Iterator[str]:
        with (self._folder / _UNDER_WAY).open(encoding="ascii", errors="replace") as file:
            yield from (line for line in file if line.endswith("\n"))  # the last may be torn


def _package_pages(
    pages: Mapping[str, PageFiles], golds: Mapping[str, str]
) -> Iterator[PredictedPage]:
    for name, files in pages.items():
        if name in golds:
            document = files.document()
            received = document.receive()
            about = {"url": document.address, "language": ""}
            about["encoding"] = Source.of(received).encoding
            yield PredictedPage(name, received.data, golds[name], about)


def _parsed(line: str) -> tuple[Key, _ReturnedPage, str | None]:
    (dataset, page, name), result, gold = json.loads(line)
    return (dataset, page, name), result, gold
