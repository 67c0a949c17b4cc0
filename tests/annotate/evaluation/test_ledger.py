"""scores.csv of a run that may be killed at any byte."""

try:
    import resource
except ImportError:
    resource = None

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.core.batch import Counts, RunStatus
from algorithms.measures.prf import Score
from annotate.evaluation.ledger import Ledger
from annotate.evaluation.rows import ResultRow, RunFacts, cells
from engine.errors import InputError

KINDS = {("vips", "1", "{}", "exact"), ("vips", "1", "{}", "fuzzy")}
KEYS = [("set", page, "dom") for page in ("a", "b", "c")]
REQUESTED = dict.fromkeys(KEYS, KINDS)


def rows_of(key, reason="said,\r\n\"so\"\nand 'so'"):
    run = RunFacts(*key, "vips", "1", ms=2.5, viewport=(1024, 768), size=7)
    score = Score(1 / 3, 0.5, 0.25)
    return [
        ResultRow(run, "exact", RunStatus.OK, "", score, Counts(4, 2, 8)),
        ResultRow(run, "fuzzy", RunStatus.SKIPPED, reason, if_empty=Score(0.0, 1.0, None)),
    ]


def write(path, keys, **options):
    with Ledger(path, REQUESTED, **options) as ledger:
        for key in keys:
            ledger.add(key, rows_of(key))
    return path.read_bytes()


@given(data=st.data())
def test_what_was_cut_anywhere_is_whole_pages_again(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("run") / "scores.csv"
    whole = write(path, KEYS)
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    with Ledger(path, REQUESTED, resumes=True) as ledger:
        assert list(ledger.pages) == KEYS[: len(ledger.pages)]
        assert all(ledger.pages[key] == rows_of(key) for key in ledger.pages)
        for key in KEYS[len(ledger.pages) :]:
            ledger.add(key, rows_of(key))
    assert path.read_bytes() == whole


def test_pages_that_are_dropped_can_be_done_again(tmp_path):
    path = tmp_path / "scores.csv"
    whole = write(path, KEYS)
    with Ledger(path, REQUESTED, resumes=True) as ledger:
        ledger.drop(KEYS[:2])
        assert list(ledger.pages) == KEYS[2:]
        for key in KEYS[:2]:
            ledger.add(key, rows_of(key))
        ledger.finish()
    assert path.read_bytes() == whole


def test_rows_end_in_the_order_of_the_pages(tmp_path):
    path = tmp_path / "scores.csv"
    in_order = write(path, KEYS)
    with Ledger(path, REQUESTED) as ledger:
        for key in reversed(KEYS):
            ledger.add(key, rows_of(key))
        assert path.read_bytes() != in_order
        ledger.finish()
    assert path.read_bytes() == in_order


def test_without_resuming_the_file_begins_anew(tmp_path):
    path = tmp_path / "scores.csv"
    write(path, KEYS)
    assert len(write(path, KEYS[:1])) < len(write(path, KEYS[:2]))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({key: {("bte", "1", "{}", "cs")} for key in KEYS}, "it has rows of vips 1"),
        (dict.fromkeys(KEYS[1:], KINDS), "it has rows of set a dom"),
    ],
)
def test_rows_of_another_evaluation_are_refused(tmp_path, wanted, said):
    path = tmp_path / "scores.csv"
    before = write(path, KEYS)
    with pytest.raises(InputError, match=said):
        Ledger(path, wanted, resumes=True)
    assert path.read_bytes() == before


def test_a_file_with_other_columns_is_refused(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_bytes(write(path, KEYS).replace(b"if_empty", b"if_nothing"))
    before = path.read_bytes()
    with pytest.raises(InputError, match="its columns are different"):
        Ledger(path, REQUESTED, resumes=True)
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_written_to_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write to"):
        Ledger(tmp_path / "file" / "scores.csv", REQUESTED)


def test_rows_are_kept_in_memory_where_nothing_is_to_be_written(tmp_path):
    with Ledger(None, REQUESTED) as ledger:
        ledger.add(KEYS[1], rows_of(KEYS[1]))
        ledger.add(KEYS[0], rows_of(KEYS[0]))
        ledger.finish()
    assert ledger.rows == [*rows_of(KEYS[0]), *rows_of(KEYS[1])]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(resource is None, reason="no limits to the size of files here")
def test_a_full_disk_is_said_and_whole_pages_are_kept(tmp_path):
    path = tmp_path / "scores.csv"
    size = len(write(path, KEYS))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size - 20, before[1]))
    try:
        with pytest.raises(InputError, match=r"cannot write to .*: File too large"):
            write(path, KEYS)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    with Ledger(path, REQUESTED, resumes=True) as ledger:
        assert list(ledger.pages) == KEYS[:2]
        ledger.add(KEYS[2], rows_of(KEYS[2]))
    assert len(path.read_bytes()) == size


def test_rows_are_read_from_the_file_when_they_are_asked_for(tmp_path):
    with Ledger(tmp_path / "scores.csv", REQUESTED) as ledger:
        for key in reversed(KEYS):
            ledger.add(key, rows_of(key))
        ledger.finish()
    expected = [row for key in KEYS for row in rows_of(key)]
    assert ledger.rows == expected
    assert (len(ledger.rows), ledger.rows[3], ledger.rows[-2:]) == (6, expected[3], expected[-2:])
    assert list(ledger.rows.cells()) == [cells(row) for row in expected]


def test_rows_of_a_file_that_was_changed_are_no_rows(tmp_path):
    path = tmp_path / "scores.csv"
    with Ledger(path, REQUESTED) as ledger:
        for key in KEYS:
            ledger.add(key, rows_of(key))
    write(path, KEYS[::-1])
    with pytest.raises(InputError, match="was changed"):
        list(ledger.rows)


def test_a_page_whose_rows_are_apart_is_whole(tmp_path):
    path = tmp_path / "scores.csv"
    whole = write(path, KEYS)
    with Ledger(path, REQUESTED) as ledger:
        for part in (0, 1):
            for key in KEYS:
                ledger.add(key, rows_of(key)[part : part + 1])
    with Ledger(path, REQUESTED, resumes=True) as ledger:
        assert list(ledger.pages) == KEYS
    assert path.read_bytes() == whole


def test_what_no_encoding_can_say_has_its_name_in_the_rows(tmp_path):
    key = ("set", "\udcff", "dom")
    with Ledger(tmp_path / "scores.csv", {key: KINDS}) as ledger:
        ledger.add(key, rows_of(key, "a\udcff"))
    assert [row.run.key for row in ledger.rows] == [key, key]
