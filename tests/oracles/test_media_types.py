"""Test that the charset of an answer is the one that the browser takes, header by header.

As users of other tools report: parameters behind the charset (goproxy PR 38, HTTP-UserAgent PR 46),
quotes (nokogumbo PR 42, moli #193), several fields and values.
"""

import json
import re
import subprocess
import sys

import pytest

from engine import media_types
from engine.encoding import name_of
from engine.media_types import media_type
from tests.oracles.served_charsets import FIELDS

pytestmark = pytest.mark.web


@pytest.fixture(scope="module")
def encodings():
    """The encoding in which the browser reads each page; windows-1252 where none is named."""
    command = [sys.executable, "-m", "tests.oracles.served_charsets"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return json.loads(done.stdout)


def _differing(encodings):
    read = [name_of(media_type(", ".join(each)).charset) or "windows-1252" for each in FIELDS]
    return [row for row in zip(FIELDS, encodings, read, strict=True) if row[1] != row[2]]


def test_charsets_of_headers_are_those_of_the_browser(encodings):
    print(f"{len(FIELDS)} headers, {len(_differing(encodings))} differ")
    assert "gbk" in encodings
    assert _differing(encodings) == []


def test_the_oracle_finds_a_charset_that_is_read_otherwise(encodings, monkeypatch):
    parting = re.compile(r"()charset=([^\s]*)()")
    monkeypatch.setattr(media_types, "_PARAMETER", parting)
    assert len(_differing(encodings)) > 5
