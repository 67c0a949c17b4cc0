"""A member of a zip is read once from start to end, however its readers seek."""

import gzip
import io
import random
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.archives.page_ranges import PageRanges, all_pages, pages
from annotate.plugins.archives import record_ranges
from annotate.plugins.archives.record_ranges import SeekBuffer
from engine.errors import InputError
from tests.plugins.archives.warc_files import answer, page, record

DATA = bytes(k * k % 251 for k in range(400))


STEPS = st.lists(
    st.tuples(
        st.sampled_from([io.SEEK_SET, io.SEEK_CUR, io.SEEK_END]),
        st.integers(-60, 450),
        st.integers(0, 90),
    ),
    max_size=20,
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(steps=STEPS)
def test_a_seek_buffer_reads_and_seeks_as_the_file_does(steps):
    with pytest.MonkeyPatch.context() as patch:  # a small buffer, so that short data exceed it
        patch.setattr(record_ranges, "CHUNK", 16)
        patch.setattr(record_ranges, "_KEPT", 50)
        check(steps)


def check(steps):
    file, own = io.BytesIO(DATA), SeekBuffer(io.BytesIO(DATA))
    for whence, offset, size in steps:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: file.tell(), io.SEEK_END: len(DATA)}[whence]
        offset = max(offset, -start)
        assert own.seek(offset, whence) == file.seek(offset, whence)
        assert own.read(size) == file.read(size)
        assert own.tell() == file.tell()


@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_records_of_a_package_are_read_without_seeking_back(tmp_path, how, monkeypatch):
    pytest.importorskip("fastwarc")
    path, back = tmp_path / "a.wacz", []
    each = [record(k, answer(page("en", f"Tea {k}").encode())) for k in range(400)]
    with zipfile.ZipFile(path, "w", how) as package:
        package.writestr("archive/a.warc.gz", b"".join(map(gzip.compress, each)))
    seek = zipfile.ZipExtFile.seek

    def noted(file, offset, whence=io.SEEK_SET):
        if whence == io.SEEK_SET and offset < file.tell():
            back.append(offset)
        return seek(file, offset, whence)

    monkeypatch.setattr(zipfile.ZipExtFile, "seek", noted)
    assert len(list(all_pages(path))) == 400
    assert not back


class Breaks(io.BytesIO):
    """A file that cannot be read beyond 100 bytes."""

    def read(self, size=-1):
        if self.tell() + size > 100:
            raise zipfile.BadZipFile("no more")
        return super().read(size)


@pytest.mark.parametrize("size", [1, 7, 64, 100])
def test_bytes_before_a_damaged_piece_are_read_before_the_error_is_raised(size, monkeypatch):
    monkeypatch.setattr(record_ranges, "_PIECE", 10)
    file, had = SeekBuffer(Breaks(DATA)), b""
    while len(had) < 100:
        had += file.read(size)
    assert had == DATA[:100]
    with pytest.raises(zipfile.BadZipFile, match="no more"):
        file.read(size)
    file.seek(40)
    assert file.read(10) == DATA[40:50]


def test_a_package_with_a_wrong_crc_gives_nearly_all_records_before_it_raises(tmp_path):
    pytest.importorskip("fastwarc")
    path, dice = tmp_path / "a.wacz", random.Random(1)
    texts = [" ".join(str(dice.random()) for _ in range(300)) for _ in range(100)]
    each = [record(k, answer(page("en", text).encode())) for k, text in enumerate(texts)]
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("archive/a.warc.gz", b"".join(map(gzip.compress, each)))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 255
    path.write_bytes(data)
    contents, found = [], []
    [stretch] = PageRanges(1000, contents).ranges(path, "a")
    assert "Bad CRC-32" in contents[0].broken
    with pytest.raises(InputError, match="Bad CRC-32"):
        found.extend(pages(stretch))
    assert sum(not one.trouble for one in found) >= 97
