"""Words for an element: its box, font and role, and what each method says of it."""

from collections.abc import Iterable

import numpy as np

from algorithms.results import Extraction, Result, Segmentation
from engine.nodes import NodeTable
from engine.page import Page
from gui.state.describe import letter_counts

_ROLES = {
    "main": "main", "nav": "navigation", "aside": "complementary", "article": "article",
    "header": "banner", "footer": "contentinfo", "form": "form", "a": "link", "button": "button",
    "img": "image", "ul": "list", "ol": "list", "li": "listitem", "table": "table", "tr": "row",
    "td": "cell", "th": "columnheader", "p": "paragraph", "figure": "figure",
    "blockquote": "blockquote", "pre": "code", "iframe": "document", "dialog": "dialog",
    **{f"h{level}": f"heading {level}" for level in range(1, 7)},
}  # fmt: skip
"""Roles that browsers give elements without one (HTML-AAM)."""

_INSIDE = frozenset(["article", "aside", "main", "nav", "section"])
"""A header or footer in one of these has no role."""


def path_to(nodes: NodeTable, row: int) -> list[int]:
    """Return the elements around a row, the outermost first, and the row itself."""
    result = []
    while row >= 0:
        result.append(row)
        row = int(nodes.parent[row])
    return result[::-1]


def role_of(nodes: NodeTable, row: int) -> str:
    """Return the ARIA role of an element, stated or of its name; "" for none."""
    if stated := nodes.attributes[row].get("role", "").split():
        return stated[0].lower()
    name = nodes.name_of(row)
    if name in ("header", "footer"):
        around = {nodes.name_of(each) for each in path_to(nodes, int(nodes.parent[row]))}
        if around & _INSIDE:
            return ""
    if name == "a" and "href" not in nodes.attributes[row]:
        return ""
    return _ROLES.get(name, "")


def facts_of(nodes: NodeTable, row: int) -> str:
    """Return box (CSS px), font and role of an element in one line."""
    x, y, width, height = nodes.rect[row].tolist()
    family = nodes.computed("font-family")[row].split(",")[0].strip(" \"'")
    font = f"{family} {nodes.pixels('font-size')[row]:g} px"
    weight = str(nodes.computed("font-weight")[row])
    if weight.isdigit() and int(weight) >= 600:
        font += " bold"
    role = role_of(nodes, row)
    box = f"{width:.0f} × {height:.0f} px at {x:.0f}, {y:.0f}"
    return " · ".join(filter(None, (box, font, f"role {role}" if role else "")))


def what_a_method_does(page: Page, row: int, result: Result) -> str:
    """Return what a result does with an element: the text it keeps, or the block it is in."""
    if isinstance(result, Extraction):
        return _kept(page, row, result)
    if isinstance(result, Segmentation):
        return _block(row, result)
    return ""


def _kept(page: Page, row: int, result: Extraction) -> str:
    nodes = page.rendered()
    below = np.arange(row, int(nodes.end[row]))
    texts: list[int] = below[nodes.has_words[below] & nodes.visible[below]].tolist()
    there = sum(len(nodes.text[r].strip()) for r in texts)
    if not there:
        return "No text"
    kept = float(letter_counts(page, result)[texts].sum())
    share = min(kept / there, 1.0)
    if share < 0.005:
        return "Dropped"
    return "Kept" if share > 0.97 else f"{share:.0%} kept"


def _block(row: int, result: Segmentation) -> str:
    nodes = result.nodes
    inside = [
        (int(nodes.end[r]) - r, block)
        for block in result.blocks
        for r in block.rows
        if nodes.is_inside(row, r)
    ]
    if not inside:
        count = sum(any(row < r < nodes.end[row] for r in each.rows) for each in result.blocks)
        return f"{count} {'block' if count == 1 else 'blocks'} inside" if count else "In no block"
    _, block = min(inside, key=lambda each: each[0])
    verb = "A" if row in block.rows else "In a"
    return f"{verb} level-{block.level} block{f', {block.type}' if block.type else ''}"


def all_methods(page: Page, row: int, results: Iterable[tuple[str, Result]]) -> str:
    """Return what each of some results does with an element in one line, those alike together."""
    alike: dict[str, list[str]] = {}
    for name, result in results:
        if words := what_a_method_does(page, row, result):
            alike.setdefault(words, []).append(name)
    return " · ".join(f"{words}: {', '.join(names)}" for words, names in alike.items())
