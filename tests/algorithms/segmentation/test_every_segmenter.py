"""Properties of every segmenter: odd pages, frames, order, levels, repeatability, time."""

import time

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from algorithms.core.catalogue import SEGMENTERS
from algorithms.signals.traversal import COVERS
from algorithms.trace import HOLDS
from tests.tables import page_of, page_of_html, table

EACH = pytest.mark.parametrize("entry", SEGMENTERS, ids=lambda entry: entry.key)

STORY = "many words of a long story that goes on and on until the line is full " * 3


def page(*body, size=(1000, 800)):
    return page_of(table(*body, size=size))


def blocks_of(entry, page):
    return entry.on_page(page, entry.params()).blocks


def check(page, blocks):
    """Blocks are nodes of the page, in order; each node is in at most one block of level 1, and
    a block of level 2 is in one of level 1 as a whole, or in none: InfoDiscoverer's tables are no
    part of the cell that they stand in."""
    nodes = page.rendered()
    home = np.full(len(nodes), -1)
    for number, block in enumerate(blocks):
        assert block.level in (1, 2)
        assert block.rows
        assert list(block.rows) == sorted(set(block.rows))
        assert block.rows[0] >= 0
        assert block.rows[-1] < len(nodes)
        for row in block.rows if block.level == 1 else ():
            assert (home[row : nodes.end[row]] == -1).all()
            home[row : nodes.end[row]] = number
    for block in blocks:
        if block.level == 2:
            around = np.concatenate([home[row : nodes.end[row]] for row in block.rows])
            assert around.min() == around.max()
    order = [(block.rows[0], block.level) for block in blocks]
    assert order == sorted(order)


def box(tag, x, y, w, h, *rest):
    return (tag, (x, y, w, h), *rest)


def article(top=100):
    return box("article", 200, top, 800, 300, [
        box("h2", 200, top, 800, 30, "A title of the page"),
        box("p", 200, top + 40, 800, 100, STORY),
        box("p", 200, top + 150, 800, 100, STORY),
    ])  # fmt: skip


def menu(top=100):
    entries = [
        box("li", 0, top + 20 * k, 180, 20, [
            box("a", 0, top + 20 * k, 90, 20, {"href": "/x"}, f"entry {k}")
        ])
        for k in range(8)
    ]  # fmt: skip
    return box("nav", 0, top, 180, 200, [box("ul", 0, top, 180, 200, entries)])


def site(*more):
    head = box("div", 0, 0, 1000, 80, [box("h1", 0, 0, 500, 80, "The name of the site")])
    foot = box("div", 0, 700, 1000, 80, [box("p", 0, 700, 1000, 20, "© 2026, all rights")])
    return page(box("body", 0, 0, 1000, 800, [head, menu(), article(), *more, foot]))


ODD_PAGES = {
    "no node but the root": page(),
    "an empty body": page(box("body", 0, 0, 1000, 0)),
    "a page of no size": page(box("body", 0, 0, 0, 0, [box("p", 0, 0, 0, 0, "a")]), size=(0, 0)),
    "one text": page(box("body", 0, 0, 1000, 800, "word")),
    "one picture": page(box("body", 0, 0, 1000, 800, [box("img", 0, 0, 100, 100)])),
    "all out of sight": page(box("body", 0, 0, 1000, 800, [box("p", -900, -900, 100, 20, STORY)])),
    "all hidden": page(
        box("body", 0, 0, 1000, 800, {"css": {"visibility": "hidden"}}, [menu(), article()])
    ),
    "a frame set": page(
        box(
            "frameset", 0, 0, 1000, 800,
            [box("frame", 0, 0, 200, 800), box("frame", 200, 0, 800, 800)],
        )
    ),
    "no body": page(box("p", 0, 0, 1000, 20, STORY), box("p", 0, 30, 1000, 20, STORY)),
    "boxes on top of each other": page(
        box("body", 0, 0, 1000, 800, [box("div", 0, 0, 1000, 800, [article()]) for _ in range(4)])
    ),
    "three thousand levels": page_of_html(
        "<html><body>" + "<div>" * 3000 + STORY + "</div>" * 3000 + "</body></html>"
    ),
    "a table in a table": page(box("body", 0, 0, 1000, 800, [
        box("table", 0, 0, 1000, 800, [box("tr", 0, 0, 1000, 800, [
            box("td", 0, 0, 180, 800, [menu()]),
            box("td", 200, 0, 800, 800, [
                box("table", 200, 0, 800, 400, [
                    box("tr", 200, 100, 800, 300, [box("td", 200, 100, 800, 300, [article()])])
                ])
            ]),
        ])])
    ])),
}  # fmt: skip


