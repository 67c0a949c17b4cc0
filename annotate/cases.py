"""Data sets as cases: every layout with gold text that can be read from a folder or zip.

A package (FORMATS A3), a folder of the article-extraction benchmark or of CleanEval's layout (A4).
"""

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from annotate.datasets import cleaneval
from annotate.datasets.package import BENCHMARK_FILE, gold_text
from engine.document import Document, list_documents
from engine.errors import InputError


@dataclass(frozen=True)
class TextCase:
    """A document and where its gold text is; cheap, nothing was read yet.

    Attributes:
        name: Unique in its data set.
        document: Opens the document; raises `InputError`.
        gold: Reads the gold text, None if nobody marked it; raises `InputError`.
    """

    name: str
    document: Callable[[], Document]
    gold: Callable[[], str | None]


@dataclass(frozen=True)
class DataSet:
    """Pages with gold from one place.

    Attributes:
        name: For tables and folders.
        path: Where it is.
        cases: In its own order.
        is_package: Whether it is a package of FORMATS A3.
        problems: A sentence for each thing in it that cannot be used.
    """

    name: str
    path: Path
    cases: tuple[TextCase, ...]
    is_package: bool = False
    problems: tuple[str, ...] = ()


def read_dataset(source: str | Path) -> DataSet:
    """Return the cases of a folder or zip; `InputError` where it is no data set with gold text."""
    path = Path(source).expanduser()
    if not path.exists():
        raise InputError(f"no such file or folder: {source}")
    name = path.resolve().name
    if path.is_dir() and not (path / BENCHMARK_FILE).is_file():
        found = tuple(
            TextCase(pair.name, pair.document, pair.text) for pair in cleaneval.pairs(path)
        )
        if not found:
            raise InputError(
                f"{source} is no data set with gold text: want a package zip, a folder with "
                f"{BENCHMARK_FILE}, or folders original and gold"
            )
        return DataSet(name, path, found)
    problems: list[str] = []
    is_package = path.is_file()
    documents = list_documents(path, problems=problems)
    cases = tuple(
        TextCase(_name(document), partial(_same, document), partial(gold_text, document))
        for document in documents
    )
    twice = {case.name for case in cases if sum(c.name == case.name for c in cases) > 1}
    if twice:
        raise InputError(f"{source} has two pages of the name {min(twice)}")
    if is_package:
        name = name.removesuffix(".zip")
    return DataSet(name, path, cases, is_package and zipfile.is_zipfile(path), tuple(problems))


def _same(document: Document) -> Document:
    return document


def _name(document: Document) -> str:
    """Return the name a package or benchmark has for a document."""
    if document.package is not None:
        return document.path.rpartition(".")[0]
    return PurePosixPath(document.path).name.partition(".")[0]
