"""Lists on a page, and properties of the list around each block."""

from typing import Any

import numpy as np
import numpy.typing as npt

from algorithms.extraction.gleaner.text_runs import TextRuns, names, number_values
from engine.source import Source
from engine.tree import Doubles

_FEWEST_RECORDS, _MOST_LEVELS, _MOST_RANKS = 3, 30, 20


def of_records(
    source: Source, runs: TextRuns, own_columns: dict[str, npt.NDArray[Any]]
) -> dict[str, npt.NDArray[Any]]:
    """Return columns of the list around each block: siblings of one tag and class.

    The list of most words, if several are around a block; -1 where there is none.
    """
    tree = source.tree
    parent = tree.parent.astype(np.int64)
    kinds = number_values(parent * (1 << 33) + names(source).signature)
    members = np.bincount(kinds)
    weights = runs.words.astype(np.float64)
    at_word = np.zeros(source.tokens.words.size + 1)
    at_word[runs.first + 1] = weights
    total = np.cumsum(at_word)
    inside = total[tree.words[:, 1]] - total[tree.words[:, 0]]
    in_list = np.bincount(kinds, weights=inside)
    record = np.full(len(runs), -1, dtype=np.int64)
    most = np.zeros(len(runs))
    at = parent[runs.row]
    for _ in range(_MOST_LEVELS):
        kind = kinds[np.maximum(at, 0)]
        better = (at >= 0) & (members[kind] >= _FEWEST_RECORDS) & (in_list[kind] > most)
        record[better], most[better] = at[better], in_list[kind[better]]
        at = np.where(at >= 0, parent[np.maximum(at, 0)], -1)
    has, own = record >= 0, np.maximum(record, 0)
    kind = np.where(has, kinds[own], members.size)
    size = np.append(members, 1)[kind]
    held = np.maximum(inside[own], 1)

    def summed(values: npt.NDArray[Any]) -> Doubles:
        return np.asarray(np.bincount(kind, weights=values, minlength=members.size + 1)[kind])

    columns: dict[str, npt.NDArray[Any]] = {
        "record.number": np.log1p(size),
        "record.share": most / max(total[-1], 1),
        "record.mean": np.log1p(most / size),
        "record.own": inside[own] * size / np.maximum(most, 1),
        "record.at": (total[runs.first] - total[tree.words[own, 0]]) / held,
        "record.blocks": summed(np.ones(len(runs))) / size,
        "record.rank": (most[:, None] < np.unique(most)[None, -_MOST_RANKS:]).sum(axis=1),
        "record.links": summed(weights * own_columns["links.share"]) / np.maximum(most, 1),
        "record.long": summed(np.where(weights >= 10, weights, 0)) / np.maximum(most, 1),
        "record.headings": summed(own_columns["tag.heading"] > 0) / size,
        "record.prices": summed(own_columns["text.price"]) / size,
        "record.dates": summed(own_columns["text.date"]) / size,
    }
    return {name: np.where(has, column, -1) for name, column in columns.items()}
