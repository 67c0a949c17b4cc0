"""Results of an evaluation are read from either file unchanged."""

import pytest

from algorithms.core.batch import Counts, RunStatus
from algorithms.measures.prf import Score
from annotate.evaluation.store.row_files import results_in, write_database, write_rows
from annotate.evaluation.store.rows import ROW_COLUMNS, ResultRow, RunFacts, cells
from annotate.evaluation.tables.result_table import OK, SKIPPED, Results, read_results
from engine.errors import InputError

RUN = RunFacts("set", "12", "dom", "bte", "pagelet 1", '{"b": 1, "a": 2}', 2.0, 0, "ab", 70)
BLOCKS = RunFacts(
    "set", 'p, q\n"r"', "rendered", "vips", "pagelet 1", "{}", None, None, "cd", 0, "Qt 6", (8, 6)
)
ROWS = (
    ResultRow(RUN, "ws", RunStatus.OK, "", Score(1.0, 1 / 3, None)),
    ResultRow(RUN, "shingles", RunStatus.SKIPPED, "too short"),
    ResultRow(BLOCKS, "exact", RunStatus.OK, "", Score(0.0, 0.0, 0.0), Counts(3, 0, 4)),
)


@pytest.fixture
def folder(tmp_path):
    write_rows(tmp_path / "scores.csv", map(cells, ROWS))
    write_database(tmp_path / "scores.sqlite", {"scores": (ROW_COLUMNS, map(cells, ROWS))})
    return tmp_path


def same(found, wanted):
    assert found.pages == wanted.pages
    assert found.columns == wanted.columns
    assert found.facts == wanted.facts
    assert (found.status == wanted.status).all()
    assert found.measures == wanted.measures


def test_both_files_and_their_folder_are_read_as_the_same_results(folder):
    expected = Results.of(ROWS)
    for path in (folder, folder / "scores.csv", folder / "scores.sqlite"):
        same(read_results(path), expected)
    assert expected.status.tolist() == [[OK, 0], [0, OK]]
    assert SKIPPED not in expected.status  # one measure of the run has a score


def test_a_folder_is_read_while_it_is_written_to(folder):
    whole = (folder / "scores.csv").read_bytes()
    (folder / "scores.csv").write_bytes(whole[:-9])
    assert [page.name for page in read_results(folder).pages] == ["12"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "has no column dataset"),
        (",".join(ROW_COLUMNS) + "\n", "no page is done"),
        ("SQLite format 3\x00 and then nothing", "is damaged"),
    ],
)
def test_invalid_result_files_are_refused_in_a_sentence(tmp_path, content, said):
    (tmp_path / "scores.csv").write_bytes(content.encode())
    with pytest.raises(InputError, match=said):
        read_results(tmp_path)


def test_a_folder_without_scores_holds_no_results(tmp_path):
    assert results_in(tmp_path) is None
    assert results_in(tmp_path / "gone") is None
    with pytest.raises(InputError, match="holds no results"):
        read_results(tmp_path)
