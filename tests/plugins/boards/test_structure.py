"""The metrics of WebMainBench: values worked out by hand, and faults that lower only their own."""

import pytest

from annotate.plugins.boards.structure import code, first_table, formulas, rows, scores

PAGE = "Text\n\n```py\na = 1\n```\n\n$x^2$ and $$y$$\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n"


def test_the_parts_are_read():
    assert code(PAGE) == "a = 1"
    assert formulas(PAGE) == "y\nx^2"
    assert rows(PAGE) == "A B\n1 2"
    html = "<table><thead><tr><th>A<th>B</thead><tbody><tr><td>1<td>2</tbody></table>"
    assert rows(html) == rows(PAGE)
    assert first_table("no | table") is None


def test_formulas_may_be_long_and_are_none_in_code():
    assert formulas(f"${'x' * 5000}$") == "x" * 5000
    assert formulas("`$a$` and\n\n```sh\necho $b $c\n```\n\n$d$") == "d"


def test_empty_cells_of_markdown_tables_do_not_count():
    assert rows("| A | | B |\n| --- | --- | --- |\n| 1 | | 2 |\n| | | |\n") == "A B\n1 2"


def test_the_same_markdown_has_all_of_each():
    assert scores(PAGE, PAGE) == dict.fromkeys(
        ("text", "code", "formula", "table", "TEDS", "overall"), 1.0
    )
    assert scores("", "") == {}


@pytest.mark.parametrize(
    ("name", "old", "new", "value"),
    [
        ("code", "a = 1", "a = 2", 0.8),
        ("formula", "x^2", "x^3", 0.8),
        ("table", "| 1 |", "| 7 |", 6 / 7),
        ("TEDS", "| 1 |", "| 7 |", 6 / 7),
        ("TEDS", "| 1 | 2 |\n", "", 4 / 7),
    ],
)
def test_a_fault_costs_its_own_metric(name, old, new, value):
    result = scores(PAGE.replace(old, new), PAGE)
    assert result[name] == pytest.approx(value)
    assert result["text"] < 1
    assert {"code", "formula", "table"} - {key for key, each in result.items() if each < 1}
