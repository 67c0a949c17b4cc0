"""Test checks of marks and their fixes."""

from dataclasses import replace

import numpy as np
import pytest

from algorithms.results import Block, Extraction, Segmentation
from annotate.marks import edits
from annotate.marks.checks import FindingKind, check, fix_finding
from annotate.marks.gold import Gold, MarkState, Target
from engine.page import Page
from tests.annotate.pages import page_of, row_of

BODY = (
    "<header id=head>The Courier</header>"
    "<main id=main><p id=one>The ferry is back.</p><p id=two>Nobody was hurt.</p></main>"
    "<aside id=side><p id=ad>Buy a boat</p><p id=void></p></aside>"
)
BOXES = {
    "body": (0, 0, 1000, 1000),
    "head": (0, 0, 1000, 100),
    "main": (0, 100, 700, 900),
    "one": (0, 100, 700, 300),
    "two": (0, 400, 700, 300),
    "side": (700, 100, 300, 900),
    "ad": (700, 100, 300, 300),
    "void": (700, 400, 0, 0),
}


def _page() -> Page:
    page = page_of(BODY)
    nodes = page.rendered()
    rect = nodes.rect.copy()
    for name, box in BOXES.items():
        row = row_of(nodes, name)
        rect[row] = box
        for child in nodes.children(row).tolist():
            rect[child] = box if nodes.is_text[child] else rect[child]
    return replace(page, nodes=replace(nodes, rect=rect, width=1000, height=1000))


PAGE = _page()
NODES = PAGE.rendered()


def row(name):
    return row_of(NODES, name)


def marked(*found, main=("one",)):
    gold = Gold()
    for name, level, kind in found:
        gold = edits.add_block(gold, NODES, [Target(row(name))], level, kind)
    return edits.add_main(gold, NODES, [Target(row(name)) for name in main])


GOOD = (("head", 1, "Header"), ("main", 1, "Content"), ("one", 2, "Article"))


def kinds(gold, results=None):
    return [each.kind for each in check(gold, PAGE, results)]


def test_correct_gold_has_no_findings():
    assert check(marked(*GOOD), PAGE) == []
    assert check(Gold(), PAGE) == []


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        (("ad", 2, "Ad"), FindingKind.OUTSIDE),
        (("two", 1, "Content"), FindingKind.OVERLAP),
        (("two", 2, ""), FindingKind.UNTYPED),
    ],
)
def test_outside_overlapping_and_untyped_blocks_are_found(more, kind):
    (finding,) = check(marked(*GOOD, more), PAGE)
    assert finding.kind is kind
    assert finding.fix == ""
    assert finding.says.endswith(".")


def test_the_finding_names_the_marks_it_is_about():
    gold = marked(*GOOD, ("two", 1, "Sidebar"))
    (finding,) = check(gold, PAGE)
    assert {gold.find(i).type for i in finding.marks} == {"Sidebar", "Content"}
    assert "overlap on level 1" in finding.says


def test_missing_main_content_and_main_content_outside_blocks_are_found():
    assert kinds(marked(*GOOD, main=("ad",))) == [FindingKind.MAIN_OUTSIDE]
    assert kinds(marked(*GOOD, main=())) == [FindingKind.NO_MAIN]
    assert kinds(marked(main=("ad",))) == []


def test_a_block_of_the_whole_page_is_found():
    assert FindingKind.WHOLE_PAGE in kinds(marked(("body", 1, "Menu")))


def test_an_empty_block_is_found_and_fixed():
    gold = marked(*GOOD, ("side", 1, "Sidebar"), ("void", 2, "Ad"))
    (finding,) = check(gold, PAGE)
    assert (finding.kind, finding.fix) == (FindingKind.EMPTY, "delete it")
    assert check(fix_finding(gold, finding), PAGE) == []


def test_fixing_a_duplicate_block_removes_the_later_one():
    inner = page_of("<main id=main><div id=wrap><p id=one>The ferry</p></div></main>")
    nodes = inner.rendered()
    gold = edits.add_block(Gold(), nodes, [Target(row_of(nodes, "main"))], 1, "Content")
    box = np.tile(np.float32([0, 0, 100, 100]), (len(nodes), 1))
    page = replace(inner, nodes=replace(nodes, rect=box, width=1000, height=1000))
    gold = edits.add_block(gold, nodes, [Target(row_of(nodes, "wrap"))], 1, "Content")
    finding = next(each for each in check(gold, page) if each.kind is FindingKind.DUPLICATE)
    after = fix_finding(gold, finding)
    assert [t.row for mark in after.marks for t in mark.targets] == [row_of(nodes, "main")]


def text(*words):
    spans = [(PAGE.dom.html.index(w), PAGE.dom.html.index(w) + len(w)) for w in words]
    return Extraction(PAGE.dom, np.array(spans, dtype=np.int32))


def test_a_mark_that_three_or_more_methods_miss_is_found():
    gold = marked(*GOOD, main=("two",))
    against = {key: text("The ferry is back.") for key in "abc"}
    (finding,) = check(gold, PAGE, against)
    assert finding.kind is FindingKind.AGAINST
    assert "no method keeps" in finding.says.lower()
    assert check(gold, PAGE, {key: against[key] for key in "ab"}) == []
    assert check(gold, PAGE, {**against, "d": text("Nobody was hurt.")}) == []


def test_blocks_that_no_method_has_are_found():
    gold = marked(*GOOD)
    result = Segmentation(NODES, (Block((row("head"),), 1), Block((row("one"),), 1)))
    (finding,) = check(gold, PAGE, dict.fromkeys("abc", result))
    assert gold.find(finding.marks[0]).type == "Content"


def test_drafts_are_not_checked():
    gold = marked(*GOOD)
    draft = edits.add_block(gold, NODES, [Target(row("ad"))], 2).marks[-1]
    assert check(Gold((*gold.marks, draft.with_(state=MarkState.DRAFT))), PAGE) == []


def test_blocks_that_no_method_has_are_one_finding_for_each_type():
    gold = Gold()
    for number, name in enumerate(("head", "one", "two")):
        gold = edits.add_block(gold, NODES, [Target(row(name))], 1, "Other" if number else "Header")
    nowhere = Segmentation(NODES, ())
    found = [
        each
        for each in check(gold, PAGE, dict.fromkeys("abc", nowhere))
        if each.kind is FindingKind.AGAINST
    ]
    assert [len(each.marks) for each in found] == [1, 2]
    assert found[0].says == "No method found “Header”; leave it if its extent is right."
    says = "No method found 2 blocks of type “Other”; leave them if their extents are right."
    assert found[1].says == says
