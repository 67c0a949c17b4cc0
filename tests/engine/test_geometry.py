"""Test functions on arrays of rectangles."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import geometry
from tests.tables import rows_of, table

SIDE = st.integers(-3, 30)
RECTS = st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20), SIDE, SIDE), max_size=6)


def pixels(rect):
    """Return the unit squares of a rectangle, as a slow reference."""
    x, y, width, height = rect
    return {(i, j) for i in range(x, x + width) for j in range(y, y + height)}


def as_array(rects):
    return np.array(rects, dtype=np.float32).reshape(-1, 4)


@given(RECTS, RECTS)
def test_shared_areas_agree_with_counting_pixels(first, second):
    shared = geometry.overlaps(as_array(first), as_array(second))
    want = [[len(pixels(a) & pixels(b)) for b in second] for a in first]
    assert shared.tolist() == np.array(want).reshape(len(first), len(second)).tolist()


@given(RECTS, RECTS)
def test_iou_and_cover_agree_with_counting_pixels(first, second):
    iou = geometry.iou(as_array(first), as_array(second))
    cover = geometry.covered(as_array(first), as_array(second))
    for i, a in enumerate(map(pixels, first)):
        for j, b in enumerate(map(pixels, second)):
            assert iou[i, j] == pytest.approx(len(a & b) / len(a | b) if a | b else 0)
            assert cover[i, j] == pytest.approx(len(a & b) / len(a) if a else 0)


@given(RECTS)
def test_the_union_is_the_smallest_rectangle_around_those_with_an_area(rects):
    around = geometry.union(as_array(rects))
    solid = [r for r in rects if pixels(r)]
    if solid:
        edges = geometry.corners(as_array(solid))
        assert geometry.corners(around)[0].tolist() == [
            *edges[:, :2].min(axis=0), *edges[:, 2:].max(axis=0)
        ]  # fmt: skip
    else:
        assert around.tolist() == [0, 0, 0, 0]


def test_a_wrapper_of_no_height_is_as_large_as_its_floats():
    nodes = table(
        ("body", (0, 0, 100, 100), [
            ("div", (0, 10, 100, 0), [("p", (0, 10, 40, 30), "one"), ("p", (60, 10, 40, 50), "2")]),
            ("div", (0, 0, 0, 0), {"css": {"display": "none"}}, "hidden"),
        ]),
        size=(100, 100),
    )  # fmt: skip
    wrapper, hidden = rows_of(nodes, "div")
    rects = geometry.visual_rects(nodes)
    assert rects[wrapper].tolist() == [0, 10, 100, 50]
    assert rects[hidden].tolist() == [0, 0, 0, 0]
    assert rects[0].tolist() == [0, 0, 100, 100]
