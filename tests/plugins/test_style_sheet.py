"""Style sheet of the window, also for widgets of plug-ins."""

import re
from pathlib import Path

from resources import path


def test_each_name_in_the_style_sheet_is_that_of_a_widget():
    sheet = path("style.qss").read_text("utf-8")
    root = Path(__file__).parents[2] / "gui"
    source = "\n".join(file.read_text("utf-8") for file in root.rglob("*.py"))
    names = set(re.findall(r"#([A-Z]\w+)", sheet))
    assert {"LoadingCover", "View3DBar"} <= names
    assert [name for name in sorted(names) if not re.search(rf'"{name}"', source)] == []
