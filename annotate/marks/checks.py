"""Checks: what may be wrong with the marks of a page, found while they are made.

Drafts are not checked, nor marks that are lost.  Nothing here decides: gold of published data sets
has all of it.  A finding can be fixed where only one thing can be meant.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from algorithms.levels import LEVELS
from algorithms.results import Extraction, Result, Segmentation
from algorithms.signals.memo import shared
from annotate.marks import edits
from annotate.marks.gold import MAIN, Gold, Mark
from annotate.marks.targets import leaves, shows
from engine import geometry
from engine.code_points import letter_codes
from engine.nodes import NodeTable
from engine.page import Page
from engine.tokenise import spaces
from engine.tree import lock
from engine.words import sentence

OVERLAP = 0.1
"""Blocks overlap if they share at least this part of the smaller one's area."""

WHOLE = 0.95
"""A block is all of the page if it covers at least this part of it."""

FEWEST = 3
"""Fewest methods needed for the finding that no method has a mark."""

LIKE = 0.5
"""A method has a block if one of its own is like it by this overlap (intersection over union)."""

KEPT = 0.5
"""A method has a piece of main content if it keeps this share of its characters."""


class FindingKind(StrEnum):
    """Kind of a finding."""

    OUTSIDE = "outside"
    OVERLAP = "overlap"
    MAIN_OUTSIDE = "main outside"
    EMPTY = "empty"
    DUPLICATE = "duplicate"
    UNTYPED = "untyped"
    WHOLE_PAGE = "whole page"
    NO_MAIN = "no main content"
    AGAINST = "methods against"


@dataclass(frozen=True)
class Finding:
    """A finding on the gold.

    Attributes:
        kind: Its kind.
        says: The finding as a sentence.
        marks: Ids of the marks it is about, the first the one to be shown; none: the page.
        fix: Effect of the fix, in a few words; "" if the user must decide.
    """

    kind: FindingKind
    says: str
    marks: tuple[str, ...] = ()
    fix: str = ""


def check(gold: Gold, page: Page, results: Mapping[str, Result] | None = None) -> list[Finding]:
    """Return what may be wrong, in document order; ``results`` are methods' on the same page."""
    nodes, sure = page.rendered(), gold.sure
    placed = [mark for mark in sure.marks if mark.targets]
    result = [
        *_of_single(nodes, placed),
        *_of_pairs(nodes, sure),
        *_of_levels(nodes, sure),
        *_against(page, placed, results or {}),
    ]
    rows = {mark.id: mark.targets[0].row for mark in placed}
    result.sort(key=lambda each: rows[each.marks[0]])
    if placed and not sure.of_level(MAIN):
        result.append(Finding(FindingKind.NO_MAIN, "No main content is marked."))
    return result


def fix_finding(gold: Gold, finding: Finding) -> Gold:
    """Return the gold with a finding fixed; the same where that takes a decision."""
    return edits.remove(gold, finding.marks[:1]) if finding.fix else gold


def name_of(mark: Mark) -> str:
    if mark.level == MAIN:
        return "a piece of main content"
    return f"“{mark.type}”" if mark.type else f"a level-{mark.level} block"


def _finding(kind: FindingKind, says: str, *marks: Mark, fix: str = "") -> Finding:
    return Finding(kind, f"{sentence(says)}.", tuple(m.id for m in marks), fix)


def _of_single(nodes: NodeTable, marks: Sequence[Mark]) -> Iterator[Finding]:
    page = float(nodes.width) * float(nodes.height)
    for mark in marks:
        rows = [target.row for target in mark.targets]
        name = name_of(mark)
        if not any(shows(nodes, row) for row in rows):
            yield _finding(FindingKind.EMPTY, f"{name} shows nothing", mark, fix="delete it")
            continue
        if mark.level == MAIN:
            continue
        if not mark.type and not mark.awaits_type:
            yield _finding(FindingKind.UNTYPED, f"{name} has no type", mark)
        area = float(geometry.areas(geometry.union(nodes.rect[rows])[None])[0])
        is_root = any(nodes.name_of(row) in ("html", "body") for row in rows)
        if is_root or (page > 0 and area >= WHOLE * page):
            yield _finding(FindingKind.WHOLE_PAGE, f"{name} is all of the page", mark)


def _of_pairs(nodes: NodeTable, gold: Gold) -> Iterator[Finding]:
    """Yield duplicates, and blocks of a level that overlap."""
    for level in LEVELS:
        marks = gold.of_level(level)
        if len(marks) < 2:
            continue
        contents = [tuple(_content(nodes, mark)) for mark in marks]
        boxes = np.stack([_box(nodes, mark) for mark in marks])
        areas = geometry.areas(boxes)
        shared = geometry.overlaps(boxes, boxes)
        least = np.minimum(areas[:, None], areas[None, :])
        close = (shared >= OVERLAP * least) & (least > 0)
        for second in range(len(marks)):
            for first in range(second):
                one, other = marks[first], marks[second]
                is_same = contents[first] == contents[second] != ()
                if is_same and shared[first, second] >= 0.9 * least[first, second]:
                    says = f"{name_of(other)} is there twice on level {level}"
                    is_alike = one.type == other.type
                    fix = "delete one of them" if is_alike else ""
                    yield _finding(FindingKind.DUPLICATE, says, other, one, fix=fix)
                elif close[first, second] or set(contents[first]) & set(contents[second]):
                    says = f"{name_of(other)} and {name_of(one)} overlap on level {level}"
                    yield _finding(FindingKind.OVERLAP, says, other, one)


