"""Test pictures and edges of whole pages."""

import base64

import pytest
from PySide6.QtGui import QColor, QImage

pytestmark = pytest.mark.web

RED, GREEN, BLUE = QColor(255, 0, 0), QColor(0, 255, 0), QColor(0, 0, 255)
START = "<!doctype html><style>body { margin: 0 } div { width: 100px }</style>"


def color(picture, x, y):
    return picture.pixelColor(x, y)


def test_a_long_page_is_painted_into_one_picture(browser, capture):
    capture(
        START + "<div style='height:100px;background:#f00'></div>"
        "<div style='height:3000px;background:#0f0'></div>"
        "<div style='height:100px;background:#00f'></div>"
    )
    picture = browser.picture()
    assert (picture.width(), picture.height()) == (1366, 3200)
    result = [color(picture, 50, y) for y in (1, 99, 101, 3099, 3101, 3199)]
    assert result == [RED, RED, GREEN, GREEN, BLUE, BLUE]


def test_elements_sized_by_the_window_keep_their_size(browser, capture):
    page = capture(
        START + "<div style='height:100vh;background:#f00'></div>"
        "<div style='height:2000px;background:#0f0'></div>"
        "<div style='position:fixed;bottom:0;left:0;height:10px;background:#00f'></div>"
    )
    picture = browser.picture()
    assert picture.height() == page.nodes.height == 2768
    result = [color(picture, 50, y) for y in (1, 750, 760, 770, 1530, 2760)]
    assert result == [RED, RED, BLUE, GREEN, GREEN, GREEN]
    state = "document.querySelectorAll('div')[2].getAttribute('style')"
    assert browser.run(state) == "position:fixed;bottom:0;left:0;height:10px;background:#00f"
    assert browser.run("[innerWidth, innerHeight, scrollY]") == [1366, 768, 0]
    assert browser.run("document.querySelector('pagelet-marker')") is None


@pytest.mark.slow
def test_a_picture_is_at_most_16384_pixels_high(browser, capture, tmp_path):
    capture(START + "<div style='height:20000px;background:#0f0'></div>")
    browser.screenshot(tmp_path / "a.png")
    picture = QImage(str(tmp_path / "a.png"))
    assert picture.height() == 16384
    assert color(picture, 50, 16380) == GREEN


def test_tiles_are_joined_without_a_seam_or_a_marker(browser, capture):
    rows = "".join(
        f"<div style='height:7px;background:rgb({k % 256},9,9)'></div>" for k in range(500)
    )
    sized = "<div style='height:50vh;background:#0f0'></div>"
    capture(START + "<style>div { width: 100% }</style>" + rows + sized)
    picture = browser.picture()
    assert picture.height() == 3500 + 384
    for x in (0, 1, 3, 4, 700):
        result = [picture.pixelColor(x, y) for y in range(3500)]
        assert result == [QColor(y // 7 % 256, 9, 9) for y in range(3500)]


def test_edges_cover_all_of_a_page_wider_than_its_window(browser, capture):
    page = capture(
        START + "<div style='width:2000px;height:900px'></div>"
        "<div style='position:absolute;background:#000;"
        "left:300px;top:200px;width:400px;height:100px'>"
    )
    edges = browser.edges(page)
    assert sorted(edges) == ["coarse", "fine"]
    for mask in edges.values():
        assert mask.shape == (page.nodes.height, page.nodes.width) == (900, 2000)
        ys, xs = mask.nonzero()
        result = (xs.min(), ys.min(), xs.max(), ys.max())
        assert result == pytest.approx((300, 200, 700, 300), abs=2)


def moving(*colors):
    """Return a data URL of an endless GIF of one pixel that changes its colour every 20 ms."""
    head = b"GIF89a\x01\x00\x01\x00\xf0\x00\x00" + b"\0" * 6 + b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    frames = b"".join(
        b"!\xf9\x04\x04\x02\x00\x00\x00,\0\0\0\0\x01\x00\x01\x00\x80"
        + bytes(color) + b"\xff\xff\xff" + b"\x02\x02\x44\x01\x00"
        for color in colors
    )  # fmt: skip
    return "data:image/gif;base64," + base64.b64encode(head + frames + b";").decode("ascii")


def test_animated_images_are_painted_at_their_first_frame(browser, capture):
    source = moving((255, 0, 0), *[(0, 0, blue) for blue in range(100, 250)])
    capture(START + f"<img src='{source}' width=100 height=100>")
    for _ in range(3):
        assert color(browser.picture(), 50, 50) == RED
