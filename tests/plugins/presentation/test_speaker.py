"""The speaker's window: this slide and the next, notes, keys; two screens; drawn slides only."""

import json
import os
import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from annotate.marks.gold import Gold
from gui.plugins.presentation.stage import Presentation
from gui.state.layers import GOLD_MAIN
from tests.gui.parts import mark, press
from tests.hand import Hand

pytestmark = pytest.mark.web

PAGE = """<title>Harbour news</title><style>*{margin:0} body{font:16px/24px sans-serif}</style>
<h1>Ferry</h1><p id=first>The ferry returned to the harbour this morning.</p>
<p>Nobody was hurt.</p>"""
KEY, ALT = Qt.Key, Qt.KeyboardModifier.AltModifier
SCREENS = [
    {"name": name, "x": x, "y": 0, "width": width, "height": height, "dpr": 1,
     "logicalDpi": 96, "logicalBaseDpi": 96}
    for name, x, width, height in (("laptop", 0, 1280, 800), ("hall", 1280, 1600, 900))
]  # fmt: skip


@pytest.fixture
def window(new_window):
    return new_window


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    for layer in window.session.layers.all:
        window.session.layers.change_layer(layer.key, visible=layer.key in (GOLD_MAIN, "accb"))
    made.open(PAGE, "ferry.html")
    window.session.set_gold(Gold((mark("text", 0, made.row("#first"), quote="The ferry"),)))
    qtbot.waitUntil(lambda: "accb" in window.session.layers.scores)
    return made


@pytest.fixture
def presentation(window, hand, qtbot):
    press(hand, KEY.Key_F11)
    presentation = window.main_area.get(Presentation)
    qtbot.waitUntil(lambda: presentation.is_on and len(presentation.slides) > 3)
    qtbot.waitUntil(lambda: presentation.is_drawn)
    return presentation


def colors(picture) -> set[int]:
    image = QImage(picture if isinstance(picture, QImage) else picture.toImage())
    image = image.scaled(200, 200)
    return {image.pixel(x, y) for x in range(200) for y in range(200)}


def test_the_speaker_sees_the_next_slide_and_writes_notes_and_steps_by_keys(
    window, hand, presentation, qtbot
):
    press(hand, KEY.Key_S)
    speaker = presentation.speaker
    qtbot.waitUntil(lambda: speaker.isVisible() and not speaker.next.picture.isNull())
    first, second, third = presentation.slides[:3]
    assert speaker.title.text() == f"1 / {len(presentation.slides)}  {first.title}"
    assert speaker.coming.text() == f"Next: {second.title}"
    qtbot.waitUntil(lambda: window.workbench.canvas.cover.isHidden())
    assert [each["id"] for each in window.workbench.canvas.drawn] == []  # the first still shows
    foreseen = colors(speaker.next.picture)
    qtbot.keyClick(speaker, KEY.Key_PageDown)
    qtbot.waitUntil(lambda: presentation.is_drawn and presentation.index == 1)
    qtbot.waitUntil(lambda: speaker.coming.text() == f"Next: {third.title}")
    qtbot.waitUntil(lambda: window.workbench.canvas.cover.isHidden())
    shown = colors(window.workbench.canvas.settled_picture())
    assert len(shown ^ foreseen) < len(shown) / 2  # the same slide, but for the edges of letters
    qtbot.keyClick(speaker, KEY.Key_N, ALT)
    assert speaker.notes.hasFocus()
    qtbot.keyClicks(speaker.notes, "Say b and s")
    qtbot.keyClick(speaker.notes, KEY.Key_Escape)
    assert window.main_area.shows(Presentation)
    assert presentation.caption.notes.isHidden()
    qtbot.keyClick(speaker, KEY.Key_PageUp)
    qtbot.waitUntil(lambda: presentation.is_drawn and presentation.index == 0)
    assert speaker.notes.toPlainText() == ""
    qtbot.keyClick(speaker, KEY.Key_Right)
    qtbot.waitUntil(lambda: speaker.notes.toPlainText() == "Say b and s")
    qtbot.keyClick(speaker, KEY.Key_S)
    assert speaker.isHidden()
    press(hand, KEY.Key_Escape)
    assert not window.main_area.shows(Presentation)
    assert window.session.layers.fixed is None


def test_b_shows_the_audience_black_until_b_a_step_or_esc(window, hand, presentation, qtbot):
    press(hand, KEY.Key_B)
    assert colors(window.main_area.desk.grab()) == {0xFF000000}
    press(hand, KEY.Key_B)
    assert presentation.curtain.isHidden()
    press(hand, KEY.Key_B)
    press(hand, KEY.Key_PageDown)
    assert presentation.curtain.isHidden()
    assert presentation.index == 1
    press(hand, KEY.Key_B)
    press(hand, KEY.Key_Escape)
    assert presentation.curtain.isHidden()
    assert window.main_area.shows(Presentation)


def test_a_slide_is_seen_only_when_it_is_drawn(window, hand, presentation, qtbot):
    canvas, caption = window.workbench.canvas, presentation.caption
    before = caption.title.text()
    seen = canvas.grab().toImage()
    presentation.step(1)
    assert not presentation.is_drawn
    assert caption.title.text() == before
    assert canvas.cover.isVisible()
    assert colors(canvas.grab()) == colors(seen)  # the slide before, still
    qtbot.waitUntil(lambda: presentation.is_drawn)
    assert caption.title.text() == presentation.slides[1].title
    assert canvas.cover.isHidden()
    presentation.step(1)
    presentation.step(1)  # the one between is passed over
    qtbot.waitUntil(lambda: presentation.is_drawn)
    assert caption.where.text().startswith("4 / ")


@pytest.mark.slow
def test_with_two_screens_the_audience_has_one_and_the_speaker_the_other(tmp_path):
    config = tmp_path / "screens.json"
    config.write_text(json.dumps({"windowFrameMargins": False, "screens": SCREENS}))
    (tmp_path / "run").mkdir()
    program = [sys.executable, "-m", "tests.plugins.presentation.two_screens", tmp_path / "run"]
    env = {**os.environ, "QT_QPA_PLATFORM": f"offscreen:configfile={config}"}
    done = subprocess.run(program, env=env, capture_output=True, text=True, timeout=300)
    told = json.loads(done.stdout.splitlines()[-1])
    first, presenting, stepped, exchanged, after = told["seen"]
    assert told["place"] == 1
    assert first[2] is after[2] is False
    assert first[0] == after[0] == presenting[1]
    assert presenting[0] not in ("", presenting[1])
    assert presenting[2] is True
    assert stepped == presenting
    assert exchanged == [presenting[1], presenting[0], True]
    assert after[1] == ""
