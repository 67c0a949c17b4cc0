"""Offsets between Python's code points and the page's UTF-16 units."""

from hypothesis import given
from hypothesis import strategies as st

from gui.page.overlay.pieces import from_utf16, to_utf16


@given(st.text(), st.data())
def test_offsets_are_unchanged_after_conversion_and_back(text, data):
    offset = data.draw(st.integers(0, len(text)))
    assert from_utf16(text, to_utf16(text, offset)) == offset


@given(st.text())
def test_the_converted_length_equals_the_length_of_the_utf16_encoding(text):
    assert to_utf16(text, len(text)) == len(text.encode("utf-16-le", "surrogatepass")) // 2


def test_an_offset_inside_a_surrogate_pair_is_moved_before_it():
    assert from_utf16("a😀b", 2) == 1
