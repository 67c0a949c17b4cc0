"""The trace of every method agrees with its result."""

import numpy as np
import pytest

import resources
from algorithms.core.catalogue import METHODS
from engine.source import Source

TRACED = [entry for entry in METHODS if entry.trace_source is not None]
PAGES = sorted(path for path in resources.path("corpus").rglob("index.html"))
ODD = ["", "no tags at all", "<p>", "<p>one", "<a href=x>link</a>", "<ul><li><a href=x>a</a></ul>"]


def _kept(entry, source, params):
    result = entry.on_source(source, params)
    runs = source.words_in(result.spans)
    is_kept = np.zeros(source.tokens.words.size, dtype=bool)
    for first, last in runs.tolist():
        is_kept[first:last] = True
    return is_kept


def _check(entry, source):
    params = entry.params()
    trace = entry.trace_source(source, params)
    assert trace.size == source.tokens.words.size
    for each in trace.steps:
        order = np.argsort(each.places[:, 0], kind="stable")
        assert (each.places[order[1:], 0] >= each.places[order[:-1], 1]).all(), "places overlap"
        assert not each.notes or len(each.notes) == len(each)
    np.testing.assert_array_equal(trace.kept, _kept(entry, source, params))


def test_every_native_extractor_has_a_trace():
    without = [m.key for m in METHODS if m.output == "extraction" and m.trace_source is None]
    assert without == []


@pytest.mark.parametrize("entry", TRACED, ids=lambda entry: entry.key)
def test_a_trace_keeps_what_the_method_keeps_on_sample_pages(entry):
    for path in PAGES:
        _check(entry, Source.from_bytes(path.read_bytes()))


@pytest.mark.parametrize("entry", TRACED, ids=lambda entry: entry.key)
def test_a_trace_keeps_what_the_method_keeps_on_odd_documents(entry):
    for html in ODD:
        _check(entry, Source.from_text(html))


@pytest.mark.parametrize("entry", TRACED, ids=lambda entry: entry.key)
def test_every_word_has_a_decision_with_a_sentence(entry):
    source = Source.from_bytes(PAGES[0].read_bytes())
    trace = entry.trace_source(source, entry.params())
    for word in range(0, trace.size, 7):
        decisions = trace.decisions(word)
        assert decisions
        assert decisions[-1].kept == trace.kept[word]
        assert decisions[-1].sentence.startswith(("kept: ", "dropped: "))
