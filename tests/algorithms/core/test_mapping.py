"""Texts are located in their source."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.core.mapping import find_unlocated, locate_words, map_text, tokens_saying
from algorithms.core.word_numbers import WordNumbers
from engine.source import Source

MENU = "<ul><li><a>home of the day</a><li><a>the news</a></ul>"
STORY = "<p>A ferry came back to the harbour.</p><p>The whole town stood on the quay.</p>"


def found(html, text):
    """Return the mapped text, and the number of words not mapped."""
    source = Source.from_text(html)
    mapped = map_text(source, text)
    return source.text_of(mapped.spans), mapped.unmapped


def test_a_text_is_found_in_its_page():
    html = MENU + STORY + "<p>the end</p>"
    assert found(html, "The whole town stood on the quay.") == (
        "The whole town stood on the quay.", 0,
    )  # fmt: skip


def test_small_words_of_a_text_are_not_found_in_the_menu():
    text = "of the A ferry came back to the harbour."
    assert found(MENU + STORY, text)[0].startswith(("A ferry", "of the"))
    html = MENU + "<i>x</i>" * 40 + "<p>filler words here</p>" * 20 + STORY
    mapped, unmapped = found(html, text)
    assert mapped == "A ferry came back to the harbour."
    assert unmapped == 2


def test_paragraphs_in_another_order_are_found():
    text = "The whole town stood on the quay.\nA ferry came back to the harbour."
    assert found(STORY, text) == (Source.from_text(STORY).text, 0)


def test_words_not_on_the_page_are_counted():
    assert found(STORY, "A ferry came back to the harbour. [Advertisement, sponsored]")[1] == 2
    assert found(STORY, "nothing like that") == ("", 3)


@pytest.mark.parametrize(
    ("html", "text", "expected"),
    [
        # bullets and tables that a program draws
        ("<li>one two three<li>four five six", "- one two three\n- four five six",
         "one two three\nfour five six"),
        # references in the source, characters in the text
        ("<p>caf&eacute; &amp; cr&egrave;me br&ucirc;l&eacute;e", "café crème brûlée",
         "café & crème brûlée"),
        # tags inside words
        ("<p><b>W</b>hen all was <i>over</i>, done", "When all was over", "When all was over"),
        # other forms of one letter, soft hyphens
        ("<p>cafe\u0301 is a lo\u00adng word", "café is a long word",
         "cafe\u0301 is a lo\u00adng word"),
        # no blanks between words
        ("<p>前書き。吾輩は猫である。名前はまだ無い。", "吾輩は猫である。", "吾輩は猫である。"),
        ("", "some words", ""),
        ("<p>some words", "", ""),
        ("<p>one", "one", "one"),
    ],
)  # fmt: skip
def test_texts_as_programs_write_them(html, text, expected):
    assert found(html, text)[0] == expected


WORDS = st.lists(st.integers(0, 200), unique=True, min_size=1, max_size=60)


@given(WORDS, st.data())
def test_a_part_of_a_page_is_found_exactly(numbers, data):
    mask = data.draw(st.lists(st.booleans(), min_size=len(numbers), max_size=len(numbers)))
    html = "".join(f"<p>w{number} a{number} b{number}</p>" for number in numbers)
    lines = [f"w{n} a{n} b{n}" for n, is_kept in zip(numbers, mask, strict=True) if is_kept]
    assert found(html, "\n".join(lines)) == ("\n".join(lines), 0)


@given(WORDS, st.integers(0, 60))
def test_two_halves_swapped_are_found(numbers, cut):
    lines = [f"w{n} a{n} b{n}" for n in numbers]
    html = "".join(f"<p>{line}</p>" for line in lines)
    swapped = lines[cut:] + lines[:cut]
    assert found(html, "\n".join(swapped)) == ("\n".join(lines), 0)


def test_paragraphs_of_one_pattern_in_any_order_are_found():
    lines = [f"paragraph {n} says that {n * 7} birds sat on {n * 3} wires" for n in range(300)]
    html = "".join(f"<p>{line}</p>" for line in lines)
    moved = [lines[(k * 77) % 300] for k in range(300)]
    assert found(html, "\n".join(moved))[1] <= 3  # of 3000 words
    one_left_out = [line for line in moved if line != lines[5]]
    assert lines[5] not in found(html, "\n".join(one_left_out))[0]


MARKUP = st.lists(
    st.sampled_from(["<p>", "</p>", "<b>", " ", "a", "the", "&amp;", "&nbsp;", "é", "e\u0301", "猫",
                     "-", "&#10;", "<script>x</script>", "\u00ad", "&eacute;"])
).map("".join)  # fmt: skip


@given(MARKUP, st.one_of(st.text(max_size=30), MARKUP))
@settings(max_examples=150)
def test_spans_are_in_order_and_every_word_is_found_or_counted(html, text):
    source = Source.from_text(html)
    mapped = map_text(source, text)
    flat = mapped.spans.ravel()
    assert (np.diff(flat) >= 0).all()
    assert (mapped.spans[:, 1] > mapped.spans[:, 0]).all()
    assert not flat.size or (flat[0] >= 0 and flat[-1] <= len(html))
    assert 0 <= mapped.unmapped <= mapped.words


@given(MARKUP)
def test_the_whole_text_of_a_page_is_found_whole(html):
    source = Source.from_text(html)
    mapped = map_text(source, source.text)
    assert mapped.unmapped == 0


def article(size, seed):
    pick = random.Random(seed)
    return [f"w{int(pick.paretovariate(0.7)) % 9000}" for _ in range(size)]


@pytest.mark.parametrize("size", [300, 5_000])
def test_an_article_that_occurs_twice_is_located_in_one_copy(size):
    words = article(size, 1)
    rest = [" ".join(article(size // 5, seed)) for seed in (2, 3, 4)]
    # Each copy lacks words of the other, and has other words in the middle.
    copies = [[w for k, w in enumerate(words) if k % 97 != lack] for lack in (5, 50)]
    copies = [" ".join(copy[: size // 2]) + " <p>buy now <p>" + " ".join(copy[size // 2 :])
              for copy in copies]  # fmt: skip
    html = f"<p>{rest[0]}<p>{copies[0]}<p>{rest[1]}<p>{copies[1]}<p>{rest[2]}"
    source = Source.from_text(html)
    mapped = map_text(source, " ".join(words))
    inside = (mapped.spans[:, 1] > html.index(copies[0])) & (
        mapped.spans[:, 0] < html.index(rest[1])
    )
    length = np.diff(mapped.spans, axis=1)[:, 0]
    assert mapped.unmapped <= size * 0.02
    assert length[inside].sum() > 0.97 * length.sum()


@given(st.lists(st.sampled_from("abcdefgh"), max_size=30), st.data())
def test_a_text_is_located_one_to_one_by_equal_words(words, data):
    parts = st.lists(st.sampled_from([*words, "x", "y"]), max_size=12) if words else st.just([])
    page = [*data.draw(parts), *words, *data.draw(parts), *words[: len(words) // 2]]
    position = locate_words(words, WordNumbers.of(page))
    known = position[position >= 0]
    assert len(set(known.tolist())) == known.size
    assert all(page[j] == words[i] for i, j in enumerate(position.tolist()) if j >= 0)
    assert known.size == len(words)


def test_words_not_on_the_page_are_located_after_their_predecessors():
    source = Source.from_text(STORY)
    text = "At dawn A ferry came back to the old harbour. The whole town stood on the quay. Fin."
    lost = find_unlocated(source, text)
    assert [(run.text, run.words) for run in lost] == [("At dawn", 2), ("old", 1), ("Fin", 1)]
    behind = [source.html[run.at - 4 : run.at] for run in lost[1:]]
    assert behind == [" the", "quay"]
    assert find_unlocated(source, source.text) == ()


@pytest.mark.parametrize(
    ("html", "text", "found"),
    [
        ("<p>我爱你。abc我", "爱你", [["我爱你。abc我"]]),
        ("<p>tea <b>F</b>oobar, <i>and</i> cake", "foobar and", [["F", "oobar,", "and"]]),
        ("<p>so mar&shy;vel&shy;lous it is", "marvellous it", [["mar&shy;vel&shy;lous", "it"]]),
        ("<p>cafe\u0301 tea", "caf\u00e9", [["cafe\u0301"]]),
        ("<p>tea tea Tea", "Tea", [["Tea"], ["tea"], ["tea"]]),
        ("<p>tea, (tea) “tea.” teas", "tea", [["tea,"], ["(tea)"], ["“tea.”"]]),
        ("<p>C, C# and C++", "c++", [["C++"]]),
        ("<p>tea, tea", "tea,", [["tea,"]]),
        ("<p>tea", "tea!", [["tea"]]),
        ("<p>to → fro", "→", [["→"]]),
        ("<p>tea", "cake", []),
        ("<p>tea", "→", []),
        ("", "tea", []),
    ],
)
def test_the_tokens_of_a_text_are_found_by_its_words(html, text, found):
    source = Source.from_text(html)
    spans = source.tokens.spans.tolist()
    places = tokens_saying(source, text)
    said = [[html[slice(*spans[number])] for number in tokens] for tokens in places]
    assert said == found
