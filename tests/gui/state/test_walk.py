"""Walking items one by one, cyclically."""

import pytest

from gui.state.walk import Walk


@pytest.fixture
def walk(qapp):
    made = Walk()
    made.items = ("a", "b", "c", "d")
    return made


@pytest.mark.parametrize(("by", "order"), [(1, "abcda"), (-1, "dcbad")])
def test_steps_begin_at_an_end_and_cycle(walk, by, order):
    reached = []
    for _ in order:
        walk.step(by)
        reached.append(walk.current)
    assert "".join(reached) == order


def test_a_step_skips_items_that_it_does_not_stop_at(walk):
    walk.choose(0)
    walk.step(1, stops_at=lambda item: item in "ac")
    assert walk.current == "c"
    walk.step(-1, stops_at=lambda item: item in "ac")
    assert walk.current == "a"


def test_a_step_without_an_item_to_stop_at_does_not_move(walk):
    walk.choose(1)
    walk.step(1, stops_at=lambda _item: False)
    assert walk.current == "b"
