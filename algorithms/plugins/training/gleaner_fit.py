"""Training: linear scores of hashed words out of fold, then trees and nets on soft labels.

The same pages give the same model to the byte, whatever the number of threads: seeds are fixed,
LightGBM is set to be deterministic, the linear scores use no BLAS, and sums of nets are exact.

Figures are cross-validated by site.  The linear scores that trees learn from are out of fold, by
the same folds.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from algorithms.extraction.gleaner.expected_f1 import best_blocks
from algorithms.extraction.gleaner.gleaner_model import Model, quantise
from algorithms.extraction.gleaner.learned import (
    ANY,
    BUCKET,
    Weights,
    path_codes,
    path_scores,
    smooth_scores,
    type_scores,
    word_scores,
)
from algorithms.extraction.gleaner.text_runs import PATH_LEVELS, gather_ragged
from algorithms.learning.forest import Forest
from algorithms.learning.net import Mixture
from algorithms.plugins.training.boosting import (
    FEWEST_PAGES,
    Say,
    check_lightgbm,
    fit_trees,
    for_few,
)
from algorithms.plugins.training.gleaner_pages import TrainingPage, folds
from algorithms.plugins.training.nets import fit_net
from engine.errors import InputError
from engine.tree import Bools, Doubles, Longs

Matrix = npt.NDArray[np.float32]

_RIDGE = {"paths": 0.015, "words": 0.01, "types": 0.03}
_TYPE_ROUNDS = 200
"""A page has many more words than a block, and needs more steps."""

_MOST_BLOCKS = 200
"""Blocks of a page that trees learn from: of more, so many at random."""

LEAST_WORDS = 10.0

_BITS = 20
"""Of the hash of a word in the table of its weights."""

_STEPS = 60
"""Of the linear scores of blocks."""

TREES: dict[str, Any] = {
    "num_leaves": 64,
    "learning_rate": 0.05,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "min_data_in_leaf": 40,
    "min_sum_hessian_in_leaf": 1e-3,
    "lambda_l2": 10.0,
    "max_bin": 63,
}
ROUNDS = 300

NETS = (1, 2)
"""Seeds of the nets whose mean is half of the odds."""


@dataclass(frozen=True)
class Linear:
    """The linear scores of a set of pages."""

    paths: Weights
    words: Weights
    types: Weights


@dataclass(frozen=True)
class FitScores:
    """Cross-validated bag-of-words F1 of the pages of one data set.

    Attributes:
        sites: How many there are.
        f1: Of each page.
        folds: The mean of each fold.
        by_type: The mean of each type of page; "" for pages of unknown type.
        kept: Which blocks of each page, by its name, a model keeps that has learned from the other
            folds, bool (b,).
    """

    sites: int
    f1: tuple[float, ...]
    folds: tuple[float, ...]
    by_type: dict[str, float]
    kept: dict[str, Bools] = field(default_factory=dict, repr=False)

    @property
    def mean(self) -> float:
        """The mean of all pages."""
        return float(np.mean(self.f1))


def train(
    pages: Sequence[TrainingPage],
    card: dict[str, Any],
    *,
    threads: int = 1,
    parts: int = 5,
    rounds: int = ROUNDS,
    say: Say = lambda _line: None,
) -> tuple[Model, dict[str, FitScores]]:
    """Return a model of all pages, and its cross-validated scores by data set.

    There are none where all pages are of one site.  ``parts`` is the number of folds; ``card``
    describes the data.
    """
    check_lightgbm()
    readable = [page for page in pages if len(page)]
    if len(readable) < FEWEST_PAGES:
        raise InputError(
            f"training needs at least {FEWEST_PAGES} pages with text and gold, got {len(readable)}"
        )
    types = tuple(sorted({page.type for page in pages} - {""}))
    parts = min(parts, len({page.site for page in pages}))
    fold = folds(pages, max(parts, 2)) if parts > 1 else np.arange(len(pages)) % 2
    matrices = out_of_fold(pages, fold, types, say)
    names = _column_names(readable[0], matrices[1], types)
    scores = _validated(pages, matrices[0], fold, threads, rounds, say) if parts > 1 else {}
    say("training on all pages")
    linear = fit_linear(pages, types)
    mixture = fit_mixture(pages, matrices[0], np.ones(len(pages), bool), threads, rounds)
    about = {"types": list(types), **card, "nets": len(NETS), "scores": _card_of(scores)}
    return Model(names, mixture, linear.paths, linear.words, linear.types, about), scores


def _card_of(scores: dict[str, FitScores]) -> dict[str, Any]:
    if not scores:
        return {}
    by_data = {
        name: {
            "pages": len(own.f1),
            "sites": own.sites,
            "f1": round(own.mean, 4),
            "folds": [round(value, 4) for value in own.folds],
            "by_type": {kind: round(value, 4) for kind, value in own.by_type.items()},
        }
        for name, own in scores.items()
    }
    measure = "bag-of-words F1, mean over pages, cross-validated by site"
    return {"measure": measure, "by_data": by_data}


# Linear scores --------------------------------------------------------------------------------


def fit_linear(pages: Sequence[TrainingPage], types: tuple[str, ...]) -> Linear:
    """Return the linear scores learned from these pages, as read back from a file."""
    full = [page for page in pages if len(page)]
    return Linear(*map(quantise, (_fit_paths(full), _fit_words(full), _fit_types(full, types))))


def _fit_words(pages: Sequence[TrainingPage]) -> Weights:
    counts = np.concatenate([np.diff(page.words[1]) for page in pages])
    return _fit(
        np.concatenate([page.words[0] for page in pages]),
        _starts(counts),
        np.concatenate([page.share for page in pages]),
        np.concatenate([page.weight for page in pages]),
        ridge=_RIDGE["words"],
    )


def _fit_paths(pages: Sequence[TrainingPage]) -> Weights:
    """Blocks in one element have the same words around them: each element is one row."""
    codes, counts, targets, weights = [], [], [], []
    for page in pages:
        inner, at, of = np.unique(page.around.around[0], return_index=True, return_inverse=True)
        own, count = _path_rows(page, at)
        weight = np.bincount(of, weights=page.weight, minlength=inner.size)
        codes.append(own)
        counts.append(count)
        weights.append(weight)
        targets.append(np.bincount(of, weights=page.weight * page.share) / weight)
    return _fit(
        np.concatenate(codes), _starts(np.concatenate(counts)), np.concatenate(targets),
        np.concatenate(weights), ridge=_RIDGE["paths"],
    )  # fmt: skip


def _path_rows(page: TrainingPage, blocks: npt.NDArray[np.intp]) -> tuple[Longs, Longs]:
    around = page.around
    codes, rows = [], []
    for level in range(PATH_LEVELS):
        at = around.around[level][blocks]
        inside = np.flatnonzero(at >= 0)
        indices, count = gather_ragged(around.start, at[inside])
        own, row = around.codes[indices], np.repeat(inside, count)
        codes += [path_codes(BUCKET[level], own), path_codes(ANY, own)]
        rows += [row, row]
    row = np.concatenate(rows)
    order = np.argsort(row, kind="stable")
    # Only the lowest bits count, and as many pages as there may be must fit into memory.
    lowest = (np.concatenate(codes)[order] & ((1 << _BITS) - 1)).astype(np.int32)
    return lowest, np.bincount(row, minlength=blocks.size)  # type: ignore[return-value]


def _fit_types(pages: Sequence[TrainingPage], types: tuple[str, ...]) -> Weights:
    known = [page for page in pages if page.type]
    if not known or not types:
        return Weights(np.zeros((1, len(types)), np.float32), np.zeros(len(types), np.float32))
    codes = np.concatenate([page.codes for page in known])
    starts = _starts(np.array([page.codes.size for page in known]))
    even = np.ones(len(known))
    parts = [  # one against the rest, a column each
        _fit(
            codes, starts, np.array([float(page.type == name) for page in known]), even,
            ridge=_RIDGE["types"], bits=16, rounds=_TYPE_ROUNDS,
        )
        for name in types
    ]  # fmt: skip
    values = np.stack([part.values for part in parts], axis=1).copy()
    return Weights(values, np.array([float(part.bias) for part in parts], dtype=np.float32))


def _starts(counts: npt.NDArray[np.integer]) -> Longs:
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def _fit(
    codes: Longs,
    start: Longs,
    target: Doubles,
    weight: Doubles,
    *,
    ridge: float,
    bits: int = _BITS,
    rounds: int = _STEPS,
) -> Weights:
    """Return weights that tell targets, 0 to 1, (r,), from the hashes of each row.

    Logistic regression by Nesterov's method, each weight with a separate step (diagonal bound of
    the curvature), to the same bits whatever the number of processors: all sums are those of
    `scipy.sparse` and of numpy's own loops, which no thread shares; no BLAS.
    """
    from scipy import sparse  # training only: half a second to import

    count = np.diff(start)
    scale = 1 / np.sqrt(np.maximum(count, 1))
    mask = (1 << bits) - 1
    present = np.zeros(mask + 1, dtype=bool)  # with few pages most of the table stays empty
    present[codes & mask] = True
    used = np.flatnonzero(present)
    column = np.cumsum(present, dtype=np.int32) - 1
    rows = sparse.csr_matrix(
        (np.repeat(scale, count), column[codes & mask], start), shape=(count.size, used.size)
    )
    rows.sum_duplicates()
    back = rows.T.tocsr()
    reach = np.asarray(abs(rows).sum(axis=1)).ravel() + 1
    curvature = 0.25 * (abs(back) @ (weight * reach)) + ridge
    curvature_bias = 0.25 * float((weight * reach).sum())
    values, ahead = np.zeros(used.size), np.zeros(used.size)
    mean = float((weight * target).sum() / weight.sum())
    bias = bias_ahead = float(np.log(max(mean, 1e-6) / max(1 - mean, 1e-6)))
    speed = 1.0
    for _ in range(rounds):
        chance = 1 / (1 + np.exp(-(rows @ ahead + bias_ahead)))
        error = weight * (chance - target)
        stepped = ahead - (back @ error + ridge * ahead) / curvature
        bias_stepped = bias_ahead - float(error.sum()) / curvature_bias
        quicker = (1 + np.sqrt(1 + 4 * speed * speed)) / 2
        push = (speed - 1) / quicker
        ahead = stepped + push * (stepped - values)
        bias_ahead = bias_stepped + push * (bias_stepped - bias)
        values, bias, speed = stepped, bias_stepped, quicker
    table = np.zeros(mask + 1, dtype=np.float32)
    table[used] = values
    return Weights(table, np.array(bias, dtype=np.float32))


# What trees and nets read ---------------------------------------------------------------------


def out_of_fold(
    pages: Sequence[TrainingPage], fold: Longs, types: tuple[str, ...], say: Say
) -> tuple[list[Matrix], tuple[str, ...]]:
    """Return the matrix of each page for trees and nets, with linear scores from other folds."""
    result: dict[int, Matrix] = {}
    learned: tuple[str, ...] = ()
    for number in np.unique(fold).tolist():
        say(f"linear scores without fold {number + 1} of {fold.max() + 1}")
        rest = [page for page, own in zip(pages, fold, strict=True) if own != number]
        scores = fit_linear(rest, types)
        for index in np.flatnonzero(fold == number).tolist():
            if len(pages[index]):
                matrix, learned = matrix_of(pages[index], scores, types)
                result[index] = matrix
    return [result.get(k, np.zeros((0, 0), np.float32)) for k in range(len(pages))], learned


def matrix_of(
    page: TrainingPage, scores: Linear, types: tuple[str, ...]
) -> tuple[Matrix, tuple[str, ...]]:
    """Return a page's matrix for trees and nets, (b, c), and the names of the learned columns."""
    heading = page.columns[:, page.column_names.index("tag.heading")]
    own = path_scores(page.around, scores.paths) | word_scores(*page.words, scores.words)
    learned = smooth_scores(own, page.runs, page.groups, heading)
    chances = type_scores(page.codes, scores.types) if types else np.zeros(0)
    even = np.repeat(chances[None].astype(np.float32), len(page), axis=0)
    parts = [page.columns, np.stack(list(learned.values()), axis=1), even]
    return np.concatenate(parts, axis=1), tuple(learned)


