"""What trees say of a block in words: the groups of measures that speak for and against it."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from algorithms.learning.forest import Forest
from algorithms.learning.mixture import Mixture
from engine.tree import Doubles

_MOST = 3
_SURE = 1e-9
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


def margins(scores: Doubles, limit: float) -> Doubles:
    """Return how far log odds are above a limit of the chance, (b,)."""
    limit = min(max(limit, _SURE), 1 - _SURE)
    return np.asarray(scores - np.log(limit / (1 - limit)))


def turned_without(row: Sequence[float], margin: float) -> tuple[int, ...]:
    """Return the fewest groups without which a block is on the other side of the limit.

    Args:
        row: What each group adds to its log odds, (g,).
        margin: How far these are above the limit.

    Without them means as if they said of it what they say in the mean.  They are empty where more
    than `_MOST` would be needed.
    """
    sign = 1 if margin > 0 else -1
    rest, taken = margin * sign, []
    for k in sorted(range(len(row)), key=lambda k: -row[k] * sign)[:_MOST]:
        if row[k] * sign <= 0:
            break
        taken.append(k)
        rest -= row[k] * sign
        if rest < 0:
            return tuple(taken)
    return ()


def sentences(
    groups: Sequence[str], added: Doubles, names: Mapping[str, str], above: Doubles
) -> list[str]:
    """Return of each block what speaks for and against it, the strongest first, and what turns it.

    ``above`` is how far the log odds of each are above the limit, (b,).
    """
    result = []
    for row, margin in zip(added.tolist(), above.tolist(), strict=True):
        order = sorted(range(len(groups)), key=lambda k: -abs(row[k]))[:_MOST]
        parts = []
        for words, sign in (("for it", 1), ("against it", -1)):
            own = [f"{names[groups[k]]} ({row[k]:+.1f})" for k in order if row[k] * sign >= _FAINT]
            if own:
                parts.append(f"{words}: {', '.join(own)}")
        if parts and (turning := turned_without(row, margin)):
            turned = "too little" if margin > 0 else "enough"
            parts.append(f"{turned} without: {', '.join(names[groups[k]] for k in turning)}")
        result.append("; ".join(parts) or "nothing tells it from others")
    return result


def as_share(value: float) -> str:
    """Return a share as text: ``.42``."""
    return f"{value:.2f}".removeprefix("0")
