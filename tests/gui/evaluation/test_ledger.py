"""scores.csv of a run that may be killed at any byte."""

try:
    import resource
except ImportError:
    resource = None

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InputError
from gui.evaluation.ledger import Ledger

COLUMNS = ("dataset", "page", "input", "method", "version", "parameters", "measure", "reason")
KINDS = {("vips", "1", "{}", "exact"), ("vips", "1", "{}", "fuzzy")}
KEYS = [("set", page, "dom") for page in ("a", "b", "c")]
WANTED = dict.fromkeys(KEYS, KINDS)


def rows_of(key, reason="said,\r\n\"so\"\nand 'so'"):
    place = dict(zip(COLUMNS, key, strict=False))
    kind = {"method": "vips", "version": "1", "parameters": "{}", "reason": reason}
    return [{**place, **kind, "measure": measure} for measure in ("exact", "fuzzy")]


def write(path, keys, **options):
    with Ledger(path, COLUMNS, WANTED, **options) as ledger:
        for key in keys:
            ledger.add(key, rows_of(key))
    return path.read_bytes()


@given(data=st.data())
def test_what_was_cut_anywhere_is_whole_pages_again(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("run") / "scores.csv"
    whole = write(path, KEYS)
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    with Ledger(path, COLUMNS, WANTED, resumes=True) as ledger:
        assert list(ledger.pages) == KEYS[: len(ledger.pages)]
        assert all(ledger.pages[key] == rows_of(key) for key in ledger.pages)
        for key in KEYS[len(ledger.pages) :]:
            ledger.add(key, rows_of(key))
    assert path.read_bytes() == whole


def test_rows_end_in_the_order_of_the_pages(tmp_path):
    path = tmp_path / "scores.csv"
    in_order = write(path, KEYS)
    with Ledger(path, COLUMNS, WANTED) as ledger:
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
    ("columns", "wanted", "said"),
    [
        (COLUMNS[:-1], WANTED, "its columns are others"),
        (COLUMNS, {key: {("bte", "1", "{}", "cs")} for key in KEYS}, "it has rows of vips 1"),
        (COLUMNS, dict.fromkeys(KEYS[1:], KINDS), "it has rows of set a dom"),
    ],
)
def test_rows_of_another_evaluation_are_refused(tmp_path, columns, wanted, said):
    path = tmp_path / "scores.csv"
    before = write(path, KEYS)
    with pytest.raises(InputError, match=said):
        Ledger(path, columns, wanted, resumes=True)
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_written_to_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write to"):
        Ledger(tmp_path / "file" / "scores.csv", COLUMNS, WANTED)


def test_rows_are_kept_in_memory_where_nothing_is_to_be_written(tmp_path):
    with Ledger(None, COLUMNS, WANTED) as ledger:
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
    with Ledger(path, COLUMNS, WANTED, resumes=True) as ledger:
        assert list(ledger.pages) == KEYS[:2]
        ledger.add(KEYS[2], rows_of(KEYS[2]))
    assert len(path.read_bytes()) == size
