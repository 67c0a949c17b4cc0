"""Text measures compared with published vectors, an independent scorer and brute force."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.measures.text import (
    cleaneval,
    longest_common,
    score_text,
    score_words,
)
from algorithms.measures.text_words import Words, normalise, words_of
from algorithms.results import Extraction
from engine.source import Source
from engine.word_units import WORD_UNITS
from tests.effort import effort
from tests.outside import load_scorer

GOLD = "the cat sat on the mat"
EXTRACT = "home the cat sat on a mat"


def score_texts(predicted, gold, unit="characters"):
    return score_words(Words(predicted, unit), Words(gold, unit))


def near(prf):
    return pytest.approx(prf, abs=5e-5)


def numbers(prf):
    return (prf.precision, prf.recall, prf.f1)


def test_published_vectors():
    scores = score_texts(EXTRACT, GOLD)
    assert numbers(scores.cs) == near((0.76, 0.8636, 0.8085))
    assert numbers(scores.ws) == near((0.7143, 0.8333, 0.7692))
    assert scores.bow == scores.ws
    assert numbers(scores.sow) == near((0.7143, 1.0, 0.8333))
    assert cleaneval(Words(EXTRACT), Words(GOLD)) == 0.625


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [("", "", (1, 1, 1)), ("", "a", (1, 0, 0)), ("a", "", (0, 1, 0)), ("a", "b", (0, 0, 0)),
     ("...", "!", (1, 1, 1))],
)  # fmt: skip
def test_empty_and_disjoint_texts(predicted, gold, expected):
    assert numbers(score_texts(predicted, gold).ws) == expected
    assert numbers(score_texts(predicted, gold).sow) == expected


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        (" a \n\t b\u00a0\u3000c ", "a b c"),
        ("e\u0301", "é"),
        ("co\u00adope\u200brate\ufeff", "cooperate"),
        ("A b", "A b"),
    ],
)
def test_normalisation(text, normal):
    assert normalise(text) == normal


@pytest.mark.parametrize(
    ("unit", "words"),
    [
        ("clauses", ["don", "t", "x_1", "漢字かな", "ไทย"]),
        ("characters", ["don", "t", "x_1", "漢", "字", "か", "な", "ไ", "ท", "ย"]),
    ],
)
def test_the_word_unit_splits_scripts_without_blanks(unit, words):
    assert words_of("don't x_1, 漢字かな ไทย", unit) == words


@pytest.mark.parametrize(
    ("one", "other"),
    [("का की कु", "के को कं"), ("שָׁלוֹם", "שִׁלוּם"), ("كَتَبَ", "كُتُب"), ("ที่ ดี", "ทั้ ดู"), ("কি", "কু")],
)
@pytest.mark.parametrize("unit", WORD_UNITS)
def test_words_that_differ_in_a_vowel_sign_alone_are_not_the_same(one, other, unit):
    assert score_texts(one, other, unit).ws.f1 < 1


def longest(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        above = row[:]
        for j, y in enumerate(b):
            row[j + 1] = above[j] + 1 if x == y else max(above[j + 1], row[j])
    return row[-1]


TEXTS = st.lists(st.sampled_from("a b cc dd é . ,".split()), max_size=12).map(" ".join)


@given(TEXTS, TEXTS)
def test_sequences_are_longest_common_subsequences(predicted, gold):
    scores = score_texts(predicted, gold)
    e, m = words_of(predicted), words_of(gold)
    if e and m:
        assert scores.ws.precision == longest(e, m) / len(e)
        assert scores.ws.recall == longest(e, m) / len(m)
    if predicted and gold:
        assert scores.cs.precision == longest(predicted, gold) / len(predicted)


@given(st.text("abcd", max_size=200), st.data())
def test_the_search_by_widening_bands_finds_the_longest(text, data):
    gone = data.draw(st.sets(st.integers(0, 200), max_size=12))
    other = "".join(c for k, c in enumerate(text) if k not in gone) + data.draw(st.text("abcd"))
    guess = data.draw(st.integers(0, 40))
    assert longest_common(text, other, guess) == longest(text, other)


@given(TEXTS, TEXTS)
def test_measures_are_ordered_and_cleaneval_follows(predicted, gold):
    scores = score_texts(predicted, gold)
    assert scores.ws.f1 <= scores.bow.f1 + 1e-12
    if words_of(predicted) or words_of(gold):
        f1 = scores.ws.f1
        assert cleaneval(Words(predicted), Words(gold)) == pytest.approx(f1 / (2 - f1))


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_texts_score_between_nothing_and_all(predicted, gold):
    scores = score_texts(predicted, gold)
    for prf in (scores.cs, scores.ws, scores.bow, scores.sow):
        assert all(0.0 <= value <= 1.0 for value in numbers(prf))
    same = score_texts(gold, gold)
    assert same.cs.f1 == same.ws.f1 == same.bow.f1 == same.sow.f1 == 1.0


def test_extractions_are_scored_by_their_text():
    source = Source.from_text("<p>the cat</p><p>sat</p>")
    everything = Extraction(source, [[0, len(source.html)]])
    first = Extraction(source, [[3, 10]])
    assert numbers(score_text(first, everything).ws) == (1.0, 2 / 3, 0.8)


@pytest.mark.data
def test_agrees_with_the_independent_scorer(datasets):
    reference = load_scorer("score_text")
    package = reference.Package(datasets / "packages" / "readability-pages.zip")
    for document in package.docs[::6]:
        # A symbol's variation selector is a word there, but not according to Unicode.
        gold = package.gold(document).replace("\ufe0f", "")
        text = Source.from_bytes(package.html(document)).text.replace("\ufe0f", "")
        expected = reference.four(gold, text, reference.TOK["gottron"])
        scores = score_texts(text, gold, "clauses")
        for key, prf in zip(
            ("CS", "WS", "BoW", "SoW"), (scores.cs, scores.ws, scores.bow, scores.sow), strict=True
        ):
            assert numbers(prf) == pytest.approx(expected[key], abs=1e-9)


def test_work_for_a_new_gold_grows_with_the_length_of_the_texts():
    def work(size):
        pick = random.Random(3)
        words = [f"w{pick.randrange(900)}" for _ in range(size)]
        predicted = [Words(" ".join(words[k * 40 : size - 400 - k * 90])) for k in range(10)]
        gold = " ".join(words[size // 6 : size * 6 // 10])

        def score():
            new = Words(gold)
            for extract in predicted:
                score_words(extract, new)

        score()  # the extracts are prepared once
        return effort(score)

    assert work(6_000) < 3 * work(3_000)
