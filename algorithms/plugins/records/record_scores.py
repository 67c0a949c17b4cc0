"""Score of records: NEXT-EVAL's.

Source: S. Kim, N. Kim, Y. Jeong, "NEXT-EVAL: Next Evaluation of Traditional and LLM Web Data Record
Extraction", arXiv 2505.17125, and its published code.

A record is the set of elements with a text of their own that it holds, whichever elements name it.
Two records overlap by the Jaccard index of their sets, 1 if both are empty.  Found and true records
are matched one to one so that the sum of overlaps is greatest; that sum over the number found is
the precision, over the number of true ones the recall.  A set of pages has the mean of its pages'
precision, recall and F1.
"""

from collections.abc import Hashable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import numpy as np

from engine.tree import Doubles


class RecordScore(NamedTuple):
    """Precision, recall and F1 of the records of a page, each from 0 to 1."""

    precision: float
    recall: float
    f1: float


def overlap(one: AbstractSet[Hashable], other: AbstractSet[Hashable]) -> float:
    """Return the Jaccard index of two records; 1 if both are empty."""
    union = len(one | other)
    return len(one & other) / union if union else 1.0


def record_score(
    found: Sequence[AbstractSet[Hashable]], true: Sequence[AbstractSet[Hashable]]
) -> RecordScore:
    """Return the score of the records found on a page.

    All are 1 if there is nothing to find and nothing is found, and 0 if only one of both is so.
    """
    if not found or not true:
        return RecordScore(*[float(len(found) == len(true))] * 3)
    total = greatest_sum(_overlaps(found, true))
    precision, recall = total / len(found), total / len(true)
    f1 = 2 * precision * recall / (precision + recall) if total else 0.0
    return RecordScore(precision, recall, f1)


def _overlaps(
    found: Sequence[AbstractSet[Hashable]], true: Sequence[AbstractSet[Hashable]]
) -> Doubles:
    holders: dict[Hashable, set[int]] = {}
    for column, record in enumerate(true):
        for each in record or (None,):
            holders.setdefault(each, set()).add(column)
    result = np.zeros((len(found), len(true)))
    for row, record in enumerate(found):
        for column in set().union(*(holders.get(each, ()) for each in record or (None,))):
            result[row, column] = overlap(record, true[column])
    return result


def greatest_sum(weights: Doubles) -> float:
    """Return the greatest sum of weights, (r, c), of pairs that share no row and no column.

    H. Kuhn, "The Hungarian Method", 1955, by shortest augmenting paths.  O(r c min(r, c)).
    """
    cost = -(weights if weights.shape[0] <= weights.shape[1] else weights.T)
    rows, columns = cost.shape
    of_row, of_column = np.zeros(rows + 1), np.zeros(columns + 1)
    holder = np.full(columns + 1, rows)  # the last row and the last column are none
    for row in range(rows):
        holder[columns], at = row, columns
        least, way = np.full(columns, np.inf), np.full(columns, columns)
        is_open = np.ones(columns, dtype=bool)
        seen = [columns]
        while holder[at] != rows:
            reduced = cost[holder[at]] - of_row[holder[at]] - of_column[:columns]
            is_nearer = is_open & (reduced < least)
            least[is_nearer], way[is_nearer] = reduced[is_nearer], at
            at = int(np.where(is_open, least, np.inf).argmin())
            step = least[at]
            of_row[holder[seen]] += step
            of_column[seen] -= step
            least[is_open] -= step
            is_open[at] = False
            seen.append(at)
        while at != columns:
            holder[at], at = holder[way[at]], way[at]
    taken = np.flatnonzero(holder[:columns] != rows)
    return float(-cost[holder[taken], taken].sum())
