"""Test that a comparison knows which version learned from the gold of a page."""

from annotate.evaluation.store.rows import parse_row
from annotate.plugins.compare.runs import ComparedPage
from tests.annotate.evaluation.rows import row


def test_a_page_knows_which_of_its_versions_has_seen_its_gold():
    rows = [row("p", "gleaner", "ws", 0.9, gold_seen="yes"), row("p", "bte", "ws", 0.8)]
    page = ComparedPage("news", "p", None)
    page.rows += map(parse_row, rows)
    assert page.has_seen("gleaner")
    assert not page.has_seen("bte")
