"""Test boxes against the picture: colours that a page plants are drawn where its boxes say.

The second truth is what the browser finds at a point, in the document that the element is in, once
a reader has scrolled there.
"""

import json

import numpy as np
import pytest

from engine.web.headless import Browser
from tests.oracles.captured import capture_page

pytestmark = pytest.mark.web

_STYLES = (
    "border:10px solid #ccc;padding:5px;transform:scale(2);transform-origin:0 0",
    "border:0;zoom:2",
    "border:7px solid #ccc;transform:rotate(180deg)",
    "transform:rotate(30deg)",
    "border-left:9px solid #ccc;padding:0 0 0 8px;rotate:-90deg",
    "scale:.5 1.5",
    "transform:skewX(20deg) scaleX(-1)",
    "padding:3%;zoom:1.5;transform:scale(.8)",
    "rotate:x 180deg;translate:20px 30px",
    "transform:perspective(900px) rotateZ(15deg)",
)
_AROUND = (
    "",
    "border:4px solid #ccc;transform:rotate(12deg) scale(1.2)",
    "zoom:1.25",
    "scale:.75;display:flex",
)
_CODE = np.array([65536, 256, 1], dtype=np.int32)
_PLACE = "<!doctype html><style>body{margin:0}iframe{display:block;border:0}</style>"


