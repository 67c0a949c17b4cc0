"""Files dragged in from elsewhere."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QDropEvent


def take_copy(event: QDropEvent) -> None:
    """Accept a drag or drop as a copy.

    A file manager that is told *move*, as it may propose, removes the file.  One that offers
    nothing else is told that nothing was done.
    """
    event.setDropAction(Qt.DropAction.CopyAction)
    is_copy = event.dropAction() == Qt.DropAction.CopyAction
    if event.type() == QEvent.Type.Drop and not is_copy:
        event.setDropAction(Qt.DropAction.IgnoreAction)
    event.accept()
