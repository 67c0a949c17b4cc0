"""Blocks that gold has word by word, in any position."""

import numpy as np
import pytest

from algorithms.extraction.gleaner.text_runs import text_runs
from algorithms.plugins.audit.gold_anywhere import RUN, share_anywhere, with_blocks_anywhere
from algorithms.plugins.training.gleaner_pages import shares
from engine.source import Source

FIRST = "const one = fetch(address) then read the answer as text"
SECOND = "at last the ferry came back to the harbour this morning"


def runs_of(*paragraphs):
    return text_runs(Source.from_text("".join(f"<p>{each}</p>" for each in paragraphs)))


def test_blocks_are_found_in_gold_in_any_order():
    runs = runs_of(FIRST, SECOND, "a third one that nobody wrote down")
    assert share_anywhere(runs, f"{SECOND}\n{FIRST}").tolist() == [1.0, 1.0, 0.0]


def test_a_slightly_different_block_in_gold_counts_by_its_equal_words():
    """The ordered alignment matches the longer block and finds only equal blocks out of order."""
    before = "one two three four five six seven eight nine ten eleven twelve"
    runs = runs_of(before, FIRST)
    gold = f"{FIRST} line-1 \n{before}".replace("as text", "as")
    assert shares(runs, gold).tolist() == [1.0, 0.0]
    found = with_blocks_anywhere(shares(runs, gold), runs, gold)
    assert found.tolist() == [1.0, pytest.approx(9 / 10)]


def test_scattered_words_of_a_block_do_not_count():
    runs = runs_of(FIRST)
    scattered = " and also ".join(FIRST.split())
    assert share_anywhere(runs, scattered).tolist() == [0.0]


def test_half_a_block_does_not_change_the_alignment():
    runs = runs_of(FIRST)
    half = " ".join(FIRST.split()[:6])
    assert 0 < share_anywhere(runs, half)[0] < 0.8
    assert with_blocks_anywhere(np.array([0.1]), runs, half).tolist() == [0.1]


@pytest.mark.parametrize("paragraphs", [(), ("too short",), (FIRST,)])
@pytest.mark.parametrize("gold", ["", "few words here", " ".join(f"w{k}" for k in range(RUN))])
def test_short_or_unrelated_texts_have_no_share(paragraphs, gold):
    runs = runs_of(*paragraphs)
    assert share_anywhere(runs, gold).tolist() == [0.0] * len(runs)


def test_runs_span_blocks_only_if_the_blocks_are_short():
    entries = runs_of("one two three", "four five six")
    assert share_anywhere(entries, "one two three four five six").tolist() == [1.0, 1.0]
    paragraphs = runs_of("zero nil nought one two three", "four five six seven eight nine")
    assert share_anywhere(paragraphs, "one two three four five six").tolist() == [0.0, 0.0]
