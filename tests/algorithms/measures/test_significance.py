"""Tests of significance agree with textbooks, R and scipy, and keep their invariants."""

import math
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from algorithms.measures.significance import (
    EXACT_UP_TO,
    anova,
    bootstrap_means,
    compare_pairs,
    f_probability,
    holm,
    signed_rank,
)

scores = st.integers(-6, 6).map(lambda k: k / 7)


# Wilcoxon ----------------------------------------------------------------------------------


def test_wilcoxon_reproduces_the_example_of_r():
    # ?wilcox.test, Hollander & Wolfe 1973, p. 29: V = 40, one-sided p = 0.01953
    before = np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
    after = np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])
    result = signed_rank(before - after)
    assert (result.plus, result.minus, result.count) == (40, 5, 9)
    assert result.p == pytest.approx(2 * 0.01953125)
    assert result.effect == pytest.approx(35 / 45)


def test_wilcoxon_with_ties_counts_every_pattern_of_signs():
    # Ranks 1.5, 1.5, 3; sums of positive ranks 6, 4.5, 4.5, 3, 3, 1.5, 1.5, 0 are equally likely.
    result = signed_rank([0.1, 0.1, -0.4])
    assert (result.plus, result.minus) == (3.0, 3.0)
    assert result.p == 1.0
    assert signed_rank([0.1, 0.1, 0.4]).p == pytest.approx(2 / 8)
    assert signed_rank([-0.1, 0.1, 0.4]).p == pytest.approx(2 * 3 / 8)


def test_wilcoxon_leaves_zeros_out_and_counts_them():
    result = signed_rank([0.0, 0.3, 0.0, 0.5])
    assert (result.count, result.zeros, result.p) == (2, 2, 0.5)
    nothing = signed_rank([0.0, 0.0])
    assert (nothing.count, nothing.p, nothing.effect) == (0, 1.0, 0.0)
    assert signed_rank([]).p == 1.0


def test_differences_that_only_rounding_tells_apart_are_a_tie():
    assert 0.3 - 0.2 != 0.2 - 0.1
    assert signed_rank([0.3 - 0.2, -(0.2 - 0.1)]).effect == 0.0
    assert signed_rank([0.3 - 0.1 - 0.2]).zeros == 1


def test_many_differences_are_tested_as_scipy_tests_them():
    differences = np.round(np.random.default_rng(7).normal(0.02, 0.1, 200), 2)  # with ties
    result = signed_rank(differences)
    theirs = stats.wilcoxon(differences, correction=True, method="asymptotic")
    assert not result.is_exact
    assert result.p == pytest.approx(theirs.pvalue)
    assert min(result.plus, result.minus) == theirs.statistic


@pytest.mark.parametrize("count", [5, 23, EXACT_UP_TO])
def test_few_differences_are_tested_as_scipy_tests_them(count):
    differences = np.random.default_rng(count).normal(0.1, 0.3, count)
    result = signed_rank(differences)
    assert result.is_exact
    assert result.p == pytest.approx(stats.wilcoxon(differences, method="exact").pvalue)


@given(st.lists(scores, max_size=9))
def test_wilcoxon_is_as_exact_as_trying_all_signs(differences):
    result = signed_rank(differences)
    other = [d for d in differences if d]
    ranks = stats.rankdata(np.abs(other)) if other else np.zeros(0)
    sums = [sum(r for r, s in zip(ranks, signs, strict=True) if s)
            for signs in product((0, 1), repeat=len(other))]  # fmt: skip
    low = min(result.plus, result.minus)
    assert result.p == pytest.approx(min(1.0, 2 * sum(s <= low + 1e-9 for s in sums) / len(sums)))


@given(st.lists(scores, max_size=70))
def test_wilcoxon_is_symmetric(differences):
    one, other = signed_rank(differences), signed_rank([-d for d in differences])
    assert one.p == other.p
    assert 0 <= one.p <= 1
    assert one.effect == -other.effect
    assert -1 <= one.effect <= 1
    assert one.count + one.zeros == len(differences)


# Bootstrap ---------------------------------------------------------------------------------


def bootstrap_mean(values, **more):
    """Return the bootstrap interval of one column."""
    return bootstrap_means(np.array(values, dtype=float).reshape(-1, 1), **more)[0]


def test_the_bootstrap_of_two_values_knows_three_means():
    result = bootstrap_mean([0.0, 1.0])  # means 0, .5, 1 with chances 1/4, 1/2, 1/4
    assert (result.mean, result.low, result.high) == (0.5, 0.0, 1.0)
    middle = bootstrap_mean([0.0, 1.0], level=0.4)  # from 30 % to 70 %
    assert (middle.low, middle.high) == (0.5, 0.5)


