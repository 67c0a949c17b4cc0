"""Levels of blocks: 1 for the large parts of a page, 2 for what these hold (thesis, 4.4)."""

from typing import Literal

Level = Literal[0, 1, 2]
"""Level of a block; 0 stands for main content among marks, and for both levels in a choice."""

LEVELS: tuple[Level, ...] = (1, 2)


def level_of(number: object) -> Level | None:
    """Return a number as a level of blocks; None where it is none."""
    return next((level for level in LEVELS if level == number), None)
