"""What one gesture does to the gold: several edits of `annotate.marks.edits` as pure functions."""

from collections.abc import Sequence

from annotate.marks import edits
from annotate.marks.drafts import give_way
from annotate.marks.gold import Gold, Target
from engine.nodes import NodeTable
from engine.word_units import word_around
from gui.page.overlay import hit


def extended(
    gold: Gold, nodes: NodeTable, joined: Sequence[str], targets: Sequence[Target], level: int
) -> Gold:
    """Join nodes to blocks, one after the other."""
    for target in targets:
        gold = edits.extend(gold, nodes, joined, target, level)
        joined = [i for i in joined if gold.find(i)] or [gold.marks[-1].id]
    return gold


def resized(gold: Gold, nodes: NodeTable, mark_id: str, way: str) -> Gold:
    """Move a block of one element to its ``parent`` or first ``child``; drafts there give way."""
    mark = gold.find(mark_id)
    if mark is None:
        return gold
    there = (Target(hit.step(nodes, mark.targets[0].row, way)),)
    return give_way(edits.set_targets(gold, nodes, mark_id, there), nodes, mark_id)


def toggle_text(gold: Gold, nodes: NodeTable, targets: Sequence[Target]) -> Gold:
    """Add a dragged text, or take it away where all of it is main content already."""
    if all(edits.is_main(gold, nodes, target) for target in targets):
        return edits.remove_main(gold, nodes, targets)
    return edits.add_main(gold, nodes, targets)


def word_start(text: str, position: int) -> int:
    """Return where the word around ``position`` starts: half a word is a slip of the hand."""
    return word_around(text, position)[0]


def word_end(text: str, position: int) -> int:
    """Return where the word that ends around ``position`` really ends."""
    return word_around(text, position)[1]
