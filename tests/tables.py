"""Rendered pages written down by hand: a `NodeTable` from a small nested description.

    table(("body", (0, 0, 1000, 800), [("p", (0, 0, 1000, 20), "words"), ("hr", (0, 20, 1000, 2))]))

A node is ``(tag, rect, *rest)``; in the rest a list holds children, a text is short for one text
child with the node's own rectangle, and a mapping holds attributes, of which ``css`` is a mapping
of computed properties (the inherited ones go on to the descendants).  A bare text in a list of
children is a text row with its parent's rectangle, ``("#text", rect, "words")`` one with its own.
``html`` is put around what is given.
"""

import html as html_module
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.nodes import STYLE_PROPERTIES, NodeTable
from engine.page import Page
from engine.source import Source
from engine.tree import BLOCK_TAGS

INITIAL = {
    "display": "inline", "position": "static", "float": "none", "visibility": "visible",
    "opacity": "1", "overflow-x": "visible", "overflow-y": "visible", "z-index": "auto",
    "color": "rgb(0, 0, 0)", "background-color": "rgba(0, 0, 0, 0)", "background-image": "none",
    "border-top-width": "0px", "border-right-width": "0px", "border-bottom-width": "0px",
    "border-left-width": "0px", "border-top-color": "rgb(0, 0, 0)", "font-family": "serif",
    "font-size": "16px", "font-weight": "400", "font-style": "normal", "line-height": "normal",
    "text-align": "start", "white-space": "normal", "content-visibility": "visible",
    "text-decoration-line": "none",
}  # fmt: skip
INHERITED = (
    "visibility", "color", "font-family", "font-size", "font-weight", "font-style",
    "line-height", "text-align", "white-space",
)  # fmt: skip
TABLE_PARTS = {
    "table": "table", "tbody": "table-row-group", "tr": "table-row", "td": "table-cell",
    "th": "table-cell",
}  # fmt: skip

VOID_TAGS = frozenset(["br", "frame", "hr", "img", "input"])

Rect = tuple[float, float, float, float]
Node = str | tuple[Any, ...]


class _Rows:
    """The columns while they grow."""

    def __init__(self) -> None:
        self.tag: list[str] = []
        self.parent: list[int] = []
        self.text: list[str] = []
        self.rect: list[Rect] = []
        self.style: list[dict[str, str]] = []
        self.attributes: list[Mapping[str, str]] = []
        self.frame: list[int] = []

    def add(self, node: Node, parent: int, frame: int = 0) -> None:
        if isinstance(node, str):
            self._put("#text", parent, node, self.rect[parent], dict(self.style[parent]), {}, frame)
            return
        tag, rect, *rest = node
        if tag == "#text":
            self._put("#text", parent, rest[0], rect, dict(self.style[parent]), {}, frame)
            return
        children: Sequence[Node] = ()
        attributes: dict[str, str] = {}
        style = dict(INITIAL)
        if parent >= 0:
            style |= {name: self.style[parent][name] for name in INHERITED}
        style["display"] = TABLE_PARTS.get(tag, "block" if tag in BLOCK_TAGS else "inline")
        for part in rest:
            if isinstance(part, str):
                children = (part,)
            elif isinstance(part, Mapping):
                style |= part.get("css", {})
                attributes = {name: value for name, value in part.items() if name != "css"}
            else:
                children = part
        row = self._put(tag, parent, "", rect, style, attributes, frame)
        inner = frame + 1 if tag == "iframe" else frame
        for child in children:
            self.add(child, row, inner)

    def _put(
        self,
        tag: str,
        parent: int,
        text: str,
        rect: Rect,
        style: dict[str, str],
        attributes: Mapping[str, str],
        frame: int,
    ) -> int:
        self.tag.append(tag)
        self.parent.append(parent)
        self.text.append(text)
        self.rect.append(rect)
        self.style.append(style)
        self.attributes.append(attributes)
        self.frame.append(frame)
        return len(self.tag) - 1


