"""WebTerrain on tables small enough to follow by eye."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.segmentation.webterrain import (
    METHOD,
    WebTerrainParams,
    find_blocks,
    usual_text_size,
)
from engine.errors import MethodError, ParameterError
from engine.page import Page
from tests.tables import table

BIG = {"css": {"font-size": "32px"}}


def names(nodes, **params):
    """Return the blocks as level and the tags (with id) of their rows."""
    result = find_blocks(nodes, WebTerrainParams(**params))
    return [(b.level, " ".join(label(nodes, row) for row in b.rows)) for b in result]


def label(nodes, row):
    return nodes.attributes[row].get("id", nodes.name_of(row))


def body(*children, rect=(0, 0, 1000, 1000)):
    return table(("body", rect, list(children)), size=(1000, 1000))


def box(name, rect, *rest):
    return ("div", rect, {"id": name}, *rest)


SHOP = body(
    box("wrapper", (0, 0, 1000, 950), [
        box("head", (0, 0, 1000, 100), [box("logo", (0, 0, 90, 100)), box("find", (90, 0, 9, 9))]),
        box("story", (0, 100, 1000, 800), [box("inner", (0, 100, 1000, 790), "words")]),
        box("foot", (0, 900, 1000, 50)),
    ]),
)  # fmt: skip


def test_a_dominant_wrapper_is_followed_to_its_adjacent_parts():
    assert names(SHOP) == [
        (1, "head"), (2, "logo"), (2, "find"),
        (1, "story"), (2, "inner"),
        (1, "foot"), (2, "foot"),
    ]  # fmt: skip


def test_one_level_only():
    assert names(SHOP, levels=1) == [(1, "head"), (1, "story"), (1, "foot")]


def test_a_wrapper_below_the_threshold_is_followed_only_without_siblings():
    wrapper = box(
        "wrapper", (0, 0, 1000, 850), [box("a", (0, 0, 500, 9)), box("b", (500, 0, 9, 9))]
    )
    alone, beside = body(wrapper), body(wrapper, box("ad", (0, 900, 100, 100)))
    assert names(alone, levels=1) == [(1, "a"), (1, "b")]
    assert names(beside, levels=1) == [(1, "wrapper"), (1, "ad")]
    assert names(beside, levels=1, dominance=0.8) == [(1, "a"), (1, "b")]


def test_a_dominant_child_takes_all_even_after_others():
    nodes = body(box("bar", (0, 0, 1000, 20)), box("layer", (0, 0, 1000, 1000), [
        box("a", (0, 0, 10, 10)), box("b", (0, 0, 10, 10)),
    ]))  # fmt: skip
    assert names(nodes, levels=1) == [(1, "a"), (1, "b")]


def test_exactly_the_threshold_is_not_dominant():
    nodes = body(box("most", (0, 0, 1000, 900)), box("rest", (0, 900, 1000, 100)))
    assert names(nodes, levels=1) == [(1, "most"), (1, "rest")]


def test_elements_without_width_and_height_and_rules_are_skipped():
    nodes = body(
        ("script", (0, 0, 0, 0), "code"),
        box("floats", (0, 0, 1000, 0)),
        ("hr", (0, 0, 1000, 2)),
        box("a", (0, 0, 100, 100)),
    )
    assert names(nodes, levels=1) == [(1, "floats"), (1, "a")]
    assert names(nodes, levels=2, thin=False) == [(1, "a"), (2, "a")]


def test_texts_count_only_when_asked_for():
    words = ("#text", (0, 100, 90, 20), "loose words")
    nodes = body(words, box("a", (0, 0, 100, 100)), "  ")
    assert names(nodes, levels=1) == [(1, "a")]
    assert names(nodes, levels=1, texts=True) == [(1, "#text"), (1, "a")]


CHAPTERS = body(
    ("h2", (0, 0, 1000, 50), {"id": "h-one"}, "One"),
    ("p", (0, 50, 1000, 100), {"id": "p-one"}, "words"),
    "loose words",
    ("script", (0, 0, 0, 0), {"id": "code"}, ()),
    ("p", (0, 150, 1000, 100), {"id": "p-two"}, "words"),
    ("h2", (0, 250, 1000, 50), {"id": "h-two"}, "Two"),
    ("p", (0, 300, 1000, 200), {"id": "p-three"}, "words"),
    ("hr", (0, 500, 1000, 2)),
    ("p", (0, 502, 1000, 100), {"id": "p-last"}, "words"),
)


def test_a_header_joins_what_follows_up_to_the_next_separator():
    assert names(CHAPTERS) == [
        (1, "h-one p-one #text p-two"), (2, "h-one"), (2, "p-one"), (2, "p-two"),
        (1, "h-two p-three"), (2, "h-two"), (2, "p-three"),
        (1, "p-last"), (2, "p-last"),
    ]  # fmt: skip


def test_headers_stay_apart_when_not_merged():
    assert len(names(CHAPTERS, levels=1, merge_headers=False)) == 6


@pytest.mark.parametrize(
    ("separator", "stops"),
    [
        ([("br", (0, 0, 0, 0)), " ", ("br", (0, 0, 0, 0))], True),
        ([("br", (0, 0, 0, 0)), "words", ("br", (0, 0, 0, 0))], False),
        ([("br", (0, 0, 0, 0))], False),
        ([("img", (0, 100, 500, 10), {"id": "line"})], True),
        ([("img", (0, 100, 500, 11), {"id": "wide"})], False),
        ([("img", (0, 100, 90, 10), {"id": "short"})], False),
    ],
)
def test_separators_end_a_merge(separator, stops):
    last = ("p", (0, 200, 1000, 100), {"id": "last"}, "words")
    head = ("h1", (0, 0, 1000, 50), {"id": "head"})
    nodes = body(box("bar", (0, 0, 9, 9)), head, *separator, last)
    (merged,) = (name.split() for _, name in names(nodes, levels=1) if "head" in name)
    assert ("last" in merged) is not stops


def test_parameters_define_which_elements_separate():
    def merged(separator, **params):
        last = ("p", (0, 200, 1000, 100), {"id": "last"}, "words")
        head = ("h1", (0, 0, 1000, 50), {"id": "head"})
        nodes = body(box("bar", (0, 0, 9, 9)), head, *separator, last)
        (result,) = (name for _, name in names(nodes, levels=1, **params) if "head" in name)
        return "last" in result

    wide = [("img", (0, 100, 500, 20), {"id": "wide"})]  # 25 : 1, 20 px
    assert merged(wide)
    assert not merged(wide, line_height=20)
    assert merged(wide, line_height=20, line_ratio=30.0)
    br = ("br", (0, 0, 0, 0))
    assert merged([br])
    assert not merged([br], breaks=1)
    assert merged([br, br], breaks=3)
    assert not merged([br, br, br], breaks=3)


def test_a_header_can_be_told_by_its_tag_or_its_size_alone():
    title = ("div", (0, 100, 1000, 50), {"id": "title", **BIG}, "Title")
    chapter = ("h2", (0, 300, 1000, 50), {"id": "chapter"}, "Chapter")
    one = ("p", (0, 150, 1000, 100), {"id": "one"}, "many words of the usual size")
    two = ("p", (0, 350, 1000, 100), {"id": "two"}, "more words of the usual size")
    nodes = body(box("bar", (0, 0, 9, 9)), title, one, chapter, two)

    def groups(headers):
        result = names(nodes, levels=1, headers=headers)
        return [name for _, name in result if " " in name]

    assert groups("tag or size") == ["title one", "chapter two"]
    assert groups("tag") == ["chapter two"]
    assert groups("size") == ["title one chapter two"]


def test_with_last_child_only_the_last_child_is_kept():
    nodes = body(box("a", (0, 0, 100, 100)), box("b", (0, 100, 100, 100)), box("c", (0, 200, 9, 9)))
    assert names(nodes, levels=1) == [(1, "a"), (1, "b"), (1, "c")]
    assert names(nodes, levels=1, last_child=True) == [(1, "c")]
    assert names(CHAPTERS, levels=1, last_child=True) == [
        (1, "h-one p-one #text p-two"), (1, "h-two p-three"), (1, "p-last"),
    ]  # fmt: skip
    many = body(*(box(f"x{k}", (0, 100 * k, 100, 100)) for k in range(2)), *[
        ("h2", (0, 500, 1000, 50), {"id": "head"}, "One"), ("p", (0, 550, 9, 9), {"id": "p"}, "w"),
    ])  # fmt: skip
    assert names(many, levels=1, last_child=True) == [(1, "x1"), (1, "head p")]


def test_starting_at_the_root_finds_elements_outside_the_body():
    nodes = table(
        ("div", (0, 0, 1000, 300), {"id": "beside"}),
        ("body", (0, 300, 1000, 700), [box("a", (0, 300, 9, 9)), box("b", (0, 400, 9, 9))]),
        size=(1000, 1000),
    )
    assert names(nodes, levels=1) == [(1, "a"), (1, "b")]
    assert names(nodes, levels=1, start="html") == [(1, "beside"), (1, "body")]


def test_a_dominant_child_can_be_looked_for_before_headers_are_joined():
    head = ("h1", (0, 0, 1000, 50), {"id": "head"}, "One")
    most = box("most", (0, 0, 1000, 950), [box("a", (0, 0, 9, 9)), box("b", (0, 50, 9, 9))])
    nodes = body(box("bar", (0, 0, 9, 9)), head, most)
    assert names(nodes, levels=1) == [(1, "bar"), (1, "head most")]
    assert names(nodes, levels=1, dominant_first=True) == [(1, "a"), (1, "b")]


def test_large_letters_make_a_header():
    text = ("p", (0, 100, 1000, 100), {"id": "text"}, "many words of the usual size")
    title = ("div", (0, 0, 1000, 50), {"id": "title", **BIG}, "Title")
    assert names(body(title, text), levels=1) == [(1, "title"), (1, "text")]
    rest = ("p", (0, 200, 1000, 100), {"id": "rest"}, "more")
    assert names(body(rest, title, text), levels=1) == [(1, "rest"), (1, "title text")]


def test_a_page_that_is_one_merged_group_ends():
    nodes = body(("h1", (0, 0, 1000, 500), "One"), ("p", (0, 500, 1000, 500), "words"))
    assert names(nodes, levels=1) == [(1, "h1"), (1, "p")]


def test_usual_size_is_that_of_most_characters():
    nodes = body(("p", (0, 0, 9, 9), "most of the words here"), ("p", (0, 0, 9, 9), BIG, "few"))
    assert usual_text_size(nodes) == 16
    assert usual_text_size(body()) == 16


def test_documents_of_frames_are_not_entered():
    inside = ("html", (0, 0, 500, 500), [("body", (0, 0, 500, 500), "words")])
    nodes = body(("iframe", (0, 0, 500, 500), [inside]), box("a", (0, 500, 100, 100)))
    assert names(nodes) == [(1, "iframe"), (2, "iframe"), (1, "a"), (2, "a")]


def test_an_empty_body_is_one_block():
    assert names(body()) == [(1, "body"), (2, "body")]


def test_reasons_name_the_parent():
    reasons = [b.reason for b in find_blocks(SHOP, WebTerrainParams(levels=1))]
    assert reasons == ["one of 3 side by side in div#wrapper"] * 3


def test_runs_on_the_rendered_page_only():
    assert METHOD.inputs == ("rendered",)
    with pytest.raises(MethodError):
        METHOD.run(Page("about:blank"), WebTerrainParams(), "rendered")
    with pytest.raises(ParameterError):
        WebTerrainParams(dominance=0.4)


TAGS = st.sampled_from(["div", "p", "h2", "hr", "br", "img", "b"])
RECT = st.tuples(*[st.integers(0, 40).map(lambda k: k * 25)] * 4)
NODE = st.recursive(
    st.tuples(TAGS, RECT) | st.just("words"),
    lambda inner: st.tuples(TAGS, RECT, st.lists(inner, max_size=4)),
    max_leaves=25,
)
SWITCHES = st.fixed_dictionaries(
    {
        key: st.booleans()
        for key in ("merge_headers", "dominant_first", "thin", "texts", "last_child")
    }
)


@given(st.lists(NODE, max_size=5), SWITCHES)
def test_any_page_ends_in_blocks_that_do_not_overlap_on_level_one(children, switches):
    nodes = body(*children)
    result = find_blocks(nodes, WebTerrainParams(**switches))
    assert result == sorted(result, key=lambda b: (b.rows[0], b.level))
    covered = set()
    for block in result:
        rows = {r for row in block.rows for r in range(row, int(nodes.end[row]))}
        if block.level == 1:
            assert not rows & covered
            covered |= rows
        else:
            assert rows <= covered
