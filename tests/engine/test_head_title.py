"""Test titles read from the first bytes of a page."""

import resources
from engine.document import HEAD_BYTES, title_in
from engine.source import Source
from engine.words import MOST_LABEL


def test_a_title_is_read_with_its_entities_and_without_line_breaks():
    assert title_in(b"<!doctype html><TITLE lang=en>\n Tea &amp;\n cakes </title>") == "Tea & cakes"


def test_a_missing_or_commented_title_is_empty():
    assert title_in(b"<h1>Tea</h1>") == ""
    assert title_in(b"<!-- <title>Draft</title> --><p>Tea") == ""


def test_a_title_is_decoded_by_the_charset_of_page_or_header():
    assert title_in("<meta charset=iso-8859-1><title>Tür</title>".encode("latin-1")) == "Tür"
    assert title_in("<title>茶</title>".encode("shift_jis"), "shift_jis") == "茶"


def test_a_title_after_the_first_bytes_is_ignored():
    assert title_in(b" " * HEAD_BYTES + b"<title>Late</title>") == ""


def test_the_title_equals_that_of_the_source_on_every_sample_page():
    for file in sorted(resources.path("corpus").glob("*/index.html")):
        data = file.read_bytes()
        assert title_in(data) == Source.from_bytes(data).title != ""


def test_a_long_title_is_shortened():
    assert len(title_in(b"<title>" + b"T" * 60_000 + b"</title>")) == MOST_LABEL
