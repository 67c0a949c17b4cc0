"""Texts of other programs: their location in the page is searched for only on demand."""

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
def test_words_outside_the_text_of_the_document_are_refused(answer):
    with pytest.raises(MethodError, match="in the document"):
        extraction(Source.from_text(PAGE), answer, "text", 0.0)


def test_words_that_occur_in_script_and_text_are_found_in_the_text():
    html = PAGE.replace("town", "town with buried treasure aboard")
    source = Source.from_text(html)
    assert extraction(source, "buried treasure", "text", 0.0).text == "buried treasure"
    assert "tokens" not in vars(source)


def test_a_verbatim_text_is_not_searched_for_in_the_document():
    result = extraction(Source.from_text(PAGE), "a tool tip here", "text", 0.0, is_verbatim=True)
    assert result.text == "a tool tip here"
    assert (result.words, result.unmapped) == (4, 4)
    with pytest.raises(MethodError, match="not text"):
        extraction(Source.from_text(PAGE), "ferry \x01", "text", 0.0, is_verbatim=True)


def test_part_of_a_split_word_is_refused():
    with pytest.raises(MethodError, match="the one word it answered is not in the document"):
        extraction(Source.from_text("<p>so it came <b>ba</b>ck again</p>"), "ba", "text", 0.0)


def test_an_extraction_can_be_moved_to_an_equal_document_and_pickled():
    source, other = Source.from_text(PAGE), Source.from_text(PAGE)
    result = extraction(source, "ferry came elsewhere", "text", 0.5)
    moved, sent = result.on(other), pickle.loads(pickle.dumps(result))
    for each in (moved, sent):
        assert np.array_equal(each.spans, map_text(source, "ferry came elsewhere").spans)
        assert (each.text, each.unmapped, each.seconds) == ("ferry came elsewhere", 1, 0.5)
    assert moved.source is other
