"""A forest and nets that learned the same from the same columns, taken together.

They err on different blocks: trees cut single columns, nets add up many.  Half of the log odds are
the forest's, and half the nets' mean.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.learning.forest import Forest
from algorithms.learning.net import Net
from engine.tree import Doubles

_FOREST = 0.5
"""The forest's share of the log odds where there are nets."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """A forest, and nets that read the same columns; a forest alone where there are none."""

    forest: Forest
    nets: tuple[Net, ...] = ()

    def _parts(self) -> Iterator[tuple[float, Forest | Net]]:
        yield (_FOREST if self.nets else 1.0), self.forest
        for net in self.nets:
            yield (1 - _FOREST) / len(self.nets), net

    def scores(self, matrix: npt.NDArray[np.float32]) -> Doubles:
        """Return the score of each row, float64 (b,): log odds."""
        result = np.zeros(len(matrix))
        for share, part in self._parts():
            result += share * part.scores(matrix)
        return result

    def check(self, width: int) -> None:
        """Raise `ValueError` unless all parts read columns there are."""
        for _, part in self._parts():
            part.check(width)
