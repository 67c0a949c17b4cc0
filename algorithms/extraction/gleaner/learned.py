"""Linear scores of hashed words, and their means over neighbours and ancestors.

Two scores of each block: by the class and id words around it, level by level, and by its own words.
Weights are bytes times a scale, so that both tables together are small.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.extraction.gleaner.block_columns import Columns, shift_blocks, sum_windows
from algorithms.extraction.gleaner.text_runs import PATH_LEVELS, ElementNames, TextRuns, hash_words
from engine.tree import Doubles, Locked, Longs

BUCKET = (0, 1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5)
"""Of each level around a block: levels further out are distinguished less."""

BUCKETS = 6
ANY = 6
"""The bucket that every level is counted in as well."""

_REACHES = (("near", (0, 1)), ("mid", (2, 3)), ("far", (4, 5)))
_SHORT = 8
"""A block of at most so many words is a separate word, too."""


@dataclass(frozen=True, eq=False)
class Weights(Locked):
    """A hashed linear score.

    Attributes:
        values: float32 (2**k,) or (2**k, c). Weight of each hash.
        bias: float32 (c,) or ().
    """

    values: npt.NDArray[np.float32]
    bias: npt.NDArray[np.float32]

    @property
    def mask(self) -> int:
        """Bit mask of hashes."""
        return len(self.values) - 1


def mix_codes(codes: Longs, bucket: int) -> Longs:
    """Return codes that depend on a bucket, too."""
    result = codes * 2654435761 + bucket * 40503 * 65537
    return result ^ (result >> 17)


def path_codes(bucket: int, codes: Longs) -> Longs:
    """Return the hashes of words of elements in a bucket of levels."""
    return mix_codes(codes, bucket + 1)


def word_codes(runs: TextRuns) -> tuple[Longs, Longs]:
    """Return hashes of the blocks' own words, pairs and short texts: codes and start, ragged."""
    tokens, block = runs.tokens, np.repeat(np.arange(len(runs)), runs.words)
    is_pair = block[1:] == block[:-1]
    pairs = mix_codes(tokens[:-1] * 31 + tokens[1:], 0)[is_pair]
    short = np.flatnonzero((runs.words > 0) & (runs.words <= _SHORT))
    ends = np.flatnonzero(runs.words > 0)
    whole = hash_words(runs.texts[k].lower() for k in short.tolist())
    first, last = tokens[runs.start[ends]], tokens[runs.start[ends + 1] - 1]
    parts = (tokens, pairs, whole, first, last)
    codes = np.concatenate([mix_codes(own, 11 + k) for k, own in enumerate(parts)])
    at = np.concatenate([block, block[:-1][is_pair], short, ends, ends])
    order = np.argsort(at, kind="stable")
    start = np.concatenate(([0], np.cumsum(np.bincount(at, minlength=len(runs)))))
    return codes[order], start.astype(np.int64)


def path_scores(names: ElementNames, weights: Weights) -> Columns:
    """Return the scores by names: near, mid, far, any level, and all of them together."""
    size = names.element.size
    element = np.repeat(np.arange(size), np.diff(names.start))
    of_element = np.zeros((BUCKETS + 1, size + 1))
    for bucket in range(BUCKETS + 1):
        values = weights.values[path_codes(bucket, names.codes) & weights.mask]
        of_element[bucket, :size] = np.bincount(element, weights=values, minlength=size)
    by_bucket = np.zeros((BUCKETS, names.around.shape[1]))
    anywhere = np.zeros(names.around.shape[1])
    for level in range(PATH_LEVELS):
        at = names.around[level]  # -1: the last column, of nothing
        by_bucket[BUCKET[level]] += of_element[BUCKET[level], at]
        anywhere += of_element[ANY, at]
    norm = np.sqrt(np.maximum(path_counts(names), 1))
    result = {
        f"names.{name}": by_bucket[list(buckets)].sum(axis=0) / norm for name, buckets in _REACHES
    }
    result["names.any"] = anywhere / norm
    result["names.all"] = by_bucket.sum(axis=0) / norm + result["names.any"] + weights.bias
    return {name: column.astype(np.float32) for name, column in result.items()}


def path_counts(names: ElementNames) -> Doubles:
    """Return how many hashes there are of each block, (b,)."""
    count = np.append(np.diff(names.start), 0)
    return np.asarray(2.0 * count[names.around].sum(axis=0))


def word_scores(codes: Longs, start: Longs, weights: Weights) -> Columns:
    """Return the score by a block's own words."""
    values = weights.values[codes & weights.mask].astype(np.float64)
    total = np.concatenate(([0.0], np.cumsum(values)))
    norm = np.sqrt(np.maximum(np.diff(start), 1))
    score = (total[start[1:]] - total[start[:-1]]) / norm + weights.bias
    return {"lexis.all": score.astype(np.float32)}


def type_scores(codes: Longs, weights: Weights) -> npt.NDArray[np.float64]:
    """Return the probability of each type of page, (c,)."""
    values = weights.values[codes & weights.mask].astype(np.float64)
    score = values.sum(axis=0) / np.sqrt(max(codes.size, 1)) + weights.bias
    chance = 1 / (1 + np.exp(-score))
    return np.asarray(chance / chance.sum())


def smooth_scores(
    scores: Columns, runs: TextRuns, groups: dict[str, Longs], heading: npt.NDArray[np.float32]
) -> Columns:
    """Return scores with their means over neighbours, ancestors, kinds, headings and the page."""
    result = dict(scores)
    words = runs.words.astype(np.float64) + 0.1
    both = scores["names.all"] + scores["lexis.all"]
    index = np.arange(len(runs))
    last = np.maximum.accumulate(np.where(heading > 0, index, -1))
    before = np.concatenate(([-1], last[:-1])) if len(runs) else last
    own = {f"^{level}": rows for level, rows in enumerate(runs.levels)}
    own |= {f"*{kind}": group for kind, group in groups.items()}
    parts = {name: (at, np.bincount(at, weights=words)[at]) for name, at in own.items()}
    for name, score in (
        ("names.mean", scores["names.all"]),
        ("lexis.mean", scores["lexis.all"]),
        ("names.sum", both),
    ):
        for shift in (1, 2):
            result[f"{name}-{shift}"] = shift_blocks(score, shift)
            result[f"{name}+{shift}"] = shift_blocks(score, -shift)
        weighted = score * words
        for reach in (2, 6, 15):
            result[f"{name}~{reach}"] = sum_windows(weighted, reach) / sum_windows(words, reach)
        for part, (group, held) in parts.items():
            result[f"{name}{part}"] = np.bincount(group, weights=weighted)[group] / held
        result[f"{name}.heading"] = np.where(before >= 0, score[np.maximum(before, 0)], -9)
        result[f"{name}.page"] = np.full(len(runs), weighted.sum() / words.sum())
        result[f"{name}.best"] = np.full(len(runs), score.max())
        order = np.argsort(np.argsort(-score, kind="stable"), kind="stable")
        result[f"{name}.rank"] = order / len(runs)
    return {name: np.asarray(column, dtype=np.float32) for name, column in result.items()}
