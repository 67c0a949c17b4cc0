"""Tables of papers: their files, the status of their figures, and reruns."""

import json
import math
from dataclasses import replace
from datetime import date

import pytest

from algorithms.core.catalogue import method
from algorithms.measures.choice import measure_of
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.tables.published import MeasuredFigures, built_in, read_table, table_named
from annotate.library.progress import NullProgress
from annotate.plugins.museum.paper_tables import as_markdown, listing, side_by_side
from annotate.plugins.museum.rerun import measured_as_toml, record, rerun
from annotate.plugins.museum.status import (
    ReproductionStatus,
    other_version,
    rows_by_reason,
    status_of,
)
from engine.errors import InputError
from gui.cli.main import main
from tests.annotate.datasets.layouts import put

MINE = """id = "mine-2"
title = "F1 on two pages"
paper = "Nobody 2026"
cite = "N. Nobody, 2026"
# kept by a rerun
columns = [
  { label = "F1", measure = "ws" },
  { label = "R", measure = "ws", figure = "recall" },
  { label = "seconds" },
]

[[rows]]
label = "all text"
method = "plain"
published = [0.5, 1.0, 3.0]
why = "Half of each page is navigation."

[[rows]]
label = "BTE, dear tags"
method = "bte"
set = { tag_cost = 2.0 }
published = [nan, 0.9, nan]

[[rows]]
label = "theirs"
published = [0.9, 0.9, 1.0]

[data]
name = "two pages"
where = "beside the paper"
pages = 2
"""
WORDS = " ".join(f"word{number}" for number in range(40))
PAGE = f"<!doctype html><title>x</title><nav>{' '.join(['away'] * 40)}</nav><p>{WORDS}</p>"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(MINE, "utf-8")
    return read_table(path)


@pytest.fixture
def pages(tmp_path):
    return put(
        tmp_path / "news", {"one.html": PAGE, "one.txt": WORDS, "two.html": PAGE, "two.txt": WORDS}
    )


def with_figures(table, *lines, pages=2):
    measured = MeasuredFigures(date(2026, 11, 24), "pagelet reproduce", pages, {}, lines)
    return replace(table, measured=measured)


NONE = (math.nan, math.nan, math.nan)


def test_every_built_in_table_names_existing_methods_and_measures():
    assert len({each.id for each in built_in()}) == len(built_in()) > 70
    for each in built_in():
        assert each.path.stem == each.id
        for column in each.columns:
            assert not column.measure or measure_of(column.measure)
        for row in each.rows:
            assert not row.method or method(row.method).params.parse(row.values)


def test_every_row_that_differs_has_an_explanation():
    for table in built_in():
        for row, status in zip(table.rows, status_of(table).rows, strict=True):
            if status is not None and status.standing is ReproductionStatus.DIFFERS:
                assert row.why, (table.id, row.label)


def test_the_status_of_a_table_is_that_of_its_worst_figure(table):
    exact = (0.5, 1.0, math.nan)
    assert status_of(with_figures(table, exact, NONE, NONE)).text == "reproduced"
    near = (0.53, 1.0, math.nan)
    assert status_of(with_figures(table, near, NONE, NONE)).text == "within .030"
    far = (0.6, 1.0, math.nan)
    status = status_of(with_figures(table, exact, (0.7, 0.9, math.nan), far))
    assert status.standing is ReproductionStatus.DIFFERS
    assert status.text == "differs in 1 of 3 rows, by up to .300"
    assert [row.standing for row in status.rows] == ["reproduced", "reproduced", "differs"]


def test_the_status_names_the_number_of_pages_if_it_is_below_the_papers(table):
    status = status_of(with_figures(table, (0.5, 1.0, math.nan), NONE, NONE, pages=1))
    assert status.text == "reproduced on 1 of its 2 pages"


def test_counts_of_blocks_are_reproduced_within_a_relative_tolerance():
    table = table_named("kreuzer-7.4")
    row = table.rows[0].published
    others = [each.published for each in table.rows[1:]]
    counted = (*row[:3], row[3] * 1.04, *row[4:])
    status = status_of(with_figures(table, counted, *others, pages=78))
    assert status.standing is ReproductionStatus.REPRODUCED
    counted = (*row[:3], row[3] * 1.3, *row[4:])
    status = status_of(with_figures(table, counted, *others, pages=78))
    assert status.standing is ReproductionStatus.DIFFERS


def test_a_table_without_figures_is_not_run_without_data_or_not_computed(table):
    assert status_of(table).standing is ReproductionStatus.NOT_RUN
    gone = replace(table, data=replace(table.data, is_available=False))
    assert status_of(gone).standing is ReproductionStatus.NO_DATA
    foreign = replace(table, rows=table.rows[2:])
    assert status_of(foreign).standing is ReproductionStatus.NOT_COMPUTED


def test_a_rerun_returns_the_figures_of_an_evaluation(table, pages):
    measured = rerun(table, [str(pages)], EvaluationOptions(), NullProgress())
    f1, recall, seconds = measured.figures[0]
    assert f1 == pytest.approx(2 * 0.5 / 1.5, abs=1e-4)  # 40 of 80 words are gold
    assert recall == 1.0
    assert math.isnan(seconds)
    assert not math.isnan(measured.figures[1][1])
    assert all(map(math.isnan, measured.figures[2]))
    assert measured.pages == 2
    assert measured.command == "pagelet reproduce mine.toml news"


