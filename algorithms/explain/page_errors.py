"""Errors for readers: location on the rendered page, amount, heading.

An error of an extraction is counted in words, one of a segmentation in CSS px².  What the page does
not show (words of a source that are not rendered, or hidden) is listed too, without a place.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from algorithms.explain.differences import (
    BlockError,
    BlockFault,
    ErrorKind,
    TextError,
    block_errors,
    holds,
    size_below,
    text_errors,
    words_kept,
)
from algorithms.results import Extraction, Result, Segmentation, keep_words, nothing
from engine.nodes import NodeTable
from engine.page import Page
from engine.sequences import common_words
from engine.source import Source
from engine.words import plural

LANDMARKS = {
    "nav": "Navigation", "aside": "Aside", "footer": "Footer", "header": "Header",
    "form": "Form", "table": "Table", "article": "Article", "main": "Main",
}  # fmt: skip
"""Name of the area outside all gold blocks."""

TextRange = tuple[int, int, int]
"""Row of a text, and start and end in it, code points."""


class ErrorOrder(StrEnum):
    POSITION = "position"
    SIZE = "size"


@dataclass(frozen=True)
class PageError:
    """Error to be listed and drawn.

    Attributes:
        kind: Kind of the error.
        amount: How much: words, or CSS px².
        share: The area as a share of the page's; 0 for words.
        text: Text of the place.
        heading: The block at or around it: "Sidebar"; "" where unknown.
        rows: The block's nodes, or the texts it is in; empty where the page does not show it.
        ranges: The text, for an error of an extraction.
        parts: Boxes inside: what a block was split into, or what was merged.
        word: A word in the middle of it, in the source the method read; -1 for a block.
        span: The words, first and one past the last; (-1, -1) for a block.
        is_elsewhere: Whether only another input has them: then words count on behind those of the
            source the method read.
        at: Its sort key: its first word, or the one before it of the source that was read.
        in_gold: Whether gold has it, where two methods are compared; else None.
    """

    kind: ErrorKind | BlockFault
    amount: float
    text: str
    heading: str
    rows: tuple[int, ...]
    ranges: tuple[TextRange, ...] = ()
    parts: tuple[tuple[int, ...], ...] = ()
    word: int = -1
    span: tuple[int, int] = (-1, -1)
    in_gold: bool | None = None
    share: float = 0.0
    is_elsewhere: bool = False
    at: int = -1

    @property
    def is_text(self) -> bool:
        """Whether words are wrong, not a block."""
        return self.word >= 0

    @property
    def size(self) -> str:
        """Size of the error, in words: "212 words", "12 % of the page"."""
        if self.is_text:
            return plural(round(self.amount), "word")
        percent = 100 * self.share
        return f"{percent:.0f} % of the page" if percent >= 1 else f"{percent:.1f} % of the page"

    @property
    def in_words(self) -> str:
        """The error in a few words: "212 words missing"."""
        return f"{self.size} {self.kind}" if self.is_text else f"{self.kind}, {self.size}"


@dataclass(frozen=True)
class DiffPiece:
    """Part of the joint text of extract and gold.

    Attributes:
        kind: Which of the two has it not; None where both have it.
        first: Its first word in the source.
        text: Its text.
        before: White space between it and the part before.
    """

    kind: ErrorKind | None
    first: int
    text: str
    before: str


def text_diff(page: Page, result: Extraction, other: Extraction) -> tuple[DiffPiece, ...]:
    """Return all that either of two extractions has, in the order of the source."""
    source = result.source
    has, wants = words_kept(result), words_kept(in_source(page, other, source))
    state = np.where(has & wants, 3, np.where(wants, 2, np.where(has, 1, 0)))
    borders = np.flatnonzero(np.diff(state, prepend=-1, append=-1))
    kinds = {1: ErrorKind.SUPERFLUOUS, 2: ErrorKind.MISSING, 3: None}
    spans, joints = source.tokens.spans, source.tokens.joints
    results: list[DiffPiece] = []
    last = -1
    for first, end in zip(borders[:-1].tolist(), borders[1:].tolist(), strict=True):
        if not state[first]:
            continue
        before = "" if last < 0 else "\n"
        if first == last:
            before = ("", " ", "\n")[int(joints[first])]
        text = source.text_of([[spans[first, 0], spans[end - 1, 1]]])
        results.append(DiffPiece(kinds[int(state[first])], first, text, before))
        last = end
    return tuple(results)


def in_source(page: Page, extraction: Extraction, source: Source) -> Extraction:
    """Return an extraction as spans of another source of its page, through the rendered text."""
    if extraction.source is source:
        return extraction
    ranges = page.alignment(extraction.source).ranges(extraction.spans)
    return Extraction(source, page.alignment(source).spans(ranges))


def errors_of(
    page: Page,
    result: Result,
    other: Result,
    blocks: Segmentation | None = None,
    gold: Extraction | None = None,
) -> tuple[PageError, ...]:
    """Return where a result differs from another, in the order of the page.

    Args:
        page: What both are of.
        result: What a method gave.
        other: What it should have been: gold, or another method's result of the same kind.
        blocks: The gold blocks, to name the location of an error.
        gold: The gold text, where ``other`` is not gold: shows which of two methods is right.
    """
    if isinstance(result, Extraction) and isinstance(other, Extraction):
        reference = in_source(page, other, result.source)
        gold_words = None
        if gold is not None:
            gold_words = words_kept(in_source(page, gold, result.source))
        return tuple(
            _placed(page, result.source, error, blocks, gold_words)
            for error in text_errors(result, reference)
        )
    if isinstance(result, Segmentation) and isinstance(other, Segmentation):
        return tuple(_block(error, result.nodes) for error in block_errors(result, other))
    return ()


def input_errors(
    page: Page,
    result: Extraction,
    other: Extraction,
    blocks: Segmentation | None = None,
    gold: Extraction | None = None,
) -> tuple[tuple[PageError, ...], tuple[DiffPiece, ...]]:
    """Return where a method's results on two inputs of a page differ, and both as one text.

    The words of both inputs are laid side by side, so that what the page does not show counts, too.
    Words that only the other input has are missing where they would stand.
    """
    mine, theirs = result.source, other.source
    pairs = common_words(mine.words, theirs.words)
    have, wants = words_kept(other), np.zeros(len(mine.words), dtype=bool)
    wants[pairs[:, 0]] = have[pairs[:, 1]]
    alone = have.copy()
    alone[pairs[:, 1]] = False
    reference = keep_words(mine, wants)
    results = list(errors_of(page, result, reference, blocks, gold))
    pieces = [(piece.first, piece) for piece in text_diff(page, result, reference)]
    more = len(mine.words)
    gold_words = None if gold is None else words_kept(in_source(page, gold, theirs))
    for error in text_errors(nothing(theirs), keep_words(theirs, alone)):
        before = int(np.searchsorted(pairs[:, 1], error.first)) - 1
        at = int(pairs[before, 0]) if before >= 0 else -1
        placed = _placed(page, theirs, error, blocks, gold_words)
        span = (error.first + more, error.last + more)
        results.append(
            replace(placed, word=placed.word + more, span=span, is_elsewhere=True, at=at)
        )
        pieces.append((at, DiffPiece(ErrorKind.MISSING, span[0], error.text, "\n")))
    results.sort(key=lambda each: (each.at, each.is_elsewhere))
    pieces.sort(key=lambda each: (each[0], each[1].first >= more))
    return tuple(results), tuple(piece for _, piece in pieces)


def order_errors(errors: Sequence[PageError], order: ErrorOrder) -> tuple[PageError, ...]:
    """Return errors as they are listed; of equal size the upper one comes first."""
    if order is ErrorOrder.SIZE:
        return tuple(sorted(errors, key=lambda error: -error.amount))
    return tuple(errors)


def count_errors(errors: Sequence[PageError]) -> str:
    """Return a summary of errors in words: "12 missing (512 words), 5 superfluous (40 words)"."""
    kinds: dict[str, list[PageError]] = {}
    for error in errors:
        kinds.setdefault(str(error.kind), []).append(error)
    text = []
    for kind, those in kinds.items():
        words = plural(round(sum(error.amount for error in those)), "word")
        many = f"{kind}s" if kind.endswith("block") else kind
        count = plural(len(those), kind, many)
        text.append(f"{count} ({words})" if those[0].is_text else count)
    return ", ".join(text)


def word_at(page: Page, source: Source, row: int, offset: int = -1) -> int:
    """Return the index of the source word at a place of the page; -1 if there is none.

    ``offset`` counts code points of a text row; for an element, and where no word is at the very
    place, the nearest word of the row's subtree counts.
    """
    nodes, position = page.rendered(), page.alignment(source).place
    inside = np.flatnonzero((position[:, 0] >= row) & (position[:, 0] < nodes.end[row]))
    if not inside.size:
        return -1
    if offset < 0:
        return int(inside[inside.size // 2])
    starts, ends = position[inside, 1], position[inside, 2]
    away = np.maximum(np.maximum(starts - offset, offset - ends), 0)
    return int(inside[np.argmin(away)])


def _placed(
    page: Page,
    source: Source,
    error: TextError,
    blocks: Segmentation | None,
    gold_words: np.ndarray | None,
) -> PageError:
    nodes = page.rendered()
    spans = source.tokens.spans
    span = [[spans[error.first, 0], spans[error.last - 1, 1]]]
    ranges = [
        (row, start, end)
        for row, start, end in page.alignment(source).ranges(span).tolist()
        if nodes.visible[row]
    ]
    rows = tuple(dict.fromkeys(row for row, _, _ in ranges))
    in_gold = None
    if gold_words is not None:
        in_gold = bool(gold_words[error.first : error.last].mean() > 0.5)
    return PageError(
        error.kind,
        error.words,
        error.text,
        heading_of(nodes, rows[0], blocks) if rows else "",
        rows,
        tuple(ranges),
        word=(error.first + error.last) // 2,
        span=(error.first, error.last),
        in_gold=in_gold,
        at=error.first,
    )


def _block(error: BlockError, nodes: NodeTable) -> PageError:
    text = " ".join(" ".join(nodes.text_below(row) for row in error.rows).split())
    heading = error.type or heading_of(nodes, error.rows[0], None)
    level = f"level {error.level}"
    return PageError(
        error.kind,
        error.area,
        text,
        f"{heading} · {level}" if heading else level,
        error.rows,
        parts=tuple(part.rows for part in error.parts),
        share=error.area / max(1, nodes.width * nodes.height),
    )


def heading_of(nodes: NodeTable, row: int, blocks: Segmentation | None) -> str:
    """Return the name of a row's place: the smallest gold block with a type, or a landmark."""
    blocks_at = blocks.blocks if blocks is not None else ()
    held = [block for block in blocks_at if block.type and holds(nodes, block.rows, row)]
    if held:  # the last of equal ones
        return min(held[::-1], key=lambda block: size_below(nodes, block.rows)).type
    while row >= 0:
        if name := LANDMARKS.get(nodes.name_of(row)):
            return name
        row = int(nodes.parent[row])
    return ""
