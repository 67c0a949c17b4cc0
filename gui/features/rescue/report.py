"""The report of a problem: what it holds is shown, copied or saved by the user, sent by nobody."""

import logging
import platform
import re
from collections import deque
from pathlib import Path

from PySide6 import __version__ as qt_version
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWebEngineCore import qWebEngineChromiumVersion
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPlainTextEdit, QWidget

from engine.bounded_file import atomic_write
from engine.errors import PageletError
from engine.version import pagelet_version
from gui.core.workbench import Workbench
from gui.state.session import Session
from gui.state.walk import Shown
from gui.widgets.controls import push_button
from gui.widgets.layouts import lay_out
from gui.widgets.parts import PanelDock, hint

LINES = 100
"""Lines of the log that are kept for a report."""

_PRIVATE = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+|“[^”]*”|(?<![\w.])~?/[^\s:,;]+|[A-Z]:\\\S+")
"""Addresses, paths and quoted texts, which may be of pages."""


class ReportState(Shown):
    """Whether the report is shown."""


class _Tail(logging.Handler):
    """Keeps the last lines of the log."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self.lines: deque[str] = deque(maxlen=LINES)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


class Reporter(QObject):
    """Puts the report together, copies and saves it."""

    changed = Signal()

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench, self._session = workbench, workbench.session
        self._tail = _Tail()
        logging.getLogger().addHandler(self._tail)

    def stop(self) -> None:
        """Stop reading the log."""
        logging.getLogger().removeHandler(self._tail)

    def text(self, *, has_page: bool) -> str:
        """Return the report; with addresses, paths, and the page's HTML only if asked for."""
        session = self._session
        lines = list(self._tail.lines) or ["nothing was logged"]
        error = session.messages.error_report or "none in this window"
        chromium = str(qWebEngineChromiumVersion())
        versions = (
            f"Pagelet {pagelet_version()}, Python {platform.python_version()}, Qt {qt_version}, "
            f"Chromium {chromium}, {platform.platform()}"
        )
        parts = [
            versions,
            f"{len(session.documents)} pages, {len(session.open.gold.marks)} marks on the open one",
            f"Last error:\n{error}",
            "\n".join(["Log:", *lines]),
        ]
        text = "\n\n".join(parts).replace(str(Path.home()), "~")
        if not has_page:
            return _PRIVATE.sub("…", text)
        opened = session.open
        address = "none" if opened.document is None else opened.document.address
        html = "" if opened.page is None else opened.page.seen.source.html
        return f"{text}\n\nOpen page: {address}\n{html}"

    def copy(self, text: str) -> None:
        """Copy the report as it is shown."""
        QGuiApplication.clipboard().setText(text)
        self._session.messages.say("the report is copied: paste it where you report the problem")

    def save(self, text: str) -> None:
        """Ask for a file, and write the report as it is shown."""
        self._workbench.main_area.files.save(
            "Save the report", "Texts", ("txt",), lambda path: self.write(path, text),
            "pagelet-report.txt",
        )  # fmt: skip

    def write(self, path: str, text: str) -> None:
        """Write the report to a file."""
        try:
            with atomic_write(Path(path)) as beside:
                beside.write_text(text, encoding="utf-8", errors="backslashreplace")
        except (OSError, PageletError) as error:
            self._session.messages.say(f"not saved: {error}")
            return
        self._session.messages.say(f"the report is in {Path(path).name}")


class ReportDock(PanelDock):
    """Panel with the report as it would be copied or saved."""

    def __init__(self, session: Session, host: Reporter, parent: QWidget | None = None) -> None:
        super().__init__("Report a problem", "ReportDock", parent)
        self._state, self._host = session.get(ReportState), host
        self.add_close("Close", lambda: self._state.show(False))
        said = hint("This is all the report holds. Nothing is sent: copy or save it, then add "
                    "what you did and what you expected.", self)  # fmt: skip
        self.has_page = QCheckBox("With addresses, paths and the page's HTML", self)
        self.preview = QPlainTextEdit(self)
        self.preview.setAccessibleName("The report")
        self.preview.setTabChangesFocus(True)
        self.preview.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.preview.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.preview.setMinimumHeight(200)
        row = lay_out(
            QHBoxLayout(),
            push_button("Copy", self, lambda: host.copy(self.preview.toPlainText())),
            push_button("Save…", self, lambda: host.save(self.preview.toPlainText())),
            None,
            margins=(12, 6, 12, 9), spacing=6,
        )  # fmt: skip
        tick = lay_out(QHBoxLayout(), self.has_page, None, margins=(12, 0, 12, 4))
        lay_out(self.body, said, tick, (self.preview, 1), row)
        self.has_page.toggled.connect(self._refresh)
        self._state.shown_changed.connect(self._on_shown)

    def _on_shown(self) -> None:
        self.has_page.setChecked(False)
        self._refresh()

    def _refresh(self) -> None:
        text = self._host.text(has_page=self.has_page.isChecked()) if self._state.is_shown else ""
        self.preview.setPlainText(text)
