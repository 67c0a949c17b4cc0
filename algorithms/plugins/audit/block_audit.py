"""Contradictions of gold blocks, candidate by candidate of a rendered page.

Whether an annotator probably marked a candidate follows from the chance that terrain-learned gives
it and from whether the others of its kind on the page are marked (one path of tags and classes): a
logistic regression whose weights were fitted on Kreuzer's random pages with that chance out of
fold (methods.md#audit).  A candidate that nearly has the text of a gold block is neither: which of
two elements around one text is marked is no error.  What contradicts the type
of a block is in `algorithms.plugins.audit.type_audit`.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.plugins.audit.audit import odds, siblings_of
from engine.tree import Bools, Doubles, Longs

WEIGHTS = {"base": 0.37, "chance": 0.88, "siblings": 1.65, "many siblings": 4.37}
"""What each column of `BlockEvidence.matrix` counts, in log odds."""

_MANY, _CERTAIN = 5, 1e-3


@dataclass(frozen=True, eq=False)
class BlockEvidence:
    """Evidence on the gold of a page's m candidates, none of it from a candidate's own gold.

    Attributes:
        chance: float64 (m,). Probability of a block by terrain-learned.
        siblings: float64 (m,). Share of the others of its kind that are marked; NaN without any.
        sibling_count: int64 (m,). How many those are.
    """

    chance: Doubles
    siblings: Doubles
    sibling_count: Longs

    @property
    def matrix(self) -> Doubles:
        """Matrix of the regression, (m, weights)."""
        siblings = np.nan_to_num(self.siblings, nan=0.5) - 0.5
        many = np.minimum(self.sibling_count, _MANY) / _MANY
        chance = odds(self.chance, _CERTAIN)
        return np.stack((np.ones(chance.size), chance, siblings, siblings * many), axis=1)

    @property
    def expected(self) -> Doubles:
        """Probability that each candidate is marked, (m,)."""
        return np.asarray(1 / (1 + np.exp(-self.matrix @ np.array([*WEIGHTS.values()]))))


def block_evidence(is_marked: Bools, chance: Doubles, kinds: Longs) -> BlockEvidence:
    """Collect the evidence on gold; candidates of one kind have one number in ``kinds``."""
    return BlockEvidence(chance, *siblings_of(is_marked.astype(np.float64), kinds))


def suspicion(is_marked: Bools, is_near: Bools, known: BlockEvidence) -> Doubles:
    """Return how strongly the gold of each candidate is contradicted, 0 to 1, (m,).

    ``is_near``: what nearly has the text of a gold block without being one.
    """
    against = np.where(is_marked, 1 - known.expected, known.expected)
    return np.where(is_near & ~is_marked, 0.0, against)


def reasons(index: int, is_marked: bool, known: BlockEvidence) -> tuple[str, ...]:
    """Return the contradictions of a candidate's gold, in words."""
    chance, share = float(known.chance[index]), float(known.siblings[index])
    said = [f"terrain-learned gives it a chance of {chance:.0%}"]
    if not np.isnan(share) and (share < 0.5) == is_marked:
        count = int(known.sibling_count[index])
        said.append(f"of {count} others of its kind on the page {share:.0%} are marked")
    return tuple(said)
