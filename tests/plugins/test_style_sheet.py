"""Style sheet of the window, also for widgets of plug-ins."""

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox

from gui.features.source.panel import SourceDock
from gui.widgets.parts import PanelDock, Segments
from resources import path


def test_each_name_in_the_style_sheet_is_the_name_of_a_widget():
    sheet = path("style.qss").read_text("utf-8")
    root = Path(__file__).parents[2] / "gui"
    source = "\n".join(file.read_text("utf-8") for file in root.rglob("*.py"))
    names = set(re.findall(r"#([A-Z]\w+)", sheet))
    assert {"LoadingCover", "View3DBar"} <= names
    assert [name for name in sorted(names) if not re.search(rf'"{name}"', source)] == []


@pytest.mark.web
def test_choices_and_fields_of_panels_have_their_theme_background(window):
    theme, docks = window.themes.theme, window.findChildren(PanelDock)
    choices = [each for dock in docks for each in dock.findChildren(Segments)]
    combos = [each for dock in docks for each in dock.findChildren(QComboBox)]
    assert len(choices) > 4
    assert len(combos) > 4
    parts = [(each, 0, theme.hover) for each in choices]  # above its buttons
    parts += [(each, 4, theme.field) for each in combos]
    parts.append((window.panel(SourceDock).field, 4, theme.hover))
    drawn = [(part, part.grab().toImage(), y, color) for part, y, color in parts]
    drawn = [each for each in drawn if not each[1].isNull()]  # one without room in a hidden panel
    assert len(drawn) > len(parts) - 4
    for part, image, y, color in drawn:
        ground = image.pixelColor(image.width() // 2, y)
        assert ground == QColor(color), f"{part} in {part.window()}"
