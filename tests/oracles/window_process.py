"""A window in a process of its own, that tells what it shows and then ends as it is told.

Typed: ``python -m tests.oracles.window_process WORKSPACE PATH END``; ``-`` as PATH opens what was
opened last, ``+`` takes the offer of the banner; END is ``close`` or ``die``.  Prints what the
banner says, the pages of the list, the messages, and the viewport of the page, as JSON.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

from PySide6.QtWidgets import QApplication


def main(workspace: str, path: str, end: str) -> None:
    from engine.web import profile

    profile.prepare(headless=True)
    app = QApplication(sys.argv[:1])
    from gui.window import app as windows

    window = windows.build(Path(workspace))
    window.show()
    said, messages = [], window.session.messages
    messages.message_changed.connect(lambda: said.append(messages.message))
    windows._open_first(window, "" if path in "-+" else path, "html")
    session, banner = window.session, window.found.banner
    if path == "+":
        banner.buttons[0].click()
    until = time.monotonic() + 60
    offered = lambda: path != "+" and banner.isVisible()  # noqa: E731
    while session.open.page is None and not offered() and time.monotonic() < until:
        app.processEvents()
        time.sleep(0.01)
    page = session.open.page
    told = {
        "banner": banner.text if banner.isVisible() else "",
        "pages": [each.path for each in session.documents],
        "said": said,
        "viewport": None if page is None else page.viewport,
    }
    print(json.dumps(told), flush=True)
    if end == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    window.close_down()
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
