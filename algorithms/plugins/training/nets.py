"""Training of a small net, to the same bits for any number of threads.

Adam with decoupled weight decay (D. P. Kingma, J. Ba, ICLR 2015; I. Loshchilov, F. Hutter, ICLR
2019) and dropout (N. Srivastava et al., JMLR 15, 2014), the rate rising over the first steps and
then falling to nothing.  Errors are rounded like values and weights (`algorithms.learning.net`), so
that all sums of products are exact; the rest are operations on single numbers.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from algorithms.learning.net import (
    MOST_HIDDEN,
    MOST_WEIGHT,
    VALUE_BITS,
    WEIGHT_BITS,
    Net,
    rectify,
    round_values,
    scale_rows,
)
from engine.tree import Doubles

_ERROR_BITS, _MOST_ERROR = 18, 128.0
"""25 bits of an error, 14 of a value and 10 of a batch, or 20 of a weight and 7 of a layer."""

_MOST_SCORE = 30.0


@dataclass(frozen=True)
class NetTraining:
    """Settings of a training; ``hidden`` are the widths of the hidden layers.

    Much is dropped and weights decay fast: with less of both a net is surer than it is right.
    """

    hidden: tuple[int, ...] = (96, 48)
    epochs: int = 14
    rate: float = 0.002
    decay: float = 0.3
    dropout: float = 0.5
    input_dropout: float = 0.2
    batch: int = 1024
    fewest_steps: int = 100
    warm: int = 200


USUAL = NetTraining()


def fit_net(
    matrix: npt.NDArray[np.float32],
    target: Doubles,
    weight: Doubles,
    *,
    seed: int,
    settings: NetTraining = USUAL,
) -> Net:
    """Return a net that tells targets, 0 to 1, (r,), from rows, (r, c), that count by weight.

    O(r * c * hidden * epochs); a matrix of 220,000 rows by 373 takes half a minute.
    """
    rng = np.random.default_rng(seed)
    mean = matrix.mean(axis=0, dtype=np.float64).astype(np.float32)
    spread = matrix.std(axis=0, dtype=np.float64)
    scale = np.maximum(spread, 1e-3).astype(np.float32)
    weight = weight * weight.size / weight.sum()
    layers = _Layers(matrix.shape[1], settings, rng, float((weight * target).mean()))
    batch = int(np.clip(len(matrix) // settings.fewest_steps, 16, settings.batch))
    steps = settings.epochs * -(-len(matrix) // batch)
    step = 0
    for _ in range(settings.epochs):
        order = rng.permutation(len(matrix))
        for first in range(0, len(matrix), batch):
            some = order[first : first + batch]
            inputs = scale_rows(matrix[some], mean, scale)
            step += 1
            rate = settings.rate * min(step / settings.warm, 1) * (1 - (step - 1) / steps)
            layers.learn(inputs, target[some], weight[some], rate, rng)
    return Net(mean, scale, *layers.rounded())


class _Layers:
    """Weights while they are learned, with the moments of their slopes."""

    def __init__(
        self, width: int, settings: NetTraining, rng: np.random.Generator, share: float
    ) -> None:
        self.settings = settings
        sizes = (width, *settings.hidden, 1)
        self.weights, self.biases = [], []
        for inner, outer in pairwise(sizes):
            reach = (6 / inner) ** 0.5 if outer > 1 else 0.1 * (6 / inner) ** 0.5
            self.weights.append(rng.uniform(-reach, reach, (inner, outer)))
            self.biases.append(np.zeros(outer))
        share = min(max(share, 1e-3), 1 - 1e-3)
        self.biases[-1][:] = np.log(share / (1 - share))
        self.means = [np.zeros_like(each) for each in (*self.weights, *self.biases)]
        self.squares = [np.zeros_like(each) for each in (*self.weights, *self.biases)]
        self.first = self.second = 1.0

    def rounded(self) -> tuple[tuple[Doubles, ...], tuple[Doubles, ...]]:
        """Return weights and biases as a net has them."""
        weights, biases = (
            tuple(round_values(each, WEIGHT_BITS, MOST_WEIGHT) for each in part)
            for part in (self.weights, self.biases)
        )
        return weights, biases

    def learn(
        self,
        inputs: Doubles,
        target: Doubles,
        weight: Doubles,
        rate: float,
        rng: np.random.Generator,
    ) -> None:
        """Update the weights by one step of gradient descent on cross entropy of some rows."""
        weights, biases = self.rounded()
        values = [_without(inputs, self.settings.input_dropout, rng)[0]]
        masks: list[Doubles] = []
        for layer in range(len(weights) - 1):
            hidden = rectify(values[-1] @ weights[layer] + biases[layer])
            left, mask = _without(hidden, self.settings.dropout, rng)
            values.append(left)
            masks.append(mask)
        score = np.clip((values[-1] @ weights[-1] + biases[-1])[:, 0], -_MOST_SCORE, _MOST_SCORE)
        error = _rounded_error(weight * (1 / (1 + np.exp(-score)) - target))[:, None]
        of_weights: list[Doubles] = []
        of_biases: list[Doubles] = []
        for layer in range(len(weights) - 1, -1, -1):
            of_weights.insert(0, values[layer].T @ error / len(inputs))
            of_biases.insert(0, error.sum(axis=0) / len(inputs))
            if layer:
                inner = (error @ weights[layer].T) * masks[layer - 1] * (values[layer] > 0)
                error = _rounded_error(inner)
        self._move(of_weights + of_biases, rate)

    def _move(self, slopes: list[Doubles], rate: float) -> None:
        self.first *= 0.9
        self.second *= 0.999
        every = (*self.weights, *self.biases)
        for at, (values, slope) in enumerate(zip(every, slopes, strict=True)):
            mean, square = self.means[at], self.squares[at]
            mean += (slope - mean) * 0.1
            square += (slope * slope - square) * 0.001
            spread = np.sqrt(square / (1 - self.second)) + 1e-8
            values -= rate * (mean / (1 - self.first)) / spread
            if values.ndim > 1:
                values *= 1 - rate * self.settings.decay


def _without(values: Doubles, dropout: float, rng: np.random.Generator) -> tuple[Doubles, Doubles]:
    """Return values with some dropped at random, the others scaled, and the factor of each."""
    keep = 1 - dropout
    mask = (rng.random(values.shape, dtype=np.float32) < keep) / keep
    return round_values(values * mask, VALUE_BITS, MOST_HIDDEN), mask


def _rounded_error(error: Doubles) -> Doubles:
    return round_values(error, _ERROR_BITS, _MOST_ERROR)