def test_the_bootstrap_gives_an_interval_like_scipys():
    values = np.random.default_rng(3).beta(2, 3, 78)
    result = bootstrap_mean(values)
    theirs = stats.bootstrap((values,), np.mean, method="percentile", n_resamples=10_000, rng=1)
    width = theirs.confidence_interval.high - theirs.confidence_interval.low
    assert result.mean == pytest.approx(values.mean())
    assert result.low == pytest.approx(theirs.confidence_interval.low, abs=width / 20)
    assert result.high == pytest.approx(theirs.confidence_interval.high, abs=width / 20)
    spread = 1.96 * values.std() / math.sqrt(values.size)  # what theory expects
    assert result.high - result.low == pytest.approx(2 * spread, rel=0.05)


def test_the_bootstrap_ignores_pages_without_a_value():
    values = np.random.default_rng(4).random((60, 2))
    values[::3, 1] = np.nan
    both = bootstrap_means(values)
    known = values[~np.isnan(values[:, 1]), 1]
    alone = bootstrap_mean(known)
    assert both[0].high == pytest.approx(bootstrap_mean(values[:, 0]).high)
    assert both[1].mean == alone.mean == pytest.approx(known.mean())
    width = alone.high - alone.low
    assert both[1].low == pytest.approx(alone.low, abs=width / 10)
    assert both[1].high == pytest.approx(alone.high, abs=width / 10)
    assert bootstrap_means(np.full((3, 1), np.nan)) == [None]
    assert bootstrap_mean([]) is None


def test_the_bootstrap_is_the_same_for_a_seed_alone_or_beside_others():
    values = np.random.default_rng(5).random((30, 3))
    together = bootstrap_means(values, resamples=500, seed=9)
    assert together == bootstrap_means(values, resamples=500, seed=9)
    alone = bootstrap_mean(values[:, 1], resamples=500, seed=9)
    assert (alone.low, alone.high) == pytest.approx((together[1].low, together[1].high))
    assert bootstrap_mean(values[:, 1], resamples=500, seed=8) != alone


@given(st.lists(scores, min_size=1, max_size=20))
def test_an_interval_lies_within_the_values_around_the_mean(values):
    result = bootstrap_mean(values, resamples=200)
    assert min(values) - 1e-9 <= result.low <= result.high <= max(values) + 1e-9
    lower = bootstrap_mean([v - 1 for v in values], resamples=200)
    assert lower.low == pytest.approx(result.low - 1)


# Holm --------------------------------------------------------------------------------------


def test_holm_corrects_as_r_does():
    # p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.7, 0.9]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_keeps_order_and_lies_between_no_correction_and_bonferroni(values):
    corrected = holm(values)
    for p, better in zip(values, corrected, strict=True):
        assert p <= better <= min(1.0, len(values) * p) or math.isclose(p, better)
    for (p, a), (q, b) in combinations(zip(values, corrected, strict=True), 2):
        assert a == b or (p < q) == (a < b)


# Pairs -------------------------------------------------------------------------------------


def test_a_pair_is_compared_on_pages_that_both_were_scored_on():
    nan = math.nan
    pairs = compare_pairs(np.array([[0.5, 0.9, nan, 0.8], [0.4, nan, 0.1, 0.5], [nan] * 4]))
    first, second, third = pairs
    assert (first.one, first.other, first.pages, first.left_out) == (0, 1, 2, 2)
    assert first.difference is not None
    assert first.difference.mean == pytest.approx(0.2)
    assert first.p_holm == first.test.p == 0.5  # the only one that can be tested
    assert (second.pages, second.difference, second.p_holm) == (0, None, 1.0)
    assert third.pages == 0


def test_all_pairs_have_one_correction():
    random = np.random.default_rng(1)
    truth = random.random(60)
    scores = np.array([truth, truth + 0.1, truth + random.normal(0, 0.1, 60)])
    pairs = compare_pairs(scores, resamples=300)
    assert [(p.one, p.other) for p in pairs] == [(0, 1), (0, 2), (1, 2)]
    assert [p.p_holm for p in pairs] == holm([p.test.p for p in pairs])
    assert pairs[0].test.effect == -1.0
    assert pairs[0].difference is not None
    assert pairs[0].difference.high == pytest.approx(-0.1)
    assert pairs[1].p_holm > 0.05


def test_one_method_has_no_pairs():
    assert compare_pairs(np.ones((1, 5))) == []
    assert compare_pairs(np.zeros((0, 0))) == []
    assert compare_pairs(np.zeros((2, 0)))[0].difference is None


# ANOVA -------------------------------------------------------------------------------------

