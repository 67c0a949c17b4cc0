"""Blocks as Kreuzer's data sets have them: marks in a copy of each page's DOM.

``X.html.orig`` is the page as received, ``X.dom.html`` its DOM, ``X.blocks.html`` the DOM with
``data-block`` (the level) and ``data-block-type`` on each block; neighbours that are one block are
wrapped in a ``div`` of their own with nothing but these two.  Main content, parts of texts and
blocks in frames have no place there; they are named.  No byte of Pagelet's own is in any of them.
"""

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from algorithms.levels import LEVELS
from annotate.marks.gold import Mark
from annotate.plugins.exchange.marked_page import MarkedPage, write_file
from engine.nodes import NodeTable

_TYPES = {"Link list": "LinkList", "Search bar": "Searchbar"}
"""Types as the data sets spell them, where that is not as Pagelet does."""


def write(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write three files a page, and ``mapping.txt`` over all."""
    written, mapping = [], []
    for page in pages:
        folder = out / page.stem
        html = page.page.source("dom").html
        marked, _ = marked_html(page)
        original = page.document.receive().data
        for ending, data in (
            ("html.orig", original),
            ("html", original),
            ("dom.html", html.encode()),
            ("blocks.html", marked.encode()),
        ):
            written.append(write_file(folder / f"index.{ending}", data))
        mapping.append(f'"{page.page.url}" : "/opt/dataset-export/{page.stem}/index.html",\n')
    return [*written, write_file(out / "mapping.txt", "".join(mapping).encode())]


def marked_html(page: MarkedPage) -> tuple[str, tuple[str, ...]]:
    """Return the DOM with its blocks marked, and a sentence for each block that has no place."""
    nodes, html = page.page.rendered(), page.page.source("dom").html
    inserts: list[tuple[int, int, str]] = []
    problems = []
    carrying: set[int] = set()
    for level in LEVELS:
        for mark in page.gold.of_level(level):
            rows = [target.row for target in mark.targets]
            if not rows:
                continue  # not found on the page; reported for marks of any kind
            why = _why_not(nodes, mark)
            if len(rows) == 1 and rows[0] in carrying:
                why = why or "is the element of another block, and an element carries one"
            if why:
                problems.append(f"{mark.type or 'a block'} on level {level} {why}")
                continue
            marks = f' data-block="{level}"'
            if mark.type:
                kind = _TYPES.get(mark.type, mark.type)
                marks += f' data-block-type="{escape(kind, quote=True)}"'
            start = int(nodes.outer[rows[0], 0])
            if len(rows) == 1:
                carrying.add(rows[0])
                inserts.append((start + 1 + len(nodes.name_of(rows[0])), 1, marks))
            else:
                inserts.append((start, 2, f"<div{marks}>"))
                inserts.append((int(nodes.outer[rows[-1], 1]), 0, "</div>"))
    # From the end, so that offsets stay valid; at one offset ends come before starts.
    for at, _, piece in sorted(inserts, key=lambda each: (each[0], each[1]), reverse=True):
        html = html[:at] + piece + html[at:]
    return html, tuple(problems)


_HOLDS_NO_DIV = frozenset(
    ("p", "table", "thead", "tbody", "tfoot", "tr", "colgroup", "select", "optgroup")
)
"""Elements in which parsers of HTML end or move a ``div``."""


def _why_not(nodes: NodeTable, mark: Mark) -> str:
    rows = [target.row for target in mark.targets]
    if any(not target.is_whole for target in mark.targets):
        return "is a part of a text, which no element is"
    if any(nodes.outer[row, 0] < 0 for row in rows):
        return "lies in a frame, which the page's HTML does not hold"
    if len(rows) == 1 and nodes.is_text[rows[0]]:
        return "is a text, which can carry no attribute"
    parents = {int(nodes.parent[row]) for row in rows}
    siblings = nodes.children(parents.pop()).tolist() if len(parents) == 1 else []
    if len(rows) > 1 and (not siblings or not _adjoin(siblings, rows)):
        return "is made of nodes that do not stand side by side"
    if len(rows) > 1 and not _HOLDS_NO_DIV.isdisjoint(_around(nodes, rows[0])):
        return "is made of nodes in a paragraph, table or list of choices, which no div may group"
    return ""


def _around(nodes: NodeTable, row: int) -> Iterator[str]:
    """Yield the name of the element around a node, and "p" if a paragraph is further out."""
    parent = int(nodes.parent[row])
    yield nodes.name_of(parent)
    while parent >= 0:
        if nodes.name_of(parent) == "p":
            yield "p"
        parent = int(nodes.parent[parent])


def _adjoin(siblings: list[int], rows: list[int]) -> bool:
    if not set(rows) <= set(siblings):
        return False
    positions = sorted(siblings.index(row) for row in rows)
    return positions == list(range(positions[0], positions[0] + len(positions)))
