"""Differences of annotators: all planted ones are found, and no others."""

import random

import pytest

from annotate.marks import edits
from annotate.marks.gold import MAIN, Gold, Mark, Target, new_id
from annotate.plugins.team_work.resolving import (
    decide_versions,
    find_taken,
    marked_again,
    text_taken,
    with_marks,
)
from annotate.plugins.team_work.review import DifferenceKind, compare
from tests.annotate.pages import nodes_of, page_of, row_of, text_row

BODY = """
<header id=head><div id=wrap><h1>Harbour news</h1></div></header>
<main id=main><p id=a>The ferry is back this morning.</p><p id=b>It had left in May.</p>
<p id=c>Nobody had missed it much, they say.</p></main>
<ul id=list><li id=x>Tides</li><li id=y>Weather reports</li></ul><img id=logo src=l.png alt=Logo>
"""


@pytest.fixture
def nodes():
    return nodes_of(BODY)


def gold_of(nodes, *blocks, main=()):
    gold = Gold()
    for level, type, *names in blocks:
        targets = [Target(row_of(nodes, name)) for name in names]
        gold = Gold((*gold.marks, Mark(new_id(), level, tuple(targets), type)))
    for name in main:
        gold = edits.toggle_main(gold, nodes, Target(row_of(nodes, name)))
    return gold


def told(nodes, **golds):
    return [
        (d.level, str(d.kind), {who: v.type for v in d.versions for who in v.who})
        for d in compare(nodes, golds).differences
    ]


def test_equal_marks_are_no_difference_whichever_element_was_clicked(nodes):
    anna = gold_of(nodes, (1, "Header", "head"), (2, "Logo", "logo"), main=["main"])
    ben = gold_of(nodes, (1, "Header", "wrap"), (2, "Logo", "logo"), main=["a", "b", "c"])
    result = compare(nodes, {"anna": anna, "ben": ben})
    assert result.differences == ()
    assert {(m.level, m.type) for m in result.agreed} == {(1, "Header"), (2, "Logo"), (MAIN, "")}
    assert result.agreed == result.fused


def test_each_kind_of_difference_is_detected_and_named(nodes):
    assert told(nodes, anna=gold_of(nodes, (1, "Header", "head")), ben=Gold()) == [
        (1, "not marked by all", {"anna": "Header", "ben": ""})
    ]
    assert told(
        nodes,
        anna=gold_of(nodes, (1, "Header", "head")),
        ben=gold_of(nodes, (1, "Title", "head")),
    ) == [(1, "type differs", {"anna": "Header", "ben": "Title"})]
    assert told(
        nodes,
        anna=gold_of(nodes, (2, "Link list", "list")),
        ben=gold_of(nodes, (2, "Link list", "y")),
    ) == [(2, "extent differs", {"anna": "Link list", "ben": "Link list"})]
    assert told(
        nodes,
        anna=gold_of(nodes, (1, "Content", "main")),
        ben=gold_of(nodes, (1, "Article", "a"), (1, "Article", "b"), (1, "Article", "c")),
    ) == [(1, "one block or several", {"anna": "Content", "ben": "Article"})]


def test_equal_blocks_on_different_levels_are_two_differences(nodes):
    result = told(
        nodes, anna=gold_of(nodes, (1, "Menu", "list")), ben=gold_of(nodes, (2, "Menu", "list"))
    )
    assert [(level, kind) for level, kind, _ in result] == [
        (1, "not marked by all"), (2, "not marked by all"),
    ]  # fmt: skip


def test_main_content_differs_by_its_texts(nodes):
    result = compare(
        nodes, {"anna": gold_of(nodes, main=["main"]), "ben": gold_of(nodes, main=["a"])}
    )
    (one,) = result.differences
    assert (one.level, one.kind, one.rows) == (
        MAIN, DifferenceKind.ALONE, (text_row(nodes, "It had"), text_row(nodes, "Nobody")),
    )  # fmt: skip
    assert [len(version.marks) for version in one.versions] == [2, 0]
    part = Gold((Mark("p", MAIN, (Target(text_row(nodes, "The ferry"), 0, 9),)),))
    result = compare(nodes, {"anna": gold_of(nodes, main=["a"]), "ben": part})
    assert [d.kind for d in result.differences] == [DifferenceKind.EXTENT]


def test_marks_of_three_annotators_are_fused_by_majority(nodes):
    golds = {
        "anna": gold_of(nodes, (1, "Header", "head"), (2, "Menu", "list"), main=["a", "b"]),
        "ben": gold_of(nodes, (1, "Header", "head"), (2, "Link list", "list"), main=["a"]),
        "carla": gold_of(nodes, (1, "Title", "head"), main=["a", "b", "c"]),
    }
    result = compare(nodes, golds)
    assert [(m.level, m.type) for m in result.fused if m.level != MAIN] == [(1, "Header")]
    assert {t.row for m in result.fused if m.level == MAIN for t in m.targets} == {
        row_of(nodes, "a"), row_of(nodes, "b"),
    }  # fmt: skip
    assert len(result.differences) == 4


