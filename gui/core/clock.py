"""Work clock: how long somebody was at work on each page, by day.

Time counts while there is input: who looks away for a minute is not at work.  It is kept in the
workspace's settings, separately for each annotator: page's key → day → seconds.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QWindow

from annotate.workspace.workspace import Workspace, page_key
from engine.errors import PageletError
from gui.state.session import Session
from gui.widgets.events import until_collected

SETTING = "time spent"
TICK_S = 5
REST_S = 60
"""After so long without input nobody is at work."""

KEEP_TICKS = 12
"""Ticks between writes of the counts; a page that is left is written, too."""

_INPUT = frozenset(
    [QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.Wheel]
)


class WorkClock(QObject):
    """Counts for the open page."""

    changed = Signal()

    def __init__(
        self,
        session: Session,
        workspace: Workspace,
        parent: QObject,
        now: Callable[[], float] = time.monotonic,
        today: Callable[[], str] = lambda: date.today().isoformat(),
    ) -> None:
        """``now`` and ``today`` tell the time, in seconds and as a date."""
        super().__init__(parent)
        self._session, self._workspace = session, workspace
        self._now, self._today = now, today
        self._last_input, self._ticks, self._is_stored = float("-inf"), 0, True
        self._setting = self._setting_now()
        self._spent = self._read()
        self._timer = QTimer(self, interval=TICK_S * 1000)
        self._timer.timeout.connect(self.tick)
        session.open.document_changed.connect(self._on_document)

    def start(self) -> None:
        """Begin to count: input to any window of Pagelet is work.

        The windows are watched, never the application: a filter there is asked about objects
        that are still being made on Chromium's side, and PySide takes the process down over them
        (6.11, a request to a page's own scheme).
        """
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.focusWindowChanged.connect(self._watch)
            self._watch(app.focusWindow())
        self._timer.start()

    def stop(self) -> None:
        """Stop counting; the time counted so far is kept."""
        app = QGuiApplication.instance()
        if self._timer.isActive() and isinstance(app, QGuiApplication):
            app.focusWindowChanged.disconnect(self._watch)
        self._timer.stop()
        self.keep()

    def note(self) -> None:
        self._last_input = self._now()

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _INPUT and self._timer.isActive():
            self.note()
        return False

    def _watch(self, window: QWindow | None) -> None:
        if window is not None:
            window.installEventFilter(self)  # a filter that is installed already is not added again

    def _on_document(self) -> None:
        """Store the counted time; where another annotator took over, go on with his own time."""
        self.keep()
        setting = self._setting_now()
        if setting != self._setting:
            self._setting = setting
            self._spent, self._is_stored = self._read(), True
            self.changed.emit()

    def _setting_now(self) -> str:
        """Return where the time of who works is: the first annotator's is where it always was."""
        try:
            me, everybody = self._workspace.annotator, self._workspace.annotators
        except PageletError:
            return SETTING
        return f"{SETTING} {me.uid}" if me.uid in {who.uid for who in everybody[1:]} else SETTING

    def tick(self) -> None:
        """Count the time since the last tick, if somebody was at work."""
        session = self._session
        is_resting = self._now() - self._last_input > REST_S
        if session.open.document is None or session.open.page is None or is_resting:
            return
        days = self._spent.setdefault(page_key(session.open.document), {})
        days[self._today()] = days.get(self._today(), 0) + TICK_S
        self._is_stored = False
        self._ticks += 1
        if self._ticks % KEEP_TICKS == 0:
            self.keep()
        self.changed.emit()

    def keep(self) -> None:
        """Write the counted time to disk; where that fails it is tried again later."""
        if not self._is_stored:
            with suppress(PageletError):
                self._workspace.set_setting(self._setting, self._spent)
                self._is_stored = True

    def follow(self, moved: Mapping[str, str]) -> None:
        """Move the time of renamed pages, old key → new key."""
        self._spent = {moved.get(key, key): days for key, days in self._spent.items()}

    def on_page(self, key: str) -> int:
        """Return the seconds spent on a page."""
        return sum(self._spent.get(key, {}).values())

    def by_day(self) -> dict[str, int]:
        """Return the seconds of each day, the last one first."""
        days: Counter[str] = Counter()
        for page in self._spent.values():
            days.update(page)
        return dict(sorted(days.items(), reverse=True))

    def today(self) -> int:
        """Return the seconds of today."""
        return self.by_day().get(self._today(), 0)

    def _read(self) -> dict[str, dict[str, int]]:
        try:
            result = self._workspace.setting(self._setting, {})
        except PageletError:
            return {}
        if not isinstance(result, dict):
            return {}
        return {
            str(key): {str(day): int(s) for day, s in days.items() if isinstance(s, int | float)}
            for key, days in result.items()
            if isinstance(days, dict)
        }


def format_duration(seconds: int) -> str:
    """Return a duration as text: ``40 s``, ``12 min``, ``1 h 05``."""
    if seconds < 60:
        return f"{seconds} s"
    minutes = seconds // 60
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02}"
