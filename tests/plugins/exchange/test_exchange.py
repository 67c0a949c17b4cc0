"""Exchange panel: losses are listed before an export; an import is undone in one step."""

import json
import subprocess
import sys

import pytest
from PySide6.QtCore import Qt

from annotate.datasets.looking.inspection import look_into
from annotate.marks.gold import MAIN, Gold, Mark, MarkState, Target
from annotate.workspace.workspace import page_key
from gui.plugins.exchange.controller import ExchangeController
from gui.plugins.exchange.panel import ExchangeDock
from gui.state.selection import Mode
from tests.gui.parts import press
from tests.hand import Hand, hand_in_window

pytestmark = pytest.mark.web

PAGE = """<title>Ferry</title><header id=top><h1>The Courier of the quay</h1></header>
<p id=first>The ferry returned to the harbour this morning.</p><p id=second>Nobody was hurt.</p>"""
hand = hand_in_window


def marked(hand):
    return Gold(
        (
            Mark("h", 1, (Target(hand.row("#top")),), "Header"),
            Mark("m", MAIN, (Target(hand.row("#first")),)),
        )
    )


def test_the_panel_lists_what_a_format_loses_before_the_export(window, hand):
    window.session.set_gold(marked(hand))
    press(hand, Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier
          | Qt.KeyboardModifier.ShiftModifier)  # fmt: skip
    dock = window.panel(ExchangeDock)
    assert dock.entries() == ["This format keeps all of this page"]
    dock.formats.setCurrentIndex(dock.formats.findData("coco"))
    assert dock.entries() == ["Lost: 1 mark of main content is left out"]
    assert dock.says.text().startswith("Writes annotations.coco.json; imported again.")
    dock.formats.setCurrentIndex(dock.formats.findData("text"))
    assert dock.entries() == ["Lost: 1 block is left out"]


