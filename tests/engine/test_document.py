"""Every kind of address becomes a document, or one clear sentence."""

import gzip
import http.server
import json
import threading
import zipfile

import pytest

from engine.document import KREUZER_VIEWPORT, VIEWPORT, list_documents, open_document, read_mapping
from engine.errors import InputError

HTML = b"<!doctype html><p>hello"


@pytest.fixture
def kreuzer(tmp_path):
    """A folder in Kreuzer's layout: one page, one switched off, one bad line, one missing file."""
    site = tmp_path / "www.a.org" / "www.a.org" / "news"
    site.mkdir(parents=True)
    (site / "index.html").write_bytes(b"<p>saved")
    (site / "index.html.orig").write_bytes(b"<p>received")
    (site / "index.dom.html").write_bytes("<p>dom ü".encode())
    (site / "index.blocks.html").write_bytes(
        b'<div data-block="1" data-block-type="Content"><p data-block=\'2\'>marked \xfc</p></div>'
    )
    (tmp_path / "mapping.txt").write_text(
        '"http://www.a.org/news/" : "/opt/dataset-random/www.a.org/www.a.org/news/index.html",\n'
        '# "http://b/" : "/opt/dataset-random/b/b/index.html",\n'
        '"http://c/ : /opt/dataset-random/c/c/index.html\n'
        '"http://d/" : "/opt/dataset-random/d/d/index.html"\n\n',
        encoding="utf-8",
    )
    return tmp_path


def test_a_file_is_served_from_its_folder(tmp_path):
    file = tmp_path / "a page?.html"
    file.write_bytes(HTML)
    document = open_document(str(file))
    assert document.root == tmp_path.resolve()
    assert document.path == "a page?.html"
    assert document.url == "pagelet://local/a%20page%3F.html"
    assert document.read() == HTML
    assert document.viewport == VIEWPORT
    assert document.scripts
    assert not document.is_live


def test_a_file_may_reach_above_its_folder_if_told_so(tmp_path):
    (tmp_path / "pages").mkdir()
    file = tmp_path / "pages" / "a.html"
    file.write_bytes(HTML)
    assert open_document(file, root=tmp_path).path == "pages/a.html"
    with pytest.raises(InputError, match="does not lie in"):
        open_document(file, root=tmp_path / "elsewhere")


def test_bytes_need_no_file():
    document = open_document(HTML)
    assert document.root is None
    assert document.read() == HTML


def test_a_packed_file_is_unpacked(tmp_path):
    file = tmp_path / "a.html.gz"
    file.write_bytes(gzip.compress(HTML))
    assert open_document(file).read() == HTML
    assert [d.read() for d in list_documents(tmp_path)] == [HTML]


def test_a_live_address_is_not_fetched_before_it_is_read():
    document = open_document("https://example.org/a?b=c")
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
def test_what_is_no_page_is_said(tmp_path, data, message):
    file = tmp_path / "x.html"
    file.write_bytes(data)
    with pytest.raises(InputError, match=message):
        open_document(file)


def test_utf_16_is_not_binary(tmp_path):
    file = tmp_path / "x.html"
    file.write_bytes("<p>hi".encode("utf-16-le"))
    assert open_document(file).read()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("no/such/file.html", "no such file: no/such/file.html"),
        ("example.org/news", "for a live page type https://example.org/news"),
        ("ftp://example.org/", "neither a file nor an http"),
        ("http://", "names no host"),
        ("http://[::1", "is no address"),
    ],
)
def test_what_cannot_be_opened_is_said(address, message):
    with pytest.raises(InputError, match=message.replace("(", "[(]")):
        open_document(address)


def test_a_folder_without_pages_is_said(tmp_path):
    with pytest.raises(InputError, match="holds no pages"):
        list_documents(tmp_path)
    with pytest.raises(InputError, match="no such file or folder"):
        list_documents(tmp_path / "nowhere")


def test_a_folder_of_sites_lists_their_index_pages(tmp_path):
    for site in ("b", "a"):
        (tmp_path / site).mkdir()
        (tmp_path / site / "index.html").write_text(f"<p>{site}")
        (tmp_path / site / "index.gold.json").write_text("{}")
        (tmp_path / site / "more.html").write_text("<p>more")
    found = list_documents(tmp_path)
    assert [(d.title, d.path, d.read()) for d in found] == [
        ("a", "a/index.html", b"<p>a"), ("b", "b/index.html", b"<p>b"),
    ]  # fmt: skip


