"""Page style: the blocks a page itself declares, by HTML5's sections and ARIA's landmarks.

Source: T. Gottron, *Content Extraction*, Mainz 2008, section 8.4, asks for pages that say
themselves what is what; the HTML standard (sections and ``main``) and WAI-ARIA 1.2 (landmark
roles) gave them the means.  A ``role`` wins over the tag's own meaning, and a role that is no
landmark takes the meaning away.  Level 1 is what lies in no other declared block, level 2 what
lies in one of level 1 only.  Blocks with nothing to see in them are left out.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Segmentation
from engine import geometry
from engine.nodes import NodeTable
from engine.page import Page

TAGS = {
    "main": "Content", "article": "Article", "nav": "Menu", "aside": "Sidebar",
    "header": "Header", "footer": "Footer", "search": "Search bar",
}  # fmt: skip
ROLES = {
    "main": "Content", "article": "Article", "navigation": "Menu", "complementary": "Sidebar",
    "banner": "Header", "contentinfo": "Footer", "search": "Search bar",
}  # fmt: skip


@dataclass(frozen=True)
class PageStyleParams(Params):
    """Parameters of the page's own declaration."""

    articles: bool = param(True, "take an article as a block, not only the landmarks around it")


def segment(page: Page, params: PageStyleParams) -> Segmentation:
    """Return the declared blocks; none if the page declares none.  O(n)."""
    nodes = page.rendered()
    return Segmentation(nodes, tuple(find_blocks(nodes, params)))


def find_blocks(nodes: NodeTable, params: PageStyleParams) -> list[Block]:
    """Return the declared blocks in document order."""
    seen = geometry.areas(geometry.visual_rects(nodes)) > 0
    has_role = np.array(["role" in found for found in nodes.attributes], dtype=bool)
    blocks = []
    around: list[int] = []  # rows of the declared blocks the walk is in
    for row in np.flatnonzero(seen & (has_role | nodes.has_tag(*TAGS))).tolist():
        while around and row >= nodes.end[around[-1]]:
            around.pop()
        found = declaration(nodes, row)
        if found is None or (found[0] == "Article" and not params.articles):
            continue
        if len(around) < 2:
            blocks.append(Block((row,), len(around) + 1, found[0], f"declared by {found[1]}"))
        around.append(row)
    return blocks


def declaration(nodes: NodeTable, row: int) -> tuple[str, str] | None:
    """Return the type an element declares and what it says it with, or None."""
    roles = nodes.attributes[row].get("role", "").lower().split()
    if roles:
        kind = ROLES.get(roles[0])
        return (kind, f'role="{roles[0]}"') if kind else None
    name = nodes.name_of(row)
    kind = TAGS.get(name)
    return (kind, f"<{name}>") if kind else None


METHOD = Method(
    "page-style",
    "Page style",
    PageStyleParams,
    "segmentation",
    cite="Gottron 2008, section 8.4; HTML5, WAI-ARIA",
    on_page=segment,
    summary="Takes the blocks the page declares itself: main, article, nav, header, landmarks.",
)
