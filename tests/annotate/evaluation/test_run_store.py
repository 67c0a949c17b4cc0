"""scores.csv of a run that may be killed at any byte."""

try:
    import resource
except ImportError:
    resource = None

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.core.batch import Counts, RunStatus
from algorithms.measures.prf import Score
from annotate.evaluation.report.result_files import Evaluated
from annotate.evaluation.store.row_files import encode_rows
from annotate.evaluation.store.rows import ROW_COLUMNS, ResultRow, RunFacts, cells
from annotate.evaluation.store.run_store import PlannedRuns, RunStore
from engine.errors import InputError

KINDS = frozenset({("vips", "1", "{}", "exact"), ("vips", "1", "{}", "fuzzy")})
KEYS = [("set", page, "dom") for page in ("a", "b", "c")]
REQUESTED = PlannedRuns(dict.fromkeys(KEYS, KINDS).items)


def rows_of(key, reason="said,\r\n\"so\"\nand 'so'"):
    run = RunFacts(*key, "vips", "1", ms=2.5, viewport=(1024, 768), size=7)
    score = Score(1 / 3, 0.5, 0.25)
    return [
        ResultRow(run, "exact", RunStatus.OK, "", score, Counts(4, 2, 8)),
        ResultRow(run, "fuzzy", RunStatus.SKIPPED, reason, if_empty=Score(0.0, 1.0, None)),
    ]


def write(path, keys, **options):
    with RunStore(path, REQUESTED, **options) as store:
        for key in keys:
            store.add(key, rows_of(key))
    return path.read_bytes()


@given(data=st.data())
def test_a_file_cut_at_any_byte_is_resumed_with_its_complete_pages(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("run") / "scores.csv"
    whole = write(path, KEYS)
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    with RunStore(path, REQUESTED, resumes=True) as store:
        assert list(store) == [row for key in KEYS[: store.done] for row in rows_of(key)]
        for key in KEYS[store.done :]:
            store.add(key, rows_of(key))
    assert path.read_bytes() == whole


def test_dropped_pages_can_be_added_again(tmp_path):
    path = tmp_path / "scores.csv"
    whole = write(path, KEYS)
    with RunStore(path, REQUESTED, resumes=True) as store:
        store.drop(KEYS[:2])
        assert [key for key in KEYS if store.has(key)] == KEYS[2:]
        for key in KEYS[:2]:
            store.add(key, rows_of(key))
        store.finish()
    assert path.read_bytes() == whole


def test_rows_end_in_the_order_of_the_pages(tmp_path):
    path = tmp_path / "scores.csv"
    in_order = write(path, KEYS)
    with RunStore(path, REQUESTED) as store:
        for key in reversed(KEYS):
            store.add(key, rows_of(key))
        assert path.read_bytes() != in_order
        store.finish()
    assert path.read_bytes() == in_order


def test_the_file_is_overwritten_without_resuming(tmp_path):
    path = tmp_path / "scores.csv"
    write(path, KEYS)
    assert len(write(path, KEYS[:1])) < len(write(path, KEYS[:2]))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (dict.fromkeys(KEYS, frozenset({("bte", "1", "{}", "cs")})), "it has rows of vips 1"),
        (dict.fromkeys(KEYS[1:], KINDS), "it has rows of set a dom"),
    ],
)
def test_rows_of_another_evaluation_are_refused(tmp_path, wanted, said):
    path = tmp_path / "scores.csv"
    before = write(path, KEYS)
    with pytest.raises(InputError, match=said):
        RunStore(path, PlannedRuns(wanted.items), resumes=True)
    assert path.read_bytes() == before


