"""Transfer of marks in the window: to the open page and to others, as drafts, undone at once."""

import pytest

from annotate.marks import drafts
from annotate.marks.drafts import FREE_SHARE
from annotate.marks.gold import MAIN
from annotate.workspace.workspace import page_key
from gui.features.drafts.controller import DraftsController
from gui.plugins.transfer.controller import Transfer
from gui.plugins.transfer.copy_to_next import CopyToNext
from gui.state.selection import Mode

pytestmark = pytest.mark.web

TALES = ("Rain fell all night long.", "A bridge was opened today.", "A dog came home at last.")


@pytest.fixture
def town(hand, tmp_path):
    """Open three pages of one template, with snapshots in a separate folder."""
    folder = tmp_path / "town"
    folder.mkdir()
    menu = "<ul class=menu><li>Home<li>News</ul>"
    for k, tale in enumerate(TALES):
        (folder / f"{k}.html").write_text(
            f"<!doctype html><meta charset=utf-8><title>{k}</title>{menu}"
            f"<div class=story><h1>Title {k}</h1><p class=text>{tale}</p></div>"
            "<p class=foot>All rights reserved</p>",
            encoding="utf-8",
        )
    hand.workbench.get(Transfer)._folder = tmp_path / "cache"
    hand.workbench.get(Transfer)._worker._process._arguments = (tmp_path / "cache",)
    hand.open_path(folder)
    return hand


def mark_story(hand):
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    for selector in ("h1", "p.text"):
        hand.session.selection.set_candidate(hand.row(selector))
        hand.workbench.marking.take()


def go_to(hand, place):
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=30_000):
        hand.workbench.navigation.open_document(place)
    hand.wait_for_methods()


def wait(hand, ask):
    with hand.qtbot.waitSignal(hand.workbench.get(Transfer).ended, timeout=90_000):
        ask()


def quotes(gold):
    return [mark.quote for mark in gold.of_level(MAIN)]


def test_marks_are_transferred_to_the_open_page_as_drafts_in_one_step(town):
    mark_story(town)
    go_to(town, 1)
    assert not town.session.open.gold.marks
    wait(town, town.workbench.get(Transfer).transfer_here)
    gold = town.session.open.gold
    assert quotes(gold) == ["Title 1", TALES[1]]
    assert all(mark.is_draft for mark in gold.marks)
    assert not gold.sure.marks
    assert drafts.origin_of(gold.marks[0])[0] == "0.html"
    assert "2 drafts on 1 page" in town.session.messages.message
    town.workbench.page_session.undo()
    assert not town.session.open.gold.marks
    town.workbench.page_session.redo()
    town.workbench.get(DraftsController).confirm_certain()
    certain = [mark for mark in gold.marks if drafts.origin_of(mark)[1] >= drafts.SURE]
    assert len(town.session.open.gold.sure.marks) == len(certain) > 0


@pytest.mark.slow
def test_marks_are_transferred_to_other_pages_with_one_undo_step_each(town):
    mark_story(town)
    wait(town, lambda: town.workbench.get(Transfer).transfer([0], [1, 2]))
    assert "on 2 pages" in town.session.messages.message
    for position in (1, 2):
        go_to(town, position)
        assert quotes(town.session.open.gold) == [f"Title {position}", TALES[position]]
        assert all(mark.is_draft for mark in town.session.open.gold.marks)
        town.workbench.page_session.undo()
        assert not town.session.open.gold.marks


@pytest.mark.slow
def test_transferring_keeps_existing_marks(town):
    mark_story(town)
    go_to(town, 1)
    town.workbench.session.selection.set_mode(Mode.MAIN)
    town.session.selection.set_candidate(town.row("h1"))
    town.workbench.marking.take()
    own = town.session.open.gold.marks
    wait(town, town.workbench.get(Transfer).transfer_here)
    after = town.session.open.gold.marks
    assert after[:1] == own
    assert [mark.quote for mark in after[1:]] == [TALES[1]]
    wait(
        town, lambda: town.workbench.get(Transfer).transfer([0], [1])
    )  # again: there is nothing new
    assert town.session.open.gold.marks == after
    assert town.session.messages.message == "nothing new was found to mark"


def test_no_marks_are_transferred_to_pages_kept_free_of_drafts(town):
    mark_story(town)
    town.workbench.workspace.set_setting(FREE_SHARE, 1.0)
    wait(town, lambda: town.workbench.get(Transfer).transfer([0], [1, 2]))
    key = page_key(town.session.documents[1])
    assert not town.workbench.workspace.history(key)
    go_to(town, 1)
    town.workbench.get(Transfer).transfer_here()
    assert "kept free of drafts" in town.session.messages.message


def test_transferring_without_marks_is_refused(town):
    town.workbench.get(Transfer).transfer_here()
    assert town.session.messages.message == "no other page of its site is marked yet"


def test_marks_are_copied_to_the_next_page_as_drafts_in_one_undo_step(town):
    mark_story(town)
    copier = town.workbench.get(CopyToNext)
    with town.qtbot.waitSignal(copier.ended, timeout=90_000):
        copier.copy()
    assert town.session.open.document.name.startswith("1")
    drafts = town.session.open.gold.drafts()
    assert [mark.quote for mark in drafts] == ["Title 1", TALES[1]]
    assert "2 drafts from 0" in town.session.messages.message
    town.workbench.page_session.undo()
    assert not town.session.open.gold.marks


def test_copying_is_refused_without_marks_and_on_the_last_page(town):
    copier = town.workbench.get(CopyToNext)
    copier.copy()
    assert "mark something on this page first" in town.session.messages.message
    go_to(town, 2)
    mark_story(town)
    copier.copy()
    assert "last page listed" in town.session.messages.message
    assert town.session.open.document.name.startswith("2")


def test_no_marks_are_copied_to_a_page_kept_free_of_drafts(town):
    mark_story(town)
    town.workbench.workspace.set_setting(FREE_SHARE, 1.0)
    copier = town.workbench.get(CopyToNext)
    with town.qtbot.waitSignal(copier.ended, timeout=90_000):
        copier.copy()
    assert not town.session.open.gold.marks
    assert "kept free" in town.session.messages.message
