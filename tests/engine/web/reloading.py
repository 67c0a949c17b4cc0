"""Run by test_reload.py in a process that is online: opens a live page, again, another, it anew.

Typed: ``python -m tests.engine.web.reloading HOW ADDRESS``; HOW is ``view``, ``browser`` for a
plain page of Chromium that is reloaded, or ``captures`` for two captures of the page.
"""

import sys
from collections.abc import Callable

from PySide6.QtCore import QEventLoop, QTimer, QUrl
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile
from PySide6.QtWidgets import QApplication

from engine.document import plain_document
from engine.web import profile
from engine.web.headless import Browser
from engine.web.view import PageView


def main(how: str, address: str) -> None:
    if how == "captures":
        with Browser(online=True, near=True, no_sandbox=True) as browser:
            for _ in range(2):
                browser.capture(plain_document(address))
        return
    profile.prepare(online=True, near=True, headless=True, no_sandbox=True)
    app = QApplication(sys.argv[:1])
    ended = QEventLoop(app)

    def wait_for(start: Callable[[], object]) -> None:
        QTimer.singleShot(0, ended, start)
        QTimer.singleShot(60_000, ended, ended.quit)
        ended.exec()

    if how == "browser":
        stores = QWebEngineProfile()
        page = QWebEnginePage(stores)
        page.loadFinished.connect(ended.quit)
        wait_for(lambda: page.load(QUrl(address)))
        wait_for(lambda: page.triggerAction(QWebEnginePage.WebAction.Reload))
        page.deleteLater()
        app.processEvents()
        return
    view = PageView()
    view.resize(400, 300)
    view.show()
    view.loaded.connect(ended.quit)
    for each in (address, address, f"{address}?other", address):
        document = plain_document(each)
        wait_for(lambda document=document: view.open(document))
    view.dispose()


if __name__ == "__main__":
    main(*sys.argv[1:])
