"""PageStage: a view, its bridge to the page's script, and what watches mouse, answers, painting."""

import json
import logging
from collections.abc import Callable

from PySide6.QtCore import QEvent, QEventLoop, QObject, QPointF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from engine.errors import LoadTimeout
from engine.web.event_loop import wait_in
from engine.web.page_time import PageTime
from engine.web.view import PageView
from gui.widgets.events import until_collected
from resources import read_text

log = logging.getLogger(__name__)

MOUSE_PATIENCE_S = 1.0
"""How long an answer may take while the page answers all else; most take two milliseconds."""

MOST_RENEWALS = 2


class Bridge(QObject):
    """Registered in the isolated world only; pages cannot reach it."""

    received = Signal(dict)
    answered = Signal(int)  # the number of a ping
    scrolled = Signal(float)  # vertical position, CSS px
    painted = Signal(int)  # everything drawn before the request of this number is on screen

    @Slot(str)
    def receive(self, text: str) -> None:
        """Take one event of resources/js/point.js."""
        event = json.loads(text)
        if event["event"] == "ping":
            self.answered.emit(int(event["number"]))
            return
        self.scrolled.emit(float(event["y"]))
        if event["event"] == "painted":
            self.painted.emit(int(event["number"]))
        elif event["event"] != "scroll":
            self.received.emit(event)


