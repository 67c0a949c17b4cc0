"""The best one-to-one assignment (H. W. Kuhn's Hungarian method, as shortest augmenting paths).

Source: R. Jonker, A. Volgenant, "A shortest augmenting path algorithm for dense and sparse linear
assignment problems", Computing 38, 1987; only the augmentation, which is exact by itself.
"""

import numpy as np
import numpy.typing as npt


def assign(worth: npt.ArrayLike) -> list[tuple[int, int]]:
    """Return the pairs (i, j) whose ``worth``, (n, m) and not negative, is largest in sum.

    Pairs worth 0 are left out; ascending by i.  O(min(n, m)^2 max(n, m)), the inner loop in NumPy.
    """
    table = np.asarray(worth, dtype=np.float64)
    if table.shape[0] > table.shape[1]:
        return sorted((i, j) for j, i in assign(table.T))
    n, m = table.shape
    cost = table.max(initial=0.0) - table
    row_price, column_price = np.zeros(n), np.zeros(m)
    row_of = np.full(m, -1, dtype=np.intp)
    for start in range(n):
        # Dijkstra from one row to the nearest free column, over reduced costs.
        distance = np.full(m, np.inf)
        via = np.full(m, -1, dtype=np.intp)  # the column whose row leads here; -1 for the start
        done = np.zeros(m, dtype=bool)
        row, column, gone = start, -1, 0.0
        while True:
            reach = gone + cost[row] - row_price[row] - column_price
            nearer = ~done & (reach < distance)
            distance[nearer] = reach[nearer]
            via[nearer] = column
            column = int(np.argmin(np.where(done, np.inf, distance)))
            gone = float(distance[column])
            if row_of[column] < 0:
                break
            done[column] = True
            row = int(row_of[column])
        row_price[start] += gone
        row_price[row_of[done]] += gone - distance[done]
        column_price[done] -= gone - distance[done]
        while column >= 0:
            before = int(via[column])
            row_of[column] = start if before < 0 else row_of[before]
            column = before
    pairs = ((int(row_of[j]), j) for j in range(m) if row_of[j] >= 0)
    return sorted((i, j) for i, j in pairs if table[i, j] > 0)
