"""The window at 200 %: twice the pixels, the same layout, nothing cut off."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.web, pytest.mark.slow]
SHOWN = """
import json, sys
from pathlib import Path
from engine.web import profile
profile.prepare(no_sandbox=True)
from PySide6.QtWidgets import QApplication, QToolButton
import resources
from tests.gui.parts import cut_off, make_window
from tests.gui.scenes import rest, wait

app = QApplication([])
window = make_window(Path(sys.argv[1]))
window.resize(1100, 700)
window.workbench.navigation.open_path(str(resources.path("tour") / "index.html"))
wait(lambda: window.session.open.page is not None, 60)
wait(lambda: not window.workbench.runner.is_running, 60)
shown = {"ratio": window.devicePixelRatioF(), "pixels": window.grab().width(), "tasks": {}}
for name in ("mark", "debug", "review"):
    window.actions_[f"task-{name}"].trigger()
    rest(300)
    bar = window.toolbar
    tools = [each for each in bar.findChildren(QToolButton) if each.isVisible()]
    shown["tasks"][name] = {
        "share": window.main_area.stack.width() / window.width(),
        "outside": [t.text() for t in tools if not bar.rect().contains(t.geometry())],
        "cut": [text for dock in window.panels.every if not dock.visibleRegion().isEmpty()
                for text in cut_off(dock)],
        "zoom": window.workbench.canvas.view.zoomFactor(),
    }
print("SHOWN" + json.dumps(shown), flush=True)
window.close_down()
"""


def shown_at(scale, folder):
    environment = {**os.environ, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen"}
    ended = subprocess.run(
        [sys.executable, "-c", SHOWN, str(folder)], env=environment,
        capture_output=True, text=True, check=False, timeout=120, cwd=Path(__file__).parents[3],
    )  # fmt: skip
    (line,) = (each for each in ended.stdout.splitlines() if each.startswith("SHOWN"))
    return json.loads(line.removeprefix("SHOWN"))


def test_the_layout_at_200_percent_is_the_same_and_cuts_nothing_off(tmp_path):
    shown = shown_at("2", tmp_path)
    assert (shown["ratio"], shown["pixels"]) == (2.0, 2200)
    for name, each in shown["tasks"].items():
        assert each["share"] >= 0.6, name
        assert each["outside"] == [], name
        assert each["cut"] == [], name
        assert each["zoom"] == pytest.approx(0.53, abs=0.1), name
