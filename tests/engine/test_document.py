"""Test that each kind of address opens a document or raises an InputError."""

import gzip
import http.server
import threading

import pytest

from engine.document import VIEWPORT, is_binary, plain_document
from engine.errors import InputError
from engine.source import Source

HTML = b"<!doctype html><p>hello"


def test_a_file_is_served_from_its_folder(tmp_path):
    file = tmp_path / "a page?.html"
    file.write_bytes(HTML)
    document = plain_document(str(file))
    assert document.root == tmp_path.resolve()
    assert document.path == "a page?.html"
    assert document.url == "pagelet://local/a%20page%3F.html"
    assert document.read() == HTML
    assert document.viewport == VIEWPORT
    assert document.scripts
    assert not document.is_live


def test_a_file_is_served_from_a_root_above_its_folder_if_given(tmp_path):
    (tmp_path / "pages").mkdir()
    file = tmp_path / "pages" / "a.html"
    file.write_bytes(HTML)
    assert plain_document(file, root=tmp_path).path == "pages/a.html"
    with pytest.raises(InputError, match="is outside"):
        plain_document(file, root=tmp_path / "elsewhere")


def test_bytes_are_opened_without_a_file():
    document = plain_document(HTML)
    assert document.root is None
    assert document.read() == HTML


def test_a_packed_file_is_unpacked(tmp_path):
    file = tmp_path / "a.html.gz"
    file.write_bytes(gzip.compress(HTML))
    assert plain_document(file).read() == HTML


def test_a_live_address_is_not_fetched_before_it_is_read():
    document = plain_document("https://example.org/a?b=c")
    assert document.is_live
    assert document.host == "example.org"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b" \n\t", "is empty"),
        (b"\x89PNG\r\n\x1a\n\0\0", "is a binary file"),
        (b"%PDF-1.4 text", "is a binary file"),
        (b"abc\0def", "is a binary file"),
    ],
)
def test_empty_and_binary_files_are_refused(tmp_path, data, message):
    file = tmp_path / "x.html"
    file.write_bytes(data)
    with pytest.raises(InputError, match=message):
        plain_document(file)


def test_an_empty_gzip_file_is_refused_as_damaged(tmp_path):
    (tmp_path / "a.html.gz").write_bytes(b"")
    with pytest.raises(InputError, match="not one byte is in it"):
        plain_document(tmp_path / "a.html.gz")


def test_zero_bytes_are_not_binary_where_utf_16_is_declared():
    page = "\n\n<p>hi".encode("utf-16-le")
    assert is_binary(page)
    assert not is_binary(page, "UTF-16LE")
    assert not is_binary(page, "unicode"), "as old servers call it"


def test_a_page_with_a_stray_zero_byte_is_read(tmp_path):
    file = tmp_path / "x.html"
    file.write_bytes(b"<title>Tea</title><p>five\0 o'clock")
    assert plain_document(file).read() == file.read_bytes()
    assert "o'clock" in Source.of(plain_document(file).receive()).text


def test_an_undeclared_utf_16_page_is_read(tmp_path):
    file = tmp_path / "x.html"
    file.write_bytes("<p>hi".encode("utf-16-le"))
    assert plain_document(file).read() == file.read_bytes()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("no/such/file.html", "no such file or folder: no/such/file.html"),
        ("example.org/news", "for a live page type https://example.org/news"),
        ("ftp://example.org/", "neither a file nor an http"),
        ("http://", "has no host"),
        ("http://[::1", "is not an address"),
    ],
)
def test_addresses_that_cannot_be_opened_are_refused_with_the_reason(address, message):
    with pytest.raises(InputError, match=message.replace("(", "[(]")):
        plain_document(address)


def test_a_path_that_leads_to_no_file_is_refused_with_the_reason(tmp_path):
    (tmp_path / "page.html").write_bytes(HTML)
    (tmp_path / "loop.html").symlink_to("loop.html")
    (tmp_path / "broken.html").symlink_to("gone.html")
    for name, why in (
        ("loop.html", "is a link that leads back to itself"),
        ("broken.html", "is a link to gone.html, which is not there"),
        ("page.html/x", "page.html is a file, not a folder"),
        ("nowhere/x.html", "no such file or folder"),
    ):
        with pytest.raises(InputError, match=why):
            plain_document(tmp_path / name)


# The network


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status = 404 if self.path == "/gone" else 200
        raw = {
            "/pdf": b"HTTP/1.1 200 OK\r\n\r\n%PDF-1.4",
            "/junk": b"SSH-2.0-OpenSSH\r\n",
            "/cut": b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n" + HTML,
        }
        if self.path in raw:
            self.wfile.write(raw[self.path])
            return
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=ISO-8859-2")
        self.end_headers()
        self.wfile.write(HTML)

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("path", ["/page", "/gone"])  # an error page is a page too
def test_live_pages_and_error_pages_are_received_with_their_charset(server, path):
    received = plain_document(server + path).receive()
    assert (received.data, received.charset) == (HTML, "iso-8859-2")


@pytest.mark.parametrize(
    ("path", "note"), [("/gone", "answered with 404"), ("/cut", "23 of 99 bytes came")]
)
def test_error_statuses_and_truncated_answers_are_read_with_a_warning(server, path, note, caplog):
    assert plain_document(server + path).receive().data == HTML
    assert note in caplog.text


@pytest.mark.parametrize(
    ("scheme", "path", "why"),
    [
        ("http", "/pdf", "is a binary file; expected an HTML page"),
        ("http", "/junk", "it is not HTTP$"),
        ("https", "/", "it does not speak HTTPS there; try http://"),
    ],
)
def test_answers_that_are_not_pages_are_refused_with_the_reason(server, scheme, path, why):
    with pytest.raises(InputError, match=why):
        plain_document(server.replace("http", scheme) + path).receive()


def test_a_refused_connection_is_reported_with_its_address():
    with pytest.raises(InputError, match=r"cannot get http://127\.0\.0\.1:1/: it refused"):
        plain_document("http://127.0.0.1:1/").receive(2.0)
