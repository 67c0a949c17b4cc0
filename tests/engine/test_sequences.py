"""Test common subsequences of words in texts of any length."""

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import sequences
from engine.sequences import common_lengths, common_words
from tests.effort import effort

WORDS = st.text("abc", max_size=14)


def longest(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        last = row[:]
        for j, y in enumerate(b):
            row[j + 1] = last[j] + 1 if x == y else max(last[j + 1], row[j])
    return row[-1]


def is_common(pairs, a, b):
    ascends = all(p[0] < q[0] and p[1] < q[1] for p, q in pairwise(pairs))
    return ascends and all(a[i] == b[j] for i, j in pairs)


@given(WORDS, WORDS)
def test_common_words_are_a_longest_common_subsequence(a, b):
    pairs = common_words(list(a), list(b)).tolist()
    assert is_common(pairs, a, b)
    assert len(pairs) == longest(a, b)


@pytest.fixture(scope="module")
def small_tables():
    """Search as if every table but the smallest were too large to be filled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sequences, "_MOST_CELLS", 4)
        patch.setattr(sequences, "_FEW", 1)
        yield


@given(WORDS, WORDS)
def test_halving_finds_a_longest_common_subsequence(small_tables, a, b):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sequences, "_anchors", lambda a, b, size: [])
        pairs = common_words(list(a), list(b)).tolist()
    assert is_common(pairs, a, b)
    assert len(pairs) == longest(a, b)


@given(st.lists(st.sampled_from("abcdefgh"), max_size=20), st.data())
def test_anchors_keep_the_order_and_use_each_word_once(small_tables, a, data):
    mask = data.draw(st.lists(st.booleans(), min_size=len(a), max_size=len(a)))
    b = [word for word, is_kept in zip(a, mask, strict=True) if is_kept]
    b += data.draw(st.lists(st.sampled_from("abcdefgh"), max_size=6))
    assert is_common(common_words(a, b).tolist(), a, b)


@given(WORDS, WORDS)
def test_lengths_are_correct_for_each_prefix(a, b):
    lengths = common_lengths(list(map(ord, a)), list(map(ord, b)))
    assert lengths.tolist() == [longest(a[:i], b) for i in range(len(a) + 1)]


@pytest.mark.parametrize("size", [5_000, 20_000])
def test_a_long_text_that_occurs_twice_is_found_whole(size):
    pick = random.Random(7)
    text = [f"w{int(pick.paretovariate(0.7)) % 9000}" for _ in range(size)]
    rest = [f"w{int(pick.paretovariate(0.7)) % 9000}" for _ in range(size // 4)]
    page = [*rest, *text, *rest, *text, *rest]
    assert np.array_equal(common_words(text, page)[:, 0], np.arange(size))


@pytest.mark.slow
def test_effort_grows_linearly_with_the_length_of_changed_texts():
    def work(size):
        pick = random.Random(7)
        a = [f"w{pick.randrange(3000)}" for _ in range(size)]
        b = [word for word in a if pick.random() > 0.1]
        b[size // 3 : size // 3] = [f"new{k}" for k in range(size // 12)]
        assert len(common_words(a, b)) > 0.99 * (len(b) - size // 12)
        return effort(lambda: common_words(a, b))

    assert work(60_000) < 3 * work(30_000)
