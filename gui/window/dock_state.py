"""Arrangements of panels as Qt stores them, with other panels shown."""

from collections.abc import Mapping

from PySide6.QtCore import QByteArray

_PANEL = b"\xfb"
"""Before each panel: then the length of its name in bytes, the name, and its flags.

See `QDockAreaLayoutInfo::saveState` in qdockarealayout.cpp, Qt 4.3 to 6.
"""
_SHOWN = 1


def with_shown(state: QByteArray, shown: Mapping[str, bool]) -> QByteArray:
    """Return what `QMainWindow.saveState` returned, with panels shown or hidden by object name.

    Panels that it does not name, or that are not in ``shown``, stay as they are.
    """
    result = bytearray(state.data())
    for name, is_shown in shown.items():
        letters = name.encode("utf-16-be")
        head = _PANEL + len(letters).to_bytes(4, "big") + letters
        if (at := result.find(head)) >= 0:
            flags = at + len(head)
            result[flags] = result[flags] & ~_SHOWN | is_shown * _SHOWN
    return QByteArray(bytes(result))
