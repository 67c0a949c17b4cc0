"""Measures of classifiers of text blocks: accuracy, P, R, F1, false positives, ROC area.

Source: C. Kohlschuetter, P. Fankhauser, W. Nejdl, "Boilerplate Detection using Shallow Text
Features", WSDM 2010, section 5: scores are weighted by the number of words in a block, and the area
under the ROC curve is that of Weka.  A block of gold is content where most of its words are.

A method that only says yes or no has a curve of one corner: its area is (recall of content + recall
of the rest) / 2.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.measures.prf import Prf, prf_of
from engine.tree import Bools


@dataclass(frozen=True)
class ClassScores:
    """How well blocks were told apart.

    Attributes:
        accuracy: Share of weight classified right; 1 where there is no block.
        content, other: Precision, recall and F1 of either class.
        false_positives: Share of the other class that was taken for content; 0 where it is empty.
        auc: Area under the ROC curve; None where one class is empty.
    """

    accuracy: float
    content: Prf
    other: Prf
    false_positives: float
    auc: float | None


def score_blocks(
    predicted: npt.ArrayLike, gold: npt.ArrayLike, weights: npt.ArrayLike | None = None
) -> ClassScores:
    """Compare classes of b blocks.

    Args:
        predicted: bool or float (b,). Taken for content; or how sure that is, of which more than
            0.5 is a yes.
        gold: bool (b,). Is content.
        weights: (b,). Not negative; 1 each where left out.
    """
    sure = np.asarray(predicted, dtype=np.float64)
    is_content = np.asarray(gold, dtype=bool)
    weight = np.ones(is_content.size) if weights is None else np.asarray(weights, dtype=np.float64)
    if not sure.shape == is_content.shape == weight.shape:
        shapes = f"{sure.shape}, {is_content.shape} and {weight.shape}"
        raise ValueError(f"predicted, gold and weights have shapes {shapes}: they must be one")
    taken = sure > 0.5

    def total(which: Bools) -> float:
        return float(weight[which].sum())

    right_yes, right_no = total(taken & is_content), total(~taken & ~is_content)
    yes, no, everything = total(is_content), total(~is_content), float(weight.sum())
    return ClassScores(
        accuracy=(right_yes + right_no) / everything if everything else 1.0,
        content=prf_of(right_yes, yes, total(taken)),
        other=prf_of(right_no, no, total(~taken)),
        false_positives=total(taken & ~is_content) / no if no else 0.0,
        auc=roc_auc(sure, is_content, weight),
    )


def roc_auc(
    sure: npt.ArrayLike, gold: npt.ArrayLike, weights: npt.ArrayLike | None = None
) -> float | None:
    """Return the area under the ROC curve, None where a class has no weight.  O(b log b).

    It is the chance that of two units of weight, one of each class, the content is the surer one;
    equally sure counts half.
    """
    values = np.asarray(sure, dtype=np.float64)
    is_content = np.asarray(gold, dtype=bool)
    weight = np.ones(is_content.size) if weights is None else np.asarray(weights, dtype=np.float64)
    yes, no = float(weight[is_content].sum()), float(weight[~is_content].sum())
    if not yes or not no:
        return None
    _, group = np.unique(values, return_inverse=True)
    positive = np.bincount(group, weight * is_content)
    negative = np.bincount(group, weight * ~is_content)
    below = np.cumsum(negative) - negative
    return float((positive * (below + negative / 2)).sum() / (yes * no))


def is_content(words_in_gold: npt.ArrayLike, words: npt.ArrayLike) -> Bools:
    """Return which blocks are content: more than half of a block's words are gold's, bool (b,)."""
    return np.asarray(2 * np.asarray(words_in_gold) > np.asarray(words), dtype=bool)
