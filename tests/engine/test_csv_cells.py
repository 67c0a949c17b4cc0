"""Test that cells cannot become formulas of a spreadsheet and are read back unchanged."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.core.batch import RunStatus
from annotate.evaluation.store.rows import ROW_COLUMNS, ResultRow, RunFacts
from annotate.evaluation.store.run_store import PlannedRuns, RunStore
from annotate.evaluation.tables.result_table import read_results
from engine.csv_cells import guard_cell, rows_of, table_text, unguard_cell


@pytest.mark.parametrize("text", ['=HYPERLINK("http://x")', "+a", "-a", "@SUM(1)", "\tx"])
def test_formulas_are_quoted_as_text(text):
    assert guard_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "page", "-1.5", "+3", "-1e-05", "-inf", "{}", "'quoted'"])
def test_numbers_and_other_texts_are_left_unchanged(text):
    assert guard_cell(text) == text


@given(st.text(alphabet="'=+-@\t\r1.e a") | st.text())
def test_every_guarded_text_is_read_back_unchanged(text):
    cell = guard_cell(text)
    assert unguard_cell(cell) == text
    assert cell[:1] not in tuple("=@\t\r")
    if cell[:1] in ("+", "-"):
        float(cell)


def test_a_page_named_like_a_formula_is_stored_and_resumed(tmp_path):
    key = ("=1+1", "@page", "original")
    row = ResultRow(RunFacts(*key, "bte", "1"), "exact", RunStatus.FAILED, "-x: no such file")
    path, planned = tmp_path / "scores.csv", PlannedRuns({key: frozenset({row.kind})}.items)
    with RunStore(path, planned) as store:
        store.add(key, [row])
    with path.open(newline="", encoding="utf-8") as file:
        (cells,) = list(csv.DictReader(file))
    assert tuple(cells) == ROW_COLUMNS
    assert (cells["dataset"], cells["page"], cells["reason"]) == (
        "'=1+1",
        "'@page",
        "'-x: no such file",
    )
    with RunStore(path, planned, resumes=True) as store:
        assert store.rows_of(key) == [row]
    assert [page.name for page in read_results(path).pages] == ["@page"]


@pytest.mark.parametrize("head", ["a;b;c", 'a;"b,,,,,";c', "sep=;\na;b;c", "a\tb\tc", "a,b,c"])
def test_the_separator_of_a_table_is_seen_from_its_head(head):
    assert [len(row) for row in rows_of(f"{head}\n\n")] == [3]


def test_a_table_of_another_country_is_read_in_its_encoding():
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "windows-1252"):
        assert table_text("Größe;1\r\nx\ry".encode(encoding)) == "Größe;1\nx\ny"
