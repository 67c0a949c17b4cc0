"""Contradictions of the types of gold blocks by the types of such blocks on other sites.

Blocks are alike that have one level and one suggested type (`algorithms.signals.block_types`).
Which types annotators give such blocks on other sites is counted, and a type is judged as in
confident learning: not by how probable it is there, which a rare type never is, but by that beside
how probable it is for a separate block type on average.  How many fewer than usual there are
gives, by Bayes' rule, how probably the mark is wrong where one in twenty is.

Source: C. G. Northcutt, L. Jiang, I. L. Chuang, "Confident Learning: Estimating Uncertainty in
Dataset Labels", Journal of Artificial Intelligence Research 70, 2021 (thresholds of classes,
section 3.1).  Differs from it: the ratio to the threshold ranks, not the margin of probabilities,
no joint distribution is estimated, and half a block is added to counts and expectations, so that
types of few blocks are seldom judged.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from algorithms.plugins.training.block_fit import Suggestion
from engine.tree import Bools, Doubles

ERRORS = 0.05
"""Which share of marks is taken to be wrong before anything is known of them."""

_HALF = 0.5
"""Added to counts, as in Jeffreys' prior."""

Indices = npt.NDArray[np.intp]

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, eq=False)
class TypeEvidence:
    """Evidence on the types of n blocks; no count includes the gold of a block's own site.

    Attributes:
        alike: float64 (n,). Number of similar blocks.
        as_suggested: float64 (n,). Number of those with the suggested type.
        as_marked: float64 (n,). Number of those with the marked type.
        usual: float64 (n,). How many would be, were it as usual for a block of its type.
        is_judged: bool (n,). Whether another type is suggested, is at least as probable as usual
            for that type, and more so than any other such; and other sites have the one marked.
    """

    alike: Doubles
    as_suggested: Doubles
    as_marked: Doubles
    usual: Doubles
    is_judged: Bools

    @property
    def suspicion(self) -> Doubles:
        """Probability that each type is wrong, 0 to 1, (n,); 0 where it cannot be told."""
        right = (1 - ERRORS) * (self.as_marked + _HALF)
        wrong = ERRORS * (self.usual + _HALF)
        return np.where(self.is_judged, wrong / (wrong + right), 0.0)


def type_evidence(made: Sequence[Suggestion], sites: Sequence[str]) -> TypeEvidence:
    """Collect the evidence on the types of blocks; ``sites`` has the site of each."""
    likes, like = number_keys([(level, suggested) for level, suggested, _ in made])
    types, marked = number_keys([(level, kind) for level, _, kind in made])
    at = {kind: k for k, kind in enumerate(types)}
    suggested = np.array([at.get((level, name), -1) for level, name, _ in made], dtype=np.intp)
    same_level = np.array([[kind[0] == own[0] for kind in types] for own in likes], dtype=bool)

    counts, often = np.zeros((2, len(made), len(types)))
    every = _counted(like, marked, (len(likes), len(types)))
    names, site = number_keys(sites)
    for number in range(len(names)):
        own = np.flatnonzero(site == number)
        rest = every - _counted(like[own], marked[own], every.shape)
        counts[own] = rest[like[own]]
        often[own] = (same_level * rest.sum(axis=0))[like[own]]

    rows, alike = np.arange(len(made)), counts.sum(axis=1)
    base = often / np.maximum(often.sum(axis=1, keepdims=True), 1.0)
    chances = (counts + _HALF * base) / (alike[:, None] + _HALF)
    # Each type has at least one marked block.
    usual = np.bincount(marked, chances[rows, marked], len(types)) / np.bincount(marked)
    likely = np.where((often > 0) & (chances >= usual), chances, -1.0)
    best = likely.argmax(axis=1) if len(made) else marked
    is_judged = (suggested == best) & (suggested != marked) & (often[rows, marked] > 0)
    is_judged &= counts[rows, suggested] > 0
    return TypeEvidence(
        alike, counts[rows, suggested], counts[rows, marked], alike * usual[marked], is_judged
    )


def number_keys(keys: Sequence[Key]) -> tuple[list[Key], Indices]:
    """Return the different keys, and the number of each."""
    number: dict[Key, int] = {}
    each = [number.setdefault(key, len(number)) for key in keys]
    return list(number), np.array(each, dtype=np.intp)


def _counted(like: Indices, marked: Indices, shape: tuple[int, int]) -> Doubles:
    """Return how many blocks of each sort are of each type."""
    result = np.zeros(shape)
    np.add.at(result, (like, marked), 1.0)
    return result
