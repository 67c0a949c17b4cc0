"""Shingles, CETR, ROUGE-LSum, by name and aggregated: published vectors, corners, brute force."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.measures import rouge
from algorithms.measures.all_measures import TEXT_MEASURES
from algorithms.measures.choice import text_measures
from algorithms.measures.rouge import rouge_lsum, sentences_of
from algorithms.measures.shingles import ShingleCounts, count_shingles
from algorithms.measures.text import score_occurrences
from algorithms.measures.text_comparison import Comparison, GoldText
from algorithms.results import Extraction
from engine.errors import InputError
from engine.source import Source
from tests.algorithms.measures.page_scores import PageScore, summary_of
from tests.outside import load_scorer

GOLD = "the cat sat on the mat"
EXTRACT = "home the cat sat on a mat"


def numbers(prf):
    return (prf.precision, prf.recall, prf.f1)


def near(values):
    return pytest.approx(values, abs=5e-5)


def whole(text):
    source = Source.from_text(text)
    return Extraction(source, [[0, len(text)]])


def test_published_vectors():
    assert count_shingles(EXTRACT, GOLD) == ShingleCounts(1, 3, 2, is_exact=False)
    assert numbers(rouge_lsum(EXTRACT, f"{GOLD}\nit was happy")) == near((0.7143, 0.5556, 0.625))
    pair = Comparison(whole(EXTRACT), GoldText(GOLD))
    scores = {measure.key: measure.score(pair).value for measure in TEXT_MEASURES}
    assert scores["cs"] == near(0.8085)
    assert scores["ws"] == scores["bow"] == near(0.7692)
    assert scores["sow"] == near(0.8333)
    assert scores["cleaneval"] == 0.625
    assert scores["shingles"] == near(2 * 0.25 * 1 / 3 / (0.25 + 1 / 3))
    assert scores["identical"] == 0


# shingles


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        ("", "", (0, 0, 0, True)),
        ("a b", "a b", (1, 0, 0, True)),
        ("a b", "a b c", (0, 1, 1, False)),
        ("A", "a", (0, 1, 1, False)),
        ("a b c d e", "a, b: c d!", (1, 1, 0, False)),
        ("a a a a a", "a a a a", (1, 1, 0, False)),
    ],
)
def test_shingles_of_short_and_repeated_texts(predicted, gold, expected):
    result = count_shingles(predicted, gold)
    assert (result.hits, result.extra, result.missing, result.is_exact) == expected


def over_pages(name, pairs):
    """Return the summary of (extraction, gold) of some pages, as a table of results has it."""
    (measure,) = text_measures(name)
    pairs = [Comparison(of_text(text), GoldText(gold)) for text, gold in pairs]
    pages = [PageScore("ok", measure.score(pair)) for pair in pairs]
    return summary_of(pages, is_pooled=measure.is_pooled)


def of_text(text):
    return Extraction(Source.from_text(""), np.zeros((0, 2), dtype=np.int32), given=text)


def test_a_corpus_of_shingles_weighs_pages_alike_where_they_are_defined():
    long = " ".join(f"w{k}" for k in range(103))
    result = over_pages("shingles", [(long, long), ("a", ""), ("", "")])
    assert (result.precision, result.recall) == (0.5, 1.0)
    assert result.value == pytest.approx(2 / 3)
    assert over_pages("shingles", []).value is None


def test_f_of_a_corpus_of_shingles_is_no_mean_of_f():
    pages = [("a b c d", "a b c d"), ("a b c d e f g", "a b c d")]
    result = over_pages("shingles", pages)
    assert result.value == pytest.approx(2 * 0.625 / 1.625)
    assert result.values.mean == pytest.approx((1 + 0.4) / 2)


TEXTS = st.lists(st.sampled_from("a b c d . , \n".split(" ")), max_size=30).map(" ".join)


@pytest.mark.slow
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5))
@settings(max_examples=100)
def test_shingles_agree_with_an_independent_scorer(pairs):
    theirs = load_scorer("score_text").shingle_score(pairs)
    pages = [(extract, gold) for gold, extract in pairs]
    ours = over_pages("shingles", pages)
    # Without a value of any page there is none; the scorer returns 0.
    assert (ours.precision or 0) == pytest.approx(theirs["P"], abs=1e-12)
    assert (ours.recall or 0) == pytest.approx(theirs["R"], abs=1e-12)
    assert (ours.value or 0) == pytest.approx(theirs["F1"], abs=1e-12)
    assert over_pages("identical", pages).value == pytest.approx(theirs["acc"])


# CETR

PAGE = "<p>the cat sat</p><p>on the mat</p><p>the cat again</p>"


def of(*texts, page=PAGE):
    """Return the extraction of these paragraphs."""
    source = Source.from_text(page)
    positions = [page.index(text) for text in texts]
    spans = [[at, at + len(text)] for at, text in zip(positions, texts, strict=True)]
    return Extraction(source, spans)


def test_a_right_word_at_a_wrong_place_does_not_count():
    predicted, gold = of("on the mat", "the cat again"), of("the cat sat", "on the mat")
    assert numbers(score_occurrences(predicted, gold)) == (0.5, 0.5, 0.5)
    everything = of("the cat sat", "on the mat", "the cat again")
    assert numbers(score_occurrences(everything, gold)) == near((2 / 3, 1, 0.8))


def test_gold_words_missing_from_the_page_count_as_relevant():
    gold = GoldText("the cat sat\non the mat\nsaid nobody", Source.from_text(PAGE))
    assert numbers(score_occurrences(of("the cat sat"), gold.extraction)) == (1.0, 3 / 8, 6 / 11)


def test_words_a_program_made_up_are_retrieved():
    made_up = Extraction(Source.from_text(PAGE), of("on the mat").spans, "on the mat, he says", 2)
    assert numbers(score_occurrences(made_up, of("on the mat"))) == near((0.6, 1, 0.75))


def test_extractions_of_two_pages_are_bags_of_words():
    there = of("the mat on", page="<p>the mat on")
    assert score_occurrences(there, of("on the mat")).f1 == 1


def test_empty_extractions_score_as_everywhere():
    nothing = Extraction(Source.from_text(PAGE), np.zeros((0, 2)))
    assert numbers(score_occurrences(nothing, nothing)) == (1, 1, 1)
    assert numbers(score_occurrences(nothing, of("on the mat"))) == (1, 0, 0)


# ROUGE-LSum


def official(predicted, gold):
    """Compute the score as the published scorer does, in plain loops."""
    e, m = (
        [line.split() for line in text.split("\n") if line.strip()] for text in (predicted, gold)
    )
    left_e, left_m = (Counter(w for line in side for w in line) for side in (e, m))
    relevant, retrieved = left_m.total(), left_e.total()
    hits = 0
    for line in m:
        union = set()
        for other in e:
            t = [[0] * (len(other) + 1) for _ in range(len(line) + 1)]
            for i, a in enumerate(line, 1):
                for j, b in enumerate(other, 1):
                    t[i][j] = t[i - 1][j - 1] + 1 if a == b else max(t[i - 1][j], t[i][j - 1])
            i, j = len(line), len(other)
            while i and j:
                if line[i - 1] == other[j - 1]:
                    union.add(i - 1)
                    i, j = i - 1, j - 1
                elif t[i][j - 1] > t[i - 1][j]:
                    j -= 1
                else:
                    i -= 1
        for position in sorted(union):
            word = line[position]
            if left_e[word] > 0 and left_m[word] > 0:
                hits += 1
                left_e[word] -= 1
                left_m[word] -= 1
    p = hits / retrieved if retrieved else 1.0
    r = hits / relevant if relevant else 1.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


LINES = st.lists(st.sampled_from(["a", "b", "c", "d", "\n"]), max_size=40).map(" ".join)


@given(LINES, LINES)
@settings(max_examples=300)
def test_rouge_agrees_with_plain_loops(predicted, gold):
    assert numbers(rouge_lsum(predicted, gold)) == pytest.approx(official(predicted, gold))


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [("", "", (1, 1, 1)), ("", "a", (1, 0, 0)), ("a", "", (0, 1, 0)), ("\n", " \n", (1, 1, 1))],
)
def test_rouge_of_empty_texts(predicted, gold, expected):
    assert numbers(rouge_lsum(predicted, gold)) == expected


def test_sentences_may_end_with_a_stop():
    assert sentences_of("One two. Three! Is 3.5 more?\nFour") == [
        "One two.", "Three!", "Is 3.5 more?", "Four",
    ]  # fmt: skip
    gold = "a b. c d."
    assert rouge_lsum("c d. a b.", gold, by_lines=False).f1 == 1
    assert rouge_lsum("c d. a b.", gold).f1 < 1


def test_rouge_of_long_lines_needs_no_table(monkeypatch):
    text = " ".join(f"w{k % 50}" for k in range(400))
    exact = rouge_lsum(text[40:], text)
    monkeypatch.setattr(rouge, "_MOST_CELLS", 10)
    assert rouge_lsum(text[40:], text) == exact


# by name


def test_measures_are_chosen_by_name_or_group():
    assert [m.key for m in text_measures("text")] == ["cs", "ws", "bow", "sow"]
    assert [m.key for m in text_measures("ws, cetr,ws")] == ["ws", "cetr"]
    assert text_measures("all-text") == TEXT_MEASURES
    with pytest.raises(InputError, match="unknown measure 'rouge'; did you mean rouge-lsum"):
        text_measures("rouge")


@given(TEXTS, TEXTS)
def test_every_measure_is_1_for_equal_texts_and_between_0_and_1(predicted, gold):
    for left, right in ((predicted, gold), (gold, gold)):
        source = Source.from_text(left)
        extraction = Extraction(source, [[0, len(left)]], left)
        pair = Comparison(extraction, GoldText(right, source))
        for measure in TEXT_MEASURES:
            value = measure.score(pair).value
            if left == right:
                assert value in (1, None), measure.key
            assert value is None or 0 <= value <= 1, measure.key


def test_texts_of_signs_alone_are_identical_by_their_characters():
    assert count_shingles("😀", "😀").is_exact
    assert not count_shingles("😀", "😃").is_exact
    assert not count_shingles("😀", "").is_exact
    assert count_shingles("", " ").is_exact
    assert count_shingles("a 😀", "a 😃").is_exact, "where there are words they count, as of Zyte"
