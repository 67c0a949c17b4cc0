"""Precision, recall and their harmonic mean; the score of one result."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Prf:
    """Three numbers from 0 to 1; each measure's module says what they are where undefined."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class Score:
    """One measure of one result.

    Attributes:
        value: The number to compare by: F1, or the measure's own; None where it is undefined.
        precision, recall: None where the measure has none, or where they are undefined.
    """

    value: float | None
    precision: float | None = None
    recall: float | None = None


def prf_of(hits: float, relevant: float, retrieved: float) -> Prf:
    """Return the three from counts: nothing relevant makes the recall 1, nothing retrieved P 1."""
    precision = hits / retrieved if retrieved else 1.0
    recall = hits / relevant if relevant else 1.0
    return Prf(precision, recall, harmonic(precision, recall))


def harmonic(precision: float, recall: float) -> float:
    """Return F1; 0 where both are 0."""
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0
