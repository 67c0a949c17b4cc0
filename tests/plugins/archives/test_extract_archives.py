"""Test ``pagelet extract --in`` as a user types it."""

import json

import pagelet
import pytest

from gui.cli.main import main
from tests.plugins.archives.warc_files import STORIES, records, write_wacz, write_warc


@pytest.mark.slow
def test_an_archive_is_extracted_to_files_and_resuming_keeps_them(tmp_path, capsys):
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


def test_missing_arguments_of_extract_are_reported(tmp_path, capsys):
    archive = str(write_warc(tmp_path / "a.warc.gz", records(1)))
    for words, message in (
        (["bte"], "name a page, or archives with --in"),
        (["bte", "--in", archive], "name a folder to write to: --out DIR"),
        (["vips", "--in", archive, "--out", str(tmp_path)], "is a method of segmentation"),
        (["bte", "--in", str(tmp_path / "none.warc"), "--out", str(tmp_path)], "none.warc"),
    ):
        assert main(["extract", *words]) == 2
        assert message in capsys.readouterr().err


def test_a_record_of_an_archive_is_opened_as_a_page(tmp_path):
    archive = write_warc(tmp_path / "a.warc.gz", records(3))
    assert pagelet.open(archive, record=1).run("bte").text == STORIES["de"]
    assert pagelet.open(archive, record="https://example.org/2").title == "Tea 2"


@pytest.mark.slow
def test_address_lists_are_read_and_addresses_missing_in_archives_reported(tmp_path, capsys):
    archive, listed = write_warc(tmp_path / "a.warc.gz", records(3)), tmp_path / "addresses"
    words = ["extract", "bte", "--in", str(archive), "--addresses", str(listed), "--jobs", "1"]
    words += ["--format", "jsonl", "--beside", "none", "--replace", "--out", str(tmp_path / "out")]
    example = "https://example.org"
    for lines, count, said in (
        (f"\ufeff{example}/0\r\n\r\n {example}/2 \r\n", 2, ""),
        (f"{example}/0\n{example}/nowhere\n", 1, "1 page of 2 addresses: others are in no archive"),
        (f"{example}/nowhere", 0, "0 pages of 1 address: others are in no archive"),
        (f"{example}/0\n{example}/800\n", 1, "are in no archive, or no HTML pages there"),
    ):
        listed.write_text(lines, "utf-8", newline="")
        assert main(words) == 0
        text = capsys.readouterr()
        assert text.out.startswith(f"{count} page")
        assert said in text.err
        assert said or "in no archive" not in text.err
    listed.write_text("\n")
    assert main(words) == 2
    assert "holds no addresses: write one a line" in capsys.readouterr().err


def test_an_archive_given_as_a_page_names_the_in_option(tmp_path, capsys):
    archive = write_warc(tmp_path / "a.warc.gz", records(3))
    assert main(["extract", "bte", str(archive)]) == 2
    assert f"pagelet extract bte --in {archive} --out DIR" in capsys.readouterr().err
    package = write_wacz(tmp_path / "a.wacz", records(3))
    assert main(["extract", "bte", str(package)]) == 2
    assert f"pagelet extract bte --in {package} --out DIR" in capsys.readouterr().err
