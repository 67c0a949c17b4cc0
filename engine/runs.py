"""Runs: neighbouring positions that are all flagged, and positions that lie in at least one run."""

import numpy as np
import numpy.typing as npt

Positions = npt.NDArray[np.int64]


def runs_of(flags: npt.NDArray[np.bool_]) -> tuple[Positions, Positions]:
    """Return where each run of true flags, bool (n,), starts and ends (one past), int64 (k,)."""
    padded = np.zeros(flags.size + 2, dtype=bool)
    padded[1:-1] = flags
    edges = (padded[1:] != padded[:-1]).nonzero()[0]
    return edges[0::2], edges[1::2]


def mark_covered(
    starts: npt.NDArray[np.integer], ends: npt.NDArray[np.integer], size: int
) -> npt.NDArray[np.bool_]:
    """Return which of ``size`` positions lie in at least one run ``start..end``, bool (size,).

    Runs may overlap and be empty (``start == end``); none may end before it starts, or past
    ``size``.  O(size).
    """
    opened = np.bincount(starts, minlength=size + 1)
    closed = np.bincount(ends, minlength=size + 1)
    opened -= closed
    return np.asarray(opened.cumsum()[:-1] > 0, dtype=bool)
