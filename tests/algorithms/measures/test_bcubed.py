"""B-cubed compared with the printed vectors and its definition over all pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.measures.bcubed import agreement, score_bcubed
from algorithms.measures.block_comparison import BlockComparison
from algorithms.results import Block, Segmentation
from tests.tables import rows_of, table

# measures.md#test-vectors: rectangles as left, top, right, bottom on a page of 100 x 100.
PRINTED = [
    ("split", [(0, 0, 100, 50), (0, 50, 100, 100)], [(0, 0, 100, 100)], (1, 0.5, 0.666667)),
    (
        "shifted border",
        [(0, 0, 60, 100), (60, 0, 100, 100)],
        [(0, 0, 50, 100), (50, 0, 100, 100)],
        (0.833333, 0.84, 0.836653),
    ),
    (
        "nested",
        [(0, 0, 100, 100), (0, 0, 100, 40)],
        [(0, 0, 100, 40), (0, 40, 100, 100)],
        (0.44, 1, 0.611111),
    ),
    ("partial", [(0, 0, 50, 100)], [(0, 0, 100, 100)], (1, 0.25, 0.4)),
    ("disjoint", [(0, 0, 50, 50)], [(50, 50, 100, 100)], (0, 0, 0)),
]


def drawn(first, second, size=(100, 100)):
    """Return two segmentations of a page by boxes (left, top, right, bottom), one node each."""
    boxes = [("p", (a, b, c - a, d - b), "text") for a, b, c, d in [*first, *second]]
    nodes = table(("body", (0, 0, *size), boxes), size=size)
    rows = rows_of(nodes, "p")
    ours, theirs = rows[: len(first)], rows[len(first) :]
    return [Segmentation(nodes, tuple(Block((r,), 1) for r in each)) for each in (ours, theirs)]


def score(first, second, size=(100, 100)):
    return score_bcubed(*drawn(first, second, size))


def on_edges(predicted, gold, mask):
    """Compare by the pixels that a mask of the page's picture marks."""
    return BlockComparison(predicted, gold, edges={"fine": mask}).on_edges("fine", "all")


@pytest.mark.parametrize(("name", "first", "second", "want"), PRINTED)
def test_printed_vectors(name, first, second, want):
    prf = score(first, second)
    assert (prf.precision, prf.recall, prf.f1) == pytest.approx(want, abs=1e-6), name


SEGMENT = st.lists(st.integers(0, 5), min_size=4, max_size=4)
SEGMENTS = st.lists(SEGMENT, max_size=4)


