"""Paint order: the topmost element by the rules of CSS, compared with a browser."""

import json

import numpy as np
import pytest

from engine.document import Document
from engine.web.headless import Browser
from gui.plugins.view_3d.paint_order import paint_rank, shown_boxes
from tests.tables import table

BOX = (0, 0, 100, 100)


def row_at(boxes, rank, among, x, y):
    """Return the topmost of the rows ``among`` at a point of the page; -1 if none is there."""
    left, top, right, bottom = boxes[among].T
    hits = among[(left <= x) & (x < right) & (top <= y) & (y < bottom)]
    return int(hits[np.argmax(rank[hits])]) if hits.size else -1


def on_top(*children):
    """Return the position of the topmost of some overlapping boxes."""
    nodes = table(("body", BOX, list(children)))
    rows = [int(row) for row in nodes.children(1)]
    among = np.array(rows)
    return rows.index(row_at(shown_boxes(nodes), paint_rank(nodes), among, 50, 50))


def box(**css):
    return (
        "div",
        BOX,
        {"css": {"display": "block", **{k.replace("_", "-"): v for k, v in css.items()}}},
        [],
    )


def test_later_siblings_are_painted_on_top():
    assert on_top(box(), box()) == 1


def test_positioned_and_floating_boxes_are_painted_above_those_in_flow():
    assert on_top(box(position="relative"), box()) == 0
    assert on_top(box(float="left"), box()) == 0
    assert on_top(box(float="left"), box(position="absolute")) == 1


def test_z_index_applies_only_to_positioned_boxes():
    assert on_top(box(position="absolute", z_index="2"), box(position="absolute")) == 0
    assert on_top(box(position="absolute", z_index="-1"), box()) == 1
    assert on_top(box(z_index="9"), box(position="relative")) == 1


def test_descendants_of_a_stacking_context_stay_in_it():
    inner = ("i", BOX, {"css": {"position": "absolute", "z-index": "99"}}, [])
    nodes = table(
        (
            "body",
            BOX,
            [
                ("div", BOX, {"css": {"position": "absolute", "z-index": "1"}}, [inner]),
                ("p", BOX, {"css": {"position": "absolute", "z-index": "2"}}, []),
            ],
        )
    )
    rank = paint_rank(nodes)
    first, second, last = 2, 3, 4
    assert [nodes.name_of(row) for row in (first, second, last)] == ["div", "i", "p"]
    assert rank[first] < rank[second] < rank[last]


def test_overflow_is_clipped_by_the_box_around_it():
    child = ("p", (0, 50, 300, 300), [])
    cutting = ("div", BOX, {"css": {"display": "block", "overflow-x": "hidden"}}, [child])
    nodes = table(("body", (0, 0, 400, 400), [cutting]))
    assert shown_boxes(nodes)[3].tolist() == [0, 50, 100, 100]


def test_boxes_positioned_against_the_page_are_not_clipped():
    child = ("p", (0, 50, 300, 300), {"css": {"position": "absolute"}}, [])
    cutting = ("div", BOX, {"css": {"display": "block", "overflow-x": "hidden"}}, [child])
    nodes = table(("body", (0, 0, 400, 400), [cutting]))
    assert shown_boxes(nodes)[3].tolist() == [0, 50, 300, 350]


PAGE = """<!doctype html><meta charset=utf-8>
<style>
 *{margin:0} body{font:16px/24px sans-serif;position:relative}
 nav{float:left;width:200px;height:300px;background:#eee}
 main{padding:20px} .card{padding:10px;margin:10px;background:#fafafa}
 #over{position:absolute;left:150px;top:60px;width:300px;height:120px;z-index:3;background:#fc0}
 #under{position:absolute;left:100px;top:30px;width:300px;height:100px;z-index:1;background:#0cf}
 #clip{overflow:hidden;height:60px;position:relative} #tall{height:300px;background:#cfc}
 #row{display:flex} #row div{flex:1;height:80px} #row div:first-child{z-index:2;margin-right:-60px}
 footer{position:relative;top:-30px;background:#ddd;height:70px}
</style>
<nav><p>home</p><p>news</p></nav>
<main><div class=card><h1>Ferry back</h1><p>It returned this morning.</p></div>
<div class=card id=clip><div id=tall><p>seen</p><p>and</p><p>not</p><p>seen</p></div></div>
<div id=row><div>one</div><div>two</div><div>three</div></div></main>
<footer><p>foot</p></footer><div id=under></div><div id=over><b>over</b></div>
"""

AT = """((points) => points.map(([x, y]) => {
  const e = document.elementFromPoint(x, y);
  return e ? pagelet.rows.get(e) ?? -1 : -1;
}))(%s)"""


@pytest.mark.web
def test_the_topmost_element_equals_that_of_the_browser_at_every_point(qapp):
    with Browser() as browser:
        page = browser.capture(
            Document("/x.html", "pagelet://local/x.html", data=PAGE.encode(), path="x.html")
        )
        points = [(x, y) for y in range(1, 360, 7) for x in range(1, 1300, 13)]
        rows = browser.view.local_rows
        theirs = [int(rows[int(k)]) if k >= 0 else -1 for k in browser.run(AT % json.dumps(points))]
    nodes = page.rendered()
    boxes, rank = shown_boxes(nodes), paint_rank(nodes)
    among = np.flatnonzero(nodes.visible & ~nodes.is_text)
    ours = [row_at(boxes, rank, among, x, y) for x, y in points]
    assert len(set(theirs)) > 15
    differ = {
        (nodes.name_of(a), nodes.name_of(b)) for a, b in zip(ours, theirs, strict=True) if a != b
    }
    assert differ == set()