def _colours():
    """Yield colours that no other part of these pages has and no two of which are near."""
    for k in range(1, 216):
        yield 51 * (k % 6), 51 * (k // 6 % 6), 51 * (k // 36)


def _frames_page(colours):
    """A page of frames in boxes, each frame with a box of its own colour, one in a nested frame."""
    files, parts = {}, []
    for around in _AROUND:
        for style in _STYLES:
            red, green, blue = next(colours)
            name = f"f{len(parts)}.html"
            box = (
                "<div style='width:61px;height:33px;margin:17px 23px;"
                f"background:rgb({red},{green},{blue})' title='{red} {green} {blue}'></div>"
            )
            if len(parts) % 3 == 2:
                nested = "transform:scale(1.1) rotate(90deg);border:3px solid #ccc"
                files["in-" + name] = _PLACE + box
                box = f"<iframe src='in-{name}' style='{nested};width:130px;height:90px'></iframe>"
            files[name] = _PLACE + box
            parts.append(
                "<div style='width:433px;height:480px;padding:150px 0 0 250px'>"
                f"<div style='{around};width:300px'>"
                f"<iframe src={name} width=160 height=120 style='{style}'></iframe></div></div>"
            )
    return f"{_PLACE}<body style='display:flex;flex-wrap:wrap'>{''.join(parts)}", files


def _is_drawn_there(codes, rect, colour):
    """Whether all that has a colour reaches just from side to side of a box, within two px."""
    rows, columns = np.nonzero(codes == colour)
    if not rows.size:
        return False
    x, y, width, height = rect
    found = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    return bool(np.abs(np.subtract(found, (x, y, x + width, y + height))).max() <= 2)


@pytest.fixture(scope="module")
def browser(qapp):
    with Browser() as browser:
        yield browser


@pytest.fixture
def capture(browser, tmp_path):
    return lambda html, **files: capture_page(browser, tmp_path, html, files)


def _planted(page, pixels):
    """How many boxes were planted on a page, and the titles of those that are drawn elsewhere."""
    nodes = page.nodes
    rows = [r for r, own in enumerate(nodes.attributes) if "title" in own]
    titles = {r: nodes.attributes[r]["title"] for r in rows}
    steps = np.rint(pixels / 51).astype(np.int32)
    codes = np.where((np.abs(pixels - 51 * steps) <= 3).all(axis=2), 51 * steps @ _CODE, -1)
    wrong = [
        titles[r]
        for r in rows
        if not _is_drawn_there(codes, nodes.rect[r], np.array(titles[r].split(), dtype=int) @ _CODE)
    ]
    return len(rows), wrong


@pytest.mark.slow
def test_boxes_in_frames_are_drawn_where_the_frames_are_scaled_turned_and_zoomed(browser, capture):
    html, files = _frames_page(_colours())
    page = capture(html, **files)
    assert _planted(page, browser.pixels()) == (len(_AROUND) * len(_STYLES), [])


def test_the_oracle_finds_a_box_that_is_not_drawn_where_it_says(browser, capture):
    page = capture(
        f"{_PLACE}<div style='width:50px;height:20px;background:rgb(51,102,0)' title='51 102 0'>"
        "</div><div style='width:50px;height:20px;background:#fff' title='0 102 51'></div>"
    )
    assert _planted(page, browser.pixels()) == (2, ["0 102 51"])
    shifted = np.roll(browser.pixels(), 5, axis=1)
    assert _planted(page, shifted) == (2, ["51 102 0", "0 102 51"])


_SCROLLERS = {
    "clipped body": "<style>html,body{height:100%;margin:0;overflow:hidden}</style>"
    "<div style='height:60%;overflow-y:auto'>ROWS</div>",
    "clipped box around": "<div style='height:200px;overflow:hidden'>"
    "<div style='height:100%;overflow:scroll'>ROWS</div></div>",
    "placed panes": "<div style='position:fixed;inset:0;overflow:hidden'>"
    "<div style='position:absolute;inset:20px;overflow-y:auto'>ROWS</div></div>",
    "scroller in a scroller": "<div style='height:300px;overflow:clip'><div style='height:250px;"
    "overflow:auto'><div style='height:400px'></div><div style='height:90px;overflow:auto'>"
    "ROWS</div></div></div>",
    "clipped": "<div style='height:145px;overflow:clip'>ROWS</div>",
    "clipped in a scroller": "<div style='height:250px;overflow:auto'>"
    "<div style='height:96px;overflow:clip'>ROWS</div></div>",
    "a scroller cut off": "<div style='height:100px;overflow:clip'><div style='height:100px'></div>"
    "<div style='height:100px;overflow:auto'>ROWS</div></div>",
    "across": "<div style='width:300px;overflow:clip'><div style='overflow-x:auto;display:flex;"
    "overflow-y:clip;height:60px'>ROWS</div></div>",
    "from right to left": "<div dir=rtl style='width:300px;overflow:clip'><div style='display:flex;"
    "overflow-x:scroll'>ROWS</div></div>",
    "moved out to the left": "<div style='height:300px;overflow:auto'>"
    "<div style='position:absolute;left:-999px'>ROWS</div></div>",
    "a chat from below": "<div style='height:200px;overflow:clip'><div style='height:180px;"
    "overflow:auto;display:flex;flex-direction:column-reverse'>ROWS</div></div>",
}
_ROWS = "".join(
    f"<p id=p{k} style='height:40px;margin:0 0 9px;min-width:200px'>Row {k}</p>" for k in range(12)
)
_REACHED = """(() => [...document.querySelectorAll('p')].map((row) => {
  for (const place of ['start', 'center', 'end']) {
    row.scrollIntoView({block: place, inline: place, behavior: 'instant'});
    const box = row.getBoundingClientRect();
    const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (found === row) return true;
  }
  return false;
}))()"""


@pytest.mark.parametrize("name", _SCROLLERS)
def test_a_row_is_visible_where_a_reader_can_scroll_to_it(browser, capture, name):
    page = capture("<!doctype html>" + _SCROLLERS[name].replace("ROWS", _ROWS))
    rows = [r for r, own in enumerate(page.nodes.attributes) if own.get("id", "").startswith("p")]
    visible = page.nodes.visible[rows].tolist()
    boxes = page.nodes.rect[rows].tolist()
    assert len(rows) == 12 == len(boxes)
    reached = json.loads(browser.run(f"JSON.stringify({_REACHED})", 20.0))
    assert visible == reached
