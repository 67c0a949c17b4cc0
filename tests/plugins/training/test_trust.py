"""How far suggested types can be trusted."""

import pytest

from algorithms.learning.blocks.block_model import confidence
from algorithms.plugins.training.block_fit import suggestions, trust_of, type_scores
from tests.algorithms.learning.made import made_page

MADE = [(1, "Header", "Header")] * 3 + [(1, "Header", "Content"), (2, "", "Menu")]


def test_the_confidence_in_a_type_grows_with_how_often_it_was_right():
    trust = trust_of(MADE)
    assert trust == {"1 Header": [3, 4], "2 ": [0, 1]}
    assert confidence(trust, 1, "Header") == pytest.approx(4 / 6)
    assert confidence(trust, 2, "Header") is None
    assert confidence(trust, 2, "") is None


def test_types_are_scored_with_the_confidence_learned_on_other_sites():
    by_site = {"a": MADE, "b": [(1, "Header", "Header")] * 5}
    result = type_scores(by_site)
    assert result["blocks"] == 10
    assert result["right"] == 0.8
    # Header alone has 5 gold blocks or more: 8 right of 9 suggested and 8 gold
    assert result["macro_f"] == round(2 * 8 / 17, 4)
    # site a is scored with b's confidence 6 / 7, site b with a's 4 / 6; "" is not a suggestion
    near, far = (1 - 6 / 7) ** 2, (6 / 7) ** 2
    assert result["brier"] == round((3 * near + far + 5 * (1 - 4 / 6) ** 2) / 9, 4)
    assert type_scores({}) == {}


def test_suggested_types_come_from_the_rules():
    nodes = made_page(0)[0].rendered()
    row = int((nodes.has_tag("h1")).nonzero()[0][0])
    assert suggestions(nodes, [(row, 2, "Logo")]) == ((2, "Title", "Logo"),)
