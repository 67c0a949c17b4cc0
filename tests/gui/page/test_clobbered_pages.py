"""Pages whose elements shadow names of the DOM that Pagelet uses are marked like any other."""

import pytest
from PySide6.QtCore import QPoint

from annotate.marks.gold import MAIN
from gui.state.selection import Mode
from tests.hand import hand_in_window

pytestmark = pytest.mark.web

OF_DOCUMENTS = (
    "documentElement body adoptedStyleSheets createElement createRange elementsFromPoint "
    "caretRangeFromPoint getSelection activeElement scrollingElement querySelectorAll "
    "createTreeWalker defaultView elementFromPoint"
).split()
OF_FORMS = (
    "nodeType childNodes getBoundingClientRect isConnected checkVisibility scrollIntoView "
    "assignedSlot parentElement getRootNode shadowRoot ownerDocument contains scrollLeft scrollBy"
).split()
PAGE = (
    "<!doctype html><title>Names</title><style>body { margin: 0 } p { margin: 10px }</style>"
    "<form id=form><p id=words>Some words in a form.</p>"
    + "".join(f"<input type=hidden name={name}>" for name in OF_FORMS)
    + "</form><p id=last>Some more words.</p>"
    + "".join(f"<img name={name} width=0>" for name in OF_DOCUMENTS)
)
hand = hand_in_window


def test_the_page_shadows_a_property_of_its_form(hand):
    assert hand.ask("document.querySelector('form').nodeType.localName") == "input"


def test_a_click_frames_an_element(window, hand):
    window.workbench.session.selection.set_mode(Mode.LEVEL_1)
    for selector in ("#words", "#last"):
        window.session.selection.set_candidate(-1)
        hand.click(selector)
        hand.qtbot.waitUntil(lambda: window.session.selection.candidate >= 0)


def test_a_drag_marks_text(window, hand):
    window.workbench.session.selection.set_mode(Mode.MAIN)
    hand.drag(hand.point_of("#words") - QPoint(40, 0), hand.point_of("#last"))
    hand.qtbot.waitUntil(lambda: bool(window.session.open.gold.marks))
    assert window.session.open.gold.of_level(MAIN)


def test_layers_are_drawn(hand):
    assert hand.ask("pagelet.overlay.setLayers([])") == 0
    form = "pagelet.nodes.findIndex((node) => node instanceof HTMLFormElement)"
    drawn = (
        "pagelet.overlay.setLayers([{id: 'x', color: '#112233', dash: 'solid', opacity: 1,"
        f" boxes: [{{pieces: [{form}]}}]}}])"
    )
    assert hand.ask(drawn) == 1
    assert hand.ask(f"pagelet.overlay.scrollTo({form})")
