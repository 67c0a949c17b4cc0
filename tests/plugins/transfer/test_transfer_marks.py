"""Transfer of marks of one page to another of its template."""

from dataclasses import replace

import numpy as np
import pytest

from annotate.marks import edits
from annotate.marks.anchor import Anchors
from annotate.marks.gold import MAIN, Gold, MarkState, Target
from annotate.plugins.transfer.transfer import (
    TransferredMark,
    transfer_marks,
    with_drafts,
    without_marked,
)
from engine.nodes import STYLE_PROPERTIES
from tests.annotate.pages import nodes_of, row_of, text_row

HEAD = "<div class=head><a href=/>Home</a><a href=/news>News</a></div>"
FOOT = "<div class=foot><p>All rights reserved.</p></div>"


def page(article, head=HEAD, foot=FOOT):
    return nodes_of(f"{head}<div class=article id=main>{article}</div>{foot}")


MARKED = page("<h1>Storm</h1><p>It blew all night.</p><p>Trees fell.</p>")


def main(nodes, *names):
    return edits.add_main(Gold(), nodes, [Target(row_of(nodes, name)) for name in names])


def text(nodes, found):
    return [" ".join(nodes.text_below(t.row).split()) for each in found for t in each.targets]


def test_a_whole_article_of_any_length_is_found_by_its_class():
    other = page("<h1>Calm</h1><p>No wind.</p><p>None.</p><p>At all.</p><ul><li>Still</ul>")
    result = transfer_marks([(MARKED, main(MARKED, "main"))], other)
    assert [each.targets for each in result.sure] == [(Target(row_of(other, "main")),)]
    assert result.doubtful == ()


def test_parts_excluded_from_an_article_are_excluded_on_other_pages():
    share = "<div class=share><a href=x>Share</a></div>"
    marked = page(f"<h1>Storm</h1><p>It blew all night.</p>{share}<p>Trees fell.</p>")
    gold = edits.remove_main(main(marked, "main"), marked, [Target(text_row(marked, "Share"))])
    other = page(f"<p>No wind here.</p>{share}<h1>Calm</h1><p>None at all.</p>")
    result = transfer_marks([(marked, gold)], other)
    assert text(other, result.sure) == ["No wind here.", "Calm", "None at all."]


def test_elements_without_a_class_are_distinguished_by_order():
    def bare(*paragraphs):
        menu = "<p><a href=/>Home</a> <a href=/news>News</a></p><hr>"
        text = "".join(f"<p>{words}</p>" for words in paragraphs)
        return nodes_of(f"{menu}{text}<hr><p>All rights reserved.</p>")

    marked = bare("A long tale begins here.", "It goes on for a while.")
    rows = [text_row(marked, words) for words in ("A long tale", "It goes on")]
    gold = edits.add_main(Gold(), marked, [Target(int(marked.parent[row])) for row in rows])
    other = bare("Another tale, told at once.", "Then more of it.", "And its end, at last.")
    result = transfer_marks([(marked, gold)], other)
    assert text(other, result.sure) == [
        "Another tale, told at once.", "Then more of it.", "And its end, at last.",
    ]  # fmt: skip


def test_elements_that_no_marked_page_has_are_doubtful():
    marked = nodes_of("<main><p id=a>The story.</p><footer>Read by 1200 people</footer></main>")
    other = nodes_of(
        "<main><p>A story.</p><table><tr><td>Some numbers</table><footer>Read by 31 people</footer>"
        "</main>"
    )
    result = transfer_marks([(marked, main(marked, "a"))], other)
    assert text(other, result.sure) == ["A story."]
    assert text(other, result.doubtful) == ["Some numbers"]


def inline(nodes, *names):
    """Return the nodes with these elements displayed inline."""
    style = np.array([int(nodes.name_of(row) in names) for row in range(len(nodes))])
    rest = ("",) * (len(STYLE_PROPERTIES) - 1)
    return replace(
        nodes, style=style.astype(np.int32), styles=(("block", *rest), ("inline", *rest))
    )


def test_buttons_of_a_new_class_within_an_article_are_doubtful():
    tried = "<div class=try><b>Try</b><button>Run it here</button></div>"
    other = page(f"<h1>Calm</h1><p>No wind.</p>{tried.replace('<b>Try</b>', '')}<p>None.</p>")
    result = transfer_marks([(MARKED, main(MARKED, "main"))], other)
    assert text(other, result.sure) == ["Calm", "No wind.", "None."]
    assert text(other, result.doubtful) == ["Run it here"]
    assert [each.is_marked for each in result.doubtful] == [True]
    mixed = page(f"<h1>Calm</h1><p>No wind.</p>{tried * 2}".replace("Try", "Long words to be read"))
    assert transfer_marks([(MARKED, main(MARKED, "main"))], mixed).doubtful == ()


