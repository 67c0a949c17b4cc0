"""Test main content as Markdown and HTML, by the command and in Python."""

import json

import pytest

from gui.cli.main import main
from tests.plugins.archives.warc_files import STORIES, records, write_warc


@pytest.mark.slow
def test_rows_of_an_archive_have_markdown_only_if_requested(tmp_path, capsys):
    archive = write_warc(tmp_path / "a.warc.gz", records(2))
    words = ["extract", "bte", "--in", str(archive), "--out", str(tmp_path / "out"), "--jobs", "1"]
    words += ["--format", "jsonl", "--beside", "none"]
    assert main([*words, "--with", "markdown"]) == 0
    lines = (tmp_path / "out" / "shard-00000.jsonl").read_text("utf-8").splitlines()
    rows = list(map(json.loads, lines))
    assert rows[0]["markdown"] == STORIES["en"]
    assert "html" not in rows[0]
    assert main(words) == 2  # other columns are another extraction
    assert "--replace" in capsys.readouterr().err
    assert main([*words, "--replace"]) == 0
    lines = (tmp_path / "out" / "shard-00000.jsonl").read_text("utf-8").splitlines()
    assert "markdown" not in json.loads(lines[0])


def test_markdown_format_is_refused_for_many_pages(tmp_path, capsys):
    archive = write_warc(tmp_path / "a.warc.gz", records(1))
    words = ["extract", "bte", "--in", str(archive), "--out", str(tmp_path / "o")]
    assert main([*words, "--format", "markdown"]) == 2
    assert "--format markdown is for one page" in capsys.readouterr().err
