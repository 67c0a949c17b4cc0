"""Whether scores of methods differ by more than chance: paired tests, intervals, and ANOVA.

Methods are compared page by page, so each test takes the differences of two methods on the pages
both were scored on; the others are left out and counted.

Sources.  Wilcoxon signed-rank: F. Wilcoxon, Biometrics Bulletin 1, 1945; exact distribution with
ties: B. Streitberg, J. Röhmel, 1986; effect size: D. Kerby, "The simple difference formula", 2014.
Bootstrap: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13.  Holm:
S. Holm, Scandinavian Journal of Statistics 6, 1979.  ANOVA: S. Kreuzer's thesis, 2013, Table 8.1,
which is R's ``summary(aov(...))``.

Departures.  R falls back to the normal distribution when there are ties or zeros; here the exact
distribution of the ranks at hand is taken up to `EXACT_UP_TO` pages.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt
import scipy  # loads its parts when they are first used

from engine.tree import Doubles, Indices

EXACT_UP_TO = 50
"""Differences up to which Wilcoxon's p is exact (the same bound as R's)."""

RESAMPLES, SEED = 10_000, 0
"""Of every bootstrap whose interval is shown; the seed is that of NumPy's `default_rng`."""

BOOTSTRAP_TEXT = (
    f"percentile bootstrap, {RESAMPLES:,} resamples of the pages, NumPy's default_rng({SEED})"
)

_DIGITS = 12
"""Differences are rounded so: 0.3 - 0.2 and 0.2 - 0.1 are a tie, whatever the last bit is."""

_CHUNK = 4_000_000
"""Numbers drawn at a time by the bootstrap, which bounds its memory (32 MB)."""


# Two methods -------------------------------------------------------------------------------


@dataclass(frozen=True)
class SignedRank:
    """Wilcoxon's signed-rank test of differences.

    Attributes:
        count: Differences that are not 0; those that are were left out, as Wilcoxon does.
        zeros: How many were left out.
        plus, minus: Sums of the ranks of positive and of negative differences.
        p: Two-sided; 1 where nothing differs.
        effect: Matched-pairs rank-biserial correlation, (plus - minus) / (plus + minus): 1 where
            every difference is positive, -1 where every one is negative, 0 where nothing differs.
        is_exact: Whether p is of the exact distribution, and not of the normal one.
    """

    count: int
    zeros: int
    plus: float
    minus: float
    p: float
    effect: float
    is_exact: bool


def signed_rank(differences: npt.ArrayLike) -> SignedRank:
    """Test whether differences, float (n,) without NaN, are symmetric around 0.

    Up to `EXACT_UP_TO` differences p is exact, ties included: O(n^3) at worst, a fraction of a
    millisecond.  Beyond, it is of the normal distribution, with correction for ties and continuity.
    """
    result = np.round(np.asarray(differences, dtype=np.float64), _DIGITS)
    other = result[result != 0]
    zeros = result.size - other.size
    if other.size == 0:
        return SignedRank(0, zeros, 0.0, 0.0, 1.0, 0.0, True)
    ranks = _midranks(np.abs(other))
    plus = float(ranks[other > 0].sum())
    total = float(ranks.sum())
    minus = total - plus
    is_exact = other.size <= EXACT_UP_TO
    p = _exact_p(ranks, plus) if is_exact else _normal_p(ranks, plus)
    return SignedRank(other.size, zeros, plus, minus, p, (plus - minus) / total, is_exact)


def _exact_p(ranks: Doubles, plus: float) -> float:
    """Return how likely a sum as far from the middle is, if signs fall like coins."""
    doubled = np.rint(2 * ranks).astype(np.intp)  # ranks of ties end in .5
    chances = np.zeros(int(doubled.sum()) + 1)
    chances[0] = 1.0
    reach = 0
    for rank in doubled.tolist():
        chances[rank : reach + rank + 1] += chances[: reach + 1].copy()
        chances *= 0.5
        reach += rank
    lower = min(round(2 * plus), reach - round(2 * plus))
    return min(1.0, 2 * float(chances[: lower + 1].sum()))


def _midranks(values: Doubles) -> Doubles:
    """Return each value's rank from 1; values alike share the mean of theirs.

    As `scipy.stats.rankdata` does, but that package takes a second to load.
    """
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Doubles = (np.cumsum(counts) - (counts - 1) / 2)[which]
    return ranks


def _normal_p(ranks: Doubles, plus: float) -> float:
    middle = float(ranks.sum()) / 2
    deviation = math.sqrt(float((ranks**2).sum()) / 4)  # of midranks: ties are corrected for
    distance = max(abs(plus - middle) - 0.5, 0.0)
    return min(1.0, 2 * float(scipy.special.ndtr(-distance / deviation)))


@dataclass(frozen=True)
class Interval:
    """Mean with its confidence interval."""

    mean: float
    low: float
    high: float


