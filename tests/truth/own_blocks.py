"""Measures of blocks, anew from resources/docs/reference/measures.md and its papers."""

import difflib
import itertools
from collections import Counter
from math import log, sqrt

from scipy.optimize import linear_sum_assignment

from tests.truth.own_text import Shares, harmonic

ALIKE = 0.8


def without_blanks(text: str) -> str:
    return "".join(text.split())


def _shares(hits: int, relevant: int, retrieved: int) -> Shares:
    """With nothing returned the precision is 0, with no gold the recall (Kreuzer)."""
    precision = hits / retrieved if retrieved else 0.0
    recall = hits / relevant if relevant else 0.0
    return Shares(precision, recall, harmonic(precision, recall))


def exact(gold: set[str], predicted: set[str]) -> tuple[Shares, int]:
    hits = len(gold & predicted)
    return _shares(hits, len(gold), len(predicted)), hits


def fuzzy(gold: set[str], predicted: set[str]) -> tuple[Shares, int]:
    """As many pairs as possible that are alike by more than .8, by augmenting paths (Kuhn)."""
    alike = {text: [each for each in gold if _are_alike(text, each)] for text in sorted(predicted)}
    partner: dict[str, str] = {}

    def augment(text: str, seen: set[str]) -> bool:
        for each in alike[text]:
            if each not in seen:
                seen.add(each)
                if each not in partner or augment(partner[each], seen):
                    partner[each] = text
                    return True
        return False

    hits = sum(augment(text, set()) for text in alike)
    return _shares(hits, len(gold), len(predicted)), hits


def _are_alike(predicted: str, gold: str) -> bool:
    """Ratcliff-Obershelp by the standard library, the predicted text first."""
    if not predicted and not gold:
        return True
    shorter, longer = sorted((len(predicted), len(gold)))
    if 2 * shorter <= ALIKE * (shorter + longer):  # were all of the shorter in the longer
        return False
    matcher = difflib.SequenceMatcher(None, predicted, gold)
    return matcher.quick_ratio() > ALIKE and matcher.ratio() > ALIKE


# Boxes are (left, top, right, bottom).


def b_cubed(atoms: list[tuple[frozenset, frozenset, float]]) -> Shares:
    """Extended B³ over atoms of (gold blocks, predicted blocks, weight), pair by pair."""
    if not any(gold or predicted for gold, predicted, _ in atoms):
        return Shares(1.0, 1.0, 1.0)
    if not any(each[0] for each in atoms) or not any(each[1] for each in atoms):
        return Shares(0.0, 0.0, 0.0)
    recall = _precision([(predicted, gold, weight) for gold, predicted, weight in atoms])
    precision = _precision(atoms)
    return Shares(precision, recall, harmonic(precision, recall))


def _precision(atoms: list[tuple[frozenset, frozenset, float]]) -> float:
    total = weights = 0.0
    for gold, predicted, weight in atoms:
        if not predicted:
            continue
        above = below = 0.0
        for other_gold, other_predicted, other_weight in atoms:
            shared = len(predicted & other_predicted)
            if shared:
                above += other_weight * min(shared, len(gold & other_gold)) / shared
                below += other_weight
        total += weight * above / below
        weights += weight
    return total / weights


def cells(gold: list[tuple], predicted: list[tuple], page: tuple) -> list[tuple]:
    """The page cut along all edges of blocks: atoms of equal blocks together, weighted by area."""
    left, top, right, bottom = page
    xs = sorted({left, right, *(x for box in (*gold, *predicted) for x in (box[0], box[2]))})
    ys = sorted({top, bottom, *(y for box in (*gold, *predicted) for y in (box[1], box[3]))})
    areas: Counter = Counter()
    for (x0, x1), (y0, y1) in itertools.product(itertools.pairwise(xs), itertools.pairwise(ys)):
        if left <= x0 and x1 <= right and top <= y0 and y1 <= bottom:
            inside = [
                frozenset(
                    i for i, b in enumerate(boxes)
                    if b[0] <= x0 and x1 <= b[2] and b[1] <= y0 and y1 <= b[3]
                )
                for boxes in (gold, predicted)
            ]  # fmt: skip
            areas[tuple(inside)] += (x1 - x0) * (y1 - y0)
    return [(*blocks, area) for blocks, area in areas.items()]


def rand_and_information(table: Counter) -> tuple[float, float, float]:
    """Adjusted Rand index, NMI by geometric and by arithmetic mean, of (gold, predicted) → n."""
    rows: Counter = Counter()
    columns: Counter = Counter()
    for (gold, predicted), count in table.items():
        rows[gold] += count
        columns[predicted] += count
    n = table.total()

    def pairs(counts):
        return sum(count * (count - 1) / 2 for count in counts)

    together, chance = pairs(table.values()), pairs(rows.values()) * pairs(columns.values())
    chance /= n * (n - 1) / 2
    largest = (pairs(rows.values()) + pairs(columns.values())) / 2
    ari = (together - chance) / (largest - chance) if largest != chance else 1.0

    def entropy(counts):
        return -sum(count / n * log(count / n) for count in counts if count)

    shared = sum(
        count / n * log(count * n / (rows[gold] * columns[predicted]))
        for (gold, predicted), count in table.items()
        if count
    )
    both = entropy(rows.values()), entropy(columns.values())
    if not all(both):
        same = float(not any(both))
        return ari, same, same
    return ari, shared / sqrt(both[0] * both[1]), 2 * shared / sum(both)


def partitions(
    atoms: list[tuple[frozenset, frozenset, float]], counts: tuple[int, int], total: float
) -> Counter:
    """(gold cluster, predicted cluster) → weight: atoms are in the smallest block that holds them.

    Of equally large blocks that is the last; all that is in none is one cluster more, -1.
    """
    sizes = [[0.0] * count for count in counts]
    for *sides, weight in atoms:
        for size, blocks in zip(sizes, sides, strict=True):
            for block in blocks:
                size[block] += weight
    table: Counter = Counter()
    for *sides, weight in atoms:
        clusters = tuple(
            min(blocks, key=lambda block, size=size: (size[block], -block), default=-1)
            for size, blocks in zip(sizes, sides, strict=True)
        )
        table[clusters] += weight
    table[-1, -1] += total - sum(weight for *_, weight in atoms)
    return +table


def iou(
    atoms: list[tuple[frozenset, frozenset, float]], counts: tuple[int, int], least: float
) -> Shares:
    """Pairs whose IoU is so large, of the pairing with the largest sum of IoU.

    Nothing returned makes the precision 1, no gold the recall; blocks without area do not count.
    """
    shared: Counter = Counter()
    sizes: tuple[Counter, Counter] = Counter(), Counter()
    for gold, predicted, weight in atoms:
        for size, blocks in zip(sizes, (gold, predicted), strict=True):
            for block in blocks:
                size[block] += weight
        for pair in itertools.product(gold, predicted):
            shared[pair] += weight
    seen = [
        [block for block in range(count) if size[block] > 0]
        for size, count in zip(sizes, counts, strict=True)
    ]
    hits = 0
    if all(seen):
        table = [
            [shared[g, p] / (sizes[0][g] + sizes[1][p] - shared[g, p]) for p in seen[1]]
            for g in seen[0]
        ]
        rows, columns = linear_sum_assignment(table, maximize=True)
        hits = sum(table[row][column] >= least for row, column in zip(rows, columns, strict=True))
    precision = hits / len(seen[1]) if seen[1] else 1.0
    recall = hits / len(seen[0]) if seen[0] else 1.0
    return Shares(precision, recall, harmonic(precision, recall))
