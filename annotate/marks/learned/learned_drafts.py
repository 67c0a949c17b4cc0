"""Learned drafts: the marks that memory and shipped models expect, each with its confidence.

A missing mark costs its annotator two actions, a wrong draft one (measurements.md#marking): what
has a chance above one third is drafted, and of blocks of one level, one in the other, that hold
nearly the same text, one.

Clues agree with each other, so that chances come out too high; the confidence of a draft is
therefore at most what Laplace's rule of succession gives n pages that never contradict,
(n + 1) / (n + 2).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from algorithms.learning.blocks.near_twins import NEARLY, taken_at
from algorithms.levels import LEVELS, Level
from annotate.marks import edits
from annotate.marks.gold import MAIN, Gold, Mark, MarkState, Seed, Target, new_id
from annotate.marks.learned.memory import Memory
from annotate.marks.learned.offers import Offer, OfferedItems
from annotate.marks.page_text import page_text
from annotate.marks.targets import grow_targets, remainder, tidy
from engine.errors import InputError
from engine.nodes import NodeTable
from engine.tree import Bools, Doubles

LEARNED = "learned"
"""In place of a method in the seed of learned drafts."""

PRICE = 1 / 3
"""Chance from which a draft saves actions: it costs one where it is wrong, and saves two."""

MAIN_PRICE = 0.5
"""The same of a text: a wrong one is taken out as dearly as a missing one is added."""


@dataclass(frozen=True)
class LearnedDraft:
    """A mark that is expected, and the probability, 0 to 1, that it is right without a change."""

    level: Level
    target: Target
    type: str
    confidence: float


def learned_drafts(
    page: Offer, memory: Memory, levels: Sequence[Level]
) -> tuple[LearnedDraft, ...]:
    """Return the drafts of a page on some levels, in document order."""
    result: list[LearnedDraft] = []
    most = (memory.pages + 1) / (memory.pages + 2) if memory.pages else 1.0
    for level in levels:
        result += _main(page, memory) if level == MAIN else _blocks(page, memory, level)
    best: dict[tuple[bool, Target], LearnedDraft] = {}
    for each in result:  # an element is a block of one level
        key = (each.level == MAIN, each.target)
        if key not in best or best[key].confidence < each.confidence:
            best[key] = each
    return tuple(
        replace(each, confidence=min(each.confidence, most))
        for each in sorted(best.values(), key=lambda each: (each.target, each.level))
    )


def _blocks(page: Offer, memory: Memory, level: Level) -> list[LearnedDraft]:
    items = page.items[level]
    chance = memory.chances(items, level)
    result = []
    for item in np.flatnonzero(taken_blocks(items, chance)).tolist():
        kind, sure = memory.type_of(page, item, level)
        confidence = float(chance[item]) * (sure if kind else 1.0)
        result.append(LearnedDraft(level, Target(int(items.rows[item])), kind, confidence))
    return result


def taken_blocks(items: OfferedItems, chance: Doubles) -> Bools:
    """Return which blocks of these chances, (n,), are worth a draft, bool (n,)."""
    size = items.last - items.first
    words = int((size > 0).sum())  # parts without words come last
    taken = np.asarray(chance > PRICE)
    taken[:words] = taken_at(chance[:words], size[:words], items.parent[:words], PRICE, NEARLY)
    return taken


def _main(page: Offer, memory: Memory) -> list[LearnedDraft]:
    items, nodes = page.items[MAIN], page.nodes
    chance = memory.chances(items, MAIN)
    rows = items.rows[chance > MAIN_PRICE]
    result = []
    for target in grow_targets(nodes, [Target(row) for row in rows.tolist()]):
        inside = (items.rows >= target.row) & (items.rows < nodes.end[target.row])
        result.append(LearnedDraft(MAIN, target, "", float(chance[inside].mean())))
    return result


def with_learned(
    gold: Gold, nodes: NodeTable, drafts: Sequence[LearnedDraft], version: str, pages: int
) -> Gold:
    """Return the gold with drafts added; what touches a mark of its level is left out.

    Each remembers how sure it is and how many pages taught it.
    """
    after = gold
    marked = [t for mark in gold.marks if mark.level == MAIN for t in mark.targets]
    spans = {level: edits.spans_of(nodes, gold.of_level(level)) for level in LEVELS}
    for each in drafts:
        params = json.dumps({"confidence": round(each.confidence, 3), "pages": pages})
        seed = Seed(LEARNED, version, params, "rendered")
        if each.level == MAIN:
            quote = page_text(nodes).quote
            left = tidy(nodes, remainder(nodes, (each.target,), marked))
            new = [
                Mark(new_id(), MAIN, (one,), "", MarkState.DRAFT, quote((one,)), seed)
                for one in sorted(left)
            ]
            after = Gold((*after.marks, *new))
            continue
        if edits.touches(nodes, each.target.row, spans[each.level]):
            continue
        known = {mark.id for mark in after.marks}
        try:
            added = edits.add_block(after, nodes, (each.target,), each.level, each.type)
        except InputError:  # there is a block already
            continue
        new = [m.with_(state=MarkState.DRAFT, seed=seed) for m in added.marks if m.id not in known]
        after = Gold((*after.marks, *new))
    return gold if len(after.marks) == len(gold.marks) else after
