"""APC: the parts that Chromium's Annotated Page Content makes of a page.

Source: Chromium, ``third_party/blink/renderer/modules/content_extraction`` (readme.md and
ai_page_content_agent.cc, 2025-26): the tree of content nodes that the browser hands to language
models.  It is made for completeness, not for segmentation, and nobody has scored it as one; here it
is a baseline.  What is rendered becomes a node if it is of a kind (text, image, link, table, row,
cell, form, control, dialog, heading, paragraph, list, list item, frame), or a *container*: an
element with a section's tag or landmark role (header, nav, search, main, article, section, aside,
footer), ``figure``, and what is fixed, sticky or scrolls.  All other elements are passed through:
their contents belong to the node around.

Blocks are those nodes that group others (`kinds`): level 1 the outermost, level 2 those that lie in
one of level 1 only.

Departures:

- Chromium walks the layout tree, this module the rendered nodes: what ``display: none`` hides has
  no layout, ``visibility`` and boxes without area are as `NodeTable.visible` has them, and
  boxes that exist in layout alone (anonymous table parts) have no node.
- It is the default mode, not the one for actions, which also makes containers of what listens to
  clicks, which no rendered page keeps.  What lies in the top layer, labels of controls, what is
  marked as paid, and what has the focus or a selection are left out for the same reason.
- An element scrolls if its computed ``overflow`` is ``auto`` or ``scroll``; what is in a ``dialog``
  or has its role is a dialog whether it is open or not, if it is seen.
- Embedded objects and list markers are left out as there, and so are nodes in which nothing is
  seen; Chromium keeps some of these.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.levels import LEVELS
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Segmentation
from algorithms.signals.traversal import IS_BLOCK, end_of_way
from algorithms.signals.visible import VisibleColumns
from algorithms.trace import Rule, Trace
from engine.nodes import NodeTable
from engine.page import Page

_ROLES = {
    "banner": "header", "navigation": "nav", "search": "search", "main": "main",
    "article": "article", "region": "section", "complementary": "aside", "contentinfo": "footer",
}  # fmt: skip
_TYPES = {
    "header": "Header", "nav": "Menu", "search": "Search bar", "main": "Content",
    "article": "Article", "aside": "Sidebar", "footer": "Footer", "table": "Table",
}  # fmt: skip
_KIND_OF_TAG = {
    **dict.fromkeys(("button", "fieldset", "input", "output", "select", "textarea"), "control"),
    **{f"h{rank}": "heading" for rank in range(1, 7)},
    **dict.fromkeys(("li", "dt", "dd"), "item"),
    "iframe": "frame", "img": "image", "svg": "image", "canvas": "image", "video": "video",
    "a": "link", "form": "form", "dialog": "dialog", "p": "paragraph", "ol": "list", "ul": "list",
    "dl": "list",
}  # fmt: skip
_KIND_OF_DISPLAY = {
    "table": "table", "inline-table": "table", "table-row": "row", "table-cell": "cell",
}  # fmt: skip
_FIRST = frozenset(["frame", "image", "video", "link"])
"""Kinds by tag that are asked for before the display."""

_GROUPS = frozenset(["container", "table", "list", "form", "dialog", "frame"])
_CELLS = _GROUPS | {"cell"}
_ALL = _CELLS | {"row", "item", "paragraph", "heading", "link", "control", "image", "video"}
KINDS = {"groups": _GROUPS, "groups and cells": _CELLS, "all": _ALL}


@dataclass(frozen=True)
class ApcParams(Params):
    kinds: str = param(
        "groups",
        "which nodes are blocks: containers, tables, lists, forms and frames, cells too, or all",
        choices=tuple(KINDS),
    )


def segment(page: Page, params: ApcParams) -> Segmentation:
    """Return the outermost two levels of content nodes.  O(n)."""
    nodes = page.rendered()
    return Segmentation(nodes, tuple(find_blocks(nodes, params)))


def find_blocks(nodes: NodeTable, params: ApcParams) -> list[Block]:
    """Return the blocks in document order."""
    chosen = KINDS[params.kinds]
    blocks: list[Block] = []
    around: list[int] = []  # ends of the blocks around the row
    for row, kind, name in content_nodes(nodes):
        if kind not in chosen:
            continue
        while around and around[-1] <= row:
            around.pop()
        inside = len(around)
        around.append(int(nodes.end[row]))
        if inside < len(LEVELS):
            reason = f"a content node of its own: {kind}{f' ({name})' if name else ''}"
            blocks.append(Block((row,), LEVELS[inside], _TYPES.get(name or kind, ""), reason))
    return blocks


def content_nodes(nodes: NodeTable) -> list[tuple[int, str, str]]:
    """Return row, kind, and of containers the role or sign, of all nodes but texts, in order."""
    if not len(nodes):
        return []
    hidden = nodes.below(nodes.computed("display") == "none")
    opaque = nodes.below(nodes.has_tag("object", "embed"))  # with their descendants
    shows = VisibleColumns(nodes).shows & ~hidden & ~opaque & ~nodes.is_text
    display = nodes.computed("display")
    place = nodes.computed("position")
    lifted = (place == "fixed") | (place == "sticky")
    scrolls = np.isin(nodes.computed("overflow-x"), ("auto", "scroll"))
    scrolls |= np.isin(nodes.computed("overflow-y"), ("auto", "scroll"))
    sealed = 0  # the end of an image, whose inside is no content
    result = []
    for row in np.flatnonzero(shows).tolist():
        if row < sealed:
            continue
        tag = nodes.name_of(row)
        name = _role_of(nodes, row)
        kind = _kind(tag, str(display[row]), nodes.attributes[row].get("role", ""))
        if not kind and tag not in ("html", "body"):
            signs = {"figure": tag == "figure", "fixed": lifted[row], "scrolls": scrolls[row]}
            name = name or next((sign for sign, holds in signs.items() if holds), "")
            kind = "container" if name else ""
        if kind:
            result.append((row, kind, name))
        if kind == "image":
            sealed = int(nodes.end[row])
    return result


def _kind(tag: str, display: str, role: str) -> str:
    own = _KIND_OF_TAG.get(tag, "")
    if own in _FIRST:
        return own
    if role in ("dialog", "alertdialog") and not own:
        own = "dialog"
    return _KIND_OF_DISPLAY.get(display, "") or own


def _role_of(nodes: NodeTable, row: int) -> str:
    tag = nodes.name_of(row)
    roles = nodes.attributes[row].get("role", "").lower().split()
    return tag if tag in _ROLES.values() else _ROLES.get(roles[0], "") if roles else ""


def trace(page: Page, params: ApcParams) -> Trace:
    """Return the reason that makes each block a content node."""
    nodes = page.rendered()
    return Trace(end_of_way(_STANDS, find_blocks(nodes, params)), len(nodes))


_STANDS = Rule("content node", parameters=("kinds",), verbs=IS_BLOCK, is_in_note=True)

METHOD = Method(
    "apc",
    "Annotated Page Content",
    ApcParams,
    "segmentation",
    cite="Chromium, blink/renderer/modules/content_extraction",
    on_page=segment,
    trace_page=trace,
    summary="Takes the outermost nodes that group others in the tree Chromium makes for models.",
)
