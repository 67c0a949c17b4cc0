"""Geometry of the 3-D view: plates, projection and picking, compared with the drawing."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QImage, QPainter

from gui.plugins.view_3d.colors import remove_paint
from gui.plugins.view_3d.drawing import WALL_SHARES, Paint, Texture, draw, outline
from gui.plugins.view_3d.scene import Camera, Projection, Scene, fit_camera, pick
from tests.tables import table

WIDTH, HEIGHT = 600, 420

# rows: 0 html  1 body  2 header  3 #text  4 main  5 h1  6 #text  7 p  8 #text  9 aside  10 i
NODES = table(
    (
        "body",
        (0, 0, 1000, 800),
        [
            ("header", (0, 0, 1000, 80), "The Courier"),
            (
                "main",
                (0, 80, 700, 700),
                [("h1", (0, 80, 700, 40), "Ferry back"), ("p", (20, 120, 600, 200), "It did")],
            ),
            ("aside", (700, 80, 300, 700), [("i", (720, 100, 200, 300), [])]),
        ],
    )
)
SCENE = Scene.of(NODES)
LIFTED = fit_camera(SCENE, WIDTH, HEIGHT, Camera())


def test_every_visible_element_is_a_plate_at_the_height_of_its_depth():
    heights = dict(zip(SCENE.rows.tolist(), SCENE.level.tolist(), strict=True))
    assert heights == {0: 0, 1: 1, 2: 2, 4: 2, 9: 2, 5: 3, 7: 3, 10: 3}
    assert SCENE.top == 3


def test_a_cut_removes_plates_above_its_level():
    cut = SCENE.cut(2)
    assert sorted(cut.rows.tolist()) == [0, 1, 2, 4, 9]
    assert SCENE.cut(99) is SCENE


def test_each_point_of_the_page_is_drawn_on_its_highest_plate():
    for x, y in ((500, 40), (10, 400), (300, 200), (800, 200), (990, 700)):
        levels = [
            level
            for level, part in enumerate(SCENE.piece_slices)
            for a, b, c, d in SCENE.pieces[part].tolist()
            if a <= x < c and b <= y < d
        ]
        here = (SCENE.boxes[:, :2] <= (x, y)).all(axis=1) & (SCENE.boxes[:, 2:] > (x, y)).all(
            axis=1
        )
        assert levels == [int(SCENE.level[here].max())]


@given(
    turn=st.floats(-3, 3), tilt=st.floats(0, 1.3), x=st.floats(0, 900), y=st.floats(0, 900),
    level=st.integers(0, 9),
)  # fmt: skip
def test_on_page_inverts_the_projection(turn, tilt, x, y, level):
    projection = Projection(replace(LIFTED, turn=turn, tilt=tilt), WIDTH, HEIGHT)
    assert projection.on_page(*projection.seen(x, y, level), level) == pytest.approx(
        (x, y), abs=1e-4
    )


def drawn_rows(scene: Scene, camera: Camera) -> np.ndarray:
    """Return the row that each pixel shows; plates and walls are drawn in unique colours."""
    blue = 8 * np.arange(len(scene)) + 8
    names = tuple(f"#ff00{value:02x}" for value in blue.tolist())
    paint = Paint(names, np.arange(len(scene), dtype=np.int32))
    flat = QImage(*scene.size, QImage.Format.Format_RGB32)
    painter = QPainter(flat)
    for index, (a, b, c, d) in enumerate(scene.boxes.astype(int).tolist()):
        painter.fillRect(a, b, c - a, d - b, names[index])
    painter.end()
    view = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    view.fill(0)
    painter = QPainter(view)
    draw(painter, scene, Projection(camera, WIDTH, HEIGHT), Texture(flat), paint, is_fine=True)
    painter.end()
    values = np.frombuffer(view.constBits(), dtype=np.uint8).reshape(HEIGHT, WIDTH, 4)
    rows = np.full((HEIGHT, WIDTH), -1)
    for share in (1.0, *WALL_SHARES):
        is_here = values[..., 2] == round(255 * share)
        for value, row in zip(blue.tolist(), scene.rows.tolist(), strict=True):
            rows[is_here & (values[..., 0] == round(value * share))] = row
    return rows


@pytest.mark.parametrize("degrees", [-150, -28, 0, 40, 95])
@pytest.mark.parametrize(
    "tilt",
    [pytest.param(0.0, marks=pytest.mark.slow), 0.5, pytest.param(1.2, marks=pytest.mark.slow)],
)
def test_picking_returns_the_element_drawn_at_a_pixel(qapp, degrees, tilt):
    camera = fit_camera(
        SCENE, WIDTH, HEIGHT, replace(Camera(), turn=np.radians(degrees), tilt=tilt)
    )
    projection = Projection(camera, WIDTH, HEIGHT)
    shown = drawn_rows(SCENE, camera)
    inner = np.ones_like(shown, dtype=bool)  # pixels on an edge show one side or the other
    for dy, dx in product((-2, -1, 0, 1, 2), repeat=2):
        inner &= shown == np.roll(shown, (dy, dx), axis=(0, 1))
    wrong = [
        (x, y)
        for y in range(2, HEIGHT - 2, 23)
        for x in range(2, WIDTH - 2, 29)
        if inner[y, x]
        and shown[y, x] > -2
        and pick(SCENE, projection, x + 0.5, y + 0.5) != shown[y, x]
    ]
    assert wrong == []


def test_picking_a_wall_returns_the_element_of_its_plate(qapp):
    projection = Projection(LIFTED, WIDTH, HEIGHT)
    index = SCENE.index(10)  # the lone picture of the column at the right
    left, _, right, bottom = SCENE.boxes[index].tolist()
    foot = projection.seen((left + right) / 2, bottom, 2.5)
    assert pick(SCENE, projection, *foot) == 10


def test_picking_outside_the_page_returns_nothing():
    assert pick(SCENE, Projection(LIFTED, WIDTH, HEIGHT), 1, 1) == -1


def test_picking_in_the_flat_view_returns_the_element_at_that_point():
    flat = replace(LIFTED, turn=0.0, tilt=0.0)
    projection = Projection(flat, WIDTH, HEIGHT)
    for x, y, row in ((500, 40, 2), (10, 100, 5), (300, 200, 7), (10, 400, 4), (800, 300, 10)):
        assert pick(SCENE, projection, *projection.seen(x, y, 0)) == row


def test_a_fitted_page_is_inside_the_view():
    projection = Projection(LIFTED, WIDTH, HEIGHT)
    for index in range(len(SCENE)):
        box = outline(SCENE, projection, index).boundingRect()
        assert 0 <= box.left() <= box.right() <= WIDTH
        assert 0 <= box.top() <= box.bottom() <= HEIGHT


def test_a_page_without_boxes_can_be_drawn_and_has_nothing_to_pick(qapp):
    empty = Scene.of(replace(NODES, visible=np.zeros(len(NODES), dtype=bool)))
    assert len(empty) == 0
    image = QImage(10, 10, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    camera = fit_camera(empty, 10, 10, Camera())
    draw(
        painter, empty, Projection(camera, 10, 10), Texture(image.copy()), remove_paint(empty),
        is_fine=True,
    )  # fmt: skip
    painter.end()
    assert pick(empty, Projection(camera, 10, 10), 5, 5) == -1