def bootstrap_means(
    columns: Doubles,
    *,
    groups: Sequence[str] = (),
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = 0.95,
) -> list[Interval | None]:
    """Return the mean of each column with its percentile bootstrap interval; None without values.

    Args:
        columns: float64 (n, k), NaN where there is no value; rows are pages, resampled with
            replacement, the same ones for every column.
        groups: Of each row: rows of one group are one witness, and are drawn together.
        resamples: How often.
        seed: The same one gives the same intervals.
        level: Confidence.

    A page without a value adds nothing to a mean, wherever it is drawn.  O(resamples n k), in
    slices of bounded memory: 2 s for 45 columns of 8,000 pages.
    """
    is_known = ~np.isnan(columns)
    values, known = np.where(is_known, columns, 0.0), is_known.astype(np.float64)
    if len(set(groups)) < len(groups):
        values, known = sums_by(values, groups), sums_by(known, groups)
    pages, width = values.shape
    masks, mask_of = np.unique(known, axis=1, return_inverse=True)
    mask_of = mask_of.reshape(-1)
    random = np.random.default_rng(seed)
    means = np.full((resamples, width), np.nan)
    step = max(1, _CHUNK // max(pages, 1))
    for start in range(0, resamples if pages else 0, step):
        size = min(step, resamples - start)
        drawn = random.integers(0, pages, size=(size, pages))
        drawn += pages * np.arange(size)[:, None]
        times = np.bincount(drawn.ravel(), minlength=size * pages).reshape(size, pages)
        weights = times.astype(np.float64)
        counts = (weights @ masks)[:, mask_of]
        np.divide(weights @ values, counts, out=means[start : start + size], where=counts > 0)
    tail = (1 - level) / 2
    result: list[Interval | None] = []
    for k in range(width):
        here = means[:, k][~np.isnan(means[:, k])]
        if here.size == 0:
            result.append(None)
            continue
        low, high = np.quantile(here, (tail, 1 - tail))
        result.append(Interval(float(columns[is_known[:, k], k].mean()), float(low), float(high)))
    return result


def sums_by(rows: Doubles, groups: Sequence[str]) -> Doubles:
    """Return the sums of rows (n, k) of each group, (groups, k), in order of appearance."""
    number = {name: at for at, name in enumerate(dict.fromkeys(groups))}
    result = np.zeros((len(number), rows.shape[1]))
    np.add.at(result, [number[name] for name in groups], rows)
    return result


def means_by(scores: Doubles, groups: Sequence[str]) -> Doubles:
    """Return the means of columns of each group, (methods, groups), in order of appearance.

    NaN where no column of the group has a score.
    """
    count = sums_by((~np.isnan(scores.T)).astype(np.float64), groups)
    sums = sums_by(np.nan_to_num(scores.T), groups)
    return np.asarray(np.where(count > 0, sums / np.maximum(count, 1), np.nan).T)


def holm(values: Sequence[float]) -> list[float]:
    """Return p-values corrected by Holm's method for their number, so that all may be used."""
    order = sorted(range(len(values)), key=lambda k: values[k])
    corrected = [1.0] * len(values)
    largest = 0.0
    for index, k in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - index) * values[k]))
        corrected[k] = largest
    return corrected


@dataclass(frozen=True)
class Pair:
    """Two methods on the pages that both were scored on.

    Attributes:
        one, other: Their indices among the compared; differences are one's minus other's.
        pages: How many pages both were scored on.
        left_out: How many one of them only, or none, was scored on.
        difference: Mean and bootstrap interval; None without pages.
        test: Wilcoxon's; of nothing without pages.
        p_holm: Its p, corrected over all pairs with pages.
    """

    one: int
    other: int
    pages: int
    left_out: int
    difference: Interval | None
    test: SignedRank
    p_holm: float = 1.0


