"""A small neural net as arrays, read by numpy alone, to the same bits on any machine; mixtures.

Sums of products are exact: inputs, weights and hidden values are multiples of powers of two, so
small that no sum of theirs needs more than the 53 bits of a double.  So neither the order in which
a BLAS adds nor the number of its threads changes a bit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from algorithms.learning.forest import Forest
from engine.tree import Doubles, lock

FAR = 4.0
"""Inputs further from their mean, in standard deviations, are taken for so far."""

MOST_HIDDEN, MOST_WEIGHT = 64.0, 8.0
VALUE_BITS, WEIGHT_BITS = 8, 16
"""Inputs and hidden values are multiples of 2**-8, weights of 2**-16: 11 bits of an input (14 of a
hidden value), 20 of a weight and 10 of up to 1,024 summands are less than 53."""

_WIDEST = 1024
_AT_ONCE = 128
"""Rows scored together: their values stay in the processor's cache."""

_ROWS_AT_ONCE, _INPUTS_AT_ONCE = 32, 80
"""Rows, and how many of their values, summed by one call.

With 96 hidden values these are fewer products than the 2**18 from which OpenBLAS starts threads,
which wait for each other longer than they work.  Sums are exact, so their order is free.
"""


def round_values(values: Doubles, bits: int, most: float) -> Doubles:
    """Return values as multiples of 2**-bits, none beyond ``most`` on either side."""
    return _rounded(values * 2.0**bits, bits, -most, most)


def _rounded(values: Doubles, bits: int, least: float, most: float) -> Doubles:
    """Return values by 2**-bits, rounded to multiples of it and bounded, in place."""
    np.rint(values, out=values)
    values *= 2.0**-bits
    np.maximum(values, least, out=values)
    return np.minimum(values, most, out=values)


@dataclass(frozen=True, eq=False)
class Net:
    """Layers of a net with one output: rectified sums, the last one as it is.

    Attributes:
        mean, scale: float32 (c,). Mean of each input, and its standard deviation.
        weights: float64 (inputs, outputs) of each layer, multiples of 2**-16.
        biases: float64 (outputs,) of each layer, likewise.
    """

    mean: npt.NDArray[np.float32]
    scale: npt.NDArray[np.float32]
    weights: tuple[Doubles, ...]
    biases: tuple[Doubles, ...]

    def __post_init__(self) -> None:
        for array in self._every:
            lock(array)

    @property
    def _every(self) -> tuple[npt.NDArray[Any], ...]:
        scales: tuple[npt.NDArray[Any], ...] = (self.mean, self.scale)
        return (*scales, *self.weights, *self.biases)

    def scores(self, matrix: npt.NDArray[np.float32]) -> Doubles:
        """Return the score of each row, float64 (b,): log odds."""
        result: Doubles = _scores_of((self,), matrix)[0]
        return result

    def read(self, values: Doubles) -> Doubles:
        """Return the score of each of a few rows of `scale_rows`, float64 (b,)."""
        for weight, bias in zip(self.weights, self.biases, strict=True):
            sums = _products(values, weight)
            sums += bias
            values = rectify(sums)
        result: Doubles = sums[:, 0]
        return result

    @property
    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The columns by name, as they are stored: weights as whole numbers."""
        result: dict[str, npt.NDArray[np.generic]] = {"mean": self.mean, "scale": self.scale}
        for layer, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            result[f"weight{layer}"] = _whole(weight)
            result[f"bias{layer}"] = _whole(bias)
        return result

    def check(self, width: int) -> None:
        """Raise `ValueError` unless layers fit each other, and inputs of this many columns."""
        sizes = [width, *(len(bias) for bias in self.biases)]
        fits = [weight.shape for weight in self.weights] == list(pairwise(sizes))
        if (
            not fits
            or len(sizes) < 2
            or sizes[-1] != 1
            or any(bias.ndim != 1 for bias in self.biases)
            or max(sizes) > _WIDEST
            or self.mean.shape != (width,)
            or self.scale.shape != (width,)
            or not all(np.isfinite(array).all() for array in self._every)
            or not bool((self.scale > 0).all())
        ):
            raise ValueError("its net is damaged")


def _scores_of(nets: Sequence[Net], matrix: npt.NDArray[np.float32]) -> Doubles:
    """Return the score of each row by each net, float64 (nets, b): log odds."""
    result = np.empty((len(nets), len(matrix)))
    scales = [(net.mean.tobytes(), net.scale.tobytes()) for net in nets]
    for first in range(0, len(matrix), _AT_ONCE):
        rows = slice(first, first + _AT_ONCE)
        for k, net in enumerate(nets):
            if not k or scales[k] != scales[k - 1]:  # nets of one training scale alike
                values = scale_rows(matrix[rows], net.mean, net.scale)
            result[k, rows] = net.read(values)
    return result


def _products(values: Doubles, weight: Doubles) -> Doubles:
    result: Doubles = np.zeros((len(values), weight.shape[1]))
    for row in range(0, len(values), _ROWS_AT_ONCE):
        rows = slice(row, row + _ROWS_AT_ONCE)
        for first in range(0, len(weight), _INPUTS_AT_ONCE):
            some = slice(first, first + _INPUTS_AT_ONCE)
            result[rows] += values[rows, some] @ weight[some]
    return result


def scale_rows(
    matrix: npt.NDArray[np.float32], mean: npt.NDArray[np.float32], scale: npt.NDArray[np.float32]
) -> Doubles:
    """Return rows in standard deviations from the mean of each column, rounded, (b, c)."""
    return round_values(((matrix - mean) / scale).astype(np.float64), VALUE_BITS, FAR)


def rectify(sums: Doubles) -> Doubles:
    """Return hidden values: sums above 0, rounded."""
    return _rounded(sums * 2.0**VALUE_BITS, VALUE_BITS, 0.0, MOST_HIDDEN)


def _whole(values: Doubles) -> npt.NDArray[np.int32]:
    return np.rint(values * 2.0**WEIGHT_BITS).astype(np.int32)


def of_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> Net:
    """Return the net that was stored; raises `KeyError` or `ValueError` for invalid values."""
    if any(max(array.shape, default=0) > _WIDEST for array in arrays.values()):
        raise ValueError("its net is damaged")
    layers: Sequence[int] = range(sum(key.startswith("weight") for key in arrays))
    weights, biases = (
        tuple(arrays[f"{part}{layer}"].astype(np.int32) / 2.0**WEIGHT_BITS for layer in layers)
        for part in ("weight", "bias")
    )
    return Net(
        arrays["mean"].astype(np.float32), arrays["scale"].astype(np.float32), weights, biases
    )


_FOREST = 0.5
"""The forest's share of the log odds where there are nets."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """A forest, and nets that read the same columns; a forest alone where there are none.

    They err on different blocks: trees cut single columns, nets add up many.  Half of the log odds
    are the forest's, and half the nets' mean.
    """

    forest: Forest
    nets: tuple[Net, ...] = ()

    def scores(self, matrix: npt.NDArray[np.float32]) -> Doubles:
        """Return the score of each row, float64 (b,): log odds."""
        result = self.forest.scores(matrix)
        if self.nets:
            result *= _FOREST
            for scores in _scores_of(self.nets, matrix):
                result += (1 - _FOREST) / len(self.nets) * scores
        return result

    def check(self, width: int) -> None:
        """Raise `ValueError` unless all parts read columns there are."""
        self.forest.check(width)
        for net in self.nets:
            net.check(width)
