"""Steps of a method that works in rounds, and layers drawn in place of the chosen ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from algorithms.results import Round

SEPARATOR_COLOR = "#C2185B"
"""No layer of the usual ones has it, and it stands out from light pages and dark ones."""


class Stage(StrEnum):
    """Reading position in a round: one stage of the method after the other."""

    BLOCKS = "blocks"
    SEPARATORS = "separators"
    MERGED = "merged"


@dataclass(frozen=True)
class RoundStep:
    """A step of an algorithm to look at.

    Attributes:
        number: Of the round, from 1.
        shown: The round.
        stage: What of it.
    """

    number: int
    shown: Round
    stage: Stage


def steps_of(rounds: Sequence[Round]) -> tuple[RoundStep, ...]:
    """Return the steps, in order; no stage in which nothing was done."""
    result = []
    for number, shown in enumerate(rounds, start=1):
        result.append(RoundStep(number, shown, Stage.BLOCKS))
        if shown.separators:
            result.append(RoundStep(number, shown, Stage.SEPARATORS))
        if shown.merged:
            result.append(RoundStep(number, shown, Stage.MERGED))
    return tuple(result)


def step_at(rounds: Sequence[Round], index: int) -> RoundStep | None:
    """Return a step, from 1, or the last if there are fewer; None for 0, the result."""
    steps = steps_of(rounds)
    return steps[min(index, len(steps)) - 1] if index and steps else None


def separator_fill(weight: int) -> float:
    """Return how dark a separator is, 0 to 1: weights are 1 to 10."""
    return 0.16 + 0.06 * min(max(weight, 1), 10)


@dataclass(frozen=True)
class DrawnLayers:
    """Layers that are drawn in place of those the user has chosen.

    Attributes:
        layers: Their keys.
        step: Which step of a method that works in rounds is drawn, from 1; 0 for its result.
    """

    layers: tuple[str, ...] = ()
    step: int = 0

    @property
    def layer(self) -> str:
        """The layer it is about; "" for none or several."""
        return self.layers[0] if len(self.layers) == 1 else ""
