"""Drafts: what a method found, taken over as marks that are no gold before they are confirmed.

A draft never changes existing marks.  It keeps its seed, the run it came from, also once
it is confirmed or changed: whether drafts bias gold can then be studied.  Against that bias a share
of the pages of a workspace can be kept free of drafts.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from algorithms.levels import LEVELS, Level
from algorithms.params import Params
from algorithms.results import Block, Extraction, Result
from algorithms.segmentation.terrain import TerrainParams, parts_of
from annotate.marks import edits
from annotate.marks.fit import blocks_around
from annotate.marks.gold import MAIN, Gold, Mark, MarkState, Seed, Target, new_id
from annotate.marks.page_text import page_text, whole_or_part
from annotate.marks.similar import similar_marks
from annotate.marks.targets import beside, grow_targets, remainder, tidy
from engine.errors import InputError
from engine.nodes import NodeTable
from engine.page import Page

FREE_SHARE = "share of pages free of drafts"
"""The workspace's setting: from 0, the default, to 1."""

TRANSFERRED = "carried"
"""In place of a method in the seed of marks that were transferred."""

SURE = 0.8
"""From this confidence on a mark needs no review."""

NO_TYPE = "no type"
"""How blocks without a type are called where one is to be chosen."""


@dataclass(frozen=True)
class DraftScope:
    """Part of a result used for drafts.

    Attributes:
        level: Of blocks, 1 or 2; 0 for both.
        within: Only content of one of these rows; all of the page if there are none.
        type: Only blocks of this type, "" being none; None for all.
    """

    level: Level = 0
    within: tuple[int, ...] = ()
    type: str | None = None


@dataclass(frozen=True)
class Adopted:
    """Gold with drafts: how many are new, and how many left out beside marks of their level."""

    gold: Gold
    made: int
    left_out: int = 0


def seed_of(method: str, version: str, params: Params, source: str) -> Seed:
    """Return the seed of what a method gives with these parameters on one input."""
    return Seed(method, version, json.dumps(params.as_dict(), sort_keys=True), source)


def adopt(
    gold: Gold, page: Page, result: Result, seed: Seed, scope: DraftScope = DraftScope()
) -> Adopted:
    """Return the gold with the results of a method as drafts; existing marks stay as they are."""
    if isinstance(result, Extraction):
        return _adopt_text(gold, page, result, seed, scope)
    return adopt_blocks(gold, page.rendered(), result.blocks, seed, scope)


def _adopt_text(
    gold: Gold, page: Page, result: Extraction, seed: Seed, scope: DraftScope
) -> Adopted:
    nodes = page.rendered()
    if scope.type is not None:
        return Adopted(gold, 0)
    results = []
    for row, start, end in page.alignment(result.source).ranges(result.spans).tolist():
        if _is_within(nodes, row, scope.within) and nodes.text[row][start:end].strip():
            results.append(whole_or_part(nodes, row, start, end))
    targets = grow_targets(nodes, _merged(nodes, results))
    marked = [t for mark in gold.marks if mark.level == MAIN for t in mark.targets]
    left = tidy(nodes, remainder(nodes, targets, marked))
    quote = page_text(nodes).quote
    marks = [
        Mark(new_id(), MAIN, (target,), "", MarkState.DRAFT, quote((target,)), seed)
        for target in sorted(left)
    ]
    return Adopted(Gold((*gold.marks, *marks)) if marks else gold, len(marks))


def _merged(nodes: NodeTable, targets: Iterable[Target]) -> list[Target]:
    """Return parts of texts with those that follow each other joined; sorted."""
    merged: list[Target] = []
    for target in sorted(targets):
        last = merged[-1] if merged else None
        if last is not None and last.row == target.row:
            if last.is_whole or target.is_whole:
                merged[-1] = Target(target.row)
                continue
            if not nodes.text[target.row][last.end : target.start].strip():
                end = max(last.end, target.end)
                merged[-1] = whole_or_part(nodes, target.row, last.start, end)
                continue
        merged.append(target)
    return merged


def adopt_blocks(
    gold: Gold, nodes: NodeTable, blocks: Sequence[Block], seed: Seed, scope: DraftScope
) -> Adopted:
    """Return the gold with blocks as drafts; those that touch marks of their level are left out."""
    taken = {level: edits.spans_of(nodes, gold.of_level(level)) for level in LEVELS}
    after, left_out = gold, 0
    for block in blocks:
        if scope.level not in (0, block.level) or scope.type not in (None, block.type):
            continue
        if not all(_is_within(nodes, row, scope.within) for row in block.rows):
            continue
        if any(edits.touches(nodes, row, taken[block.level]) for row in block.rows):
            left_out += 1
            continue
        for targets in _neighbours(nodes, block.rows):
            try:
                after = edits.add_block(after, nodes, targets, block.level, block.type)
            except InputError:  # the method has it twice
                continue
    old = {mark.id for mark in gold.marks}
    marks = tuple(
        mark if mark.id in old else mark.with_(state=MarkState.DRAFT, seed=seed)
        for mark in after.marks
    )
    made = len(marks) - len(gold.marks)
    return Adopted(Gold(marks) if made else gold, made, left_out)