def compare_pairs(
    scores: Doubles,
    *,
    groups: Sequence[str] = (),
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[Pair]:
    """Compare every two methods.

    Args:
        scores: float64 (methods, pages); NaN where a page was not scored.
        groups, resamples, seed: See `bootstrap_means`; a group is tested by its mean.
    """
    every = list(combinations(range(len(scores)), 2))
    if not every:
        return []
    ones, others = np.array(every).T
    differences = scores[ones] - scores[others]
    means = bootstrap_means(differences.T, groups=groups, resamples=resamples, seed=seed)
    if len(set(groups)) < len(groups):
        differences = means_by(differences, groups)
    result = []
    for (one, other), column, mean in zip(every, differences, means, strict=True):
        known = column[~np.isnan(column)]
        left_out = column.size - known.size
        result.append(Pair(one, other, known.size, left_out, mean, signed_rank(known)))
    tested = [pair for pair in result if pair.pages]
    corrected = iter(holm([pair.test.p for pair in tested]))
    return [replace(pair, p_holm=next(corrected)) if pair.pages else pair for pair in result]


# Several factors ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Effect:
    """A line of an analysis of variance.

    Attributes:
        factors: One for a main effect, two for an interaction.
        df: Degrees of freedom.
        squares: Sum of squares, of what earlier lines have not explained.
        f, p: None where nothing is left to compare with.
        eta2: Share of the total sum of squares; 0 where there is none.
    """

    factors: tuple[str, ...]
    df: int
    squares: float
    f: float | None
    p: float | None
    eta2: float

    @property
    def mean_square(self) -> float:
        """Sum of squares by degree of freedom."""
        return self.squares / self.df


@dataclass(frozen=True)
class Anova:
    """An analysis of variance.

    Attributes:
        effects: In order; those without a degree of freedom are left out.
        df: Residual degrees of freedom.
        squares: Residual sum of squares.
        count: How many values there were.
    """

    effects: tuple[Effect, ...]
    df: int
    squares: float
    count: int


def anova(
    values: npt.ArrayLike,
    factors: Mapping[str, Sequence[str]],
    terms: Sequence[tuple[str, ...]] | None = None,
) -> Anova:
    """Analyse the variance of values by factors, as R's ``summary(aov(...))`` does.

    Sums of squares are sequential (type I): each term explains what those before it have not.
    Where every combination is there equally often, their order makes no difference.

    Args:
        values: float (n,) without NaN.
        factors: Name → level of each value.
        terms: The comparisons, in order; if None every factor, then every two of them.

    O(n) and the cube of the number of combinations that occur.
    """
    result = np.asarray(values, dtype=np.float64)
    if terms is None:
        terms = [(name,) for name in factors] + list(combinations(factors, 2))
    numbers = [np.unique(levels, return_inverse=True)[1] for levels in factors.values()]
    codes = np.array(numbers, dtype=np.intp).reshape(len(factors), result.size)
    # Values of one combination of levels have one prediction, so its mean and weight are enough.
    cells, cell_of = np.unique(codes, axis=1, return_inverse=True)
    cell_of = cell_of.reshape(-1)
    weight = np.bincount(cell_of, minlength=cells.shape[1]).astype(np.float64)
    grand = float(result.mean()) if result.size else 0.0
    centred = np.where(np.isclose(result, grand, rtol=1e-12, atol=0), 0.0, result - grand)
    means = np.bincount(cell_of, centred, minlength=weight.size) / np.maximum(weight, 1)
    within = float(((centred - means[cell_of]) ** 2).sum())
    root = np.sqrt(weight)
    left = root * means  # the unexplained rest
    basis = (root / np.linalg.norm(root)).reshape(-1, 1) if weight.size else np.zeros((0, 0))
    total = within + float(left @ left)
    position = {name: k for k, name in enumerate(factors)}
    lines: list[tuple[tuple[str, ...], int, float]] = []
    for term in terms:
        columns = root[:, None] * _indicators(cells[[position[name] for name in term]])
        new = _new_directions(columns, basis)
        if new.shape[1]:
            parts = new.T @ left
            left = left - new @ parts
            lines.append((term, new.shape[1], float(parts @ parts)))
            basis = np.hstack([basis, new])
    df = result.size - basis.shape[1]
    squares = within + float(left @ left)
    if squares <= 1e-12 * total:  # rounding is all that is left
        squares = 0.0
    effects = tuple(
        _effect(term, size, part, df, squares, part / total if total else 0.0)
        for term, size, part in lines
    )
    return Anova(effects, df, squares, result.size)


def _effect(
    term: tuple[str, ...], size: int, part: float, df: int, squares: float, eta2: float
) -> Effect:
    if df <= 0 or squares == 0:
        return Effect(term, size, part, None, None, eta2)
    f = (part / size) / (squares / df)
    return Effect(term, size, part, f, f_probability(f, size, df), eta2)


def f_probability(f: float, df: int, residual_df: int) -> float:
    """Return how likely an F as large is by chance."""
    return float(scipy.special.fdtrc(df, residual_df, f))


def _indicators(codes: Indices) -> Doubles:
    """Return a column of 0 and 1 for each combination of levels that occurs in ``codes`` (k, n)."""
    which = np.unique(codes, axis=1, return_inverse=True)[1].reshape(-1)
    return np.eye(int(which.max()) + 1 if which.size else 0)[which]


def _new_directions(columns: Doubles, basis: Doubles) -> Doubles:
    """Return an orthonormal basis of the part of ``columns`` outside ``basis``."""
    rest = columns - basis @ (basis.T @ columns)
    rest -= basis @ (basis.T @ rest)  # twice is enough (Kahan)
    if not rest.size:
        return np.zeros((len(columns), 0))
    vectors, sizes, _ = np.linalg.svd(rest, full_matrices=False)
    return vectors[:, sizes > 1e-9 * max(1.0, float(np.linalg.norm(columns)))]
