"""Test rows of ``pagelet extract`` against a plain gzip reader of the same archive."""

import gzip
import hashlib
import json
import zlib

from tests.typed_commands import typed

PAGES = [f"<title>{n}</title><p>page {n} says one thing or another</p>".encode() for n in range(6)]


def record(number: int) -> bytes:
    body = PAGES[number]
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: "
    answer += b"%d\r\n\r\n%b" % (len(body), body)
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n"
        f"WARC-Target-URI: http://example.org/{number}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    return head.encode() + answer + b"\r\n\r\n"


def read_bare(data: bytes) -> dict[str, tuple[int, bytes]]:
    """Address → offset of the member and page, of all gzip members that unpack whole."""
    result, at = {}, 0
    while (at := data.find(b"\x1f\x8b\x08", at)) >= 0:
        unpacker = zlib.decompressobj(wbits=31)
        try:
            content = unpacker.decompress(data[at:])
        except zlib.error:
            at += 1
            continue
        if not unpacker.eof:
            at += 1
            continue
        head, _, answer = content.partition(b"\r\n\r\n")
        (address,) = (
            line.split(b": ")[1].decode()
            for line in head.split(b"\r\n")
            if line.startswith(b"WARC-Target-URI")
        )
        result[address] = at, answer.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n\r\n")
        at = len(data) - len(unpacker.unused_data)
    return result


def rows_of(folder, archives) -> list[dict]:
    """The rows of an extraction that says which archives are damaged, and ends so."""
    done = typed(
        "extract", "plain", "--in", *archives, "--out", folder, "--format", "jsonl",
        "--beside", "none", "--jobs", "1",
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    for path in archives:
        assert ("whole" not in path.name) == (f"{path.name}: 1 of 6 records" in done.stderr)
    shards = sorted(folder.glob("shard-*.jsonl"))
    assert shards
    return [json.loads(line) for shard in shards for line in shard.read_text("utf-8").splitlines()]


def test_rows_of_damaged_archives_equal_those_of_a_plain_gzip_reader(tmp_path):
    members = [gzip.compress(record(number), mtime=0) for number in range(len(PAGES))]
    whole = b"".join(members)
    at = sum(map(len, members[:2])) + len(members[2]) // 2
    damaged = whole[:at] + bytes(byte ^ 0xFF for byte in whole[at : at + 30]) + whole[at + 30 :]
    contents = {
        "whole.warc.gz": whole,
        "damaged.warc.gz": damaged,
        "cut.warc.gz": whole[: -len(members[-1]) // 2],
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    rows = rows_of(tmp_path / "out", [tmp_path / name for name in contents])
    complete = 0
    for name, content in contents.items():
        expected = read_bare(content)
        mine = [row for row in rows if row["archive"] == name]
        ok = {row["address"]: row for row in mine if row["status"] == "ok" and not row["truncated"]}
        assert set(ok) == set(expected), name
        broken = [row for row in mine if row["status"] == "failed" or row["truncated"]]
        assert len(broken) == len(PAGES) - len(expected), name
        for address, (offset, page) in expected.items():
            row = ok[address]
            assert row["offset"] == offset
            assert row["bytes"] == len(page)
            assert row["sha256"] == hashlib.sha256(page).hexdigest()
            assert row["text"].split() == page.decode().partition("<p>")[2][:-4].split()
        complete += len(expected)
    assert complete == 6 + 5 + 5
