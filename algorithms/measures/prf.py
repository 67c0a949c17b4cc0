"""Precision, recall and their harmonic mean."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Prf:
    """Three numbers from 0 to 1; each measure's module says what they are where undefined."""

    precision: float
    recall: float
    f1: float
