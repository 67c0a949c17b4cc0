"""The one door to pages: what a user typed, chose or dropped becomes pages with their gold.

Whatever ``evaluate`` can read opens here as the same documents (`annotate.datasets.readers`), and
beside it what has no gold yet: one page, a folder of pages, an address on the web.
"""

import json
import logging
import re
from dataclasses import dataclass
from pathlib import Path

from annotate.archives.frozen.frozen_file import is_frozen
from annotate.datasets import own_pages
from annotate.datasets.case_files import BesideFiles, PageFiles
from annotate.datasets.kreuzer.pages import Variant
from annotate.datasets.readers import files_of, page_at, read_with, reader_of
from engine import bounded_file
from engine.document import HTML_SUFFIXES, Document, plain_document, with_options
from engine.errors import InputError

log = logging.getLogger(__name__)

_ARCHIVE = re.compile(r"\.w?arc(\.gz|\.zst)?$", re.IGNORECASE)

_HEAD = 8192
"""Bytes that are looked at to tell what a file is."""


@dataclass(frozen=True)
class OpenedPages:
    """Pages in their own order.

    Attributes:
        documents: One or more.
        files: For each where its gold is.
        problems: A sentence for each thing that cannot be used.
    """

    documents: tuple[Document, ...]
    files: tuple[PageFiles, ...]
    problems: tuple[str, ...] = ()


def open_pages(address: str | Path, variant: Variant = "html") -> OpenedPages:
    """Return what a path or address holds; `InputError` says in a sentence what is wrong with it.

    ``variant`` is which file of a page in Kreuzer's layout is shown.
    """
    if not str(address):
        raise InputError("the address of the page is empty: name a file, a folder or an address")
    if _is_web(str(address)):
        return _of_one(BesideFiles(plain_document(address)))
    path = Path(address).expanduser()
    if not path.exists():
        return _of_one(page_at(str(address), variant))
    path = path.absolute()
    reader = None if is_frozen(path) else reader_of(path)
    problems: list[str] = []
    if reader is not None and reader.name != "gold files":
        try:
            result = read_with(reader, path, (variant,))
        except InputError as error:
            if path.is_file():
                raise InputError(what_it_is(path) or str(error)) from error
            archives = [each for each in sorted(path.iterdir()) if _ARCHIVE.search(each.name)]
            if not archives:
                raise
            problems += map(what_it_is, archives)  # they must not hide the pages beside them
        else:
            files = tuple(each for _, variants in result.pages for each in variants.values())
            return OpenedPages(tuple(each.document() for each in files), files, result.problems)
    if path.is_file():
        if known := what_it_is(path):
            raise InputError(known)
        return _of_one(page_at(str(path), variant))
    documents = tuple(own_pages.documents(path, problems))
    if not documents:
        raise InputError(problems[0] if problems else f"{address} holds no pages")
    problems += own_pages.deeper(path, documents)
    return OpenedPages(documents, tuple(map(files_of, documents)), tuple(problems))


def open_page(address: str | Path, variant: Variant = "html") -> PageFiles:
    """Return the one page at an address with its gold; `InputError` if there are more, or none."""
    opened = open_pages(address, variant)
    for problem in opened.problems:
        log.warning("%s", problem)
    if len(opened.files) != 1:
        raise InputError(f"{address} holds {len(opened.files)} pages, name one of them")
    return opened.files[0]


def list_documents(
    source: str | Path, *, variant: Variant = "html", problems: list[str] | None = None
) -> tuple[Document, ...]:
    """Return the documents of a folder or file, in its own order; raises `InputError`.

    ``problems`` gets a sentence for each thing in it that cannot be used.
    """
    if not Path(source).expanduser().exists():
        raise InputError(f"no such file or folder: {source}")
    result = open_pages(source, variant)
    if problems is not None:
        problems.extend(result.problems)
    return result.documents


def open_document(
    address: str | Path | bytes,
    *,
    variant: Variant = "html",
    viewport: tuple[int, int] | None = None,
    scripts: bool | None = None,
    root: Path | None = None,
) -> Document:
    """Return the one page at an address; `InputError` says in a sentence what is wrong with it.

    Args:
        address: An http(s) URL, a file, a folder or zip that holds one page, ``PACKAGE.zip!/NAME``,
            ``-`` for standard input, or the bytes of a page.
        variant: For Kreuzer's pages.  A file whose own name shows its variant keeps it.
        viewport, scripts: Override what the kind of document asks for.
        root: The folder to serve resources from, for a file that reaches above its own.
    """
    if isinstance(address, bytes) or str(address) == "-" or root is not None:
        return plain_document(address, viewport=viewport, scripts=scripts, root=root)
    document = open_page(address, variant).document()
    return with_options(document, viewport=viewport, scripts=scripts)


def what_it_is(path: Path) -> str:
    """Return what a file is that is no page, and the step to take with it; "" for pages."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return ""
    name, start = path.name, head.lstrip(b"\xef\xbb\xbf \t\r\n")
    take_in = f"take it in by: pagelet import {path} --out {path.stem}.wacz"
    if re.match(rb"(?:[\w-]+:[^\n]*\n(?:[ \t][^\n]*\n)*)*?content-type:\s*multipart/related",
                start.replace(b"\r", b""), re.IGNORECASE):  # fmt: skip
        return f"{name} is a page saved as MHTML: {take_in}"
    if start.startswith(b"WARC/") or _ARCHIVE.search(name):
        return f"{name} is a web archive without gold: {take_in}"
    if start[:1] in (b"{", b"[") and not name.lower().endswith(HTML_SUFFIXES):
        return _what_json_is(path)
    lines = [line.strip() for line in start.splitlines() if line.strip()]
    if len(start) == len(head) == _HEAD:
        lines = lines[:-1]  # it may be cut
    if lines and all(re.match(rb"https?://\S+$", line, re.IGNORECASE) for line in lines):
        return (
            f"{name} is a list of addresses: fetch each site by: pagelet crawl ADDRESS --out FOLDER"
        )
    return ""


def _what_json_is(path: Path) -> str:
    try:
        value = json.loads(bounded_file.read_text(path))
    except (OSError, ValueError, RecursionError, InputError):
        return f"{path.name} looks like JSON and is no page"
    first = value[0] if isinstance(value, list) and value else value
    names = first.keys() if isinstance(first, dict) else ()
    kinds = (
        ("COCO", "coco", {"images", "annotations"}),
        ("Label Studio", "label-studio", {"data"}),
        ("Web Annotation", "webannotation", {"target"}),
    )
    for kind, key, needed in kinds:
        if needed <= set(names):
            return (
                f"{path.name} holds annotations of {kind}: open the pages, then File, Import marks "
                f"(or pagelet import {path.name} --format {key} --onto PAGES)"
            )
    return f"{path.name} is JSON and no page"


def _of_one(files: PageFiles) -> OpenedPages:
    return OpenedPages((files.document(),), (files,))


def _is_web(address: str) -> bool:
    return re.match(r"https?:", address, re.IGNORECASE) is not None
