"""Regions of a token sequence in which windows with few tags follow each other.

Source: D. Pinto et al., JCDL 2002, as in T. Gottron, dissertation 2008, section 3.2.3, Algorithm
3.2, read as `algorithms.extraction.dsc` says.
"""

import numpy as np

from engine.tree import Bools


def window_size(m: int) -> int:
    """Return the window for m tokens: 8 up to 200 tokens, 50 from 5,000 on, linear between."""
    if m > 5000:
        return 50
    return -(-(7 * m + 5000) // 800) if m >= 200 else 8  # 0.00875 m + 6.25, rounded up


def low_regions(
    is_tag: Bools, limit: float, windows: int = 3, whole: bool = True, early: bool = False
) -> Bools:
    """Return which tokens lie in a region of low slope, bool (m,).  O(m).

    A window is low if it has fewer than ``limit`` tags a token.  ``windows`` low ones in a row
    start a region, at the first of them if ``whole``, else at the last; as many others end it, at
    the first of them if ``early``, else at the last.
    """
    m = is_tag.size
    label = np.zeros(m, dtype=bool)
    width = window_size(m)
    if m <= width:
        return label
    curve = np.cumsum(is_tag, dtype=np.int64)
    starts = np.arange(0, m - width, width // 2)
    slopes = (curve[starts + width - 1] - curve[starts]) / width

    inside = False
    run = 0  # windows in a row that speak for a change
    opened = 0
    for k, low in enumerate((slopes < limit).tolist()):
        run = run + 1 if low != inside else 0
        if run < windows:
            continue
        first, last = int(starts[k - windows + 1]), int(starts[k])
        if inside:
            label[opened : first if early else last] = True
        else:
            opened = first if whole else last
        inside = not inside
        run = 0
    if inside:
        label[opened:] = True
    return label
