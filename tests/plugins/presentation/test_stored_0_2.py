"""Files stored by Pagelet 0.2 open, and its keys and names still work.

0.2 itself (commit 2361b1f) wrote the files in `stored_0_2`, at work on ``/pages/ferry.html``:
``marks.pagelet``, ``settings.ini`` and ``keys.json`` are of one window, ``left_open.pagelet`` was
copied, with its write-ahead log, while its program still ran.  ``names.json`` lists what users of
0.2 could name, ``shown.json`` what 0.2 itself showed of these files when it was started again.

Renamed items are listed in tables: actions in `RENAMED` of the module that reads
``keys.json``, default keys in `OTHER_KEYS` below.
"""

import pytest
import shiboken6
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.features.drafts.controller import DraftsController
from gui.plugins.presentation.stage import Presentation
from gui.plugins.team_work.review.controller import ReviewController
from tests.gui.parts import make_window
from tests.gui.test_stored_0_2 import PAGE, SHOWN, in_folder, named_actions
from tests.hand import Hand


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the files of a window of 0.2 and its page."""
    made = tmp_path_factory.mktemp("stored")
    in_folder(made, "marks.pagelet", "settings.ini", "keys.json", "ferry.html")
    settings = made / "settings.ini"
    content = settings.read_text("utf-8").replace("folder=/pages\n", f"folder={made}\n")
    settings.write_text(content, "utf-8")
    return made


@pytest.fixture(scope="module")
def window(qapp, folder):
    """Return a window started with all files of 0.2."""
    made = make_window(folder)
    assert QTest.qWaitForWindowExposed(made)
    yield made
    made.close_down()
    made.close()
    shiboken6.delete(made)  # else it would take the mouse from windows of later tests


@pytest.fixture(scope="module")
def hand(request, window, folder):
    """Open the page, which is now in another folder."""
    made = Hand(window.workbench, QtBot(request), folder)
    made.open_path(folder / "ferry.html")
    return made


@pytest.mark.web
def test_the_window_reads_the_settings_of_a_workspace_of_0_2(hand, window, qtbot):
    bench, values = window.workbench, SHOWN["values"]
    assert bench.get(DraftsController).begins is values["begins pages with drafts"]
    assert bench.get(DraftsController).share == values["share of pages free of drafts"]
    assert bench.get(ReviewController).closes is values["close pages in agreement"]
    suggests = bench.session.selection.suggests_types
    named_actions(window)["suggest-types"].trigger()
    assert bench.workspace.setting("suggests types") is not suggests
    named_actions(window)["present"].trigger()
    presentation = window.main_area.get(Presentation)
    qtbot.waitUntil(lambda: presentation.is_drawn)
    notes = presentation.caption.notes
    assert notes.toPlainText() == values["notes"][PAGE]["page"]
    named_actions(window)["present"].trigger()
