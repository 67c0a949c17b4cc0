"""Live pages, here of a local server, are frozen into a file that needs no server."""

import http.server
import threading
import zipfile
from urllib.parse import urlsplit

import pytest
from warcio.archiveiterator import ArchiveIterator

from annotate.archives.frozen.frozen_file import FrozenFile
from annotate.archives.frozen.manifest import WARC
from annotate.archives.frozen.verifying import verify
from engine.web.freezing import fetch_again
from engine.web.recorder import ResourceRequest
from tests.annotate.archives.frozen.pages import PIXEL
from tests.typed_commands import typed

STORY = (
    b"<!doctype html><title>caf\xe9</title><link rel=stylesheet href=/look.css>"
    b"<p>caf\xe9 <img src='/a.png?x=1&amp;y=2'><img src=/gone.png>"
    b"<script>document.querySelector('p').append(' and more')</script>"
)
PAGES = {
    "/moved": ("", b""),
    "/story": ("text/html; charset=iso-8859-1", STORY),
    "/look.css": ("text/css", b"p { width: 222px }"),
    "/a.png": ("image/png", PIXEL),
}


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        path = urlsplit(self.path).path
        if path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/story")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        kind, data = PAGES.get(path, ("text/plain", b"nothing"))
        self.send_response(200 if path in PAGES else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.slow
@pytest.mark.web
def test_a_frozen_live_page_is_verified_without_any_request_to_its_server(server, tmp_path):
    out = tmp_path / "live.wacz"
    home = f"http://127.0.0.1:{server.server_port}"
    done = typed("freeze", f"{home}/moved", "--out", out, "--no-sandbox")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "identical" in done.stdout
    (lost,) = (line for line in done.stdout.splitlines() if line.strip().startswith("not kept"))
    assert lost.endswith("/gone.png: its server answers 404")
    file = FrozenFile(out)
    assert file.manifest["address"] == f"{home}/story"

    server.asked.clear()
    assert verify(out).verdict == "identical"
    assert server.asked == []
    page = file.reference()
    assert {"café ", " and more"} <= set(page.rendered().text)
    assert page.original is not None
    assert page.original.encoding == "windows-1252"

    with zipfile.ZipFile(out) as package, package.open(WARC) as records:
        kinds = [(each.rec_type, each.rec_headers.get_header("WARC-Target-URI"))
                 for each in ArchiveIterator(records)]  # fmt: skip
    assert ("response", f"{home}/moved") in kinds
    assert ("request", f"{home}/a.png?x=1&y=2") in kinds


def test_a_remote_page_cannot_fetch_files_from_this_machine(server):
    """Pagelet fetches its files itself, without the limits of the browser."""
    url = f"http://127.0.0.1:{server.server_port}/look.css"
    result, lost = fetch_again({url: ResourceRequest(url, ())}, "https://example.org/")
    assert result == []
    assert "on this machine" in lost[0]
    assert server.asked == []
