"""Texts of programs outside Pagelet: where they stand is looked for when something asks."""

import pickle

import numpy as np
import pytest

from algorithms.core.mapping import map_text
from algorithms.own.answers import extraction
from engine.errors import MethodError
from engine.source import Source

PAGE = (
    "<title>Ferry news</title><script>var hidden = 'x > buried treasure < y';</script>"
    "<p title='a tool tip here'>The ferry came <b>ba</b>ck to town.</p><!-- > lost for good < -->"
)


def test_the_page_is_not_read_for_the_text_alone():
    source = Source.from_text(PAGE)
    result = extraction(source, "The ferry came back", "text", 0.5)
    assert result.text == "The ferry came back"
    assert "tokens" not in vars(source)
    assert source.text_of(result.spans) == "The ferry came back"
    assert result.unmapped == 0


@pytest.mark.parametrize("answer", ["buried treasure", "tool tip here", "lost for good", "Ferry"])
def test_words_that_are_no_text_of_the_document_are_not_in_it(answer):
    with pytest.raises(MethodError, match="in the document"):
        extraction(Source.from_text(PAGE), answer, "text", 0.0)


def test_a_word_of_a_script_that_stands_in_the_text_too_is_found_there():
    html = PAGE.replace("town", "town with buried treasure aboard")
    source = Source.from_text(html)
    assert extraction(source, "buried treasure", "text", 0.0).text == "buried treasure"
    assert "tokens" not in vars(source)


def test_what_is_made_of_the_documents_texts_alone_is_not_looked_for():
    result = extraction(Source.from_text(PAGE), "a tool tip here", "text", 0.0, is_verbatim=True)
    assert result.text == "a tool tip here"
    assert (result.words, result.unmapped) == (4, 4)
    with pytest.raises(MethodError, match="not text"):
        extraction(Source.from_text(PAGE), "ferry \x01", "text", 0.0, is_verbatim=True)


def test_a_word_that_goes_on_behind_a_tag_is_not_its_beginning():
    with pytest.raises(MethodError, match="the one word it answered is not in the document"):
        extraction(Source.from_text("<p>so it came <b>ba</b>ck again</p>"), "ba", "text", 0.0)


def test_it_moves_to_an_equal_document_and_to_another_process():
    source, other = Source.from_text(PAGE), Source.from_text(PAGE)
    result = extraction(source, "ferry came elsewhere", "text", 0.5)
    moved, sent = result.on(other), pickle.loads(pickle.dumps(result))
    for each in (moved, sent):
        assert np.array_equal(each.spans, map_text(source, "ferry came elsewhere").spans)
        assert (each.text, each.unmapped, each.seconds) == ("ferry came elsewhere", 1, 0.5)
    assert moved.source is other
