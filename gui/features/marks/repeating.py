"""Repeated elements: those with the structure of one are selected, marked or deleted with it."""

from PySide6.QtCore import QObject

from annotate.marks import edits, similar
from annotate.marks.drafts import similar_drafts
from annotate.marks.gold import MAIN, Target
from annotate.marks.targets import holds
from engine.words import plural
from gui.core.workbench import Workbench
from gui.state.selection import Mode


class RepeatedBlocks(QObject):
    """Actions for repeated elements; every change is one undoable step."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._session, self._marking = workbench.session, workbench.marking

    def select(self) -> None:
        """Select all blocks with the structure of the selected ones, to type them at once."""
        session, page, ids = self._session, self._session.open.page, self._chosen()
        if page is None or not ids:
            return
        result = similar.similar_marks(session.open.gold, page.rendered(), ids)
        more = len(result) - len(ids)
        session.selection.set_selected((*ids, *(mark.id for mark in result if mark.id not in ids)))
        session.messages.say(
            f"{plural(more, 'more similar block')}" if more else "no other block is similar to it"
        )

    def mark(self) -> None:
        """Mark all elements with the structure of the selected blocks, by their level and type.

        While main content is marked, the framed element and what is built like it; of main content
        already, what is built like the piece that it is in.
        """
        session, selection = self._session, self._session.selection
        rows = self._pieces() or self._framed()
        ids = [] if rows else self._chosen()
        if session.open.page is None or not (rows or ids):
            return
        before = {mark.id for mark in session.open.gold.sure.marks}
        if self._marking.change(
            "mark all like it",
            lambda gold, nodes: (
                similar.add_similar_main(gold, nodes, rows)
                if rows
                else similar.add_similar(gold, nodes, ids)
            ),
        ):
            for level in {MAIN} if rows else {mark.level for mark in selection.meant_marks()}:
                self._marking.show_layer(level)
            # new ones alone: main content takes the marks within it away
            made = sum(mark.id not in before for mark in session.open.gold.sure.marks)
            what = "similar element" if rows else "similar block"
            session.messages.say(f"{plural(made, what)} marked")
        elif not session.open.is_locked:
            session.messages.say("nothing else on this page is similar to it")

    def remove(self) -> None:
        """Delete the draft selected or under the mouse, and all with its structure.

        While main content is marked, the framed element and what is built like it are taken out
        instead, as the status line says.
        """
        session, page = self._session, self._session.open.page
        if page is None:
            return
        if framed := self._framed():
            if self._marking.change(
                "take out all like it",
                lambda gold, nodes: similar.remove_similar_main(gold, nodes, framed),
            ):
                session.messages.say("it and all similar elements are no main content")
            return
        meant = [mark.id for mark in session.selection.meant_marks()]
        if drafts := similar_drafts(session.open.gold, page.rendered(), meant):
            ids = {mark.id for mark in drafts}
            text = f"drop {plural(len(ids), 'similar draft')}"
            self._marking.change(text, lambda gold, _nodes: edits.remove(gold, ids))
        else:
            session.messages.say("select a draft, to delete it and all similar ones")

    def _framed(self) -> list[int]:
        """Return the framed element while main content is marked."""
        selection = self._session.selection
        is_framed = selection.mode is Mode.MAIN and selection.candidate >= 0
        return [selection.candidate] if is_framed else []

    def _pieces(self) -> list[int]:
        """Return the pieces of main content that the framed element is in, while it is marked."""
        page, gold = self._session.open.page, self._session.open.gold
        if page is None:
            return []
        wholes = [t for m in gold.of_level(MAIN) for t in m.targets if t.is_whole]
        framed = [Target(row) for row in self._framed()]
        return [t.row for t in wholes if any(holds(page.rendered(), t, each) for each in framed)]

    def _chosen(self) -> list[str]:
        """Return the ids of the blocks to act on; show a message if there are none."""
        ids = [mark.id for mark in self._session.selection.meant_marks() if mark.level != MAIN]
        if not ids:
            self._session.messages.say("select a block first, to find similar ones")
        return ids
