"""Suggestions: what several methods propose on a page, put together where they agree.

Two blocks are one proposal if their boxes are alike by `SAME` (intersection over union) or hold
just the same words and pictures.  Main content that the same methods keep, and that forms whole
elements, is one proposal an element.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from algorithms.levels import LEVELS, Level
from algorithms.results import Block, Extraction, Result, Segmentation
from annotate.marks import edits
from annotate.marks.gold import MAIN, Gold, Target
from annotate.marks.page_text import page_text
from annotate.marks.targets import beside, grow_targets, leaves, remainder
from engine import geometry
from engine.errors import InputError
from engine.nodes import NodeTable
from engine.page import Page

SAME = 0.9
"""How alike two boxes must be to be one proposal."""

KEPT = 0.5
"""A text is kept by a method that keeps at least this share of its characters."""

T = TypeVar("T")

SuggestionKey = tuple[int, tuple[Target, ...]]
"""Level and place."""


@dataclass(frozen=True)
class Suggestion:
    """A suggested mark.

    Attributes:
        level: `MAIN`, 1 or 2: that of most of its methods, of equal numbers the first one's.
        type: The same of types, "" if no method has one.
        targets: Its targets.
        methods: Keys of the methods that propose it, in the order they were given.
        asked: Number of methods of its kind that were run.
    """

    level: Level
    type: str
    targets: tuple[Target, ...]
    methods: tuple[str, ...]
    asked: int

    @property
    def key(self) -> SuggestionKey:
        return self.level, self.targets

    @property
    def rows(self) -> tuple[int, ...]:
        return tuple(target.row for target in self.targets)


def suggest(page: Page, results: Mapping[str, Result]) -> tuple[Suggestion, ...]:
    """Return the suggestions of methods in document order, larger ones before nested ones."""
    texts = {key: x for key, x in results.items() if isinstance(x, Extraction)}
    blocks = {key: x for key, x in results.items() if isinstance(x, Segmentation)}
    result = [*_of_blocks(page.rendered(), blocks), *_of_texts(page, texts)]
    end = page.rendered().end
    return tuple(sorted(result, key=lambda s: (s.rows[0], -int(end[s.rows[-1]]), s.level)))


def _of_blocks(nodes: NodeTable, results: Mapping[str, Segmentation]) -> list[Suggestion]:
    groups: list[dict[str, Block]] = []
    boxes = np.zeros((0, 4))
    words: dict[tuple[int, ...], int] = {}  # what a group holds → its place
    for key, result in results.items():
        for block in result.blocks:
            box = geometry.union(nodes.rect[list(block.rows)])
            inside = _inside(nodes, block.rows)
            position = words.get(inside, -1) if inside else -1
            if position < 0 and len(boxes):
                alike = geometry.iou(box[None], boxes)[0]
                best = int(np.argmax(alike))
                position = best if alike[best] >= SAME else -1
            if position < 0 or key in groups[position]:
                position = len(groups)
                groups.append({})
                boxes = np.vstack([boxes, box])
                words.setdefault(inside, position)
            groups[position][key] = block
    return [_joined(nodes, group, len(results)) for group in groups]


def _inside(nodes: NodeTable, rows: Sequence[int]) -> tuple[int, ...]:
    """Return the words and pictures in some nodes."""
    return tuple(int(leaf) for row in rows for leaf in leaves(nodes, row))


def _joined(nodes: NodeTable, group: Mapping[str, Block], asked: int) -> Suggestion:
    blocks = list(group.values())
    targets = tuple(sorted(beside(nodes, [Target(row) for row in blocks[0].rows])))
    level = _usual([block.level for block in blocks])
    kind = _usual([block.type for block in blocks if block.type] or [""])
    return Suggestion(level, kind, targets, tuple(group), asked)


def _usual(values: Sequence[T]) -> T:
    """Return the most frequent value, of equally frequent ones the first."""
    return Counter(values).most_common(1)[0][0]


def _of_texts(page: Page, results: Mapping[str, Extraction]) -> list[Suggestion]:
    if not results:
        return []
    nodes = page.rendered()
    rows = page_text(nodes).rows
    is_kept = np.stack([_rows_kept(page, each) for each in results.values()])[:, rows]
    result = []
    for pattern in np.unique(is_kept, axis=1).T:
        if not pattern.any():
            continue
        same = (is_kept == pattern[:, None]).all(axis=0)
        methods = tuple(key for key, is_in in zip(results, pattern, strict=True) if is_in)
        for target in grow_targets(nodes, [Target(row) for row in rows[same].tolist()]):
            result.append(Suggestion(MAIN, "", (target,), methods, len(results)))
    return result


def _rows_kept(page: Page, result: Extraction) -> npt.NDArray[np.bool_]:
    """Return which text rows a method keeps, bool (n,)."""
    nodes = page.rendered()
    letters = np.zeros(len(nodes))
    for row, start, end in page.alignment(result.source).ranges(result.spans).tolist():
        letters[row] += len("".join(nodes.text[row][start:end].split()))
    own = np.array([len("".join(text.split())) for text in nodes.text], dtype=np.float64)
    return (own > 0) & (letters >= KEPT * own)


def open_ones(
    result: Sequence[Suggestion],
    gold: Gold,
    nodes: NodeTable,
    rejected: Collection[SuggestionKey] = (),
) -> tuple[Suggestion, ...]:
    """Return the suggestions that are not marked on their level (drafts included) nor rejected."""
    main = [t for mark in gold.of_level(MAIN) for t in mark.targets]
    boxes = {level: _boxes(nodes, gold, level) for level in LEVELS}
    blocks = (mark for level in LEVELS for mark in gold.of_level(level))
    held = {(mark.level, _inside(nodes, [t.row for t in mark.targets])) for mark in blocks}
    targets = {(mark.level, mark.targets) for mark in gold.marks}

    def is_open(each: Suggestion) -> bool:
        if each.key in rejected or each.key in targets:
            return False
        if each.level == MAIN:
            return bool(remainder(nodes, each.targets, main))
        if (each.level, _inside(nodes, each.rows)) in held - {(each.level, ())}:
            return False
        marked = boxes[each.level]
        if not len(marked):
            return True
        box = geometry.union(nodes.rect[list(each.rows)])[None]
        return bool(geometry.iou(box, marked).max() < SAME)

    return tuple(filter(is_open, result))


def _boxes(nodes: NodeTable, gold: Gold, level: Level) -> npt.NDArray[np.float64]:
    boxes = [geometry.union(nodes.rect[[t.row for t in m.targets]]) for m in gold.of_level(level)]
    return np.stack(boxes) if boxes else np.zeros((0, 4))


def accept_suggestion(gold: Gold, nodes: NodeTable, suggestion: Suggestion) -> Gold:
    """Return the gold with an accepted suggestion marked, as gold at once."""
    if suggestion.level == MAIN:
        return edits.add_main(gold, nodes, suggestion.targets)
    try:
        return edits.add_block(gold, nodes, suggestion.targets, suggestion.level, suggestion.type)
    except InputError:
        if len(suggestion.targets) < 2:
            raise
    for target in suggestion.targets:  # nodes that are not adjacent become separate blocks
        gold = edits.add_block(gold, nodes, [target], suggestion.level, suggestion.type)
    return gold
