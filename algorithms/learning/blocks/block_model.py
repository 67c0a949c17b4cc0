"""Trained segmenter in one file, and its prediction for a page."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from algorithms.learning import model_file
from algorithms.learning.blocks.candidate_columns import columns
from algorithms.learning.blocks.candidates import Candidates, candidates, same_texts
from algorithms.learning.blocks.near_twins import best_blocks
from algorithms.learning.forest import Forest
from algorithms.levels import Level
from engine.nodes import NodeTable
from engine.tree import Bools, Doubles

FORMAT, VERSION = "pagelet-terrain-learned", 1

Matrix = npt.NDArray[np.float32]

Trust = dict[str, list[int]]
"""By level and suggested type how often it was right, and how often it was given."""


@dataclass(frozen=True, eq=False)
class BlockPrediction:
    """Prediction of a model for the m candidates of a page.

    Attributes:
        stretches: All candidates of the page.
        chance: float64 (m,). How probable it is that each is a block to an annotator.
        outer: float64 (m,). How probable it is that it is one of level 1, if it is one.
        taken: bool (m,).
        limit: What a chance must exceed: half the F that is expected.
        f: The expected F of the taken candidates.
        matrix: float32 (m, c). What the trees read.
    """

    stretches: Candidates
    chance: Doubles
    outer: Doubles
    taken: Bools
    limit: float
    f: float
    matrix: Matrix


@dataclass(frozen=True, eq=False)
class BlockModel:
    """A trained segmenter.

    Attributes:
        columns: Names of what the trees read, in order.
        blocks: Trees that tell blocks.
        levels: Trees that tell blocks of level 1 from those of level 2.
        card: Data, licence, date, folds, scores, limits; ``types`` counts how often suggested types
            were right.
    """

    columns: tuple[str, ...]
    blocks: Forest
    levels: Forest
    card: dict[str, Any]

    def predict(self, nodes: NodeTable, least: float = 0.0) -> BlockPrediction:
        """Read a page; ``least`` is a chance that blocks must have whatever is expected."""
        stretches = candidates(nodes)
        matrix = self.matrix(nodes, stretches)
        chance, outer = _odds(self.blocks, matrix), _odds(self.levels, matrix)
        same = same_texts(stretches)
        chance = chance[same] if len(same) else chance
        alone = np.where(same == np.arange(len(same)), chance, 0.0)  # equal texts count once
        taken, f, limit = best_blocks(alone, stretches.first, stretches.last, stretches.parent)
        if len(same):
            taken = taken[same] & (chance > least)
        return BlockPrediction(stretches, chance, outer, taken, limit, f, matrix)

    def matrix(self, nodes: NodeTable, stretches: Candidates) -> Matrix:
        """Return the matrix for the trees, float32 (m, c)."""
        if not len(stretches):
            return np.zeros((0, len(self.columns)), dtype=np.float32)
        measured = columns(nodes, stretches)
        model_file.check_columns(self.columns, measured)
        return np.stack([np.asarray(measured[name], np.float32) for name in self.columns], axis=1)

    @cached_property
    def data(self) -> bytes:
        """The model as the bytes of a file: the same for the same model."""
        head = {"format": FORMAT, "version": VERSION, "columns": self.columns, "card": self.card}
        arrays: model_file.Arrays = {}
        for name, forest in (("blocks", self.blocks), ("levels", self.levels)):
            arrays |= {f"{name}_{key}": array for key, array in forest.arrays.items()}
        return model_file.pack_model(head, arrays)


def _odds(forest: Forest, matrix: Matrix) -> Doubles:
    with np.errstate(over="ignore"):  # a chance of 0
        return np.asarray(1 / (1 + np.exp(-forest.scores(matrix))))


def _made(head: dict[str, Any], arrays: model_file.Arrays) -> BlockModel:
    blocks, levels = (Forest(**model_file.part_of(arrays, part)) for part in ("blocks", "levels"))
    for forest in (blocks, levels):
        forest.check(len(head["columns"]))
    _check_trust(head["card"]["types"])
    return BlockModel(tuple(head["columns"]), blocks, levels, head["card"])


LEARNED = model_file.LearnedMethod("terrain-learned", FORMAT, VERSION, _made)
of_bytes, load, model_of = LEARNED.of_bytes, LEARNED.load, LEARNED.model_of


def _check_trust(trust: Trust) -> None:
    for right, given in trust.values():
        if type(right) is not int or type(given) is not int or not 0 <= right <= given:
            raise ValueError("its types are damaged")


def confidence(trust: Trust, level: Level, suggested: str) -> float | None:
    """Return how probable a suggested type is right; None where nothing is known of it.

    The suggestions are those of `algorithms.signals.block_types`.  Trees on the same columns as
    those that tell blocks, with the suggestions among them, were no better (cross-validated by site
    on the 1,224 typed blocks of the random pages: 64 % right, macro F .47, against 66 % and .54),
    so the confidence is learned.

    Laplace's rule: one right and one wrong are added, so that few cases weigh little.
    """
    right, given = trust.get(f"{level} {suggested}", (0, 0))
    return (right + 1) / (given + 2) if given and suggested else None
