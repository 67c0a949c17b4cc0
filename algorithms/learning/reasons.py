"""Reasons for a decision, in words: the things whose removal weakens it most."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import overload

import numpy as np
import numpy.typing as npt

from algorithms.learning.forest import Forest
from engine.tree import Doubles

_MOST = 3
_SURE = 1e-9
FAINT = 0.25
"""Log odds by which a decision must weaken for a reason to be named."""


@dataclass(frozen=True)
class Without:
    """Decision repeated without one thing.

    Attributes:
        name: What was removed.
        how: What replaces it, in a few words.
        chance: The chance without it, 0 to 1.
        is_turned: Whether the decision is then the other one.
    """

    name: str
    how: str
    chance: float
    is_turned: bool


class LazySentences(Sequence[str]):
    """Sentences made on first use and then cached.

    Args:
        count: Their number.
        make: Makes one.
        ending: The end of all of them.
        rests: Whether one would say that its decision rests on a thing alone.
    """

    def __init__(
        self, count: int, make: Callable[[int], str], ending: str, rests: Callable[[int, str], bool]
    ) -> None:
        self._count, self._make, self.ending, self.rests = count, cache(make), ending, rests

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...

    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        """Return one sentence, or some."""
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(self._count)))
        return self._make(range(self._count)[index]) + self.ending


def log_odds(chance: float) -> float:
    """Return the log odds of a chance clipped away from 0 and 1."""
    chance = min(max(chance, _SURE), 1 - _SURE)
    return float(np.log(chance / (1 - chance)))


def strongest(chance: float, is_taken: bool, tried: Sequence[Without]) -> list[Without]:
    """Return the removals that reverse or weaken a decision most, at most three, strongest first.

    Args:
        chance: The chance as it is.
        is_taken: The decision.
        tried: The decision without one thing each.
    """
    sign = 1 if is_taken else -1

    def weakened(each: Without) -> float:
        return (log_odds(chance) - log_odds(each.chance)) * sign

    named = [each for each in tried if weakened(each) >= FAINT]
    return sorted(named, key=lambda each: (not each.is_turned, -weakened(each)))[:_MOST]


def sentence(
    chance: float, named: Sequence[Without], turned: str, together: Without | None = None
) -> str:
    """Return the reasons for a decision in words.

    "Rests on" is used only for reasons that reverse the decision, alone or together; others that
    change the probability weaken it.

    Args:
        chance: The chance as it is.
        named: Of `strongest`.
        turned: What the other decision is called.
        together: The decision without all that is named, where no single one turns it.
    """
    if not named:
        return "nothing on the page alone decides it"

    def listed(some: Sequence[Without]) -> str:
        return ", ".join(
            f"{each.name} ({each.how}: {as_share(each.chance, chance)}"
            f"{f', {turned}' if each.is_turned else ''})"
            for each in some
        )

    alone = [each for each in named if each.is_turned]
    weaker = [each for each in named if not each.is_turned]
    if alone:
        rest = f"; weaker without {listed(weaker)}" if weaker else ""
        return f"rests on {listed(alone)}{rest}"
    if together is not None and together.is_turned:
        without = f"without all of these {as_share(together.chance, chance)}, {turned}"
        return f"rests on {listed(weaker)} together: {without}"
    return f"no removed reason reverses it; weaker without {listed(weaker)}"


def as_share(value: float, other: float | None = None) -> str:
    """Return a share as text, ``.42``, with digits enough to differ from another."""
    digits = 2
    if other is not None:
        while digits < 4 and f"{value:.{digits}f}" == f"{other:.{digits}f}":
            digits += 1
        if value < 10**-digits:
            return f"less than {10**-digits:.{digits}f}".replace(" 0", " ")
    return f"{value:.{digits}f}".removeprefix("0")


# By what each group of columns adds -------------------------------------------------------------


def group_contributions(
    forest: Forest,
    columns: Sequence[str],
    group_of: Callable[[str], str],
    matrix: npt.NDArray[np.float32],
) -> tuple[tuple[str, ...], Doubles, float]:
    """Return the g groups of columns, their part in each block's score, and the expectation.

    The log odds of a block are the expectation and what all groups add, float64 (b, g).
    """
    added, expected = forest.contributions(matrix)
    group = [group_of(name) for name in columns]
    groups = tuple(dict.fromkeys(group))
    at = np.array([groups.index(name) for name in group])
    by_group = np.stack([added[:, at == k].sum(axis=1) for k in range(len(groups))], axis=1)
    return groups, by_group, expected


def sentences(
    names: Sequence[str], added: Doubles, expected: float, limit: float, verbs: tuple[str, str]
) -> Iterator[str]:
    """Yield the reasons for the decision on each block, by the contributions of groups of columns.

    Without a group means as if its columns were as usual.

    Args:
        names: What each group is called, g of them.
        added: What it adds to the log odds of each block, (b, g).
        expected: The log odds that all that is added comes on top of.
        limit: The chance above which a block is taken.
        verbs: What a taken block and another one are called.
    """
    bar = log_odds(limit)
    for row in added:
        score = expected + float(row.sum())
        is_taken = score > bar
        tried = [
            _left(name, score - own, bar, is_taken) for name, own in zip(names, row, strict=True)
        ]
        named = strongest(_chance(score), is_taken, tried)
        together = None
        if len(named) > 1 and not named[0].is_turned:
            own = sum(float(row[tried.index(each)]) for each in named)
            together = _left("", score - own, bar, is_taken)
        yield sentence(_chance(score), named, verbs[is_taken], together)


def _left(name: str, score: float, bar: float, is_taken: bool) -> Without:
    return Without(name, "as usual", _chance(score), (score > bar) != is_taken)


def _chance(score: float) -> float:
    return float(1 / (1 + np.exp(-score)))
