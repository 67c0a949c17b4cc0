"""Test drafts of the parts of a level-1 block, coarser and finer."""

import pytest

from annotate.marks import edits
from annotate.marks.drafts import around, draft_parts, drafts_in
from annotate.marks.gold import Gold, MarkState, Target
from engine.errors import InputError
from tests.tables import table

WORDS = "all of these words are enough for a block of its own on any page"
NODES = table(
    (
        "body",
        (0, 0, 1000, 1000),
        [
            (
                "main",
                (0, 0, 1000, 800),
                [
                    (
                        "div",
                        (0, 0, 500, 800),
                        [("h2", (0, 0, 500, 400), WORDS), ("h3", (0, 400, 500, 400), WORDS)],
                    ),
                    ("aside", (500, 0, 500, 800), WORDS),
                ],
            ),
            ("footer", (0, 800, 1000, 200), WORDS),
        ],
    ),
    size=(1000, 1000),
)
MAIN, DIV, TITLE, LATER, ASIDE, FOOTER = (
    next(row for row in range(len(NODES)) if NODES.name_of(row) == name)
    for name in ("main", "div", "h2", "h3", "aside", "footer")
)


def block(gold, row, level, name):
    return edits.add_block(gold, NODES, [Target(row)], level, ids=lambda: name)


def drafted(gold):
    return [(m.targets[0].row, m.level) for m in drafts_in(gold, NODES, [0])]


@pytest.fixture
def gold():
    return block(Gold(), MAIN, 1, "main")


def test_repeated_calls_draft_coarse_then_finer_then_coarse_parts(gold):
    first = draft_parts(gold, NODES, "main", "1")
    assert drafted(first) == [(DIV, 2), (ASIDE, 2)]
    assert {mark.state for mark in first.of_level(2)} == {MarkState.DRAFT}
    assert {mark.seed.method for mark in first.of_level(2)} == {"terrain"}
    second = draft_parts(first, NODES, "main", "1")
    assert drafted(second) == [(TITLE, 2), (LATER, 2), (ASIDE, 2)]
    assert drafted(draft_parts(second, NODES, "main", "1")) == drafted(first)


def test_confirmed_marks_are_kept_and_not_overlapped_by_drafts(gold):
    marked = block(gold, DIV, 2, "div")
    after = draft_parts(marked, NODES, "main", "1")
    assert after.find("div") == marked.find("div")
    assert drafted(after) == [(ASIDE, 2)]


def test_parts_of_an_inner_mark_are_those_of_the_block_around_it(gold):
    drafts = draft_parts(gold, NODES, "main", "1")
    inner = drafts.of_level(2)[0].id
    assert around(drafts, NODES, inner).id == "main"
    assert drafted(draft_parts(drafts, NODES, inner, "1"))[0] == (TITLE, 2)


def test_drafting_parts_without_a_level_1_block_or_parts_is_refused(gold):
    lonely = block(gold, FOOTER, 2, "foot")
    with pytest.raises(InputError, match="level-1 block"):
        draft_parts(lonely, NODES, "foot", "1")
    taken = block(block(gold, DIV, 2, "div"), ASIDE, 2, "aside")
    with pytest.raises(InputError, match="no parts"):
        draft_parts(taken, NODES, "main", "1")
