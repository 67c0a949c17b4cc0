"""One-to-one assignments: of the largest worth, and of as many pairs as possible.

`assign` is H. W. Kuhn's Hungarian method, as shortest augmenting paths; `match` takes close pairs
first and makes room by augmenting paths.

Source: R. Jonker, A. Volgenant, "A shortest augmenting path algorithm for dense and sparse linear
assignment problems", Computing 38, 1987; only the augmentation, which is exact alone.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

WeightedPair = tuple[int, int, float]
"""Index of a predicted text, index of a gold text, and their ratio."""


def assign(worth: npt.ArrayLike) -> list[tuple[int, int]]:
    """Return the pairs (i, j) whose ``worth``, (n, m) and not negative, is largest in sum.

    Pairs worth 0 are left out; ascending by i.  O(min(n, m)^2 max(n, m)), the inner loop in NumPy;
    rows whose best column is free take one step.
    """
    table = np.asarray(worth, dtype=np.float64)
    rows, columns = np.nonzero(table.any(axis=1))[0], np.nonzero(table.any(axis=0))[0]
    table = table.take(rows, axis=0).take(columns, axis=1)  # the others have no effect
    is_high = rows.size > columns.size
    pairs = [(i, j) for j, i in _assign(table.T)] if is_high else _assign(table)
    numbers, others = rows.tolist(), columns.tolist()
    return sorted((numbers[i], others[j]) for i, j in pairs if table[i, j] > 0)


def _assign(table: npt.NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return a column for each row of a table, (n, m) with n <= m."""
    if not table.size:
        return []
    n, m = table.shape
    cost = table.max() - table
    row_price, column_price = [0.0] * n, np.zeros(m)
    row_of = [-1] * m
    for start in range(n):
        # Dijkstra from one row to the nearest free column, over reduced costs.
        distance = cost[start] - column_price
        column = int(distance.argmin())
        gone = float(distance[column])
        if row_of[column] < 0:
            row_of[column] = start
            row_price[start] = gone
            continue
        via = np.full(m, -1, dtype=np.intp)  # the column whose row leads here; -1 for the start
        reached: list[tuple[int, float]] = []
        price = column_price.copy()
        while row_of[column] >= 0:
            reached.append((column, gone))
            distance[column], price[column] = np.inf, -np.inf
            row = row_of[column]
            reach = gone + cost[row] - row_price[row] - price
            nearer = reach < distance
            distance[nearer] = reach[nearer]
            via[nearer] = column
            column = int(distance.argmin())
            gone = float(distance[column])
        row_price[start] = gone
        for passed, far in reached:
            row_price[row_of[passed]] += gone - far
            column_price[passed] -= gone - far
        while column >= 0:
            before = int(via[column])
            row_of[column] = start if before < 0 else row_of[before]
            column = before
    return [(row, column) for column, row in enumerate(row_of) if row >= 0]


def match(pairs: Iterable[WeightedPair]) -> dict[int, int]:
    """Return a maximum one-to-one matching of (predicted, gold, ratio) as gold → predicted.

    Close pairs are tried first, and a matched text stays matched when a later one makes room for
    itself (augmenting paths; an edge is visited once per gold text).
    """
    pairs = list(pairs)
    if len({i for i, _, _ in pairs}) == len(pairs) == len({j for _, j, _ in pairs}):
        return {j: i for i, j, _ in pairs}  # as it is most often
    edges: dict[int, list[int]] = {}
    for i, j, _ in sorted(pairs, key=lambda pair: (-pair[2], pair[1], pair[0])):
        edges.setdefault(j, []).append(i)
    held: dict[int, int] = {}  # gold → predicted
    owner: dict[int, int] = {}  # predicted → gold
    for gold in edges:
        _augment(gold, edges, held, owner)
    return held


def _augment(
    gold: int, edges: dict[int, list[int]], held: dict[int, int], owner: dict[int, int]
) -> None:
    """Match one more gold text if that is possible, moving others; no recursion, no limit."""
    asker: dict[int, int] = {}  # predicted → the gold text that asks for it
    waiting = [gold]
    for asking in waiting:  # grows while it is read
        for predicted in edges[asking]:
            if predicted in asker:
                continue
            asker[predicted] = asking
            if predicted in owner:
                waiting.append(owner[predicted])
            else:
                free: int | None = predicted  # from here back, each to the text that asked for it
                while free is not None:
                    taker = asker[free]
                    left = held.get(taker)
                    held[taker], owner[free] = free, taker
                    free = left
                return
