"""Choice of candidates: the set with the highest expected F, with mostly one of near twins.

Source of the criterion: Z. C. Lipton, C. Elkan, B. Naryanaswamy, "Optimal Thresholding of
Classifiers to Maximize F1 Measure", ECML PKDD 2014.  Two candidates, one in the other, that are
nearly as long would both match the same gold block, of which one counts: one is taken, and the
other only where it is more probable than not that both are blocks, as a header and the menu that is
all but all of it.  A block costs F / 2.
Dynamic programming over the tree: for each candidate and size of its nearest chosen ancestor, the
best set below.
"""

import numpy as np

from engine.tree import Bools, Doubles, Longs

NEARLY = 2 / 3
"""Two candidates, one in the other, are near twins if the inner one has so much of the other's
letters."""

BOTH = 0.5
"""Near twins are both taken if the chance that both are blocks, at least the sum of theirs less 1
(Fréchet), is above this."""

_ROUNDS = 12


def best_blocks(
    chance: Doubles, first: Longs, last: Longs, parent: Longs, nearly: float = NEARLY
) -> tuple[Bools, float, float]:
    """Return the candidates to take, bool (m,), the expected F, and the least chance of a block.

    Args:
        chance: How probable it is that each matches a gold block, 0 to 1.
        first, last: Letters of each; those of ``parent`` hold them.
        parent: The smallest candidate around each, before it; -1 for none.
        nearly: As `NEARLY`.
    """
    relevant = float(chance[taken_at(chance, last - first, parent, 0.0, nearly)].sum())
    if not chance.size or not relevant:
        return np.zeros(chance.size, dtype=bool), 0.0, 1.0
    price = 0.3
    best, best_f, best_price = np.zeros(chance.size, dtype=bool), 0.0, price
    for _ in range(_ROUNDS):  # Dinkelbach: the price of the best set is half its F
        taken = taken_at(chance, last - first, parent, price, nearly)
        f = 2 * float(chance[taken].sum()) / (int(taken.sum()) + relevant)
        if f <= best_f:
            break
        best, best_f, best_price, price = taken, f, f / 2, f / 2
    twins, both = twins_of(best, chance, last - first, parent, nearly)
    hits = float(chance[best].sum()) + both
    best[twins] = True
    return best, 2 * hits / (int(best.sum()) + relevant + both), best_price


def twins_of(
    taken: Bools, chance: Doubles, size: Longs, parent: Longs, nearly: float, least: float = BOTH
) -> tuple[list[int], float]:
    """Return the near twins of taken candidates, (m,), to take too, and their expected hits.

    ``least`` is as `BOTH`; the other arguments are those of `best_blocks`.
    """
    twins: dict[int, tuple[float, int]] = {}  # taken candidate -> its likeliest twin
    near: dict[int, int] = {}  # number of taken candidates that each is a twin of
    for inner in np.flatnonzero(taken | (chance > least)).tolist():
        outer = int(parent[inner])
        while outer >= 0 and size[inner] >= nearly * size[outer]:
            if taken[inner] != taken[outer]:
                own, other = (inner, outer) if taken[inner] else (outer, inner)
                near[other] = near.get(other, 0) + 1
                both = float(chance[own] + chance[other]) - 1
                if both > least:
                    twins[own] = max(twins.get(own, (0.0, -1)), (both, other))
            outer = int(parent[outer])
    chosen = [(both, other) for both, other in twins.values() if near[other] == 1]
    return [other for _, other in chosen], sum(both for both, _ in chosen)


def taken_at(chance: Doubles, size: Longs, parent: Longs, price: float, nearly: float) -> Bools:
    """Return the set, nearly equal ones excluded, with the highest sum of chance less price.

    The arguments are those of `best_blocks`; the answer is bool (m,).

    Along a chain of nearly equal candidates exclusion is between those whose sizes are near; from
    inside out, each candidate chooses between itself, with what of the best below it is not nearly
    equal, and the best below.
    """
    worth = chance - price
    below = np.zeros(chance.size)  # worth of the best set strictly inside
    best = np.zeros(chance.size)
    takes = np.zeros(chance.size, dtype=bool)
    inside: list[list[int]] = [[] for _ in range(chance.size)]
    for index, up in enumerate(parent.tolist()):
        if up >= 0:
            inside[up].append(index)
    sizes = size.tolist()
    for index in range(chance.size - 1, -1, -1):
        below[index] = sum(best[k] for k in inside[index])
        best[index] = below[index]
        if worth[index] <= 0:
            continue
        own = worth[index] + _without(index, inside, sizes, below, best, nearly)
        if own > below[index]:
            best[index], takes[index] = own, True
    taken = np.zeros(chance.size, dtype=bool)
    # From outside in: (candidate, size of the last one taken around it that may exclude it).
    waiting = [(k, 0.0) for k in np.flatnonzero(parent < 0).tolist()]
    while waiting:
        index, around = waiting.pop()
        if (takes[index] and sizes[index] < nearly * around) or (takes[index] and not around):
            taken[index] = True
            around = float(sizes[index])
        waiting += [(k, around) for k in inside[index]]
    return taken


def _without(
    index: int,
    inside: list[list[int]],
    sizes: list[int],
    below: Doubles,
    best: Doubles,
    nearly: float,
) -> float:
    """Return the worth of the best set inside a candidate without anything nearly equal to it."""
    total, at = 0.0, index
    while True:
        near = [k for k in inside[at] if sizes[k] >= nearly * sizes[index]]
        if not near:
            return total + float(below[at])
        # At most one part can be nearly as large; the others are free.
        total += sum(float(best[k]) for k in inside[at] if k != near[0])
        at = near[0]
