"""Means shown together are over the same pages, or are shown with their number of pages.

Scores are drawn with gaps: runs that failed, measures without a value.  Each mean that a table
prints is looked up, and must be the mean of as many pages as the table says.
"""

import csv
import json
import re
import statistics
from functools import cache

import lxml.html
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from algorithms.core.catalogue import method as method_of
from algorithms.measures.choice import measure_of
from annotate.evaluation.bundle.bundle import Bundle
from annotate.evaluation.report.report_parts import sort_out
from annotate.evaluation.report.report_tables import overview_table, summary_table
from annotate.evaluation.report.result_files import groups_of, write_summary
from annotate.evaluation.report.stability import stabilities, stability_columns
from annotate.evaluation.store.rows import parse_row
from annotate.evaluation.tables.summaries import text_table
from tests.annotate.evaluation.rows import failed, row, table_of

METHODS = ("plain", "bte", "dsc")
MEASURES = ("ws", "bow", "structure-headings")
_COUNT = re.compile(r"\s*\((\d+)\)$")

scores = st.one_of(st.none(), st.just("failed"), st.integers(0, 100).map(lambda n: n / 100))
grids = st.lists(
    st.lists(st.lists(scores, min_size=3, max_size=3), min_size=3, max_size=3),
    min_size=1, max_size=5,
)  # fmt: skip
"""Page → method → measure → score; None where the measure has no value."""


def results_of(grid, dataset="news"):
    """Return results of a grid, with the usual parameters for plain."""
    lines = []
    for page, by_method in enumerate(grid):
        for method, values in zip(METHODS, by_method, strict=True):
            ended = failed if "failed" in values else row
            for measure, value in zip(MEASURES, values, strict=True):
                score = () if ended is failed else (value,)
                more = {"dataset": dataset, "parameters": usual_parameters(method)}
                lines.append(ended(f"page{page}", method, measure, *score, **more))
    return lines


@cache
def usual_parameters(key):
    return json.dumps(method_of(key).params().as_dict())


def known(grid, method, measure):
    """Return the values of a method by a measure, page → value."""
    at, of = METHODS.index(method), MEASURES.index(measure)
    values = {page: by_method[at] for page, by_method in enumerate(grid)}
    return {
        page: own[of] for page, own in values.items() if "failed" not in own and own[of] is not None
    }


def split(text):
    """Return a cell's number as text, and the number of pages behind it; None without."""
    found = _COUNT.search(text)
    return (text, None) if found is None else (text[: found.start()], int(found[1]))


def check(text, pages, values):
    """Assert that a printed mean is that of the values, and its number of pages theirs."""
    if not values:
        assert text in ("-", "–", ""), text
        return
    assert text.strip() == f"{statistics.fmean(values.values()):.3f}"
    assert pages == len(values)


@settings(max_examples=25)
@given(grids)
def test_the_terminal_table_shows_the_number_of_pages_of_each_mean(grid):
    results = table_of(results_of(grid))
    groups = groups_of(results)["news"]
    head, *lines = [
        re.split(r"\s{2,}", line) for line in text_table("news", groups, results).splitlines()[1:]
    ]
    names = {measure_of(key).name: key for key in MEASURES}
    for line in lines:
        if line[0] not in METHODS:
            continue
        cells = dict(zip(head, line, strict=False))
        scored = int(cells["scored"])
        for column, cell in cells.items():
            name, of_column = split(column)
            text, of_cell = split(cell)
            if name in names:
                pages = of_cell or of_column or scored
                check(text, pages, known(grid, line[0], names[name]))
            elif name == "over everything":
                own, whole = (known(grid, each, "ws") for each in (line[0], "plain"))
                both = own.keys() & whole.keys()
                if both and text != "-":
                    mean = statistics.fmean(own[page] - whole[page] for page in both)
                    assert float(text) == pytest.approx(mean, abs=6e-4)
                    assert (of_cell or of_column or scored) == len(both)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(grids)
def test_the_summary_file_has_the_number_of_pages_of_each_mean(tmp_path, grid):
    write_summary(tmp_path / "summary.csv", groups_of(table_of(results_of(grid))))
    with (tmp_path / "summary.csv").open(newline="") as file:
        for line in csv.DictReader(file):
            values = known(grid, line["method"], line["measure"])
            assert int(line["value_pages"]) == len(values)
            for name in ("value", "precision", "recall"):
                text, pages = line[name], int(line[f"{name}_pages"])
                assert (text == "") == (pages == 0)
                if text:
                    assert float(text) == pytest.approx(statistics.fmean(values.values()))


