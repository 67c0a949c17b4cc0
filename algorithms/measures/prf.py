"""Precision, recall and their harmonic mean; the score of one result."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Prf:
    """Three numbers from 0 to 1; each measure's module defines the corner cases."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Score:
    """Score of one result by one measure.

    Attributes:
        value: The number to compare by: F1, or the measure's own; None where it is undefined.
        precision, recall: None where the measure has none, or where they are undefined.
    """

    value: float | None
    precision: float | None = None
    recall: float | None = None


def prf_of(hits: float, relevant: float, retrieved: float, undefined: float = 1.0) -> Prf:
    """Return the three from counts.

    With nothing relevant the recall is ``undefined``, with nothing retrieved the precision.
    """
    precision = hits / retrieved if retrieved else undefined
    recall = hits / relevant if relevant else undefined
    return Prf(precision, recall, harmonic(precision, recall))


def score_of(prf: Prf | None) -> Score:
    """Return F1 as a score; without a value for None."""
    return Score(None) if prf is None else Score(prf.f1, prf.precision, prf.recall)


def harmonic(precision: float, recall: float) -> float:
    """Return F1; 0 where both are 0."""
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0
