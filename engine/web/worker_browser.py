"""The browser of a process that nobody looks at; imported where there may be no Qt."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.web.headless import Browser


def open_browser(
    *, online: bool = False, near: bool = False, no_sandbox: bool = False
) -> "Browser":
    """Return a browser whose messages go to the log; the arguments are those of `Browser`."""
    from engine.web.qt_log import silence_qt_log  # says where there is no Qt

    # isort: split
    from engine.web.headless import Browser

    silence_qt_log()
    return Browser(online=online, near=near, no_sandbox=no_sandbox)
