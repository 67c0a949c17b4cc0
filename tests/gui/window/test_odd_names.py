"""File names that are too long or not UTF-8 are refused with a message."""

import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.web


def test_a_file_name_that_is_too_long_is_refused_with_a_message(window):
    window.open_path("a" * 5000)
    assert window.session.messages.message == f"{'a' * 199}… cannot be opened: File name too long"
    assert window.isVisible()


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
@pytest.mark.parametrize("is_there", [True, False])
def test_a_file_name_that_is_not_utf8_is_refused_with_a_message(window, tmp_path, is_there):
    name = os.fsencode(tmp_path) + b"/caf\xe9.html"
    if is_there:
        Path(os.fsdecode(name)).write_bytes(b"<!doctype html><p>words")
    window.open_path(os.fsdecode(name))
    assert r"caf\udce9.html' is not UTF-8: rename it" in window.session.messages.message
