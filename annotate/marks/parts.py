"""The parts of a level-1 block as drafts of level 2, coarser or finer."""

from algorithms.segmentation.terrain import TerrainParams, parts_of
from annotate.marks import edits
from annotate.marks.drafts import DraftScope, adopt_blocks, drafts_in, seed_of
from annotate.marks.fit import blocks_around
from annotate.marks.gold import Gold, Mark
from engine.errors import InputError
from engine.nodes import NodeTable

DEEPEST = 6
"""So many times at most a block is opened."""


def around(gold: Gold, nodes: NodeTable, mark_id: str) -> Mark | None:
    """Return a level-1 block itself, or for any other mark the smallest level-1 block around it."""
    mark = gold.find(mark_id)
    if mark is None or mark.level == 1:
        return mark
    holding = blocks_around(gold, nodes, mark.targets)
    return max(holding, key=lambda outer: outer.targets[0].row, default=None)


def draft_parts(gold: Gold, nodes: NodeTable, mark_id: str, version: str) -> Gold:
    """Replace the level-2 drafts in a level-1 block by its parts.

    Its parts are the groups of adjacent content in it that Terrain finds.  Where those are the
    drafts already, each of them is opened once more; after the finest come the coarsest again.
    Confirmed marks stay.  `InputError` where there is no level-1 block, or nothing to be had.

    Args:
        gold: The marks.
        nodes: The page.
        mark_id: The block, or a mark in it.
        version: Of the program, for the seed.
    """
    outer = around(gold, nodes, mark_id)
    if outer is None or not outer.targets:
        raise InputError("parts are those of a level-1 block: mark one around it first")
    rows = [t.row for t in outer.targets]
    inside = [mark for mark in drafts_in(gold, nodes, rows) if mark.level == 2]
    bare = edits.remove(gold, {mark.id for mark in inside})
    now = {mark.targets for mark in inside}
    seed = seed_of("terrain", version, TerrainParams(), "rendered")
    result: list[tuple[set[object], Gold]] = []
    for blocks in parts_of(nodes, TerrainParams(), rows, DEEPEST):
        after = adopt_blocks(bare, nodes, blocks, seed, DraftScope()).gold
        old = {mark.id for mark in bare.marks}
        targets = {mark.targets for mark in after.marks if mark.id not in old}
        if not targets or any(targets == known for known, _ in result):
            break
        result.append((set(targets), after))
    if not result or [known for known, _ in result] == [now]:
        raise InputError("this block has no parts that are not marked already")
    position = next((k for k, (known, _) in enumerate(result) if known == now), -1)
    return result[(position + 1) % len(result)][1]