def test_a_folder_of_many_pages_is_no_page(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.html").write_bytes(HTML)
    with pytest.raises(InputError, match="holds 2 pages, name one of them"):
        open_document(tmp_path)


# Kreuzer's layout


@pytest.mark.parametrize(
    ("variant", "text", "charset", "scripts"),
    [
        ("html", b"<p>saved", "", True),
        ("original", b"<p>received", "", True),
        ("dom", "<p>dom ü".encode(), "utf-8", False),
        ("repaired", "<div><p>marked ü</p></div>".encode(), "utf-8", False),
    ],
)
def test_a_kreuzer_page_has_four_variants(kreuzer, variant, text, charset, scripts):
    (document,) = list_documents(kreuzer, variant=variant, problems=[])
    assert document.read() == text
    assert document.charset == charset
    assert document.scripts is scripts
    assert document.viewport == KREUZER_VIEWPORT
    assert document.home == "http://www.a.org/news/"
    assert document.title == "www.a.org/news"
    assert document.root == kreuzer / "www.a.org"
    assert document.host == "www.a.org"
    assert open_document(document.address, variant=variant).read() == text


def test_lines_of_the_mapping_that_are_no_page_are_reported(kreuzer):
    problems = []
    list_documents(kreuzer, problems=problems)
    assert len(problems) == 2
    assert "line 3" in problems[0]
    assert "d/d/index.html" in problems[1]


def test_a_mapping_cannot_lead_out_of_its_folder(kreuzer):
    (kreuzer / "mapping.txt").write_text('"http://x/" : "/opt/x/../../etc/passwd"\n')
    problems = []
    with pytest.raises(InputError, match="holds no pages"):
        list_documents(kreuzer, problems=problems)
    assert len(problems) == 1


def test_one_file_or_site_of_the_layout_opens_alone(kreuzer):
    file = kreuzer / "www.a.org" / "www.a.org" / "news" / "index.dom.html"
    document = open_document(file)  # the name tells the variant
    assert (document.url, document.scripts) == ("pagelet://www.a.org/news/index.dom.html", False)
    assert open_document(kreuzer / "www.a.org").read() == b"<p>saved"


@pytest.mark.data
def test_the_random_data_set_has_78_pages(datasets):
    problems = []
    folder = datasets / "kreuzer-random"
    assert len(read_mapping(folder / "mapping.txt", problems)) == 78
    for variant in ("html", "original", "dom", "repaired"):
        documents = list_documents(folder, variant=variant, problems=problems)
        assert len(documents) == 78
        assert all(document.read() for document in documents)
        assert len({document.title for document in documents}) == 78
    # Style sheets of the annotation tool stay, but have nothing left to match.
    assert b" data-block" not in b"".join(document.read() for document in documents)
    assert problems == []


# Packages and corpora


@pytest.fixture
def package(tmp_path):
    path = tmp_path / "p.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("package.json", json.dumps({"documents": ["b", "a", "gone"]}))
        archive.writestr("a.html", "<p>a")
        archive.writestr("a.json", json.dumps({"title": "A", "url": "http://a/"}))
        archive.writestr("b.html", "<p>\xfc".encode("latin-1"))
        archive.writestr("b.json", json.dumps({"encoding": "iso-8859-1"}))
        archive.writestr("b.linked/00001.html", "<p>linked")
    return path


def test_a_package_keeps_its_order_and_says_what_is_missing(package):
    problems = []
    documents = list_documents(package, problems=problems)
    assert [(d.title, d.charset, d.home) for d in documents] == [
        ("b.html", "iso-8859-1", ""),
        ("A", "", "http://a/"),
    ]
    assert documents[1].read() == b"<p>a"
    assert problems == ["p.zip: package.json names gone, which is not there"]


def test_a_page_of_a_package_has_an_address(package):
    assert open_document(f"{package}!/a").read() == b"<p>a"
    (_, document) = list_documents(package, problems=[])
    assert open_document(document.address).read() == b"<p>a"
    with pytest.raises(InputError, match="no page of this name"):
        open_document(f"{package}!/c")


def test_a_zip_that_is_none_is_refused(tmp_path):
    path = tmp_path / "p.zip"
    path.write_bytes(b"PK\x03\x04 broken")
    with pytest.raises(InputError, match="is no package of pages"):
        list_documents(path)


@pytest.mark.data
def test_the_readability_package_opens(datasets):
    documents = list_documents(datasets / "packages" / "readability-pages.zip")
    assert len(documents) == 130
    assert all(document.read() for document in documents)


@pytest.mark.data
def test_a_folder_with_its_pages_in_html_opens(datasets):
    documents = list_documents(datasets / "article-benchmark-sample")
    assert len(documents) == 20
    assert all(document.read().lstrip()[:1] == b"<" for document in documents)


def test_a_corpus_names_its_pages(tmp_path):
    (tmp_path / "news.html").write_bytes(HTML)
    pages = [
        {"id": "news", "file": "news.html", "title": "News", "scripts": False},
        {"id": "gone", "file": "gone.html"},
        {"id": "out", "file": "../out.html"},
    ]
    (tmp_path / "corpus.json").write_text(json.dumps({"name": "Samples", "pages": pages}))
    problems = []
    (document,) = list_documents(tmp_path, problems=problems)
    assert (document.title, document.scripts, document.read()) == ("News", False, HTML)
    assert len(problems) == 2
    (tmp_path / "corpus.json").write_text("{}")
    with pytest.raises(InputError, match="is no list of pages"):
        list_documents(tmp_path)


# The network


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status = 404 if self.path == "/gone" else 200
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
def test_a_live_page_is_one_get(server, path):
    received = open_document(server + path).receive()
    assert (received.data, received.charset) == (HTML, "iso-8859-2")


def test_a_server_that_is_not_there_is_said(server):
    with pytest.raises(InputError, match=r"cannot get http://127\.0\.0\.1:1/"):
        open_document("http://127.0.0.1:1/").receive(2.0)
