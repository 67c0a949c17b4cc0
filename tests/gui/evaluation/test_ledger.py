"""scores.csv of a run that may be killed at any byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InputError
from gui.evaluation.ledger import Ledger

COLUMNS = ("dataset", "page", "input", "method", "version", "parameters", "measure", "reason")
KINDS = {("vips", "1", "{}", "exact"), ("vips", "1", "{}", "fuzzy")}
KEYS = [("set", page, "dom") for page in ("a", "b", "c")]


def rows_of(key, reason="said,\r\n\"so\"\nand 'so'"):
    place = dict(zip(COLUMNS, key, strict=False))
    kind = {"method": "vips", "version": "1", "parameters": "{}", "reason": reason}
    return [{**place, **kind, "measure": measure} for measure in ("exact", "fuzzy")]


def write(path, keys, **options):
    with Ledger(path, COLUMNS, KINDS, KEYS, **options) as ledger:
        for key in keys:
            ledger.add(key, rows_of(key))
    return path.read_bytes()


@given(data=st.data())
def test_what_was_cut_anywhere_is_whole_pages_again(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("run") / "scores.csv"
    whole = write(path, KEYS)
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    with Ledger(path, COLUMNS, KINDS, KEYS, resumes=True) as ledger:
        assert list(ledger.pages) == KEYS[: len(ledger.pages)]
        assert all(ledger.pages[key] == rows_of(key) for key in ledger.pages)
        for key in KEYS[len(ledger.pages) :]:
            ledger.add(key, rows_of(key))
    assert path.read_bytes() == whole


def test_rows_end_in_the_order_of_the_pages(tmp_path):
    path = tmp_path / "scores.csv"
    in_order = write(path, KEYS)
    with Ledger(path, COLUMNS, KINDS, KEYS) as ledger:
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
    ("columns", "kinds", "keys", "said"),
    [
        (COLUMNS[:-1], KINDS, KEYS, "its columns are others"),
        (COLUMNS, {("bte", "1", "{}", "cs")}, KEYS, "it has rows of vips 1"),
        (COLUMNS, KINDS, KEYS[1:], "it has rows of set a dom"),
    ],
)
def test_rows_of_another_evaluation_are_refused(tmp_path, columns, kinds, keys, said):
    path = tmp_path / "scores.csv"
    before = write(path, KEYS)
    with pytest.raises(InputError, match=said):
        Ledger(path, columns, kinds, keys, resumes=True)
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_written_to_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write to"):
        Ledger(tmp_path / "file" / "scores.csv", COLUMNS, KINDS, KEYS)
