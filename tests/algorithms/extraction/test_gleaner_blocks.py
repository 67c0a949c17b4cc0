"""Blocks that gleaner reads from a source, and their measures."""

import json
import zlib

import numpy as np
import pytest

from algorithms.extraction.gleaner import gleaner as gleaner
from algorithms.extraction.gleaner import text_runs as text_runs_module
from algorithms.extraction.gleaner.block_columns import measure_columns
from algorithms.extraction.gleaner.linked_data import linked_texts
from algorithms.extraction.gleaner.text_runs import hash_word, names, text_runs
from engine.source import Source


def column_of(html, name):
    """Return a column of a page, its blocks by their text."""
    source = Source.from_text(html)
    return dict(zip(text_runs(source).texts, measure_columns(source)[name].tolist(), strict=True))


GRID = (
    "<h1>Lamps</h1><ul class=nav><li>Home<li>Shop<li>About</ul>"
    "<div class=card><h3>Red lamp</h3><p>$9</p></div>"
    "<div class=card><h3>Blue lamp</h3><p>$8</p></div>"
    "<div class=card><h3>Old oak lamp of the shop</h3><p>$99</p></div>"
)


def test_blocks_of_a_list_have_its_length_and_contents_as_features():
    number = {text: np.expm1(n) for text, n in column_of(GRID, "record.number").items()}
    assert number["$9"] == pytest.approx(3)
    assert column_of(GRID, "record.prices")["Blue lamp"] == 1
    assert column_of(GRID, "record.prices")["Shop"] == 0
    assert column_of(GRID, "record.headings")["$9"] == 1
    assert column_of(GRID, "record.rank")["$9"] < column_of(GRID, "record.rank")["Shop"]
    assert column_of(GRID, "record.number")["Lamps"] == -1


def test_two_similar_parts_are_not_a_list():
    assert set(column_of("<p>a</p><p>b</p>", "record.number").values()) == {-1}


LINKED = {
    "@type": "Product",
    "name": "A lamp of oak and brass",
    "description": "It stands on the table all day long",
    "brand": {"@type": "Brand", "description": "We have made lamps since the war"},
    "review": [{"@type": "Review", "reviewBody": "My aunt is very happy with it"}],
    "material": "oak and brass and glass",
    "image": "https://example.org/a b c d e f",
}


def linked_page(*data):
    return "".join(f"<script type='application/ld+json'>{each}</script>" for each in data)


def test_json_ld_texts_are_grouped_by_role():
    html = linked_page("{ no json", json.dumps({"@graph": [LINKED]}))
    assert linked_texts(Source.from_text(html)) == {
        "body": ["It stands on the table all day long"],
        "name": ["A lamp of oak and brass"],
        "readers": ["My aunt is very happy with it"],
        "site": ["We have made lamps since the war"],
        "other": ["oak and brass and glass"],
    }


def test_a_block_is_matched_with_the_json_ld_text_of_the_same_words():
    html = linked_page(json.dumps(LINKED)) + "<p>My aunt is very happy with it<p>Elsewhere"
    assert column_of(html, "data.readers")["My aunt is very happy with it"] == pytest.approx(6 / 7)
    assert column_of(html, "data.readers")["Elsewhere"] == 0
    assert column_of(html, "data.body")["My aunt is very happy with it"] == 0


def test_a_block_ends_at_block_level_tags_and_line_breaks_only():
    runs = text_runs(Source.from_text("<p>one <b>two</b> three<br>four</p><div>five</div> six"))
    assert runs.texts == ("one two three", "four", "five", "six")
    assert runs.words.tolist() == [3, 1, 1, 1]


def test_elements_that_hold_the_same_words_are_one_level():
    source = Source.from_text("<main><div><div><p>a b</p></div></div></main><p>c</p>")
    runs = text_runs(source)
    names = [source.tree.name_of(row) for row in runs.levels[:2, 0].tolist()]
    assert names == ["main", "html"]


def test_long_words_and_tags_are_not_cached():
    word, tag = "w" * 5000, f"<p class='{'a' * 5000}'>"
    text_runs_module._hashes.clear()
    cached = [short for _, short in text_runs_module._readers_of]
    for each in cached:
        each.cache_clear()
    names(Source.from_text(f"{tag}{word}</p>"))
    assert hash_word(word) == zlib.crc32(word.encode())
    assert sum(each.cache_info().currsize for each in cached) <= 3  # root, html, body
    assert word not in text_runs_module._hashes
    assert max(map(len, text_runs_module._hashes)) <= 40


def test_elements_around_no_block_have_their_signature_and_no_words():
    html = '<p CLASS="a">one</p><p id=x class="a"><img class=a></p><p class=b>two</p>'
    source = Source.from_text(html)
    read, tree = names(source), source.tree
    paragraphs = np.flatnonzero(tree.has_tag("p")).tolist()
    one, empty, two = (read.signature[row] for row in paragraphs)
    assert one == empty != two
    picture = int(np.flatnonzero(tree.has_tag("img"))[0])
    assert read.signature[picture] == hash_word("img a")
    count = dict(zip(read.element.tolist(), np.diff(read.start).tolist(), strict=True))
    assert [count[row] > 0 for row in paragraphs] == [True, False, True]
    assert count[picture] == 0
