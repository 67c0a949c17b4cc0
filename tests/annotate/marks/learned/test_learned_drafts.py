"""Test drafts learned from the shipped models and confirmed pages."""

import pytest

from annotate.marks import edits
from annotate.marks.gold import MAIN, Gold, Target
from annotate.marks.learned.learned_drafts import LEARNED, learned_drafts, with_learned
from annotate.marks.learned.memory import lesson, memory_of
from annotate.marks.learned.offers import list_shipped, offer
from tests.annotate.pages import page_of, row_of

MODELS = list_shipped()
STORIES = (
    ("The ferry is back.", "It had been away for repairs since the storm of last winter."),
    ("A bridge is built.", "Nobody had thought that the council would ever come to a decision."),
    ("The market moves.", "From Monday on it is held behind the old garden of the school."),
)


def site_page(number):
    title, text = STORIES[number % len(STORIES)]
    return page_of(
        "<div class=top><a href=/>The Courier</a></div>"
        "<div class=links><a href=/a>Ships</a> <a href=/b>Tides</a> <a href=/c>Fish</a></div>"
        f"<div class=story><h2>{title}</h2><p>{text}</p></div>"
        f"<div class=strange><p>{title} {number}</p></div>"
        "<div class=end>All rights reserved by the Courier of the quay</div>"
    )


def row(nodes, name):
    return next(k for k, each in enumerate(nodes.attributes) if each.get("class") == name)


def marked(page):
    """Return gold with an unexpected block as a level-2 Ad."""
    nodes = page.rendered()
    gold = edits.add_block(Gold(), nodes, [Target(row(nodes, "strange"))], 2, "Ad")
    gold = edits.add_block(gold, nodes, [Target(row(nodes, "top"))], 1, "Header")
    return edits.add_main(gold, nodes, [Target(row(nodes, "story"))])


def offered(number, site="courier"):
    return offer(site_page(number), site, MODELS)


def lessons(*numbers, site="courier"):
    return [lesson(offered(k, site), marked(site_page(k))) for k in numbers]


def of_page(number, memory, levels=(MAIN, 1, 2)):
    page = offered(number)
    return {
        (each.level, page.nodes.attributes[each.target.row].get("class", "")): each
        for each in learned_drafts(page, memory, levels)
    }


def test_shipped_models_decide_before_any_page_is_confirmed():
    page = offered(0)
    memory = memory_of([])
    assert not memory.pages
    for level in (MAIN, 1, 2):
        assert memory.chances(page.items[level], level) is page.items[level].chance


def test_blocks_confirmed_on_other_pages_are_drafted_with_level_and_type():
    drafts = of_page(2, memory_of(lessons(0, 1)))
    assert drafts[2, "strange"].type == "Ad"
    assert drafts[1, "top"].type == "Header"
    assert (MAIN, "story") in drafts
    assert not {(MAIN, "end"), (2, "links")} & set(drafts)


def test_confidence_grows_with_each_confirmed_page():
    confidences = [of_page(2, memory_of(lessons(*range(n))))[2, "strange"].confidence
                   for n in (1, 2, 4, 8)]  # fmt: skip
    assert confidences == sorted(confidences)
    assert confidences[-1] > 0.85


def test_confidence_is_limited_by_the_rule_of_succession():
    drafts = of_page(2, memory_of(lessons(0, 1)))
    assert max(each.confidence for each in drafts.values()) == pytest.approx(3 / 4)


def test_blocks_left_unmarked_on_other_pages_are_not_drafted():
    page = site_page(0)
    nodes = page.rendered()
    gold = edits.add_block(Gold(), nodes, [Target(row(nodes, "top"))], 1, "Header")
    drafts = of_page(1, memory_of([lesson(offered(k), gold) for k in (0, 2, 3)]))
    assert {level for level, _ in drafts} - {MAIN} == {1}
    assert {name for level, name in drafts if level == 1} == {"top"}


def test_pages_of_another_site_count_less_than_those_of_the_same_site():
    own = memory_of(lessons(0, 1))
    other = memory_of(lessons(0, 1, site="other"))
    items = offered(2).items[2]
    strange = offered(2).of_row[row(offered(2).nodes, "strange")]
    assert own.chances(items, 2)[strange] > other.chances(items, 2)[strange] + 0.2


def test_pages_with_untyped_blocks_give_drafts_without_types():
    page = site_page(0)
    nodes = page.rendered()
    gold = edits.add_block(Gold(), nodes, [Target(row(nodes, "top"))], 1)
    drafts = of_page(1, memory_of([lesson(offered(0), gold)]))
    assert {each.type for each in drafts.values()} == {""}


def test_drafts_and_levels_without_a_mark_are_not_learned_from():
    page = site_page(0)
    nodes = page.rendered()
    gold = edits.add_main(Gold(), nodes, [Target(row(nodes, "story"))])
    drafted = with_learned(gold, nodes, learned_drafts(offered(0), memory_of(lessons(1)), (1, 2)),
                           "1", 1)  # fmt: skip
    assert drafted.drafts()
    assert set(lesson(offered(0), drafted).levels) == {MAIN}


def test_drafts_keep_their_method_and_leave_marks_unchanged():
    page = site_page(2)
    nodes = page.rendered()
    mine = edits.add_block(Gold(), nodes, [Target(row(nodes, "strange"))], 2, "Article")
    drafts = learned_drafts(offered(2), memory_of(lessons(0, 1)), (MAIN, 1, 2))
    after = with_learned(mine, nodes, drafts, "1.0", 2)
    assert after.marks[0] == mine.marks[0]
    assert {mark.seed.method for mark in after.drafts()} == {LEARNED}
    assert [m.type for m in after.marks if row(nodes, "strange") == m.targets[0].row] == ["Article"]
    assert with_learned(after, nodes, [each for each in drafts if each.level], "1.0", 2) is after


def test_a_page_without_words_gets_no_draft():
    page = page_of("<div></div>")
    assert learned_drafts(offer(page, "s", MODELS), memory_of(lessons(0)), (MAIN, 1, 2)) == ()


@pytest.mark.parametrize("share", [0.6, 0.4])
def test_a_text_counts_as_marked_if_more_than_half_of_it_is(share):
    page = page_of("<p id=a>0123456789</p>")
    nodes = page.rendered()
    text = row_of(nodes, "a") + 1
    gold = edits.add_main(Gold(), nodes, [Target(text, 0, int(10 * share))])
    assert offer(page, "s", MODELS).is_marked(gold, MAIN).tolist() == [share > 0.5]
