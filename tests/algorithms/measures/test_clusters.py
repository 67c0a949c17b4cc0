"""ARI and NMI against the printed vectors and their definitions."""

from itertools import combinations
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.measures.block_comparison import BlockComparison
from algorithms.measures.clusters import compare
from algorithms.results import Block, Segmentation
from tests.tables import rows_of, table

# measures.md#test-vectors, case B: columns of 60 and 40 against two of 50, on 100 x 100.
SHIFTED = table(
    ("body", (0, 0, 100, 100), [
        ("div", (0, 0, 60, 100), "a b c"), ("div", (60, 0, 40, 100), "d"),
        ("p", (0, 0, 50, 100), ""), ("p", (50, 0, 50, 100), ""),
    ]),
    size=(100, 100),
)  # fmt: skip


def of(nodes, tag, level=1):
    return Segmentation(nodes, tuple(Block((row,), level) for row in rows_of(nodes, tag)))


def score(predicted, gold, atoms="words", level="all"):
    return BlockComparison(predicted, gold).clusters(atoms, level)


def test_printed_vectors():
    result = score(of(SHIFTED, "div"), of(SHIFTED, "p"), "pixels")
    assert result.ari == pytest.approx(0.639965, abs=1e-6)
    assert result.nmi == pytest.approx(0.619044, abs=1e-6)
    assert result.nmi_arithmetic == pytest.approx(0.618977, abs=1e-6)


LABELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=14)


@given(LABELS)
def test_agree_with_their_definitions(labels):
    counts = np.zeros((4, 4))
    for pair in labels:
        counts[pair] += 1
    result = compare(counts)
    pairs = list(combinations(labels, 2))
    both = sum(a[0] == b[0] and a[1] == b[1] for a, b in pairs)
    ours, theirs = (sum(a[k] == b[k] for a, b in pairs) for k in (0, 1))
    chance, most = ours * theirs / len(pairs), (ours + theirs) / 2
    assert result.ari == pytest.approx((both - chance) / (most - chance) if most != chance else 1)

    def entropy(values):
        return -sum(n / len(values) * log(n / len(values))
                    for n in map(values.count, set(values)))  # fmt: skip

    h_ours, h_theirs = (entropy([pair[k] for pair in labels]) for k in (0, 1))
    shared = h_ours + h_theirs - entropy(labels)
    if h_ours and h_theirs:
        assert result.nmi == pytest.approx(shared / sqrt(h_ours * h_theirs), abs=1e-9)
        assert result.nmi_arithmetic == pytest.approx(2 * shared / (h_ours + h_theirs), abs=1e-9)
    else:
        assert result.nmi == float(h_ours == h_theirs)
    back = compare(counts.T)
    assert (back.ari, back.nmi) == (pytest.approx(result.ari), pytest.approx(result.nmi))


NESTED = table(
    ("body", (0, 0, 100, 100), [
        ("div", (0, 0, 100, 60), [("p", (0, 0, 100, 20), "one two"), "three four"]),
        ("i", (0, 60, 100, 40), "five six"),
    ]),
    size=(100, 100),
)  # fmt: skip


def test_words_belong_to_the_smallest_block_and_the_rest_is_one_cluster():
    nested = Segmentation(NESTED, (*of(NESTED, "div").blocks, *of(NESTED, "p", 2).blocks))
    flat = of(NESTED, "p")
    # {one two} {three four} {five six} against {one two} {three four five six}
    assert score(nested, flat) == compare([[2, 0], [0, 2], [0, 2]])
    assert score(nested, flat, level="1") == compare([[2, 2], [0, 2]])


def test_equal_segmentations_score_1_and_pages_without_words_nothing():
    for atoms in ("words", "chars", "nodes", "pixels"):
        result = score(of(NESTED, "div"), of(NESTED, "div"), atoms)
        assert (result.ari, result.nmi, result.nmi_arithmetic) == pytest.approx((1, 1, 1))
    empty = table(("body", (0, 0, 9, 9)))
    assert score(of(empty, "p"), of(empty, "p")) is None
