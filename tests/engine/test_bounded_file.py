"""Test that regular files are read, and pipes, devices and huge files refused."""

import os
import sys
import tracemalloc
from pathlib import Path

import pytest

from engine import bounded_file
from engine.bounded_file import read_at_most

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices of Unix")


def test_text_with_any_line_endings_is_read_with_line_feeds(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"a\r\nb\rc\n")
    assert bounded_file.read_text(path) == "a\nb\nc\n"


def test_a_pipe_without_a_writer_is_refused_as_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is a pipe"):
        bounded_file.read_bytes(tmp_path / "pipe")


def test_a_device_is_refused_as_a_device():
    with pytest.raises(OSError, match="it is a device"):
        bounded_file.read_bytes(Path("/dev/zero"))


def test_a_huge_sparse_file_is_refused_for_its_size_without_reading_it(tmp_path):
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(5 * 2**40)
    with pytest.raises(OSError, match="larger than 256 MB"):
        bounded_file.read_bytes(tmp_path / "huge")


def test_a_pipe_handed_over_by_a_shell_is_read():
    ours, theirs = os.pipe()
    os.write(theirs, b"from a command")
    os.close(theirs)
    try:
        assert bounded_file.read_bytes(Path(f"/dev/fd/{ours}")) == b"from a command"
    finally:
        os.close(ours)


def test_reading_a_folder_raises_is_a_directory_error(tmp_path):
    with pytest.raises(IsADirectoryError):
        bounded_file.read_bytes(tmp_path)


def test_no_more_memory_is_taken_than_a_file_has_bytes(tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(b"<p>words")
    with path.open("rb", buffering=0) as file:
        tracemalloc.start()
        data = read_at_most(file, 64 * 2**20)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert data == b"<p>words"
    assert most < 3 * 2**20


def test_no_more_bytes_are_read_than_asked_for(tmp_path):
    path = tmp_path / "long"
    path.write_bytes(bytes(3 * 2**20))
    with path.open("rb") as file:
        assert len(read_at_most(file, 2**20 + 1)) == 2**20 + 1
