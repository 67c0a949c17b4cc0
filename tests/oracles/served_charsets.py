"""Print the encodings in which a browser reads pages served under headers, as JSON.

A process of its own: the browser of other tests reaches no server.
"""

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FIELDS = [
    ["text/html; charset=gbk; boundary=x"],
    ['text/html; charset="gbk"; x=y'],
    ['text/html; boundary="; charset=utf-8"; charset=gbk'],
    ['text/html; name="a\\"; charset=utf-8"; charset=gbk'],
    ["text/html; charset = gbk"],
    ["text/html; charset='gbk'"],
    ["text/html;CHARSET=GBK;"],
    ['text/html; charset="g\\bk"'],
    ["text/html; charset=gbk, text/html"],
    ["text/html, text/html; charset=gbk"],
    ["text/html; charset=gbk,windows-1252"],
    ['text/html; charset=" gbk"'],
    ['text/html; charset="gbk'],
    ['text/html; charset="gbk"x'],
    ['text/html; charset="\\"gbk"'],
    ["text/html; charset=;charset=gbk"],
    ["text/html; x=charset=utf-8;charset=gbk"],
    ["text/html; charset=utf-8;charset=gbk"],
    ["text/html; charset=gbk x"],
    ["text/html; charset==gbk"],
    ["text/html; charset:gbk"],
    ["text/html charset=gbk"],
    ["text/html ;;\tcharset=gbk"],
    ["TEXT/HTML; charset=none"],
    ["text/html", "text/html; charset=gbk"],
    ["text/html; charset=gbk", "text/html"],
    ["text/html; charset=gbk", "text/html; charset=utf-8"],
    ["text/html; charset=gbk", "text/xml; charset=utf-8", "text/html"],
    ["text/html; charset=gbk, */*"],
    ["text/html; charset=gbk", "*/*", "text/html"],
]
"""Values of the fields ``Content-Type`` of each page."""


class _Server(BaseHTTPRequestHandler):
    def do_GET(self):
        number = self.path.strip("/")
        self.send_response(200 if number.isdigit() else 404)
        for value in FIELDS[int(number)] if number.isdigit() else ():
            self.send_header("Content-Type", value)
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>t</title><p>abc")

    def log_message(self, *_):
        pass


def main() -> None:
    os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = "--no-sandbox"
    from PySide6.QtCore import QUrl
    from PySide6.QtWebEngineCore import QWebEnginePage
    from PySide6.QtWidgets import QApplication

    server = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    app = QApplication([])
    page, found = QWebEnginePage(), []

    def ask():
        page.load(QUrl(f"http://127.0.0.1:{server.server_port}/{len(found)}"))

    def take(encoding):
        found.append(encoding.lower())
        ask() if len(found) < len(FIELDS) else app.quit()

    page.loadFinished.connect(lambda _: page.runJavaScript("document.characterSet", take))
    ask()
    app.exec()
    page.deleteLater()
    print(json.dumps(found), flush=True)
    os._exit(0)  # Chromium may wait at its end


if __name__ == "__main__":
    main()
