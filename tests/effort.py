"""How much work a call is, counted rather than timed: the same on a busy machine."""

import sys
from collections.abc import Callable
from types import FrameType


def effort(work: Callable[[], object]) -> int:
    """Return how many functions are called, Python's and C's, while ``work`` runs.

    What one call of NumPy or an expression does inside counts as one.
    """
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
