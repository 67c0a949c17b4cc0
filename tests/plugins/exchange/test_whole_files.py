"""Exports are written whole or not: a full disk leaves an older export unchanged."""

import sys

import pytest

from annotate.plugins.exchange.formats import FORMATS
from engine.errors import InputError
from tests.bench.crash_table import files_in, marked_page, no_room

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the limit on files is POSIX")


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    return marked_page(tmp_path_factory.mktemp("page"))


@pytest.mark.parametrize("entry", FORMATS, ids=lambda entry: entry.key)
def test_a_full_disk_leaves_an_older_export_unchanged(entry, marked, tmp_path):
    entry.write([marked], tmp_path)
    before = {path: path.read_bytes() for path in files_in(tmp_path)}
    assert before
    with no_room(), pytest.raises(InputError, match="cannot write"):
        entry.write([marked], tmp_path)
    assert {path: path.read_bytes() for path in files_in(tmp_path)} == before