def _neighbours(nodes: NodeTable, rows: Sequence[int]) -> list[tuple[Target, ...]]:
    """Return a block's nodes as blocks of gold: one, or one a node where they are no neighbours."""
    targets = beside(nodes, [Target(row) for row in rows])
    try:
        edits.add_block(Gold(), nodes, targets, 1)
    except InputError:
        return [(Target(row),) for row in rows]
    return [tuple(targets)]


def _is_within(nodes: NodeTable, row: int, rows: Sequence[int]) -> bool:
    return not rows or any(nodes.is_inside(row, outer) for outer in rows)


def without_dropped(before: Gold, after: Gold, dropped: Sequence[Mark]) -> Gold:
    """Return gold without new drafts at the position, and with the text, of a dropped one.

    Drafts that are brought back stay: they are those that were dropped.
    """
    known = {mark.id for mark in (*before.marks, *dropped)}
    places = {(mark.level, mark.targets, mark.quote) for mark in dropped}
    marks = tuple(
        mark for mark in after.marks
        if not mark.is_draft or mark.id in known
        or (mark.level, mark.targets, mark.quote) not in places
    )  # fmt: skip
    return after if len(marks) == len(after.marks) else replace(after, marks=marks)


def brought_back(gold: Gold, nodes: NodeTable, dropped: Sequence[Mark]) -> Gold:
    """Return gold with dropped drafts again, but for those that touch a mark of their level."""
    after = gold
    for mark in dropped:
        taken = edits.spans_of(nodes, after.of_level(mark.level))
        if not any(edits.touches(nodes, target.row, taken) for target in mark.targets):
            after = replace(after, marks=(*after.marks, mark.with_(state=MarkState.DRAFT)))
    return after


# -- marks to confirm


def unsure(gold: Gold) -> tuple[Mark, ...]:
    """Return, in document order, drafts, moved marks, and those whose type is suggested."""
    asked = (MarkState.DRAFT, MarkState.MOVED)
    marks = (mark for mark in gold.marks if mark.state in asked or mark.awaits_type)
    result = (mark for mark in marks if mark.targets)
    return tuple(sorted(result, key=lambda m: (m.targets[0].row, m.level, m.targets)))


def drafts_in(gold: Gold, nodes: NodeTable, rows: Collection[int]) -> tuple[Mark, ...]:
    """Return the drafts that lie entirely in one of some rows."""
    inside, drafts = tuple(rows), gold.drafts() if rows else ()
    return tuple(x for x in drafts if all(_is_within(nodes, t.row, inside) for t in x.targets))


def similar_drafts(gold: Gold, nodes: NodeTable, ids: Collection[str]) -> tuple[Mark, ...]:
    """Return the drafts among some blocks, and those built like one of them."""
    return tuple(mark for mark in similar_marks(gold, nodes, ids) if mark.is_draft)


def give_way(gold: Gold, nodes: NodeTable, mark_id: str) -> Gold:
    """Remove other drafts of a block's level that overlap it."""
    mark = gold.find(mark_id)
    if mark is None:
        return gold
    return edits.remove(gold, {x.id for x in edits.overlapping_drafts(gold, nodes, mark)})


def is_unassisted(key: str, share: float) -> bool:
    """Return whether a page is one of the share kept free of drafts: always the same ones.

    Which pages these are hangs on their keys alone, so that a larger share holds a smaller one.
    """
    number = int.from_bytes(hashlib.sha256(key.encode("utf-8", "replace")).digest()[:8], "big")
    return number / 2**64 < share


def share_of(setting: object) -> float:
    """Return the share in a workspace's setting, 0 if invalid."""
    if isinstance(setting, int | float) and not isinstance(setting, bool) and 0 <= setting <= 1:
        return float(setting)
    return 0.0


def origin_of(mark: Mark) -> tuple[str, float] | None:
    """Return where a mark was transferred from, and how sure it was; None for others."""
    if mark.seed is None or mark.seed.method != TRANSFERRED:
        return None
    try:
        stored = json.loads(mark.seed.params)
        return str(stored["from"]), float(stored["confidence"])
    except (ValueError, OverflowError, KeyError, TypeError):
        return "", 0.0


def certain(gold: Gold) -> tuple[Mark, ...]:
    """Return the drafts flagged as certain, transferred or learned, in gold order."""
    seeded = ((mark, mark.seed) for mark in gold.marks if mark.is_draft)
    return tuple(mark for mark, seed in seeded if seed and (seed.confidence or 0.0) >= SURE)


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
