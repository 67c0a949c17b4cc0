"""Gleaner keeps repeated text once, such as a part repeated for narrow screens."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.core.catalogue import method
from algorithms.extraction.gleaner import gleaner as gleaner
from algorithms.extraction.gleaner.expected_f1 import AGAIN, LONG, counted_once
from algorithms.extraction.gleaner.text_runs import text_runs
from engine.page import Page
from engine.runs import mark_covered
from engine.source import Source

HEAD, BODY, OTHER = "Nine of them run", "each spring the keepers meet at the mill", "a word between"
FERRIES = "<h2>Nine of them still run</h2>" + "".join(
    f"<p>Each spring the keepers of ferry {name} meet at the mill to agree on the hours of the "
    "year, and each spring they argue about the bells.</p>"
    for name in ("one", "two", "three", "four", "five")
)
PAGE = f"""<!doctype html><title>River ferries and their keepers</title>
<nav><a href=/>Home</a> <a href=/about>About us</a></nav>
<main><h1>River ferries and their keepers</h1>
<div class=wide>{FERRIES}</div><div class=narrow>{FERRIES}</div>
<p>Bells were rung from the landing when somebody wanted to cross, at any hour of the night.</p>
</main><footer>All rights reserved. Imprint.</footer>"""


def runs_of(*texts):
    return text_runs(Source.from_text("".join(f"<p>{text}" for text in texts)))


def lowered(texts, chances):
    """Return the indices of the blocks with a lowered probability."""
    once, is_again = counted_once(np.array(chances), runs_of(*texts))
    assert once == pytest.approx(np.where(is_again, AGAIN, 1) * np.array(chances))
    return np.flatnonzero(is_again).tolist()


def test_the_less_probable_of_two_equal_runs_is_lowered():
    twice = (HEAD, BODY, OTHER, HEAD.upper(), BODY)
    assert lowered(twice, (0.5, 0.5, 0.5, 0.4, 0.6)) == [0, 1]
    assert lowered(twice, (0.6, 0.5, 0.5, 0.5, 0.5)) == [3, 4]
    assert lowered(twice, [0.5] * 5) == [3, 4]


def test_triple_short_or_reordered_copies_are_not_lowered():
    assert lowered((HEAD, BODY, HEAD, BODY, HEAD, BODY), [0.5] * 6) == []
    assert lowered((BODY, OTHER, BODY), [0.5] * 3) == []
    assert lowered((HEAD, BODY, OTHER, BODY, HEAD), [0.5] * 5) == []


def test_probable_copies_are_lowered_only_in_long_runs():
    assert lowered((HEAD, BODY, HEAD, BODY), [0.9] * 4) == []
    many = [f"{BODY} on day {day}" for day in range(10)]
    assert sum(len(text.split()) for text in many) >= LONG
    assert lowered((*many, *many), [0.9] * 10 + [0.95] * 10) == list(range(10))


def test_a_page_made_for_two_screens_is_extracted_once():
    page = Page(url="", original=Source.from_text(PAGE))
    text = method("gleaner").run(page, gleaner.GleanerParams(), "original", None).text
    for name in ("one", "two", "three", "four", "five"):
        assert text.count(f"keepers of ferry {name} meet") == 1
    assert text.count("Nine of them still run") == 1


def test_the_trace_reports_blocks_dropped_as_copies():
    source = Source.from_text(PAGE)
    trace = gleaner.trace(source, gleaner.GleanerParams())
    [again] = [step for step in trace.steps if "repeats" in step.rule.says[1]]
    sentences = [again.sentence(index) for index in range(len(again))]
    assert len(sentences) == 6
    assert all(each.startswith("dropped: the page repeats this") for each in sentences)
    result = gleaner.extract(source, gleaner.GleanerParams())
    first, last = source.words_in(result.spans).T
    assert np.array_equal(trace.kept, mark_covered(first, last, trace.size))


BLOCKS = st.lists(
    st.tuples(st.sampled_from([HEAD, BODY, OTHER, "short", "X"]), st.floats(0, 1)), max_size=12
)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(blocks=BLOCKS)
def test_at_least_one_of_equal_blocks_keeps_its_probability(blocks):
    texts, chances = [text for text, _ in blocks], np.array([chance for _, chance in blocks])
    once, is_again = counted_once(chances, runs_of(*texts))
    assert (once <= chances).all()
    for text in set(texts):
        own = [place for place, each in enumerate(texts) if each == text]
        assert is_again[own].sum() in ((0, 1) if len(own) == 2 else (0,))
