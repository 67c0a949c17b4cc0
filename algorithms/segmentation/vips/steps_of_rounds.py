"""VIPS's rounds as steps of a trace: each rule's answer and degree of coherence by node."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.features.traversal import IS_BLOCK, end_of_way
from algorithms.results import Block
from algorithms.segmentation.vips.layout import Layout
from algorithms.segmentation.vips.rules import (
    DIVIDED,
    MERGED,
    REASONS,
    NodeOnWalk,
    RuleAnswer,
    Verdict,
)
from algorithms.segmentation.vips.tree import BlockStructure
from algorithms.trace import Rule, Step, Trace, step

_WHOLE = ("kept whole", "divided")
_STANDS = Rule("on a level of the result", verbs=IS_BLOCK, is_in_note=True)
_BETWEEN = Rule("between the levels of the result", verbs=IS_BLOCK)
_COHERENT = Rule(
    "degree of coherence (DoC)", ">=", ("pdoc",),
    verbs=("coherent enough", "to be divided further"),
)  # fmt: skip
_PART = Rule(
    "share of its largest part in the block being divided", "<", ("small",), is_share=True,
    verbs=_WHOLE, measured="its largest part is {} of the block being divided",
)  # fmt: skip
_OWN = Rule(
    "its share in the block being divided", "<", ("small",), is_share=True,
    verbs=_WHOLE, measured="with its own text it is {} of the block being divided",
)  # fmt: skip
_BY_SIZE = (10, 12)
"""Rules that keep a node, or divide it, for the size of its largest part."""


@dataclass(frozen=True)
class NodeAnswer:
    """Answer for one node in one round."""

    number: int
    node: NodeOnWalk
    answer: RuleAnswer


def steps_of_rounds(
    layout: Layout, structure: BlockStructure, asked: Sequence[NodeAnswer], pdoc: int
) -> tuple[Step, ...]:
    """Return the steps of all rounds, first things first."""
    steps: list[Step] = []
    for number in range(1, len(structure.rounds) + 1):
        of_round = [each for each in asked if each.number == number]
        steps += _answers(layout, number, of_round)
        divisions = structure.rounds[number - 1]
        pool = [block for division in divisions for block in division.pool]
        docs = {row: block.doc for block in pool for row in block.rows}
        if docs:
            values = np.array(list(docs.values()), dtype=float)
            notes = (f"after round {number}",) * len(docs)
            steps.append(step(_COHERENT, _spans(docs), values >= pdoc, values, pdoc, notes))
        merged = {
            row: node.doc for division in divisions for node, _ in division.merged
            for row in node.rows
        }  # fmt: skip
        if merged:
            rule = Rule(f"laid out again in round {number}", verbs=("a node", "no node"))
            notes = tuple(f"{REASONS[MERGED]} (DoC {doc})" for doc in merged.values())
            steps.append(step(rule, _spans(merged), np.full(len(merged), True), notes=notes))
    return tuple(steps)


def ended(steps: tuple[Step, ...], blocks: Sequence[Block], size: int) -> tuple[Step, ...]:
    """Return the last steps: the blocks in the end, and nodes kept whole that are none."""
    rows = {row for block in blocks for row in block.rows}
    between = [row for row in np.flatnonzero(Trace(steps, size).kept).tolist() if row not in rows]
    none = (step(_BETWEEN, _spans(between), np.full(len(between), False)),) if between else ()
    return (*none, *end_of_way(_STANDS, blocks))


def _answers(layout: Layout, number: int, asked: Sequence[NodeAnswer]) -> Iterator[Step]:
    """Yield the rules' answers in one round: by size, by other properties, on unseen nodes."""
    plain = Rule(f"round {number}", verbs=_WHOLE)
    unseen = Rule(f"round {number}", verbs=("seen", "left out"))
    kinds: dict[Rule, list[NodeAnswer]] = {plain: [], _PART: [], _OWN: [], unseen: []}
    for each in asked:
        if each.answer.action is Verdict.CUT:
            kinds[unseen].append(each)
        elif each.answer.rule in _BY_SIZE:
            kinds[_PART].append(each)
        else:
            kinds[_OWN if each.answer.rule == 9 else plain].append(each)
    for rule, those in kinds.items():
        if not those:
            continue
        is_kept = [each.answer.action is Verdict.KEEP for each in those]
        is_sized = rule is _PART or rule is _OWN
        before = f"round {number}: " if is_sized else ""
        notes = tuple(before + _sentence(each.answer) for each in those)
        positions = _spans([each.node.row for each in those])
        if is_sized:
            values = [_share(layout, each.node, is_own=rule is _OWN) for each in those]
            limits = [each.node.small for each in those]
            yield step(rule, positions, is_kept, values, limits, notes)
        else:
            yield step(rule, positions, is_kept, notes=notes)


def _share(layout: Layout, node: NodeOnWalk, *, is_own: bool) -> float:
    rows = [node.row] if is_own else layout.children[node.row]
    return float(layout.areas[rows].max()) / node.whole if node.whole else 0.0


def _sentence(answer: RuleAnswer) -> str:
    if answer.action is Verdict.KEEP:
        number = f"rule {answer.rule}, " if answer.rule else ""
        return f"{REASONS[answer.rule]} ({number}DoC {answer.doc})"
    return f"{DIVIDED[answer.rule]} (rule {answer.rule})"


def _spans(rows: Iterable[int]) -> list[tuple[int, int]]:
    return [(row, row + 1) for row in rows]
