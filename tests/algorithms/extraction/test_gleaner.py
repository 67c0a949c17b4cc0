"""Gleaner: blocks, labels, trees, the choice of blocks, and what it says of them."""

from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import resources
from algorithms.extraction.gleaner import method as gleaner
from algorithms.extraction.gleaner.choice import best_set
from algorithms.extraction.gleaner.labels import shares
from algorithms.extraction.gleaner.model import load, model_of, of_bytes
from algorithms.extraction.gleaner.text_runs import text_runs
from algorithms.learning.forest import from_lightgbm
from engine.errors import ParameterError
from engine.source import Source

CORPUS = sorted(resources.path("corpus").rglob("index.html"))


def leaf(value):
    return {"leaf_value": value}


def split(column, threshold, left, right, value):
    return {
        "split_feature": column,
        "threshold": threshold,
        "left_child": left,
        "right_child": right,
        "internal_value": value,
    }


TREES = [
    {"tree_structure": split(0, 0.5, leaf(-1.0), split(1, 2.0, leaf(0.5), leaf(3.0), 1.0), 0.25)},
    {"tree_structure": leaf(0.125)},
]


def test_a_block_ends_at_block_level_tags_and_line_breaks_only():
    runs = text_runs(Source.from_text("<p>one <b>two</b> three<br>four</p><div>five</div> six"))
    assert runs.texts == ("one two three", "four", "five", "six")
    assert runs.words.tolist() == [3, 1, 1, 1]


def test_elements_that_hold_the_same_words_are_one_level():
    source = Source.from_text("<main><div><div><p>a b</p></div></div></main><p>c</p>")
    runs = text_runs(source)
    names = [source.tree.name_of(row) for row in runs.levels[:2, 0].tolist()]
    assert names == ["main", "html"]


def test_gold_gives_each_block_its_share_of_words():
    runs = text_runs(Source.from_text("<p>menu<p>one two three four<p>five six seven eight"))
    assert shares(runs, "one two three four five six").tolist() == [0.0, 1.0, 0.5]


def test_gold_in_another_order_counts_where_whole_blocks_are_alike():
    runs = text_runs(Source.from_text("<p>a b c d e f g<p>price of the thing today"))
    assert shares(runs, "price of the thing today a b c d e f g").tolist() == [1.0, 1.0]


def test_trees_go_left_up_to_the_threshold():
    forest = from_lightgbm(TREES)
    rows = np.array([[0.5, 9.0], [0.6, 2.0], [0.6, 2.1]], dtype=np.float32)
    assert forest.scores(rows).tolist() == [-0.875, 0.625, 3.125]


def test_contributions_and_the_expectation_sum_to_the_score():
    forest = from_lightgbm(TREES)
    rows = np.array([[0.5, 9.0], [0.6, 2.1]], dtype=np.float32)
    added, expected = forest.contributions(rows)
    assert expected == 0.375
    assert added.tolist() == [[-1.25, 0.0], [0.75, 2.0]]
    np.testing.assert_allclose(added.sum(axis=1) + expected, forest.scores(rows))


def test_a_threshold_between_two_numbers_of_32_bits_still_parts_them():
    threshold = 1.0 + 1e-9
    forest = from_lightgbm([{"tree_structure": split(0, threshold, leaf(0.0), leaf(1.0), 0.5)}])
    above = np.nextafter(np.float32(1), np.float32(2))
    assert forest.scores(np.array([[1.0], [above]], dtype=np.float32)).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("spoil", ["back", "beyond", "column"])
def test_trees_that_would_never_end_are_refused(spoil):
    forest = from_lightgbm(TREES)
    left, column = forest.left.copy(), forest.column.copy()
    if spoil == "column":
        column[0] = 2
    else:
        left[2] = 0 if spoil == "back" else left.size
    spoilt = type(forest)(forest.roots, column, forest.limit, left, forest.right, forest.value)
    with pytest.raises(ValueError, match="damaged"):
        spoilt.check(2)


BLOCKS = st.lists(
    st.tuples(st.integers(0, 20).map(lambda n: n / 20), st.integers(1, 30)), min_size=1, max_size=8
)


@given(blocks=BLOCKS)
def test_no_other_set_of_blocks_has_a_higher_expected_f1(blocks):
    chance, words = (np.array(column, dtype=np.float64) for column in zip(*blocks, strict=True))

    def expected_f1(chosen):
        chosen = list(chosen)
        common = (chance * words)[chosen].sum()
        return 2 * common / max(words[chosen].sum() + (chance * words).sum(), 1e-9)

    every = range(len(blocks))
    best = max(
        map(
            expected_f1, chain.from_iterable(combinations(every, k) for k in range(len(blocks) + 1))
        )
    )
    kept, f1, limit = best_set(chance, words)
    assert f1 == pytest.approx(best)
    assert expected_f1(np.flatnonzero(kept)) == pytest.approx(best)
    assert (chance[kept] >= limit - 1e-12).all()
    assert (chance[~kept] <= limit + 1e-12).all()


def test_nothing_is_kept_where_too_few_words_are_expected():
    chance, words = np.array([0.9, 0.1]), np.array([5.0, 20.0])
    assert not best_set(chance, words, least=10)[0].any()
    assert best_set(chance, words, least=6)[0].tolist() == [True, False]


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04 cut"])
def test_a_file_that_is_no_model_is_refused_in_a_sentence(data):
    with pytest.raises(ParameterError, match=r"x\.npz: it holds no model of gleaner"):
        of_bytes(data, "x.npz")


def test_a_missing_model_is_said_to_be_missing(tmp_path):
    with pytest.raises(ParameterError, match="there is no such file"):
        load(tmp_path / "none.npz")


def test_the_model_that_ships_is_small_and_says_what_it_learned_from():
    file = resources.path("gleaner/model.npz")
    assert file.stat().st_size <= 3_000_000
    card = model_of("").card
    assert {"data", "guideline", "licence", "date", "scores", "limits", "types"} <= card.keys()


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.parent.name)
def test_reasons_sum_to_what_is_expected_of_each_block(path):
    source = Source.from_bytes(path.read_bytes())
    model = model_of("")
    found = model.predict(source)
    _, added, expected = gleaner.reasons(model, found.matrix)
    odds = added.sum(axis=1) + expected
    np.testing.assert_allclose(1 / (1 + np.exp(-odds)), found.chance, atol=1e-9)


def test_it_keeps_an_article_and_leaves_the_menu_and_the_footer():
    story = "".join(
        f"<p>The harbour was quiet that morning, and number {k} of the boats had not come back "
        "yet, although everybody in the town was waiting for it.</p>"
        for k in range(12)
    )
    html = (
        "<title>The harbour</title>"
        "<nav><ul><li><a href=/>Home</a><li><a href=/b>Shop</a></ul></nav>"
        f"<article><h1>The harbour</h1>{story}</article>"
        "<footer class=site-footer><p>© 2024 All rights reserved. Privacy policy</p></footer>"
    )
    source = Source.from_text(html)
    text = gleaner.extract(source, gleaner.GleanerParams()).text
    assert text.count("The harbour was quiet") == 12
    assert "Shop" not in text
    assert "Privacy" not in text


def test_it_says_why_with_the_type_of_the_page():
    source = Source.from_bytes(CORPUS[0].read_bytes())
    trace = gleaner.trace(source, gleaner.GleanerParams())
    sentence = trace.decisions(0)[-1].sentence
    assert "expected share of content" in sentence
    assert "the page is probably of type" in sentence
