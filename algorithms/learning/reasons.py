"""What trees say of a block in words: the groups of measures that speak for and against it."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from algorithms.learning.forest import Forest
from algorithms.learning.mixture import Mixture
from engine.tree import Doubles

_MOST = 3
_FAINT = 0.05
"""Log odds below which a reason is not worth a word."""


def group_contributions(
    forest: Forest | Mixture,
    columns: Sequence[str],
    group_of: Callable[[str], str],
    matrix: npt.NDArray[np.float32],
) -> tuple[tuple[str, ...], Doubles, float]:
    """Return the g groups of columns, what each adds to each block's score, and the expectation.

    The log odds of a block are the expectation and what all groups add, float64 (b, g).
    """
    added, expected = forest.contributions(matrix)
    group = [group_of(name) for name in columns]
    groups = tuple(dict.fromkeys(group))
    at = np.array([groups.index(name) for name in group])
    by_group = np.stack([added[:, at == k].sum(axis=1) for k in range(len(groups))], axis=1)
    return groups, by_group, expected


def sentences(groups: Sequence[str], added: Doubles, names: Mapping[str, str]) -> list[str]:
    """Return of each block what speaks for and against it, the strongest first."""
    result = []
    for row in added.tolist():
        order = sorted(range(len(groups)), key=lambda k: -abs(row[k]))[:_MOST]
        parts = []
        for words, sign in (("for it", 1), ("against it", -1)):
            own = [f"{names[groups[k]]} ({row[k]:+.1f})" for k in order if row[k] * sign >= _FAINT]
            if own:
                parts.append(f"{words}: {', '.join(own)}")
        result.append("; ".join(parts) or "nothing tells it from others")
    return result


def as_share(value: float) -> str:
    """Return a share as text: ``.42``."""
    return f"{value:.2f}".removeprefix("0")
