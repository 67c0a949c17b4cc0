"""The flag *unsure*: set on marks, removed, and stepped through."""

from PySide6.QtCore import QObject

from annotate.marks import edits
from engine.words import plural
from gui.core.workbench import Workbench


class UnsureMarks(QObject):
    """Actions for marks their annotator is unsure of."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._session, self._marking = workbench.session, workbench.marking
        self._workbench = workbench

    @property
    def are_unsure(self) -> bool:
        """Whether all selected marks are flagged, or the one under the mouse."""
        marks = self._session.selection.meant_marks()
        return bool(marks) and all(mark.is_unsure for mark in marks)

    def toggle(self) -> None:
        """Flag the selected marks, or the one under the mouse; unflag them if all are flagged."""
        ids = [mark.id for mark in self._session.selection.meant_marks()]
        is_unsure = not self.are_unsure
        what = plural(len(ids), "mark")
        if self._marking.change(
            f"flag {what} as unsure" if is_unsure else f"remove the flag from {what}",
            lambda gold, _nodes: edits.set_unsure(gold, ids, is_unsure),
        ):
            text = "unsure: the review lists it first" if is_unsure else "sure again"
            self._session.messages.say(f"{what} {text}")

    def step(self, by: int) -> None:
        """Select the next unsure mark of the page, in document order, and scroll to it."""
        session = self._session
        marks = [mark for mark in session.open.gold.marks if mark.is_unsure and mark.targets]
        marks.sort(key=lambda mark: (mark.targets, mark.level))
        if not marks:
            session.messages.say(
                "no mark of this page is flagged as unsure: Shift+Q flags the selected one"
            )
            return
        ids = [mark.id for mark in marks]
        current = session.selection.selected[-1] if session.selection.selected else ""
        start = ids.index(current) + by if current in ids else (0 if by > 0 else -1)
        mark = marks[start % len(marks)]
        session.selection.set_selected((mark.id,))
        self._workbench.canvas.scroll_to(mark.targets[0].row)
