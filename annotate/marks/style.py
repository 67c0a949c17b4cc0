"""Style of the rows of a page: what finds the same place on other pages of the same template."""

from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np
import numpy.typing as npt

from annotate.marks.page_text import page_text
from engine.nodes import NodeTable
from engine.tree import Bools, Floats, Ints, lock

MOSTLY = 0.8
"""From this share of links on a block is mostly links."""
_LIST = 3  # number of links that make a list
_BINS = 32


@dataclass(frozen=True, eq=False)
class PageStyle:
    """Features that match rows of a page; n rows, arrays are locked.

    Attributes:
        nodes: The page.
        kind: Of each row its name, id and classes, without those that hold digits.
        plain: The same without the id, which may be the page's own.
        text: int64 (n,). A number for the text below each row, the same on all pages; 0 for none.
        leaves: int32 (n,). Texts and pictures at or below each row.
        size: float32 (n,). Logarithm of the characters below.
        links: float32 (n,). Share of them in links, 0 to 1.
        controls: float32 (n,). Share of them in links and buttons, 0 to 1.
        anchors: int32 (n,). Links at or below each row that hold something to see.
        inward: int32 (n,). Those of them that lead to a place of the page itself.
        inside: float32 (n, 32). Content below, as counts of names, of length 1 or 0.
    """

    nodes: NodeTable
    kind: tuple[str, ...]
    plain: tuple[str, ...]
    text: npt.NDArray[np.int64]
    leaves: Ints
    size: Floats
    links: Floats
    controls: Floats
    anchors: Ints
    inward: Ints
    inside: Floats

    def __post_init__(self) -> None:
        for column in vars(self).values():
            if isinstance(column, np.ndarray):
                lock(column)

    def children(self, row: int) -> list[int]:
        """Return the children that hold something to see."""
        below = self.nodes.children(row)
        return [int(row) for row in below[self.leaves[below] > 0]]

    @property
    def content(self) -> Bools:
        """Rows that are texts with words, or pictures, bool (n,)."""
        return page_text(self.nodes).content


@lru_cache(maxsize=8)
def page_style(nodes: NodeTable) -> PageStyle:
    """Return what the rows of a page are matched by.  O(n)."""
    text = page_text(nodes)
    spans = text.spans
    texts = [text.text[start:stop] for start, stop in spans.tolist()]
    lengths = np.zeros(len(nodes))
    lengths[text.rows] = text.stops - text.starts
    length = nodes.subtree_sum(lengths)
    is_link = nodes.within("a")
    in_links = nodes.subtree_sum(lengths * is_link)
    in_controls = nodes.subtree_sum(lengths * (is_link | nodes.within("button")))
    leaves = nodes.subtree_sum(text.content).astype(np.int32)
    is_anchor = np.array([name == "a" for name in nodes.names])[nodes.tag] & (leaves > 0)
    plain = tuple(kind_of(nodes, row) for row in range(len(nodes)))
    is_inward = np.zeros(len(nodes), dtype=bool)
    for row in np.flatnonzero(is_anchor).tolist():
        is_inward[row] = nodes.attributes[row].get("href", "").startswith("#")
    return PageStyle(
        nodes,
        tuple(_with_id(nodes, row, kind) for row, kind in enumerate(plain)),
        plain,
        np.array([hash(each) if each else 0 for each in texts], dtype=np.int64),
        leaves,
        np.log1p(length).astype(np.float32),
        (in_links / np.maximum(length, 1.0)).astype(np.float32),
        (in_controls / np.maximum(length, 1.0)).astype(np.float32),
        nodes.subtree_sum(is_anchor).astype(np.int32),
        nodes.subtree_sum(is_inward).astype(np.int32),
        _inside(nodes),
    )


def _inside(nodes: NodeTable) -> Floats:
    """Count the names below each row in `_BINS` bins, as directions: how much is `size`'s."""
    bins = np.array([crc32(name.encode()) % _BINS for name in nodes.names])[nodes.tag]
    counts = np.stack([nodes.subtree_sum(bins == k) - (bins == k) for k in range(_BINS)], axis=1)
    lengths = np.linalg.norm(counts, axis=1, keepdims=True)
    return np.asarray(counts / np.maximum(lengths, 1.0), dtype=np.float32)


def kind_of(nodes: NodeTable, row: int) -> str:
    """Return a row's name and classes; a class with a digit belongs to one page and is left out."""
    name = nodes.name_of(row)
    if name in ("html", "body"):
        return name
    classes = sorted(set(nodes.attributes[row].get("class", "").split()))
    return " ".join([name, *(word for word in classes if not any(map(str.isdigit, word)))])


def _with_id(nodes: NodeTable, row: int, kind: str) -> str:
    own = nodes.attributes[row].get("id", "")
    return f"{kind} #{own}" if own and not any(map(str.isdigit, own)) else kind


def link_lists(page: PageStyle, *, is_inward: bool) -> Bools:
    """Return which rows are lists of links, bool (n,): three or more, and next to nothing else.

    Either those whose links lead to places of the page itself, as a table of contents, or others.
    """
    inward = page.inward >= MOSTLY * page.anchors
    kind = inward if is_inward else ~inward
    return np.asarray((page.links >= MOSTLY) & (page.anchors >= _LIST) & kind)
