"""A closed window keeps no file watchers, whose number is limited per user."""

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from gui.core.method_watch import MethodWatch
from tests.gui.parts import make_window

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="counts handles as on Linux")


def watchers():
    """Return the number of file watchers of this process, as the kernel lists them."""
    handles = Path("/proc/self/fd").iterdir()
    return sum("inotify" in str(each.readlink()) for each in handles if each.is_symlink())


def test_a_closed_window_watches_no_files(qtbot, tmp_path):
    made = make_window(tmp_path)
    qtbot.addWidget(made)
    other = MethodWatch(made.session)
    with_both = watchers()
    made.close_down()
    other.stop()
    other.stop()  # windows are closed down more than once
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert watchers() == with_both - 2
