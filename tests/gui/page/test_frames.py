"""Main content in frames: marked as on the page, stored, drawn and read again."""

import pytest
from PySide6.QtCore import QPoint

from algorithms.core.catalogue import method
from annotate.marks.gold import MAIN
from gui.state.selection import Mode
from tests.hand import Hand

pytestmark = pytest.mark.web

INNER = """<!doctype html><style>body{margin:0;font:16px/24px monospace}</style>
<p id=one style='margin:0'>alpha beta gamma delta</p>
<p id=two style='margin:0'>epsilon zeta eta theta</p>
<iframe id=deep src=deep.html style='border:3px solid;padding:5px;width:300px;height:60px'></iframe>
"""
DEEP = """<!doctype html><style>body{margin:0;font:16px/24px monospace}</style>
<p id=three style='margin:0'>iota kappa lambda</p>"""
OUTER = """<title>Framed</title><style>body{margin:0;font:16px/24px monospace}</style>
<p id=before>before the frame</p>
<iframe id=f src=inner.html style='border:2px solid;width:420px;height:240px'></iframe>
<p id=after>after the frame</p>"""


@pytest.fixture
def framed(hand):
    (hand.folder / "inner.html").write_text(INNER, encoding="utf-8")
    (hand.folder / "deep.html").write_text(DEEP, encoding="utf-8")
    hand.open(OUTER, "outer.html")
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    return hand


def inside(*frames: str) -> str:
    """Return a script for the document of a frame in a frame."""
    return "document" + "".join(f".querySelector('#{name}').contentDocument" for name in frames)


def text_position(hand: Hand, frames: tuple[str, ...], selector: str, start: int) -> QPoint:
    """Return the position of a letter of an element in frames, in px of the view."""
    x, y = hand.ask(
        f"""(() => {{
          const page = {inside(*frames)}, range = page.createRange();
          range.setStart(page.querySelector({selector!r}).firstChild, {start});
          let r = range.getBoundingClientRect(), x = r.left, y = r.top + r.height / 2;
          for (let win = page.defaultView; win !== window; win = win.parent) {{
            const frame = win.frameElement, box = frame.getBoundingClientRect();
            const style = getComputedStyle(frame);
            x += box.left + frame.clientLeft + parseFloat(style.paddingLeft);
            y += box.top + frame.clientTop + parseFloat(style.paddingTop);
          }}
          return [x, y];
        }})()"""
    )
    zoom = hand.workbench.canvas.view.zoomFactor()
    return QPoint(round((x + 2) * zoom), round(y * zoom))


def marked_text(hand: Hand) -> str:
    nodes = hand.session.open.page.rendered()
    targets = [t for m in hand.session.open.gold.of_level(MAIN) for t in m.targets]
    return " | ".join(
        nodes.text[t.row][t.start : t.end] if not t.is_whole else f"<{nodes.name_of(t.row)}>"
        for t in targets
    )


def drawn(hand: Hand, *frames: str) -> list[str]:
    """Return the texts highlighted as main content in a document."""
    return hand.ask(
        f"""[...({inside(*frames)}.defaultView.CSS.highlights.get('pagelet-gold-main') ?? [])]
          .map((r) => r.startContainer.data.slice(r.startOffset, r.endOffset))"""
    )


@pytest.mark.parametrize(
    ("frames", "selector", "expected"),
    [((), "#before", "the"), (("f",), "#one", "beta gamma"), (("f", "deep"), "#three", "kappa")],
)
def test_dragging_over_text_marks_it_and_draws_it_in_its_frame(framed, frames, selector, expected):
    whole = framed.ask(f"{inside(*frames)}.querySelector('{selector}').firstChild.data")
    first = whole.index(expected)
    start = text_position(framed, frames, selector, first)
    end = text_position(framed, frames, selector, first + len(expected) - 1)
    framed.drag(start, end)
    framed.qtbot.waitUntil(lambda: bool(framed.session.open.gold.marks), timeout=8000)
    assert marked_text(framed) == expected
    framed.qtbot.waitUntil(lambda: drawn(framed, *frames) == [expected], timeout=8000)


def test_a_mark_in_a_frame_is_restored_and_removed_by_the_same_drag(framed):
    way = [text_position(framed, ("f",), "#two", at) for at in (9, 15)]
    framed.drag(*way)
    framed.qtbot.waitUntil(lambda: marked_text(framed) == "zeta eta", timeout=8000)
    with framed.qtbot.waitSignal(framed.session.open.page_changed, timeout=20_000):
        framed.workbench.navigation.reload()
    assert marked_text(framed) == "zeta eta"
    framed.qtbot.waitUntil(lambda: drawn(framed, "f") == ["zeta eta"], timeout=8000)
    framed.drag(*way)
    framed.qtbot.waitUntil(lambda: framed.session.open.gold.marks == (), timeout=8000)
    framed.qtbot.waitUntil(lambda: drawn(framed, "f") == [], timeout=8000)


def test_a_drag_over_two_paragraphs_of_a_frame_marks_both(framed):
    framed.drag(text_position(framed, ("f",), "#one", 11), text_position(framed, ("f",), "#two", 6))
    framed.qtbot.waitUntil(lambda: bool(framed.session.open.gold.marks), timeout=8000)
    assert marked_text(framed) == "gamma delta | epsilon"


def test_text_of_a_frame_of_another_origin_is_refused_with_a_message(hand):
    hand.open(
        "<style>body{margin:0}</style><iframe id=f style='width:400px;height:200px;border:0' "
        "sandbox srcdoc='<p>words of another</p>'></iframe>"
    )
    hand.workbench.session.selection.set_mode(Mode.MAIN)

    def is_refused() -> bool:
        """Drag once more: a frame of another process gets the mouse only once it is painted."""
        hand.drag(QPoint(10, 20), QPoint(90, 25))
        return "cannot be marked here" in hand.session.messages.message

    hand.qtbot.waitUntil(is_refused, timeout=60_000)
    assert hand.session.open.gold.marks == ()


def test_marked_text_in_frames_is_in_the_seen_source_and_not_in_the_dom(window, qtbot, tmp_path):
    framed = Hand(window.workbench, qtbot, tmp_path)
    (tmp_path / "inner.html").write_text(INNER, encoding="utf-8")
    (tmp_path / "deep.html").write_text(DEEP, encoding="utf-8")
    framed.open(OUTER, "outer.html")
    framed.session.selection.set_candidate(framed.row("#f"))
    framed.workbench.session.selection.set_mode(Mode.MAIN)
    framed.workbench.marking.take()
    page, gold = framed.session.open.page, framed.session.open.gold
    assert len(gold.as_extraction(page).text.split()) == 11
    plain = method("plain")
    seen, dom = (plain.run(page, plain.params(), source).text for source in ("seen", "dom"))
    assert gold.as_extraction(page).text in seen
    assert gold.as_extraction(page).text not in dom
