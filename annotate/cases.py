"""Data sets as cases: pages with their gold, from every layout that holds some.

A case is one page in one form, and where its gold is.  Cases are cheap, nothing was read yet, and
travel to worker processes.

Layouts
    Kreuzer's (FORMATS A2): gold blocks; an input is one of a page's four files.
    Webis-WebSeg-20 (A1): gold blocks.
    Packages (A3) and content-extraction corpora (A4): gold text.
    Pages with gold files beside them, and Pagelet workspaces: both kinds.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import cast, get_args

import resources
from annotate.casefiles import (
    BesideFiles,
    KreuzerFiles,
    PageFiles,
    TextFiles,
    WebisFiles,
    WorkspaceFiles,
    gold_file_of,
)
from annotate.datasets import webis
from annotate.datasets.kreuzer import blocks_of
from annotate.datasets.texts import read_texts
from annotate.store import is_workspace
from annotate.workspace import PageEntry, Workspace
from engine.document import Document, Variant, list_documents, open_document
from engine.errors import InputError
from engine.page import Input

Key = tuple[str, str, str]
"""Data set, page and input."""

TEXT, BLOCKS = "text", "blocks"
"""Kinds of gold."""

VARIANTS: tuple[Variant, ...] = get_args(Variant)
DEFAULT_VARIANTS: tuple[Variant, ...] = ("html", "dom", "repaired")
FORMS: tuple[Input, ...] = get_args(Input)
_ORIGIN = re.compile(r'"/opt/dataset-(\w+)/')


@dataclass(frozen=True)
class Case:
    """One page in one form, with its gold.

    Attributes:
        key: Data set, page and input.
        files: Where it is.
    """

    key: Key
    files: PageFiles

    @property
    def input(self) -> str:
        """Which form of the page is read."""
        return self.key[2]


@dataclass(frozen=True)
class DataSet:
    """Pages with gold from one place.

    Attributes:
        name: For tables and folders.
        golds: Which kinds of gold it has.
        pages: In its own order; for each its name, and by input where it is.
        has_variants: Whether its inputs are files of their own, and not forms of one.
        origin: Which of Kreuzer's data sets it is: random, popular; "" for none.
        is_package: Whether it is a zip of FORMATS A3.
        problems: A sentence for each thing in it that cannot be used.
    """

    name: str
    golds: frozenset[str]
    pages: tuple[tuple[str, Mapping[str, PageFiles]], ...]
    has_variants: bool = False
    origin: str = ""
    is_package: bool = False
    problems: tuple[str, ...] = field(default=())

    @property
    def inputs(self) -> tuple[str, ...]:
        """What can be read of its pages."""
        return VARIANTS if self.has_variants else FORMS

    def cases(self, inputs: Sequence[str]) -> Iterator[Case]:
        """Yield each page in each of these inputs that it has."""
        for name, files in self.pages:
            for chosen in inputs:
                if self.has_variants:
                    if chosen in files:
                        yield Case((self.name, name, chosen), files[chosen])
                else:
                    yield Case((self.name, name, chosen), files[""])


def read_dataset(source: str | Path, variants: Sequence[Variant] = DEFAULT_VARIANTS) -> DataSet:
    """Return the cases of a folder or file; `InputError` says what data sets look like.

    ``variants`` are those wanted of pages in Kreuzer's layout.
    """
    path = Path(source).expanduser()
    if not path.exists():
        raise InputError(f"no such file or folder: {source}")
    if path.is_file() and is_workspace(path):
        return _of_workspace(path)
    if path.is_dir():
        if webis.is_webis(path):
            return DataSet(
                path.resolve().name,
                frozenset({BLOCKS}),
                _distinct((page.name, {"": WebisFiles(page)}) for page in webis.pages(path)),
            )
        if any((folder / "mapping.txt").is_file() for folder in (path, path.parent)):
            return _of_kreuzer(path, variants)
        marked = _of_gold_files(path)
        if marked is not None:
            return marked
    layout, pages, problems = read_texts(path)
    return DataSet(
        path.resolve().name.removesuffix(".zip"),
        frozenset({TEXT}),
        _distinct((page.name, {"": TextFiles(page)}) for page in pages),
        is_package=layout == "package" and path.is_file(),
        problems=problems,
    )


def of_documents(name: str, documents: Iterable[Document], workspace: Path) -> DataSet:
    """Return documents with their gold in a workspace."""
    pages = [(_page_name(each), {"": WorkspaceFiles(each, workspace)}) for each in documents]
    return DataSet(name, frozenset({TEXT, BLOCKS}), _distinct(pages))


def _of_workspace(path: Path) -> DataSet:
    with Workspace.open(path, create=False) as workspace:
        entries = [entry for entry in workspace.pages() if entry.marks]
    documents, problems = [], []
    for entry in entries:
        try:
            documents.append(_document_of(entry))
        except InputError as error:
            problems.append(str(error))
    if not documents:
        why = f": {problems[0]}" if problems else ": nothing is marked in it yet"
        raise InputError(f"{path} has no page to evaluate{why}")
    found = of_documents(path.resolve().stem, documents, path.resolve())
    return DataSet(found.name, found.golds, found.pages, problems=tuple(problems))


def _document_of(entry: PageEntry) -> Document:
    """Return the document of a page that a workspace knows."""
    key = entry.key
    if key.startswith("corpus:"):
        wanted = key.removeprefix("corpus:")
        for document in list_documents(resources.path("corpus")):
            if document.path == wanted:
                return document
        raise InputError(f"the sample corpus has no page {wanted}")
    if key.startswith(("http:", "https:")):
        raise InputError(f"{key} is on the web: an evaluation reads pages on this machine only")
    return open_document(key)


def _of_gold_files(path: Path) -> DataSet | None:
    try:
        problems: list[str] = []
        documents = list_documents(path, problems=problems)
    except InputError:
        return None
    pages: list[tuple[str, dict[str, PageFiles]]] = []
    for document in documents:
        beside = gold_file_of(document)
        if beside is not None and beside.is_file():
            pages.append((_page_name(document), {"": BesideFiles(document)}))
    if not pages:
        return None
    golds = frozenset({TEXT, BLOCKS})
    return DataSet(path.resolve().name, golds, _distinct(pages), problems=tuple(problems))


def _of_kreuzer(path: Path, variants: Sequence[Variant]) -> DataSet:
    resolved = path.resolve()
    root = resolved if (resolved / "mapping.txt").is_file() else resolved.parent
    problems: list[str] = []
    pages: dict[str, dict[str, PageFiles]] = {}
    for variant in variants:
        try:
            documents = list_documents(path, variant=variant, problems=problems)
        except InputError:
            continue  # none has this variant, which the problems say
        for document in documents:
            assert document.root is not None
            place = (document.root / document.path).relative_to(root).as_posix()
            files = KreuzerFiles(document, blocks_of(document))
            pages.setdefault(_saved_name(place), {})[variant] = files
    if not pages:
        why = f": {problems[0]}" if problems else ""
        raise InputError(f"{path} holds no pages{why}")
    mapping = (root / "mapping.txt").read_text("utf-8", "replace")
    origins = set(_ORIGIN.findall(mapping))
    return DataSet(
        resolved.name,
        frozenset({BLOCKS}),
        tuple(pages.items()),
        has_variants=True,
        origin=origins.pop() if len(origins) == 1 else "",
        problems=tuple(dict.fromkeys(problems)),
    )


def _saved_name(path: str) -> str:
    """Return the name ``mapping.txt`` has for a page, of the path of one of its four files."""
    place = PurePosixPath(path)
    for ending in (".html.orig", ".dom.html", ".blocks.html"):
        if place.name.endswith(ending):
            return str(place.with_name(place.name.removesuffix(ending) + ".html"))
    return path


def _page_name(document: Document) -> str:
    return document.path if document.path and document.package is None else document.name


def _distinct(
    pages: Iterable[tuple[str, Mapping[str, PageFiles]]],
) -> tuple[tuple[str, Mapping[str, PageFiles]], ...]:
    """Return the pages under names of their own: what comes a second time gets a number."""
    found: dict[str, Mapping[str, PageFiles]] = {}
    for name, files in pages:
        number, own = 1, name
        while own in found:
            number += 1
            own = f"{name} ({number})"
        found[own] = files
    return tuple(found.items())


def form_of(case_input: str, output: str, inputs: Sequence[Input], *, is_variant: bool) -> Input:
    """Return what a method of this output reads of a page in this input.

    A variant is a document of its own: extractors read its HTML, segmenters its rendering.  Else
    the input says it, except that segmenters take ``dom`` for the rendering as well.
    """
    if is_variant:
        return inputs[0]
    if output == "segmentation" and case_input == "dom":
        return "rendered"
    return cast(Input, case_input)