def test_a_list_of_links_is_doubtful_unless_a_similar_one_is_marked():
    def listed(count, to="#"):
        links = "".join(f"<li><a href='{to}{n}'>Part {n}</a></li>" for n in range(count))
        return page(f"<ul>{links}</ul><h1>Calm</h1><p>No wind.</p>")

    result = transfer_marks([(MARKED, main(MARKED, "main"))], listed(4))
    assert text(listed(4), result.doubtful) == ["Part 0Part 1Part 2Part 3"]
    assert text(listed(4), result.sure) == ["Calm", "No wind."]
    assert transfer_marks([(MARKED, main(MARKED, "main"))], listed(2)).doubtful == ()
    with_one = listed(5)
    gold = main(with_one, "main")
    assert transfer_marks([(with_one, gold)], listed(4)).doubtful == ()
    assert len(transfer_marks([(with_one, gold)], listed(4, "/page/")).doubtful) == 1


def test_blocks_of_links_are_certain_if_blocks_are_marked():
    marked = nodes_of("<div class=a id=a><p>One.</p></div><div class=b><p>Two.</p></div>")
    gold = edits.add_block(Gold(), marked, [Target(row_of(marked, "a"))], 1, "Article")
    links = "".join(f"<li><a href=#{n}>Part {n}</a></li>" for n in range(4))
    other = nodes_of(f"<div class=a id=a><ul>{links}</ul></div><div class=b><p>Two.</p></div>")
    result = transfer_marks([(marked, gold)], other)
    assert [each.targets for each in result.sure] == [(Target(row_of(other, "a")),)]


def test_unmarked_boxes_in_main_content_are_doubtful_but_inline_code_is_not_split():
    menu = "<nav><p>To <code class=name>numpy</code></p><div class=note><p>Mind.</p></div></nav>"
    marked = inline(nodes_of(f"{menu}<main><h1>Title</h1><p>A story.</p></main>"), "code")
    body = "<table><tr><td><p>Of <code class=name>numpy</code></p></td></tr></table>"
    body += "<table><tr><td><div class=note><p>Beware.</p></div></td></tr></table>"
    other = inline(nodes_of(f"{menu}<main><h1>A</h1>{body}<p>End.</p></main>"), "code")
    gold = main(marked, "h1")
    gold = edits.add_main(gold, marked, [Target(int(marked.parent[text_row(marked, "A story")]))])
    result = transfer_marks([(marked, gold)], other)
    assert "Beware." in text(other, result.doubtful)
    assert "Of numpy" in " ".join(text(other, (*result.sure, *result.doubtful)))


def test_a_nested_section_is_marked_in_part_like_the_one_around_it():
    def nested(inner):
        return nodes_of(
            "<article><section><h2>Title<a class=anchor href=#x>link</a></h2>"
            f"<p>Words of it.</p>{inner}</section></article><nav>menu</nav>"
        )

    marked = nested("")
    gold = edits.remove_main(main(marked, "article"), marked, [Target(row_of(marked, "a"))])
    other = nested("<section><h3>More<a class=anchor href=#y>link</a></h3><p>Deeper.</p></section>")
    result = transfer_marks([(marked, gold)], other)
    assert text(other, result.sure) == ["Title", "Words of it.", "More", "Deeper."]


def test_marks_of_two_pages_are_transferred_together():
    one = page("<h1>Storm</h1><p>It blew.</p>")
    two = page("<h1>Rain</h1><table><tr><td>Much</table>")
    golds = [
        edits.add_main(Gold(), nodes, [Target(r) for r in nodes.children(row_of(nodes, "main"))])
        for nodes in (one, two)
    ]
    other = page("<h1>Hail</h1><p>It fell.</p><table><tr><td>Little</table>")
    result = transfer_marks(list(zip((one, two), golds, strict=True)), other)
    assert text(other, result.sure) == ["Hail", "It fell.", "Little"]