def _of_levels(nodes: NodeTable, gold: Gold) -> Iterator[Finding]:
    """Yield content outside all level-1 blocks, if there are any."""
    outer = gold.of_level(1)
    if not outer:
        return
    inside = np.zeros(len(nodes), dtype=bool)
    for mark in outer:
        for target in mark.targets:
            inside[target.row : int(nodes.end[target.row])] = True
    boxes = np.stack([_box(nodes, mark) for mark in outer])
    for mark in gold.of_level(2):
        rows = [target.row for target in mark.targets]
        content = list(_content(nodes, mark))
        held = inside[content].all() if content else inside[rows].all()
        covered = geometry.covered(_box(nodes, mark)[None], boxes).max() >= 1 - OVERLAP
        if not held and not (covered and not content):
            says = f"{name_of(mark)} on level 2 lies outside every level-1 block"
            yield _finding(FindingKind.OUTSIDE, says, mark)
    for mark in gold.of_level(MAIN):
        if not all(inside[target.row] for target in mark.targets):
            content = list(_content(nodes, mark))
            if not content or not inside[content].all():
                says = "main content lies outside every level-1 block"
                yield _finding(FindingKind.MAIN_OUTSIDE, says, mark)


def _against(page: Page, marks: Sequence[Mark], results: Mapping[str, Result]) -> Iterator[Finding]:
    """Yield marks that no method has anything like: one finding a type, for gold may well be right.

    Gold is what methods are judged by, so none of this asks for a change, or holds a page up.
    """
    nodes = page.rendered()
    texts = [x for x in results.values() if isinstance(x, Extraction)]
    blocks = [x for x in results.values() if isinstance(x, Segmentation)]
    keeps = _keeps(page, texts) if len(texts) >= FEWEST else None
    finds = _finds(nodes, blocks) if len(blocks) >= FEWEST else None
    alone: dict[tuple[bool, str], list[Mark]] = {}
    for mark in marks:
        has = keeps if mark.level == MAIN else finds
        if has is not None and not has(mark):
            alone.setdefault((mark.level == MAIN, mark.type), []).append(mark)
    for (is_main, kind), ones in alone.items():
        if is_main:
            what = "this main content" if len(ones) == 1 else f"{len(ones)} pieces of main content"
            says = f"no method keeps {what}; leave what is meant so"
        elif len(ones) == 1:
            says = f"no method found {name_of(ones[0])}; leave it if its extent is right"
        else:
            what = f"blocks of type “{kind}”" if kind else "blocks without type"
            says = f"no method found {len(ones)} {what}; leave them if their extents are right"
        yield _finding(FindingKind.AGAINST, says, *ones)


def _keeps(page: Page, results: Sequence[Extraction]) -> Callable[[Mark], bool]:
    """Return whether some method keeps a piece of main content."""
    nodes = page.rendered()
    starts, inked = _inked(nodes)
    weights = np.zeros((len(results), len(nodes)))
    for index, result in enumerate(results):
        row, start, end = page.alignment(result.source).ranges(result.spans).T
        letters = inked[starts[row] + end] - inked[starts[row] + start]
        weights[index] = np.bincount(row, letters, len(nodes))
    own = np.diff(inked[starts])

    def has(mark: Mark) -> bool:
        rows = [row for row in _content(nodes, mark) if own[row] > 0]
        if not rows or not len(results):
            return True  # pictures have no text
        return bool((weights[:, rows].sum(axis=1) >= KEPT * own[rows].sum()).any())

    return has


@shared
def _inked(nodes: NodeTable) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Start of each row's text in all texts, (n + 1,), and number of letters before each offset."""
    starts = np.cumsum([0, *map(len, nodes.text)])
    codes = letter_codes("".join(nodes.text))
    inked = np.concatenate(([0], np.cumsum(~spaces(codes))))
    lock(starts)
    lock(inked)
    return starts, inked


def _finds(nodes: NodeTable, results: Sequence[Segmentation]) -> Callable[[Mark], bool]:
    """Return whether some method has a block like a mark, on either level."""
    boxes = [geometry.union(nodes.rect[list(block.rows)]) for x in results for block in x.blocks]
    there = np.stack(boxes) if boxes else np.zeros((0, 4))

    def has(mark: Mark) -> bool:
        box = _box(nodes, mark)
        if not geometry.areas(box[None])[0]:
            return True
        return bool(len(there) and geometry.iou(box[None], there).max() >= LIKE)

    return has


def _content(nodes: NodeTable, mark: Mark) -> Iterator[int]:
    for target in mark.targets:
        yield from leaves(nodes, target.row).tolist()


def _box(nodes: NodeTable, mark: Mark) -> npt.NDArray[np.float64]:
    return geometry.union(nodes.rect[[target.row for target in mark.targets]])
