"""Tag-path clustering: records are what tag paths that appear together have in common.

Source: G. Miao, J. Tatemura, W. Hsiung, A. Sawires, L. Moser, "Extracting Data Records from the Web
Using Tag Path Clustering", WWW 2009.

The *visual signal* of a tag path is where in the document it occurs.  Two signals are similar if
their centres of gravity are near and if they interleave evenly: ``s = e / (offset interleaving +
e)``, where *interleaving* is the greater of the variances of how often one occurs between two
occurrences of the other.  Similar signals are a cluster; the paths of a cluster that lie below no
other of it are its *maximal ancestors*, and their occurrences the records.

Departures: the cluster is cut in two by the normalised cut (J. Shi, J. Malik, 2000) for as long as
that is at most `CUT`, where the paper is not read to give a number.  Signals of a single occurrence
are left out.  Where a cluster has several maximal ancestors below one parent, a record begins with
each occurrence of the first of them.

Cost: O(p n) for p paths and n elements, and O(p^3) for the cuts.
"""

import numpy as np

from algorithms.plugins.records.elements import Elements, RecordSet
from engine.tree import Doubles, Indices

E = 10.0
"""Keeps the similarity within (0, 1]."""

CUT = 0.3
"""The greatest normalised cut that separates two clusters; from 0 to 2."""

LEAST_PATHS = 3
"""A cluster of fewer paths is no structure of records."""

MOST_PATHS = 400
"""Signals that are compared: those of the most occurrences."""

_Path = tuple[str, ...]


def tag_paths(page: Elements) -> list[RecordSet]:
    """Return the records of each cluster of tag paths, by their parents, in document order."""
    rows_of: dict[_Path, list[int]] = {}
    path_of: list[_Path] = []
    for row, (name, up) in enumerate(zip(page.tags, page.parent, strict=True)):
        path_of.append((*path_of[up], name) if up >= 0 else (name,))
        if page.leaves(row):
            rows_of.setdefault(path_of[row], []).append(row)
    often = sorted(rows_of, key=lambda path: -len(rows_of[path]))[:MOST_PATHS]
    paths = sorted(path for path in often if len(rows_of[path]) > 1)
    if not paths:
        return []
    similarity = similarities([np.array(rows_of[path]) for path in paths], len(page))
    result: list[RecordSet] = []
    for cluster in clusters(similarity):
        if len(cluster) >= LEAST_PATHS:
            members = {paths[number] for number in cluster.tolist()}
            result += _records(page, {path: rows_of[path] for path in _maximal(members)})
    return sorted(result)


def similarities(signals: list[Indices], size: int) -> Doubles:
    """Return the similarity of each two signals, (p, p): ascending positions below ``size``."""
    counts = np.zeros((len(signals), size + 1))
    for number, at in enumerate(signals):
        counts[number, at + 1] = 1
    np.cumsum(counts, axis=1, out=counts)
    uneven = np.empty((len(signals), len(signals)))
    for number, at in enumerate(signals):
        edges = np.concatenate([[0], at, [size]])
        uneven[number] = np.diff(counts[:, edges], axis=1).var(axis=1)
    interleaving = np.maximum(uneven, uneven.T)
    centre = np.array([at.mean() for at in signals])
    offset = np.abs(centre[:, None] - centre)
    return np.asarray(E / (offset * interleaving + E))


def clusters(similarity: Doubles) -> list[Indices]:
    """Return clusters of rows: cut in two for as long as the normalised cut is small."""
    result: list[Indices] = []
    stack = [np.arange(len(similarity))]
    while stack:
        rows = stack.pop()
        is_first = _cut(similarity[np.ix_(rows, rows)])
        if is_first is None:
            result.append(rows)
        else:
            stack += [rows[is_first], rows[~is_first]]
    return result


def _cut(weights: Doubles) -> np.ndarray | None:
    if len(weights) < 2:
        return None
    degree = weights.sum(axis=1)
    scale = 1 / np.sqrt(degree)
    _, vectors = np.linalg.eigh(-(scale[:, None] * weights * scale))
    order = np.argsort(vectors[:, 1] * scale, kind="stable")
    # The best of the cuts between neighbours in the order of the second vector.
    within = np.cumsum(np.cumsum(weights[np.ix_(order, order)], axis=0), axis=1).diagonal()[:-1]
    left = np.cumsum(degree[order])[:-1]
    across = left - within
    values = across / left + across / (degree.sum() - left)
    best = int(values.argmin())
    if values[best] > CUT:
        return None
    is_first = np.zeros(len(weights), dtype=bool)
    is_first[order[: best + 1]] = True
    return is_first


def _maximal(members: set[_Path]) -> set[_Path]:
    return {
        path for path in members if not any(path[:size] in members for size in range(1, len(path)))
    }


def _records(page: Elements, rows_of: dict[_Path, list[int]]) -> list[RecordSet]:
    below: dict[int, list[int]] = {}
    for rows in rows_of.values():
        for row in rows:
            below.setdefault(page.parent[row], []).append(row)
    result: list[RecordSet] = []
    for rows in below.values():
        rows.sort()
        first = page.tags[rows[0]]
        records: list[list[int]] = []
        for row in rows:
            if page.tags[row] == first:
                records.append([])
            records[-1].append(row)
        result.append([tuple(record) for record in records])
    return result
