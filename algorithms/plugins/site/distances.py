"""How unlike the structures of pages are: the six distances of Gottron's chapter 7, and two more.

Source: T. Gottron, dissertation 2008, section 7.1.1.  Each function takes n sources and returns a
symmetric matrix, float64 (n, n), 0 on the diagonal.

- ``rtdm``: restricted top-down tree edit distance (`algorithms.plugins.site.tree_edit`).
- ``tv``: Euclidean distance of how often each tag name occurs.  Elements are counted, not start
  and end tags each, which would only stretch it.
- ``cp``, ``cps``, ``ctss``: 1 - shared / larger of two sets: paths from root to leaf; pieces of
  four nodes of such paths; runs of eight tags.
- ``lcts``: 1 - longest common subsequence of tags / longer sequence.

Readings.  Leaves of the document tree are its texts and empty elements, so a path may end in a
text; with elements alone ``cps`` no longer tells all of seven sites apart (Rand index .96 against
1 of 213 pages, one template family a site, seven clusters of single linkage).  Two pages without
any path are equal.  ``cp-class`` and ``cps-class`` are a reading for pages of today, which say with
a class what older ones said with an element: class attributes are part of a node's name.  They
tell those sites apart by CP as well (.90 as printed, 1 with classes), with the thesis' thresholds
too (CPS at .6: .89 and 1), and keep them further apart (Dunn index of CPS .70 and 1.09).  Of all
339 pages no distance can find the seven sites: two of them hold pages of one generator, Javadoc.

Cost for n pages of m tags: reading O(nm); ``tv`` O(n^2) of about 60 names; the sets one sparse
product, O(n^2) of shared members (500 pages of 100 kB: reading 5 s, ``tv``, ``cp``, ``cps`` and
``ctss`` together 4 s); ``lcts`` O(n^2 m^2 / 64), bit-parallel and in parallel threads,
after identical ends are cut off; ``rtdm`` see there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # loads its parts when they are first used
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from algorithms.plugins.site.tree_edit import tree_edit_matrix
from algorithms.templates.structure import (
    Matrix,
    common_class_path_shingles,
    leaf_paths,
    of_sets,
    path_shingles,
    run_shingles,
    tag_counts,
    tag_runs,
)
from engine.errors import InputError
from engine.source import Source
from engine.tree import Longs
from engine.words import join_words

_FIRST_SURROGATE, _SURROGATES = 0xD800, 0x800


@dataclass(frozen=True)
class Distance:
    """Distance between pages.

    Attributes:
        key: Its short name.
        name: Its name on screen.
        matrix: Sources to distances.
        threshold: Up to which distance single linkage puts pages together, from the gaps Gottron
            found; None where he found none.
        cite: Authors and year.
    """

    key: str
    name: str
    matrix: Callable[[Sequence[Source]], Matrix]
    threshold: float | None
    cite: str


def tag_vector(sources: Sequence[Source]) -> Matrix:
    """Return the Euclidean distances of the tag counts."""
    if len(sources) < 2:
        return np.zeros((len(sources), len(sources)))
    return np.asarray(
        scipy.spatial.distance.squareform(scipy.spatial.distance.pdist(tag_counts(sources))),
        dtype=np.float64,
    )


def longest_common_tags(sources: Sequence[Source]) -> Matrix:
    """Return the distances by the longest common subsequence of tags."""
    runs = tag_runs(sources)
    texts = [_as_text(run) for run in runs]
    if not texts:
        return np.zeros((0, 0))
    missing = cdist(texts, texts, scorer=LCSseq.distance, dtype=np.int32, workers=-1)
    sizes = np.array([len(text) for text in texts])
    longer = np.maximum(np.maximum.outer(sizes, sizes), 1)
    return np.asarray(missing / longer, dtype=np.float64)


def _as_text(run: Longs) -> str:
    """Return tags as characters, which the library compares fastest."""
    codes = np.where(run >= _FIRST_SURROGATE, run + _SURROGATES, run)
    return "".join(map(chr, codes.tolist()))


DISTANCES: tuple[Distance, ...] = (
    Distance("rtdm", "Tree edit distance (RTDM)", tree_edit_matrix, None, "Reis et al. 2004"),
    Distance("tv", "Tag vector", tag_vector, None, "Gottron 2008"),
    Distance("cp", "Common paths", lambda sources: of_sets(leaf_paths(sources)),
             0.7, "Gottron 2008"),
    Distance("cps", "Common path shingles", lambda sources: of_sets(path_shingles(sources)),
             0.6, "Buttler 2004"),
    Distance("lcts", "Longest common tag sequence", longest_common_tags, None, "Gottron 2008"),
    Distance("ctss", "Common tag sequence shingles", lambda sources: of_sets(run_shingles(sources)),
             0.85, "Gottron 2008"),
    Distance("cp-class", "Common paths with classes",
             lambda sources: of_sets(leaf_paths(sources, classes=True)), 0.7, "after Gottron"),
    Distance("cps-class", "Path shingles with classes", common_class_path_shingles,
             0.6, "after Buttler"),
)  # fmt: skip

_BY_KEY = {entry.key: entry for entry in DISTANCES}


def distance(key: str) -> Distance:
    """Return the distance with this key; `InputError` names those there are."""
    if key not in _BY_KEY:
        raise InputError(f"unknown distance {key!r}; choose {join_words(list(_BY_KEY), 'or')}")
    return _BY_KEY[key]
