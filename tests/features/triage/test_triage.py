"""Triage in the window: pages are predicted in the background, and listed hardest first."""

import pytest
from PySide6.QtCore import Qt

from annotate.workspace.workspace import page_key
from gui.features.pages.panel import ADDRESS, PagesDock
from gui.state.work_order import WorkOrder
from tests.annotate.datasets.layouts import put
from tests.hand import Hand

pytestmark = pytest.mark.web

SAYS = {
    "teaches": "undecided about",
    "unusual": "of the pages gleaner was trained on",
    "disagreement": "of the words in common",
}

SENTENCES = "".join(
    f"<p class=text>On day {n} the council said that the old bridge over the river would be closed "
    f"until the spring, and that report number {n} would say who pays for the repairs."
    for n in range(12)
)
MENU = "".join(f"<li class=entry><a href=/{n}>Section {n}</a></li>" for n in range(40))
PAGE = (
    f"<title>Bridge</title><nav><ul>{MENU}</ul></nav><article>{SENTENCES}</article>"
    "<footer><p>All rights reserved by the paper.</p></footer>"
)
LINKS = "".join(f"<p><a href=/{n}>Read more</a> Offer {n}</p>" for n in range(40))
HARD = f"<title>Offers</title><div>{LINKS}</div>"


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    pages = {f"{name}.html": PAGE.replace("Bridge", name) for name in ("a", "b", "d")}
    put(tmp_path / "news", pages | {"c.html": HARD})
    made.open_path(tmp_path / "news")
    return made


@pytest.mark.slow
def test_pages_are_listed_and_walked_hardest_first_with_their_reasons(window, hand):
    dock, order = window.panel(PagesDock), window.session.get(WorkOrder)
    hand.qtbot.waitUntil(lambda: dock.titles() == ["a", "b", "Offers", "d"], timeout=20_000)
    window.actions_["triage"].trigger()
    hand.qtbot.waitUntil(lambda: bool(order.ranks), timeout=60_000)
    assert dock.titles()[0] == "Offers"
    assert sorted(dock.titles()) == ["Offers", "a", "b", "d"]
    lowest = min(order.ranks.values(), key=lambda rank: rank.f1)
    assert dock.shown.index(0, 0).data(ADDRESS) == lowest.why("bad")
    assert dock.shown.index(0, 0).data(ADDRESS).startswith(f"F1 {lowest.f1:.2f} expected; ")
    assert "methods disagree" in lowest.why("bad")
    assert dock.remark() == "0 of 4 done, hardest first"
    assert window.session.messages.message == "4 pages listed, hardest first"
    titles = dock.titles()
    opened, asked = [], titles[window.session.open.page.title == titles[0] :]
    for _ in asked:  # from the first of the new order on
        with hand.qtbot.waitSignal(window.session.open.page_changed, timeout=20_000):
            window.workbench.navigation.next_page()
        opened.append(window.session.open.page.title)
    assert opened == asked
    window.actions_["triage"].trigger()
    assert dock.titles() == ["a", "b", "Offers", "d"]
    assert dock.shown.index(0, 0).data(ADDRESS) == "a.html"


@pytest.mark.slow
def test_opening_other_pages_clears_the_order(window, hand, tmp_path):
    order = window.session.get(WorkOrder)
    window.actions_["triage"].trigger()
    hand.qtbot.waitUntil(lambda: bool(order.ranks), timeout=60_000)
    put(tmp_path / "others", {"x.html": PAGE})
    hand.open_path(tmp_path / "others")
    assert order.ranks == {}


def test_other_orders_reuse_the_predictions_and_can_be_turned_off(window, hand):
    dock, order = window.panel(PagesDock), window.session.get(WorkOrder)
    window.actions_["triage"].trigger()
    hand.qtbot.waitUntil(lambda: bool(order.ranks), timeout=60_000)
    ranks = order.ranks
    for by in ("teaches", "unusual", "disagreement"):
        window.actions_[f"triage-{by}"].trigger()
        assert order.ranks is ranks  # nothing is predicted again
        values = {
            window.workbench.pages.title(each): ranks[page_key(each)].value(by)
            for each in window.session.documents
        }
        listed = [values[title] for title in dock.titles()]
        assert listed == sorted(listed)
        assert len(set(listed)) > 1
        assert order.in_words in dock.remark()
        reasons = [dock.shown.index(row, 0).data(ADDRESS) for row in range(4)]
        assert all(SAYS[by] in reason for reason in reasons)
        assert reasons[0] in dock.shown.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    window.actions_["triage-disagreement"].trigger()
    assert dock.titles() == ["a", "b", "Offers", "d"]


def test_triage_shows_the_list_of_pages(window, hand):
    dock = window.panel(PagesDock)
    dock.hide()
    window.actions_["triage"].trigger()
    assert dock.isVisible()
