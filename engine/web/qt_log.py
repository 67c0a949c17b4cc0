"""Messages of Qt on machines without graphics or a window manager, left out of the log.

Only lines known to mean nothing are dropped, each by its own pattern (rendering.md#noise); every
other message goes to the log.  Chromium writes to stderr directly and is not filtered: a filter on
the file descriptor would swallow the last words of a crash.
"""

import logging
import re

from engine.errors import NO_QT, CaptureError

try:
    from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
except ModuleNotFoundError:
    raise CaptureError(NO_QT) from None


log = logging.getLogger("qt")

KNOWN = re.compile(
    r"^(QRhiGles2: Failed to create (temporary )?context"
    r"|Failed to create RHI for backend: \w+"
    r"|This plugin does not support \w+(\(\))?"
    r"|QVulkanInstance: Failed to initialize Vulkan"
    r"|Failed to load vulkan: .*"
    r"|initInstance: No Vulkan library available"
    r"|Failed to create platform Vulkan instance"
    r"|Unable to detect GPU vendor for device: .*"
    r"|GBM is not supported with the current configuration.*"
    r"|GPUInfo not initialized on GpuInfoUpdate"
    r"|Sandboxing disabled by user\."
    r")$"
)
"""Measured with PySide6 6.11 and 6.12, offscreen and under Xvfb."""

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def silence_qt_log() -> None:
    """Send Qt's messages to the log, without those that are known to mean nothing."""
    qInstallMessageHandler(_handle)


def _handle(kind: QtMsgType, _context: QMessageLogContext, message: str | None) -> None:
    text = message or ""
    if not KNOWN.match(text):
        log.log(_LEVELS.get(kind, logging.WARNING), "%s", text)
