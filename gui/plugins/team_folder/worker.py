"""Thread that reads and writes the team folder: an unavailable share blocks nothing."""

import contextlib
import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from annotate.plugins.team_folder.membership import people_in
from annotate.plugins.team_folder.state import Voice
from annotate.plugins.team_folder.sync import TeamFolder
from engine.errors import PageletError
from engine.web.garbage import collect_here


class FolderWorker(QObject):
    """Runs one task after the other; answers arrive in the window's thread.

    The thread ends with the program even while it waits for a share.
    """

    synced = Signal(object)  # Synced
    failed = Signal(object)  # Exception
    listed = Signal(object, object)  # a folder, and its people or an error
    _answered = Signal(object, object)

    def __init__(self, workspace: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._orders: queue.SimpleQueue[Callable[[], tuple[Any, Any]] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._team: TeamFolder | None = None  # used by the thread only
        self.is_busy = False
        self._answered.connect(self._answer, Qt.ConnectionType.QueuedConnection)

    def sync(self) -> None:
        """Sync workspace and folder; `synced` or `failed` follows."""
        self.is_busy = True
        self._give(self._sync)

    def answer(self, voice: Voice, *, is_accepted: bool) -> None:
        """Accept or refuse a log, and sync; `synced` or `failed` follows."""
        self.is_busy = True
        self._give(lambda: self._sync(lambda team: team.answer(voice, is_accepted=is_accepted)))

    def forget(self, file: str) -> None:
        """Stop reporting the lost records of a log, and sync; `synced` or `failed` follows."""
        self.is_busy = True
        self._give(lambda: self._sync(lambda team: team.forget(file)))

    def list_people(self, folder: Path) -> None:
        """Read the people in a folder; `listed` follows, with them or with an error."""
        self._give(lambda: (self.listed, (folder, _or_error(lambda: people_in(folder)))))

    def close(self, seconds: float = 0.0) -> None:
        """Close the workspace, and wait at most ``seconds`` for it."""
        if self._thread is not None:
            self._orders.put(self._close_team)
            self._orders.put(None)
            self._thread.join(seconds)
            self._thread = None

    def _give(self, order: Callable[[], tuple[Any, Any]]) -> None:
        if self._thread is None:
            collect_here()
            self._orders = queue.SimpleQueue()  # that of a thread before ends with it
            self._thread = threading.Thread(target=self._work, args=(self._orders,), daemon=True)
            self._thread.start()
        self._orders.put(order)

    def _work(self, orders: "queue.SimpleQueue[Callable[[], tuple[Any, Any]] | None]") -> None:
        while (order := orders.get()) is not None:
            answer = order()
            with contextlib.suppress(RuntimeError):  # the window is gone
                self._answered.emit(*answer)

    def _sync(self, first: Callable[[TeamFolder], object] | None = None) -> tuple[Any, Any]:
        try:
            if self._team is None:
                self._team = TeamFolder.opened(self._workspace)
            if self._team is None:
                return self.failed, (None,)
            if first is not None:
                first(self._team)
            return self.synced, (self._team.sync(),)
        except Exception as error:  # noqa: BLE001  (whatever it is, the window says it)
            self._close_team()
            return self.failed, (error,)

    def _close_team(self) -> tuple[Any, Any]:
        team, self._team = self._team, None
        if team is not None:
            team.close()
        return None, ()

    def _answer(self, signal: Any, values: Any) -> None:  # noqa: ANN401
        if signal is not None:
            if signal is not self.listed:
                self.is_busy = False
            signal.emit(*values)


def _or_error(call: Callable[[], Any]) -> Any:  # noqa: ANN401
    try:
        return call()
    except PageletError as error:
        return error