# R's data set npk: block, N, P, K, yield (Venables & Ripley 2002).
NPK = """
1 0 1 1 49.5  1 1 1 0 62.8  1 0 0 0 46.8  1 1 0 1 57.0  2 1 0 0 59.8  2 1 1 1 58.5
2 0 0 1 55.5  2 0 1 0 56.0  3 0 1 0 62.8  3 1 1 1 55.8  3 1 0 0 69.5  3 0 0 1 55.0
4 1 0 0 62.0  4 1 1 1 48.8  4 0 0 1 45.5  4 0 1 0 44.2  5 1 1 0 52.0  5 0 0 0 51.5
5 1 0 1 49.8  5 0 1 1 48.8  6 1 0 1 57.2  6 1 1 0 59.0  6 0 1 1 53.2  6 0 0 0 56.0
"""


def test_anova_reproduces_the_example_of_r():
    cells = np.array(NPK.split()).reshape(-1, 5)
    factors = dict(zip(("block", "N", "P", "K"), cells[:, :4].T.tolist(), strict=True))
    mains = [("block",), ("N",), ("P",), ("K",)]
    result = anova(
        cells[:, 4].astype(float), factors, [*mains, ("N", "P"), ("N", "K"), ("P", "K")]
    )  # summary(aov(yield ~ block + N*P*K, npk))
    table = [(e.df, round(e.squares, 1), round(e.f, 3), round(e.p, 5)) for e in result.effects]
    assert table == [
        (5, 343.3, 4.447, 0.01594),
        (1, 189.3, 12.259, 0.00437),
        (1, 8.4, 0.544, 0.47490),
        (1, 95.2, 6.166, 0.02880),
        (1, 21.3, 1.378, 0.26317),
        (1, 33.1, 2.146, 0.16865),
        (1, 0.5, 0.031, 0.86275),
    ]
    assert (result.df, round(result.squares, 1), result.count) == (12, 185.3, 24)
    assert result.effects[1].eta2 == pytest.approx(189.28 / 876.36, abs=1e-4)


def test_probabilities_are_those_of_the_thesis_table():
    # Table 8.1, with 2298 residual degrees of freedom: algorithm:dataset, html:metric, others
    for f, df, p in (
        (3.731, 3, 0.0108),
        (2.401, 1, 0.1214),
        (4.468, 1, 0.0346),
        (8.006, 1, 0.0047),
    ):
        assert f_probability(f, df, 2298) == pytest.approx(p, abs=6e-5)
    assert f_probability(19.505, 3, 2298) == pytest.approx(1.74e-12, rel=0.01)


def brute_squares(values, factors, terms):
    """Return residual sums of squares of growing models, by least squares on all rows."""
    columns = [np.ones(len(values))]
    result = []
    for term in [(), *terms]:
        keys = list(zip(*(factors[name] for name in term), strict=True)) if term else []
        columns += [np.array([key == k for key in keys], dtype=float) for k in sorted(set(keys))]
        design = np.array(columns).T
        rest = values - design @ np.linalg.lstsq(design, values, rcond=None)[0]
        result.append((float(rest @ rest), int(np.linalg.matrix_rank(design))))
    return result


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.sampled_from("12"), scores),
        min_size=1, max_size=30,
    )
)  # fmt: skip
def test_sums_of_squares_are_what_each_term_adds_to_the_model(rows):
    *levels, values = zip(*rows, strict=True)
    factors = dict(zip(("method", "input", "measure"), levels, strict=True))
    terms = [(name,) for name in factors] + list(combinations(factors, 2))
    result = anova(values, factors)
    models = brute_squares(np.array(values), factors, terms)
    lines = {effect.factors: effect for effect in result.effects}
    for term, (before, rank), (after, larger) in zip(terms, models[:-1], models[1:], strict=True):
        line = lines.get(term)
        assert (line.df if line else 0) == larger - rank
        assert (line.squares if line else 0.0) == pytest.approx(before - after, abs=1e-8)
        assert line is None or line.p is None or 0 <= line.p <= 1
    assert result.squares == pytest.approx(models[-1][0], abs=1e-8)
    assert result.df == len(rows) - models[-1][1]
    total = sum(line.eta2 for line in result.effects)
    assert total <= 1 + 1e-9


def test_anova_of_too_little_tests_nothing():
    assert anova([], {"method": []}).effects == ()
    alone = anova([0.5], {"method": ["bte"], "input": ["dom"]})
    assert (alone.effects, alone.df) == ((), 0)
    perfect = anova([0.0, 0.0, 1.0, 1.0], {"method": ["a", "a", "b", "b"]})
    assert (perfect.effects[0].f, perfect.squares) == (None, 0.0)
    flat = anova([0.4] * 6, {"method": ["a", "b"] * 3})
    assert (flat.effects[0].p, flat.effects[0].eta2) == (None, 0.0)