@settings(max_examples=25)
@given(grids)
def test_the_report_tables_show_the_number_of_pages_of_each_mean(grid):
    (part,) = sort_out(table_of(results_of(grid))).parts
    for measure in part.measures:
        table = lxml.html.fromstring(summary_table(part, measure))
        heads = [each.text_content() for each in table.xpath(".//thead//th")]
        for line in table.xpath(".//tbody/tr"):
            cells = [each.text_content().replace("★", "") for each in line.xpath("./th|./td")]
            found = dict(zip(heads, cells, strict=True))
            for name in ("mean", "P", "R"):
                if name in found:
                    text, pages = split(found[name])
                    values = known(grid, cells[0], measure.key)
                    check(text, int(found["scored"]) if pages is None else pages, values)
    table = lxml.html.fromstring(overview_table(part, part.measures, "all measures"))
    head, *lines = [
        [each.text_content().replace("★", "").removesuffix("?") for each in line.xpath("./th|./td")]
        for line in table.xpath(".//tr")
    ]
    if head[0] == "method":  # the longer of the two becomes the rows
        head, *lines = map(list, zip(*([head, lines[-1], *lines[:-1]]), strict=True))
        lines = lines if head[1] == "pages" else []
    keys = {measure_of(key).name: key for key in MEASURES}
    for name, of_measure, *cells in lines:
        for method, cell in zip(head[2:], cells, strict=True):
            text, pages = split(cell)
            values = known(grid, method, keys[name])
            assert pages is None or not of_measure  # a number is shown once
            check(text, int(of_measure) if pages is None and of_measure else pages, values)


@settings(max_examples=25)
@given(grids)
def test_the_index_of_a_bundle_shows_the_number_of_pages_of_each_mean(tmp_path_factory, grid):
    rows = [parse_row(each) for each in results_of(grid)]
    out = tmp_path_factory.mktemp("bundle")
    index = lxml.html.parse(str(Bundle(out, "news", rows).write_lists()))
    lines = [
        [each.text_content().strip() for each in line.xpath("./td")]
        for line in index.xpath("//table")[0].xpath(".//tbody/tr")
    ]
    shown = {cells[0]: cells for cells in lines}
    for method in METHODS:
        cells = shown[method_of(method).name]
        check(cells[5], int(cells[-1]), known(grid, method, "ws"))


@settings(max_examples=25)
@given(grids, grids)
def test_the_table_of_changes_shows_the_number_of_pages_of_each_mean(grid, after):
    size = min(len(grid), len(after))
    grid, after = grid[:size], after[:size]
    results = table_of(results_of(grid) + results_of(after, "news ~ names"))
    (stability,) = stabilities(results, groups_of(results))
    for column in stability_columns(stability, "-")[4:]:
        *cells, below = column[1:]
        for method, cell in zip(stability.methods, cells, strict=True):
            text, pages = split(cell)
            before, then = (known(each, method.method, "ws") for each in (grid, after))
            both = before.keys() & then.keys()
            check(text, int(below) if pages is None else pages,
                  {page: abs(then[page] - before[page]) for page in both})  # fmt: skip


def test_means_of_a_structure_are_over_the_pages_whose_gold_has_one():
    """Pages without marks are in no mean, whatever a method returned there."""
    from algorithms.measures.text_comparison import Comparison, GoldText
    from algorithms.results import everything, nothing
    from engine.source import Source

    marked = Source.from_text("<h1>Tea time</h1><p>hot tea</p>")
    headings = measure_of("structure-headings")
    gold = GoldText(everything(marked).text, marked)
    assert headings.score(Comparison(nothing(marked), gold)).value == 0
    plain = Source.from_text("<h1>More</h1><p>hot tea is served at five</p>")
    none = GoldText("hot tea is served at five", plain)
    found = headings.score(Comparison(everything(plain), none))
    assert (found.value, found.precision, found.recall) == (None, None, None)
    words = measure_of("structure-words").score(Comparison(everything(plain), none))
    assert words.value is not None
    assert words.value < 1, "a heading that is made up costs here"


def test_the_window_shows_the_number_of_pages_below_each_mean(qapp):
    from gui.features.evaluate.headers import COUNTS

    results = table_of(results_of([[[0.5, 1, None]] * 3, [[0.7, "failed", 1]] * 3]))
    names = [name for _, name in COUNTS]
    assert names[0] == "scored"
    mean = results.mean(measure_of("ws"), 0, np.arange(2))
    assert [getattr(mean, name) for name in names] == [1, 0, 1]
