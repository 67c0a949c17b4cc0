"""Test chances learned from any confirmed pages."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.marks.learned.memory import WEIGHTS, Lesson, LevelLesson, memory_of
from annotate.marks.learned.offers import OfferedItems

COLUMNS = len(WEIGHTS[2])
CHANCES = st.floats(0, 1)


def items_of(clues, chance):
    n = len(chance)
    order = np.arange(n, dtype=np.int64)
    columns = np.array(clues, np.int64).reshape(n, COLUMNS) + 10 * np.arange(COLUMNS)
    return OfferedItems(
        order, np.array(chance), columns, order, order + 1,
        np.full(n, -1),
    )  # fmt: skip


def lesson_of(items, is_marked):
    """Return the lesson that `lesson` makes of a page with these items."""
    clues, share = [], []
    for column in range(COLUMNS):
        for clue in np.unique(items.clues[:, column]).tolist():
            clues.append(clue)
            share.append(is_marked[items.clues[:, column] == clue].mean())
    marked = np.array(is_marked, dtype=bool)
    return Lesson({2: LevelLesson(np.array(clues), np.array(share), items.chance, marked, {})})


@st.composite
def lessons(draw):
    size = draw(st.integers(1, 6))
    row = st.lists(st.integers(0, 4), min_size=COLUMNS, max_size=COLUMNS)
    clues = draw(st.lists(row, min_size=size, max_size=size))
    chance = draw(st.lists(CHANCES, min_size=size, max_size=size))
    is_marked = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    items = items_of(clues, chance)
    return items, np.array(is_marked), lesson_of(items, np.array(is_marked))


@settings(deadline=None)
@given(st.lists(lessons(), min_size=1, max_size=5), st.randoms())
def test_chances_are_probabilities_independent_of_the_order_of_pages(pages, random):
    taught = [each for _, _, each in pages]
    items = pages[0][0]
    chance = memory_of(taught).chances(items, 2)
    assert ((chance >= 0) & (chance <= 1)).all()
    random.shuffle(taught)
    assert np.allclose(memory_of(taught).chances(items, 2), chance, atol=1e-6)


@settings(deadline=None)
@given(lessons(), st.integers(1, 20))
def test_chances_of_items_that_are_always_marked_never_decrease(page, times):
    items, _, _ = page
    every = np.ones(len(items), dtype=bool)
    few = memory_of([lesson_of(items, every)] * times).chances(items, 2)
    more = memory_of([lesson_of(items, every)] * (times + 1)).chances(items, 2)
    assert (more >= few - 1e-6).all()


@settings(deadline=None)
@given(lessons(), st.integers(5, 20))
def test_chances_of_items_that_are_never_marked_become_low(page, times):
    items, _, _ = page
    none = np.zeros(len(items), dtype=bool)
    assert (memory_of([lesson_of(items, none)] * times).chances(items, 2) < 0.2).all()


def test_levels_without_marks_keep_the_chances_of_the_shipped_model():
    items = items_of([[1] * COLUMNS], [0.7])
    memory = memory_of([lesson_of(items, np.array([True]))])
    assert memory.chances(items, 1) is items.chance