def test_a_method_that_is_not_installed_is_left_out_with_a_note(table, pages):
    rows = (table.rows[0], replace(table.rows[1], method="unknown", values={}))
    watcher = NullProgress()
    measured = rerun(replace(table, rows=rows), [str(pages)], EvaluationOptions(), watcher)
    assert not math.isnan(measured.figures[0][0])
    assert all(map(math.isnan, measured.figures[1]))
    assert watcher.notes == [
        "left out, since not installed: unknown (pip install pagelet[external])"
    ]
    with pytest.raises(InputError, match="needs unknown, not installed here"):
        rerun(replace(table, rows=rows[1:]), [str(pages)], EvaluationOptions(), watcher)


def test_recorded_figures_replace_only_earlier_figures(table, pages):
    measured = rerun(table, [str(pages)], EvaluationOptions(), NullProgress())
    record(table, replace(measured, pages=17))
    record(table, measured)
    text = table.path.read_text("utf-8")
    assert text.startswith(MINE)
    assert text.count("[measured]") == 1
    assert read_table(table.path).measured.pages == 2
    assert measured_as_toml(read_table(table.path).measured) == measured_as_toml(measured)


def test_the_text_of_a_table_has_published_and_own_figures_and_differences(table):
    shown = side_by_side(with_figures(table, (0.6, 1.0, math.nan), NONE, NONE), None)
    lines = [line.split() for line in shown.splitlines()]
    assert ["all", "text", "published", ".500", "1.000", "3.00"] in lines
    assert ["own", ".600", "1.000", "–"] in lines
    assert ["difference", "+.100", ".000"] in lines
    assert "all text: Half of each page is navigation." in shown
    assert "N. Nobody, 2026" in shown
    assert "pagelet reproduce" in shown


def test_the_list_names_each_table_with_its_status(table):
    assert "mine-2" in listing([table])
    assert "not run" in listing([table])
    assert "| `mine-2` |" in as_markdown([table])


def test_pages_of_another_data_set_are_refused(table, pages):
    with pytest.raises(InputError, match=r"is of .*popular pages, and news is not that"):
        rerun(table_named("kreuzer-7.5"), [str(pages)], EvaluationOptions(), NullProgress())
    with pytest.raises(InputError, match="is of the data sets bbc"):
        rerun(table_named("gottron-B.5"), [str(pages)], EvaluationOptions(), NullProgress())
    with pytest.raises(InputError, match="no figure that Pagelet computes"):
        rerun(table_named("gottron-7.2"), [str(pages)], EvaluationOptions(), NullProgress())


def test_a_package_named_as_in_the_thesis_fills_its_column(tmp_path):
    folder = put(tmp_path / "heise", {"one.html": PAGE, "one.txt": WORDS})
    table = table_named("gottron-5.3")
    few = replace(table, rows=tuple(row for row in table.rows if row.method in ("plain", "bte")))
    measured = rerun(few, [str(folder)], EvaluationOptions(), NullProgress())
    filled = [
        column.label
        for column, figure in zip(few.columns, measured.figures[0], strict=True)
        if not math.isnan(figure)
    ]
    assert filled == ["heise"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id = "mine-2"', "", "id is missing in the file"),
        ('title = "F1 on two pages"', "title = 3", "title in the file must be a text"),
        ("[0.5, 1.0, 3.0]", "[0.5]", "published of all text must be 3 numbers"),
        ('figure = "recall"', 'figure = "recal"', "unknown figure 'recal'"),
        ("pages = 2", "page = 2", r"page is not a field of \[data\]"),
        ("pages = 2", "pages = [", "is not TOML"),
    ],
)
def test_a_mistake_in_a_table_file_is_refused_with_a_sentence(tmp_path, old, new, message):
    path = tmp_path / "mine.toml"
    path.write_text(MINE.replace(old, new), "utf-8")
    with pytest.raises(InputError, match=message):
        read_table(path)


def test_an_unknown_table_is_refused_with_the_most_similar_name():
    with pytest.raises(InputError, match=r"did you mean kreuzer-7.4"):
        table_named("kreuzer7.4")


def test_a_row_run_with_another_version_is_named():
    table = table_named("article-2025")
    assert "reproduced with other versions on 20 of its 181 pages" in status_of(table).text
    reasons = rows_by_reason(table)
    assert "trafilatura 2.0.0" in next(
        rows for reason, rows in reasons.items() if reason.endswith("was run, not 2.0.0.")
    )
    same = replace(table.measured, versions={"trafilatura": "trafilatura 2.0.0"})
    assert not other_version(table.rows[1], same)


def test_figures_of_other_parameters_name_them(capsys):
    assert main(["reproduce", "kreuzer-7.7", "--json"]) == 0
    rows = {row["label"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert rows["VIPS"]["parameters"] == {"pdoc": "1", "separators": "False"}
    assert rows["WebTerrain"]["parameters"] == {}
