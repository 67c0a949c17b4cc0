"""Messages: what the window tells the user without blocking anything."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QObject, Signal

from engine.errors import PageletError
from engine.words import cut_text, plural

log = logging.getLogger(__name__)

UNFORESEEN = "this did not work"
"""Message of an error that nobody foresaw."""


class Messages(QObject):
    """The last message, the current task, and the last unforeseen error.

    Attributes:
        message: The last one.
        progress: The current task; "" for none.
        notes: Of this process, such as "the sandbox is off".
        error_report: Of the last error that nobody foresaw.
    """

    message_changed = Signal()
    progress_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.message = self.progress = self.error_report = ""
        self.notes: tuple[str, ...] = ()

    def set_progress(self, text: str) -> None:
        """Show a message on the current task; ``""`` when nothing is."""
        if text != self.progress:
            self.progress = text
            self.progress_changed.emit()

    def say(self, text: str) -> None:
        text = cut_text(text)
        if text:
            log.info("%s", text)
        self.message = text
        self.message_changed.emit()

    @contextmanager
    def errors(self, lead: str = "") -> Iterator[None]:
        """Show a `PageletError` that is raised meanwhile, after ``lead``, and go on behind it."""
        try:
            yield
        except PageletError as error:
            self.say(f"{lead}{error}")

    def say_error(self, report: str, *, is_saved: bool) -> None:
        """Show an error; keep its details for a bug report."""
        self.error_report = report
        self.say(f"{UNFORESEEN}{'; your marks are saved' * is_saved}")

    def say_problems(self, problems: Sequence[str]) -> None:
        """Show the problems of a data set: all of it to the log, the first in the window."""
        for problem in problems:
            log.info("%s", problem)
        if problems:
            more = len(problems) - 1
            others = f" (and {plural(more, 'other trouble')}: --verbose lists all)" if more else ""
            self.say(f"{problems[0]}{others}")