class MouseWatch(QObject):
    """Sends numbers into the page and waits until one comes back over the bridge.

    Where none does, though the page answers all the while, the bridge is made again, and where that
    does not help it is said.  A page or a machine that is only slow answers nothing quickly.
    """

    restored = Signal()  # the page was reached again, over a new bridge
    lost = Signal(str)  # in words

    def __init__(self, view: PageView, bridge: Bridge, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._number = 0
        self._renewals = 0
        self._time: PageTime | None = None
        bridge.answered.connect(self._on_answer)

    def check(self) -> None:
        """Begin with the page that has just been read."""
        self._renewals = 0
        self._ask()

    def stop(self) -> None:
        self._number += 1
        if self._time is not None:
            self._time.stop()
            self._time.deleteLater()
            self._time = None

    def _ask(self) -> None:
        """Ask for a number with each tick: the bridge may still be being made."""
        self.stop()
        ping = f"pagelet.ping?.({self._number}) === true"
        self._time = PageTime(self._view, self._on_silence, script=ping, parent=self)
        self._time.start(MOUSE_PATIENCE_S)

    def _on_answer(self, number: int) -> None:
        if number == self._number and self._time is not None:
            self.stop()
            if self._renewals:
                self.restored.emit()

    def _on_silence(self, _: object) -> None:
        if self._renewals < MOST_RENEWALS:
            log.warning("the mouse does not reach Pagelet: the bridge is made again")
            self._renewals += 1
            self._view.renew_bridge("pagelet.connect")
            self._ask()
        else:
            self.stop()
            self.lost.emit(
                "the mouse does not reach this page: load it again (keys and panels work)"
            )


BEAT_MS = 1000
PATIENCE_S = 5.0
"""Time that the page may be busy before this is shown."""


class Heartbeat(QObject):
    """Ping the page repeatedly."""

    fell_silent = Signal()  # no answer for `PATIENCE_S`
    came_back = Signal()

    def __init__(self, view: PageView, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._is_asked = False  # and not answered
        self._round = 0
        self.is_silent = False
        self._timer = QTimer(self, interval=BEAT_MS)
        self._timer.timeout.connect(self._ask)

    def start(self) -> None:
        """Begin with a page that is being loaded or shown."""
        self.stop()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        self._round += 1
        self._settle(False)

    def _ask(self) -> None:
        if self._is_asked:
            return
        self._is_asked, now = True, self._round

        def settle(answer: object) -> None:
            if now == self._round:
                self._settle(isinstance(answer, LoadTimeout))

        self._view.run("true", settle, settle, PATIENCE_S)

    def _settle(self, is_silent: bool) -> None:
        self._is_asked = False
        if is_silent != self.is_silent:
            self.is_silent = is_silent
            (self.fell_silent if is_silent else self.came_back).emit()


_KINDS = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.MouseButtonRelease)


class BesidePage(QObject):
    """Hands a drag from beside the page on to it, as if it had begun at the page's nearest edge.

    A click there does nothing.
    """

    def __init__(self, area: QScrollArea, page: QWidget) -> None:
        super().__init__(area)
        self._area, self._page = area, page
        self._start: QPointF | None = None
        self._is_dragged = False
        area.viewport().installEventFilter(self)

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take presses of the left button, and what follows them until it is released."""
        if not isinstance(event, QMouseEvent) or event.type() not in _KINDS:
            return False
        if event.type() == QEvent.Type.MouseButtonPress:
            is_left = event.button() == Qt.MouseButton.LeftButton
            self._start = event.position() if is_left else None
            self._is_dragged = False
        start = self._start
        if start is None or not self._page.isVisible():
            return False
        if event.type() == QEvent.Type.MouseMove:
            way = event.position() - start
            if not self._is_dragged and way.manhattanLength() > QApplication.startDragDistance():
                self._is_dragged = True
                self._page.setFocus()
                self._begin(start, event)
        if self._is_dragged:
            self._send(event.type(), self._on_page(event.position()), event, event.modifiers())
        if event.type() == QEvent.Type.MouseButtonRelease:
            self._start = None
        return True

    def _begin(self, start: QPointF, event: QMouseEvent) -> None:
        at, most = self._on_page(start), self._page.rect().bottomRight()
        inside = QPointF(min(max(at.x(), 0.0), most.x()), min(max(at.y(), 0.0), most.y()))
        # With Alt it is a rectangle in every mode: nothing beside the page is text.
        keys = event.modifiers() | Qt.KeyboardModifier.AltModifier
        self._send(QEvent.Type.MouseButtonPress, inside, event, keys)

    def _on_page(self, at: QPointF) -> QPointF:
        return self._page.mapFrom(self._area.viewport(), at)

    def _send(
        self, kind: QEvent.Type, at: QPointF, event: QMouseEvent, keys: Qt.KeyboardModifier
    ) -> None:
        target = self._page.focusProxy() or self._page
        is_press = kind == QEvent.Type.MouseButtonPress
        button = Qt.MouseButton.LeftButton if is_press else event.button()
        sent = QMouseEvent(kind, at, target.mapToGlobal(at), button, event.buttons(), keys)
        QApplication.sendEvent(target, sent)


class PageStage(QObject):
    """A view, the way of its mouse to Pagelet, and who watches both.

    Signals carry the stage, so that those of one that is not seen can be distinguished.

    Attributes:
        view: Where the page is.
        area: Permanent parent of the view: a view that changes its parent is hidden for a moment,
            after which Chromium has to repaint all of it.
    """

    received = Signal(object, dict)  # PageStage, an event of resources/js/point.js
    scrolled = Signal(object, float)
    died = Signal(object, str)

    def __init__(self, view: PageView, parent: QWidget) -> None:
        super().__init__(parent)
        self.view = view
        self.area = QScrollArea(parent)
        self.area.setObjectName("PageArea")
        self.area.setAccessibleName("Page")
        self.area.setAccessibleDescription("the web page")
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the view in it has it
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(view)
        self._beside = BesidePage(self.area, view)
        self.bridge = Bridge(self)
        self.bridge.received.connect(lambda event: self.received.emit(self, event))
        self.bridge.scrolled.connect(lambda y: self.scrolled.emit(self, y))
        view.set_bridge(self.bridge, (read_text("js/handles.js"), read_text("js/point.js")))
        view.renderer_died.connect(lambda what: self.died.emit(self, what))
        self.heartbeat = Heartbeat(view, self)
        self.mouse_watch = MouseWatch(view, self.bridge, self)

    def rest(self) -> None:
        """Stop watching: the page goes, or is not seen."""
        self.mouse_watch.stop()
        self.heartbeat.stop()


PAINTED_MS = 1000
"""How long a key waits for the page to be painted; two frames, 33 ms, will do where it answers."""


class PaintWait:
    """Counts drawn frames; the page returns the number of the last painted one."""

    def __init__(self) -> None:
        self._drawn = self._painted = 0

    def note_drawing(self) -> None:
        """Count one more that the page was sent."""
        self._drawn += 1

    @property
    def is_over(self) -> bool:
        """Whether all is on screen."""
        return self._painted >= self._drawn

    def wait(self, view: PageView, bridge: Bridge) -> bool:
        """Wait until the drawing is on screen; return whether it is.

        Keys and clicks made meanwhile come after, in their order.
        """
        number, loop = self._drawn, QEventLoop()
        self.call(view, bridge, loop.quit)
        wait_in(loop, QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        return self._painted >= number

    def call(self, view: PageView, bridge: Bridge, done: Callable[[], object]) -> None:
        """Call a function once the drawing is on screen, or after `PAINTED_MS` without that."""
        number, timer = self._drawn, QTimer(bridge, interval=PAINTED_MS, singleShot=True)

        def end(painted: int) -> None:
            if painted >= number and timer.isActive():
                self._painted = painted
                timer.stop()
                give_up()

        def give_up() -> None:
            bridge.painted.disconnect(end)
            timer.deleteLater()
            QTimer.singleShot(0, bridge, done)  # the page answers nothing within its own answer

        def is_awaited(answer: object) -> None:
            if answer is not True:
                end(number)

        bridge.painted.connect(end)
        timer.timeout.connect(give_up)
        timer.start()
        script = f"pagelet.awaitPaint?.({number}) === true"
        view.run(script, is_awaited, is_awaited, PAINTED_MS / 1000)
