"""No measure without its definition."""

import pytest

from algorithms.measures.definitions import DEFINITIONS, definition_of
from algorithms.measures.named import TEXT_MEASURES
from algorithms.measures.named_blocks import BLOCK_MEASURES


@pytest.mark.parametrize("key", [each.key for each in (*TEXT_MEASURES, *BLOCK_MEASURES)])
def test_every_measure_says_how_it_is_worked_out_and_who_published_it(key):
    found = definition_of(key)
    assert found.formula.endswith(".")
    assert found.corners.endswith(".")
    assert found.source


def test_a_level_does_not_change_the_definition():
    assert definition_of("b3-pixels-1") is definition_of("b3-pixels")
    assert definition_of("iou-75") is not definition_of("iou-50")


def test_nothing_is_defined_that_there_is_not():
    known = {each.key for each in TEXT_MEASURES}
    known |= {each.key for each in BLOCK_MEASURES if each.level == "all"}
    assert set(DEFINITIONS) == known


def test_what_is_unknown_has_no_definition():
    with pytest.raises(KeyError):
        definition_of("nothing-at-all")
