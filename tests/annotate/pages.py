"""Pages written as markup: rows as a browser would have them, every box 10 px high.

The markup must be well formed HTML that a browser does not mend (``html`` and ``body`` are put
around it).  An element with ``hidden`` is not visible, nor is what lies in it.
"""

import json
from dataclasses import replace
from html import escape

import numpy as np
from lxml import html as lxml_html

from annotate.marks import journal
from annotate.marks.anchor import Anchors
from annotate.marks.gold import Gold
from engine.nodes import STYLE_PROPERTIES, NodeTable
from engine.page import Page
from engine.source import Source

VOID = frozenset("br hr img input wbr".split())


def page_of(body: str, url: str = "https://example.org/") -> Page:
    """Return the page of this body: its nodes, and the DOM source they were written from."""
    root = lxml_html.document_fromstring(f"<html><body>{body}</body></html>")
    writer = _Writer()
    writer.element(root, -1, True)
    return Page(url=url, dom=Source.from_text("".join(writer.markup)), nodes=writer.table())


def nodes_of(body: str) -> NodeTable:
    """Return the nodes of this body."""
    return page_of(body).rendered()


def row_of(nodes: NodeTable, name: str) -> int:
    """Return the row of the element with this id, or the first with this tag."""
    for row, attributes in enumerate(nodes.attributes):
        if attributes.get("id") == name:
            return row
    return int(np.flatnonzero(nodes.has_tag(name))[0])


def text_row(nodes: NodeTable, words: str) -> int:
    """Return the first text row that contains these words."""
    return next(row for row, text in enumerate(nodes.text) if words in text)


def with_texts(nodes: NodeTable, texts: dict[str, str]) -> NodeTable:
    """Return the nodes with some texts replaced: such as no markup can say."""
    return replace(nodes, text=tuple(texts.get(text, text) for text in nodes.text))


class _Writer:
    def __init__(self) -> None:
        self.markup: list[str] = []
        self.length = 0
        self.tag: list[str] = []
        self.parent: list[int] = []
        self.text: list[str] = []
        self.visible: list[bool] = []
        self.attributes: list[dict[str, str]] = []
        self.outer: list[list[int]] = []
        self.inner: list[list[int]] = []

    def write(self, markup: str) -> None:
        self.markup.append(markup)
        self.length += len(markup)

    def element(self, element, parent, visible):
        tag, attributes = element.tag, dict(element.attrib)
        visible = visible and "hidden" not in attributes
        start = self.length
        row = self.row(tag, parent, "", visible, attributes)
        given = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
        self.write(f"<{tag}{given}>")
        inside = self.length
        self.string(element.text, row, visible)
        for child in element:
            self.element(child, row, visible)
            self.string(child.tail, row, visible)
        self.inner[row] = [inside, self.length]
        if tag not in VOID:
            self.write(f"</{tag}>")
        self.outer[row] = [start, self.length]

    def string(self, text, parent, visible):
        if not text:
            return
        start = self.length
        row = self.row("#text", parent, text, visible and bool(text.strip()), {})
        raw = self.tag[parent] in ("script", "style", "noscript")
        self.write(text if raw else escape(text, quote=False).replace("\xa0", "&nbsp;"))
        self.outer[row] = self.inner[row] = [start, self.length]

    def row(self, tag, parent, text, visible, attributes):
        self.tag.append(tag)
        self.parent.append(parent)
        self.text.append(text)
        self.visible.append(visible and tag not in ("script", "style", "noscript"))
        self.attributes.append(attributes)
        self.outer.append([-1, -1])
        self.inner.append([-1, -1])
        return len(self.tag) - 1

    def table(self) -> NodeTable:
        n = len(self.tag)
        names = tuple(dict.fromkeys(self.tag))
        rect = np.zeros((n, 4), dtype=np.float32)
        rect[:, 1] = np.arange(n) * 10
        rect[self.visible, 2:] = (100, 10)
        return NodeTable(
            names=names,
            tag=np.array([names.index(tag) for tag in self.tag], dtype=np.int32),
            parent=np.array(self.parent, dtype=np.int32),
            text=tuple(self.text),
            rect=rect,
            offset=rect[:, 2:].astype(np.int32),
            visible=np.array(self.visible),
            style=np.zeros(n, dtype=np.int32),
            styles=(("",) * len(STYLE_PROPERTIES),),
            attributes=tuple(self.attributes),
            frame=np.zeros(n, dtype=np.int16),
            outer=np.array(self.outer, dtype=np.int32),
            inner=np.array(self.inner, dtype=np.int32),
            width=1000,
            height=10 * n,
        )


def gold_at(workspace, key, number, nodes):
    """Return a page's gold after change ``number``, by the journal alone."""
    changes = [
        change
        for (change,) in workspace.store.all(
            "SELECT delta FROM changes WHERE page = ? ORDER BY revision", workspace.page_id(key)
        )
    ]
    anchors = Anchors(nodes)
    state = journal.states(changes[:number])[-1]
    return Gold(tuple(anchors.find(json.loads(text)) for text in state.values()))
