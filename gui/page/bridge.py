"""What the page's script world tells the window: one object, one slot, one signal."""

import json

from PySide6.QtCore import QObject, Signal, Slot


class Bridge(QObject):
    """Registered in the isolated world only; pages cannot reach it."""

    received = Signal(dict)
    answered = Signal(int)  # the number of a ping
    scrolled = Signal(float)  # how far down, CSS px
    painted = Signal(int)  # what was drawn before this number was asked about is on screen

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
