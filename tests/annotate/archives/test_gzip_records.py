"""Records compressed one by one are read, also before and after damage."""

import io

from annotate.archives.gzip_records import gzip_records
from tests.annotate.datasets.layouts import warc_record

BODIES = [b"<p>one", b"", b"WARC/1.0 is not a record here\r\n\r\n", b"<p>caf\xe9" * 50_000]
PARTS = [
    warc_record("resource", body, record_id=str(number), compressed=True)
    for number, body in enumerate(BODIES)
]
WHOLE = b"".join(PARTS)


def read(data, start=0):
    return [(each.fields["warc-record-id"][-2], each.block)
            for each in gzip_records(io.BytesIO(data), start)]  # fmt: skip


def test_records_are_read_from_the_start_and_from_each_offset():
    every = list(gzip_records(io.BytesIO(WHOLE)))
    assert [each.block for each in every] == BODIES
    assert [each.end for each in every] == [each.offset for each in every[1:]] + [len(WHOLE)]
    for number, each in enumerate(every):
        assert [block for _, block in read(WHOLE, each.offset)] == BODIES[number:]


def test_a_half_written_last_record_is_ignored():
    last = len(WHOLE) - len(PARTS[-1])
    for torn in [*range(last + 1, len(WHOLE), 37), *range(len(WHOLE) - 12, len(WHOLE))]:
        *_, record = gzip_records(io.BytesIO(WHOLE[:torn]))
        assert record.end == last
    *_, record = gzip_records(io.BytesIO(WHOLE + bytes(50)))
    assert record.end == len(WHOLE)


def test_records_after_a_damaged_record_are_read():
    data = bytearray(WHOLE)
    data[len(PARTS[0]) + 30 : len(PARTS[0]) + 60] = bytes(30)
    assert [block for _, block in read(bytes(data))] == [BODIES[0], *BODIES[2:]]
    assert read(b"junk" + PARTS[0] + b"\x1f\x8b\x08" + PARTS[2]) == read(PARTS[0] + PARTS[2])


def test_a_record_shorter_than_its_content_length_is_skipped():
    import gzip

    cut = gzip.compress(gzip.decompress(PARTS[3])[:-9])
    assert [block for _, block in read(cut + PARTS[0])] == [BODIES[0]]
    assert read(b"") == read(gzip.compress(b"no record")) == []
