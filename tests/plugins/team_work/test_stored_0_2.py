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

from annotate.plugins.team_work import assignments, comments
from annotate.workspace.workspace import Workspace, page_key
from gui.plugins.team_work.team.controller import TeamController
from gui.state.layers import to_records
from tests.gui.parts import make_window
from tests.gui.test_stored_0_2 import PAGE, SHOWN, facts, in_folder
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


@pytest.fixture
def workspace(tmp_path):
    with Workspace.open(in_folder(tmp_path, "marks.pagelet") / "marks.pagelet") as made:
        yield made


def test_status_comments_and_assignments_are_read_unchanged(workspace):
    assert workspace.annotator.name == "Anna"
    (page,) = workspace.pages()
    assert (page.key, page.title, str(page.status)) == (PAGE, "The ferry is back", "question")
    (anna, ben) = workspace.annotators
    assert (anna.name, ben.name) == ("Anna", "Ben")
    threads = comments.threads(workspace, PAGE)
    assert SHOWN["comments"] == [
        [[each.owner, each.author, str(each.kind), each.text, each.mark] for each in thread]
        for thread in threads
    ]
    for who in (anna, ben):
        assert [each.key for each in assignments.list_assigned(workspace.store, who)] == [PAGE]
    workspace.work_as(ben)
    (page,) = workspace.pages()
    assert str(page.status) == "done"


@pytest.fixture(scope="module")
def hand(request, window, folder):
    """Open the page, which is now in another folder."""
    made = Hand(window.workbench, QtBot(request), folder)
    made.open_path(folder / "ferry.html")
    return made


@pytest.mark.web
def test_the_page_opens_with_its_marks_status_comments_and_layers(hand, window):
    session, bench = window.session, window.workbench
    assert facts(session.open.gold) == SHOWN["annotators"][0]["marks"]
    rows = {mark.id: [target.row for target in mark.targets] for mark in session.open.gold.marks}
    assert rows == SHOWN["rows"]
    assert str(bench.pages.status(session.open.document)) == SHOWN["status"]
    threads = bench.get(TeamController).threads()
    assert [each.text for thread in threads for each in thread] == [
        text for thread in SHOWN["comments"] for *_, text, _ in thread
    ]
    assert to_records(session.layers.all) == SHOWN["shown_layers"]
    assert bench.clock.on_page(page_key(session.open.document)) == SHOWN["seconds"]
