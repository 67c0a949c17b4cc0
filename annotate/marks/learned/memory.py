"""Statistics of confirmed pages: how often items with a clue were marked, from page to page.

The chance of an item begins at the shipped model's, set right for this annotator by a line through
log odds, and goes from clue to clue, each more particular than the one before: with n pages on
which a clue stood, and h the sum of the shares of its items that were marked there, the chance p
becomes (k p + h) / (k + n).  That is hierarchical smoothing with a Dirichlet prior (D. MacKay,
L. Peto, "A Hierarchical Dirichlet Language Model", 1995).  Types go the same way.

All of it is counts: learning one more page adds its own, so that a refit takes milliseconds and the
order of the pages does not matter.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.levels import Level
from annotate.marks.gold import MAIN, Gold, Mark
from annotate.marks.learned.offers import MARKED, Offer, OfferedItems
from engine.tree import Bools, Doubles, Longs

WEIGHTS = {MAIN: (4.0, 2.0, 1.0, 0.5, 0.5), 1: (4.0, 2.0, 1.0, 0.5, 1.0, 0.5)}
WEIGHTS[2] = WEIGHTS[1]
"""By level: how many pages what was known before counts for, clue by clue."""

_RIDGE = 20.0
"""How strongly the line through log odds stays the shipped model's own."""

_FAR = 6.0
"""Log odds beyond which a model is taken to be as sure as it can be."""

TypeCounts = Mapping[int, Mapping[str, float]]
"""Clue → type → on how many pages."""


@dataclass(frozen=True, eq=False)
class LevelLesson:
    """Training data of a page for one level.

    Attributes:
        clues: int64 (u,). Those of its items, each once.
        share: float64 (u,). Which share of the items with it were marked.
        chance: float64 (n,). What the shipped model took them for.
        is_marked: bool (n,).
        types: Of those that were marked with a type.
    """

    clues: Longs
    share: Doubles
    chance: Doubles
    is_marked: Bools
    types: TypeCounts


@dataclass(frozen=True, eq=False)
class Lesson:
    """Training data of a page, by level; levels without a mark teach nothing."""

    levels: Mapping[Level, LevelLesson]


def lesson(page: Offer, gold: Gold) -> Lesson:
    """Return what the confirmed marks of a page teach; drafts, and lost marks, teach nothing.

    Blocks of both levels teach together: where one is marked, the other was looked for as well.
    """
    sure = gold.sure
    has_blocks = bool(sure.of_level(1) or sure.of_level(2))
    taught = [level for level in MARKED if (has_blocks if level else sure.of_level(MAIN))]
    return Lesson({level: _of_level(page, sure, level) for level in taught})


def _of_level(page: Offer, gold: Gold, level: Level) -> LevelLesson:
    items, is_marked = page.items[level], page.is_marked(gold, level)
    clues, share = [], []
    for column in range(items.clues.shape[1]):
        known, at, count = np.unique(
            items.clues[:, column], return_inverse=True, return_counts=True
        )
        hits = np.bincount(at.ravel(), weights=is_marked, minlength=known.size)
        clues.append(known)
        share.append(hits / np.maximum(count, 1))
    types = _types(page, items, gold.of_level(level)) if level else {}
    return LevelLesson(np.concatenate(clues), np.concatenate(share), items.chance, is_marked, types)


