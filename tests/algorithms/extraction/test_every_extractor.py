"""Properties of every extractor: odd pages, order, repeatability, time."""

import time

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from algorithms.core.catalogue import EXTRACTORS
from engine.source import Source

SOURCE_METHODS = [entry for entry in EXTRACTORS if entry.on_source]
EACH = pytest.mark.parametrize("entry", SOURCE_METHODS, ids=lambda entry: entry.key)

MARKUP = (
    "<p> </p> <div> </div> <table> <tr> <td> </table> <ul> <li> </ul> <a> </a> <b> </b> <br> <h1> "
    "</h1> <body> <script>x</script> <!--x--> word &amp; <title>t</title> <form> <img> <hr> <span>"
).split()
PAGES = st.lists(st.sampled_from([*MARKUP, " some words of text ", "\n"]), max_size=40).map("".join)


def run(entry, html):
    return entry.on_source(Source.from_text(html), entry.params())


@EACH
@pytest.mark.parametrize(
    "html", ["", " \n", "<script>x</script>", "<p></p>", "<!-- a -->", "<", "\0"]
)
def test_a_page_without_text_gives_nothing(entry, html):
    assert run(entry, html).text in ("", "<")


@EACH
@pytest.mark.parametrize(
    "html",
    [
        "words without any tag",
        "<p>one line",
        "<div>" * 3000 + "deep",
        "</p></div>stray<p",
        "<table><tr><td><ul><li><p>unclosed <b>everything <a href=x>",
        "<p>" + "漢字かな交じり文" * 50,
        "\ud800 lone",
        "<p>a</p>" * 300,
        "<a>" * 500 + "x",
    ],
)
def test_odd_pages_do_not_break_it(entry, html):
    source = Source.from_text(html)
    extraction = entry.on_source(source, entry.params())
    everything = source.text.split()
    assert len(extraction.text.split()) <= len(everything)


@given(html=st.one_of(PAGES, st.text(max_size=50)))
@settings(max_examples=40)
def test_spans_are_ordered_and_hold_words_of_the_page(html):
    for entry in SOURCE_METHODS:
        note(entry.key)
        source = Source.from_text(html)  # again, without shared results
        spans = entry.on_source(source, entry.params()).spans
        edges = spans.ravel().tolist()
        assert edges == sorted(edges)
        runs = source.words_in(spans)
        assert np.all(runs[:, 1] > runs[:, 0])


@EACH
def test_a_second_run_gives_the_same(entry):
    html = "<ul><li><a>home</a></ul>" + "<p>a long story of many words " * 20 + "<div>end</div>"
    assert run(entry, html).text == run(entry, html).text


@pytest.fixture(scope="module")
def long_source():
    """Return four megabytes of one text; all methods share its tokens and tree."""
    source = Source.from_text("<html><body><p>" + "some words " * 360_000 + "</p></body></html>")
    assert len(source.words) == 720_000
    assert len(source.tree) == 4
    return source


@EACH
def test_four_megabytes_of_one_text_take_seconds_at_most(entry, long_source):
    start = time.process_time()  # other processes are not counted
    entry.on_source(long_source, entry.params())
    assert time.process_time() - start < 3.0


@EACH
def test_every_extractor_has_a_citation_a_summary_and_inputs(entry):
    assert entry.cite
    assert entry.summary.endswith(".")
    assert entry.inputs[:2] == ("original", "dom")


def test_keys_are_unique():
    keys = [entry.key for entry in EXTRACTORS]
    assert len(set(keys)) == len(keys)
