"""Every layout of pages with gold that can be read, as one table.

One format, one module: it tells whether a path is in it and yields its pages.  A new one is a
module and a line of `READERS`, or a plug-in; the window and ``evaluate`` then both open it.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from urllib.parse import quote, urlsplit

import resources
from annotate.archives.frozen.frozen_file import FrozenFile, is_frozen
from annotate.archives.page_files import in_order
from annotate.datasets import own_pages, package, sites
from annotate.datasets.case_files import BesideFiles, PageFiles, TextFiles, WorkspaceFiles
from annotate.datasets.cases import (
    BLOCKS,
    DEFAULT_VARIANTS,
    TEXT,
    DataSet,
    Variant,
    page_name,
    page_names,
)
from annotate.datasets.saved_pages import container_kind, read_saved
from annotate.datasets.stored_listing import NamedFiles, StoredListing
from annotate.datasets.texts import TextPage
from annotate.marks.guideline import mixture
from annotate.workspace.stored_guideline import refs_of
from annotate.workspace.workspace import PageEntry, Workspace, page_key, path_of
from annotate.workspace.workspace_file import is_workspace
from engine import plugin
from engine.bounded_file import Stamp, stamp_of
from engine.document import Document, absence, check, plain_document
from engine.errors import InputError

Pages = Iterable[NamedFiles]


@dataclass(frozen=True)
class Reader:
    """Format of data sets.

    Attributes:
        name: For people.
        layout: Description, in words after "expected".
        golds: Its kinds of gold.
        matches: Tells whether a file or folder is in it; reads a file's first line or page at most.
        pages: Yields the pages, in these variants if the format has some; its list gets a sentence
            for each page that cannot be used.
        has_variants: Whether a page is several files.
        origin: Which published data set a folder is, "" for none: it has figures to compare with.
        complete: Number of pages of the whole published data set; 0 if it is none.
        is_around: Whether one of its files, opened alone, is looked for in the folders around.
        around: Returns whether a folder around a page opened alone is in it, for formats whose
            ``matches`` would search all folders below.
        has_sites: Whether its pages are whole sites.
        own: Folders that belong to it, whatever they look like by themselves.
        page_at: Returns the page that a file opened alone is, None if it is in no such data set.
        beside: Returns a page outside data sets with the gold in this format beside it, if any.
    """

    name: str
    layout: str
    golds: frozenset[str]
    matches: Callable[[Path], bool]
    pages: Callable[[Path, list[str], Sequence[Variant]], Pages]
    has_variants: bool = False
    origin: Callable[[Path], str] = lambda _path: ""
    complete: Callable[[Path], int] = lambda _path: 0
    is_around: bool = True
    around: Callable[[Path], bool] | None = None
    has_sites: bool = False
    own: frozenset[str] = frozenset()
    page_at: Callable[[Path, Variant], PageFiles | None] = lambda _path, _variant: None
    beside: Callable[[Document], PageFiles | None] = lambda _document: None


def text_pages(pages: Callable[[Path, list[str]], Iterator[TextPage]]) -> Callable[..., Pages]:
    """Return the pages of a format with gold text; a gold file beside a page takes precedence."""

    def found(path: Path, problems: list[str], _variants: Sequence[Variant]) -> Pages:
        every = StoredListing(
            (page.name, {"": _with_own_gold(TextFiles(page))}) for page in pages(path, problems)
        )
        firsts, more = every.first_of_each()
        problems += [
            f"{name} is the name of {count + 1} pages, of which the first is read"
            for name, count in more.items()
        ]
        return firsts

    return found


def _with_own_gold(files: PageFiles) -> PageFiles:
    document = files.document()
    return BesideFiles(document) if own_pages.is_marked(document) else files


def _of_gold_files(path: Path, problems: list[str], _variants: Sequence[Variant]) -> Pages:
    result = list(filter(own_pages.is_marked, own_pages.documents(path, problems)))
    names = page_names(result)
    return tuple((name, {"": BesideFiles(each)}) for name, each in zip(names, result, strict=True))


def _of_frozen(path: Path, problems: list[str], _variants: Sequence[Variant]) -> Pages:
    document = FrozenFile(path.absolute()).document()
    if not own_pages.is_marked(document):
        problems.append(f"there is no {path.name}.gold.json beside it")
        return ()
    return [(page_name(document), {"": BesideFiles(document)})]


def _of_workspace(path: Path, problems: list[str], _variants: Sequence[Variant]) -> Pages:
    with Workspace.reading(path) as workspace:
        entries = [entry for entry in workspace.pages() if entry.marks]
        kinds = workspace.marked()
        if workspace.store.is_partial:
            problems.append(workspace.damage)
        if mixed := mixture(refs_of(workspace)):
            problems.append(mixed)
    if not entries:
        problems.append("nothing is marked in it yet")
    documents = []
    for entry in entries:
        try:
            documents.append(document_of(entry))
        except InputError as error:
            problems.append(str(error))
    source, pages = path.resolve(), zip(page_names(documents), documents, strict=True)
    return tuple(
        (name, {"": WorkspaceFiles(each, source, kinds.get(page_key(each), frozenset()))})
        for name, each in pages
    )


def document_of(entry: PageEntry) -> Document:
    """Return the document of a page that a workspace knows."""
    key = path_of(entry.key)
    if key.startswith("corpus:"):
        page_path = key.removeprefix("corpus:")
        samples = own_pages.documents(resources.path("corpus"), [])
        if document := next((each for each in samples if each.path == page_path), None):
            return document
        raise InputError(f"the sample corpus has no page {page_path}")
    if key.startswith(("http:", "https:")):
        raise InputError(f"{key} is on the web: an evaluation reads pages on this machine only")
    return page_at(key).document()


def page_at(address: str, variant: Variant = "html") -> PageFiles:
    """Return the page at a file's path, or of a ``FILE!/NAME``, with its gold if it has some.

    Read as in its data set, if it is in one; `InputError` if it is not a page.
    """
    package, separator, member = address.partition("!/")
    if separator and (path := Path(package).expanduser()).is_file():
        return _member_of(path.absolute(), member, address)
    path = Path(address).expanduser()
    if is_frozen(path):
        return BesideFiles(FrozenFile(path.absolute()).document())
    if container_kind(path) is not None:
        documents = read_saved(path).documents
        if len(documents) > 1:
            raise InputError(several(address, documents))
        return BesideFiles(documents[0])
    document = plain_document(address)
    if document.root is None:
        return BesideFiles(document)
    path = document.root / document.path
    found = (reader.page_at(path, variant) for reader in readers())
    result = next((files for files in found if files is not None), None) or _around(path)
    if result is not None:
        check(result.document())
    return files_of(document) if result is None else _with_own_gold(result)


def several(address: str | Path, documents: Sequence[Document]) -> str:
    """Return the sentence that asks to name one of the pages of a file or folder."""
    example = documents[-1].address if documents else ""
    named = f", as {example}" if example.startswith(f"{address}!/") else ""
    return f"{address} holds {len(documents)} pages, name one of them{named}"


def files_of(document: Document) -> PageFiles:
    """Return a page outside data sets with the gold beside it, if any."""
    found = (reader.beside(document) for reader in readers())
    marked = next((files for files in found if files is not None), None)
    return BesideFiles(document) if marked is None else _with_own_gold(marked)


def _member_of(package: Path, member: str, address: str) -> PageFiles:
    reader = reader_of(package)
    kind = container_kind(package)
    if kind is not None:
        end = f"/{quote(member)}"  # a page in a zip, with the files beside it
        for each in read_saved(package).documents:
            is_named = member in (each.home, each.title)
            is_named |= not kind.is_archive and urlsplit(each.url).path == end
            if each.address == address or is_named:
                return BesideFiles(each)
    if reader is None:
        there = "" if kind is None else f"; it has {_homes_in(package)}"
        raise InputError(f"{address}: {package.name} has no page of this name{there}")
    for name, files in _listed(reader, package, stamp_of(package)):
        document = files.document()
        if member in (name, document.path) or document.address == address:
            check(document)
            return files
    raise InputError(f"{address}: the package has no page of this name")


def _homes_in(package: Path) -> str:
    homes = [each.home or each.name for each in read_saved(package).documents]
    more = f" and {len(homes) - _MOST_NAMED} more" if len(homes) > _MOST_NAMED else ""
    return ", ".join(homes[:_MOST_NAMED]) + more


def _around(path: Path) -> PageFiles | None:
    """Return the page of a file in the data set around it; None if there is none."""
    for folder in path.parents[:_DEEPEST]:
        for reader in readers():
            if reader.is_around and _fits(reader.around or reader.matches, folder):
                for _, files in _listed(reader, folder, stamp_of(folder)):
                    if files.document().address in (str(path), str(path.absolute())):
                        return files
    return None


def _fits(matches: Callable[[Path], bool], path: Path) -> bool:
    """Return whether a path is in a format; what may not be looked into is in none."""
    try:
        return matches(path)
    except OSError:
        return False


@lru_cache(maxsize=4)
def _listed(reader: Reader, path: Path, _stamp: Stamp) -> tuple[tuple[str, PageFiles], ...]:
    pages = reader.pages(path, [], ("html",))
    return tuple((name, next(iter(files.values()))) for name, files in pages)


_DEEPEST = 3
"""So many folders above a page's file may be its data set's."""

_MOST_NAMED = 5
"""Pages of a file that are named where another was asked for."""

_TEXT, _BLOCKS, _BOTH = frozenset({TEXT}), frozenset({BLOCKS}), frozenset({TEXT, BLOCKS})

READERS: tuple[Reader, ...] = (
    Reader("workspace", "a workspace of Pagelet (NAME.pagelet)",
           _BOTH, lambda path: path.is_file() and is_workspace(path), _of_workspace,
           is_around=False),
    Reader("frozen pages", "a frozen page (NAME.wacz) with NAME.wacz.gold.json beside it",
           _BOTH, is_frozen, _of_frozen, is_around=False),
    Reader("package", "a package zip or folder (NAME.html, NAME.txt)",
           _TEXT, package.matches, text_pages(package.pages), around=package.has_index),
    Reader("sites", "a site's folder (site.json, pages, gold), or a folder of such",
           _TEXT, sites.matches, text_pages(sites.pages), has_sites=True,
           own=frozenset({"pages", "gold", "archive"})),
    Reader("gold files", "pages with PAGE.gold.json beside them",
           _BOTH, own_pages.matches, _of_gold_files, is_around=False),
)  # fmt: skip


@cache
def readers() -> tuple[Reader, ...]:
    """Return all readers, including those of plug-ins, in the order of trial."""
    added = tuple(plugin.objects("readers", Reader))
    first_text = next(index for index, reader in enumerate(READERS) if reader.golds == _TEXT)
    return (
        *READERS[:first_text],
        *(reader for reader in added if reader.golds != _TEXT),
        *READERS[first_text:-1],
        *(reader for reader in added if reader.golds == _TEXT),
        READERS[-1],
    )


def reader_of(path: Path) -> Reader | None:
    """Return the reader of a path, None if it is in no format; `InputError` if in several.

    Blocks go before text, and a published format before gold files beside its pages.
    """
    texts: list[Reader] = []
    for reader in readers():
        if texts and reader.golds != _TEXT:
            break  # readers after those of text only are tried last
        if _fits(reader.matches, path):
            if reader.golds != _TEXT:
                return reader
            texts.append(reader)
    if len(texts) > 1:
        names = " and of ".join(reader.name for reader in texts)
        raise InputError(f"{path} has the layout of {names}: name the folder of one of them")
    return texts[0] if texts else None


def read_dataset(source: str | Path, variants: Sequence[Variant] = DEFAULT_VARIANTS) -> DataSet:
    """Return the cases of a folder or file; `InputError` describes the layout of data sets.

    ``variants`` are those to read of pages that have some.
    """
    path = Path(source).expanduser()
    if not path.exists():
        raise InputError(absence(source))
    if path.is_dir():
        os.scandir(path).close()  # raises where it may not be read
    reader = reader_of(path)
    if reader is None:
        raise InputError(_no_reader(path))
    dataset = read_with(reader, path, variants)
    if reader.golds != _TEXT:
        return dataset
    unread = (
        f"{child.name} has the layout of {other.name} and is not read: name it by itself"
        for child, other in _below(path)
        if other is not reader and child.name not in reader.own
    )
    return replace(dataset, problems=(*dataset.problems, *unread))


def read_with(reader: Reader, path: Path, variants: Sequence[Variant]) -> DataSet:
    """Return the cases of a path in a format; `InputError` if it has none."""
    problems: list[str] = []
    result = reader.pages(path, problems, variants)
    pages = result if isinstance(result, StoredListing) else StoredListing(result)
    if not pages:
        why = f": {problems[0]}" if problems else ""
        raise InputError(f"{path} ({reader.name}) holds no page with gold{why}")
    has_blocks = any(isinstance(each, BesideFiles) for _, files in pages for each in files.values())
    resolved = path.resolve()
    if reader.name == "gold files" and (mixed := _mixed_files(pages)):
        problems.append(mixed)
    return DataSet(
        resolved.stem if reader.name == "workspace" else resolved.name.removesuffix(".zip"),
        reader.golds | {BLOCKS} if has_blocks else reader.golds,
        pages,
        has_variants=reader.has_variants,
        origin=reader.origin(path),
        complete=reader.complete(path),
        is_package=reader.name == "package" and path.is_file(),
        has_sites=reader.has_sites,
        problems=tuple(dict.fromkeys(problems)),
    )


def mixed_gold(dataset: DataSet) -> str:
    """Return a sentence where gold of these pages was made by several guidelines, "" where not.

    A workspace that was merged does not know which page is whose.
    """
    for _, variants in dataset.pages:
        for files in variants.values():
            if isinstance(files, WorkspaceFiles):
                with Workspace.reading(files.workspace) as workspace:
                    return mixture(refs_of(workspace))
            if not isinstance(files, BesideFiles):
                return ""
    return _mixed_files(dataset.pages)


def _mixed_files(pages: Pages) -> str:
    files = [each for _, variants in pages for each in variants.values()]
    return mixture(each.guideline() for each in files if each.marked())


def _no_reader(path: Path) -> str:
    below = [child.name for child, _ in _below(path)]
    if below:
        return f"{path} is not a data set, but holds some: name one of {', '.join(below)}"
    empty = " an empty folder:" if path.is_dir() and not any(path.iterdir()) else ""
    return (
        f"{path} is{empty} not a data set with gold in a layout that Pagelet reads; "
        "see the page Formats of the documentation"
    )


def _below(path: Path) -> Iterator[tuple[Path, Reader]]:
    """Yield the folders and files right below that are in one format with gold text, with that."""
    children = path.glob("*") if path.is_dir() else ()  # pages may be among them, and many
    packed = (each for each in children if each.suffix.lower() == ".zip" or each.is_dir())
    texts = [reader for reader in readers() if reader.golds == _TEXT]
    for child in sorted(packed, key=in_order):
        fitting = [reader for reader in texts if _fits(reader.matches, child)]
        if len(fitting) == 1:
            yield child, fitting[0]