@EACH
@pytest.mark.parametrize("name", ODD_PAGES)
def test_odd_pages_do_not_break_it(entry, name):
    check(ODD_PAGES[name], blocks_of(entry, ODD_PAGES[name]))


@EACH
@pytest.mark.parametrize("name", ["no node but the root", "an empty body"])
def test_an_empty_page_has_no_block_with_text(entry, name):
    nodes = ODD_PAGES[name].rendered()
    blocks = blocks_of(entry, ODD_PAGES[name])
    assert len({block.rows for block in blocks}) <= 1
    assert not any(nodes.text_below(row) for block in blocks for row in block.rows)


@EACH
def test_a_page_with_a_menu_and_a_story_has_blocks(entry):
    blocks = blocks_of(entry, site())
    check(site(), blocks)
    assert blocks


@EACH
def test_pages_in_frames_are_segmented_with_the_page_around_them(entry):
    inner = box("html", 200, 450, 800, 200, [
        box("body", 200, 450, 800, 200, [
            box("p", 200, 450, 800, 90, STORY), box("p", 200, 550, 800, 90, STORY)
        ])
    ])  # fmt: skip
    framed = site(box("iframe", 200, 450, 800, 200, [inner]))
    blocks = blocks_of(entry, framed)
    check(framed, blocks)
    assert blocks


@EACH
def test_a_second_run_gives_the_same(entry):
    assert blocks_of(entry, site()) == blocks_of(entry, site())


def trees(x, y, w, h, depth=3):
    """Nested elements whose boxes lie inside one another, side by side or on top of each other."""
    tags = st.sampled_from("div p ul li table tr td h2 a span hr img form article nav b".split())
    some = st.sampled_from(["", "word", "a few words", STORY])
    share = st.sampled_from([0.0, 0.25, 0.5, 1.0])
    if depth == 0:
        return st.tuples(tags, st.just((x, y, w, h)), some)
    children = st.tuples(share, share, share, share).flatmap(
        lambda s: trees(x + s[0] * w / 2, y + s[1] * h / 2, s[2] * w / 2, s[3] * h / 2, depth - 1)
    )
    return st.tuples(tags, st.just((x, y, w, h)), st.lists(st.one_of(some, children), max_size=5))


# Drawing a page takes longer than segmenting it: every method gets each page.
@given(body=st.lists(trees(0, 0, 1000, 800), max_size=4))
@settings(max_examples=60)
def test_blocks_lie_on_the_page_and_level_2_refines_level_1(body):
    result = page(box("body", 0, 0, 1000, 800, body))
    for entry in SEGMENTERS:
        note(entry.key)
        check(result, blocks_of(entry, result))


@pytest.mark.web
@EACH
def test_blocks_of_real_pages_are_whole_too(entry, sample_pages):
    for sample in sample_pages.values():
        check(sample.page, blocks_of(entry, sample.page))


