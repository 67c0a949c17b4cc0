"""Names of pages: line breaks, bytes that are no UTF-8, both normal forms, 200 letters."""

import os
import subprocess
import sys
import unicodedata

import pytest

from annotate.datasets.site_pages import address_of
from annotate.evaluation.tables.summaries import aligned_before
from engine.document import plain_document
from engine.words import in_one_line

PAGE = (
    "<!doctype html><meta charset=utf-8><title>t</title><nav><a href=x>menu</a> <a href=y>more</a>"
    "</nav><h1>Head</h1><p>Line with some honest words that are read by many.<p>Another line"
)
NAMES = {
    "line feed": b"a\nb", "separator": "a\u2028b".encode(), "next line": "a\x85b".encode(),
    "form feed": b"a\x0cb", "no UTF-8": b"caf\xe9", "composed": "é".encode(),
    "decomposed": unicodedata.normalize("NFD", "é").encode(), "long": b"n" * 200,
    "signs": b"a#b?c%41&d;e", "return": b"a\rb", "escape": b"a\x1b[31mb",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES.values(), ids=list(NAMES))
def test_a_name_is_one_line_and_has_an_address(tmp_path, name):
    path = os.fsencode(tmp_path) + b"/" + name + b".html"
    with open(path, "wb") as file:  # noqa: PTH123  a path of bytes
        file.write(PAGE.encode())
    document = plain_document(os.fsdecode(path))
    assert address_of(document).isascii()
    shown = aligned_before([["page", "F1"], [document.path, "1"]], ["change", "none"])
    assert len(shown.splitlines()) == 2
    assert shown.encode()
    assert in_one_line("caf\udce9\n") == "caf\\udce9\\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES.values(), ids=list(NAMES))
def test_compare_takes_pages_of_any_name(tmp_path, name):
    for each in (b"other", name):
        with open(os.fsencode(tmp_path) + b"/" + each + b".html", "wb") as file:  # noqa: PTH123
            file.write(PAGE.encode())
    done = subprocess.run(
        [sys.executable, "-m", "gui.cli.main", "compare", "bte", "gleaner", str(tmp_path)],
        capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    assert b"Traceback" not in done.stderr, done.stderr[-600:]
    assert done.returncode in (0, 1)