def as_edges(segments):
    return [(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in segments]


PIXELS = [(x, y) for x in range(5) for y in range(5)]


def by_definition(first, second, pixels=PIXELS):
    """Sum over all pairs of pixels, as in the formula; both are 1 without a pair."""

    def member(segments):
        return {
            p: {k for k, (a, b, c, d) in enumerate(segments) if a <= p[0] < c and b <= p[1] < d}
            for p in pixels
        }

    def precision(s, t):
        values = []
        for e in pixels:
            if s[e]:
                near = [f for f in pixels if s[e] & s[f]]
                shares = [min(len(s[e] & s[f]), len(t[e] & t[f])) / len(s[e] & s[f]) for f in near]
                values.append(sum(shares) / len(near))
        return sum(values) / len(values) if values else None

    s, t = member(first), member(second)
    both = precision(s, t), precision(t, s)
    return (1, 1) if both == (None, None) else (both[0] or 0, both[1] or 0)


@given(SEGMENTS, SEGMENTS)
def test_agrees_with_the_definition_on_any_overlapping_segments(first, second):
    first, second = as_edges(first), as_edges(second)
    prf = score(first, second, (5, 5))
    assert (prf.precision, prf.recall) == pytest.approx(by_definition(first, second), abs=1e-6)
    back = score(second, first, (5, 5))
    assert back.f1 == pytest.approx(prf.f1)


def test_parts_of_a_block_outside_the_page_are_not_counted():
    assert score([(-50, 0, 100, 100)], [(0, 0, 100, 150)]).f1 == 1


def test_a_segment_of_two_boxes_is_their_union():
    boxes = [("p", (0, 0, 60, 100), "one"), ("p", (40, 0, 60, 100), "two")]
    nodes = table(("body", (0, 0, 100, 100), boxes), size=(100, 100))
    halves, body = (tuple(rows_of(nodes, tag)) for tag in ("p", "body"))
    predicted, gold = (Segmentation(nodes, (Block(rows, 1),)) for rows in (halves, body))
    assert score_bcubed(predicted, gold).f1 == 1


PAGE = table(
    ("body", (0, 0, 100, 100), [
        ("div", (0, 0, 100, 40), [("p", (0, 0, 100, 40), "menu")]),
        ("div", (0, 40, 100, 0), [("p", (0, 40, 100, 60), "a  much longer story")]),
        ("div", (0, 0, 0, 0), {"css": {"display": "none"}}, "hidden words"),
    ]),
    size=(100, 100),
)  # fmt: skip


def split(level=1, *, tag="div", picks=(0, 1)):
    rows = rows_of(PAGE, tag)
    return [Block((rows[k],), level) for k in picks]


def whole(level=1):
    return [Block((1,), level)]


def of(blocks):
    return Segmentation(PAGE, tuple(sorted(blocks, key=lambda b: (b.rows, b.level))))


def test_a_split_page_by_pixels_nodes_and_characters():
    predicted, gold = of(split()), of(whole())
    assert score_bcubed(predicted, gold).recall == pytest.approx(0.4**2 + 0.6**2)
    assert score_bcubed(predicted, gold).precision == 1
    # body is in no predicted block; the second div has no height itself and is not visible
    nodes = score_bcubed(predicted, gold, "nodes")
    assert (nodes.precision, nodes.recall) == pytest.approx((1, (3 * 3 + 2 * 2) / 36))
    chars = score_bcubed(predicted, gold, "chars")
    assert chars.recall == pytest.approx((4**2 + 19**2) / 23**2)
    assert agreement(chars) == 1


@given(SEGMENTS, SEGMENTS, st.lists(st.booleans(), min_size=25, max_size=25))
def test_on_edges_only_marked_pixels_count(first, second, marked):
    mask = np.array(marked).reshape(5, 5)
    pixels = [(x, y) for y, x in np.argwhere(mask).tolist()]
    first, second = as_edges(first), as_edges(second)
    prf = on_edges(*drawn(first, second, (5, 5)), mask)
    expected = by_definition(first, second, pixels)
    assert (prf.precision, prf.recall) == pytest.approx(expected, abs=1e-6)


def test_edges_of_a_picture_of_twice_the_size():
    mask = np.zeros((200, 200), dtype=bool)
    mask[60:80] = True  # all in the upper block, which ends at 40 px
    prf = on_edges(of(split()), of(whole()), mask)
    assert (prf.precision, prf.recall) == (1, 1)
    mask = mask.copy()  # counts are cached for each mask
    mask[100:120] = True
    assert on_edges(of(split()), of(whole()), mask).recall == pytest.approx(0.5)
    assert on_edges(of(split()), of(whole()), np.zeros((200, 200), dtype=bool)).f1 == 1


def test_words_weigh_a_text_by_its_words():
    words = score_bcubed(of(split()), of(whole()), "words")
    assert words.recall == pytest.approx((1**2 + 4**2) / 5**2)


def test_levels_apart_and_nested_together():
    predicted, gold = of([*whole(1), *split(2)]), of(whole(1))
    assert score_bcubed(predicted, gold, level="1").f1 == 1
    assert score_bcubed(predicted, gold, level="2").f1 == 0
    # A pair of pixels shares two segments in the prediction and one in the gold.
    together = score_bcubed(predicted, gold)
    inside = 0.4**2 + 0.6**2
    assert together.precision == pytest.approx(0.5 * inside + (1 - inside))
    assert together.recall == 1


def test_the_same_nodes_by_other_rows_agree():
    assert score_bcubed(of(split()), of(split(tag="p")), "chars").f1 == 1


def test_two_empty_segmentations_score_1_and_one_empty_scores_0():
    assert score_bcubed(of([]), of([])).f1 == 1
    for atoms in ("pixels", "nodes", "chars"):
        prf = score_bcubed(of([]), of(whole()), atoms)
        assert (prf.precision, prf.recall, prf.f1) == (0, 0, 0)
