"""Reasons for a method's decision on a text or a place, its cost, and changes that reverse it.

Three answers, each from a run of the method itself:

- the decisions on it, from the method's trace (`algorithms.trace`);
- the cost: F1 (words in sequence) as it is, and with this one decision turned, all else left;
- the counterfactual: the smallest change of one parameter that turns the decision, found by
  running the method again and again, so that no change is named that does not turn it, with the
  F1 it gives and the number of runs it is the smallest of.

A segmenter's decision on a place is whether a block holds it: the smallest block that does, or
none.  Turned, that block alone is left out, or the place itself is a block, in place of the blocks
of its level inside it.  The cost is B-cubed F1 (pixels) before and after, by the gold blocks of the
same level where there are some; a decision is wrong by gold where reversing it raises the score.
What would turn it is confirmed by a run: none of its blocks is the block, or one holds the place.

Where no block holds a place, the nearest is named: those inside it, else the one that has the
deepest ancestor in common with it.  Of methods that work in rounds each round that had the place in
hand is told, first things first.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from algorithms.core.attempt import BlockGold
from algorithms.explain.counterfactuals import CounterfactualResult, CounterfactualSearch
from algorithms.explain.differences import holds, size_below, words_kept
from algorithms.measures.bcubed import score_bcubed
from algorithms.measures.choice import measure_of
from algorithms.measures.text import score_words
from algorithms.measures.text_words import Words
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Block, Extraction, Segmentation, keep_words
from algorithms.templates.site import Site
from algorithms.trace import Decision
from engine.errors import PageletError
from engine.nodes import NodeTable
from engine.page import Input, Page
from engine.source import Source
from engine.tree import Bools
from engine.words import plural


@dataclass(frozen=True)
class Why:
    """Explanation of the decision on one text.

    Attributes:
        method: The method's key.
        is_kept: The decision.
        decisions: One after the other; the last one holds.
        first, last: The words the last decision is about: the first, and one past the last.
        text: Their text.
        in_gold: Whether gold has it, by most of its words; None without gold.
        f1: As it is; None without gold.
        turned_f1: With this one decision turned; None without gold.
    """

    method: str
    is_kept: bool
    decisions: tuple[Decision, ...]
    first: int
    last: int
    text: str
    in_gold: bool | None = None
    f1: float | None = None
    turned_f1: float | None = None

    @property
    def sentence(self) -> str:
        """The last decision in words, with its numbers."""
        return self.decisions[-1].sentence


class TextQuery:
    """Query on one run: its trace and its score are computed once.

    Args:
        entry: The method; one whose trace is known.
        source: What it read.
        params: How.
        gold: The main content: a text; None where there is none.
        gold_words: Which words of ``source`` gold holds, bool (w,); None where it is not known.
        site: The page's, for methods that read it.
    """

    def __init__(
        self,
        entry: Method,
        source: Source,
        params: Params,
        gold: str | None = None,
        gold_words: Bools | None = None,
        site: Site | None = None,
    ) -> None:
        self._site = site
        trace = entry.trace_on(source, params, site)
        if trace is None:
            raise PageletError(f"{entry.name} gives no reasons for its decisions")
        self.entry, self.source, self.params = entry, source, params
        self._gold = None if gold is None else Words(gold)
        self._in_gold = gold_words
        self.trace = trace

    def why(self, word: int) -> Why | None:
        """Return why the word was kept or dropped; None if nothing was asked about it."""
        decisions = self.trace.decisions(word)
        if not decisions:
            return None
        first, last = decisions[-1].place
        is_kept = self.trace.kept
        turned = is_kept.copy()
        turned[first:last] = not decisions[-1].kept
        spans = self.source.tokens.spans[[first, last - 1]]
        text = self.source.text_of([[spans[0, 0], spans[1, 1]]])
        in_gold = None
        if self._in_gold is not None:
            in_gold = bool(self._in_gold[first:last].mean() > 0.5)
        return Why(
            self.entry.key, decisions[-1].kept, decisions, first, last, text, in_gold,
            self._f1(keep_words(self.source, is_kept)),
            self._f1(keep_words(self.source, turned)),
        )  # fmt: skip

    def counterfactual(
        self, why: Why, seconds: float = 3.0, is_wanted: Callable[[], bool] = lambda: True
    ) -> CounterfactualResult:
        """Return the smallest change of one parameter that turns a decision, of those tried.

        Parameters that bear on the decision come first.  After ``seconds``, or when it is stopped,
        the search ends with the best it has.  A change that empties the whole page is none: it does
        not explain this place.
        """
        until = time.monotonic() + seconds
        is_elsewhere = self.trace.kept.copy()
        is_elsewhere[why.first : why.last] = False
        keeps_more = bool(is_elsewhere.any())

        def rerun(params: Params) -> Extraction | None:
            result: Any = self.entry.run_on(self.source, params, self._site)
            every = words_kept(result, self.source)
            if why.is_kept and keeps_more and not every.any():
                return None
            is_kept = every[why.first : why.last]
            return result if bool(is_kept.mean() > 0.5) != why.is_kept else None

        return CounterfactualSearch(
            self.params,
            rerun,
            self._f1,
            lambda: time.monotonic() > until or not is_wanted(),
            outcome="dropped" if why.is_kept else "kept",
        ).smallest(why.decisions[-1].rule.parameters)

    def _f1(self, extraction: Extraction) -> float | None:
        if self._gold is None:
            return None
        return score_words(Words(extraction.text), self._gold).ws.f1


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
    ) -> None:
        self.entry, self.page, self.params, self.source = entry, page, params, source
        self.result = result
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
            result = self.entry.run(self.page, params, self.source)
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
    return next(iter(_holding(result, row)), None)


def _holding(result: Segmentation, row: int) -> list[Block]:
    """Return the blocks that hold a row, the smallest first."""
    nodes = result.nodes
    holding = (block for block in result.blocks if holds(nodes, block.rows, row))
    return sorted(holding, key=lambda block: (size_below(nodes, block.rows), -block.level))


def has_turned(result: Segmentation, why: BlockWhy) -> bool:
    """Whether another run decides otherwise: the block is gone, or one holds the place."""
    if why.is_kept:
        return all(each.rows != why.block.rows for each in result.blocks)
    return held_by(result, why.block.rows[0]) is not None


# Reasons -------------------------------------------------------------------------------------

BlockSteps = tuple[tuple[str, tuple[int, ...]], ...]
"""What was decided on a row, in order, with the rows of the block that each step is about."""


def reason_at(
    segmentation: Segmentation, row: int, *, with_rounds: bool = True
) -> tuple[bool, str, tuple[int, ...], BlockSteps]:
    """Return why a row is in a block, the smallest that holds it, or in none.

    That is: whether it is in one, the reason in words, the rows of the block that the reason is
    about, empty where there is none, and what else was decided on it.  ``with_rounds`` tells what
    became of it round by round, too: a trace tells it better.
    """
    nodes = segmentation.nodes
    steps = tuple(_rounds(segmentation, row)) if with_rounds else ()
    holding = _holding(segmentation, row)
    if holding:
        around = tuple((f"in {_sentence(block)}", block.rows) for block in holding[:0:-1])
        return True, _sentence(holding[0]), holding[0].rows, (*around, *steps)
    inside = [block for block in segmentation.blocks if nodes.is_inside(block.rows[0], row)]
    if inside:
        first, count = inside[0], plural(len(inside), "block", "blocks")
        sentence = f"no block: it contains {count}; the first is {_sentence(first)}"
        return False, sentence, first.rows, steps
    if not segmentation.blocks:
        return False, "no block: the method found no block on this page", (), steps
    nearest = max(segmentation.blocks, key=lambda each: _common_depth(nodes, each.rows[0], row))
    return False, f"no block; the nearest is {_sentence(nearest)}", nearest.rows, steps


def _rounds(segmentation: Segmentation, row: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    nodes = segmentation.nodes
    for number, each in enumerate(segmentation.rounds, start=1):
        stages = (("divided", each.divided), ("found", each.found), ("merged", each.merged))
        for verb, parts in stages:
            part = min(
                (part for part in parts if holds(nodes, part.rows, row)),
                key=lambda part: size_below(nodes, part.rows),
                default=None,
            )
            if part is not None and part.reason:
                yield f"round {number}, {verb}: {part.reason}", part.rows


def _common_depth(nodes: NodeTable, one: int, other: int) -> int:
    while not nodes.is_inside(one, other):
        other = int(nodes.parent[other])
    return int(nodes.depth[other])


def _sentence(block: Block) -> str:
    name = f"a level-{block.level} block{f' ({block.type})' if block.type else ''}"
    return f"{name}: {block.reason or 'the method gives no reason'}"