def test_a_chosen_version_replaces_the_other_and_is_recognised(nodes):
    anna, ben = gold_of(nodes, (1, "Header", "head")), gold_of(nodes, (1, "Title", "wrap"))
    (one,) = compare(nodes, {"anna": anna, "ben": ben}).differences
    gold = Gold()
    for version in one.versions:
        gold = decide_versions(gold, nodes, one, [version])
        assert find_taken(one, gold) == (version,)
        assert len(gold.marks) == 1
    both = decide_versions(gold, nodes, one, one.versions)
    assert find_taken(one, both) == one.versions
    assert decide_versions(both, nodes, one, []) == Gold()
    theirs = ids(anna, ben)
    assert not marked_again([one], both, nodes, theirs)
    assert marked_again([one], gold_of(nodes, (1, "Logo", "h1")), nodes, theirs) == {one.item}


def ids(*golds):
    return {mark.id for gold in golds for mark in gold.marks}


def test_a_mark_around_or_inside_another_does_not_decide_its_difference(nodes):
    anna = gold_of(nodes, (2, "Ad", "a"))
    ben = gold_of(nodes, (2, "Article", "main"), (2, "Comment", "b"))
    result = compare(nodes, {"anna": anna, "ben": ben}).differences
    inner, large, other = result[1], result[0], result[2]
    assert [d.rows[0] for d in result] == [row_of(nodes, n) for n in ("main", "a", "b")]
    took = decide_versions(Gold(), nodes, large, [large.of("ben")])
    assert marked_again(result, took, nodes, ids(anna, ben)) == frozenset()
    for difference, name in ((inner, "a"), (large, "main"), (other, "b")):
        mine = Gold((*took.marks, *gold_of(nodes, (2, "Menu", name)).marks))
        assert marked_again(result, mine, nodes, ids(anna, ben)) == {difference.item}
        on_another_level = gold_of(nodes, (1, "Menu", name))
        assert marked_again(result, on_another_level, nodes, ids(anna, ben)) == frozenset()


def test_marks_that_cover_most_of_a_block_decide_its_difference(nodes):
    anna, ben = gold_of(nodes, (2, "Article", "main")), gold_of(nodes, (2, "Logo", "logo"))
    result = compare(nodes, {"anna": anna, "ben": ben}).differences
    parts = gold_of(nodes, (2, "Article", "a"), (2, "Article", "b"))
    assert marked_again(result, parts, nodes, ids(anna, ben)) == {result[0].item}
    one = gold_of(nodes, (2, "Article", "b"))
    assert marked_again(result, one, nodes, ids(anna, ben)) == frozenset()


def test_a_decision_removes_text_that_the_majority_added(nodes):
    anna, ben = (gold_of(nodes, main=["a", "b", "c"]) for _ in range(2))
    result = compare(nodes, {"anna": anna, "ben": ben, "carla": gold_of(nodes, main=["a", "c"])})
    (one,) = result.differences
    fused = with_marks(Gold(), nodes, result.fused)
    assert text_taken([one], fused, nodes) == {one.item: one.of("anna")}
    after = decide_versions(fused, nodes, one, [one.of("carla")])
    assert {t.row for mark in after.marks for t in mark.targets} == {
        row_of(nodes, "a"), row_of(nodes, "c"),
    }  # fmt: skip
    again = decide_versions(after, nodes, one, [one.of("ben")])
    assert text_taken([one], again, nodes) == {one.item: one.of("anna")}
    by_hand = Gold((Mark(new_id(), MAIN, (Target(row_of(nodes, "main")),)),))
    assert decide_versions(by_hand, nodes, one, []) == by_hand


def test_chosen_text_is_recognised_in_one_mark_or_several(nodes):
    anna, ben = gold_of(nodes, main=["a", "b", "c"]), gold_of(nodes, main=["a"])
    (one,) = compare(nodes, {"anna": anna, "ben": ben}).differences
    whole = Gold((Mark(new_id(), MAIN, (Target(row_of(nodes, "main")),)),))
    assert text_taken([one], whole, nodes) == {one.item: one.of("anna")}
    assert text_taken([one], gold_of(nodes, main=["a"]), nodes) == {}
    part = gold_of(nodes, main=["b"])
    assert text_taken([one], part, nodes) == {}
    assert marked_again([one], part, nodes, ids(anna, ben)) == {one.item}


def test_adding_fused_marks_again_duplicates_nothing(nodes):
    anna = gold_of(nodes, (1, "Header", "head"), main=["a"])
    result = compare(
        nodes, {"anna": anna, "ben": gold_of(nodes, (1, "Header", "wrap"), main=["a"])}
    )
    once = with_marks(Gold(), nodes, result.fused)
    assert with_marks(once, nodes, result.fused) == once
    assert len(with_marks(anna, nodes, result.fused).of_level(1)) == 1


