"""A live page loaded again finds what a browser's reload finds; one opened anew finds nothing."""

import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

pytestmark = [pytest.mark.web, pytest.mark.slow]

PAGE = b"""<!doctype html><title>Live</title><p>words<script>
const stores = [localStorage, sessionStorage].map(each => each.n = 1 + Number(each.n || 0))
const request = new XMLHttpRequest()
request.open('GET', '/seen?' + stores.join(), false)
request.send()
</script>"""


def seen_by_server(how):
    """Return for each load whether its request had a cookie, and the counts in both stores."""
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path.startswith("/seen"):
                seen[-1] += tuple(map(int, self.path.partition("?")[2].split(",")))
            elif self.path.startswith("/page"):
                seen.append((self.headers["Cookie"],))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            if self.path.startswith("/page"):
                self.send_header("Set-Cookie", "session=1; HttpOnly")
            self.end_headers()
            self.wfile.write(PAGE if self.path.startswith("/page") else b"")

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/page"
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.web.reloading", how, address],
        capture_output=True, text=True, check=False, timeout=300,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    server.shutdown()
    server.server_close()
    assert done.returncode == 0, done.stderr[-2000:]
    return seen


def test_a_live_page_loaded_again_keeps_its_cookies_and_one_opened_anew_has_none():
    browser = seen_by_server("browser")
    assert browser == [(None, 1, 1), ("session=1", 2, 2)]
    first, again, other, anew = seen_by_server("view")
    assert [first, again] == browser
    assert other == anew == first


def test_a_capture_finds_nothing_that_an_earlier_capture_of_the_page_has_left():
    rendered = [each for each in seen_by_server("captures") if len(each) > 1]  # not only fetched
    assert rendered == [(None, 1, 1)] * 2
