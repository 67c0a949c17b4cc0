"""Methods on sites in the window are run, scored, changed and explained."""

import shutil

import pytest

from algorithms.core.attempt import OutcomeStatus
from annotate.marks.gold import MAIN
from gui.core.runner import ALONE
from gui.features.evaluate.columns import entries
from gui.features.layers.controller import ShownLayers
from gui.features.layers.panel import ON_SITES
from gui.features.why.controller import WhyActions
from gui.features.why.state import WhyState
from gui.state.selection import Mode
from tests.plugins.site.test_sites import STORIES, made

pytestmark = pytest.mark.web


@pytest.fixture
def site(tmp_path):
    return made(tmp_path / "town")


def outcome(hand, key):
    going = (None, OutcomeStatus.WAITING, OutcomeStatus.RUNNING)

    def is_over():
        return getattr(hand.session.layers.outcomes.get(key), "status", None) not in going

    hand.qtbot.waitUntil(is_over, timeout=60_000)
    return hand.session.layers.outcomes[key]


def add(hand, key):
    hand.session.layers.add_method(key)
    return outcome(hand, key)


def test_a_method_on_sites_is_a_layer_with_score_and_parameters(hand, site):
    hand.open_path(site)
    assert len(hand.session.open.siblings) == 4
    assert add(hand, "df-filter").result.text == STORIES[0]
    assert hand.session.layers.layer("df-filter").source == "original"
    assert hand.session.layers.scores["df-filter"].ws.f1 == 1.0  # its gold came with the data set
    params = hand.session.layers.layer("df-filter").params
    hand.session.layers.change_layer("df-filter", params=type(params)(share=1.0))
    hand.qtbot.waitUntil(lambda: hand.session.layers.scores["df-filter"].ws.f1 < 1, timeout=20_000)
    assert "story 2" in hand.session.layers.outcomes["df-filter"].result.text


def test_the_next_page_of_a_site_uses_the_pages_that_are_read_already(hand, site):
    hand.open_path(site)
    add(hand, "df-filter")
    before = hand.session.open.site
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=20_000):
        hand.workbench.navigation.next_page()
    assert outcome(hand, "df-filter").result.text == STORIES[1]
    assert hand.session.open.site.seed == 1
    assert hand.session.open.site.memo is before.memo


def test_a_folder_of_pages_without_an_index_is_a_site(hand, site):
    hand.open_path(site / "pages")
    assert add(hand, "df-filter").result.text == STORIES[0]


def test_a_method_on_sites_fails_on_a_page_without_a_site(hand):
    hand.open("<p>one")
    result = add(hand, "site")
    assert (result.status, result.error) == (OutcomeStatus.FAILED, ALONE)


def test_a_site_that_cannot_be_read_is_reported_in_a_sentence(hand, site):
    hand.open_path(site)
    (site / "pages" / "2.html").unlink()
    result = add(hand, "df-filter")
    assert result.status is OutcomeStatus.FAILED
    assert result.error.startswith("its site cannot be read: ")


def test_a_method_on_sites_is_scored_against_new_marks(hand, site):
    shutil.rmtree(site / "gold")
    (site / "gold").mkdir()
    hand.open_path(site / "pages")
    add(hand, "df-filter")
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    hand.session.selection.set_candidate(hand.row("p"))
    hand.workbench.marking.take()
    assert len(hand.session.open.gold.of_level(MAIN)) == 1
    assert hand.session.layers.scores["df-filter"].ws.f1 == 1.0


def test_why_names_the_number_of_pages_with_a_text(hand, site):
    hand.open_path(site)
    add(hand, "df-filter")
    hand.session.layers.set_current_layer("df-filter")
    why = hand.session.get(WhyState)
    hand.workbench.get(WhyActions).ask(hand.row("li"))
    hand.qtbot.waitUntil(
        lambda: bool(why.answers) and why.answers[0].key == "df-filter", timeout=20_000
    )
    assert why.answers[0].sentence.endswith("occurs on 4 of 4 pages: template")
    hand.qtbot.waitUntil(lambda: "df-filter" in why.counterfactuals, timeout=20_000)
    assert why.counterfactuals["df-filter"].counterfactual.parameter == "share"


def test_the_occurrence_layer_shows_shares_of_pages_above_a_least_value(hand, site):
    hand.open_path(site)
    state = hand.session.layers.occurrence
    hand.workbench.get(ShownLayers).toggle_occurrence()
    hand.qtbot.waitUntil(lambda: bool(state.shares), timeout=20_000)
    menu, story = hand.row("li a"), hand.row("p")
    assert state.shares[menu] == 1.0
    assert state.shares[story] == 0.25
    assert state.pages == 4
    assert menu in state.drawn
    assert story not in state.drawn
    state.set_least(0.2)
    assert story in state.drawn
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=20_000):
        hand.workbench.navigation.next_page()
    hand.qtbot.waitUntil(lambda: bool(state.shares), timeout=20_000)
    hand.open("<p>one")
    assert not state.shares


def test_methods_on_sites_are_offered_for_pages_with_siblings(hand, site):
    assert not any(each.group == ON_SITES for each in entries([]))
    offered = [each.key for each in entries([], with_sites=True) if each.group == ON_SITES]
    assert "site" in offered
    assert "sst-boot" in offered
    hand.open_path(site)
    assert hand.session.open.siblings
    hand.open("<p>one")
    assert not hand.session.open.siblings
