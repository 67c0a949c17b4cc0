"""Agreement worked out by `pagelet agreement --lines` in a process of its own, a page at a time."""

import sys
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, Signal

from gui.agreement_view.found import page_in


class AgreementRun(QObject):
    """One run of the command; what goes wrong in it harms no window."""

    found = Signal(object, int, int)  # FoundPage, its number, of how many
    ended = Signal(str)  # a sentence if it failed, else ""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: QProcess | None = None
        self._said = b""

    @property
    def is_running(self) -> bool:
        """Whether it is at work."""
        return self._process is not None

    def start(self, workspace: Path, *, no_sandbox: bool = False) -> None:
        """Begin again, on what the workspace holds now."""
        self.stop()
        process = self._process = QProcess(self)
        self._said = b""
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        words = ["-m", "gui.cli.main", "agreement", str(workspace), "--lines"]
        process.start(sys.executable, [*words, *(["--no-sandbox"] if no_sandbox else [])])

    def stop(self) -> None:
        """End it."""
        process, self._process = self._process, None
        if process is not None:
            process.disconnect(self)
            process.kill()
            process.waitForFinished(3000)
            process.deleteLater()

    def _read(self) -> None:
        if self._process is None:
            return
        self._said += bytes(self._process.readAllStandardOutput().data())
        *lines, self._said = self._said.split(b"\n")
        for line in lines:
            page = page_in(line.decode("utf-8", "replace"))
            if page is not None:
                self.found.emit(*page)

    def _on_finished(self, status: int) -> None:
        process = self._process
        if process is None:
            return
        self._read()
        errors = bytes(process.readAllStandardError().data()).decode("utf-8", "replace")
        last = next((line for line in reversed(errors.splitlines()) if line), "")
        self._process = None
        process.deleteLater()
        self.ended.emit(last.removeprefix("pagelet: ") if status else "")

    def _on_error(self, _error: object) -> None:
        process = self._process
        if process is not None and process.state() == QProcess.ProcessState.NotRunning:
            self._process = None
            process.deleteLater()
            self.ended.emit("agreement could not be worked out: its process did not start")
