"""Answers to a review, merged into the open workspace."""

from pathlib import Path

from PySide6.QtCore import QObject

from annotate.plugins.review_pages.answers import keys_beside, read_answers, take_answers
from gui.core.workbench import Workbench


class ReviewPagesController(QObject):
    """Merges answers as the work of one more annotator."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench

    def ask(self) -> None:
        """Ask for answers, and merge them."""
        self._workbench.main_area.files.open(
            "Merge answers of a review", "Answers (*.json);;All files (*)", self.merge
        )

    def merge(self, path: str) -> None:
        """Merge answers by the key of their review, beside them or beside the workspace."""
        source, workspace = Path(path), self._workbench.workspace
        with self._workbench.session.messages.errors():
            answers = read_answers(source, keys_beside([source, workspace.path]))
            merged = take_answers(workspace.store, answers)
            note = f" ({merged.notes[0]})" if merged.notes else ""
            self._workbench.session.messages.say(f"{source.name}: {merged.summary}{note}")
            self._workbench.requests.others_marked.emit()