@pytest.fixture(scope="module")
def long_page():
    """Return a page of 60,000 nodes: a menu, and a list of stories."""
    entries = [
        box("div", 200, 40 * k, 800, 40, [
            box("h3", 200, 40 * k, 800, 10, [box("a", 200, 40 * k, 90, 10, f"title {k}")]),
            box("p", 200, 40 * k + 10, 800, 30, [
                "words of a story ", box("b", 300, 40 * k + 10, 40, 9, "bold"),
            ]),
        ])
        for k in range(7_500)
    ]  # fmt: skip
    height = 40 * len(entries)
    body = box("body", 0, 0, 1000, height, [menu(0), box("div", 200, 0, 800, height, entries)])
    result = page(body, size=(1000, height))
    assert len(result.rendered()) >= 60_000
    return result


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(
            each, marks=pytest.mark.slow if each.key == "terrain-learned" else (), id=each.key
        )
        for each in SEGMENTERS
    ],
)
def test_sixty_thousand_nodes_take_seconds_at_most(entry, long_page):
    start = time.process_time()  # other processes are not counted
    blocks = blocks_of(entry, long_page)
    assert time.process_time() - start < 20.0
    check(long_page, blocks)


@EACH
def test_every_segmenter_has_a_citation_a_summary_and_inputs(entry):
    assert entry.cite
    assert entry.summary.endswith(".")
    assert entry.inputs[-1] == "rendered"


def test_keys_are_unique():
    keys = [entry.key for entry in SEGMENTERS]
    assert len(set(keys)) == len(keys)


# why -----------------------------------------------------------------------------------------
TRACED = [entry for entry in SEGMENTERS if entry.trace_page is not None]
DOWN = [entry for entry in TRACED if entry.key in ("webterrain", "terrain")]


@pytest.mark.parametrize("entry", DOWN, ids=lambda entry: entry.key)
def test_a_trace_marks_the_blocks_and_shows_the_share_of_their_parent(entry):
    side = [("div", (0, 0, 300, 700), [("p", (0, 0, 300, 700), STORY)])]
    main = [("div", (300, 0, 700, 700), [("p", (300, 0, 700, 700), STORY)])]
    shown = page(("body", (0, 0, 1000, 800), [("div", (0, 0, 1000, 790), [*side, *main])]))
    params = entry.params()
    trace = entry.trace_page(shown, params)
    rows = {row for block in entry.on_page(shown, params).blocks for row in block.rows}
    assert set(np.flatnonzero(trace.kept).tolist()) == rows
    assert rows
    body = trace.decisions(1)[0]
    assert not body.kept
    assert body.value == pytest.approx(0.9875)
    assert body.threshold == params.dominance
    assert "1 visible child: the descent continues inside" in body.sentence


def check_trace(entry, made):
    """Assert that a trace marks the method's blocks, and its numbers agree with the decisions."""
    params = entry.params()
    trace = entry.trace_page(made, params)
    rows = {row for block in entry.on_page(made, params).blocks for row in block.rows}
    assert set(np.flatnonzero(trace.kept).tolist()) == rows
    for each in trace.steps:
        if each.rule.keeps and each.rule is not COVERS:  # its descendants are followed in any case
            measured = np.isfinite(each.values) & np.isfinite(each.thresholds)
            holds = HOLDS[each.rule.keeps](each.values, each.thresholds)
            assert np.array_equal(holds[measured], each.kept[measured])


@given(body=st.lists(trees(0, 0, 1000, 800), max_size=4))
@settings(max_examples=60)
def test_a_trace_gives_the_blocks_of_the_method_and_its_numbers_bear_that_out(body):
    result = page(box("body", 0, 0, 1000, 800, body))
    for entry in TRACED:
        note(entry.key)
        check_trace(entry, result)


@pytest.mark.parametrize("entry", TRACED, ids=lambda entry: entry.key)
def test_a_trace_gives_the_blocks_of_odd_pages(entry):
    for made in (*ODD_PAGES.values(), site()):
        check_trace(entry, made)


@pytest.mark.web
@pytest.mark.parametrize("entry", TRACED, ids=lambda entry: entry.key)
def test_a_trace_gives_the_blocks_of_real_pages(entry, sample_pages):
    for sample in sample_pages.values():
        check_trace(entry, sample.page)


def test_the_trace_of_an_empty_page_keeps_no_node():
    for entry in TRACED:
        assert not entry.trace_page(page(("body", (0, 0, 0, 0), [])), entry.params()).kept[2:].any()


def test_every_segmenter_has_a_trace():
    assert list(SEGMENTERS) == TRACED
