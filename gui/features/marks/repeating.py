"""Repeated blocks: those with the structure of selected ones are selected or marked with them."""

from PySide6.QtCore import QObject

from annotate.marks import similar
from annotate.marks.gold import MAIN, Target
from annotate.marks.targets import holds
from engine.words import plural
from gui.core.workbench import Workbench
from gui.state.selection import Mode


class RepeatedBlocks(QObject):
    """Actions for repeated blocks; every change is one undoable step."""

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

        Of main content, what is built like its element under the mouse.
        """
        session = self._session
        rows = self._pieces()
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
            for level in {mark.level for mark in session.selection.meant_marks()} - {MAIN}:
                self._marking.show_layer(level)
            # new ones alone: main content takes the marks within it away
            made = sum(mark.id not in before for mark in session.open.gold.sure.marks)
            what = "similar element" if rows else "similar block"
            session.messages.say(f"{plural(made, what)} marked")
        elif not session.open.is_locked:
            session.messages.say("nothing else on this page is similar to it")

    def _pieces(self) -> list[int]:
        """Return the element of the main content that is framed while it is marked."""
        session = self._session
        selection, page, gold = session.selection, session.open.page, session.open.gold
        framed = Target(selection.candidate)
        if selection.mode is not Mode.MAIN or page is None or framed.row < 0:
            return []
        nodes = page.rendered()
        wholes = [t for m in gold.of_level(MAIN) for t in m.targets if t.is_whole]
        return [t.row for t in wholes if holds(nodes, t, framed)]

    def _chosen(self) -> list[str]:
        """Return the ids of the blocks to act on; show a message if there are none."""
        ids = [mark.id for mark in self._session.selection.meant_marks() if mark.level != MAIN]
        if not ids:
            self._session.messages.say("select a block first, to find similar ones")
        return ids
