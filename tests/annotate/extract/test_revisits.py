"""Revisits are rows of the page they refer to, in any archive; those without one are counted."""

import io
import json

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from gui.cli.main import main

HOME = "https://tea.example"


class Archive:
    """Write records with warcio, as many crawlers do."""

    def __init__(self, *, packed=True, version="1.1"):
        self.file = io.BytesIO()
        self.writer = WARCWriter(self.file, gzip=packed, warc_version=version)

    def add(self, path, body, kind="text/html", status="200 OK", of="response", **fields):
        head = StatusAndHeaders(status, [("Content-Type", kind)] if kind else [], "HTTP/1.1")
        about = {name.replace("_", "-"): value for name, value in fields.items()}
        record = self.writer.create_warc_record(
            f"{HOME}/{path}", of, io.BytesIO(body), len(body), http_headers=
            head if of == "response" else None, warc_headers_dict=about,
            warc_content_type="" if of == "response" else kind,
        )  # fmt: skip
        self.writer.write_record(record)
        return record.rec_headers.get_header("WARC-Record-ID")

    def revisit(self, path, digest, kind="text/html", original="", date="", **fields):
        head = StatusAndHeaders("200 OK", [("Content-Type", kind)], "HTTP/1.1")
        about = {name.replace("_", "-"): value for name, value in fields.items()}
        record = self.writer.create_revisit_record(
            f"{HOME}/{path}", digest, f"{HOME}/{original}" if original else "", date,
            http_headers=head, warc_headers_dict=about,
        )  # fmt: skip
        self.writer.write_record(record)


def extracted(out, *sources):
    options = ["--out", str(out), "--format", "jsonl", "--beside", "none", "--json"]
    status = main(["extract", "plain", "--in", *map(str, sources), *options])
    lines = [line for file in sorted(out.glob("shard-*")) for line in file.read_text().splitlines()]
    return status, [json.loads(line) for line in lines]


def account_of(capsys):
    account = json.loads(capsys.readouterr().out)["account"]
    assert account["taken"] + sum(account["passed over"].values()) == account["found"]
    return account


def test_an_archive_with_only_revisits_exits_with_1_and_reports_them(tmp_path, capsys):
    archive = Archive()
    archive.revisit("a", "sha1:LOST")
    path = tmp_path / "a.warc.gz"
    path.write_bytes(archive.file.getvalue())
    status, rows = extracted(tmp_path / "out", path)
    assert (status, rows) == (1, [])
    reason = "revisit of a record that is in no archive given"
    assert account_of(capsys)["passed over"] == {reason: 1}
