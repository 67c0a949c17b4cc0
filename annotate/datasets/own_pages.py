"""Pages that lie in a folder, with the gold files of Pagelet beside them, or none yet.

What a folder may look like
    A corpus of Pagelet's own: ``corpus.json`` names the pages.
    Any other folder: its HTML files, or those of its sub-folder ``html``, or the ``index`` pages of
    its sub-folders; then all others below it (wget's HOST/HOST/index.html); and the frozen pages
    in it.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path

from annotate.archives.frozen.frozen_file import FrozenFile, is_frozen
from annotate.archives.frozen.wacz import SUFFIX
from annotate.archives.page_files import holds_parts
from annotate.datasets import mirrors
from annotate.datasets.case_files import gold_file_of
from engine import bounded_file, bounds
from engine.document import HTML_SUFFIXES, VIEWPORT, Document, local_url
from engine.errors import InputError
from engine.words import in_one_line, shorten

INDEX = "corpus.json"

MOST_ENTRIES = 50_000
"""Files and folders that are looked through for pages below a folder that holds none itself."""


def matches(folder: Path) -> bool:
    """Return whether a page of the folder has a gold file beside it."""
    if not folder.is_dir() or not _may_have_gold(folder):
        return False
    try:
        return any(is_marked(document) for document in documents(folder, []))
    except InputError:
        return False


def _may_have_gold(folder: Path) -> bool:
    """Return False if no file below a folder is named as gold is: most folders have none."""
    seen = 0
    for _, folders, names in os.walk(folder, followlinks=True):
        seen += len(names) + len(folders)
        if seen > MOST_ENTRIES or any(name.endswith(".gold.json") for name in names):
            return True
    return False


def documents(folder: Path, problems: list[str]) -> Iterator[Document]:
    """Yield the pages of a folder; ``problems`` gets a sentence for each that is not there."""
    if (folder / INDEX).is_file():
        yield from _of_corpus(folder, problems)
        return
    yield from _of_folder(folder, problems)
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        if is_frozen(path):
            try:
                yield FrozenFile(path).document()
            except InputError as error:
                problems.append(str(error))


def is_marked(document: Document) -> bool:
    """Return whether a page has a gold file beside it."""
    path = gold_file_of(document)
    return path is not None and path.is_file()


def _of_corpus(folder: Path, problems: list[str]) -> Iterator[Document]:
    try:
        pages = json.loads(bounded_file.read_text(folder / INDEX))["pages"]
        named = [(str(p["file"]), str(p.get("title") or p["id"]), p) for p in pages]
    except (OSError, ValueError, OverflowError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{folder / INDEX} is not a list of pages: {error}") from error
    root = folder.resolve()
    for file, title, about in named:
        if not _is_below(folder / file, root):
            problems.append(f"{INDEX}: there is no file {shorten(in_one_line(file))}")
            continue
        viewport = VIEWPORT
        try:
            viewport = bounds.sides(about.get("viewport", VIEWPORT))
        except InputError as error:
            used = "{} × {}".format(*VIEWPORT)
            problems.append(f"{INDEX}: {file} is opened in {used} px: {error}")
        yield Document(
            address=str(folder / file),
            url=local_url(file),
            root=root,
            path=file,
            scripts=bool(about.get("scripts", True)),
            viewport=viewport,
            title=title,
            home=str(about.get("url") or ""),
        )


def _is_below(path: Path, root: Path) -> bool:
    """Return whether a path is a file below a folder; False where no file can be called so."""
    try:
        return path.is_file() and path.resolve().is_relative_to(root)
    except (OSError, ValueError):
        return False


def _of_folder(folder: Path, problems: list[str]) -> Iterator[Document]:
    """Yield the pages at the folder's top, or in place of one, and then all others below."""
    root = folder.resolve()
    first: list[Path] = []
    for where in ("*", "html/*", "*/index.*"):
        files = (f for f in folder.glob(where) if f.name.lower().endswith(HTML_SUFFIXES))
        first = sorted(filter(Path.is_file, files), key=lambda page: page.parts)
        for page in first:
            relative = page.relative_to(folder).as_posix()
            title = page.parent.name if where == "*/index.*" else page.name
            yield document_in(page, root, relative, title)
        if first:
            break
    known = set(first)
    for page in _deep_pages(folder, problems):
        if page not in known:
            relative = page.relative_to(folder).as_posix()
            yield document_in(page, root, relative, relative)


def document_in(page: Path, root: Path, relative: str, title: str) -> Document:
    """Return the page of a file below a folder."""
    url, home = mirrors.address_of(relative)
    return Document(str(page), url, root, relative, title=title, home=home)


def _deep_pages(folder: Path, problems: list[str]) -> list[Path]:
    """Return the HTML files at any depth, of as many entries as are read in a moment.

    Folders with the parts of a saved page hold frames, no pages.  In a copy of a site what a page
    is its content tells where its name does not.  ``problems`` gets a sentence for each folder that
    cannot be read, and for those left out.
    """

    def note(error: OSError) -> None:
        problems.append(f"cannot read the folder {error.filename}: {error.strerror}")

    pages, seen = [], 0
    reads_all = mirrors.is_mirror(folder)
    for parent, folders, names in os.walk(folder, onerror=note):
        shown = (e for e in folders if not e.startswith(".") and e not in mirrors.OWN_FILES)
        folders[:] = [each for each in sorted(shown) if not holds_parts(Path(parent, each))]
        for path in (Path(parent, each) for each in names):
            is_named = path.name.lower().endswith(HTML_SUFFIXES)
            if is_named or (reads_all and Path(parent) != folder and mirrors.is_page(path)):
                pages.append(path)
        seen += len(names) + len(folders)
        if seen > MOST_ENTRIES:
            problems.append(
                f"{folder.name} holds more than {MOST_ENTRIES:,} files and folders: what comes "
                f"after {Path(parent).relative_to(folder)} is not listed; open a folder in it"
            )
            break
    return sorted(pages, key=lambda page: page.parts)  # as paths sort, and faster
