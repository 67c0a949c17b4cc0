"""Archives made to take time or memory are refused with the limit they exceed."""

import gzip
import zipfile

import pytest

from annotate.plugins.archives.framing import frames
from annotate.plugins.archives.warc_index import index_of
from engine.errors import InputError
from tests.typed_commands import typed

HEAD = (
    b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://e.example/\r\n"
    b"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"
    b"WARC-Date: 2020-01-01T00:00:00Z\r\nContent-Length: %d\r\n\r\n"
)


def test_a_decompression_bomb_is_reported_as_a_problem(tmp_path):
    size = 250_000_000
    path = tmp_path / "zeros.warc.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(HEAD % size)
        for _ in range(size // 1_000_000):
            file.write(bytes(1_000_000))
    [problem] = index_of(path).problems
    assert "it unpacks to more than any archive of its size" in problem


@pytest.mark.slow
def test_a_wacz_of_too_many_warc_files_is_refused_with_their_number(tmp_path):
    path = tmp_path / "many.wacz"
    with zipfile.ZipFile(path, "w") as package:
        for k in range(1_500):
            package.writestr(f"archive/{k}.warc", HEAD % 0)
    with pytest.raises(InputError, match="holds 1,500 WARC files, more than 1,000"):
        index_of(path)
    done = typed("extract", "plain", "--in", path, "--out", tmp_path / "out", "--jobs", "1")
    assert "holds 1,500 WARC files, more than 1,000" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_zeros_in_place_of_records_are_one_damaged_frame(tmp_path):
    path = tmp_path / "zeros.warc"
    with path.open("wb") as file:
        file.truncate(300_000_000)
    with path.open("rb") as file:
        [frame] = frames(file)
    assert frame.trouble == "300,000,000 zeros stand for records"
    with path.open("r+b") as file:
        file.write(HEAD % 0)
    with path.open("rb") as file:
        assert [bool(each.trouble) for each in frames(file)] == [False, True]
