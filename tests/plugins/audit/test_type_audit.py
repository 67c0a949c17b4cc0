"""Evidence against the type of a gold block: a rare type is not wrong for being rare."""

import numpy as np
import pytest

from algorithms.plugins.audit.type_audit import ERRORS, type_evidence

SITES = 10


def evidence(blocks):
    """Return evidence on blocks given by site, level, suggested type and type."""
    return type_evidence([tuple(block[1:]) for block in blocks], [block[0] for block in blocks])


def usual(count=5):
    """Return blocks of each site whose suggested type is their type."""
    return [(site, 2, name, name) for site in range(SITES) for name in ("Menu", "Article")
            for _ in range(count)]  # fmt: skip


def test_a_common_type_in_an_unusual_place_is_suspected_by_the_rule_of_bayes():
    known = evidence([*usual(), (3, 2, "Menu", "Article")])
    assert known.is_judged.tolist() == [False] * 100 + [True]
    assert (known.alike[-1], known.as_suggested[-1], known.as_marked[-1]) == (45, 45, 0)
    # each other Article agrees with 45 of 45 or 45 of 46 similar blocks, plus half a block
    of_others = [(45 + 0.25) / 45.5] * 50
    mean = (sum(of_others) + 45 * 0 + 0.5 * 45 / 90 / 45.5) / 51
    assert known.usual[-1] == pytest.approx(45 * mean, rel=0.01)
    odds = ERRORS * (known.usual[-1] + 0.5) / ((1 - ERRORS) * 0.5)
    assert known.suspicion[-1] == pytest.approx(odds / (1 + odds))
    assert known.suspicion[-1] > 0.8
    assert not known.suspicion[:-1].any()


def test_a_rare_type_that_is_never_suggested_is_not_suspected():
    rare = [(site, 2, "Article", "Author") for site in range(3)]
    known = evidence([*usual(), *rare])
    assert known.suspicion[-3:].max() < 0.1


def test_a_rare_type_in_an_unusual_place_is_suspected_less_than_a_common_one():
    rare = [(site, 2, "Article", "Author") for site in range(3)]
    known = evidence([*usual(), *rare, (4, 2, "Menu", "Author"), (5, 2, "Menu", "Article")])
    assert 0 < known.suspicion[-2] < 0.3 < 0.8 < known.suspicion[-1]


def test_a_type_that_no_other_site_has_is_not_judged():
    known = evidence([*usual(), (0, 2, "Menu", "Chart"), (0, 2, "Menu", "Chart")])
    assert not known.is_judged[-2:].any()


def test_levels_and_sites_are_counted_separately():
    at_level_1 = [(site, 1, "Menu", "Menu") for site in range(SITES)]
    known = evidence([*usual(), *at_level_1, (3, 1, "Menu", "Article")])
    assert not known.is_judged[-1]  # no other block of level 1 is an Article
    of_one_site = evidence([(0, *block[1:]) for block in [*usual(), (0, 2, "Menu", "Article")]])
    assert not of_one_site.suspicion.any()
    assert of_one_site.alike.tolist() == [0] * 101


def test_a_block_without_a_suggested_type_is_not_judged():
    assert not evidence([*usual(), (1, 2, "", "Menu")]).is_judged[-1]


def test_the_evidence_on_no_blocks_is_empty():
    assert np.array_equal(type_evidence([], []).suspicion, np.zeros(0))
