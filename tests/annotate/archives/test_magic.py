"""Kinds of files by their bytes, and what to do with them."""

import pytest

from annotate.archives import magic


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("a PDF", "a PDF, and Pagelet reads pages: save it as HTML first"),
        ("a Word document", "a Word document, and Pagelet reads pages: save it as HTML first"),
        ("a RAR archive", "a RAR archive: unpack it first"),
        ("a NumPy array", "a NumPy array"),
    ],
)
def test_a_document_and_an_archive_are_named_with_what_to_do(kind, shown):
    assert magic.with_step(kind) == shown
