"""Records of WARC files are found, and read again from their positions."""

import gzip
import pickle

import pytest

from annotate.plugins.archives.record_reader import records
from engine.errors import InputError
from tests.annotate.datasets.layouts import warc_record

BODIES = [b"<p>one", b"", b"WARC/1.0 is not a record here\r\n\r\n", b"<p>caf\xe9" * 50_000]


def written(path, compressed):
    path.write_bytes(
        b"".join(
            warc_record("resource", body, record_id=str(k), compressed=compressed)
            for k, body in enumerate(BODIES)
        )
    )
    return path


def check(path):
    problems: list[str] = []
    result = list(records(path, problems))
    assert [record.id for record in result] == ["0", "1", "2", "3"]
    assert [pickle.loads(pickle.dumps(record.position)).read() for record in result] == BODIES
    assert problems == []
    return result


@pytest.mark.parametrize("compressed", [True, False])
def test_records_are_read_again_from_their_positions(compressed, tmp_path):
    result = check(written(tmp_path / "a.warc", compressed))
    assert len({record.position.offset for record in result}) == 4


def test_a_file_compressed_as_a_whole_is_read(tmp_path):
    path = written(tmp_path / "a.warc", compressed=False)
    path.write_bytes(gzip.compress(path.read_bytes()))
    assert {record.position.offset for record in check(path)} == {0}


def test_headers_are_read_in_any_case_and_over_several_lines(tmp_path):
    path = tmp_path / "a.warc"
    path.write_bytes(
        b"\r\n\nWARC/1.1\r\nwarc-type: Resource\r\nWARC-RECORD-ID:<urn:uuid:ab>\r\n"
        b'Content-Type: text/html;\r\n charset="ISO-8859-1"\r\nWARC-Target-URI: <http://x/>\r\n'
        b"Content-Length: 2\r\n\r\nab\r\n\r\n"
    )
    (record,) = records(path, [])
    assert (record.type, record.id, record.address, record.charset) == (
        "resource", "ab", "http://x/", "iso-8859-1",
    )  # fmt: skip
    assert record.position.read() == b"ab"


@pytest.mark.parametrize("compressed", [True, False])
def test_whole_records_of_a_truncated_file_are_read(compressed, tmp_path):
    path = written(tmp_path / "a.warc", compressed)
    path.write_bytes(path.read_bytes()[:-40])
    problems: list[str] = []
    assert [record.id for record in records(path, problems)] == ["0", "1", "2"]
    (problem,) = problems
    assert problem.startswith("a.warc is damaged at byte ")


def with_damage(path):
    """Write zeros into the second of four records; return where it begins."""
    data = bytearray(written(path, compressed=True).read_bytes())
    second = data.index(b"\x1f\x8b", 2)
    data[second + 30 : second + 60] = bytes(30)
    path.write_bytes(data)
    return second


def test_records_after_a_damaged_one_are_read(tmp_path):
    path = tmp_path / "a.warc"
    second = with_damage(path)
    problems: list[str] = []
    result = list(records(path, problems))
    assert [record.id for record in result] == ["0", "2", "3"]
    assert [record.position.read() for record in result] == [BODIES[0], *BODIES[2:]]
    (problem,) = problems
    assert problem.startswith(f"a.warc is damaged at byte {second}: it cannot be unpacked")


def test_content_that_is_no_record_is_reported_as_damage(tmp_path):
    path = tmp_path / "a.warc"
    for content in (b"<html>", gzip.compress(b"<html>"), warc_record("resource", b"a") + b"<html>"):
        path.write_bytes(content)
        problems: list[str] = []
        list(records(path, problems))
        (problem,) = problems
        assert problem.startswith("a.warc is damaged at byte ")


def test_reading_from_a_changed_or_deleted_file_raises_an_input_error(tmp_path):
    path = written(tmp_path / "a.warc", compressed=False)
    record = list(records(path, []))[-1]
    path.write_bytes(b"short")
    with pytest.raises(InputError, match="ends within a record"):
        record.position.read()
    path.unlink()
    with pytest.raises(InputError, match="cannot read"):
        record.position.read()
    with pytest.raises(InputError, match="cannot read"):
        list(records(path, []))
