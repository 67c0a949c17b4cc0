"""A window in which scoring goes wrong the moment a mark is made.

Started by test_scoring_goes_wrong.py as a process of its own: ``python treacherous.py PAGE
WORKSPACE HOW``.  It says which mark is being scored, then does what HOW says.
"""

import os
import signal
import sys
from pathlib import Path

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from algorithms.core.attempt import Outcome, OutcomeStatus
from algorithms.results import Extraction
from engine.web import profile
from gui.state.selection import Mode
from gui.window import app

MARKS = 5
"""So many are scored before the window has had enough."""


class Treacherous(Extraction):
    """A result whose text, which every measure of texts reads, fails."""

    def how(self) -> None:
        """Fail in the chosen way."""

    @property
    def text(self) -> str:
        self.how()
        return ""


def main(page: str, workspace: str, how: str) -> int:
    """Mark one paragraph after the other; scoring raises, hangs or kills."""
    profile.prepare(headless=True)
    application = QApplication(sys.argv[:1])
    application.setApplicationName("pagelet-treacherous")
    window = app.build(Path(workspace))
    window.show()
    session, workbench = window.session, window.workbench
    sys.excepthook = app._tell(session, lambda: workbench.saving.is_all_saved)

    def goes_wrong() -> None:
        marks = session.open.gold.marks
        print(marks[-1].id, flush=True)
        if how == "raises":
            raise ArithmeticError("a measure crashed")
        if len(marks) < MARKS:
            return
        if how == "kills":
            os.kill(os.getpid(), signal.SIGKILL)
        while True:
            signal.pause()

    def begin() -> None:
        workbench.runner.stop()
        nodes = session.open.page.rendered()
        workbench.session.selection.set_mode(Mode.MAIN)
        rows = np.flatnonzero(nodes.has_tag("p"))[:MARKS].tolist()
        QTimer.singleShot(0, lambda: mark_next(rows))

    def mark_next(rows: list[int]) -> None:
        if not rows:
            print("END", flush=True)
            return
        result = Treacherous(session.open.page.source, np.zeros((0, 2)))
        object.__setattr__(result, "how", goes_wrong)
        # Unsaid, so that no panel asks for the text before there is a mark to score it against.
        session.layers.outcomes["bte"] = Outcome(OutcomeStatus.OK, result)
        session.selection.set_candidate(rows[0])
        workbench.marking.take()
        QTimer.singleShot(0, lambda: mark_next(rows[1:]))

    session.open.page_changed.connect(begin)
    workbench.navigation.open_path(page)
    return application.exec()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
