"""Which level a block has by its place."""

from annotate.marks import edits
from annotate.marks.fit import level_at
from annotate.marks.gold import Gold, Target
from tests.annotate.pages import page_of, row_of

NODES = page_of(
    "<div id=a><p id=ap>Ferry back</p></div><div id=b><p id=bp>Tide mill opens</p></div>"
).rendered()


def at(*names):
    return tuple(Target(row_of(NODES, name)) for name in names)


def test_a_block_in_a_level_1_block_is_of_level_2_and_any_other_of_level_1():
    gold = edits.add_block(Gold(), NODES, at("a"), 1)
    found = [level_at(gold, NODES, at(name)) for name in ("ap", "bp", "b", "a")]
    assert found == [2, 1, 1, 1]


def test_a_level_1_block_of_neighbours_holds_what_lies_in_either():
    gold = edits.add_block(Gold(), NODES, at("a", "b"), 1)
    assert [level_at(gold, NODES, at(name)) for name in ("ap", "bp", "a")] == [2, 2, 2]
    assert level_at(gold, NODES, at("a", "b")) == 1


def test_a_level_2_block_tells_nothing():
    gold = edits.add_block(Gold(), NODES, at("a"), 2)
    assert level_at(gold, NODES, at("ap")) == 1
