"""A trained gleaner as one file: trees, nets, hashed weights, and the card that describes it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from algorithms.extraction.gleaner.block_columns import measure_columns, path_groups
from algorithms.extraction.gleaner.expected_f1 import KeptBlocks, best_blocks
from algorithms.extraction.gleaner.learned import (
    Weights,
    path_scores,
    smooth_scores,
    type_scores,
    word_codes,
    word_scores,
)
from algorithms.extraction.gleaner.page_codes import page_codes
from algorithms.extraction.gleaner.text_runs import names, text_runs
from algorithms.learning import model_file, net
from algorithms.learning.forest import Forest
from algorithms.learning.net import Mixture
from engine.source import Source
from engine.tree import Doubles

FORMAT, VERSION = "pagelet-gleaner", 2
"""Files of version 1 have no nets."""

_MOST_NETS = 16
_MOST_TYPES = 100


@dataclass(frozen=True, eq=False)
class PagePrediction:
    """Prediction of a model for one page.

    Attributes:
        chance: float64 (b,). Which share of each block is expected to be content.
        choice: The kept blocks.
        types: Each type's probability, highest first; empty where the model knows none.
        matrix: float32 (b, c). What trees and nets read.
    """

    chance: Doubles
    choice: KeptBlocks
    types: tuple[tuple[str, float], ...]
    matrix: npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Model:
    """A trained gleaner.

    Attributes:
        columns: Names of what trees and nets read, in order.
        mixture: The trees and nets.
        paths, words: Linear scores of class and id words, and of a block's own words.
        types: Linear scores of the page's type, a column each; no column where there are none.
        card: Data, guideline, licence, date, folds, scores, limits; ``types`` names the types.
    """

    columns: tuple[str, ...]
    mixture: Mixture
    paths: Weights
    words: Weights
    types: Weights
    card: dict[str, Any]

    @property
    def type_names(self) -> tuple[str, ...]:
        """Types of page that it distinguishes."""
        return tuple(self.card["types"])

    def predict(self, source: Source, least: float = 10.0, known_type: str = "") -> PagePrediction:
        """Read a page; nothing is kept where fewer than ``least`` words are expected.

        ``known_type`` is the page's type, if somebody knows it, or it is to be read as such a page.
        """
        matrix, chances = self.matrix(source, known_type)
        types = tuple(
            sorted(zip(self.type_names, chances.tolist(), strict=True), key=lambda each: -each[1])
        )
        with np.errstate(over="ignore"):  # a chance of 0
            chance = 1 / (1 + np.exp(-self.mixture.scores(matrix)))
        return PagePrediction(chance, best_blocks(chance, text_runs(source), least), types, matrix)

    def matrix(
        self, source: Source, known_type: str = ""
    ) -> tuple[npt.NDArray[np.float32], Doubles]:
        """Return the matrix for trees and nets, (b, c), and the probability of each type, (t,)."""
        runs = text_runs(source)
        chances = type_scores(page_codes(source), self.types) if self.type_names else np.zeros(0)
        if known_type in self.type_names:
            chances = np.array([float(name == known_type) for name in self.type_names])
        if not len(runs):
            return np.zeros((0, len(self.columns)), dtype=np.float32), chances
        scores = path_scores(names(source), self.paths) | word_scores(*word_codes(runs), self.words)
        columns = measure_columns(source)
        result = columns | smooth_scores(scores, runs, path_groups(source), columns["tag.heading"])
        for name, chance in zip(self.type_names, chances.tolist(), strict=True):
            result[f"type.{name}"] = np.full(len(runs), chance, dtype=np.float32)
        model_file.check_columns(self.columns, result)
        return np.stack([result[name] for name in self.columns], axis=1), chances

    @cached_property
    def data(self) -> bytes:
        """The model as the bytes of a file: the same for the same model."""
        nets = self.mixture.nets
        head = {
            "format": FORMAT, "version": VERSION, "columns": self.columns, "nets": len(nets),
            "card": self.card,
        }  # fmt: skip
        parts = {"forest": self.mixture.forest.arrays}
        parts |= {f"net{k}": own.arrays for k, own in enumerate(nets)}
        arrays: model_file.Arrays = {
            f"{part}_{name}": array for part, own in parts.items() for name, array in own.items()
        }
        for name, weights in (("paths", self.paths), ("words", self.words), ("types", self.types)):
            arrays |= _packed(name, weights)
        return model_file.pack_model(head, arrays)


def quantise(weights: Weights) -> Weights:
    """Return weights as read back from a file, where each is a byte."""
    return _unpacked("w", _packed("w", weights))


def _packed(name: str, weights: Weights) -> dict[str, npt.NDArray[np.generic]]:
    scale = np.maximum(np.abs(weights.values).max(axis=0, initial=0), 1e-9) / 127
    return {
        f"{name}_values": np.rint(weights.values / scale).astype(np.int8),
        f"{name}_scale": np.asarray(scale, dtype=np.float32),
        f"{name}_bias": weights.bias,
    }


def _unpacked(name: str, arrays: dict[str, npt.NDArray[Any]]) -> Weights:
    values, scale = arrays[f"{name}_values"], arrays[f"{name}_scale"]
    if scale.shape != values.shape[1:]:  # numpy would make it as large as both together
        raise ValueError("its weights are damaged")
    scaled = values.astype(np.float32) * scale
    return Weights(scaled.astype(np.float32), arrays[f"{name}_bias"].astype(np.float32))


def _made(head: dict[str, Any], arrays: model_file.Arrays) -> Model:
    count = head.get("nets", 0)
    if not 0 <= count <= _MOST_NETS:
        raise ValueError("its nets are damaged")
    mixture = Mixture(
        Forest(**model_file.part_of(arrays, "forest")),
        tuple(net.of_arrays(model_file.part_of(arrays, f"net{k}")) for k in range(count)),
    )
    mixture.check(len(head["columns"]))
    paths, words, types = (_unpacked(part, arrays) for part in ("paths", "words", "types"))
    return _checked(Model(tuple(head["columns"]), mixture, paths, words, types, head["card"]))


def _checked(model: Model) -> Model:
    """Return a model that reads a small page; raises anything where it cannot."""
    types = model.card["types"]
    if not isinstance(types, list) or not all(isinstance(name, str) for name in types):
        raise TypeError("its card names no types")
    if len(types) > _MOST_TYPES:
        raise model_file.TooLarge(f"it knows {len(types):,} types of page, more than {_MOST_TYPES}")
    for weights, ndim in ((model.paths, 1), (model.words, 1), (model.types, 2)):
        size, is_finite = len(weights.values), np.isfinite(weights.values).all()
        is_sized = size and not size & (size - 1) and weights.values.ndim == ndim
        is_sized = is_sized and weights.bias.shape == weights.values.shape[1:]
        if not (is_sized and is_finite and np.isfinite(weights.bias).all()):
            raise ValueError("its weights are damaged")
    if len(types) != model.types.values.shape[1] or len(set(types)) < len(types):
        raise ValueError("its types are not those of its card")
    model.predict(Source.from_text("<title>a</title><h1>a b</h1><p>c <a href=/>d</a><p>e"))
    return model


LEARNED = model_file.LearnedMethod("gleaner", FORMAT, VERSION, _made)
of_bytes, load, model_of = LEARNED.of_bytes, LEARNED.load, LEARNED.model_of
