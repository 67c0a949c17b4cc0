"""Test that marks are found exactly, as moved, or kept as lost."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.marks import edits
from annotate.marks.anchor import SHORTEST_FUZZY, Anchors, describe, find
from annotate.marks.gold import Gold, Mark, MarkState, Target
from annotate.marks.node_paths import path_index
from annotate.marks.page_text import page_text, raw_offsets
from engine.errors import InputError
from tests.annotate.marks.test_edits import pages_and_targets
from tests.annotate.pages import nodes_of, page_of, row_of, text_row
from tests.effort import effort

STORY = """<nav><ul><li><a>Home</a></li><li><a>News</a></li></ul></nav>
<main id=m><h1 id=t>A very good headline</h1><img id=i src=cat.jpg alt="A cat">
<p id=p1>The first paragraph speaks of cats and dogs.</p>
<p id=p2>The second one has a <b id=b>bold</b> word in it.</p></main>
<footer id=f>Home</footer>"""


def mark_of(nodes, *targets, level=2):
    return Mark("m", level, targets, "Article", MarkState.EXACT, page_text(nodes).quote(targets))


def located_on(body, other, name, words=""):
    """Mark a node by id (or a part of it by words) on one page; find it on another."""
    nodes = nodes_of(body)
    row = row_of(nodes, name)
    target = Target(row)
    if words:
        row = text_row(nodes, words)
        start = nodes.text[row].index(words)
        target = Target(row, start, start + len(words))
    record = describe(nodes, mark_of(nodes, target))
    after = nodes_of(other)
    return find(after, json.loads(json.dumps(record))), after


def test_a_mark_is_found_at_its_node_on_the_same_page():
    for name in ("t", "i", "p2", "m", "f"):
        mark, nodes = located_on(STORY, STORY, name)
        assert (mark.state, mark.targets) == (MarkState.EXACT, (Target(row_of(nodes, name)),))


@pytest.mark.parametrize("name", ["t", "p1", "p2", "f", "b"])
@pytest.mark.parametrize(
    "change",
    [
        lambda body: f"<div>Accept all our cookies?</div>{body}",
        lambda body: f"<div><div>{body}</div></div>",
        lambda body: body.replace("<p id=p1", "<p>An advertisement.</p><p id=p1"),
        lambda body: body.replace(" ", "\n   "),
        lambda body: body.replace("<nav>", "<header><nav>").replace("</nav>", "</nav></header>"),
    ],
)
def test_a_mark_with_unchanged_words_is_found_on_a_changed_page(name, change):
    mark, nodes = located_on(STORY, change(STORY).replace("<img\n  ", "<img "), name)
    assert (mark.state, mark.targets) == (MarkState.EXACT, (Target(row_of(nodes, name)),))


def test_an_article_is_found_in_new_wrappers_and_moved_if_its_words_change():
    mark, nodes = located_on(STORY, f"<div><div>{STORY}</div></div>", "m")
    assert (mark.state, mark.targets) == (MarkState.EXACT, (Target(row_of(nodes, "m")),))
    longer = STORY.replace("<p id=p1", "<p>An advertisement.</p><p id=p1")
    mark, nodes = located_on(STORY, longer, "m")
    assert (mark.state, mark.targets) == (MarkState.MOVED, (Target(row_of(nodes, "m")),))


def test_a_mark_with_changed_words_is_moved_and_keeps_the_old_quote():
    mark, nodes = located_on(STORY, STORY.replace("cats and dogs", "cats and mice"), "p1")
    assert (mark.state, mark.targets) == (MarkState.MOVED, (Target(row_of(nodes, "p1")),))
    assert mark.quote == "The first paragraph speaks of cats and dogs."


def test_a_deleted_passage_is_lost_and_not_anchored_to_a_similar_one():
    body = STORY.replace("<p id=p1>The first paragraph speaks of cats and dogs.</p>", "")
    mark, _ = located_on(STORY, body, "p1")
    assert (mark.state, mark.targets) == (MarkState.LOST, ())
    assert mark.quote == "The first paragraph speaks of cats and dogs."
    alike = body.replace("</nav>", "</nav><p>The fast paragraph speaks of carts and docks.</p>")
    assert located_on(STORY, alike, "p1")[0].state is MarkState.LOST


def test_short_texts_are_not_matched_fuzzily():
    # "News" is gone; "New" stands in its place with the same words around it.
    mark, _ = located_on(
        STORY.replace("<a>News", "<a id=n>News"), STORY.replace("News", "New"), "n"
    )
    assert mark.state is MarkState.LOST
    assert len("News") < SHORTEST_FUZZY


def test_a_deleted_short_text_is_not_anchored_to_another_occurrence():
    # The menu is gone; the footer still says "Home", with other words around it.
    start, end = STORY.index("<nav>"), STORY.index("</nav>") + len("</nav>")
    body = STORY.replace("<a>Home", "<a id=h>Home").replace("<footer id=f>", "<footer><a>")
    mark, _ = located_on(body, STORY[:start] + STORY[end:].replace("<footer id=f>", "<a>"), "h")
    assert mark.state is MarkState.LOST


def test_surroundings_decide_between_two_equal_texts():
    before, behind = "Alpha beta gamma delta epsilon zeta eta", "One two three four five six seven"
    body = f"<p>{before}</p><p id=x>Same words here again</p><p>{behind}</p>"
    twice = "<p>Same words here again</p><p>Other words stand between</p>" + body
    mark, nodes = located_on(body, twice, "x")
    assert (mark.state, mark.targets) == (MarkState.EXACT, (Target(row_of(nodes, "x")),))


def test_ambiguous_equal_texts_are_never_exact():
    item = "<li>Read more of this story today</li>" * 3
    body = f"<ul>{item}</ul>".replace("<li>", "<li id=x>", 1)
    mark, _ = located_on(body, f"<p>Nothing but an advertisement</p><ol>{item}{item}</ol>", "x")
    assert mark.state is not MarkState.EXACT


def test_a_sentence_in_other_surroundings_is_moved():
    body = "<p>Some words before it</p><p id=x>A sentence that is only here.</p><p>And behind</p>"
    other = "<div><p>Very different</p><div><p>A sentence that is only here.</p></div><p>Text</p>"
    mark, nodes = located_on(body, other, "x")
    assert mark.state is MarkState.MOVED
    assert page_text(nodes).quote(mark.targets) == "A sentence that is only here."


def test_a_part_of_a_text_is_found_even_if_the_text_is_split():
    mark, nodes = located_on(STORY, STORY, "p1", "first paragraph")
    assert (mark.state, mark.quote) == (MarkState.EXACT, "first paragraph")
    split = STORY.replace("first paragraph speaks", "first <i>paragraph</i> speaks")
    mark, nodes = located_on(STORY, split, "p1", "first paragraph speaks of")
    assert mark.state is MarkState.EXACT
    assert page_text(nodes).quote(mark.targets) == "first paragraph speaks of"
    assert len(mark.targets) == 3


def test_a_part_with_changed_words_is_moved():
    other = STORY.replace("speaks of cats", "speaks of many cats")
    mark, nodes = located_on(STORY, other, "p1", "paragraph speaks of cats and dogs")
    assert mark.state is MarkState.MOVED
    assert "speaks of many cats and dogs" in page_text(nodes).quote(mark.targets)


def test_a_picture_is_found_by_its_source():
    before = STORY.replace("<img", "<img src=ad.gif><img")
    mark, nodes = located_on(STORY, before, "i")
    assert (mark.state, mark.targets) == (MarkState.EXACT, (Target(row_of(nodes, "i")),))
    elsewhere = STORY.replace('<img id=i src=cat.jpg alt="A cat">', "").replace(
        "</footer>", '</footer><img id=i src=cat.jpg alt="A cat">'
    )
    mark, nodes = located_on(STORY, elsewhere, "i")
    assert (mark.state, mark.targets) == (MarkState.MOVED, (Target(row_of(nodes, "i")),))
    assert located_on(STORY, STORY.replace("cat.jpg", "dog.jpg"), "i")[0].state is MarkState.LOST


def test_a_gallery_is_recognised_by_its_pictures():
    body = "<div id=g><img src=1.png><img src=2.png></div><p>Words</p>"
    mark, _ = located_on(body, body, "g")
    assert mark.state is MarkState.EXACT
    assert located_on(body, body.replace("2.png", "3.png"), "g")[0].state is MarkState.LOST


def test_a_group_that_lost_a_node_is_moved():
    nodes = nodes_of(STORY)
    mark = mark_of(nodes, Target(row_of(nodes, "t")), Target(row_of(nodes, "p1")))
    other = nodes_of(STORY.replace("<p id=p1>The first paragraph speaks of cats and dogs.</p>", ""))
    result = find(other, describe(nodes, mark))
    assert (result.state, result.targets) == (MarkState.MOVED, (Target(row_of(other, "t")),))
    assert result.quote == mark.quote


def test_the_first_record_is_kept_until_a_moved_mark_is_confirmed():
    nodes = nodes_of(STORY)
    record = describe(nodes, mark_of(nodes, Target(row_of(nodes, "p1"))))
    other = nodes_of(STORY.replace("cats and dogs", "cats and mice"))
    anchors = Anchors(other)
    moved = anchors.find(record)
    assert anchors.record(moved) == record
    assert anchors.record(moved.with_(type="Ad")) == {**record, "type": "Ad"}
    (sure,) = edits.confirm(Gold((moved,)), other, ["m"]).marks
    assert anchors.record(sure)["targets"][0]["quote"].endswith("cats and mice.")
    assert anchors.record(moved) == record


def test_a_moved_mark_described_without_its_record_stays_moved():
    nodes = nodes_of(STORY)
    record = describe(nodes, mark_of(nodes, Target(row_of(nodes, "p1"))))
    other = nodes_of(STORY.replace("cats and dogs", "cats and mice"))
    moved = find(other, record)
    assert find(other, describe(other, moved)).state is MarkState.MOVED
    lost = find(nodes_of("<p>x</p>"), record)
    assert find(nodes, describe(nodes, lost)).state is MarkState.LOST


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"level": 7}, "level must be 0, 1 or 2, got 7"),
        ({"id": 3}, "3 is not a str"),
        ({"targets": None}, "damaged"),
        ({"targets": [{"path": "/html[1]"}]}, "no position"),
        ({"targets": [{"path": "/html[1]", "position": [1]}]}, "not a pair"),
    ],
)
def test_a_damaged_record_is_refused_with_the_reason(change, words):
    nodes = nodes_of(STORY)
    record = describe(nodes, mark_of(nodes, Target(row_of(nodes, "p1"))))
    with pytest.raises(InputError, match=words):
        find(nodes, {**record, **change})
    with pytest.raises(InputError, match="no level"):
        find(nodes, {k: v for k, v in record.items() if k != "level"})


@settings(deadline=None)
@given(pages_and_targets())
def test_every_mark_is_found_exactly_on_the_same_page(made):
    page, targets = made
    nodes = page.rendered()
    for target in targets:
        if target.is_whole or page_text(nodes).quote([target]):
            mark = mark_of(nodes, target)
            record = json.loads(json.dumps(describe(nodes, mark)))
            again = find(nodes, record)
            assert again.state is MarkState.EXACT
            assert again.targets == (target,)


@settings(deadline=None)
@given(pages_and_targets(), pages_and_targets())
def test_an_exact_mark_has_the_text_of_its_quote(one, other):
    nodes, others = one[0].rendered(), other[0].rendered()
    for target in one[1]:
        mark = find(others, describe(nodes, mark_of(nodes, target)))
        assert (mark.state is MarkState.LOST) == (mark.targets == ())
        if mark.state is MarkState.EXACT and mark.quote:
            text = page_text(others).quote(mark.targets)
            assert text.replace(" ", "") == mark.quote.replace(" ", "")
        if mark.state is MarkState.MOVED and mark.quote:
            assert len(mark.quote) >= SHORTEST_FUZZY or mark.quote in page_text(others).text


@settings(deadline=None)
@given(pages_and_targets())
def test_paths_equal_those_of_the_node_table_and_are_resolved_to_their_rows(made):
    nodes = made[0].rendered()
    index = path_index(nodes)
    for row in range(len(nodes)):
        assert index.path(row) == nodes.path(row)
        assert index.row_at(nodes.path(row)) == row
    assert index.row_at("") == index.row_at("/") == index.row_at("/html[2]") == -1


def test_page_text_has_blanks_where_a_reader_sees_gaps():
    nodes = nodes_of(
        "<h1>One</h1><p>H<sub>2</sub>O<br>next <b> bold</b>\n word</p>"
        "<table><tr><td>a</td><td>b</td></tr></table><script>no()</script>"
    )
    assert page_text(nodes).text == "One H2O next bold word a b"


@given(st.text(alphabet=" \n\t\u00a0ab", max_size=20))
def test_raw_offsets_map_collapsed_characters_to_the_original(raw):
    collapsed = " ".join(raw.split())
    offsets = raw_offsets(raw)
    assert len(offsets) == len(collapsed)
    assert all(
        raw[o] == c or (c == " " and raw[o].isspace())
        for o, c in zip(offsets, collapsed, strict=True)
    )


@settings(deadline=None)
@given(pages_and_targets(), st.data())
def test_any_range_of_page_text_is_covered_by_parts_of_texts(made, data):
    text = page_text(made[0].rendered())
    if not text.text:
        return
    start = data.draw(st.integers(0, len(text.text) - 1))
    stop = data.draw(st.integers(start + 1, len(text.text)))
    message = "".join(text.quote([target]) for target in text.parts(start, stop))
    assert message.replace(" ", "") == text.text[start:stop].replace(" ", "")


def test_effort_to_find_a_mark_does_not_grow_with_the_page():
    def work(sections, every):
        nodes = listed(sections)
        rows = [row for row in range(len(nodes)) if nodes.name_of(row) == "li"][::every]
        records = [describe(nodes, mark_of(nodes, Target(row))) for row in rows]
        marks = []
        calls = effort(lambda: marks.extend(find(nodes, record) for record in records))
        assert all(mark.state is MarkState.EXACT for mark in marks)
        return len(nodes), len(marks), calls / len(marks)

    few, many = work(100, 10), work(400, 10)
    assert many[0] > 10_000
    assert many[:2] == pytest.approx((4 * few[0], 4 * few[1]), rel=0.01)
    assert many[2] < 1.1 * few[2]
    assert many[2] < 100


def listed(sections):
    """Return a page with 32 nodes in each section."""
    item = "<li><a>Link number {0}</a> <span>with some words behind it {0}</span></li>"
    body = "".join(f"<section><ul>{item.format(k) * 5}</ul></section>" for k in range(sections))
    return page_of(body).rendered()
