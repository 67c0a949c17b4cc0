"""Answers that methods share: computed once, read-only, and limited in number."""

import numpy as np
import pytest

from algorithms.signals.memo import MOST, shared
from engine.source import Source


def test_a_shared_answer_is_made_once_and_an_array_is_locked():
    made = []

    @shared
    def counts(source, step=1):
        made.append(step)
        return np.arange(0, len(source.html), step)

    source = Source.from_text("<p>a b")
    result = counts(source, 2)
    assert counts(source, 2) is result
    assert made == [2]
    with pytest.raises(ValueError, match="read-only"):
        result[0] = 1


def test_the_oldest_answer_is_evicted_and_computed_again():
    made = []

    @shared
    def number(_source, value):
        made.append(value)
        return value

    source = Source.from_text("a")
    for value in range(MOST + 1):
        assert number(source, value) == value
    assert len(source.memo) == MOST
    assert [number(source, value) for value in (1, 0, 0)] == [1, 0, 0]
    assert made[MOST:] == [MOST, 0]