def _column_names(
    page: TrainingPage, learned: tuple[str, ...], types: tuple[str, ...]
) -> tuple[str, ...]:
    return (*page.column_names, *learned, *(f"type.{name}" for name in types))


def f1_of(model: Model, page: TrainingPage) -> float:
    """Return the bag-of-words F1 of a model's extract of a page, at its usual settings."""
    if not len(page):
        return page.f1(np.zeros(0, dtype=bool))
    scores = Linear(model.paths, model.words, model.types)
    matrix, learned = matrix_of(page, scores, model.type_names)
    names = _column_names(page, learned, model.type_names)
    order = [names.index(column) for column in model.columns]
    return page.f1(chosen_blocks(page, model.mixture, matrix[:, order]))


# Trees and nets --------------------------------------------------------------------------------


def fit_mixture(
    pages: Sequence[TrainingPage],
    matrices: Sequence[Matrix],
    chosen: npt.NDArray[np.bool_],
    threads: int,
    rounds: int,
) -> Mixture:
    """Return the trees and nets that the chosen pages teach."""
    rows, targets, weight = rows_of(pages, matrices, chosen)
    settings = for_few(TREES, weight.size, 500)
    forest = fit_trees(rows, targets, weight, settings, rounds=rounds, threads=threads)
    nets = [fit_net(rows, targets, weight, seed=seed) for seed in NETS]
    return Mixture(forest, tuple(nets))