def _types(page: Offer, items: OfferedItems, marks: Sequence[Mark]) -> TypeCounts:
    counts: dict[int, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for mark in marks:
        item = int(page.of_row[mark.targets[0].row]) if len(mark.targets) == 1 else -1
        if item >= 0:
            for clue in items.clues[item].tolist():
                counts[clue][mark.type] += 1.0
    return {  # a page counts once, however often it has a clue
        clue: {kind: n / sum(of.values()) for kind, n in of.items()} for clue, of in counts.items()
    }


@dataclass(frozen=True, eq=False)
class _LevelMemory:
    keys: Longs  # (u,): clues, ascending
    pages: Doubles  # (u,)
    hits: Doubles  # (u,)
    line: tuple[float, float]
    types: TypeCounts


@dataclass(frozen=True, eq=False)
class Memory:
    """Model learned from some pages: their number, and the levels that were learned."""

    pages: int
    levels: Mapping[Level, _LevelMemory]

    @property
    def knows_types(self) -> bool:
        """Whether some block was marked with a type."""
        return any(
            kind for each in self.levels.values() for of in each.types.values() for kind in of
        )

    def chances(self, items: OfferedItems, level: Level) -> Doubles:
        """Return how probable it is that each item is marked, float64 (n,)."""
        known = self.levels.get(level)
        if known is None:
            return items.chance
        slope, shift = known.line
        chance = 1 / (1 + np.exp(-(slope * _log_odds(items.chance) + shift)))
        for column, weight in enumerate(WEIGHTS[level]):
            at, is_known = _index(known.keys, items.clues[:, column])
            pages, hits = (np.where(is_known, x[at], 0) for x in (known.pages, known.hits))
            chance = (weight * chance + hits) / (weight + pages)
        return chance

    def type_of(self, page: Offer, item: int, level: Level) -> tuple[str, float]:
        """Return the type a block most probably gets, and how probable that is."""
        items = page.items[level]
        suggested, sure = page.type_of(int(items.rows[item]), level)
        known = self.levels.get(level)
        if known is None:
            return suggested, sure
        if not self.knows_types:
            return "", 1.0
        odds = defaultdict(float, {suggested: sure if suggested else 0.2})
        for column, weight in enumerate(WEIGHTS[level]):
            counts = known.types.get(int(items.clues[item, column]))
            if counts:
                total = weight + sum(counts.values())
                odds = defaultdict(float, {kind: weight * p / total for kind, p in odds.items()})
                for kind, count in counts.items():
                    odds[kind] += count / total
        kind = max(odds, key=lambda each: (odds[each], each))
        return kind, odds[kind]


def memory_of(lessons: Sequence[Lesson]) -> Memory:
    """Return what lessons teach together; their order does not matter."""
    taught = {level for each in lessons for level in each.levels}
    by_level = {
        level: _together([each.levels[level] for each in lessons if level in each.levels], level)
        for level in sorted(taught)
    }
    return Memory(len(lessons), by_level)


def _together(lessons: Sequence[LevelLesson], level: Level) -> _LevelMemory:
    clues = np.concatenate([each.clues for each in lessons])
    keys, at = np.unique(clues, return_inverse=True)
    share = np.concatenate([each.share for each in lessons])
    at = at.ravel()
    types: dict[int, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for each in lessons:
        for clue, of in each.types.items():
            for kind, count in of.items():
                types[clue][kind] += count
    return _LevelMemory(
        keys,
        np.bincount(at, minlength=keys.size).astype(np.float64),
        np.bincount(at, weights=share, minlength=keys.size).astype(np.float64),
        _line(lessons),
        {clue: dict(of) for clue, of in types.items()},
    )


def _index(keys: Longs, asked: Longs) -> tuple[Longs, Bools]:
    if not keys.size:
        return np.zeros(asked.size, dtype=np.int64), np.zeros(asked.size, dtype=bool)
    at = np.minimum(np.searchsorted(keys, asked), keys.size - 1)
    return at, np.asarray(keys[at] == asked)


def _log_odds(chance: Doubles) -> Doubles:
    small = np.clip(chance, 1e-6, 1 - 1e-6)
    return np.asarray(np.clip(np.log(small / (1 - small)), -_FAR, _FAR))


def _line(lessons: Sequence[LevelLesson]) -> tuple[float, float]:
    """Return slope and shift of log odds fitted to the marks, by Newton's method.

    Ridge regression towards (1, 0): few items change nothing.
    """
    x = _log_odds(np.concatenate([each.chance for each in lessons]))
    y = np.concatenate([each.is_marked for each in lessons]).astype(np.float64)
    design = np.stack([x, np.ones(x.size)], axis=1)
    line = np.array([1.0, 0.0])
    for _ in range(12):
        p = 1 / (1 + np.exp(-design @ line))
        slope = design.T @ (p - y) + _RIDGE * (line - (1.0, 0.0))
        curve = (design * (p * (1 - p))[:, None]).T @ design + _RIDGE * np.eye(2)
        step = np.linalg.solve(curve, slope)
        line = line - step
        if np.abs(step).max() < 1e-6:
            break
    return float(np.clip(line[0], 0.0, 2.0)), float(np.clip(line[1], -_FAR, _FAR))
