"""Words and runs of words as numbers: two are equal exactly if their words are."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from algorithms.core.word_numbers import SIZE, WordNumbers, once

WORDS = st.lists(st.sampled_from("abc"), max_size=14)


def runs(words):
    return list(zip(*(words[k:] for k in range(SIZE)), strict=False))


@given(WORDS, WORDS)
def test_runs_have_one_number_where_their_words_are_the_same(page, text):
    numbered = WordNumbers.of(page)
    mine = numbered.runs_of(numbered.of_text(text)).tolist()
    theirs = numbered.runs.tolist()
    same = [[one == two for two in runs(page)] for one in runs(text)]
    assert [[one == two for two in theirs] for one in mine] == same
    assert len(set(mine)) == len(set(runs(text)))


@given(WORDS, WORDS)
def test_it_is_counted_how_often_the_page_has_a_run(page, text):
    numbered = WordNumbers.of(page)
    times = Counter(runs(page))
    result = numbered.times(numbered.runs_of(numbered.of_text(text)))
    assert result.tolist() == [times[run] for run in runs(text)]


@given(WORDS)
def test_once_returns_the_positions_of_unique_runs(words):
    numbered = WordNumbers.of(words)
    times = Counter(runs(words))
    alone = [index for index, run in enumerate(runs(words)) if times[run] == 1]
    assert sorted(once(numbered.runs)[1].tolist()) == alone


def test_a_page_of_more_different_words_than_16_bits_count():
    words = [f"w{number}" for number in range(1 << 17)]
    numbered = WordNumbers.of([*words, *words[:8]])
    text = numbered.of_text(["new", *words[:SIZE], *words[-SIZE:]])
    times = numbered.times(numbered.runs_of(text))
    assert times.tolist() == [0, 2, 0, 0, 0, 1]
