"""FrameStep: one script in the main frame and in all frames of a page, until it is done in each."""

import json
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWebEngineCore import QWebEngineFrame

from engine.errors import CaptureError
from engine.saved import FrozenFrame
from engine.web.collecting import WHICH_FRAME, frames_below
from engine.web.view import MAIN_WORLD, PageView
from resources import read_text

Path = tuple[int, ...]

_POLL_MS = 15
_ANSWER_S = 2.0
_MOST_FRAMES = 100
_COME_S = 10.0
_MOST_TIMES = 3
_AT = "pagelet.of(document, 'readyState') === 'loading' ? '' : window.location.href"


class FrameStep(QObject):
    """Script that runs in each frame, with a wait for all replies.

    Args:
        view: Shows the page.
        name: The script leaves ``pagelet.NAME``: ``{done, notes}`` and what `heard` wants.
        script: Returns the expression for a frame at a path that shows the document of an address
            ("" while it loads); None for one that needs none, or not yet.
        heard: Called with a frame's path and what the script has left there, each time it is asked.
        is_whole: Tells whether all frames that are to come have come.
        limit_s: How long to wait at most.
    """

    done = Signal(object)  # list[str]: what the scripts had to note, each once

    def __init__(
        self,
        view: PageView,
        name: str,
        script: Callable[[Path, str], str | None],
        *,
        heard: Callable[[Path, dict[str, Any]], None] = lambda _path, _state: None,
        is_whole: Callable[[], bool] = lambda: True,
        limit_s: float,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._view, self._name, self._script = view, name, script
        self._heard, self._is_whole = heard, is_whole
        self._end = time.monotonic() + limit_s
        self._waiting = 0
        self._is_busy = False
        self._is_over = False
        self._notes: dict[str, None] = {}
        self._begun: Counter[Path] = Counter()

    def start(self) -> None:
        """Start; ``done`` comes once, not before this has returned."""
        QTimer.singleShot(0, self, self._visit)

    def _visit(self) -> None:
        frames: list[QWebEngineFrame | None] = [None]
        frames += frames_below(self._view.page().mainFrame())[:_MOST_FRAMES]
        self._waiting, self._is_busy = len(frames), False
        for frame in frames:
            self._ask(frame)

    def _ask(self, frame: QWebEngineFrame | None) -> None:
        script = f"{{path: {WHICH_FRAME}, at: {_AT}, state: pagelet.{self._name} ?? null}}"

        def answered(reply: dict[str, Any]) -> None:
            path = tuple(int(k) for k in reply["path"])
            self._on_state(frame, path, reply["at"], reply["state"])
            self._on_answer()

        self._view.run(script, answered, lambda _: self._on_answer(), _ANSWER_S, frame=frame)

    def _on_state(
        self, frame: QWebEngineFrame | None, path: Path, at: str, state: dict[str, Any] | None
    ) -> None:
        if state is not None:
            self._is_busy |= not state["done"]
            self._notes.update(dict.fromkeys(map(str, state["notes"])))
            self._heard(path, state)
            return
        script = self._script(path, at)
        # A frame that loads another document has lost its changes.
        if script is not None and self._begun[path] < _MOST_TIMES:
            self._begun[path] += 1
            self._is_busy = True
            self._view.run(script, lambda _: None, self._on_problem, _ANSWER_S, frame=frame)

    def _on_problem(self, error: CaptureError) -> None:
        self._notes[f"a frame ({error})"] = None

    def _on_answer(self) -> None:
        self._waiting -= 1
        if self._waiting or self._is_over:
            return
        is_whole = self._is_whole()
        if time.monotonic() < self._end and (self._is_busy or not is_whole):
            QTimer.singleShot(_POLL_MS, self, self._visit)
            return
        self._is_over = True
        if not is_whole:
            self._notes["a frame that did not come"] = None
        self.done.emit(list(self._notes))
        self.deleteLater()


class _Thaw:
    """Mapping of the frames of a shown page to those that were frozen.

    Windows are numbered as they came, so a frame has the same place in the tree, not the same path.
    """

    def __init__(self, view: PageView, frames: tuple[FrozenFrame, ...]) -> None:
        self._view = view
        self._frozen = {frame.path: frame for frame in frames}
        self._names: dict[Path, Path] = {(): ()}  # as shown: as frozen
        self._come: set[Path] = set()

    def script(self, path: Path, at: str) -> str | None:
        """Return the script that restores a frame once its document is loaded."""
        frame = self._frozen.get(self._names.get(path, (-1,)))
        if frame is None or not at:
            return None
        if path and at.startswith("about:") and not self._is_blank(frame):
            return None  # its document has not arrived yet
        self._come.add(frame.path)
        if not path:
            self._define(frame.kept["defined"])
        state = json.dumps(json.dumps({name: frame.kept[name] for name in _STATE_KEYS}))
        return f"({read_text('js/thaw.js')})(JSON.parse({state}))"

    def _is_blank(self, frame: FrozenFrame) -> bool:
        """Whether a frame loads nothing: its content came from a script.

        One that a script wrote with ``document.write`` has the address of the page of that script,
        and no page loads itself into itself.
        """
        own = frame.address.partition("#")[0]
        above = (self._frozen.get(frame.path[:depth]) for depth in range(len(frame.path)))
        written = {outer.address.partition("#")[0] for outer in above if outer is not None}
        return own.startswith("about:") or own in written

    def heard(self, path: Path, state: dict[str, Any]) -> None:
        """Match the frames in a frame to the frozen ones."""
        name = self._names.get(path)
        if name is None:
            return
        then = {int(index): int(k) for index, k in self._frozen[name].kept["frames"]}
        for index, k in state["places"]:
            if int(index) in then:
                self._names[*path, int(k)] = (*name, then[int(index)])

    def is_whole(self) -> bool:
        """Whether all frames have come."""
        return self._come == self._frozen.keys()

    def _define(self, names: list[str]) -> None:
        """Make elements that a script had defined count as defined, though it does not run."""
        if names:
            code = (
                f"for (const name of {json.dumps(names)}) if (!customElements.get(name)) "
                "customElements.define(name, class extends HTMLElement {})"
            )
            self._view.page().runJavaScript(code, MAIN_WORLD)


def thaw(
    view: PageView, frames: tuple[FrozenFrame, ...], limit_s: float, parent: QObject
) -> FrameStep:
    """Return the step that restores a loaded page to its state when frozen."""
    page = _Thaw(view, frames)
    return FrameStep(
        view, "thawed", page.script, heard=page.heard, is_whole=page.is_whole,
        limit_s=min(limit_s, _COME_S), parent=parent,
    )  # fmt: skip


def settle(view: PageView, limit_s: float, parent: QObject) -> FrameStep:
    """Return the step that writes content made by scripts into a page's HTML, where possible."""
    script = f"({read_text('js/settled.js')})()"
    return FrameStep(view, "settled", lambda _path, _at: script, limit_s=limit_s, parent=parent)


_STATE_KEYS = ("tree", "spaces", "states", "adopted", "mode", "doctype")
