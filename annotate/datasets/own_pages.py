"""Pages that lie in a folder, with the gold files of Pagelet beside them, or none yet.

What a folder may look like
    A corpus of Pagelet's own: ``corpus.json`` names the pages.
    Any other folder: its HTML files, or those of its sub-folder ``html``, or the ``index`` pages of
    its sub-folders, or, where there are none of these, all below it (wget's HOST/HOST/index.html);
    and the frozen pages in it.
"""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from annotate.archives.frozen.frozen_file import FrozenFile, is_frozen
from annotate.archives.frozen.package import SUFFIX
from annotate.datasets.case_files import gold_file_of
from engine import bounded_file
from engine.document import HTML_SUFFIXES, VIEWPORT, Document, local_url
from engine.errors import InputError
from engine.words import plural

INDEX = "corpus.json"

MOST_ENTRIES = 50_000
"""Files and folders that are looked through for pages below a folder that holds none itself."""


def matches(folder: Path) -> bool:
    """Tell whether a page of the folder has a gold file beside it."""
    if not folder.is_dir():
        return False
    try:
        return any(_is_marked(document) for document in documents(folder, []))
    except InputError:
        return False


def documents(folder: Path, problems: list[str]) -> Iterator[Document]:
    """Yield the pages of a folder; ``problems`` gets a sentence for each that is not there."""
    if (folder / INDEX).is_file():
        yield from _of_corpus(folder, problems)
        return
    yield from _of_folder(folder)
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        if is_frozen(path):
            try:
                yield FrozenFile(path).document()
            except InputError as error:
                problems.append(str(error))


def deeper(folder: Path, listed: Sequence[Document]) -> list[str]:
    """Return a sentence on the pages below a folder that are not listed with those in it."""
    if (folder / INDEX).is_file():
        return []
    known = {(each.root or folder) / each.path for each in listed}
    counts: dict[str, int] = {}
    seen = 0
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.endswith(("_files", ".pagelet")))
        seen += len(files)
        if seen > MOST_ENTRIES:
            break
        below = Path(root)
        pages = sum(
            name.lower().endswith(HTML_SUFFIXES) and below / name not in known for name in files
        )
        if pages and below != folder:
            first = below.relative_to(folder).parts[0]
            counts[first] = counts.get(first, 0) + pages
    if not counts:
        return []
    most = max(counts, key=lambda name: counts[name])
    more = plural(sum(counts.values()), "more page")
    return [f"{more} in folders below: open {folder / most} for {counts[most]} of them"]


def marked_documents(folder: Path, problems: list[str]) -> Iterator[Document]:
    """Yield the pages of a folder that have a gold file."""
    return (document for document in documents(folder, problems) if _is_marked(document))


def _is_marked(document: Document) -> bool:
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
        path = (folder / file).resolve()
        if not path.is_file() or not path.is_relative_to(root):
            problems.append(f"{INDEX}: there is no file {file}")
            continue
        width, height = about.get("viewport", VIEWPORT)
        yield Document(
            address=str(folder / file),
            url=local_url(file),
            root=root,
            path=file,
            scripts=bool(about.get("scripts", True)),
            viewport=(int(width), int(height)),
            title=title,
            home=str(about.get("url") or ""),
        )


def _of_folder(folder: Path) -> Iterator[Document]:
    root = folder.resolve()
    for where in ("*", "html/*", "*/index.*"):
        files = sorted(folder.glob(where))
        pages = [f for f in files if f.name.lower().endswith(HTML_SUFFIXES) and f.is_file()]
        for page in pages:
            relative = page.relative_to(folder).as_posix()
            yield Document(
                str(page),
                local_url(relative),
                root,
                relative,
                title=page.parent.name if where == "*/index.*" else page.name,
            )
        if pages:
            return
    for page in _deep_pages(folder):
        relative = page.relative_to(folder).as_posix()
        yield Document(str(page), local_url(relative), root, relative, title=relative)


def _deep_pages(folder: Path) -> list[Path]:
    """Return the HTML files at any depth, of as many entries as are read in a moment."""
    pages, seen = [], 0
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        pages += [Path(parent, each) for each in names if each.lower().endswith(HTML_SUFFIXES)]
        seen += len(names) + len(folders)
        if seen > MOST_ENTRIES:
            break
    return sorted(pages)
