"""Distances of pages: manual results on three tiny pages, and invariants for any pages."""

import math

import numpy as np
import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from algorithms.plugins.site.distances import DISTANCES, distance
from algorithms.templates import structure
from engine.errors import InputError
from engine.source import Source
from tests.plugins.site.pages import page_of, three, trees

BY_HAND = {
    # T is a text.  html>body>div>(p>T, p>T) against (div>p>T, ul>li>T): p>T deleted, ul>li>T
    # inserted; against table>tr>td>T: div and table are aligned for nothing, p>T deleted (2), of
    # the other p>T and tr>td>T the T becomes td (1) and T is inserted (1).  (div>p>T, ul>li>T)
    # against table>tr>td>T: ul>li>T deleted (3), and again T becomes td>T (2).
    "rtdm": (5, 4, 5),
    # Elements without html and body: {div 1, p 2}, {div 1, p 1, ul 1, li 1}, {table, tr, td}.
    "tv": (math.sqrt(3), math.sqrt(8), math.sqrt(7)),
    # Paths to leaves: {div/p/T}, {div/p/T, ul/li/T}, {table/tr/td/T}.
    "cp": (1 - 1 / 2, 1, 1),
    # Of html/body/div/p/T two pieces of four nodes, so 2, 4 and 3 pieces.
    "cps": (1 - 2 / 4, 1, 1),
    # 10 tags, 12 and 10.  All of the first but p and /p are in the second; between the third and
    # any other html, body and their ends are common.
    "lcts": (1 - 8 / 12, 1 - 4 / 10, 1 - 4 / 12),
    # 3 runs of eight tags, 5 and 3: none is shared.
    "ctss": (1, 1, 1),
}


@pytest.mark.parametrize("key", BY_HAND)
def test_distances_of_three_pages_match_manual_results(key):
    result = distance(key).matrix(three())
    assert result[np.triu_indices(3, 1)].tolist() == pytest.approx(BY_HAND[key])


def test_runs_of_tags_before_the_only_difference_are_shared():
    first = Source.from_text("<html><body><div><p>a</p><p>b</p></div><hr></body></html>")
    other = Source.from_text("<html><body><div><p>a</p><p>b</p></div><br></body></html>")
    # Of 11 tags 4 runs: html to /p 2 (8 tags), ... the first two hold neither hr nor br.
    assert distance("ctss").matrix([first, other])[0, 1] == pytest.approx(1 - 1 / 4)


@given(st.lists(trees, min_size=1, max_size=4))
def test_every_distance_is_symmetric_and_zero_for_equal_pages(drawn):
    pages = [page_of(tree) for tree in [*drawn, drawn[0]]]
    for entry in DISTANCES:
        note(entry.key)
        result = entry.matrix(pages)
        assert result.shape == (len(pages), len(pages))
        assert np.array_equal(result, result.T)
        assert not np.diag(result).any()
        assert result[0, -1] == 0
        assert (result >= 0).all()
        if entry.key not in ("rtdm", "tv"):
            assert (result <= 1).all()


@given(trees, trees)
def test_leaf_paths_and_shingles_match_a_recursive_reading_of_the_tree(first, second):
    def paths(tree, above):
        name, children = tree
        here = (*above, name)
        return set().union(*(paths(child, here) for child in children)) if children else {here}

    def shingles(found):
        return {p[i : i + 4] for p in found for i in range(max(len(p) - 3, 1))}

    pages = [page_of(first), page_of(second)]
    plain = [paths(tree, ("html", "body")) for tree in (first, second)]
    pieces = [shingles(each) for each in plain]
    for read, expected in ((structure.leaf_paths, plain), (structure.path_shingles, pieces)):
        ours, theirs = (set(keys.tolist()) for keys in read(pages))
        assert len(ours) == len(expected[0])
        assert len(theirs) == len(expected[1])
        assert len(ours & theirs) == len(expected[0] & expected[1])


@pytest.mark.parametrize("entry", DISTANCES, ids=lambda entry: entry.key)
@pytest.mark.parametrize("html", ["", "only words", "<p>", "<!-- -->"])
def test_distances_of_nearly_empty_pages_are_finite_and_symmetric(entry, html):
    result = entry.matrix([Source.from_text(html), *three()])
    assert np.isfinite(result).all()
    assert np.array_equal(result, result.T)


@pytest.mark.parametrize("entry", DISTANCES, ids=lambda entry: entry.key)
def test_the_matrix_of_no_page_is_empty_and_of_one_page_a_single_zero(entry):
    assert entry.matrix([]).shape == (0, 0)
    assert entry.matrix(three()[:1]).tolist() == [[0.0]]


def test_class_variants_compare_classes_and_ignore_blanks_around_them():
    pages = [
        Source.from_text(f"<body><div class={of_div}><p>a</p></div></body>")
        for of_div in ("one", "two", "' one '")
    ]
    assert not distance("cp").matrix(pages).any()
    for key in ("cp-class", "cps-class"):
        assert distance(key).matrix(pages)[0].tolist() == [0, 1, 0]


def test_an_unknown_distance_is_refused_with_the_available_ones():
    with pytest.raises(InputError, match="unknown distance 'ted'; choose rtdm, tv"):
        distance("ted")
