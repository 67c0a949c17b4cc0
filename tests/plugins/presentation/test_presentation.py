"""Presentation: slides by key, notes, clock, saved slides, and an unchanged page afterwards."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtPdf import QPdfDocument

from annotate.marks.gold import Gold
from gui.plugins.presentation.stage import Presentation
from gui.state.layers import GOLD_MAIN
from tests.gui.parts import mark, press
from tests.hand import Hand

pytestmark = pytest.mark.web

PAGE = """
<title>Harbour news</title>
<style>*{margin:0} body{font:16px/24px sans-serif} p{padding:10px}</style>
<div id=top style="height:80px;background:#def">The Courier</div>
<div id=story style="border-top:4px solid #000"><p id=first>The ferry returned to the harbour
this morning, after a night at sea.</p>
<p>Nobody was hurt, the captain said later, and the passengers went home.</p></div>
<div id=foot style="height:300px;background:#eee;margin-top:60px">foot</div>
"""
SHOWN = (GOLD_MAIN, "accb", "vips")
KEY = Qt.Key
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def window(new_window):
    """Return a new window, as each test makes the view, which stays."""
    return new_window


@pytest.fixture
def window_size():
    return 1100, 700


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    layers = window.session.layers.all
    for layer in layers:
        window.session.layers.change_layer(layer.key, visible=layer.key in SHOWN)
    made.open(PAGE, "ferry.html")
    first = made.row("#first")
    window.session.set_gold(Gold((mark("text", 0, first, quote="The ferry"),)))
    results = window.session.layers.outcomes
    qtbot.waitUntil(lambda: results["vips"].result is not None, timeout=60_000)
    qtbot.waitUntil(lambda: "accb" in window.session.layers.scores, timeout=60_000)
    return made


@pytest.fixture
def presentation(window, hand, qtbot):
    press(hand, KEY.Key_F11)
    presentation = window.main_area.get(Presentation)
    qtbot.waitUntil(lambda: presentation.is_on and len(presentation.slides) > 3)
    qtbot.waitUntil(lambda: presentation.is_drawn)
    return presentation


def go(presentation, key, qtbot):
    """Show a slide and wait until it is drawn."""
    presentation.go([slide.key for slide in presentation.slides].index(key))
    qtbot.waitUntil(lambda: presentation.is_drawn)


def test_f11_presents_only_the_page_and_esc_restores_the_window(window, hand, presentation, qtbot):
    around = (window.toolbar, window.status_bar, *window.panels.docks)
    assert not any(widget.isVisible() for widget in around)
    assert presentation.caption.isVisible()
    assert presentation.caption.title.text() == "Harbour news"
    before = window.session.layers.all
    go(presentation, "accb", qtbot)
    scores = window.session.layers.scores["accb"]
    assert presentation.caption.score.text() == f"F1 {scores.ws.f1:.3f}"
    assert presentation.caption.title.font().pixelSize() > 1.2 * window.fontMetrics().height()
    assert presentation.caption.where.text() == f"3 / {len(presentation.slides)}"
    press(hand, KEY.Key_Right)
    press(hand, KEY.Key_Escape)
    assert not presentation.caption.isVisible()
    assert all(widget.isVisible() for widget in around)
    assert window.session.layers.fixed is None
    assert window.session.layers.all == before


def test_keys_step_through_slides_of_gold_methods_and_rounds(window, hand, presentation, qtbot):
    keys = [slide.key for slide in presentation.slides]
    steps = [key for key in keys if key.startswith("vips#")]
    assert keys == ["page", GOLD_MAIN, "accb", *steps, "vips", "all"]
    assert steps
    seen = []
    for _ in keys:
        seen.append((presentation.slides[presentation.index].key, drawn(hand, qtbot, presentation)))
        press(hand, KEY.Key_Right)
    assert [key for key, _ in seen] == keys
    shown = dict(seen)
    assert shown["page"] == []
    assert shown[GOLD_MAIN] == [GOLD_MAIN]
    assert shown["accb"] == ["accb"]
    assert shown[steps[0]] == ["vips"]
    assert sorted(shown["all"]) == sorted([GOLD_MAIN, "accb", "vips"])
    press(hand, KEY.Key_Home)
    assert presentation.index == 0
    press(hand, KEY.Key_End)
    assert presentation.index == len(keys) - 1
    press(hand, KEY.Key_Left)
    assert presentation.slides[presentation.index].key == "vips"


def drawn(hand, qtbot, presentation) -> list[str]:
    """Return the layers that the page draws for the current slide."""
    canvas = hand.workbench.canvas
    qtbot.waitUntil(lambda: not hand.workbench.drawing.timer.isActive())
    return [spec["id"] for spec in canvas.drawn]


def test_presenting_keeps_gold_and_notes_and_pauses_the_clock(window, hand, presentation, qtbot):
    gold = window.session.open.gold
    hand.click("#foot")
    for key in (KEY.Key_M, KEY.Key_Return, KEY.Key_Delete, KEY.Key_D, KEY.Key_X):
        press(hand, key)
    press(hand, KEY.Key_Z, CTRL)
    assert window.session.open.gold == gold
    assert window.session.selection.selected == ()
    assert window.main_area.shows(Presentation)
    press(hand, KEY.Key_Home)
    press(hand, KEY.Key_Right)
    press(hand, KEY.Key_N, ALT)
    assert presentation.caption.notes.hasFocus()
    qtbot.keyClicks(presentation.caption.notes, "Say why")
    qtbot.keyClick(presentation.caption.notes, KEY.Key_Escape)
    assert window.main_area.shows(Presentation)
    assert not presentation.caption.notes.hasFocus()
    press(hand, KEY.Key_Left)
    qtbot.waitUntil(lambda: presentation.caption.notes.toPlainText() == "")
    press(hand, KEY.Key_Right)
    qtbot.waitUntil(lambda: presentation.caption.notes.toPlainText() == "Say why")
    press(hand, KEY.Key_Escape)
    press(hand, KEY.Key_F11)
    press(hand, KEY.Key_Right)
    qtbot.waitUntil(lambda: presentation.caption.notes.toPlainText() == "Say why")
    qtbot.waitUntil(lambda: presentation.seconds > 0.05)
    press(hand, KEY.Key_T, ALT)
    stopped = presentation.seconds
    press(hand, KEY.Key_Right)
    assert presentation.seconds == stopped
    press(hand, KEY.Key_T, ALT)
    qtbot.waitUntil(lambda: presentation.seconds > stopped)


@pytest.mark.slow
def test_slides_are_saved_as_pdf_or_png_and_failures_are_reported(
    window, hand, presentation, qtbot, tmp_path
):
    session, count = window.session, len(presentation.slides)

    def save(path) -> str:
        window.main_area.current.save_picture(str(path))
        qtbot.waitUntil(lambda: not presentation.is_saving, timeout=120_000)
        return session.messages.message

    assert window.main_area.current.picture_kinds == ("pdf", "png")
    presentation.go(1)
    target = tmp_path / "talk.pdf"
    assert save(target) == f"saved {count} slides as talk.pdf"
    assert presentation.index == 1
    pdf = QPdfDocument(None)
    assert pdf.load(str(target)) is QPdfDocument.Error.None_
    assert pdf.pageCount() == count
    assert "ACCB" in "".join(pdf.getAllText(2).text().split())
    pdf.close()
    assert "talk-01.png to" in save(tmp_path / "talk.png")
    files = sorted(tmp_path.glob("talk-*.png"))
    assert len(files) == count
    pictures = [QImage(str(file)) for file in files[:3]]
    assert all(picture.size() == window.main_area.desk.size() for picture in pictures)
    page = [picture.copy(0, 0, picture.width(), picture.height() // 2) for picture in pictures]
    assert page[0] != page[1]
    assert page[1] != page[2]
    missing = tmp_path / "no" / "talk.pdf"
    assert save(missing) == f"cannot write {missing}: there is no folder {missing.parent}"
    taken = tmp_path / "taken.pdf"
    taken.mkdir()
    assert save(taken).startswith(f"cannot write {taken}: ")
    assert list(tmp_path.glob("*.part")) == []
    window.main_area.current.save_picture(str(tmp_path / "late.pdf"))
    press(hand, KEY.Key_Escape)
    assert not presentation.is_saving
    assert window.main_area.shows(Presentation)
    press(hand, KEY.Key_Escape)
    assert not window.main_area.shows(Presentation)
    assert not (tmp_path / "late.pdf").exists()


def test_the_next_page_opens_at_the_same_slide(window, hand, presentation, qtbot, tmp_path):
    (tmp_path / "two").mkdir()
    for name in ("a", "b"):
        (tmp_path / "two" / f"{name}.html").write_text(
            f"<!doctype html><title>{name}</title>{PAGE.replace('Harbour', name)}"
        )
    hand.open_path(tmp_path / "two")
    qtbot.waitUntil(lambda: "accb" in [slide.key for slide in presentation.slides], timeout=30_000)
    presentation.go([slide.key for slide in presentation.slides].index("accb"))
    press(hand, KEY.Key_Period)
    qtbot.waitUntil(
        lambda: (
            window.session.open.document.name == "b.html"
            and window.session.open.page is not None
            and bool(presentation.slides)
        ),
        timeout=30_000,
    )
    qtbot.waitUntil(lambda: presentation.slides[presentation.index].key == "accb", timeout=30_000)
    assert window.main_area.shows(Presentation)


def test_a_slide_scrolls_to_its_marks_and_hides_messages(window, hand, qtbot):
    far = PAGE.replace("<div id=story", '<div style="height:3000px">sea</div><div id=story')
    hand.open(far, "far.html")
    first = hand.row("#first")
    window.session.set_gold(Gold((mark("text", 0, first, quote="The ferry"),)))
    press(hand, KEY.Key_F11)
    presentation = window.main_area.get(Presentation)
    qtbot.waitUntil(lambda: presentation.is_on and len(presentation.slides) > 1)
    assert top_of(hand, "#first") > 3000
    press(hand, KEY.Key_Right)
    assert presentation.slides[presentation.index].key == GOLD_MAIN
    # Full screen, and with it another scale, may be reached at any time after F11.
    qtbot.waitUntil(
        lambda: 0 <= top_of(hand, "#first") < float(hand.ask("innerHeight")) - 50, timeout=10_000
    )
    window.session.messages.say("the last change is not saved")
    assert not window.toast.isVisible()
    press(hand, KEY.Key_Escape)
    assert window.toast.isVisible()
    assert window.toast.text == "The last change is not saved"


def top_of(hand, selector) -> float:
    return float(hand.ask(f"document.querySelector('{selector}').getBoundingClientRect().top"))
