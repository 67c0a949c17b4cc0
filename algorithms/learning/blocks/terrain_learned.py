"""Terrain-learned: blocks that trees, trained on annotators' blocks, expect on a page.

Pagelet's own; `pagelet train terrain-learned` makes its model, and the one that ships is described
by its card (methods.md#terrain-learned).  Elements with the same text are one candidate; of each
some 220 measures are taken, among them what other segmenters make of it; gradient-boosted trees
estimate the probability that an annotator marked it; the set of candidates with the highest
expected F is taken, of those that are nearly one mostly one (`near_twins`).

Pictures and other things without words, which Kreuzer's measure counts as one item a page, are
blocks where `terrain` makes blocks of them, else the largest one.

Cost: linear in the page but for the votes of others, VIPS' above all: 20 ms on a page of 2013.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.learning.blocks.block_model import (
    LEARNED,
    BlockModel,
    BlockPrediction,
    Matrix,
    confidence,
    model_of,
)
from algorithms.learning.blocks.candidate_columns import GROUPS
from algorithms.learning.blocks.candidates import Candidates, seen_on_page
from algorithms.learning.blocks.votes import votes
from algorithms.learning.reasons import as_share, group_contributions, sentences
from algorithms.levels import Level
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Segmentation
from algorithms.signals.block_types import Typist
from algorithms.trace import Rule, Step, Trace, row_spans, step
from engine.nodes import NodeTable
from engine.page import Page
from engine.tree import Bools, Doubles, Longs


@dataclass(frozen=True)
class LearnedTerrainParams(Params):
    """Parameters of terrain-learned."""

    least: float = param(
        0.0, "chance that a block must have, whatever is expected of the page", low=0, high=1
    )
    pictures: bool = param(True, "parts without words are blocks")
    model: str = LEARNED.parameter()


def segment(page: Page, params: LearnedTerrainParams) -> Segmentation:
    """Return the blocks of the rendered page, with levels and suggested types."""
    nodes = page.rendered()
    model = model_of(params.model)
    predicted = model.predict(nodes, params.least)
    limit = max(predicted.limit, params.least)
    notes = _sentences(model, predicted.matrix[predicted.taken], limit)
    typist, trust = Typist(seen_on_page(nodes)), model.card["types"]
    first = _outermost(predicted) & (predicted.outer > 0.5)
    blocks: list[Block] = []

    def add(row: int, level: Level, why: str) -> None:
        kind, because = typist.suggest(row, level)
        sure = confidence(trust, level, kind)
        how = f" (right for {as_share(sure)} of such blocks)" if sure is not None else ""
        blocks.append(Block((row,), level, kind, f"{why}; {because}{how}" if because else why))

    for index, why in zip(np.flatnonzero(predicted.taken).tolist(), notes, strict=True):
        row = int(shown_rows(nodes, predicted.stretches)[index])
        chance = as_share(predicted.chance[index])
        add(row, 1 if first[index] else 2, f"a block with a chance of {chance}; {why}")
    for row in picture_rows(nodes, predicted.stretches) if params.pictures else ():
        add(row, 2, "a part without words")
    return Segmentation(nodes, tuple(sorted(blocks, key=lambda block: (block.rows, block.level))))


def _outermost(predicted: BlockPrediction) -> Bools:
    """Return the taken candidates inside no other taken one: only these may be of level 1."""
    taken, parent = predicted.taken, predicted.stretches.parent
    inside = np.zeros(len(taken), dtype=bool)
    for index, up in enumerate(parent.tolist()):
        inside[index] = up >= 0 and (inside[up] or taken[up])
    return taken & ~inside


def shown_rows(nodes: NodeTable, stretches: Candidates) -> Longs:
    """Return the element to show for each candidate: the outermost, but not ``body``."""
    whole = nodes.has_tag("html", "body", "frameset")[stretches.top]
    return np.where(whole, stretches.bottom, stretches.top)


def picture_rows(nodes: NodeTable, stretches: Candidates) -> list[int]:
    """Return the blocks among elements that show something without words."""
    if not stretches.pictures.size:
        return []
    named = {row for rows in votes(nodes)["terrain"] for row in rows}
    rows = [row for row in stretches.pictures.tolist() if row in named]
    area = seen_on_page(nodes).share[stretches.pictures]
    return rows or [int(stretches.pictures[np.argmax(area)])]


# Why ----------------------------------------------------------------------------------------

_EXPECTED = Rule("chance of being a block", ">", ("least",), True, ("a block", "no block"))
_NEARLY = Rule("a part of nearly the same text is the block", verbs=("a block", "no block"))
_PICTURE = Rule("a part without words", parameters=("pictures",), verbs=("a block", "no block"))


def trace(page: Page, params: LearnedTerrainParams) -> Trace:
    """Return the chance of each candidate and the measures behind it."""
    nodes = page.rendered()
    model = model_of(params.model)
    predicted = model.predict(nodes, params.least)
    rows = shown_rows(nodes, predicted.stretches)
    limit = max(predicted.limit, params.least)
    steps: list[Step] = []
    if len(rows):
        order = np.argsort(rows)
        notes = _sentences(model, predicted.matrix[order], limit)
        chance, taken = predicted.chance[order], predicted.taken[order]
        likely = chance > limit
        places = row_spans(rows[order])
        steps.append(step(_EXPECTED, places, likely, chance, limit, tuple(notes)))
        nearly = likely & ~taken
        if nearly.any():
            steps.append(step(_NEARLY, places[nearly], False))
    pictures = picture_rows(nodes, predicted.stretches) if params.pictures else []
    if pictures:
        steps.append(step(_PICTURE, row_spans(sorted(pictures)), True))
    return Trace(tuple(steps), len(nodes))


def reasons(model: BlockModel, matrix: Matrix) -> tuple[tuple[str, ...], Doubles, float]:
    """Return the groups of columns, their part in each candidate's odds, and the expectation.

    The log odds of a candidate are the expectation and what all groups add, (m, g).
    """
    return group_contributions(model.blocks, model.columns, lambda c: c.partition(".")[0], matrix)


def _sentences(model: BlockModel, matrix: Matrix, limit: float) -> list[str]:
    groups, added, expected = reasons(model, matrix)
    named = [GROUPS[group] for group in groups]
    return list(sentences(named, added, expected, limit, ("a block", "no block")))


METHOD = Method(
    key="terrain-learned",
    name="Terrain, learned",
    params=LearnedTerrainParams,
    output="segmentation",
    cite="Pagelet, trained on Kreuzer 2013",
    on_page=segment,
    trace_page=trace,
    prepare=lambda params: model_of(params.model),
    card=lambda params: model_of(params.model).card,
    summary="Blocks that trees, trained on annotators' blocks, expect; of near twins mostly one.",
)
