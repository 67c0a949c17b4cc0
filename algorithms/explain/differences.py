"""Where a result and its gold differ, place by place.

Extractions are spans of the same source, so an error is a run of its words that one has and the
other has not.  Two errors of a kind with no word of the other kind, and none both agree on, between
them are one.

Errors of segmentations are blocks, described as in `measures.regions`, by pixels,
level by level where both have blocks of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from algorithms.levels import Level
from algorithms.measures.items import Cut, of_level
from algorithms.measures.regions import match_outcomes, overlaps_in
from algorithms.measures.text_words import words_of
from algorithms.results import Block, Extraction, Segmentation
from engine.nodes import NodeTable
from engine.runs import mark_covered, runs_of
from engine.source import Source
from engine.tree import Bools


class ErrorKind(StrEnum):
    """Kind of an error."""

    MISSING = "missing"  # gold has it, the result has not
    SUPERFLUOUS = "superfluous"  # the result has it, gold has not


@dataclass(frozen=True)
class TextError:
    """A run of words that is missing or superfluous.

    Attributes:
        kind: Which of the two.
        first, last: Its words in the source: the first, and one past the last.
        text: Their text.
    """

    kind: ErrorKind
    first: int
    last: int
    text: str

    @property
    def words(self) -> int:
        """Number of its words, as measures count them: signs between blanks are none."""
        return len(words_of(self.text))


class BlockFault(StrEnum):
    MISSED = "missed"  # a gold block that no block is about
    SUPERFLUOUS = "superfluous block"  # a block about no gold block
    SPLIT = "split"  # a gold block in which several blocks lie
    MERGED = "merged"  # a block that contains several gold blocks
    OFF = "off"  # a gold block alone in a block, or the reverse


@dataclass(frozen=True)
class BlockError:
    """A block that is wrong.

    Attributes:
        kind: How.
        rows: The gold block's nodes; those of the block itself if it is superfluous or merged.
        level: Its level.
        type: Its type: of the gold block, of all gold blocks that were merged, or of the block.
        area: How large it is, CSS px².
        parts: The blocks it was split into, or the gold blocks that were merged.
    """

    kind: BlockFault
    rows: tuple[int, ...]
    level: Level
    type: str
    area: float
    parts: tuple[Block, ...] = ()


def words_kept(extraction: Extraction, source: Source | None = None) -> Bools:
    """Return the words of a source, by default its own, that an extraction keeps, bool (w,)."""
    source = source or extraction.source
    first, last = source.words_in(extraction.spans).T
    return mark_covered(first, last, source.tokens.words.size)


def text_errors(predicted: Extraction, gold: Extraction) -> tuple[TextError, ...]:
    """Return missing and superfluous text in document order.

    Args:
        predicted: What a method extracted.
        gold: What it should have, spans of the same source.
    """
    spans, words = predicted.source.tokens.spans, predicted.source.text_of
    has, wants = words_kept(predicted), words_kept(gold, predicted.source)
    result = [
        TextError(kind, int(first), int(last), words([[spans[first, 0], spans[last - 1, 1]]]))
        for kind, flags in (
            (ErrorKind.MISSING, wants & ~has),
            (ErrorKind.SUPERFLUOUS, has & ~wants),
        )
        for first, last in zip(*runs_of(flags), strict=True)
    ]
    return tuple(sorted(result, key=lambda error: error.first))


def holds(nodes: NodeTable, rows: Sequence[int], row: int) -> bool:
    """Return whether a row is in the subtree of one of some rows."""
    return any(nodes.is_inside(row, own) for own in rows)


def size_below(nodes: NodeTable, rows: Sequence[int]) -> int:
    """Return how many rows the subtrees of some rows have."""
    return sum(int(nodes.end[row]) - row for row in rows)


def block_errors(predicted: Segmentation, gold: Segmentation) -> tuple[BlockError, ...]:
    """Return the blocks that are missed, superfluous, split, merged or off, in document order.

    A level that only one of the two has is skipped, unless they have none in common.
    """
    levels = {block.level for block in predicted.blocks} & {block.level for block in gold.blocks}
    cut = Cut(predicted, gold)
    result: list[BlockError] = []
    for level in [str(each) for each in sorted(levels)] or ["all"]:
        result += _block_errors(cut, level)
    return tuple(sorted(result, key=lambda error: (error.rows[0], error.level)))


def _block_errors(cut: Cut, level: str) -> list[BlockError]:
    table = cut.table("pixels", level)
    result = overlaps_in(table, of_level(cut.predicted, level), of_level(cut.gold, level))
    each = match_outcomes(result)
    errors = []
    for j, outcome in enumerate(each.gold):
        block, area = result.gold[j], float(result.theirs[j])
        if outcome not in ("right", "merged"):
            parts = tuple(result.predicted[i] for i in np.flatnonzero(each.ours_in[:, j]).tolist())
            errors.append(
                BlockError(BlockFault(outcome), block.rows, block.level, block.type, area, parts)
            )
    for i in each.mergers:
        inside = np.flatnonzero(each.theirs_in[i]).tolist()
        if any(each.gold[j] == "merged" for j in inside):
            block, area = result.predicted[i], float(result.ours[i])
            parts = tuple(result.gold[j] for j in inside)
            types = ", ".join(dict.fromkeys(part.type for part in parts if part.type))
            errors.append(
                BlockError(BlockFault.MERGED, block.rows, block.level, types, area, parts)
            )
    for i in each.false:
        block, area = result.predicted[i], float(result.ours[i])
        errors.append(BlockError(BlockFault.SUPERFLUOUS, block.rows, block.level, block.type, area))
    return errors
