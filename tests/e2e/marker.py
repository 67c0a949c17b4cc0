"""A window that marks element after element, types each, and says so once "Saved" is on screen.

Started by test_kill_window.py as a process of its own, to be killed at a random moment:
``python marker.py PAGE WORKSPACE [SEED]``.  With a seed it opens and closes file dialogs in the
workspace's folder between the marks, at random.
"""

import os
import random
import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QFileDialog

from annotate.marks.gold import TYPES
from engine.web import profile
from gui.state.selection import Mode
from gui.window import app


def main(page: str, workspace: str, seed: str = "") -> int:
    """Mark until killed, or until there is nothing left to mark; a fault ends it at once."""

    def fail(*fault: Any) -> None:
        sys.__excepthook__(*fault)
        os._exit(1)

    sys.excepthook = fail  # Qt would go on, and who waits for marks would wait for good
    profile.prepare(headless=True)
    application = QApplication(sys.argv[:1])
    application.setApplicationName("pagelet-marker")
    window = app.build(Path(workspace))
    window.show()
    session, workbench = window.session, window.workbench
    types = TYPES[2]
    rows: list[int] = []
    shown: list[str] = []
    dice = random.Random(int(seed)) if seed else None
    files = workbench.main_area.files
    files.remember(workspace)

    def show() -> None:
        """Record the mark on screen, and print it unless "Saving…" is shown."""
        mark = session.open.gold.marks[-1]
        shown.append(f"{mark.id} {mark.type}")
        promise()

    def promise() -> None:
        if window.status_bar.saved.text == "Saved":
            for line in shown:
                print(line, flush=True)
            shown.clear()

    def peek() -> None:
        """Open a file dialog, or close the one that is open."""
        dialogs = [each for each in window.findChildren(QFileDialog) if each.isVisible()]
        for dialog in dialogs:
            dialog.reject()
        if not dialogs:
            dice.choice((
                lambda: files.open("Open a page", "All files (*)", str),
                lambda: files.open_folder("Open a folder of pages", str),
                lambda: files.save("Export", "Gold", ["json"], str, "gold"),
            ))()  # fmt: skip

    def mark_next() -> None:
        nodes = session.open.page.rendered()
        while rows:
            row = rows.pop(0)
            if nodes.visible[row] and not nodes.is_text[row]:
                session.selection.set_candidate(row)
                workbench.marking.take()
                show()
                if dice is not None and dice.random() < 0.15:
                    peek()
                QTimer.singleShot(1, type_it)
                return
        print("END", flush=True)

    def type_it() -> None:
        workbench.set_type(types[len(session.open.gold.marks) % len(types)])
        show()
        QTimer.singleShot(1, mark_next)

    def begin() -> None:
        workbench.session.selection.set_mode(Mode.LEVEL_2)
        taken = {t.row for mark in session.open.gold.marks for t in mark.targets}
        rows.extend(r for r in range(2, len(session.open.page.rendered())) if r not in taken)
        print("BEGIN", *(mark.id for mark in session.open.gold.marks), flush=True)
        mark_next()

    session.open.page_changed.connect(begin)
    workbench.saving.changed.connect(promise)
    workbench.navigation.open_path(page)
    return application.exec()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
