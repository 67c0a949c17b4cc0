"""Test lines of a page's text, split where layers begin or end."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from annotate.marks.marked_text import TextRun, marked_text
from engine.source import Source

PAGE = "<ul><li>home<li>news</ul><p>The ferry is <b>back</b>, it seems.<p>Ads &amp; more"


def spans(source, *texts):
    starts = [source.html.index(text) for text in texts]
    return np.array([[s, s + len(t)] for s, t in zip(starts, texts, strict=True)], dtype=np.int32)


def test_lines_follow_the_text_and_runs_end_at_layer_boundaries():
    source = Source.from_text(PAGE)
    lines = marked_text(source, [spans(source, "The ferry is <b>back"), spans(source, "is", "Ads")])
    assert lines == (
        (TextRun("home", ()),),
        (TextRun("news", ()),),
        (
            TextRun("The ferry", (1,)), TextRun(" is", (1, 2)), TextRun(" back", (1,)),
            TextRun(", it seems.", ()),
        ),
        (TextRun("Ads", (2,)), TextRun(" & more", ())),
    )  # fmt: skip


def test_a_page_without_words_has_no_lines():
    assert marked_text(Source.from_text("<p><br>"), []) == ()


@given(st.lists(st.sampled_from(["<p>", "a", " b ", "<b>", "&lt;", "<br>", "é"]), max_size=30),
       st.lists(st.tuples(st.integers(0, 90), st.integers(0, 20)), max_size=4))  # fmt: skip
def test_lines_keep_all_words_and_layers_have_those_their_spans_touch(parts, cuts):
    source = Source.from_text("".join(parts))
    layers = [np.array([[at, at + size]], dtype=np.int32) for at, size in cuts]
    lines = marked_text(source, layers)
    text = "\n".join("".join(run.text for run in line) for line in lines)
    assert text == source.text
    for number, layer in enumerate(layers, 1):
        ((first, end),) = source.words_in(layer).tolist()
        taken = "".join(run.text for line in lines for run in line if number in run.layers)
        assert "".join(taken.split()) == "".join(source.words[first:end])
