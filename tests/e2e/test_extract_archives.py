"""``pagelet extract --in`` as a user types it."""

import json

import pagelet

from gui.cli.main import main
from tests.annotate.archives.warc.warc_files import STORIES, records, write_warc


def test_an_archive_becomes_files_and_going_on_does_nothing_twice(tmp_path, capsys):
    archive = write_warc(tmp_path / "a.warc.gz", records(5))
    words = ["extract", "bte", "--in", str(archive), "--out", str(tmp_path / "out")]
    words += ["--format", "jsonl", "--shard-records", "3", "--jobs", "2"]
    assert main(words) == 0
    assert capsys.readouterr().out == "6 pages in 3 files: 6 ok\n"
    file = tmp_path / "out" / "shard-00001.jsonl"
    before = file.stat().st_mtime_ns
    (row, *_) = map(json.loads, file.read_text("utf-8").splitlines())
    assert row["text"] == STORIES["en"]
    assert main([*words, "--resume"]) == 0
    assert file.stat().st_mtime_ns == before


def test_what_is_missing_is_said(tmp_path, capsys):
    archive = str(write_warc(tmp_path / "a.warc.gz", records(1)))
    for words, message in (
        (["bte"], "name a page, or archives with --in"),
        (["bte", "--in", archive], "name a folder to write to: --out DIR"),
        (["vips", "--in", archive, "--out", str(tmp_path)], "is a method of segmentation"),
        (["bte", "--in", str(tmp_path / "none.warc"), "--out", str(tmp_path)], "none.warc"),
    ):
        assert main(["extract", *words]) == 2
        assert message in capsys.readouterr().err


def test_a_record_is_a_page(tmp_path):
    archive = write_warc(tmp_path / "a.warc.gz", records(3))
    assert pagelet.open(archive, record=1).run("bte").text == STORIES["de"]
    assert pagelet.open(archive, record="https://example.org/2").title == "Tea 2"
