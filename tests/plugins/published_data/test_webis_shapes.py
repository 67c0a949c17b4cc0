"""Segments as multi-polygons: their area, their nodes, and their written form."""

import json

import cv2
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotate.plugins.published_data.webis_nodes import with_boxes
from annotate.plugins.published_data.webis_shapes import (
    Grid,
    Shape,
    as_lists,
    fit,
    from_json,
    union_of,
)
from tests.annotate.pages import nodes_of, row_of

SIZE = (24, 20)
SIDES = st.tuples(st.integers(0, 23), st.integers(0, 19), st.integers(1, 9), st.integers(1, 9))


def box(left, top, right, bottom):
    return [[[[left, top], [left, bottom], [right, bottom], [right, top], [left, top]]]]


def boxes_of(sides):
    edges = [(x, y, min(x + w, SIZE[0]), min(y + h, SIZE[1])) for x, y, w, h in sides]
    return np.array(edges, dtype=np.float64).reshape(-1, 4)


def painted(boxes):
    canvas = np.zeros((SIZE[1], SIZE[0]), dtype=bool)
    for left, top, right, bottom in boxes.astype(int):
        canvas[top:bottom, left:right] = True
    return canvas


def pixels(shape, size=SIZE):
    """Return the share of each pixel that is in a shape, (h, w)."""
    ys, xs = np.mgrid[: size[1], : size[0]]
    each = np.stack((xs, ys, xs + 1, ys + 1), axis=-1).reshape(-1, 4).astype(np.float64)
    return shape.cells(size).area_in(each).reshape(size[1], size[0]).round(9)


@given(st.lists(SIDES, max_size=8))
def test_the_union_of_boxes_covers_exactly_the_pixels_of_the_boxes(sides):
    boxes = boxes_of(sides)
    assert np.array_equal(pixels(union_of(boxes)), painted(boxes))


@given(st.lists(SIDES, min_size=1, max_size=8))
def test_a_union_has_one_outer_ring_per_part_and_one_ring_per_hole(sides):
    canvas = painted(boxes_of(sides))
    shape = union_of(boxes_of(sides))
    parts = cv2.connectedComponents(canvas.astype(np.uint8), connectivity=8)[0] - 1
    outside = np.pad(~canvas, 1, constant_values=True).astype(np.uint8)
    holes = cv2.connectedComponents(outside, connectivity=4)[0] - 2
    assert len(shape.polygons) == parts
    assert sum(len(polygon) - 1 for polygon in shape.polygons) == holes
    for polygon in shape.polygons:
        for ring in polygon:
            steps = np.roll(ring, -1, axis=0) - ring
            assert ((steps == 0).sum(axis=1) == 1).all()  # upright or level, no point twice
            assert ((steps[:, 0] == 0) != (np.roll(steps, 1, axis=0)[:, 0] == 0)).all()  # corners


@given(st.lists(SIDES, max_size=6))
def test_a_segment_is_unchanged_by_writing_and_reading_json(sides):
    shape = union_of(boxes_of(sides))
    lists = json.loads(json.dumps(as_lists(shape)))
    assert all(ring[0] == ring[-1] for polygon in lists for ring in polygon)
    assert np.array_equal(pixels(from_json(lists)), pixels(shape))


def test_a_rectangle_is_written_in_the_published_form():
    (polygon,) = as_lists(union_of(np.array([[2.0, 3.0, 7.0, 5.0]])))
    assert sorted(map(tuple, polygon[0][:-1])) == [(2, 3), (2, 5), (7, 3), (7, 5)]
    assert all(isinstance(value, int) for point in polygon[0] for value in point)


@given(st.lists(SIDES, max_size=6), SIDES)
def test_the_covered_area_of_a_box_is_exact(sides, one):
    boxes, (x, y, width, height) = boxes_of(sides), one
    canvas = np.pad(painted(boxes), ((0, 9), (0, 9)))
    asked = np.array([[x, y, x + width, y + height]], dtype=np.float64)
    result = Grid.of_boxes(boxes).area_in(asked)[0]
    assert result == pytest.approx(canvas[y : y + height, x : x + width].sum())
    # Half of each side, and so a quarter of the area if it is filled evenly.
    if canvas[y : y + height, x : x + width].all():
        asked[0, 2:] -= (width / 2, height / 2)
        assert Grid.of_boxes(boxes).area_in(asked)[0] == pytest.approx(width * height / 4)


@given(st.lists(st.tuples(st.integers(-4, 26), st.integers(-4, 24)), min_size=3, max_size=7))
def test_a_polygon_holds_the_pixels_whose_centres_it_encloses(points):
    ys, xs = 2 * np.mgrid[: SIZE[1], : SIZE[0]] + 1  # twice the centres: integers are exact
    crossings = np.zeros(xs.shape, dtype=int)
    is_on_border = np.zeros(xs.shape, dtype=bool)
    doubled = [(2 * x, 2 * y) for x, y in points]
    for one, other in zip(doubled, [*doubled[1:], doubled[0]], strict=True):
        (x0, y0), (x1, y1) = sorted((one, other), key=lambda point: point[1])
        beyond = (xs - x0) * (y1 - y0) - (ys - y0) * (x1 - x0)  # above 0 right of the border
        between = (y0 < ys) & (ys < y1)
        crossings += between & (beyond >= 0)
        is_on_border |= between & (beyond == 0)
    # A centre on a border is in neither the polygon nor its outside: rounding decides.
    ring = np.array(points, dtype=np.float64)
    held = pixels(Shape(((ring,),))) > 0
    assert np.array_equal(held[~is_on_border], crossings[~is_on_border] % 2 == 1)


