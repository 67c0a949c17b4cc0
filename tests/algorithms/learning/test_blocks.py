"""Terrain-learned: candidates, the choice among them, the model's file, and reasons."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.core.catalogue import method
from algorithms.learning.blocks import terrain_learned as learned
from algorithms.learning.blocks.block_model import load, model_of, of_bytes
from algorithms.learning.blocks.candidate_columns import GROUPS
from algorithms.learning.blocks.candidates import candidates, same_texts
from algorithms.learning.blocks.near_twins import BOTH, NEARLY, best_blocks
from algorithms.learning.blocks.votes import vote_columns
from algorithms.learning.reasons import FAINT, log_odds, sentences
from engine.errors import ParameterError
from tests.algorithms.learning.made import made_page
from tests.tables import page_of, table


def nodes_of(*body):
    return table(("body", (0, 0, 1000, 800), list(body)), size=(1000, 800))


WRAPPED = (
    "div",
    (0, 0, 1000, 100),
    [("div", (0, 0, 1000, 90), [("p", (0, 0, 1000, 20), "a story")])],
)
MENU = (
    "ul",
    (0, 200, 200, 100),
    [("li", (0, 200, 200, 20), "one"), ("li", (0, 220, 200, 20), "two")],
)
PICTURE = ("div", (0, 400, 300, 300), [("img", (0, 400, 300, 300))])


def test_elements_around_the_same_text_are_one_candidate():
    nodes = nodes_of(WRAPPED, MENU)
    found = candidates(nodes)
    texts = [found.text(k) for k in range(len(found))]
    assert texts == ["astoryonetwo", "astory", "onetwo", "one", "two"]
    names = [
        (nodes.name_of(int(a)), nodes.name_of(int(b)))
        for a, b in zip(found.top, found.bottom, strict=True)
    ]
    assert names[1] == ("div", "p")
    assert found.parent.tolist() == [-1, 0, 0, 2, 2]


def test_visible_elements_without_words_are_pictures_not_candidates():
    nodes = nodes_of(WRAPPED, PICTURE)
    found = candidates(nodes)
    assert [nodes.name_of(row) for row in found.pictures.tolist()] == ["div"]
    blocks = learned.segment(page_of(nodes), learned.LearnedTerrainParams()).blocks
    assert [
        nodes.name_of(block.rows[0]) for block in blocks if not nodes.text_below(block.rows[0])
    ] == ["div"]


def test_candidates_with_the_same_text_share_a_number():
    found = candidates(nodes_of(WRAPPED, WRAPPED, MENU))
    assert same_texts(found)[:3].tolist() == [0, 1, 1]


def chosen(chance, size, parent):
    first, last = [], []
    for k, up in enumerate(parent):  # each begins where its parent does: spans matter, not letters
        first.append(0 if up < 0 else first[up])
        last.append(first[-1] + size[k])
    taken, f, limit = best_blocks(
        np.array(chance), np.array(first), np.array(last), np.array(parent)
    )
    return np.flatnonzero(taken).tolist(), f, limit


def test_the_likelier_of_two_nearly_equal_candidates_is_chosen():
    assert chosen([0.5, 0.9, 0.1], [100, 90, 20], [-1, 0, 0])[0] == [1]
    assert chosen([0.9, 0.5, 0.1], [100, 90, 20], [-1, 0, 0])[0] == [0]
    assert chosen([0.9, 0.9, 0.1], [100, 40, 20], [-1, 0, 0])[0] == [0, 1]


def test_near_twins_are_both_taken_if_both_are_probably_blocks():
    taken, f, _ = chosen([0.8, 0.9], [100, 90], [-1, 0])
    assert taken == [0, 1]
    assert f == pytest.approx(2 * (0.9 + 0.7) / (2 + 0.9 + 0.7))
    assert chosen([0.5, 0.9], [100, 90], [-1, 0])[0] == [1]
    # A twin of two that are taken would match with neither for sure.
    assert chosen([0.9, 0.8, 0.9], [100, 80, 60], [-1, 0, 1])[0] == [0, 2]


def test_no_block_is_chosen_if_none_is_likely():
    assert chosen([], [], []) == ([], 0.0, 1.0)
    assert chosen([0.0, 0.0], [9, 3], [-1, 0])[0] == []


@given(st.lists(st.tuples(st.floats(0.01, 1), st.integers(0, 30)), min_size=1, max_size=12))
def test_chosen_blocks_reach_the_limit_and_near_twins_are_both_likely(drawn):
    chance = np.array([each[0] for each in drawn])
    parent = np.array([-1, *(k % (index + 1) for index, (_, k) in enumerate(drawn[1:]))])
    size = np.zeros(len(drawn), dtype=np.int64)
    for k in range(len(drawn)):
        size[k] = (
            1000 if parent[k] < 0 else size[parent[k]] - 1 - drawn[k][1] * size[parent[k]] // 31
        )
    size = np.maximum(size, 1)
    taken, _, limit = best_blocks(chance, np.zeros_like(size), size, parent)
    assert (chance[taken] > 0).all()
    for k in np.flatnonzero(taken).tolist():
        up = parent[k]
        while up >= 0:
            if taken[up] and size[k] >= NEARLY * size[up]:
                assert chance[k] + chance[up] - 1 > BOTH
            up = parent[up]
    assert not taken.any() or chance[taken].max() >= limit


def test_vote_columns_compare_candidates_with_blocks_of_other_methods():
    nodes = made_page(1)[0].rendered()
    found = candidates(nodes)
    columns = vote_columns(nodes, found)
    for name in ("terrain", "pagelets", "vips"):
        own = {part: columns[f"vote.{name}.{part}"] for part in ("is", "alike", "around", "filled")}
        assert own["is"].any()
        assert (own["alike"][own["is"] > 0] == 1).all()
        assert ((own["around"] >= 0) & (own["around"] < 1)).all()
        assert ((own["filled"] >= 0) & (own["filled"] <= 1)).all()
    assert columns["vote.terrain.around"][0] == 0  # the page is in no block


def test_contributions_of_groups_sum_to_the_log_odds():
    model = model_of("")
    nodes = made_page(2)[0].rendered()
    matrix = model.matrix(nodes, candidates(nodes))
    groups, added, expected = learned.reasons(model, matrix)
    assert set(groups) <= set(GROUPS)
    assert added.sum(axis=1) + expected == pytest.approx(model.blocks.scores(matrix), abs=1e-4)


@given(
    st.lists(st.floats(-3, 3), min_size=1, max_size=8),
    st.floats(0.05, 0.95),
    st.floats(-2, 2),
)
def test_sentences_name_only_reasons_that_weaken_or_reverse_the_decision(row, limit, expected):
    names = [f"measure {k}" for k in range(len(row))]
    (said,) = sentences(names, np.array([row]), expected, limit, ("a block", "no block"))
    score, bar = expected + sum(row), log_odds(limit)
    sign = 1 if score > bar else -1
    named = [names.index(each) for each in re.findall(r"measure \d", said)]
    assert len(named) <= 3
    assert all(row[k] * sign >= FAINT - 1e-9 for k in named)
    others = [row[k] * sign for k in range(len(row)) if k not in named]
    assert len(named) == 3 or all(each < FAINT + 1e-9 for each in others)
    for k, part in zip(named, re.findall(r"as usual: ([^)]*)", said), strict=True):
        turns = (score - row[k] > bar) != (score > bar)
        assert turns == part.endswith(", no block" if score > bar else ", a block")
    together = (score - sum(row[k] for k in named) > bar) != (score > bar)
    assert ("without all of these" in said) <= together
    alone = any((score - row[k] > bar) != (score > bar) for k in named)
    assert ("rests on" in said) == (alone or together)


def test_reasons_named_as_decisive_reverse_the_decision():
    model, nodes = model_of(""), made_page(2)[0].rendered()
    matrix = model.matrix(nodes, candidates(nodes))
    groups, added, expected = learned.reasons(model, matrix)
    names = [GROUPS[group] for group in groups]
    turned = 0
    verbs = ("a block", "no block")
    for said, row in zip(sentences(names, added, expected, 0.4, verbs), added, strict=True):
        score, named = expected + row.sum(), re.findall(r"([a-z ]+) \(as usual: [^)]*block\)", said)
        for name in named:
            own = next(k for k, group in enumerate(names) if name.endswith(group))
            chances = 1 / (1 + np.exp(-np.array([score, score - row[own]])))
            assert (chances[0] > 0.4) != (chances[1] > 0.4)
            turned += 1
    assert turned > 3


def test_each_block_has_a_reason_with_its_probability():
    page, _ = made_page(3)
    blocks = learned.segment(page, learned.LearnedTerrainParams()).blocks
    assert blocks
    for block in blocks:
        assert "a block with a chance of ." in block.reason or "without words" in block.reason


def test_a_chance_that_blocks_must_have_leaves_fewer():
    page, _ = made_page(3)
    entry = method("terrain-learned")
    every = entry.run(page, entry.params(), "rendered").blocks
    few = entry.run(page, entry.params(least=0.6), "rendered").blocks
    assert {block.rows for block in few} < {block.rows for block in every}


def test_a_model_is_read_from_its_file_unchanged(tmp_path):
    model = model_of("")
    again = of_bytes(model.data, "x")
    assert again.data == model.data
    page, _ = made_page(4)
    assert np.array_equal(
        again.predict(page.rendered()).chance, model.predict(page.rendered()).chance
    )


@pytest.mark.parametrize(
    "data", [b"", b"PK no", model_of("").data[:4000]], ids=["empty", "text", "cut"]
)
def test_a_file_that_is_no_model_is_refused_in_a_sentence(tmp_path, data):
    file = tmp_path / "m.npz"
    file.write_bytes(data)
    with pytest.raises(ParameterError, match="it holds no model of terrain-learned, or is damaged"):
        load(file)
    with pytest.raises(ParameterError, match="there is no such file"):
        load(tmp_path / "none.npz")