def rows_of(
    pages: Sequence[TrainingPage],
    matrices: Sequence[Matrix],
    chosen: npt.NDArray[np.bool_],
    most: int = _MOST_BLOCKS,
) -> tuple[Matrix, Doubles, Doubles]:
    """Return the training data of trees and nets: rows, targets, weights.

    Of each page there are at most so many blocks.
    """
    rng = np.random.default_rng(1)
    rows, targets, weights = [], [], []
    for index in np.flatnonzero(chosen).tolist():
        page = pages[index]
        if not len(page):
            continue
        some = np.arange(len(page))
        if len(page) > most:
            some = np.sort(rng.choice(len(page), most, replace=False))
        weight = page.weight[some]
        rows.append(matrices[index][some])
        targets.append(page.share[some])
        weights.append(weight * page.importance / weight.sum())
    return np.concatenate(rows), np.concatenate(targets), np.concatenate(weights)


def _validated(
    pages: Sequence[TrainingPage],
    matrices: Sequence[Matrix],
    fold: Longs,
    threads: int,
    rounds: int,
    say: Say,
) -> dict[str, FitScores]:
    kept: list[Bools] = [np.zeros(0, dtype=bool)] * len(pages)
    for number in np.unique(fold).tolist():
        say(f"trees and nets without fold {number + 1} of {fold.max() + 1}")
        mixture = fit_mixture(pages, matrices, fold != number, threads, rounds)
        for index in np.flatnonzero(fold == number).tolist():
            kept[index] = chosen_blocks(pages[index], mixture, matrices[index])
    of = [page.dataset for page in pages]
    return {
        name: _scores([k for k, own in enumerate(of) if own == name], pages, kept, fold)
        for name in dict.fromkeys(of)
    }


def _scores(
    own: list[int], pages: Sequence[TrainingPage], kept: Sequence[Bools], fold: Longs
) -> FitScores:
    f1 = {index: pages[index].f1(kept[index]) for index in own}
    folds_of, by_type = defaultdict(list), defaultdict(list)
    for index in own:
        folds_of[int(fold[index])].append(f1[index])
        by_type[pages[index].type].append(f1[index])
    return FitScores(
        len({pages[index].site for index in own}),
        tuple(f1.values()),
        tuple(float(np.mean(values)) for _, values in sorted(folds_of.items())),
        {name: float(np.mean(values)) for name, values in sorted(by_type.items())},
        {pages[index].name: kept[index] for index in own},
    )


def chosen_blocks(page: TrainingPage, mixture: Mixture | Forest, matrix: Matrix) -> Bools:
    """Return which blocks of a page trees and nets keep."""
    if not len(page):
        return np.zeros(0, dtype=bool)
    chance: Doubles = 1 / (1 + np.exp(-mixture.scores(matrix)))
    return best_blocks(chance, page.runs, LEAST_WORDS).is_kept
