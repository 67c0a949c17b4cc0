"""One evaluation of a script in a page's isolated world: exactly one answer, whatever happens."""

import functools
import json
from collections.abc import Callable
from typing import Any, TypeVar, cast

import shiboken6
from PySide6.QtCore import QObject, QTimer, SignalInstance
from PySide6.QtWebEngineCore import QWebEngineFrame, QWebEnginePage

from engine.errors import CaptureError, LoadTimeout, ScriptError
from engine.web.crash_cause import death
from resources import read_text

WORLD = 1
"""The isolated world Pagelet's scripts run in: they see the DOM, the page does not see them."""

Handler = Callable[[Any], None]
Step = TypeVar("Step", bound=Callable[..., None])


def total(step: Step) -> Step:
    """Return a method that calls ``_on_crash`` where it raises: slots report errors to nobody."""

    @functools.wraps(step)
    def guarded(self: Any, *values: Any) -> None:  # noqa: ANN401  what the signal carries
        try:
            step(self, *values)
        except Exception as error:  # noqa: BLE001  (a crash becomes a result)
            self._on_crash(error)

    return cast(Step, guarded)


def wrap_script(script: str) -> str:
    """Return a script that gives an expression's value, or the reason for having none, in JSON."""
    state = read_text("js/state.js")
    return (
        f"(() => {{ try {{ {state} return JSON.stringify({{value: ({script})}}) }}"
        " catch (e) { return JSON.stringify({error: String(e && e.stack || e)}) } })()"
    )


class Call(QObject):
    """Evaluation that answers once."""

    def __init__(
        self,
        parent: QObject,
        ends: tuple[SignalInstance, SignalInstance],
        on_done: Handler,
        on_error: Handler,
        timeout_s: float,
    ) -> None:
        super().__init__(parent)
        self._on_done = on_done
        self._on_error = on_error
        self._is_over = False
        self._seconds = timeout_s
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_timeout)
        died, left = ends
        died.connect(self._on_death)
        left.connect(self._on_left)

    def start(self, script: str, target: QWebEnginePage | QWebEngineFrame) -> None:
        """Run an expression in a page's main frame, or in a frame."""
        self._timer.start(int(self._seconds * 1000))
        target.runJavaScript(wrap_script(script), WORLD, self._on_reply)

    def _on_reply(self, reply: object) -> None:
        if self._is_over:
            return
        if not isinstance(reply, str) or not reply:
            self._on_left()
            return
        try:
            envelope = json.loads(reply)
            problem = envelope.get("error")
        except (ValueError, RecursionError, AttributeError) as error:
            self._fail(ScriptError(f"the page's answer cannot be read: {error}"))
            return
        if problem is not None:
            self._fail(ScriptError(f"a script failed in the page: {problem}"))
        elif self._finish():
            self._on_done(envelope.get("value"))

    def _on_timeout(self) -> None:
        self._fail(LoadTimeout(f"the page did not answer within {self._seconds:g} s"))

    def _on_left(self) -> None:
        self._fail(ScriptError("the page closed before it could be read"))

    def _on_death(self, what: str) -> None:
        self._fail(death(what))

    def _fail(self, error: CaptureError) -> None:
        if self._finish():
            self._on_error(error)

    def _finish(self) -> bool:
        if self._is_over:
            return False
        self._is_over = True
        self._timer.stop()
        if shiboken6.isValid(self):
            self.deleteLater()
        return True