@given(st.lists(st.tuples(st.integers(-4, 26), st.integers(-4, 24)), min_size=2, max_size=7))
@example([(0, 0), (0, 0), (21, 19)])
def test_a_polygon_that_runs_back_along_its_border_holds_no_pixel(points):
    ring = np.array([*points, *points[::-1]], dtype=np.float64)
    assert not pixels(Shape(((ring,),))).any()


@pytest.mark.parametrize(
    "value",
    [
        box(1, 2, 5, 6),
        box(1, 2, 5, 6)[0],
        box(1, 2, 5, 6)[0][0],
        {"type": "Polygon", "coordinates": box(1, 2, 5, 6)[0]},
        {"type": "MultiPolygon", "coordinates": box(1, 2, 5, 6)},
        [[[[1, 2], [1, 6], [5, 6], [5, 2]]]],
    ],
)
def test_every_notation_of_a_rectangle_is_read(value):
    assert np.array_equal(pixels(from_json(value)), painted(np.array([[1, 2, 5, 6]])))


@pytest.mark.parametrize(
    "value",
    [None, "x", 3, {"type": "Polygon"}, [1, 2], [[[[1, 2], [3, 4]]]], [[[[1, 2, 3]] * 4]],
     [[[["a", "b"]] * 4]], [[[[[[1, 2]]]]]], [[[[0, 0], [0, float("inf")], [1, 1]]]]],
)  # fmt: skip
def test_invalid_shapes_are_refused(value):
    with pytest.raises((ValueError, TypeError)):
        from_json(value)


# Which nodes a segment holds


def boxed(body, size=(100, 100), **boxes):
    """Return the nodes of a body with the boxes given by their ids; all others have none."""
    nodes = nodes_of(body)
    rows = np.array([row_of(nodes, name) for name in boxes], dtype=np.int32)
    return with_boxes(nodes, rows, np.array(list(boxes.values()), dtype=np.float64), size)


def fitted(nodes, segment):
    rows = fit(from_json(segment), nodes)
    return [nodes.attributes[row].get("id", nodes.name_of(row)) for row in rows]


TWO = "<div id=a><p id=b></p><p id=c></p></div>"
HALVES = {"a": (0, 0, 100, 60), "b": (0, 0, 100, 30), "c": (0, 30, 100, 60)}


def test_a_drawn_segment_holds_the_nodes_covered_by_three_quarters():
    nodes = boxed(TWO, **HALVES)
    assert fitted(nodes, box(3, 2, 98, 30)) == ["b"]
    assert fitted(nodes, box(0, 0, 100, 23)) == ["b"]
    assert fitted(nodes, box(0, 0, 100, 22)) == []
    assert fitted(nodes, box(2, 3, 98, 55)) == ["a"]


def test_a_segment_that_fits_the_box_of_a_node_does_not_include_its_wrapper():
    nodes = boxed(TWO, **(HALVES | {"b": (0, 0, 100, 50), "c": (0, 50, 100, 60)}))
    assert fitted(nodes, box(0, 0, 100, 50)) == ["b"]
    assert fitted(nodes, box(0, 0, 99.5, 50)) == ["b"]  # borders that were snapped
    assert fitted(nodes, box(0, 0, 100, 47)) == ["a"]  # drawn by hand


def test_a_node_in_a_hole_of_a_segment_is_not_in_it():
    nodes = boxed("<div id=a></div><div id=b></div>", a=(0, 0, 100, 40), b=(40, 60, 60, 80))
    around, hole = box(0, 0, 100, 100)[0][0], box(35, 55, 65, 85)[0][0]
    assert fitted(nodes, [[around]]) == ["a", "b"]
    assert fitted(nodes, [[around, hole]]) == ["a"]


def test_a_segment_of_several_parts_holds_the_nodes_of_all_parts():
    nodes = boxed(TWO + "<div id=d></div>", **HALVES, d=(0, 80, 100, 100))
    assert fitted(nodes, [*box(0, 0, 100, 30), *box(0, 80, 100, 100)]) == ["b", "d"]


def test_overlapping_parts_cover_their_union():
    nodes = boxed(TWO, **HALVES)
    assert fitted(nodes, [*box(0, 0, 100, 20), *box(0, 10, 100, 30)]) == ["b"]


def test_the_size_of_a_node_includes_its_overflowing_children():
    body = "<div id=bar><div id=menu></div></div>"
    nodes = boxed(body, bar=(0, 0, 100, 10), menu=(0, 10, 30, 90))
    assert fitted(nodes, box(0, 0, 100, 10)) == []
    assert fitted(nodes, box(0, 0, 100, 95)) == ["bar"]


def test_a_segment_outside_the_page_or_without_polygons_holds_no_nodes():
    nodes = boxed(TWO, **HALVES)
    assert fitted(nodes, box(200, 200, 300, 300)) == []
    assert fitted(nodes, []) == []
