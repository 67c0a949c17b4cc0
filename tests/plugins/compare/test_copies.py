"""A comparison tests a page and its copies once."""

import re

import pytest

from annotate.plugins.compare import compare
from gui.cli.main import main
from tests.oracles.copied import folders  # noqa: F401  (a fixture)

# ruff: noqa: F811  (fixtures are arguments)


@pytest.mark.slow
def test_compare_tests_each_page_once(folders, capsys, monkeypatch):
    def printed(folder, out: str) -> str:
        assert main(["compare", "lqf", "plain", str(folder), "--out", str(folder / out)]) == 0
        return capsys.readouterr().out

    once, more = (printed(folder, "../compared") for folder in folders)
    monkeypatch.setattr(compare, "copies_in", lambda _: {})
    planted = printed(folders[1], "../planted")
    p_values = [re.findall(r"Wilcoxon p = ([^)]+)", each) for each in (once, more, planted)]
    assert p_values[0] == p_values[1] != p_values[2]
    assert "6 pages are copies of others (more/0b.html of more/0a.html, " in more
    assert "copies" not in once + planted
