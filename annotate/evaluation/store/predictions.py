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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from algorithms.core.batch import Run, Setup
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import Key
from engine.errors import InputError
from engine.source import Source
from engine.whole_file import atomic_write

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
        content = {"name": self.name, "seconds": self.seconds, "output": self.output}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(path) as beside:
                beside.write_text(json.dumps(content, indent=0), "ascii")
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror or error}") from error


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
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with (
            atomic_write(path) as beside,
            zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as package,
        ):
            for page in pages:
                name = page.name.encode("utf-8", "backslashreplace").decode()
                documents.append(name)
                _add(package, f"{name}.html", page.data)
                _add(package, f"{name}.txt", page.gold.encode("utf-8", "replace"))
                _add(package, f"{name}.json", _json(dict(page.about)))
            about = {
                "format": "ce-package", "version": 1, "name": name, "description": "", "source": "",
                "licence": "", "gold": "full", "documents": documents,
            }  # fmt: skip
            _add(package, "package.json", _json(about))
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


def _add(package: zipfile.ZipFile, name: str, data: bytes) -> None:
    member = zipfile.ZipInfo(name, _THEN)
    member.compress_type = zipfile.ZIP_DEFLATED
    package.writestr(member, data)


def _json(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")


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
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            lines_left = []
            for line in self._lines() if resumes and path.is_file() else ():
                key = _key(line)
                if key is not None and key in known:
                    self.pages.add(key)
                    lines_left.append(line)
            path.write_text("".join(lines_left), "ascii")
        except OSError as error:
            raise self._unwritable(error) from error

    def add(self, key: Key, setups: Sequence[Setup], runs: Sequence[Run], gold: str | None) -> None:
        """Write down what each method found on a page, and its gold text."""
        result: _ReturnedPage = {}
        for setup, run in zip(setups, runs, strict=True):
            if run.text is not None:
                result[setup.method] = {"text": run.text, "seconds": run.seconds or 0.0}
            else:
                result[setup.method] = run.blocks
        try:
            with (self._folder / _UNDER_WAY).open("a", encoding="ascii") as file:
                file.write(json.dumps([key, result, gold]) + "\n")
        except OSError as error:
            raise self._unwritable(error) from error
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
        try:
            for key, pages in blocks.items():
                path = self._path(*key)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(dict(sorted(pages.items()))), "ascii")
        except OSError as error:
            raise self._unwritable(error) from error
        for key, mine in texts.items():
            mine.write(self._path(*key))
        for dataset, pages_here in golds.items():
            pages_of = _package_pages(packed[dataset], pages_here)
            write_package(self._folder / f"{dataset}.zip", dataset, pages_of)

    def _path(self, dataset: str, method: str, name: str) -> Path:
        return self._folder / dataset / f"{method}--{name}.json"

    def _lines(self) -> Iterator[str]:
        with (self._folder / _UNDER_WAY).open(encoding="ascii", errors="replace") as file:
            for line in file:
                if line.endswith("\n"):  # the last may be torn
                    yield line

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(f"cannot write to {self._folder}: {error.strerror or error}")


def _package_pages(
    pages: Mapping[str, PageFiles], golds: Mapping[str, str]
) -> Iterator[PredictedPage]:
    for name, files in pages.items():
        if name in golds:
            document = files.document()
            received = document.receive()
            encoding = Source.of(received).encoding
            about = {"url": document.address, "language": "", "encoding": encoding}
            yield PredictedPage(name, received.data, golds[name], about)


def _key(line: str) -> Key | None:
    """Return which page a line is of; None for a line that is damaged."""
    try:
        return _parsed(line)[0]
    except (ValueError, OverflowError, TypeError):
        return None


def _parsed(line: str) -> tuple[Key, _ReturnedPage, str | None]:
    (dataset, page, name), result, gold = json.loads(line)
    return (dataset, page, name), result, gold
