"""The fast ratio equals the library's to the last bit."""

import difflib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.measures import ratio
from algorithms.measures.ratio import Ratios, longest_run

ALPHABETS = (
    "ab",
    "abcdefghijklmnop",
    "eeeeeeeettttttaaaoinshrdlu.,0123456789ABCDEFG",
    "漢字かな交じり文",
)


@st.composite
def two_texts(draw):
    """Return a long text, and the same text after a few deletions and insertions."""
    letters = st.sampled_from(draw(st.sampled_from(ALPHABETS)))
    pieces = draw(st.lists(st.text(letters, min_size=1, max_size=60), min_size=1, max_size=6))
    second = "".join(pieces * draw(st.integers(1, 5)))
    first = second
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(first)))
        cut = draw(st.integers(0, 40))
        first = first[:at] + draw(st.text(letters, max_size=40)) + first[at + cut :]
    return first, second


@given(two_texts(), st.sampled_from([0, 50, 5000]))
def test_it_is_the_ratio_of_difflib(texts, many_pairs):
    first, second = texts
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ratio, "_MANY_PAIRS", many_pairs)
        result = Ratios(second).ratio(first)
    assert result == difflib.SequenceMatcher(None, first, second).ratio()


def test_a_prepared_text_may_be_asked_again():
    words = "".join(f"The ferry number {n} came back at {n}:30 and left again." for n in range(200))
    ratios = Ratios(words)
    for first in (words, words[500:], words[:4000] + "a long detour by the sea" + words[4000:], ""):
        assert ratios.ratio(first) == difflib.SequenceMatcher(None, first, words).ratio()


def test_the_longest_run_is_the_earliest_of_the_longest():
    first = np.array([9, 1, 2, -1, 3, 4, 5, 1, 2])
    second = np.array([1, 2, -1, 4, 5, 3, 1, 2, 4, 5])
    assert longest_run(first, second) == (1, 0, 2)
    assert longest_run(first, np.array([7, -1])) == (0, 0, 0)
    assert longest_run(np.arange(99), np.arange(99)) is None