def test_blocks_and_nested_blocks_keep_level_and_type():
    gold = edits.add_block(Gold(), MARKED, [Target(row_of(MARKED, "main"))], 1, "Content")
    gold = edits.add_block(gold, MARKED, [Target(row_of(MARKED, "h1"))], 2, "Title")
    gold = edits.add_block(gold, MARKED, [Target(1 + row_of(MARKED, "body"))], 1, "Header")
    other = page("<h1>Calm</h1><p>No wind.</p>")
    result = transfer_marks([(MARKED, gold)], other)
    assert [(each.level, each.type, each.targets[0].row) for each in result.sure] == [
        (1, "Header", 1 + row_of(other, "body")),
        (1, "Content", row_of(other, "main")),
        (2, "Title", row_of(other, "h1")),
    ]


def test_a_block_within_a_block_of_its_level_is_transferred():
    outer, inner = "<div class=outer id=o><div class=inner id=i>Words</div>More</div>", "<p>End</p>"
    marked, other = nodes_of(outer + inner), nodes_of("<p>Start</p>" + outer + inner)
    gold = Gold()
    for name in "oi":
        gold = edits.add_block(gold, marked, [Target(row_of(marked, name))], 1)
    result = transfer_marks([(marked, gold)], other)
    assert [each.targets[0].row for each in result.sure] == [row_of(other, "o"), row_of(other, "i")]


def test_a_block_of_several_elements_stays_one_block():
    marked = nodes_of("<div><h2 class=t>Title</h2><p class=s>Story</p></div><div>menu</div>")
    rows = [Target(row_of(marked, name)) for name in ("h2", "p")]
    gold = edits.add_block(Gold(), marked, rows, 2, "Article")
    other = nodes_of("<div><h2 class=t>Other</h2><p class=s>Tale</p></div><div>menu</div>")
    (block,) = transfer_marks([(marked, gold)], other).sure
    assert text(other, [block]) == ["Other", "Tale"]


def test_a_page_transferred_to_itself_gets_its_own_marks():
    gold = main(MARKED, "h1", "p")
    result = transfer_marks([(MARKED, gold)], MARKED)
    assert {t for each in result.sure for t in each.targets} == {
        t for mark in gold.marks for t in mark.targets
    }


def test_an_empty_page_gets_nothing():
    result = transfer_marks([(MARKED, main(MARKED, "main"))], nodes_of(""))
    assert (result.sure, result.doubtful) == ((), ())


def test_existing_marks_are_not_overwritten():
    other = page("<h1>Calm</h1><p>No wind.</p>")
    own = main(other, "h1")
    result = transfer_marks([(MARKED, main(MARKED, "h1", "p"))], other)
    assert text(other, result.sure)[0] == "Calm"
    remaining = without_marked(result, own, other)
    after = with_drafts(own, other, remaining.sure)
    assert after.marks[: len(own.marks)] == own.marks
    assert "Calm" not in text(other, remaining.sure)


def test_transferred_marks_that_overlap_existing_ones_raise():
    other = page("<h1>Calm</h1><p>No wind.</p>")
    whole = TransferredMark(MAIN, "", (Target(row_of(other, "main")),), 1.0, True)
    with pytest.raises(ValueError, match="must not touch"):
        with_drafts(main(other, "h1"), other, [whole])


def test_drafts_are_stored_and_restored_as_drafts_until_confirmed():
    other = page("<h1>Calm</h1><p>No wind.</p>")
    gold = with_drafts(Gold(), other, transfer_marks([(MARKED, main(MARKED, "main"))], other).sure)
    assert [mark.state for mark in gold.marks] == [MarkState.DRAFT]
    (record,) = Anchors(other).records(gold)
    (again,) = Anchors(other).records(Gold((Anchors(other).find(record),)))
    assert again == record
    assert Anchors(other).find(record).state is MarkState.DRAFT
    confirmed = edits.confirm(gold, other, [gold.marks[0].id])
    assert [mark.state for mark in confirmed.marks] == [MarkState.EXACT]
    assert "draft" not in Anchors(other).records(confirmed)[0]


def test_no_mark_is_certain_on_a_page_of_another_site():
    names = ("masthead", "teaser", "colophon", "rail", "lead")
    marked = nodes_of("".join(f"<div class={name}><p>Words here.</p></div>" for name in names))
    gold = Gold()
    for name in names:
        block = [
            Target(row) for row in range(len(marked)) if marked.attributes[row].get("class") == name
        ]
        gold = edits.add_block(gold, marked, block, 1, "Content")
    others = ("page", "nav-x", "box", "info", "base")
    other = nodes_of("".join(f"<div class={name}><p>Other words.</p></div>" for name in others))
    result = transfer_marks([(marked, gold)], other)
    assert result.sure == ()
    assert all(each.confidence <= 0.5 for each in result.doubtful)
    same = transfer_marks([(marked, gold)], marked)
    assert len(same.sure) == len(names)
