"""Blocks that gleaner reads from a source, and their measures."""

import json
import zlib

import numpy as np
import pytest

from algorithms.extraction.gleaner import gleaner as gleaner
from algorithms.extraction.gleaner.block_columns import measure_columns
from algorithms.extraction.gleaner.linked_data import linked_texts
from algorithms.extraction.gleaner.text_runs import hash_word, hash_words, names, text_runs
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


@pytest.mark.parametrize("words", [[], [""], ["a", "", "ü\ud800"], ["a\x1fb", "c"], ["\x1f"] * 3])
def test_words_hashed_together_have_the_hash_of_each(words):
    expected = [zlib.crc32(word.encode("utf-8", "surrogatepass")) for word in words]
    assert hash_words(words).tolist() == [hash_word(word) for word in words] == expected


def test_a_tag_that_quotes_wrongly_takes_no_names_of_the_next():
    def codes(html):
        source = Source.from_text(html)
        read, tree = names(source), source.tree
        row = int(np.flatnonzero(tree.has_tag("b"))[0])
        at = int(np.flatnonzero(read.element == row)[0])
        return read.codes[read.start[at] : read.start[at + 1]].tolist(), read.signature[row]

    own = [hash_word(word) for word in ("<b", "x", "#y")]
    assert codes('<p class=\'a"><b class="x" id=y>one</b>') == (own, hash_word("b x"))
    assert codes('<p a=\'" class=\'><b class=x id="y">one</b>') == (own, hash_word("b x"))
    assert codes("<p class=\0><b class=x\0 id='y'>one</b>")[0] == own


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
