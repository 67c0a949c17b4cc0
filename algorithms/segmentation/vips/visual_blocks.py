"""Visual block extraction: one pass over one block (section 4.1 of the report).

Departure: neighbouring texts of one parent that a division leaves over are one block.  The report
makes a block of each and joins them in its third stage, there being nothing between them.
"""

from collections.abc import Callable
from dataclasses import dataclass

from algorithms.segmentation.vips.layout import VipsLayout
from algorithms.segmentation.vips.rules import REASONS, NodeOnWalk, RuleAnswer, Verdict, decide

OnNode = Callable[[NodeOnWalk, RuleAnswer], None]
"""Called with the answer for each node."""


@dataclass(frozen=True)
class VisualBlock:
    """Rows that a pass found to belong together.

    Attributes:
        rows: One node, or neighbouring texts; ascending.
        doc: Degree of coherence, 1 (least) to 10.
        rule: Number of the rule that kept it, 0 where none was asked.
    """

    rows: tuple[int, ...]
    doc: int
    rule: int

    @property
    def reason(self) -> str:
        """Reason for the block, in words."""
        return f"{REASONS[self.rule]} (DoC {self.doc})"


def extract_blocks(
    layout: VipsLayout, block: VisualBlock, small: float, whole: float, notify: OnNode | None = None
) -> list[VisualBlock]:
    """Return the pool of visual blocks inside ``block``, in document order.

    ``small`` is the share of ``whole``, an area in px², below which a node is small.  A block
    that is a text, or several, has no parts: the pool is empty.  Visits a node once.
    """
    if len(block.rows) > 1:
        return []
    pool: list[VisualBlock] = []
    root = block.rows[0]
    # A stack of (node, is it kept apart with this DoC): no recursion, pages can be deep.
    waiting = [(root, 0)]
    extracted: set[int] = set()
    while waiting:
        row, apart = waiting.pop()
        if apart:
            if notify is not None:
                is_apart = RuleAnswer(Verdict.KEEP, 8, apart)
                notify(NodeOnWalk(row, False, False, small, whole), is_apart)
            pool.append(VisualBlock((row,), apart, 8))
            extracted.add(row)
            continue
        follows_block = layout.before[row] in extracted
        asked = NodeOnWalk(row, row == root, follows_block, small, whole)
        decision = decide(layout, asked)
        if notify is not None:
            notify(asked, decision)
        if decision.action is Verdict.DIVIDE:
            docs = dict(decision.apart)
            below = layout.children[row]
            waiting.extend((child, docs.get(child, 0)) for child in reversed(below))
        elif decision.action is Verdict.KEEP and row != root:
            extracted.add(row)
            pool.append(VisualBlock((row,), decision.doc, decision.rule))
    return join_texts(layout, pool)


def join_texts(layout: VipsLayout, pool: list[VisualBlock]) -> list[VisualBlock]:
    """Make one block of text nodes and virtual text nodes that are neighbours in the page."""
    joined: list[VisualBlock] = []
    for block in pool:
        last = joined[-1].rows[-1] if joined else -1
        row = block.rows[0]
        if joined and layout.before[row] == last and layout.is_words[[row, last]].all():
            doc = min(joined[-1].doc, block.doc)
            joined[-1] = VisualBlock((*joined[-1].rows, row), doc, joined[-1].rule)
        else:
            joined.append(block)
    return joined
