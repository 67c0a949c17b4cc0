"""The heuristic rules of VIPS: may this node be divided, and if not, how coherent is it?

Numbers are those of the report's table of rules; `RULES` says which hold for which kind of node,
in the order they are asked.

 1. Nothing in it can be seen: it is no block.
 2. Its only valid child is no text: divide.
 3. It is all there is of the block being divided: divide.
 4. All its children are text nodes or virtual text nodes: keep; DoC 10 if all their words are of
    one size and weight, else 9.
 5. A child breaks the line (is no inline node): divide.
 6. A child is an ``hr``: divide.
 7. Its children together are larger than it is: divide.
 8. A child has another background: divide, and keep that child whole in this round, DoC 6 to 8.
 9. A child is a text node or virtual text node, and the node is small: keep, DoC 5 to 8.
10. Its largest child is small: keep.
11. The sibling before it was kept: keep.
12. Divide.
13. Keep.

The report leaves open what *small* is and what DoC a tag and a size give.  Here small is one share
of the page, or of the block being divided, for all tags; the DoC of 10, 11 and 13 rises from 2 to
8 as the share of the page falls (`doc_by_size`), and that of 8 and 9 is the same, held between the
bounds the rule names.
"""

from dataclasses import dataclass
from enum import Enum

from algorithms.segmentation.vips.layout import VipsLayout

RULES: dict[str, tuple[int, ...]] = {
    "inline": (1, 2, 3, 4, 5, 6, 7, 9, 10, 12),
    "table": (1, 2, 3, 8, 10, 13),
    "tr": (1, 2, 3, 7, 8, 10, 13),
    "td": (1, 2, 3, 4, 9, 10, 11, 13),
    "p": (1, 2, 3, 4, 5, 6, 7, 9, 10, 12),
    "other": (1, 2, 3, 4, 6, 7, 9, 10, 12),
}

MERGED = 14
"""Number of no rule of the report: the node was merged from others (section 4.3)."""

REASONS = {
    0: "a text, or a picture, control or embedded object",
    4: "nothing but text in it",
    8: "its background differs from its parent's",
    9: "a small box with own text",
    10: "nothing large in it",
    11: "a cell beside one that is a block",
    13: "a part of a table",
    MERGED: "merged over light separators",
}
"""Why a block was kept, by rule; 0 for what no rule is asked about."""

DIVIDED = {
    1: "nothing in it is visible",
    2: "it has a single child",
    3: "it is all of the block being divided",
    5: "a child starts a new line",
    6: "a line across divides it",
    7: "its children together are larger than it is",
    8: "a child has another background and is kept whole",
    12: "no rule keeps it whole",
}
"""Why a node was divided, or left out, by rule."""

SLACK = 1.001
"""Boxes are measured in 1/64 px: sums of areas are compared with this much to spare."""


class Verdict(Enum):
    """Decision on a node."""

    DIVIDE = "divide"
    KEEP = "keep"
    CUT = "cut"


@dataclass(frozen=True)
class RuleAnswer:
    """Answer of a rule for a node.

    Attributes:
        action: Divide it into its children, keep it as a block, or leave it out.
        rule: The number of the rule; 0 where none is asked (texts, pictures).
        doc: Degree of coherence of a kept node, 1 to 10; 0 else.
        apart: Children a divided node keeps whole in this round (rule 8), with their DoC.
    """

    action: Verdict
    rule: int
    doc: int = 0
    apart: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class NodeOnWalk:
    """Node and state of the walk.

    Attributes:
        row: The node.
        is_root: Whether it is all there is of the block being divided.
        follows_block: Whether the valid sibling before it was kept as a block.
        small: Share of `whole` below which a node is small.
        whole: Area in px² of the block being divided: the page in the first round, then the block.
    """

    row: int
    is_root: bool
    follows_block: bool
    small: float
    whole: float


def decide(layout: VipsLayout, asked: NodeOnWalk) -> RuleAnswer:
    """Ask the rules for this kind of node one after the other; the first with an answer has it."""
    row, nodes = asked.row, layout.nodes
    if nodes.is_text[row] or layout.is_showing[row]:
        return RuleAnswer(Verdict.KEEP, 0, 10)
    children, small = layout.children[row], asked.small * asked.whole
    for rule in RULES[kind_of(layout, row)]:
        match rule:
            case 1 if not children:
                return RuleAnswer(Verdict.CUT, 1)
            case 2 if len(children) == 1 and not nodes.is_text[children[0]]:
                return RuleAnswer(Verdict.DIVIDE, 2)
            case 3 if asked.is_root:
                return RuleAnswer(Verdict.DIVIDE, 3)
            case 4 if all(layout.is_words[child] for child in children):
                return RuleAnswer(Verdict.KEEP, 4, 10 if len(layout.fonts_below(row)) <= 1 else 9)
            case 5 if not all(nodes.is_text[c] or layout.is_inline[c] for c in children):
                return RuleAnswer(Verdict.DIVIDE, 5)
            case 6 if "hr" in (nodes.name_of(child) for child in children):
                return RuleAnswer(Verdict.DIVIDE, 6)
            case 7 if nodes.area[children].sum() > SLACK * nodes.area[row]:
                return RuleAnswer(Verdict.DIVIDE, 7)
            case 8:
                apart = [c for c in children if layout.background[c] != layout.background[row]]
                docs = tuple((c, min(8, max(6, doc_by_size(layout, c)))) for c in apart)
                if docs:
                    return RuleAnswer(Verdict.DIVIDE, 8, apart=docs)
            case 9 if layout.areas[row] < small and any(layout.is_words[c] for c in children):
                return RuleAnswer(Verdict.KEEP, 9, max(5, doc_by_size(layout, row)))
            case 10 if layout.areas[children].max() < small:
                return RuleAnswer(Verdict.KEEP, 10, doc_by_size(layout, row))
            case 11 if asked.follows_block:
                return RuleAnswer(Verdict.KEEP, 11, doc_by_size(layout, row))
            case 12:
                return RuleAnswer(Verdict.DIVIDE, 12)
            case 13:
                return RuleAnswer(Verdict.KEEP, 13, doc_by_size(layout, row))
    raise AssertionError("rules 12 and 13 always answer")


def kind_of(layout: VipsLayout, row: int) -> str:
    """Return which line of `RULES` a node belongs to."""
    if layout.is_inline[row]:
        return "inline"
    name = layout.nodes.name_of(row)
    if name == "th":
        return "td"
    return name if name in RULES else "other"


def doc_by_size(layout: VipsLayout, row: int) -> int:
    """Return the DoC of a node of this size, 2 (most of the page) to 8 (under 1/64 of it).

    One step for each halving; text of its own makes a node one step more coherent, since the
    words belong together whatever their size.
    """
    share = float(layout.areas[row]) / layout.page_area
    steps = sum(share < 0.5**k for k in range(1, 7))
    words = any(layout.is_words[child] for child in layout.children[row])
    return min(8, 2 + steps + words)
