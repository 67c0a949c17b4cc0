"""The shared state of the Site view, on six pages of two templates."""

import numpy as np
import pytest

from algorithms.plugins.site.overview import overview
from engine.source import Source
from gui.plugins.site.state import SiteState


def story(n):
    return f"<body><nav><a>Home</a></nav><article><h1>{n}</h1><p>Story</p></article></body>"


def table(n):
    return f"<body><table><tr><td>{n}</td><td><b>x</b></td></tr></table></body>"


@pytest.fixture
def compared():
    pages = [story(1), table(1), story(2), story(3), table(2), story(4)]
    return overview([Source.from_text(page) for page in pages], "cp")


@pytest.fixture
def state(compared):
    state = SiteState()
    state.set_names(f"page {n}" for n in range(6))
    state.set_overview(compared)
    return state


def test_pages_are_clustered_by_template_with_the_largest_cluster_first(state):
    assert [sorted(pages) for pages in state.clusters()] == [[0, 2, 3, 5], [1, 4]]
    assert state.members(4) == [1, 4]


def test_the_order_of_pages_groups_similar_pages(compared):
    kinds = ["story" if page in (0, 2, 3, 5) else "table" for page in compared.order.tolist()]
    assert kinds in (["story"] * 4 + ["table"] * 2, ["table"] * 2 + ["story"] * 4)


def test_a_high_threshold_joins_all_pages_and_a_low_one_only_equal_pages(state, qtbot):
    with qtbot.waitSignal(state.clusters_changed):
        state.set_threshold(1.0)
    assert len(state.clusters()) == 1
    state.set_threshold(-1.0)
    assert len(state.clusters()) == 2  # pages of a template are equal here


def test_pages_are_one_cluster_until_they_are_compared():
    state = SiteState()
    state.set_names(["a", "b"])
    assert state.clusters() == [[0, 1]]
    assert state.members(1) == [1]


def test_the_central_page_is_nearest_to_the_others():
    near = [story(1), story(2).replace("<p>", "<p><i>i</i>"), story(3)]
    far = "<body><nav><a>Home</a></nav><article><h1>1</h1><ul><li>x</ul></article></body>"
    result = overview([Source.from_text(page) for page in [far, *near]], "cp")
    assert result.central([0, 1, 2, 3]) in (1, 3)


def test_an_overview_of_one_page_or_none_has_one_cluster_or_none():
    for count in (0, 1):
        result = overview([Source.from_text(story(1))] * count, "cps-class")
        assert len(result) == count
        assert result.clusters(result.threshold).tolist() == [0] * count


def test_counts_of_the_histogram_add_up_to_the_number_of_pairs(compared):
    counts, edges = compared.histogram(10)
    assert counts.sum() == 15
    assert np.all(np.diff(edges) > 0)
