"""Runs that exceed a threshold once blurred, compared with blurring the whole sequence."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.extraction.ccb import content_code
from algorithms.signals import peaks
from algorithms.signals.peaks import exceeds
from algorithms.signals.smoothing import blur
from tests.corpora import CORPORA, documents


def by_blurring(values, first, past, threshold, radius, times):
    above = blur(values, radius, radius / 2, times) > threshold
    return [bool(above[start:end].any()) for start, end in zip(first, past, strict=True)]


def stretches(generator, size):
    """Return consecutive runs of a sequence, some of them empty."""
    edges = np.sort(generator.integers(0, size + 1, 400))
    return edges[:-1], edges[1:]


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 2**32),
    st.integers(8_000, 40_000),
    st.sampled_from([(40, 10), (40, 1), (10, 3), (3, 2), (500, 12), (25, 5)]),
    st.sampled_from([0.0, 0.25, 0.5, 0.75, 0.9, 1.0]),
    st.integers(1, 300),
)
def test_runs_exceed_a_threshold_where_the_blurred_sequence_does(
    seed, size, blurring, threshold, longest
):
    radius, times = blurring
    generator = np.random.default_rng(seed)
    values = np.repeat(np.arange(size) % 2 == 1, generator.integers(1, longest + 1, size))[:size]
    first, past = stretches(generator, size)
    result = exceeds(values, first, past, threshold, radius, radius / 2, times)
    assert result.tolist() == by_blurring(values, first, past, threshold, radius, times)


@pytest.mark.parametrize("threshold", [0.4999, 0.5, 0.5001])
def test_values_near_the_threshold_are_blurred_exactly(threshold):
    values = np.arange(20_000) % 2 == 1  # one half on average everywhere
    first = np.arange(0, 20_000, 100)
    result = exceeds(values, first, first + 100, threshold, 40, 20.0, 10)
    assert result.tolist() == by_blurring(values, first, first + 100, threshold, 40, 10)


def test_coarse_values_are_within_their_stated_error():
    values = np.random.default_rng(0).random(30_000) < 0.4
    coarse = peaks._coarse_kernel(40, 20.0, 10)
    wanted = blur(values - 0.5, 40, 20.0, 10)
    result = peaks._coarsely_blurred(values, 0.5, coarse)
    inside = slice(50, -50)  # farther from the ends than the kernel reaches
    at = np.arange(result.size)[inside] * coarse.step
    assert np.abs(result[inside] - wanted[at]).max() < coarse.error
    between = np.interp(np.arange(at[0], at[-1]), at, result[inside])
    assert np.abs(between - wanted[at[0] : at[-1]]).max() < coarse.error


@pytest.mark.data
@pytest.mark.parametrize("corpus", CORPORA)
def test_real_pages_give_the_same_result_as_blurring(corpus, datasets):
    for page in documents(datasets, corpus):
        for skip in (False, True):
            vector = content_code(page.source, True, skip)
            first, past = vector.first, vector.first + vector.length
            result = exceeds(vector.values, first, past, 0.75, 40, 20.0, 10)
            assert result.tolist() == by_blurring(vector.values, first, past, 0.75, 40, 10)
