"""PageStage: a view with what belongs to it: one page is seen, another one ready behind it."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QScrollArea, QWidget

from engine.web.view import PageView
from gui.page.beside_page import BesidePage
from gui.page.bridge import Bridge
from gui.page.heartbeat import Heartbeat
from gui.page.mouse_watch import MouseWatch
from resources import read_text


class PageStage(QObject):
    """A view, the way of its mouse to Pagelet, and who watches both.

    Signals carry the stage, so that those of one that is not seen can be distinguished.

    Attributes:
        view: Where the page is.
        area: What the view lies in, for good: a view that changes its parent is hidden for a
            moment, after which Chromium has to paint all of it anew.
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
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(view)
        self._beside = BesidePage(self.area, view)
        self.bridge = Bridge(self)
        self.bridge.received.connect(lambda event: self.received.emit(self, event))
        self.bridge.scrolled.connect(lambda y: self.scrolled.emit(self, y))
        view.set_bridge(self.bridge, (read_text("js/point.js"),))
        view.renderer_died.connect(lambda what: self.died.emit(self, what))
        self.heartbeat = Heartbeat(view, self)
        self.mouse_watch = MouseWatch(view, self.bridge, self)

    def rest(self) -> None:
        """Stop watching: the page goes, or is not seen."""
        self.mouse_watch.stop()
        self.heartbeat.stop()
