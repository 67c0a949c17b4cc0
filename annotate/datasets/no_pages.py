"""Files of a folder that are named like pages: error pages, redirects, fragments."""

import re
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from annotate.archives import magic
from annotate.archives.text_kinds import has_markup, kind_of_text, text_in
from annotate.datasets import mirrors
from annotate.datasets.mirrors import HEAD
from annotate.datasets.own_pages import document_in, is_marked
from engine import bounded_file
from engine.account import Account
from engine.document import Document

_LITTLE = 1_000
"""Bytes of text below which a page may be one of an error, or a redirect."""

_JSON = re.compile(r"(?:\{\s*[\"}]|\[\s*[\[{\"\d\]])(?!.*<html)")
_XML = re.compile(
    r"(?:<\?xml[^>]*\?>\s*|<!--[\s\S]*?-->\s*)*<(rss|feed|urlset|sitemapindex|svg|rdf:RDF|plist)\b"
)
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

NoPage = tuple[Document, str]
"""A file that is called a page and is none, with the reason."""


def takes_none(_document: Document) -> bool:
    """Return False: files of a folder that are not pages are rejected."""
    return False


def takes_all(_document: Document) -> bool:
    """Return True: files of a folder that are not pages are accepted, too."""
    return True


def without_errors(
    listed: Sequence[Document], folder: Path, takes: Callable[[Document], bool]
) -> tuple[list[Document], tuple[NoPage, ...], Account]:
    """Return the pages of a folder, the other files, and the account of both.

    What a crawler got in place of a page, error pages, redirects and fragments of pages, is passed
    over with its reason, unless it has gold, or nothing else is there.  So are responses in place
    of a picture or style sheet.  Those that ``takes`` wants come after the pages.
    """
    heads = [_head(each) for each in listed]
    parts = mirrors.asked_as_parts(
        {each.path: head for each, head in zip(listed, heads, strict=True)}
    )
    whole = sum(_WHOLE.search(head) is not None for head in heads) * 2 > len(heads)
    kept, no_pages = [], []
    for document, head in zip(listed, heads, strict=True):
        is_asked = not parts.isdisjoint({document.path, document.path.rpartition(".")[0]})
        reason = _IN_PLACE if is_asked else _why_no_page(head, among_whole=whole)
        if reason and not is_marked(document):
            no_pages.append((document, reason))
        else:
            kept.append(document)
    if not kept and not any(takes(document) for document, _ in no_pages):
        kept, no_pages = list(listed), []
    root = folder.resolve()
    for name in mirrors.errors_below(folder):
        no_pages.append((document_in(folder / name, root, name, name), _IN_PLACE))
    account = Account("page", taken=len(kept))
    for document, reason in no_pages:
        if takes(document):
            account.take()
            kept.append(document)
        else:
            account.pass_over(reason, document.path)
    return kept, tuple(no_pages), account


def _head(document: Document) -> bytes:
    """Return the beginning of a page's file; text that represents any page where it is in none."""
    if document.content is not None or document.root is None:
        return b"<html>"
    try:
        with bounded_file.open_bounded(document.root / document.path) as file:
            head = file.read(HEAD)
        return zlib.decompressobj(wbits=31).decompress(head, HEAD) if head[:2] == _GZIP else head
    except (OSError, zlib.error):
        return b"<html>"  # opening it reports the error


def _other_text(text: str) -> str:
    """Return what the beginning of a text is that is no HTML; "" if it is."""
    start = text.lstrip("\ufeff \t\r\n")
    if kind := kind_of_text(start):
        return kind
    if _JSON.match(start):
        return "JSON"
    if root := _XML.match(start):
        return f"XML with the root {root[1]}"
    return "" if has_markup(start) else "text without markup"


def _why_no_page(head: bytes, *, among_whole: bool) -> str:
    """Return why the beginning of a file is no page's; "" if it is one."""
    if not head.strip():
        return "empty"
    written = text_in(head)
    text_kind = "a binary file" if written is None else _other_text(written)
    if kind := magic.kind_of(head) or text_kind:
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
