"""Test the files of ``pagelet evaluate``, recomputed from predictions and gold."""

import sqlite3
from collections import defaultdict

import pytest

from tests.truth import own_blocks, own_statistics, own_text
from tests.truth.compared import Comparison
from tests.truth.own_gold import gold_block_texts

SCORED = ("ok", "empty")


def compare_texts(evaluation, *measures) -> Comparison:
    """Each score of texts in scores.csv against one of own code."""
    compared = Comparison()
    for row in evaluation.rows:
        measure = own_text.MEASURES.get(row["measure"])
        if measure is None or row["measure"] not in measures or row["status"] not in SCORED:
            continue
        page = row["dataset"], row["page"]
        text = evaluation.predictions[row["dataset"], row["method"], row["page"]]
        own = measure(evaluation.gold_texts[page], text, row["word_unit"])
        for figure in ("precision", "recall", "value"):
            where = (row["method"], row["page"], row["measure"], figure)
            compared.note(where, own_statistics.number(row[figure]), getattr(own, figure))
    return compared


@pytest.mark.parametrize("measure", own_text.MEASURES)
def test_scores_of_texts_equal_the_recomputed_ones(evaluated, measure):
    compared = compare_texts(evaluated, measure)
    assert compared.figures >= 135
    assert compared.different == []


@pytest.mark.slow
def test_exact_and_fuzzy_scores_equal_the_recomputed_ones(evaluated, exported_gold):
    compared = Comparison()
    texts = {}
    for row in evaluated.rows:
        measure, _, level = row["measure"].partition("-")
        if measure not in ("exact", "fuzzy"):
            continue
        assert row["status"] in SCORED
        if row["page"] not in texts:
            texts[row["page"]] = gold_block_texts(exported_gold, row["page"])
        blocks = evaluated.predictions[row["dataset"], row["method"], row["page"]]
        gold, predicted = (
            {own_blocks.without_blanks(text) for text, of in each if level in ("", str(of))}
            for each in (texts[row["page"]], blocks)
        )
        shares, hits = getattr(own_blocks, measure)(gold, predicted)
        own = {**shares._asdict(), "hits": hits, "retrieved": len(predicted), "relevant": len(gold)}
        for figure, value in own.items():
            where = (row["method"], row["page"], row["measure"], figure)
            compared.note(where, own_statistics.number(row[figure]), value)
    assert compared.figures == 2 * 15 * 6 * 6
    assert compared.different == []


def compare_summary(evaluation) -> Comparison:
    """Each cell of summary.csv that is made of scores against one of own code."""

    def key(row):
        return tuple(row[name] for name in ("dataset", "method", "input", "measure"))

    groups = defaultdict(list)
    for row in evaluation.rows:
        groups[key(row)].append(row)
    assert len(groups) == len(evaluation.summary)
    compared = Comparison()
    for row in evaluation.summary:
        for figure, own in own_statistics.summarised(groups[key(row)]).items():
            compared.note((*key(row), figure), own_statistics.number(row[figure]), own)
    return compared


def test_every_cell_of_the_summary_is_computed_from_the_scores(evaluated):
    compared = compare_summary(evaluated)
    assert compared.figures == 234 * 18
    assert compared.different == []


@pytest.mark.parametrize("table", ["scores", "summary"])
def test_the_database_has_the_values_of_the_tables(evaluated, table):
    rows = evaluated.rows if table == "scores" else evaluated.summary
    with sqlite3.connect(evaluated.folder / "scores.sqlite") as database:
        database.row_factory = sqlite3.Row
        stored = [dict(row) for row in database.execute(f"SELECT * FROM {table}")]
    database.close()
    assert len(stored) == len(rows)
    assert list(stored[0]) == list(rows[0])
    compared = Comparison()
    for index, (row, remaining) in enumerate(zip(rows, stored, strict=True)):
        for name, cell in row.items():
            value = remaining[name]
            if isinstance(value, int | float):
                compared.note((index, name), float(cell), float(value))
            else:
                compared.note_text((index, name), cell, value or "")
    assert compared.different == []


def test_changed_figures_are_found(evaluated):
    """Check that the tests above can fail."""
    row = next(row for row in evaluated.rows if row["measure"] == "ws" and row["value"])
    before = row["value"]
    try:
        row["value"] = str(float(before) + 1e-6)
        assert len(compare_texts(evaluated, "ws").different) == 1
        assert {each.where[-1] for each in compare_summary(evaluated).different} >= {"mean"}
    finally:
        row["value"] = before
