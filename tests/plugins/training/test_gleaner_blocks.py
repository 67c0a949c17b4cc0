"""Blocks that gleaner reads from a source, and their measures."""

from algorithms.extraction.gleaner import gleaner as gleaner
from algorithms.extraction.gleaner.text_runs import text_runs
from algorithms.plugins.training.gleaner_pages import shares
from engine.source import Source


def test_gold_gives_each_block_its_share_of_words():
    runs = text_runs(Source.from_text("<p>menu<p>one two three four<p>five six seven eight"))
    assert shares(runs, "one two three four five six").tolist() == [0.0, 1.0, 0.5]


def test_gold_in_another_order_counts_where_whole_blocks_are_alike():
    runs = text_runs(Source.from_text("<p>a b c d e f g<p>price of the thing today"))
    assert shares(runs, "price of the thing today a b c d e f g").tolist() == [1.0, 1.0]
