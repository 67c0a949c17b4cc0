"""What the elements of a page are in a clean tree, and which tables are tables."""

import re
from collections.abc import Mapping
from urllib.parse import urljoin

import numpy as np

from engine.tree import BLOCK_TAGS, TEXTLESS_TAGS, Tree

HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
LISTS = frozenset(["ul", "ol"])
CELLS = frozenset(["td", "th"])
INLINE_BLOCKS = HEADINGS | {"pre", "caption", "dt"}
"""Blocks that hold no other block."""

UNSEEN = TEXTLESS_TAGS | {"template", "noscript"}

BLOCKS: Mapping[str, str] = {
    **{tag: tag for tag in (*HEADINGS, *LISTS, "li", "dl", "dt", "dd", "blockquote", "pre")},
    **{tag: tag for tag in ("figure", "figcaption", "table", "caption", "tr", *CELLS)},
    "menu": "ul", "dir": "ul", "listing": "pre", "xmp": "pre",
}  # fmt: skip
"""Tag of the page → block of the tree; all other block-level tags only part paragraphs."""

MARKS: Mapping[str, str] = {
    "a": "a", "em": "em", "i": "em", "cite": "em", "var": "em", "dfn": "em", "strong": "strong",
    "b": "strong", "code": "code", "kbd": "code", "samp": "code", "tt": "code", "sub": "sub",
    "sup": "sup", "math": "math", "del": "del", "s": "del", "strike": "del", "ins": "ins", "q": "q",
}  # fmt: skip

ALL_BLOCK_TAGS = BLOCK_TAGS | frozenset(BLOCKS) | {"iframe"}

Key = tuple[str, int]
"""Tag in the clean tree, and the row it is from; ~row of a row it had to be made up below."""

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_SAFE = frozenset(["http", "https", "mailto", "tel", "ftp"])
_IGNORED = re.compile("[\x00-\x20\x7f]+")
_IN_ADDRESS = re.compile("[\x00-\x1f\x7f]+")
_IN_LAYOUT = (*HEADINGS, "ul", "ol", "form", "blockquote", "article", "section")
_LARGEST_SPAN = 1000
_ALIGN = re.compile(r"(?:^|;)\s*text-align\s*:\s*(\w+)", re.IGNORECASE)
_ALIGNS = {
    "left": "left", "start": "left", "center": "center", "right": "right", "end": "right",
}  # fmt: skip


def safe_address(address: str, base: str) -> str | None:
    """Return an address, absolute where ``base`` is; None for one that runs or embeds something.

    ``base`` is the page's address; unless it is of the web, relative addresses stay as they are.
    Below one without a scheme (``//a.org/``) they have none either.
    """
    address = _IN_ADDRESS.sub("", address).strip()
    scheme = _SCHEME.match(_IGNORED.sub("", address))
    if not address or (scheme and scheme[1].lower() not in _SAFE):
        return None
    try:
        is_of_web = base.startswith(("http:", "https:", "//"))
        return urljoin(base, address) if is_of_web else address
    except ValueError:  # an address in brackets that is none
        return None


def is_layout(tree: Tree, table: int, attributes: Mapping[str, str]) -> bool:
    """Return whether a table only arranges: one cell, row or column, or blocks in its cells.

    A table with a caption or header cells, and none within it, is one, unless its role denies it.
    """
    inside = slice(table + 1, int(tree.end[table]))
    is_bare = attributes.get("role", "").strip().lower() in ("presentation", "none")
    if is_bare or tree.has_tag("table", rows=inside).any():
        return True
    cells = int(tree.has_tag(*CELLS, rows=inside).sum())
    rows = int(tree.has_tag("tr", rows=inside).sum())
    if cells <= 1:
        return True
    if tree.has_tag("th", "caption", "thead", rows=inside).any():
        return False
    if rows < 2 or cells <= rows or tree.has_tag(*_IN_LAYOUT, rows=inside).any():
        return True
    paragraphs = table + 1 + np.flatnonzero(tree.has_tag("p", rows=inside))
    _, counts = np.unique(tree.parent[paragraphs], return_counts=True)
    return bool((counts > 1).any())


def span_of(attributes: Mapping[str, str], name: str) -> int:
    """Return ``colspan`` or ``rowspan`` as HTML reads it; a ``rowspan`` of 0 reaches to the end."""
    digits = re.match(r"\s*\+?(\d{1,6})", attributes.get(name, ""))
    if digits is None:
        return 1
    span = int(digits[1])
    if span == 0:
        return _LARGEST_SPAN if name == "rowspan" else 1
    return min(span, _LARGEST_SPAN)


def align_of(attributes: Mapping[str, str]) -> str:
    """Return "left", "center" or "right" where a cell declares it, else ""."""
    style = _ALIGN.search(attributes.get("style", ""))
    return _ALIGNS.get((style[1] if style else attributes.get("align", "")).strip().lower(), "")