def table(*body: Node, size: tuple[int, int] = (1000, 800)) -> NodeTable:
    """Return the table of ``html`` around these nodes, ``size`` px wide and high."""
    rows = _Rows()
    rows.add(("html", (0, 0, *size), list(body)), -1)
    names = tuple(dict.fromkeys(rows.tag))
    styles = list(dict.fromkeys(tuple(s[p] for p in STYLE_PROPERTIES) for s in rows.style))
    rect = np.array(rows.rect, dtype=np.float32).reshape(-1, 4)
    n = len(rows.tag)
    visible = (rect[:, 2] > 0) & (rect[:, 3] > 0)
    for row, style in enumerate(rows.style):
        hidden = style["visibility"] != "visible" or style["display"] == "none"
        hidden = hidden or style["opacity"] == "0" or (rows.tag[row] == "#text"
                                                       and not rows.text[row].strip())  # fmt: skip
        visible[row] &= not hidden
    return NodeTable(
        names=names,
        tag=np.array([names.index(tag) for tag in rows.tag], dtype=np.int32),
        parent=np.array(rows.parent, dtype=np.int32),
        text=tuple(rows.text),
        rect=rect,
        offset=np.rint(rect[:, 2:]).astype(np.int32),
        visible=visible,
        style=np.array(
            [styles.index(tuple(s[p] for p in STYLE_PROPERTIES)) for s in rows.style],
            dtype=np.int32,
        ),
        styles=tuple(styles),
        attributes=tuple(rows.attributes),
        frame=np.array(rows.frame, dtype=np.int16),
        outer=np.full((n, 2), -1, dtype=np.int32),
        inner=np.full((n, 2), -1, dtype=np.int32),
        width=size[0],
        height=size[1],
    )


def rows_of(nodes: NodeTable, tag: str) -> list[int]:
    """Return the rows with this tag, in document order."""
    return np.flatnonzero(nodes.has_tag(tag)).tolist()


def page_of(nodes: NodeTable) -> Page:
    """Return a page of these rows, their HTML as its source and DOM; frames are no part of that."""
    outer, inner = np.full((2, len(nodes), 2), -1, dtype=np.int32)
    pieces: list[str] = []
    size = 0

    def write(piece: str) -> None:
        nonlocal size
        pieces.append(piece)
        size += len(piece)

    open_rows: list[int] = []

    def close(before: int) -> None:
        while open_rows and nodes.end[open_rows[-1]] <= before:
            row = open_rows.pop()
            inner[row, 1] = size
            if nodes.name_of(row) not in VOID_TAGS:
                write(f"</{nodes.name_of(row)}>")
            outer[row, 1] = size

    for row in np.flatnonzero(nodes.frame == 0).tolist():
        close(row)
        outer[row, 0] = size
        if nodes.is_text[row]:
            inner[row, 0] = size
            write(html_module.escape(nodes.text[row], quote=False))
            outer[row, 1] = inner[row, 1] = size
            continue
        given = (f' {name}="{value}"' for name, value in nodes.attributes[row].items())
        write(f"<{nodes.name_of(row)}{''.join(given)}>")
        inner[row, 0] = size
        open_rows.append(row)
    close(len(nodes))
    source = Source.from_text("".join(pieces))
    return Page(
        "about:blank",
        original=source,
        dom=source,
        nodes=replace(nodes, outer=outer, inner=inner),
        viewport=(nodes.width, nodes.height),
    )


def page_of_html(html: str) -> Page:
    """Return a page whose DOM is this HTML, every row 100 x 20 px and visible, for what reads text.

    The HTML must be as a browser serialises it: end tags there, ``&amp;`` for ``&``.
    """
    source = Source.from_text(html)
    tree = source.tree
    n = len(tree)
    initial = tuple(INITIAL[name] for name in STYLE_PROPERTIES)
    nodes = NodeTable(
        names=tree.names,
        tag=tree.tag,
        parent=tree.parent,
        text=tree.text,
        rect=np.tile(np.array([[0, 0, 100, 20]], dtype=np.float32), (n, 1)),
        offset=np.tile(np.array([[100, 20]], dtype=np.int32), (n, 1)),
        visible=np.ones(n, dtype=bool),
        style=np.zeros(n, dtype=np.int32),
        styles=(initial,),
        attributes=({},) * n,
        frame=np.zeros(n, dtype=np.int16),
        outer=tree.outer,
        inner=tree.inner,
        width=100,
        height=20,
    )
    return Page("about:blank", original=source, dom=source, nodes=nodes)
