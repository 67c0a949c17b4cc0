"""What the page's script world tells the window: one object, one slot, one signal."""

import json

from PySide6.QtCore import QObject, Signal, Slot


class Bridge(QObject):
    """Registered in the isolated world only; pages cannot reach it."""

    received = Signal(dict)

    @Slot(str)
    def receive(self, text: str) -> None:
        """Take one event of resources/js/point.js."""
        self.received.emit(json.loads(text))
