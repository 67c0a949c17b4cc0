"""Cost of a segmenter's decision on a place, and changes that reverse it.

The decision is whether a block holds the place: the smallest block that does, or none.  Turned,
that block alone is left out, or the place itself is a block, in place of the blocks of its level
inside it.  The cost is B-cubed F1 (pixels) before and after, by the gold blocks of the same level
where there are some; a decision is wrong by gold where reversing it raises the score.  What
would turn it is confirmed by a run: none of its blocks is the block, or one holds the place.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from algorithms.core.attempt import BlockGold
from algorithms.explain.counterfactuals import CounterfactualResult, CounterfactualSearch
from algorithms.measures.bcubed import score_bcubed
from algorithms.measures.choice import measure_of
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Block, Segmentation
from algorithms.templates.site import Site
from engine.nodes import NodeTable
from engine.page import Input, Page


@dataclass(frozen=True)
class BlockWhy:
    """Explanation of the decision on a row.

    Attributes:
        is_kept: Whether a block holds it.
        block: The smallest that does, or the one that the row would be.
        in_gold: What gold wants: whether there is the block; None without gold.
        f1: B-cubed F as it is; None without gold.
        turned_f1: With this one decision turned.
        measure: The name of the measure whose F that is: of the block's level, or of both together
            where gold has none of that.
        why_no_f1: Why there is none, though there is gold; "" otherwise.
    """

    is_kept: bool
    block: Block
    in_gold: bool | None = None
    f1: float | None = None
    turned_f1: float | None = None
    measure: str = ""
    why_no_f1: str = ""


class BlockQuery:
    """Query on one run of a segmenter.

    Args:
        entry, page, params, source: The run's method, page, parameters and input.
        result: What it gave.
        gold: The gold blocks; None where there are none.
    """

    def __init__(
        self,
        entry: Method,
        page: Page,
        params: Params,
        source: Input,
        result: Segmentation,
        gold: BlockGold | None = None,
        site: Site | None = None,
    ) -> None:
        self.entry, self.page, self.params, self.source = entry, page, params, source
        self.result, self._site = result, site
        self._why_no_f1 = "" if gold is None else gold.why_not(measure_of("b3-pixels"))
        self.gold = None if gold is None or self._why_no_f1 else gold.blocks
        self._scores: dict[str, float] = {}  # level → B-cubed F as it is

    def why(self, row: int) -> BlockWhy:
        """Return whether a block holds a row, and the cost of that."""
        nodes, blocks = self.result.nodes, self.result.blocks
        held = held_by(self.result, row)
        block = held
        if block is None:
            at = int(nodes.parent[row]) if nodes.is_text[row] and nodes.parent[row] >= 0 else row
            block = Block((at,), min((each.level for each in blocks), default=1))
        f1, turned_f1 = self._f1(self.result, block), None
        in_gold = None
        if f1 is not None:
            turned_f1 = self._f1(self._turned(block, is_kept=held is not None), block)
            assert turned_f1 is not None
            is_right = turned_f1 <= f1
            in_gold = (held is not None) == is_right
        level = self._level(block)
        name = measure_of("b3-pixels" if level == "all" else f"b3-pixels-{level}").name
        return BlockWhy(held is not None, block, in_gold, f1, turned_f1, name, self._why_no_f1)

    def counterfactual(
        self, why: BlockWhy, seconds: float = 3.0, is_wanted: Callable[[], bool] = lambda: True
    ) -> CounterfactualResult:
        """Return the smallest change of one parameter that turns a decision, of those tried."""
        until = time.monotonic() + seconds

        def rerun(params: Params) -> Segmentation | None:
            result = self.entry.run(self.page, params, self.source, self._site)
            assert isinstance(result, Segmentation)
            return result if has_turned(result, why) else None

        return CounterfactualSearch(
            self.params,
            rerun,
            lambda result: self._f1(result, why.block),
            lambda: time.monotonic() > until or not is_wanted(),
            why.measure,
            "no block" if why.is_kept else "in a block",
        ).smallest()

    def _turned(self, block: Block, *, is_kept: bool) -> Segmentation:
        """Return the result with one decision turned, all else left."""
        nodes, blocks = self.result.nodes, self.result.blocks
        if is_kept:
            return Segmentation(nodes, tuple(each for each in blocks if each is not block))
        outer = block.rows[0]
        others = (
            each
            for each in blocks
            if each.level != block.level or not all(nodes.is_inside(r, outer) for r in each.rows)
        )
        result = sorted((*others, block), key=lambda each: (each.rows[0], each.level))
        return Segmentation(nodes, tuple(result))

    def _f1(self, result: Segmentation, block: Block) -> float | None:
        if self.gold is None:
            return None
        level = self._level(block)
        if result is not self.result:
            return score_bcubed(result, self.gold, "pixels", level).f1
        if level not in self._scores:
            self._scores[level] = score_bcubed(result, self.gold, "pixels", level).f1
        return self._scores[level]

    def _level(self, block: Block) -> str:
        """Return which blocks a decision is weighed by: those of its level, if gold has any."""
        gold = () if self.gold is None else self.gold.blocks
        return str(block.level) if any(each.level == block.level for each in gold) else "all"


def held_by(result: Segmentation, row: int) -> Block | None:
    """Return the smallest block that holds a row; None if none does."""
    nodes = result.nodes
    holding = [
        each for each in result.blocks if any(nodes.is_inside(row, own) for own in each.rows)
    ]
    return min(holding, key=lambda each: (_size(nodes, each), -each.level), default=None)


def has_turned(result: Segmentation, why: BlockWhy) -> bool:
    """Whether another run decides otherwise: the block is gone, or one holds the place."""
    if why.is_kept:
        return all(each.rows != why.block.rows for each in result.blocks)
    return held_by(result, why.block.rows[0]) is not None


def _size(nodes: NodeTable, block: Block) -> int:
    return sum(int(nodes.end[row]) - row for row in block.rows)
