"""Page style: the blocks a page itself declares, by HTML5's sections and ARIA's landmarks.

Source: T. Gottron, *Content Extraction*, Mainz 2008, section 8.4, asks for pages that declare their
parts themselves; the HTML standard (sections and ``main``) and WAI-ARIA 1.2 (landmark roles) gave
them the means.  A ``role`` wins over the tag's own meaning, and a role that is no landmark takes
the meaning away.  Level 1 has blocks in no other declared block, level 2 those in one of level 1
only.  Blocks with nothing to see in them are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from algorithms.levels import LEVELS
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Segmentation
from algorithms.signals.traversal import IS_BLOCK
from algorithms.trace import Rule, Trace, row_spans, step
from engine import geometry
from engine.nodes import NodeTable
from engine.page import Page
from engine.tree import Bools, Ints

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
    articles: bool = param(True, "take an article as a block, not only the landmarks around it")


def segment(page: Page, params: PageStyleParams) -> Segmentation:
    """Return the declared blocks; none if the page declares none.  O(n)."""
    nodes = page.rendered()
    return Segmentation(nodes, tuple(find_blocks(nodes, params)))


def find_blocks(nodes: NodeTable, params: PageStyleParams) -> list[Block]:
    """Return the declared blocks in document order."""
    return [
        Block((row,), LEVELS[inside], kind, f"declared by {means}")
        for row, inside, kind, means in _declared(nodes, params)
        if inside < len(LEVELS)
    ]


def _asked(nodes: NodeTable) -> Ints:
    """Return the rows that may declare something, ascending."""
    has_role = np.array(["role" in attributes for attributes in nodes.attributes], dtype=bool)
    return np.flatnonzero(has_role | nodes.has_tag(*TAGS)).astype(np.int32)


def _seen(nodes: NodeTable) -> Bools:
    return np.asarray(geometry.areas(geometry.visual_rects(nodes)) > 0, dtype=bool)


def _declared(nodes: NodeTable, params: PageStyleParams) -> Iterator[tuple[int, int, str, str]]:
    """Yield the rows that declare a block: number of others around them, type, and means."""
    seen = _seen(nodes)
    around: list[int] = []  # rows of the declared blocks the walk is in
    for row in _asked(nodes).tolist():
        while around and row >= nodes.end[around[-1]]:
            around.pop()
        result = declaration(nodes, row) if seen[row] else None
        if result is None or not _is_taken(result, params):
            continue
        yield row, len(around), *result
        around.append(row)


def _is_taken(result: tuple[str, str], params: PageStyleParams) -> bool:
    return params.articles or result[0] != "Article"


def declaration(nodes: NodeTable, row: int) -> tuple[str, str] | None:
    """Return the type an element declares and its declaration, or None."""
    roles = nodes.attributes[row].get("role", "").lower().split()
    if roles:
        kind = ROLES.get(roles[0])
        return (kind, f'role="{roles[0]}"') if kind else None
    name = nodes.name_of(row)
    kind = TAGS.get(name)
    return (kind, f"<{name}>") if kind else None


_DECLARES = Rule(
    "what it declares itself to be", parameters=("articles",), verbs=IS_BLOCK, is_in_note=True
)
_INSIDE = Rule(
    "declared blocks around it", "<", verbs=IS_BLOCK, measured="inside {} declared block(s)"
)
_SEEN = Rule(
    "visible content", verbs=IS_BLOCK,
    says=("something in it is visible", "nothing in it is visible"),
)  # fmt: skip


def trace(page: Page, params: PageStyleParams) -> Trace:
    """Return the declaration of each element with a role or a meaningful name, and its place."""
    nodes = page.rendered()
    asked, seen = _asked(nodes), _seen(nodes)
    result = [declaration(nodes, row) for row in asked.tolist()]
    taken = np.array([each is not None and _is_taken(each, params) for each in result], dtype=bool)
    notes = tuple(
        _in_words(nodes, row, each, params) for row, each in zip(asked, result, strict=True)
    )
    declared = list(_declared(nodes, params))
    rows = np.array([row for row, *_ in declared], dtype=np.int32)
    inside = np.array([count for _, count, *_ in declared], dtype=np.float64)
    unseen = asked[taken & ~seen[asked]]
    steps = (
        step(_DECLARES, row_spans(asked), taken, notes=notes),
        step(_INSIDE, row_spans(rows), inside < len(LEVELS), inside, len(LEVELS)),
        step(_SEEN, row_spans(unseen), np.full(unseen.size, False)),
    )
    return Trace(tuple(each for each in steps if len(each)), len(nodes))


def _in_words(
    nodes: NodeTable, row: int, result: tuple[str, str] | None, params: PageStyleParams
) -> str:
    if result is None:
        role = nodes.attributes[row].get("role", "").split()
        return f'role="{role[0].lower()}" is not a landmark' if role else "it declares no landmark"
    text = f"declared as {result[0]} by {result[1]}"
    return text if _is_taken(result, params) else f"{text}; articles are switched off"


METHOD = Method(
    "page-style",
    "Page style",
    PageStyleParams,
    "segmentation",
    cite="Gottron 2008, section 8.4; HTML5, WAI-ARIA",
    on_page=segment,
    trace_page=trace,
    summary="Takes the blocks the page declares itself: main, article, nav, header, landmarks.",
)
