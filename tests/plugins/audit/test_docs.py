"""Test links, citations in the code, tables and names in the documentation."""

from resources.documentation import PAGES
from tests.bench.planted_gold import KINDS
from tests.test_docs import _tables


def test_at_least_80_percent_of_each_kind_of_planted_gold_error_are_found():
    (rows,) = [r for _, r in _tables(PAGES["audit.md"]) if "| no gold at all |" in "".join(r)]
    shares = {kind.strip(): int(cell) / 50 for _, kind, cell, _ in (r.split("|") for r in rows[2:])}
    assert [*shares] == [*KINDS]
    assert min(shares.values()) >= 0.8