def test_exported_marks_are_imported_in_one_step(window, hand, tmp_path):
    session, exchanging = window.session, window.workbench.get(ExchangeController)
    session.set_gold(marked(hand))
    exchanging.export("webannotation", str(tmp_path / "out"))
    (path,) = (tmp_path / "out").iterdir()
    session.set_gold(Gold())
    window.panel(ExchangeDock).start("in")
    exchanging.show_preview("webannotation", str(path))
    assert window.panel(ExchangeDock).entries() == ["2 marks to import", "2 marks found: 2 taken"]
    assert session.open.gold == Gold()
    hand.qtbot.mouseClick(window.panel(ExchangeDock).take, Qt.MouseButton.LeftButton)
    assert {(m.level, m.type, m.state) for m in session.open.gold.marks} == {
        (1, "Header", MarkState.EXACT), (MAIN, "", MarkState.EXACT),
    }  # fmt: skip
    press(hand, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.open.gold == Gold()


def test_unmatched_marks_are_listed_and_moved_ones_have_a_score(window, hand, tmp_path):
    session, exchanging = window.session, window.workbench.get(ExchangeController)
    session.set_gold(marked(hand))
    exchanging.export("webannotation", str(tmp_path / "out"))
    (path,) = (tmp_path / "out").iterdir()
    session.set_gold(Gold())
    content = json.loads(path.read_text())
    gone, moved = content["items"]
    quotes = [s for s in gone["target"]["selector"] if s["type"] == "TextQuoteSelector"]
    quotes[0].update(exact="An advertisement nobody remembers", prefix="", suffix="")
    quotes = [s for s in moved["target"]["selector"] if s["type"] == "TextQuoteSelector"]
    quotes[0]["exact"] = "The ferry returned to the harbour this evening."
    path.write_text(json.dumps(content))
    window.panel(ExchangeDock).start("in")
    exchanging.show_preview("webannotation", str(path))
    text = window.panel(ExchangeDock).entries()
    assert text[0] == "1 mark to import"
    assert any(line.startswith("to be confirmed, 9") and "alike" in line for line in text)
    assert any("An advertisement nobody remembers" in line for line in text)


def test_an_orphaned_mark_is_listed_with_its_text_and_page_version(window, hand, tmp_path):
    session, workspace = window.session, window.workbench.workspace
    session.set_gold(marked(hand))
    key = page_key(session.open.document)
    (path,) = tmp_path.rglob("ferry.html")
    path.write_text(path.read_text().replace("The ferry returned to the harbour this morning", "X"))
    window.workbench.navigation.reload()
    hand.qtbot.waitUntil(
        lambda: session.open.page is not None and len(session.open.gold.marks) == 2, timeout=60_000
    )
    window.panel(ExchangeDock).start("out")
    (line,) = [
        each for each in window.panel(ExchangeDock).entries() if "No longer on the page" in each
    ]
    assert "The ferry returned to the harbour this morning." in line
    assert "made on the page as of" in line
    assert workspace.made_on(key)["m"] in line


@pytest.mark.slow
def test_all_pages_of_the_workspace_are_exported_at_once(window, hand, tmp_path):
    exchanging, workspace = window.workbench.get(ExchangeController), window.workbench.workspace
    for name in ("ferry.html", "quay.html"):
        hand.open(PAGE, name)
        hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
        window.session.selection.set_candidate(hand.row("#top"))
        hand.workbench.marking.take()
    hand.open(PAGE, "bare.html")
    out = tmp_path / "out"
    with hand.qtbot.waitSignal(exchanging.exported, timeout=120_000):
        exchanging.export_all("gold", str(out))
        assert not window.panel(ExchangeDock).write_all.isEnabled()
    assert sorted(path.name for path in out.iterdir()) == ["ferry.gold.json", "quay.gold.json"]
    assert "2 pages in 2 files" in window.session.messages.message
    assert window.panel(ExchangeDock).write_all.isEnabled()
    assert len(workspace.pages()) == 3


LIKE = "reported that the new pump lowered the water by eleven centimetres in every chamber."
CREWS = (
    "<title>Crews</title><p>What the crews wrote this Friday.</p>"
    f"<p id=b>Crew Birch {LIKE}</p><p id=c>Crew Cedar {LIKE}</p>"
)


def test_a_mark_matched_with_similar_text_waits_to_be_confirmed(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(CREWS, "crews.html")
    session, exchanging = window.session, window.workbench.get(ExchangeController)
    selectors = [
        {"type": "XPathSelector", "value": "/html[1]/body[1]/p[2]"},
        {"type": "TextQuoteSelector", "exact": f"Crew Alder {LIKE}",
         "prefix": "e crews wrote this Friday. ", "suffix": f" Crew Birch {LIKE}"[:32]},
    ]  # fmt: skip
    path = tmp_path / "anno.json"
    path.write_text(json.dumps({
        "type": "Annotation", "id": "urn:a",
        "target": {"source": "crews.html", "selector": selectors},
    }))  # fmt: skip
    window.panel(ExchangeDock).start("in")
    exchanging.show_preview("webannotation", str(path))
    assert "1 mark found: 0 taken, 1 to be confirmed" in window.panel(ExchangeDock).entries()
    qtbot.mouseClick(window.panel(ExchangeDock).take, Qt.MouseButton.LeftButton)
    assert session.open.gold.marks[0].state is MarkState.MOVED
    assert not session.open.gold.has_main
    first = session.open.gold.marks[0].targets
    session.selection.set_selected((session.open.gold.marks[0].id,))
    press(hand, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    assert session.open.gold.marks[0].targets != first
    assert session.open.gold.marks[0].state is MarkState.MOVED
    press(hand, Qt.Key.Key_Y)
    assert session.open.gold.marks[0].state is MarkState.EXACT
    assert session.open.gold.has_main


@pytest.mark.slow
def test_the_window_counts_the_marks_of_a_file_as_the_commands_do(window, hand, tmp_path):
    exchanging = window.workbench.get(ExchangeController)
    words = ["Nobody was hurt", "ferry returned", "an airship"]
    items = [
        {"id": "a1", "type": "Annotation",
         "target": {"source": "ferry.html", "selector": {
             "type": "TextQuoteSelector", "exact": each, "prefix": "", "suffix": ""}}}
        for each in words
    ]  # fmt: skip
    path = tmp_path / "marks.json"
    path.write_text(json.dumps({"type": "AnnotationPage", "items": [*items, {"target": 3}]}))
    window.panel(ExchangeDock).start("in")
    exchanging.show_preview("webannotation", str(path))
    pages, workspace = tmp_path / "pages", tmp_path / "other.pagelet"
    pages.mkdir()
    (pages / "ferry.html").write_text(PAGE)
    command = [sys.executable, "-m", "gui.cli.main"]
    marks = ["import", str(path), "--onto", str(pages), "--workspace", str(workspace)]
    typed = subprocess.run([*command, *marks], capture_output=True, text=True, check=True)
    sentence = typed.stdout.splitlines()[0]
    assert sentence.startswith("4 marks found: 2 taken; 1 lost: not on the page; 1 passed over")
    assert window.panel(ExchangeDock).entries()[:2] == ["2 marks to import", sentence]
    assert look_into(path).counts == {"mark": 4}
