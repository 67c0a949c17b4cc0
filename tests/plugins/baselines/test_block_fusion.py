"""BlockFusion against the printed listing, and on pages small enough to count."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.plugins.baselines.block_fusion import (
    BlockFusionParams,
    Fused,
    fuse,
    segment,
    segment_by_rules,
    trace,
    trace_by_rules,
)
from engine.errors import MethodError
from engine.page import Page
from tests.tables import page_of_html, table

NEVER = np.zeros(50, dtype=bool)
STORY = "these are many words of a story that goes on and on until its line of text is full "


def singles(pairs):
    return [Fused(k, k + 1, words, lines) for k, (words, lines) in enumerate(pairs)]


def printed(pieces, threshold):
    """Follow algorithm 6.1: merge into block1 while the next is alike, until nothing merges."""
    pieces = [[words, lines, [index]] for index, (words, lines) in enumerate(pieces)]
    not_done = True
    while not_done and len(pieces) > 1:
        not_done = False
        first = pieces[0]
        for second in list(pieces[1:]):
            one, other = first[0] / first[1], second[0] / second[1]
            if abs(one - other) <= threshold * max(one, other):
                first[0] += second[0]
                first[1] += second[1]
                first[2] += second[2]
                pieces = [piece for piece in pieces if piece is not second]
                not_done = True
            else:
                first = second
    return [tuple(positions) for _, _, positions in pieces]


PAIRS = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 5)), max_size=12)


@given(PAIRS, st.sampled_from([0.0, 0.2, 0.38, 1.0]))
def test_fusing_equals_the_printed_listing(pairs, threshold):
    result = fuse(singles(pairs), threshold, NEVER, NEVER)
    assert [tuple(range(f.first, f.last)) for f in result] == printed(pairs, threshold)


def test_a_menu_and_a_story_are_not_fused():
    page = page_of_html(
        "<html><head></head><body><ul><li>Home</li><li>News</li></ul>"
        f"<p>{STORY * 3}</p><p>{STORY * 4}</p></body></html>"
    )
    result = segment(page, BlockFusionParams())
    texts = [result.text_of(block).split() for block in result.blocks]
    story = STORY * 2 + STORY.rstrip() + STORY * 4  # the paragraphs have no separator
    assert texts == [["HomeNews"], story.split()]
    assert {block.level for block in result.blocks} == {1}


def test_a_smaller_threshold_inside_gives_level_two():
    body = f"<p>{STORY}</p><div>{'word ' * 12}</div>"
    page = page_of_html(f"<html><head></head><body>{body}</body></html>")
    result = segment(page, BlockFusionParams(inner=0.1)).blocks
    assert [b.level for b in result] == [1, 2, 2]
    assert result[0].rows == tuple(sorted(result[1].rows + result[2].rows))


def test_rules_split_at_headings_and_fuse_at_line_breaks():
    body = "one two<br>three four five six seven eight<h2>nine ten</h2>"
    page = page_of_html(f"<html><head></head><body>{body}</body></html>")
    by_rules = segment_by_rules(page, BlockFusionParams())
    texts = [by_rules.text_of(block) for block in by_rules.blocks]
    assert texts == ["one twothree four five six seven eight", "nine ten"]
    plain = segment(page, BlockFusionParams())
    assert [plain.text_of(b) for b in plain.blocks] == [
        "one two", "three four five six seven eight", "nine ten",
    ]  # fmt: skip


@pytest.mark.parametrize("html", ["<html><head></head><body></body></html>", ""])
def test_a_page_without_text_has_no_blocks(html):
    assert segment(page_of_html(html), BlockFusionParams()).blocks == ()
    assert segment_by_rules(page_of_html(html), BlockFusionParams()).blocks == ()


def test_a_page_without_dom_html_raises_a_method_error():
    with pytest.raises(MethodError):
        segment(Page("about:blank", nodes=table()), BlockFusionParams())


def test_a_trace_lists_decisions_by_pass_with_their_densities():
    page = page_of_html(
        "<html><head></head><body><ul><li>Home</li><li>News</li></ul>"
        f"<p>{STORY * 3}</p><p>{STORY * 4}</p></body></html>"
    )
    nodes = page.rendered()
    _, news, first, second = (row for row in range(len(nodes)) if nodes.is_text[row])
    result = trace(page, BlockFusionParams())
    asks = "with the text before: densities differ by"
    text = [result.decisions(row)[0].sentence for row in (news, first, second)]
    assert text == [
        f"fused {asks} .00 (at most .38 allowed); pass 1: 1.0 words per line here, 1.0 before",
        f"not fused {asks} .94 (at most .38 allowed); pass 1: 18.0 words per line here, 1.0 before",
        f"fused {asks} .00 (at most .38 allowed); pass 1: 18.0 words per line here, 18.0 before",
    ]
    by_rules = trace_by_rules(page, BlockFusionParams()).decisions(first)[0]
    assert by_rules.sentence.endswith("the tags between them decide")
    assert np.isnan(by_rules.threshold)


def test_a_trace_includes_decisions_of_level_2():
    page = page_of_html(f"<body><p>{STORY}</p><p>{STORY * 2}</p></body>")
    nodes = page.rendered()
    second = [row for row in range(len(nodes)) if nodes.is_text[row]][-1]
    steps = trace(page, BlockFusionParams(threshold=1.0, inner=0.1)).decisions(second)
    assert ["inside" in each.sentence for each in steps] == [False, True, False]
    assert [each.threshold for each in steps[:2]] == [1.0, 0.1]
