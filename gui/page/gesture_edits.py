"""Edits of one gesture, as pure functions on `annotate.marks.edits`; suggested types."""

from collections.abc import Collection, Sequence
from functools import lru_cache

from algorithms.levels import Level
from algorithms.signals.block_types import Typist
from algorithms.signals.visible import VisibleColumns
from annotate.marks import edits
from annotate.marks.drafts import give_way
from annotate.marks.gold import Gold, Guess, Target
from annotate.marks.similar import AS_ALIKE, similar_types
from engine.nodes import NodeTable
from engine.version import pagelet_version
from engine.words import plural
from gui.page.overlay import hit


def extend_blocks(
    gold: Gold, nodes: NodeTable, joined: Sequence[str], targets: Sequence[Target], level: Level
) -> Gold:
    """Join nodes to blocks one by one, with what stands between; drafts there give way."""
    for target in targets:
        gold = edits.extend(gold, nodes, joined, target, level)
        joined = [i for i in joined if gold.find(i)]
        gold = give_way(gold, nodes, joined[0])
    return gold


def extension_words(before: Gold, after: Gold, nodes: NodeTable, joined: Sequence[str]) -> str:
    """Return which other confirmed blocks an extended block took in or now holds; "" for none."""
    known = {m.id for i in joined if before.find(i) for m in edits.blocks_within(before, nodes, i)}
    gone = [m for m in before.sure.marks if m.id not in joined and not after.find(m.id)]
    made = next(i for i in joined if after.find(i))
    within = [m for m in edits.blocks_within(after, nodes, made) if m.id not in known]
    taken = f"{plural(len(gone), 'block')} became part of it" if gone else ""
    held = f"{plural(len(within), 'block')} of its level inside it" if within else ""
    return "; ".join(filter(None, (taken, held)))


def resize_block(gold: Gold, nodes: NodeTable, mark_id: str, way: str) -> Gold:
    """Move a block of one element to its ``parent`` or first ``child``; drafts there give way."""
    mark = gold.find(mark_id)
    if mark is None:
        return gold
    return reshape_block(
        gold, nodes, [mark_id], [Target(hit.step(nodes, mark.targets[0].row, way))]
    )


def reshape_block(
    gold: Gold, nodes: NodeTable, ids: Sequence[str], targets: Sequence[Target]
) -> Gold:
    """Move the first of some blocks to other nodes; drafts there give way."""
    return give_way(edits.set_targets(gold, nodes, ids[0], targets), nodes, ids[0])


def toggle_text(gold: Gold, nodes: NodeTable, targets: Sequence[Target]) -> Gold:
    """Add a dragged text, or take it away where all of it is main content already."""
    if all(edits.is_main(gold, nodes, target) for target in targets):
        return edits.remove_main(gold, nodes, targets)
    return edits.add_main(gold, nodes, targets)


SUGGESTS_TYPES = "suggests types"
"""The workspace's setting: whether blocks marked without a type get a suggested one."""


def suggest_types(gold: Gold, nodes: NodeTable, ids: Collection[str]) -> Gold:
    """Return the gold with types suggested for these blocks, where there is evidence for one.

    The annotator's type of a similar block takes precedence over its look.
    """
    typist, known = _typist(nodes), similar_types(gold, nodes)

    def guess(row: int, level: Level) -> Guess | None:
        name, why = known(row, level), AS_ALIKE
        if not name:
            name, why = typist.suggest(row, level)
        return Guess(name, why, pagelet_version()) if name else None

    return edits.guess_types(gold, nodes, ids, guess)


@lru_cache(maxsize=1)
def _typist(nodes: NodeTable) -> Typist:
    return Typist(VisibleColumns(nodes))
