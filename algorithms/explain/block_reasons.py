"""Why a place is in a block, or in none: the reasons a segmentation has for its blocks.

Where no block holds a place, the nearest is named: those inside it, else the one that has the
deepest ancestor in common with it.  Of methods that work in rounds each round that had the place in
hand is told, first things first.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from algorithms.results import Block, Part, Segmentation
from engine.nodes import NodeTable
from engine.words import plural

NO_REASON = "the method gives no reason"


@dataclass(frozen=True)
class BlockReason:
    """Decision of a segmentation on a row.

    Attributes:
        is_block: Whether a block holds it.
        sentence: The reason in words.
        steps: What else was decided on it, in order.
        step_rows: Of the blocks that the steps are about.
        rows: Of the block the sentence is about; empty where there is none.
    """

    is_block: bool
    sentence: str
    steps: tuple[str, ...]
    rows: tuple[int, ...]
    step_rows: tuple[tuple[int, ...], ...] = ()


def reason_at(segmentation: Segmentation, row: int, *, with_rounds: bool = True) -> BlockReason:
    """Return why a row is in a block, the smallest that holds it, or in none.

    ``with_rounds`` tells what became of it round by round, too: a trace tells it better.
    """
    nodes = segmentation.nodes
    rounds = tuple(_rounds(segmentation, row)) if with_rounds else ()
    steps, locations = tuple(sentence for sentence, _ in rounds), tuple(rows for _, rows in rounds)
    holding = sorted(
        (block for block in segmentation.blocks if _holds(nodes, block.rows, row)),
        key=lambda block: (_size(nodes, block.rows), -block.level),
    )
    if holding:
        outer = tuple(f"in {_named(block)}: {_sentence(block)}" for block in reversed(holding[1:]))
        block = holding[0]
        sentence = f"{_named(block)}: {_sentence(block)}"
        around = tuple(block.rows for block in reversed(holding[1:]))
        return BlockReason(True, sentence, (*outer, *steps), block.rows, (*around, *locations))
    inside = [block for block in segmentation.blocks if nodes.is_inside(block.rows[0], row)]
    if inside:
        block = inside[0]
        count = plural(len(inside), "block", "blocks")
        sentence = (
            f"no block: it contains {count}; the first is {_named(block)}: {_sentence(block)}"
        )
        return BlockReason(False, sentence, steps, block.rows, locations)
    if not segmentation.blocks:
        return BlockReason(
            False, "no block: the method found no block on this page", steps, (), locations
        )
    block = max(segmentation.blocks, key=lambda each: _common_depth(nodes, each.rows[0], row))
    sentence = f"no block; the nearest is {_named(block)}: {_sentence(block)}"
    return BlockReason(False, sentence, steps, block.rows, locations)


def _rounds(segmentation: Segmentation, row: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    nodes = segmentation.nodes
    for number, each in enumerate(segmentation.rounds, start=1):
        stages: tuple[tuple[str, tuple[Part, ...]], ...] = (
            ("divided", each.divided),
            ("found", each.found),
            ("merged", each.merged),
        )
        for verb, parts in stages:
            part = min(
                (part for part in parts if _holds(nodes, part.rows, row)),
                key=lambda part: _size(nodes, part.rows),
                default=None,
            )
            if part is not None and part.reason:
                yield f"round {number}, {verb}: {part.reason}", part.rows


def _holds(nodes: NodeTable, rows: tuple[int, ...], row: int) -> bool:
    return any(nodes.is_inside(row, own) for own in rows)


def _size(nodes: NodeTable, rows: tuple[int, ...]) -> int:
    return sum(int(nodes.end[row]) - row for row in rows)


def _common_depth(nodes: NodeTable, one: int, other: int) -> int:
    while not nodes.is_inside(one, other):
        other = int(nodes.parent[other])
    return int(nodes.depth[other])


def _named(block: Block) -> str:
    return f"a level-{block.level} block{f' ({block.type})' if block.type else ''}"


def _sentence(block: Block) -> str:
    return block.reason or NO_REASON
