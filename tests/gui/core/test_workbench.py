"""Opening and saving pages without a window."""

import os
from dataclasses import replace

import pytest

from algorithms.core import catalogue
from annotate.marks import gold_file
from annotate.marks.gold import MAIN
from annotate.workspace.workspace import Workspace, page_key
from engine.errors import WorkspaceError
from engine.web.collecting import CHANCE, REPEATED
from gui.core import runner
from gui.state.selection import Mode
from tests.hand import save_notes

pytestmark = pytest.mark.web

PAGE = "<title>One</title><p id=a>first words</p><p id=b>second words</p>"


def mark(hand, selector, mode=Mode.LEVEL_1):
    hand.workbench.session.selection.set_mode(mode)
    hand.session.selection.set_candidate(hand.row(selector))
    hand.workbench.marking.take()


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="Chromium's sandbox works here"
)
def test_a_live_page_without_a_sandbox_is_refused_with_the_options_to_use(hand):
    hand.workbench.navigation.open_path("https://example.org/")
    assert "--online --no-sandbox" in hand.session.messages.message
    assert hand.session.open.document is None


def test_a_missing_path_is_reported_and_keeps_the_open_page(hand):
    hand.open(PAGE)
    hand.workbench.navigation.open_path("/nowhere/at-all.html")
    assert "at-all.html" in hand.session.messages.message
    assert hand.session.open.page.title == "One"


def test_a_folder_opens_as_a_list_of_pages_at_the_last_opened_one(hand):
    folder = hand.folder / "pages"
    folder.mkdir()
    for name in "abc":
        (folder / f"{name}.html").write_text(f"<title>{name}</title><p>{name}", encoding="utf-8")
    hand.open_path(folder)
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=20_000):
        hand.workbench.navigation.next_page()
    assert hand.session.open.page.title == "b"
    hand.open_path(folder)
    assert hand.session.open.page.title == "b"
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=20_000):
        hand.workbench.page_session.set_status("done")
    assert hand.session.open.page.title == "c"
    save_notes(hand.workbench)
    statuses = [hand.workbench.pages.status(d) for d in hand.session.documents]
    assert statuses == ["open", "done", "open"]


def test_changes_can_be_undone_after_the_page_is_reloaded(hand):
    hand.open(PAGE)
    mark(hand, "#a")
    mark(hand, "#b")
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=20_000):
        hand.workbench.navigation.reload()
    assert len(hand.session.open.gold.marks) == 2
    hand.workbench.page_session.undo()
    assert hand.marked(1) == [[hand.row("#a")]]
    hand.workbench.page_session.undo()
    assert hand.marked(1) == []
    hand.workbench.page_session.redo()
    assert hand.marked(1) == [[hand.row("#a")]]


def test_marks_that_cannot_be_saved_stay_on_screen_and_are_saved_later(hand, monkeypatch):
    hand.open(PAGE)
    store = hand.workbench.workspace

    def full(*_args, **_kwargs):
        raise WorkspaceError("the disk is full")

    monkeypatch.setattr(store, "save_gold", full)
    mark(hand, "#a")
    assert "the disk is full" in hand.session.messages.message
    assert not hand.workbench.saving.is_all_saved
    hand.workbench.navigation.reload()  # leaving would lose the mark
    assert hand.marked(1) == [[hand.row("#a")]]
    monkeypatch.undo()
    mark(hand, "#b")
    assert hand.workbench.saving.is_all_saved
    with Workspace.open(store.path) as again:
        result = again.load_gold(page_key(hand.session.open.document), hand.session.open.page.nodes)
    assert len(result.marks) == 2


def test_gold_in_a_file_next_to_a_page_is_read_and_can_be_deleted(hand):
    hand.open(PAGE, "brought.html")
    mark(hand, "#a", Mode.MAIN)
    gold_file.write(
        hand.folder / "brought.gold.json", hand.session.open.page, hand.session.open.gold
    )
    other = hand.folder / "copy"
    other.mkdir()
    for name in ("brought.html", "brought.gold.json"):
        (other / name).write_bytes((hand.folder / name).read_bytes())
    hand.open_path(other / "brought.html")
    assert hand.marked(MAIN) == [[hand.row("#a")]]
    hand.session.selection.set_selected([hand.session.open.gold.marks[0].id])
    hand.workbench.delete_selected()
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=20_000):
        hand.workbench.navigation.reload()
    assert hand.marked(MAIN) == []  # a deleted mark is not restored


def test_a_method_that_raises_is_a_failed_layer_and_the_others_run(hand, monkeypatch):
    def explode(*_args):
        raise ZeroDivisionError("on purpose")

    broken = replace(catalogue.method("bte"), on_source=explode)
    monkeypatch.setattr(
        runner, "method", lambda key: broken if key == "bte" else catalogue.method(key)
    )
    hand.open(PAGE)
    outcome = hand.session.layers.outcomes["bte"]
    assert outcome.status == "failed"
    assert "on purpose" in outcome.error
    assert hand.session.layers.outcomes["plain"].status == "ok"


def test_random_numbers_of_scripts_can_be_fixed_or_real(hand):
    hand.open("<p id=a>Dice <script>document.body.append(Math.random())</script>")
    mark(hand, "#a")
    fixed = hand.ask("document.body.textContent")
    for notes, is_same in ((CHANCE,), False), ((REPEATED,), True):
        with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=60_000):
            hand.workbench.navigation.switch_repeatable()
        assert hand.session.open.page.notes == notes
        assert (hand.ask("document.body.textContent") == fixed) is is_same
        assert hand.session.open.document in hand.session.documents
        assert hand.marked(1) == [[hand.row("#a")]]


def test_results_are_shown_before_the_visit_of_a_page_is_saved(hand):
    file = hand.folder / "one.html"
    file.write_text(PAGE, encoding="utf-8")
    workbench, session = hand.workbench, hand.session
    workbench.saving._soon.setInterval(600_000)  # a slow machine scores late
    with hand.qtbot.waitSignal(workbench.runner.rested, timeout=20_000):
        workbench.navigation.open_path(str(file))
    assert all(outcome.result is not None for outcome in session.layers.outcomes.values())
    key = page_key(session.open.document)
    assert not workbench.workspace.page(key).visited
    save_notes(workbench)
    assert workbench.workspace.page(key).visited
    assert workbench.pages.status(session.open.document) == "open"