def page_of_many(count: int):
    parts = "".join(
        f"<section id=s{n}><h2>Heading {n} of it</h2><p id=p{n}>Some words of story {n}.</p>"
        f"<p id=q{n}>And more words of number {n}.</p></section>"
        for n in range(count)
    )
    return page_of(parts).rendered()


@pytest.mark.parametrize("seed", range(12))
def test_exactly_the_planted_differences_are_found(seed):
    """Differences of known kinds are planted in the second of two equal sets of marks."""
    dice = random.Random(seed)
    nodes = page_of_many(40)
    types = ["Article", "Content", "Menu"]
    anna = gold_of(nodes, *((1, dice.choice(types), f"s{n}") for n in range(40)),
                   *((2, "Title", f"p{n}") for n in range(40)))  # fmt: skip
    positions = dice.sample(range(40), 17)
    planted: dict[int, DifferenceKind] = {}
    ben: list[Mark] = []
    kinds = dict(
        zip(
            positions,
            [k for k in DifferenceKind if k is not DifferenceKind.UNSURE] * 3
            + [DifferenceKind.ALONE, DifferenceKind.TYPE],
            strict=True,
        )
    )
    for n in range(40):
        block, title = anna.marks[n], anna.marks[40 + n]
        kind = kinds.get(n)
        row = row_of(nodes, f"s{n}")
        if kind is not None:
            planted[row] = kind
        if kind is DifferenceKind.TYPE:
            block = block.with_(id=new_id(), type="Footer")
        elif kind is DifferenceKind.FIELDS:
            block = block.with_(id=new_id(), fields=(("tone", "opinion"),))
        elif kind is DifferenceKind.EXTENT:
            rows = (row_of(nodes, f"p{n}"), row_of(nodes, f"q{n}"))
            block = block.with_(id=new_id(), targets=tuple(map(Target, rows)))
        elif kind is DifferenceKind.SPLIT:
            for name in ("p", "q"):
                target = Target(row_of(nodes, f"{name}{n}"))
                ben.append(Mark(new_id(), 1, (target,), block.type))
        else:
            block = block.with_(id=new_id())
        if kind not in (DifferenceKind.ALONE, DifferenceKind.SPLIT):
            ben.append(block)
        ben.append(title.with_(id=new_id()))
    result = compare(nodes, {"anna": anna, "ben": Gold(tuple(ben))}).differences
    assert {d.rows[0]: d.kind for d in result} == planted
    assert len(result) == 17


def unsure(gold, *types):
    return Gold(tuple(mark.with_(is_unsure=mark.type in types) for mark in gold.marks))


def test_unsure_marks_are_listed_first_even_if_all_agree(nodes):
    blocks = (1, "Header", "head"), (2, "Link list", "list"), (2, "Logo", "logo")
    anna = unsure(gold_of(nodes, *blocks), "Link list")
    ben = gold_of(nodes, (1, "Title", "head"), *blocks[1:])
    result = compare(nodes, {"anna": anna, "ben": ben})
    assert [(each.kind, each.unsure) for each in result.differences] == [
        (DifferenceKind.UNSURE, ("anna",)), (DifferenceKind.TYPE, ()),
    ]  # fmt: skip
    assert [mark.type for mark in result.agreed] == ["Logo"]
    alone = compare(nodes, {"anna": anna}).differences
    assert [(each.kind, each.unsure) for each in alone] == [(DifferenceKind.UNSURE, ("anna",))]


def test_an_unsure_text_of_main_content_is_a_separate_difference(nodes):
    anna = unsure(gold_of(nodes, main=["a", "b"]))
    flagged = Gold(tuple(m.with_(is_unsure=m is anna.marks[1]) for m in anna.marks))
    result = compare(nodes, {"anna": flagged, "ben": anna})
    assert [(each.kind, each.level, each.rows) for each in result.differences] == [
        (DifferenceKind.UNSURE, MAIN, (text_row(nodes, "It had"),))
    ]
    assert [t.row for m in result.agreed for t in m.targets] == [row_of(nodes, "a")]


def test_a_decided_mark_is_not_unsure(nodes):
    anna = unsure(gold_of(nodes, (1, "Header", "head")), "Header")
    result = compare(nodes, {"anna": anna, "ben": gold_of(nodes, (1, "Header", "wrap"))})
    (one,) = result.differences
    gold = decide_versions(Gold(), nodes, one, [one.of("anna")])
    assert [mark.is_unsure for mark in gold.marks] == [False]
    assert find_taken(one, gold) == one.versions
    assert not with_marks(Gold(), nodes, result.fused).marks[0].is_unsure
