"""Repeated blocks: those with the structure of selected ones are selected or marked with them."""

from PySide6.QtCore import QObject

from annotate.marks import similar
from annotate.marks.gold import MAIN
from engine.words import plural
from gui.core.workbench import Workbench


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
        """Mark all elements with the structure of the selected blocks, by their level and type."""
        session, ids = self._session, self._chosen()
        if session.open.page is None or not ids:
            return
        before = len(session.open.gold.sure.marks)
        if self._marking.change(
            "mark all like it", lambda gold, nodes: similar.add_similar(gold, nodes, ids)
        ):
            for level in {mark.level for mark in session.selection.meant_marks()} - {MAIN}:
                self._marking.show_layer(level)
            made = len(session.open.gold.sure.marks) - before
            session.messages.say(f"{plural(made, 'similar block')} marked")
        elif not session.open.is_locked:
            session.messages.say("nothing else on this page is similar to it")

    def _chosen(self) -> list[str]:
        """Return the ids of the blocks to act on; show a message if there are none."""
        ids = [mark.id for mark in self._session.selection.meant_marks() if mark.level != MAIN]
        if not ids:
            self._session.messages.say("select a block first, to find similar ones")
        return ids
