"""The text of an entry wrapped into lines of a width."""

import pytest
from PySide6.QtGui import QFont, QFontMetrics

from gui.widgets.entry_delegate import wrap_text

TEXT = "A bell is four parts copper to one part tin; more tin sounds brighter and breaks sooner"


@pytest.fixture
def font(qapp):
    return QFont("DejaVu Sans", 10)


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("width", [90, 200, 300])
def test_lines_fit_and_only_the_last_is_cut(font, most, width):
    lines = wrap_text(TEXT, font, width, most)
    assert len(lines) <= most
    assert all(QFontMetrics(font).horizontalAdvance(line) <= width for line in lines)
    assert TEXT.startswith(" ".join([*lines[:-1], lines[-1].removesuffix("…")]))
    assert " ".join(lines) == TEXT or (lines[-1].endswith("…") and len(lines) == most)


def test_a_text_that_fits_is_not_cut(font):
    assert wrap_text(TEXT, font, 2000, 2) == [TEXT]
    assert wrap_text("", font, 200, 2) == [""]


def test_characters_of_two_utf16_units_do_not_shift_the_cuts(font):
    text = " ".join(["🦉" * 3, "owl", "at", "the", "old", "mill"] * 5)
    lines = wrap_text(text, font, 150, 3)
    assert len(lines) == 3
    assert text.startswith(" ".join([*lines[:-1], lines[-1].removesuffix("…")]))
