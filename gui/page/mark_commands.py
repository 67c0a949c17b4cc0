"""Commands of keys and menus on the selected marks: type, level, group, split, delete."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject

from algorithms.levels import Level
from annotate.marks import edits
from annotate.marks.gold import MAIN, Gold, Mark, Target
from annotate.marks.similar import copy_type
from engine.errors import InputError
from engine.nodes import NodeTable
from engine.words import plural
from gui.page.gesture_edits import reshape_block, resize_block
from gui.page.overlay import hit
from gui.page.overlay.stretch import End, is_one, is_text, step_box_end, step_text_end
from gui.state.session import Session


class MarkCommands(QObject):
    """Commands on the selected marks; without any, on the mark under the mouse.

    Args:
        session: Has the marks and the selection.
        change: `Marking.change`.
    """

    def __init__(self, session: Session, change: Callable[..., bool], parent: QObject) -> None:
        super().__init__(parent)
        self._open, self._selection = session.open, session.selection
        self._change, self._say = change, session.messages.say

    def resize_selected(self, way: str) -> None:
        """Widen the selected block to its parent element, or narrow it to its first child.

        As all that keys do to a block: to the one under the mouse where none is selected.
        """
        marks = self._selection.meant_marks()
        if len(marks) != 1 or len(marks[0].targets) != 1 or not marks[0].targets[0].is_whole:
            return
        edit = partial(resize_block, mark_id=marks[0].id, way=way)
        self._change("widen the block" if way == "parent" else "narrow the block", edit)

    def reach(self, end: End, grows: bool) -> None:
        """Move an end of the selected mark: to its next neighbour or word, or back by one."""
        marks, page = self._selection.meant_marks(), self._open.page
        targets = [target for mark in marks for target in mark.targets]
        if page is None or not targets or not is_one(marks):
            self._say("select one mark to move its ends")
            return
        nodes = page.rendered()
        step = step_text_end if is_text(nodes, marks) else step_box_end
        try:
            self.reshape(marks, step(nodes, sorted(targets), end, grows=grows))
        except InputError as error:
            self._say(str(error))

    def reshape(self, marks: Sequence[Mark], targets: Sequence[Target]) -> None:
        """Move one block, or marks of main content, to other nodes, in one step; they are selected.

        Drafts there give way to a block.
        """
        ids, known = [mark.id for mark in marks], {mark.id for mark in self._open.gold.marks}
        edit = edits.move_main if marks[0].level == MAIN else reshape_block
        is_selected = bool(self._selection.selected)
        change = partial(edit, ids=ids, targets=targets)
        if self._change("change the extent of a mark", change) and is_selected:
            after = [mark.id for mark in self._open.gold.marks]
            self._selection.set_selected([i for i in after if i in ids or i not in known])

    def cycle(self, step: int) -> str:
        """Select the next mark in document order; return its id, "" if there is none."""
        marks = (m for m in self._open.gold.marks if m.targets)
        ids = [m.id for m in sorted(marks, key=lambda m: (m.targets[0].row, m.level))]
        picked = hit.next_in_cycle(ids, ("", *self._selection.selected)[-1], step)
        self._selection.set_selected((picked,) if picked else ())
        return picked

    def delete(self) -> None:
        ids = [mark.id for mark in self._selection.meant_marks()]
        self._change(_of("delete", ids), lambda gold, _nodes: edits.remove(gold, ids))

    def set_type(self, type_name: str) -> None:
        """Set the type of the selected blocks, else of new ones; main content has none."""
        ids = [mark.id for mark in self._selection.meant_marks() if mark.level != MAIN]
        if not ids and self._selection.mode.makes_block:
            self._selection.set_next_type(type_name)
            self._selection.last_type = type_name
            return
        self.type_marks(ids, type_name)
        self._selection.last_type = type_name
        if self._selection.keeps_type and self._selection.mode.makes_block:
            self._selection.set_next_type(type_name)

    def type_marks(self, ids: Sequence[str], kind: str) -> None:
        """Set the type of blocks; drafts built like them, of the same type, get it too."""
        before = self._open.gold

        def edit(gold: Gold, nodes: NodeTable) -> Gold:
            return copy_type(gold, edits.set_type(gold, ids, kind), nodes, ids)

        if self._change(_of("set type of", ids), edit, types=ids):
            proposed = [m for m in self._open.gold.marks if m.is_draft or m.awaits_type]
            drafts = ((before.find(m.id), m) for m in proposed)
            also = sum(old is not None and old.shown_type != new.shown_type for old, new in drafts)
            if also:
                is_or_are = "is" if also == 1 else "are"
                self._say(f"{plural(also, 'similar draft')} {is_or_are} {kind}, too")

    def toggle_keeps_type(self) -> None:
        self._selection.set_keeps_type(not self._selection.keeps_type)
        if self._selection.keeps_type:
            self._selection.set_next_type(self._selection.last_type)
            self._say("the next blocks have the type that was given last")
        else:
            self._selection.set_next_type("")
            self._say("the next blocks have no type")

    def repeat_type(self) -> None:
        """Set the last type on the selected blocks, else on new ones."""
        if self._selection.last_type:
            self.set_type(self._selection.last_type)
        else:
            self._say("there is no type to repeat yet: give a block one first")

    def set_level(self, level: Level) -> None:
        """Move the selected blocks to level 1 or 2."""
        ids = self._meant_blocks()
        self._change(_of("move", ids), lambda gold, _n: edits.set_level(gold, ids, level))

    def group(self) -> None:
        """Make one block of the selected neighbours."""
        ids = self.selected_blocks()
        if self._change(_of("group", ids), lambda gold, nodes: edits.group(gold, nodes, ids)):
            remaining = [i for i in ids if self._open.gold.find(i)]
            new = [m.id for m in self._open.gold.marks[-1:]]
            self._selection.set_selected(remaining or new)

    def ungroup(self) -> None:
        """Take the selected group apart: one block a node."""
        for mark in self._selection.meant_marks():
            if len(mark.targets) > 1:
                self._change("ungroup a block", partial(edits.ungroup, mark_id=mark.id))

    def split(self) -> None:
        """Take the selected blocks apart: into their nodes, or the parts of the element."""
        for mark_id in self._meant_blocks():
            self._change("split a block", partial(edits.split, mark_id=mark_id))

    def merge(self) -> None:
        """Make one block of the selected ones: the smallest element around them."""
        ids = self.selected_blocks()
        if self._change(
            _of("merge", ids), lambda gold, nodes: edits.merge_around(gold, nodes, ids)
        ):
            self._selection.set_selected([i for i in ids if self._open.gold.find(i)])

    def selected_blocks(self) -> tuple[str, ...]:
        """Return the ids of the selected marks that are blocks."""
        return tuple(m.id for m in self._selection.selected_marks() if m.level != MAIN)

    def _meant_blocks(self) -> tuple[str, ...]:
        return tuple(m.id for m in self._selection.meant_marks() if m.level != MAIN)


def _of(verb: str, ids: Sequence[str]) -> str:
    return f"{verb} {plural(len(ids), 'mark')}" if len(ids) != 1 else f"{verb} a mark"
