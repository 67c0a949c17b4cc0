"""Joins a team folder, syncs with it on a thread, and reports new and missing changes."""

import contextlib
import queue
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QFileSystemWatcher, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction

from annotate.plugins.team_folder import membership
from annotate.plugins.team_folder.held import Held
from annotate.plugins.team_folder.membership import People, people_in
from annotate.plugins.team_folder.sync import Synced, TeamFolder
from annotate.workspace.workspace import page_key
from engine.errors import PageletError, WorkspaceBusy
from engine.web.event_loop import collect_here
from engine.words import plural
from gui.core.workbench import Workbench
from gui.widgets.events import debounce
from gui.widgets.quick_pick import Choice
from gui.widgets.texts import plain
from gui.widgets.toasts import Question, question_over


class _Answers(QObject):
    """Hands answers from the thread to the window's; without a parent it outlives the window."""

    given = Signal(object, object, object)


class FolderWorker(QObject):
    """Runs one task after the other; answers arrive in the window's thread.

    The thread ends with the program even while it waits for a share.
    """

    synced = Signal(object)  # Synced
    failed = Signal(object)  # Exception
    listed = Signal(object, object)  # a folder, and its people or an error

    def __init__(self, workspace: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._orders: queue.SimpleQueue[Callable[[], tuple[Any, Any]] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._own = threading.local()  # `team`: a thread that was left may still be at another one
        self.is_busy = False
        self._answers = _Answers()
        self._answers.given.connect(self._answer, Qt.ConnectionType.QueuedConnection)

    def sync(self, first: Callable[[TeamFolder], object] = lambda _team: None) -> None:
        """Sync workspace and folder, after a call of ``first``; `synced` or `failed` follows."""
        self.is_busy = True
        self._give(partial(self._sync, first))

    def list_people(self, folder: Path) -> None:
        """Read the people in a folder; `listed` follows, with them or with an error."""
        self._give(partial(self._list, folder))

    def close(self, seconds: float = 0.0) -> None:
        """Close the workspace, and wait at most ``seconds`` for it."""
        if self._thread is not None:
            self._orders.put(self._close_team)
            self._orders.put(None)
            self._thread.join(seconds)
            self._thread, self._orders = None, queue.SimpleQueue()  # its answers are ignored
            self.is_busy = False

    def _give(self, order: Callable[[], tuple[Any, Any]]) -> None:
        if self._thread is None:
            collect_here()
            of = self._orders, self._answers
            self._thread = threading.Thread(target=self._work, args=of, daemon=True)
            self._thread.start()
        self._orders.put(order)

    def _work(
        self, orders: "queue.SimpleQueue[Callable[[], tuple[Any, Any]] | None]", answers: _Answers
    ) -> None:
        while (order := orders.get()) is not None:
            with contextlib.suppress(RuntimeError):  # the window is gone
                answers.given.emit(orders, *order())

    def _sync(self, first: Callable[[TeamFolder], object]) -> tuple[Any, Any]:
        try:
            team: TeamFolder | None = getattr(self._own, "team", None)
            team = self._own.team = team or TeamFolder.opened(self._workspace)
            if team is None:
                return self.failed, (None,)
            first(team)
            return self.synced, (team.sync(),)
        except Exception as error:  # noqa: BLE001  (the window shows any error)
            self._close_team()
            return self.failed, (error,)

    def _list(self, folder: Path) -> tuple[Any, Any]:
        try:
            return self.listed, (folder, people_in(folder))
        except PageletError as error:
            return self.listed, (folder, error)

    def _close_team(self) -> tuple[Any, Any]:
        team, self._own.team = getattr(self._own, "team", None), None
        if team is not None:
            team.close()
        return None, ()

    def _answer(self, orders: object, signal: Any, values: Any) -> None:  # noqa: ANN401
        if signal is not None and orders is self._orders:
            if signal is not self.listed:
                self.is_busy = False
            signal.emit(*values)


EVERY_MS = 3000
"""Polling interval, as network shares do not notify of changed files."""

SOON_MS = 400

LAST_S = 3.0
"""Longest wait for the folder at closing; late changes are sent at the next start."""

_TIP = "What each does in the team folder comes in by itself; Review → Work in a team folder…"


class TeamFolderController(QObject):
    """Actions of the team folder.

    Attributes:
        held: Records not assigned to anybody, as nobody has accepted their device.
        gone: Logs that lost records read before, with a description of the loss.
    """

    held_changed = Signal()
    list_asked = Signal()  # the held logs are to be shown

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench, self._workspace = workbench, workbench.workspace
        self._session = workbench.session
        self._worker = FolderWorker(self._workspace.path, self)
        self._worker.synced.connect(self._on_synced)
        self._worker.failed.connect(self._on_failed)
        self._worker.listed.connect(self._on_listed)
        self._watcher: QFileSystemWatcher | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self.sync)
        self._soon = debounce(self, SOON_MS, self.sync)
        self._last_problem = ""
        self._is_asked_again = False
        self.held: tuple[Held, ...] = ()
        self.gone: tuple[tuple[str, str], ...] = ()
        self._question: Question | None = None
        self._shown: Held | None = None  # subject of the question
        self._session.open.gold_changed.connect(self._sync_soon)
        workbench.pages.changed.connect(self._sync_soon)
        self._begin()

    @property
    def folder(self) -> Path | None:
        """Team folder; None if this workspace uses none."""
        try:
            member = membership.membership(self._workspace.store)
        except PageletError:
            return None
        return None if member is None else Path(member.folder)

    @property
    def is_joined(self) -> bool:
        return self._timer.isActive()

    @property
    def is_busy(self) -> bool:
        """Whether the folder is being read or written."""
        return self._worker.is_busy

    def _begin(self) -> None:
        if (folder := self.folder) is not None and not self._workspace.damage:
            self._watch(folder)
            self._timer.start()
            self._soon.start()
            self._note(f"Team: {folder.name}", f"{folder}\n{_TIP}")

    def _watch(self, folder: Path) -> None:
        """Watch a folder, again after it was unavailable."""
        if self._watcher is None:
            self._watcher = QFileSystemWatcher(self)
            self._watcher.directoryChanged.connect(self._soon.start)
        if str(folder) not in self._watcher.directories():
            self._watcher.addPath(str(folder))

    def _unwatch(self) -> None:
        """Stop watching: a user has few watchers for all programs together."""
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            watcher.blockSignals(True)
            watcher.deleteLater()

    def stop(self) -> None:
        """Write pending changes, and close the worker."""
        self._unwatch()
        if self.is_joined:
            self._timer.stop()
            self._soon.stop()
            self._worker.sync()
        self._worker.close(LAST_S)

    # joining ---------------------------------------------------------------------------------
    def choose(self) -> None:
        """Ask for the team folder."""
        if self._workbench.saving.is_safe():
            self._workbench.main_area.files.open_folder("Work in a team folder", self.enter)

    def enter(self, path: str) -> None:
        """Work in a folder after asking who one is there."""
        self._session.messages.say(f"reading {Path(path).name}")
        self._worker.list_people(Path(path))

    def _on_listed(self, folder: Path, people: People | PageletError) -> None:
        if isinstance(people, PageletError):
            self._session.messages.say(str(people))
            return
        me = self._workspace.annotator
        namesakes = [uid for uid, (name, hosts) in people.items() if hosts and name == me.name]
        if me.name and (not namesakes or me.uid in namesakes):
            self.join(folder, me.name)
            return
        self._session.messages.say("")
        names = [name for name, _ in people.values()]
        known = [self._choice(folder, people, name) for name in names]
        own = [Choice(me.name, "your name here")] if me.name not in ("", *names) else []

        def more(typed: str, _offered: Sequence[Choice]) -> list[Choice]:
            return [Choice(typed, "new in this team")] if typed and typed not in names else []

        self._workbench.main_area.field.ask(
            "Your name in the team", "The name others see", partial(self.join, folder),
            [*own, *known], more=more,
        )  # fmt: skip

    def _choice(self, folder: Path, people: People, name: str) -> Choice:
        hosts = next((hosts for each, hosts in people.values() if each == name and hosts), [])
        if not hosts:
            return Choice(name, "was assigned pages")
        taken = partial(self.join, folder, name, is_me=True)
        return Choice(name, f"works on {hosts[0]}: you, on another device", taken=taken)

    def join(self, folder: Path, name: str, *, is_me: bool = False) -> None:
        """Join a folder as a person."""
        before = self._workspace.annotator
        try:
            membership.join(self._workspace, folder, name, is_me=is_me)
        except PageletError as error:
            self._session.messages.say(str(error))
            return
        self._end()
        self._begin()
        me, opens = self._workspace.annotator, ". Open the pages you mark together: Ctrl+Shift+O"
        self._session.messages.say(
            f"{me.shown} works in {folder.name}: marks of others come in by themselves"
            f"{'' if self._session.documents else opens}"
        )
        self._workbench.requests.others_marked.emit()
        if me.number != before.number:
            self._reopen()

    def leave(self) -> None:
        """Leave the team folder."""
        folder = self.folder
        if folder is None:
            return
        with self._session.messages.errors():
            membership.leave(self._workspace)
            self._end()
            self._note("", "")
            self._session.messages.say(
                f"left {folder.name}: what came from there stays in the workspace"
            )

    def _end(self) -> None:
        self._timer.stop()
        self._soon.stop()
        self._unwatch()
        self._worker.close()
        self._hold((), ())

    # syncing ---------------------------------------------------------------------------------
    def _sync_soon(self) -> None:
        if self.is_joined:
            self._soon.start()

    def sync(self) -> None:
        """Sync workspace and folder; during a sync, once more after it."""
        if not self.is_joined:
            return
        if self._worker.is_busy:
            self._is_asked_again = True
            return
        self._worker.sync()

    def _on_synced(self, result: Synced) -> None:
        # The workspace is closed with the window, and this call may still be pending.
        folder = self.folder if self.is_joined else None
        if folder is None:
            return
        self._last_problem = ""
        self._watch(folder)
        text = f"Team: {folder.name}"
        if incomplete := len(result.notes) - result.copies:
            text += f", {plural(incomplete, 'file')} incomplete"
        if result.copies:
            text += f", {plural(result.copies, 'conflicted copy', 'conflicted copies')}"
        if result.held:
            text += f", {plural(len(result.held), 'log')} held back"
        notes = [*result.notes, *(each.note for each in result.held)]
        self._note(text, "\n".join([str(folder), *(notes or (_TIP,))]))
        self._hold(result.held, result.gone)
        if result.news.is_other:
            self._workbench.requests.others_marked.emit()
        if result.summary:
            self._session.messages.say(result.summary)
        document = self._session.open.document
        if document is not None and page_key(document) in result.news.mine:
            self._reopen()
        if self._is_asked_again:
            self._is_asked_again = False
            self._soon.start()

    # accepted devices -----------------------------------------------------------------------
    def _hold(self, held: tuple[Held, ...], gone: tuple[tuple[str, str], ...]) -> None:
        if (held, gone) != (self.held, self.gone):
            self.held, self.gone = held, gone
            self.held_changed.emit()
        asked = self._asked()
        if asked is not None and self._question is None:
            self._question = question_over(self._workbench.main_area.desk)
            self._question.set_answers(self._answers(self._question))
        if self._question is not None and (asked is None or self._shown != asked):
            self._question.dismiss()
        self._shown = asked
        if self._question is not None and asked is not None:
            self._question.ask(asked.question)

    def _answers(self, parent: QObject) -> list[QAction]:
        """Return the possible answers to the question whose device wrote a log."""
        result = []
        for text, tip, does in (
            ("It is me", "What it says counts as yours, for all", lambda: self._reply(True)),
            ("Not me", "It stays held back, and is not asked again", lambda: self._reply(False)),
            ("Show", "List what it would change", self.list_asked.emit),
        ):
            action = QAction(text, parent)
            action.setToolTip(plain(tip))
            action.triggered.connect(does)
            result.append(action)
        return result

    def _asked(self) -> Held | None:
        return next((each for each in self.held if each.is_mine and not each.is_refused), None)

    def _reply(self, is_accepted: bool) -> None:
        if (held := self._asked()) is not None:
            self.answer(held, is_accepted)

    def answer(self, held: Held, is_accepted: bool) -> None:
        """Accept a held log for its person, or refuse it permanently."""
        if self.is_joined:
            self._worker.sync(lambda team: team.answer(held.voice, is_accepted=is_accepted))
            if self._question is not None:
                self._question.dismiss()

    def forget(self, file: str) -> None:
        """Stop reporting the lost records of a log."""
        if self.is_joined:
            self._worker.sync(lambda team: team.forget(file))
            self._session.messages.say(f"{file} is forgotten; what came of it stays here")

    def _reopen(self) -> None:
        """Show the marks now in the file; contested ones are asked about as usual."""
        if not self._workbench.saving.is_all_saved:
            return
        with self._session.messages.errors():
            self._workspace.add_pages(self._session.documents)
        self._workbench.requests.others_marked.emit()
        self._workbench.pages.refresh()
        self._workbench.navigation.reload()

    def _on_failed(self, error: Exception | None) -> None:
        if error is None or not self.is_joined or isinstance(error, WorkspaceBusy):
            return
        problem = str(error)
        if problem != self._last_problem:
            self._last_problem = problem
            self._session.messages.say(f"{problem}; your marks are saved here, and go out later")
        self._note("Team folder: not reached", problem)

    def _note(self, text: str, tip: str) -> None:
        self._workbench.note("team", text, tip)
        self._workbench.requests.enable.emit()
