"""Disagreement of methods: texts that some keep and others drop, drawn as heat."""

import pytest

from algorithms.core.catalogue import method
from algorithms.results import everything
from gui.plugins.disagreement.controller import (
    DisagreementMap,
    Disagreements,
    disagreement,
    extractions,
)
from tests.hand import Hand

pytestmark = pytest.mark.web

PAGE = (
    "<nav><a href=/a>One</a> <a href=/b>Two</a></nav><article><p id=text>"
    + "The old bridge over the river is closed for repairs until spring. " * 9
    + "</p></article>"
)


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE, "bridge.html")
    made.wait_for_methods()
    return made


def test_heat_is_drawn_on_elements_that_only_some_methods_keep(window, hand):
    page = window.session.open.page
    whole = everything(page.original)
    lqf = method("lqf").run(page, method("lqf").params(), "original")
    heat = disagreement(page, [whole, lqf])
    assert len(heat) == 2, "the two links, which one of two methods drops"
    assert all(share == pytest.approx(1) for share in heat.values())
    assert disagreement(page, [whole, whole]) == {}
    assert disagreement(page, [whole, whole, whole, lqf]) == pytest.approx(dict.fromkeys(heat, 0.5))


def test_the_action_shows_and_hides_the_disagreement(window, hand):
    session = window.session
    state = session.get(DisagreementMap)
    for key in ("plain", "lqf"):
        if all(layer.key != key for layer in session.layers.all):
            session.layers.add_method(key)
        session.layers.change_layer(key, visible=True)
    hand.wait_for_methods()
    results = extractions(session)
    assert len(results) >= 2
    heat = disagreement(session.open.page, results)

    def drawn():
        """Return how many boxes of the heat are drawn."""
        specs = [each for each in window.workbench.canvas.drawn if each["id"] == "disagreement"]
        return [len(each["boxes"]) for each in specs]

    assert drawn() == []
    action = window.workbench.get(Disagreements)
    action.toggle()
    assert state.is_shown
    assert "methods disagree on" in session.messages.message
    hand.qtbot.waitUntil(lambda: drawn() == [len(heat)])
    assert heat
    action.toggle()
    assert not state.is_shown
    hand.qtbot.waitUntil(lambda: drawn() == [])


def test_the_action_asks_for_two_visible_methods(window, hand):
    session = window.session
    for layer in session.layers.all:
        if not layer.is_gold:
            session.layers.change_layer(layer.key, visible=False)
    window.workbench.get(Disagreements).toggle()
    assert not session.get(DisagreementMap).is_shown
    assert session.messages.message.startswith("show two methods")