def test_a_file_with_other_columns_is_refused(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_bytes(write(path, KEYS).replace(b"if_empty", b"if_nothing"))
    before = path.read_bytes()
    with pytest.raises(InputError, match="its columns are different"):
        RunStore(path, REQUESTED, resumes=True)
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_written_to_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write to"):
        RunStore(tmp_path / "file" / "scores.csv", REQUESTED)


def test_rows_are_kept_in_memory_where_nothing_is_to_be_written(tmp_path):
    with RunStore(None, REQUESTED) as store:
        store.add(KEYS[1], rows_of(KEYS[1]))
        store.add(KEYS[0], rows_of(KEYS[0]))
        store.finish()
    assert list(store) == [*rows_of(KEYS[0]), *rows_of(KEYS[1])]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(resource is None, reason="no limits to the size of files here")
def test_a_full_disk_raises_an_error_and_complete_pages_are_kept(tmp_path):
    path = tmp_path / "scores.csv"
    size = len(write(path, KEYS))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size - 20, before[1]))
    try:
        with pytest.raises(InputError, match=r"cannot write to .*: File too large"):
            write(path, KEYS)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    with RunStore(path, REQUESTED, resumes=True) as store:
        assert [key for key in KEYS if store.has(key)] == KEYS[:2]
        store.add(KEYS[2], rows_of(KEYS[2]))
    assert len(path.read_bytes()) == size


def test_rows_are_given_in_the_order_of_the_pages_as_values_and_as_texts(tmp_path):
    with RunStore(tmp_path / "scores.csv", REQUESTED) as store:
        for key in reversed(KEYS):
            store.add(key, rows_of(key))
    expected = [row for key in KEYS for row in rows_of(key)]
    assert list(store) == expected
    assert list(store.lines()) == [cells(row) for row in expected]
    assert list(store.pages()) == [key[:2] for key in KEYS]
    assert store.rows_of(KEYS[1]) == rows_of(KEYS[1])


def test_pages_of_another_renderer_or_word_unit_are_dropped(tmp_path):
    with RunStore(tmp_path / "scores.csv", REQUESTED) as store:
        for key, name in zip(KEYS, ("", "Qt 6", "Qt 5"), strict=True):
            store.add(
                key, [replace(row, run=replace(row.run, renderer=name)) for row in rows_of(key)]
            )
        assert (store.drop_others("word_unit", "clauses"), store.done) == (0, 3)
        assert (store.drop_others("renderer", "Qt 6"), store.done) == (1, 2)
        assert not store.has(KEYS[2])


@pytest.mark.parametrize("order", [(0, 2, 4, 1, 3, 5), (5, 4, 3, 2, 1, 0), (0, 1, 2, 0, 3, 4, 5)])
def test_a_page_with_scattered_or_repeated_rows_is_complete(tmp_path, order):
    path = tmp_path / "scores.csv"
    whole = write(path, KEYS)
    rows = [row for key in KEYS for row in rows_of(key)]
    path.write_bytes(encode_rows([ROW_COLUMNS, *(cells(rows[k]) for k in order)]))
    with RunStore(path, REQUESTED, resumes=True) as store:
        assert store.done == len(KEYS)
        assert sorted(map(cells, store)) == sorted(map(cells, rows))
    assert len(path.read_bytes()) == len(whole)


def test_a_page_with_a_damaged_row_is_run_again(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_bytes(write(path, KEYS).replace(b"0.25", b"much", 1))
    with RunStore(path, REQUESTED, resumes=True) as store:
        assert [key for key in KEYS if store.has(key)] == KEYS[1:]


def test_rows_keep_page_names_that_cannot_be_encoded(tmp_path):
    key = ("set", "\udcff", "dom")
    path, planned = tmp_path / "scores.csv", PlannedRuns({key: KINDS}.items)
    with RunStore(path, planned) as store:
        store.add(key, rows_of(key, "a\udcff"))
        assert [row.run.key for row in store] == [key, key]
    with RunStore(path, planned, resumes=True) as store:
        assert store.has(key)
        assert [row.run.key for row in store] == [key, key]


def test_tables_name_the_browsers_where_pages_were_rendered_by_several():
    def tables(*names):
        with RunStore(None, REQUESTED) as store:
            for key, name in zip(KEYS, names, strict=True):
                store.add(
                    key, [replace(row, run=replace(row.run, renderer=name)) for row in rows_of(key)]
                )
        return Evaluated.of(store, {}).tables()

    assert tables("", "Qt 6", "Qt 5").endswith("rendered by different browsers: Qt 6, Qt 5")
    assert "browsers" not in tables("", "Qt 6", "Qt 6")
