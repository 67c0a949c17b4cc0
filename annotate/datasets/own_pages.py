"""Pages that lie in a folder, with the gold files of Pagelet beside them, or none yet.

What a folder may look like
    A corpus of Pagelet's own: ``corpus.json`` names the pages.
    Any other folder: its HTML files, or those of its sub-folder ``html``, or the ``index`` pages of
    its sub-folders; then all others below it (wget's HOST/HOST/index.html); and the frozen pages
    in it.
"""

import json
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from annotate.archives import magic
from annotate.archives.frozen.frozen_file import FrozenFile, is_frozen
from annotate.archives.frozen.package import SUFFIX
from annotate.archives.page_files import holds_parts
from annotate.datasets import mirrors
from annotate.datasets.case_files import gold_file_of
from annotate.datasets.mirrors import HEAD
from engine import bounded_file
from engine.account import Account
from engine.document import HTML_SUFFIXES, VIEWPORT, Document, local_url
from engine.errors import InputError

INDEX = "corpus.json"

_LITTLE = 1_000
"""Bytes of text below which a page may be one of an error, or a redirect."""

_IN_PLACE = "error page in place of a picture, style sheet or script"
_GZIP = b"\x1f\x8b"
_WHOLE = re.compile(rb"<(?:!doctype|html|head|body|frameset|title)\b", re.IGNORECASE)
_TAGS = re.compile(rb"<(script|style)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>", re.I | re.S)
_REFRESH = re.compile(rb"<meta\s[^>]*http-equiv\s*=\s*[\"']?refresh\b[^>]*url\s*=", re.IGNORECASE)
_HTTRACK = re.compile(rb"<title>\s*(?:Local index|List of available projects) - HTTrack", re.I)
_HEADINGS = re.compile(rb"<title[^>]*>(.*?)</title|<h1[^>]*>(.*?)</h1", re.I | re.S)
_ERROR = re.compile(
    rb"\b(?:400|401|403|404|405|410|429|500|502|503|504)\b|\bnot found\b|\bforbidden\b|"
    rb"\bbad gateway\b|\bservice (?:temporarily )?unavailable\b|\baccess denied\b|"
    rb"\binternal server error\b",
    re.IGNORECASE,
)

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


def without_errors(listed: Sequence[Document], folder: Path) -> tuple[list[Document], Account]:
    """Return the pages of a folder without files that are none, and the account of both.

    What a crawler got in place of a page, error pages, redirects and fragments of pages, is passed
    over with its reason, unless it has gold, or nothing else is there.  So is what lies in place
    of a picture or style sheet.
    """
    account = Account("page")
    heads = [_head(each) for each in listed]
    parts = mirrors.asked_as_parts(
        {each.path: head for each, head in zip(listed, heads, strict=True)}
    )
    whole = sum(_WHOLE.search(head) is not None for head in heads) * 2 > len(heads)
    kept = []
    for document, head in zip(listed, heads, strict=True):
        is_asked = not parts.isdisjoint({document.path, document.path.rpartition(".")[0]})
        reason = _IN_PLACE if is_asked else _why_no_page(head, among_whole=whole)
        if reason and not _is_marked(document):
            account.pass_over(reason, document.path)
        else:
            account.take()
            kept.append(document)
    if not kept:
        kept, account = list(listed), Account("page", taken=len(listed))
    for name in mirrors.errors_below(folder):
        account.pass_over(_IN_PLACE, name)
    return kept, account


def _head(document: Document) -> bytes:
    """Return the beginning of a page's file; text that stands for any page where it is in none."""
    if document.content is not None or document.root is None:
        return b"<html>"
    try:
        with bounded_file.opened(document.root / document.path) as file:
            head = file.read(HEAD)
        return zlib.decompressobj(wbits=31).decompress(head, HEAD) if head[:2] == _GZIP else head
    except (OSError, zlib.error):
        return b"<html>"  # opening it says what is wrong


def _why_no_page(head: bytes, *, among_whole: bool) -> str:
    """Return why the beginning of a file is no page's; "" if it is one."""
    if not head.strip():
        return "empty"
    if kind := magic.kind_of(head):
        return f"{kind} called a page"
    text = b" ".join(_TAGS.sub(b" ", head).split())
    if len(head) < HEAD and len(text) < _LITTLE:
        if _HTTRACK.search(head):
            return "HTTrack's own list of sites"
        if _REFRESH.search(head):
            return "redirect to another page"
        title = b" ".join(b" ".join(each) for each in _HEADINGS.findall(head))
        if _ERROR.search(title or text[:200]):
            return "error page of a server"
    if among_whole and not _WHOLE.search(head):
        return "fragment of a page"
    return ""


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
    """Yield the pages at the folder's top, or in place of one, and then all others below."""
    root = folder.resolve()
    first: list[Path] = []
    for where in ("*", "html/*", "*/index.*"):
        files = sorted(folder.glob(where))
        first = [f for f in files if f.name.lower().endswith(HTML_SUFFIXES) and f.is_file()]
        for page in first:
            relative = page.relative_to(folder).as_posix()
            title = page.parent.name if where == "*/index.*" else page.name
            yield _document(page, root, relative, title)
        if first:
            break
    known = set(first)
    for page in _deep_pages(folder):
        if page not in known:
            relative = page.relative_to(folder).as_posix()
            yield _document(page, root, relative, relative)


def _document(page: Path, root: Path, relative: str, title: str) -> Document:
    url, home = mirrors.address_of(relative)
    return Document(str(page), url, root, relative, title=title, home=home)


def _deep_pages(folder: Path) -> list[Path]:
    """Return the HTML files at any depth, of as many entries as are read in a moment.

    Folders with the parts of a saved page hold frames, no pages.  In a copy of a site what a page
    is its content tells where its name does not.
    """
    pages, seen = [], 0
    reads_all = mirrors.is_mirror(folder)
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        folders[:] = [each for each in folders if each not in mirrors.OWN_FILES]
        folders[:] = [each for each in folders if not holds_parts(Path(parent, each))]
        for path in (Path(parent, each) for each in names):
            is_named = path.name.lower().endswith(HTML_SUFFIXES)
            if is_named or (reads_all and Path(parent) != folder and mirrors.is_page(path)):
                pages.append(path)
        seen += len(names) + len(folders)
        if seen > MOST_ENTRIES:
            break
    return sorted(pages)
