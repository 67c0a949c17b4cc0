"""Test types suggested for blocks, which are not gold until confirmed."""

from dataclasses import replace

import numpy as np
import pytest

from annotate.marks import checks, edits, similar
from annotate.marks.anchor import Anchors, find
from annotate.marks.drafts import unsure
from annotate.marks.gold import Gold, Guess, MarkState, Target
from annotate.marks.records import check
from engine.errors import InputError
from tests.tables import page_of, table

GUESS = Guess("Menu", "4 links make most of it", "1.0")
BOX = (0, 0, 500, 50)
NODES = table(
    (
        "body",
        (0, 0, 500, 200),
        [
            ("p", BOX, {"class": "a"}, "first words"),
            ("p", (0, 50, 500, 50), {"class": "a"}, "second words"),
            ("div", (0, 100, 500, 50), "others"),
        ],
    ),
    size=(500, 200),
)
FIRST, SECOND = (row for row in range(len(NODES)) if NODES.name_of(row) == "p")


def guess(_row, _level):
    return GUESS


@pytest.fixture
def gold():
    made = edits.add_block(Gold(), NODES, [Target(FIRST)], 2, ids=lambda: "one")
    return edits.guess_types(made, NODES, ["one"], guess)


def test_a_suggested_type_is_unconfirmed_and_not_the_type(gold):
    (mark,) = gold.marks
    assert (mark.type, mark.shown_type, mark.awaits_type) == ("", "Menu?", True)
    assert unsure(gold) == (mark,)
    assert gold.sure.marks == (mark,)  # its place is gold
    assert checks.FindingKind.UNTYPED not in {
        each.kind for each in checks.check(gold, page_of(NODES))
    }


def test_typed_blocks_get_no_suggestion(gold):
    typed = edits.set_type(gold, ["one"], "Article")
    assert edits.guess_types(typed, NODES, ["one"], lambda _row, _level: None) == typed


def test_the_largest_of_several_elements_tells_the_type():
    both = [Target(FIRST), Target(SECOND)]
    made = edits.add_block(Gold(), NODES, both, 2, ids=lambda: "two")
    asked = []

    def note(row, level):
        asked.append((row, level))
        return GUESS

    large = replace(NODES, rect=np.where(np.arange(len(NODES))[:, None] == SECOND, 400, NODES.rect))
    (mark,) = edits.guess_types(made, large, ["two"], note).marks
    assert (asked, mark.shown_type) == ([(SECOND, 2)], "Menu?")


def test_confirming_sets_the_type_and_keeps_the_suggestion(gold):
    (mark,) = edits.confirm(gold, NODES, ["one"]).marks
    assert (mark.type, mark.state, mark.guess) == ("Menu", MarkState.EXACT, GUESS)
    (other,) = edits.set_type(gold, ["one"], "Article").marks
    assert (other.type, other.shown_type, other.guess) == ("Article", "Article", GUESS)
    assert not unsure(Gold((other,)))


def test_setting_an_empty_type_declines_the_suggestion(gold):
    (mark,) = edits.set_type(gold, ["one"], "").marks
    assert (mark.type, mark.guess, mark.awaits_type) == ("", None, False)


def test_records_keep_suggestions_and_damaged_ones_are_refused(gold):
    anchors = Anchors(NODES)
    record = anchors.record(gold.marks[0])
    assert find(NODES, check(record)) == gold.marks[0]
    confirmed = edits.confirm(gold, NODES, ["one"]).marks[0]
    assert find(NODES, anchors.record(confirmed)) == confirmed
    declined = edits.set_type(gold, ["one"], "").marks[0]
    assert "guess" not in anchors.record(declined)
    with pytest.raises(InputError, match="damaged"):
        check({**record, "guess": {"type": 3}})


def test_similar_blocks_get_the_same_suggestion_and_follow_a_changed_type(gold):
    both = similar.add_similar(gold, NODES, ["one"])
    assert [mark.shown_type for mark in both.marks] == ["Menu?", "Menu?"]
    typed = edits.set_type(both, ["one"], "Article")
    after = similar.copy_type(both, typed, NODES, ["one"])
    assert [mark.shown_type for mark in after.marks] == ["Article", "Article?"]
