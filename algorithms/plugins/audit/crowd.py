"""What several annotators and a model together expect: CROWDLAB.

Goh, Tkachenko, Mueller: CROWDLAB: Supervised learning to infer consensus labels and quality scores
for data with multiple annotators, 2022 (arXiv 2210.06812), section 3, for two classes: marked or
not.  An annotator counts by how much more often he agrees with the others than one would who always
marks the more frequent class; the model by how much more often it agrees with the consensus.

Departure: a block's own annotator is left out, since the question is whether that annotator erred.
The library cleanlab (Apache 2.0) has the same and needs pandas and scikit-learn, some 300 MB; of
the same labels `Crowd` gives the same probabilities (tests/plugins/audit/test_crowd.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.tree import Bools, Doubles

_LEAST = 1e-6


@dataclass(frozen=True)
class Crowd:
    """Trust in each annotator and in the model.

    Attributes:
        annotators: The weight of each.
        model: That of the model.
        agreement: The probability that an annotator agrees with the consensus.
    """

    annotators: tuple[float, ...]
    model: float
    agreement: float

    def expected(self, model: Doubles, marks: Sequence[Bools | None]) -> Doubles:
        """Return the probability that each of b blocks is content, (b,).

        Args:
            model: float64 (b,). What the model expects.
            marks: Of each annotator bool (b,), None for one who is not asked.
        """
        total, weights = self.model * model, self.model
        for own, weight in zip(marks, self.annotators, strict=True):
            if own is not None:
                total = total + weight * np.where(own, self.agreement, 1 - self.agreement)
                weights += weight
        return np.asarray(total / weights)


def crowd_of(model: Doubles, marked: Bools, seen: Bools) -> Crowd:
    """Learn from n blocks the weights of a annotators and the model.

    Args:
        model: float64 (n,). What the model expects.
        marked, seen: bool (a, n). Which blocks each annotator marked, of those he saw.
    """
    count = seen.sum(axis=0)
    several, shared = float(np.sqrt(count.mean())) if count.size else 1.0, count > 1
    model, marked, seen, count = model[shared], marked[:, shared], seen[:, shared], count[shared]
    if not count.size:
        return Crowd((1.0,) * len(marked), 1.0, 1.0)
    votes = (marked & seen).sum(axis=0)
    consensus = np.where(2 * votes == count, model > 0.5, 2 * votes > count)
    agrees = (marked == consensus) & seen
    rare = max(min(float(consensus.mean()), float(1 - consensus.mean())), _LEAST)
    trust = []
    for own, known in zip(marked, seen, strict=True):
        like = np.where(own, votes, count - votes) - 1  # others of the same opinion
        others = int((count - 1)[known].sum())
        trust.append(float(like[known].sum()) / others if others else np.nan)
    mean = float(np.nanmean(trust))
    errors = [1 - (mean if np.isnan(each) else each) for each in trust]
    error = float(((model > 0.5) != consensus).mean())
    return Crowd(
        tuple(max(1 - each / rare, _LEAST) for each in errors),
        max(1 - error / rare, _LEAST) * several,
        float((agrees.sum(axis=0) / count).mean()),
    )
