"""Blocks of FeatureExtractor and of InfoDiscoverer, against the printed listings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.plugins.baselines import fe_blocks, id_blocks
from algorithms.plugins.baselines.fe_blocks import FeBlocksParams
from algorithms.plugins.baselines.id_blocks import IdBlocksParams
from engine.errors import ParameterError
from tests.tables import page_of, table

BOX, NONE = (0, 0, 100, 100), (0, 0, 0, 0)


def body(*children):
    return table(("body", BOX, list(children)))


def fe(nodes, **params):
    blocks = fe_blocks.find_blocks(nodes, FeBlocksParams(**params))
    return [(b.level, nodes.text_below(b.rows[0])) for b in blocks]


def info(nodes, **params):
    blocks = id_blocks.find_blocks(nodes, IdBlocksParams(**params))
    return [(b.level, "|".join(nodes.text_below(r).strip() for r in b.rows)) for b in blocks]


def tr(*cells):
    return ("tr", BOX, [("td", BOX, list(cell)) for cell in cells])


def test_fe_splits_tables_into_rows_and_drops_text_outside_tables():
    nodes = body("lost", ("table", BOX, [tr(["menu"], ["story"]), tr(["end"])]))
    assert fe(nodes) == [(1, "menustory"), (1, "end")]


def test_fe_puts_nested_lists_on_level_2():
    inner = ("ul", BOX, [("li", BOX, "b")])
    nodes = body(("ul", BOX, [("li", BOX, ["a", inner])]), ("ul", BOX, [("li", BOX, "c")]))
    assert fe(nodes) == [(1, "ab"), (2, "b"), (1, "c")]


def test_fe_makes_one_block_of_a_page_without_its_tags():
    nodes = body(("div", BOX, "a"), ("div", BOX, "b"))
    assert fe(nodes) == [(1, "ab")]
    assert fe(nodes, tags="div") == [(1, "a"), (1, "b")]


def test_fe_leaves_out_hidden_blocks_by_default():
    nodes = body(("p", BOX, "words"), ("p", NONE, {"css": {"display": "none"}}, "hidden"))
    assert fe(nodes) == [(1, "words")]
    assert fe(nodes, visible_only=False) == [(1, "words"), (1, "hidden")]


def test_id_makes_blocks_of_cells_and_of_text_outside_tables():
    nodes = body(("h1", BOX, "title"), ("table", BOX, [tr(["menu"], ["story"])]), ("p", BOX, "end"))
    assert info(nodes) == [(1, "title|end"), (1, "menu"), (1, "story")]


def test_id_excludes_inner_tables_from_the_cell_around_them():
    inner = ("table", BOX, [tr(["inner"])])
    nodes = body(("table", BOX, [tr(["a", ("p", BOX, "b"), inner, "c"])]))
    assert info(nodes) == [(1, "a|b|c"), (2, "inner")]
    # The table around it is only layout, and no block.
    assert info(body(("table", BOX, [tr([inner])]))) == [(1, "inner")]


def test_id_leaves_out_hidden_texts_by_default():
    hidden = ("p", NONE, {"css": {"display": "none"}}, "hidden")
    nodes = body(("table", BOX, [tr([hidden], ["seen"])]))
    assert info(nodes) == [(1, "seen")]
    assert info(nodes, visible_only=False) == [(1, "hidden"), (1, "seen")]


@pytest.mark.parametrize("params", [FeBlocksParams, IdBlocksParams])
def test_empty_tags_are_refused(params):
    with pytest.raises(ParameterError, match="tags is empty"):
        params(tags=" ")


@pytest.mark.parametrize("nodes", [table(), body(), body(("div", BOX))])
def test_pages_without_visible_content_have_no_blocks(nodes):
    assert (info(nodes), [t for _, t in fe(nodes) if t]) == ([], [])


TAGS = st.sampled_from(["div", "table", "tr", "td", "p", "ul", "script"])
NODE = st.recursive(
    st.sampled_from(["words", " ", "more"]),
    lambda inner: st.tuples(TAGS, st.just(BOX), st.lists(inner, max_size=4)),
    max_leaves=20,
)


@given(st.lists(NODE, max_size=5))
def test_texts_of_id_blocks_equal_the_printed_listing(children):
    nodes = body(*children)
    expected = {}

    def build(block, row):
        """Algorithm 3.6: texts go to the block, tables and cells become blocks."""
        for child in nodes.children(row).tolist():
            name = nodes.name_of(child)
            if name in ("table", "td", "th"):
                build(child, child)
            elif name == "#text":
                if nodes.has_words[child] and nodes.name_of(row) != "script":
                    expected.setdefault(block, set()).add(child)
            elif name != "script":
                build(block, child)

    build(1, 1)
    blocks = id_blocks.find_blocks(nodes, IdBlocksParams())
    goal = nodes.has_words & ~nodes.within("script")
    result = [
        {r for row in b.rows for r in range(row, int(nodes.end[row])) if goal[r]} for b in blocks
    ]
    assert sorted(map(sorted, result)) == sorted(map(sorted, expected.values()))


@given(st.lists(NODE, max_size=5))
def test_fe_blocks_are_on_level_1_unless_inside_another(children):
    nodes = body(*children)
    blocks = fe_blocks.find_blocks(nodes, FeBlocksParams(visible_only=False))
    for block in blocks:
        inside = any(
            other is not block and nodes.is_inside(block.rows[0], other.rows[0]) for other in blocks
        )
        assert block.level == (2 if inside else 1)


def told(trace, nodes, name):
    row = nodes.tag.tolist().index(nodes.names.index(name))
    return [each.sentence for each in trace.decisions(row)]


def test_the_trace_of_fe_lists_the_tags_that_blocks_were_split_at():
    nodes = body("lost", ("table", BOX, [tr(["menu"], ["story"]), tr(["end"])]))
    trace = fe_blocks.trace(page_of(nodes), FeBlocksParams())
    assert told(trace, nodes, "body") == ["no block: it is cut at 1 element inside; tag table"]
    assert told(trace, nodes, "table") == ["no block: it is cut at 2 elements inside; tag tr"]
    assert told(trace, nodes, "tr")[-1] == "a block: something in it is visible; cut at tr"


def test_the_trace_of_id_counts_the_direct_texts_of_a_cell():
    nodes = body(("h1", BOX, "title"), ("table", BOX, [tr(["menu"], ["story"])]))
    trace = id_blocks.trace(page_of(nodes), IdBlocksParams())
    assert told(trace, nodes, "table") == ["no block: no text outside the blocks inside it"]
    assert told(trace, nodes, "td") == [
        "a block: 1 text outside the blocks inside it",
        "a block: it contains texts of one block and no other block; texts of a td",
    ]
    assert told(trace, nodes, "h1")[-1].endswith("texts of the document itself")
