"""Test the definition of words in all scripts."""

import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.word_units import (
    WORD_UNITS,
    cuts_word,
    is_mark,
    pieces_in,
    word_around,
    word_count,
    word_spans,
    words_in,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("का की कु", ["का", "की", "कु"]),
        ("হিন্দি তমিழ்", ["হিন্দি", "তমিழ்"]),
        ("שָׁלוֹם־עולם", ["שָׁלוֹם", "עולם"]),
        ("كَتَبَ، كُتُب", ["كَتَبَ", "كُتُب"]),
        ("می\u200cخواهم \u200cنه\u200d", ["می\u200cخواهم", "نه"]),
        ("x\u0304y \u0301 don't", ["x\u0304y", "don", "t"]),
        ("한국어 1,5 naïve_1 ½ m²", ["한국어", "1", "5", "naïve_1", "½", "m²"]),
        ("𞤀𞤣𞤤𞤢𞤥 𞤆𞤵𞤤\U0001e944𞤢𞤪", ["𞤀𞤣𞤤𞤢𞤥", "𞤆𞤵𞤤\U0001e944𞤢𞤪"]),
        ("❤\ufe0f 👩\u200d👩", []),
    ],
)
@pytest.mark.parametrize("unit", WORD_UNITS)
def test_marks_and_joiners_stay_with_their_letters(text, words, unit):
    assert words_in(text, unit) == words


@pytest.mark.parametrize(
    ("text", "characters", "clauses"),
    [
        ("我爱你。a1", ["我", "爱", "你", "a1"], ["我爱你", "a1"]),
        ("かガｶ々", ["か", "ガ", "ｶ", "々"], ["かガｶ々"]),
        ("ที่ดี", ["ที่", "ดี"], ["ที่ดี"]),
        ("ភាសា", ["ភា", "សា"], ["ភាសា"]),
        ("မြန်", ["မြ", "န်"], ["မြန်"]),
        ("ดีabc \U00020000x", ["ดี", "abc", "\U00020000", "x"], ["ดีabc", "\U00020000x"]),
    ],
)
def test_scripts_without_blanks_are_split_by_the_word_unit(text, characters, clauses):
    assert words_in(text) == characters
    assert words_in(text, "clauses") == clauses


def test_only_scripts_without_blanks_are_split_between_blanks():
    assert pieces_in("don't “go”, 这是「a-b」。") == ["don't", "“go”,", "这", "是", "「a-b」。"]
    assert pieces_in("don't 这是。", "clauses") == ["don't", "这是。"]


LATIN = st.text(
    st.characters(max_codepoint=0x52F, exclude_categories=["M"])
    | st.sampled_from(" ,.'’–…“”\u00a0\u2009")
)


@given(LATIN, st.sampled_from(WORD_UNITS))
def test_latin_greek_and_cyrillic_words_equal_those_of_the_regular_expression(text, unit):
    assert words_in(text, unit) == re.findall(r"\w+", text)
    assert pieces_in(text, unit) == text.split()


@given(st.text(), st.sampled_from(WORD_UNITS))
def test_words_are_ordered_begin_with_a_letter_and_include_every_letter(text, unit):
    spans = word_spans(text, unit)
    assert [text[a:b] for a, b in spans] == words_in(text, unit)
    assert all(re.match(r"\w", text[a]) for a, _ in spans)
    inside = {k for a, b in spans for k in range(a, b)}
    assert len(inside) == sum(b - a for a, b in spans)
    assert {k for k, c in enumerate(text) if re.match(r"\w", c)} <= inside


def test_all_combining_marks_are_recognised():
    known = {code for code in range(1 << 16) if unicodedata.category(chr(code))[0] == "M"}
    assert {code for code in range(1 << 16) if is_mark()[code]} == known
    for code in range(1 << 16, sys.maxunicode + 1):
        if unicodedata.category(chr(code))[0] == "M":
            assert words_in(f"a{chr(code)}") == [f"a{chr(code)}"]


def test_words_around_positions_are_found():
    text = "हिन्दी, don't 漢字 foo"
    assert word_around(text, 3) == (0, 6)
    assert word_around(text, 6) == (6, 6)
    assert not cuts_word(text, text.index("字"))
    assert cuts_word(text, len(text) - 1)
    assert not cuts_word(text, len(text))


def test_word_count_equals_the_number_of_words():
    texts = [
        "",
        "a",
        "don't stop",
        " _x 3.14 ",
        "हिन्दी, don't 漢字 foo",
        "naïve cafe\u0301 ok",
        "ไทย 12",
    ]
    for text in texts:
        assert word_count(text) == len(words_in(text)), text
