"""Pages that name no font are laid out as Chromium by itself lays them out, not in Qt's fonts."""

from pathlib import Path

import pytest

FONTS = ("LiberationSans-Regular.ttf", "LiberationSerif-Bold.ttf", "DejaVuSansMono.ttf")
pytestmark = [
    pytest.mark.web,
    pytest.mark.skipif(
        not all(any(Path("/usr/share/fonts").rglob(name)) for name in FONTS),
        reason="the fonts that the boxes were recorded with are not installed here",
    ),
]

PAGE = """<!doctype html><meta charset=utf-8><h1 id=heading>Ferries of the lower river</h1>
<p><span id=none>no family at all</span> <code id=code>in a row</code>
<button id=button>Push</button></p>
<p><span id=missing style="font-family: NoSuchFont">no such family</span></p>
""" + "\n".join(
    f'<p><span id={family} style="font-family: {family}">some words in {family}</span></p>'
    for family in ("serif", "sans-serif", "monospace", "cursive", "fantasy")
)

CHROMIUM = {
    "heading": (8, 21.4375, 1350, 37),
    "none": (8, 81.875, 97.3125, 17),
    "code": (109.3125, 83.875, 62.625, 15),
    "button": (175.9375, 79.875, 46.390625, 21),
    "missing": (8, 116.875, 95.09375, 17),
    "serif": (8, 150.875, 125.765625, 17),
    "sans-serif": (8, 184.875, 176.953125, 17),
    "monospace": (8, 220.875, 180.015625, 15),
    "cursive": (8, 252.875, 143.53125, 17),
    "fantasy": (8, 286.875, 143.53125, 17),
}
"""Left, top, width and height, px, by Debian's Chromium 156 in a viewport as wide: ``chromium
--headless --hide-scrollbars --disable-font-subpixel-positioning --dump-dom``."""


def test_boxes_without_a_family_are_those_of_chromium(capture, row):
    nodes = capture(PAGE).rendered()
    boxes = {name: tuple(nodes.rect[row(nodes, f"#{name}")].tolist()) for name in CHROMIUM}
    differ = {
        name: box for name, box in boxes.items() if box != pytest.approx(CHROMIUM[name], abs=0.02)
    }
    assert not differ
