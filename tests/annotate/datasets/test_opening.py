"""The window and evaluations open a path in the same way, with its pages and gold."""

import gzip
import json
import sys
import zipfile

import pytest

import resources
from annotate.datasets.opening import list_documents, open_document, open_pages
from annotate.datasets.readers import read_dataset
from annotate.marks import edits, gold_file
from annotate.marks.gold import Gold, Target
from engine.errors import InputError
from engine.source import Source
from tests.annotate.datasets.layouts import LAYOUTS
from tests.annotate.pages import page_of, row_of

HTML = b"<!doctype html><p>hello"


def never():
    raise AssertionError("nothing is to be rendered for this")


@pytest.fixture
def kreuzer(tmp_path):
    """Return a folder in Kreuzer's layout: a page, a disabled one, a bad line, a missing file."""
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


def test_a_folder_of_sites_lists_their_index_pages_before_others(tmp_path):
    for site in ("b", "a"):
        (tmp_path / site).mkdir()
        (tmp_path / site / "index.html").write_text(f"<p>{site}")
        (tmp_path / site / "index.gold.json").write_text("{}")
        (tmp_path / site / "more.html").write_text("<p>more")
    result = list_documents(tmp_path)
    assert [(d.title, d.path, d.read()) for d in result] == [
        ("a", "a/index.html", b"<p>a"), ("b", "b/index.html", b"<p>b"),
        ("a/more.html", "a/more.html", b"<p>more"), ("b/more.html", "b/more.html", b"<p>more"),
    ]  # fmt: skip


def test_lines_of_the_mapping_that_are_no_page_are_reported(kreuzer):
    problems = []
    list_documents(kreuzer, problems=problems)
    assert len(problems) == 2
    assert "line 3" in problems[0]
    assert "d/d/index.html" in problems[1]


def test_a_mapping_cannot_name_files_outside_its_folder(kreuzer):
    (kreuzer / "mapping.txt").write_text('"http://x/" : "/opt/x/../../etc/passwd"\n')
    with pytest.raises(InputError, match=r"passwd does not lie in a site's folder"):
        list_documents(kreuzer)


def test_one_file_or_site_of_the_layout_opens_alone(kreuzer):
    file = kreuzer / "www.a.org" / "www.a.org" / "news" / "index.dom.html"
    document = open_document(file)  # the name tells the variant
    assert (document.url, document.scripts) == ("pagelet://www.a.org/news/index.dom.html", False)
    assert open_document(kreuzer / "www.a.org").read() == b"<p>saved"


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


def test_a_package_keeps_its_order_and_names_missing_pages(package):
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


_EPUB = dict.fromkeys(("META-INF/container.xml", "one.xhtml", "one.txt"), "<p>Tea is hot.</p>")


@pytest.mark.parametrize(
    ("files", "read", "name", "said"),
    [
        ({}, list_documents, "", "holds no pages"),
        ({}, list_documents, "nowhere", "no such file or folder"),
        ({"a.html": HTML, "b.html": HTML}, open_document, "", "holds 2 pages, name one of them"),
        ({"p.zip": b"PK\x03\x04 broken"}, list_documents, "p.zip", "is not a package of pages"),
        ({"corpus.json": b"{}"}, list_documents, "", "is not a list of pages"),
        ({"aa.html": b"<p>Words", "ground-truth.json": b"[1]"}, open_pages, "",
         "expected an object of articles"),
        ({"tea.epub": _EPUB}, list_documents, "tea.epub", r"is a book \(EPUB\)"),
        ({"tea.epub": _EPUB}, read_dataset, "tea.epub", "is not a data set with gold"),
    ],
)  # fmt: skip
def test_a_file_without_a_page_is_refused_with_the_reason(tmp_path, files, read, name, said):
    for file, data in files.items():
        if isinstance(data, bytes):
            (tmp_path / file).write_bytes(data)
            continue
        with zipfile.ZipFile(tmp_path / file, "w") as made:
            for member, text in data.items():
                made.writestr(member, text)
    with pytest.raises(InputError, match=said):
        read(tmp_path / name)


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


BODY = "<h1>A headline</h1><p id=p>Some words of it.</p><p>And more words.</p>"


def test_a_gold_file_beside_the_page_is_read(tmp_path):
    file = tmp_path / "page.html"
    file.write_text(BODY)
    page = page_of(BODY)
    (files,) = open_pages(file).files
    assert files.shown(page) == (Gold(), ())
    gold = edits.add_block(Gold(), page.rendered(), [Target(row_of(page.rendered(), "p"))], 1)
    gold_file.write(gold_file.gold_path(file), page, gold)
    assert files.shown(page) == (gold, ())


def test_package_text_becomes_main_content_and_missing_words_are_reported(tmp_path):
    with zipfile.ZipFile(tmp_path / "pages.zip", "w") as made:
        made.writestr("one.html", BODY)
        made.writestr("one.txt", "A headline Some words of it.")
        made.writestr("two.html", BODY)
        made.writestr("two.txt", "Some words of it. Never said")
    one, two = open_pages(tmp_path / "pages.zip").files
    page = page_of(BODY)
    gold, notes = one.shown(page)
    assert Gold(gold.marks).as_extraction(page).text == "A headline\nSome words of it."
    assert gold.as_extraction(page).text == "A headline Some words of it."  # scored text
    assert notes == ()
    _, notes = two.shown(page)
    assert notes == ('33.3% of the gold text\'s words are not on this page: "Never said"',)


def test_blocks_of_kreuzers_layout_are_read(tmp_path):
    (tmp_path / "mapping.txt").write_text("")
    (tmp_path / "site").mkdir()
    file = tmp_path / "site" / "index.html"
    file.write_text(BODY)
    file.with_name("index.blocks.html").write_text(
        BODY.replace("<p id", '<p data-block="2" data-block-type="Article" id')
    )
    page = page_of(BODY)
    (files,) = open_pages(file).files
    gold, notes = files.shown(page)
    assert [(m.level, m.type, m.quote) for m in gold.marks] == [(2, "Article", "Some words of it.")]
    assert notes == ()


def test_gold_of_a_package_is_the_text_beside_the_page(tmp_path):
    path = tmp_path / "pages.zip"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("one.html", "<p>Words")
        made.writestr("one.txt", "\ufeffWords\n")
        made.writestr("two.html", "<p>No gold")
        made.writestr("three.html", "<p>Bad gold")
        made.writestr("three.txt", b"\xff\xfe\xff")
    one, three, two = sorted(open_pages(path).files, key=lambda files: files.document().path)
    assert one.text(never) == "Words\n"
    assert two.text(never) is None
    with pytest.raises(InputError, match=r"three\.txt in .* is not UTF-8"):
        three.text(never)


def test_a_page_of_an_unpacked_package_has_its_gold_and_encoding_when_opened_alone(tmp_path):
    (tmp_path / "package.json").write_text('{"format": "ce-package"}')
    (tmp_path / "news").mkdir()
    page = tmp_path / "news" / "tea.html"
    page.write_bytes("<p>чай".encode("windows-1251"))
    page.with_suffix(".txt").write_text("чай", "utf-8")
    page.with_suffix(".json").write_text('{"encoding": "windows-1251"}')
    (files,) = open_pages(page).files
    received = files.document().receive()
    assert Source.from_bytes(received.data, received.charset).text.strip() == "чай"
    assert files.text(never) == "чай"


def test_gold_of_the_benchmark_is_the_article_body(tmp_path):
    (tmp_path / "html").mkdir()
    for name in ("aa", "bb"):
        (tmp_path / "html" / f"{name}.html.gz").write_bytes(gzip.compress(b"<p>Words"))
    gold = {"aa": {"articleBody": "Words", "url": "https://example.org/"}}
    (tmp_path / "ground-truth.json").write_text(json.dumps(gold))
    opened = open_pages(tmp_path)
    assert [files.text(never) for files in opened.files] == ["Words"]
    assert opened.problems == ("html/bb.html.gz has no gold text",)


def documents_of(dataset, variant):
    """Return the documents an evaluation reads."""
    return [files[variant].document() for _, files in dataset.pages if variant in files]


def assert_one_door(path, variant="html"):
    """Assert that the window opens what an evaluation reads: the same bytes and encoding."""
    dataset = read_dataset(path, (variant,))
    batch = documents_of(dataset, variant if dataset.has_variants else "")
    opened = open_pages(path, variant)
    window = {document.address: document for document in opened.documents}
    assert len(window) == len(opened.documents)  # each is a separate page in a workspace
    for document in batch:
        shown = window[document.address]
        assert shown == document
        ours, theirs = shown.receive(), document.receive()
        assert ours == theirs
        one, other = (Source.from_bytes(each.data, each.charset) for each in (ours, theirs))
        assert (one.encoding, one.html) == (other.encoding, other.html)
    return len(batch), len(window)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_window_and_batch_read_the_same_document_of_every_layout(layout, tmp_path):
    _, write, _ = LAYOUTS[layout]
    assert assert_one_door(write(tmp_path)) == (1, 1)


def test_window_and_batch_read_the_same_sample_pages():
    assert assert_one_door(resources.path("corpus")) == (15, 15)


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "pages"),
    [
        ("packages/readability-pages.zip", 130),
        ("article-benchmark-sample", 20),
        pytest.param("wcxb/dev", 1358, marks=pytest.mark.slow),
        ("sites", 339),
        ("sites/sqlite", 59),
    ],
)
def test_window_and_batch_read_the_same_published_pages(datasets, name, pages):
    assert assert_one_door(datasets / name) == (pages, pages)


@pytest.mark.parametrize("layout", ["CleanEval", "BoilerNet", "SIGIR 2023", "WCXB", "sites"])
def test_a_file_opened_alone_is_read_as_its_data_set_reads_it(layout, tmp_path):
    _, write, _ = LAYOUTS[layout]
    (expected,) = open_pages(write(tmp_path)).files
    (alone,) = open_pages(expected.document().address).files
    assert alone.document().receive() == expected.document().receive()
    assert alone.text(never) == expected.text(never) is not None


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_a_page_next_to_a_broken_link_is_opened(tmp_path):
    (tmp_path / "page").mkdir()
    path = tmp_path / "page" / "index.html"
    path.write_text("<p>harbour")
    (tmp_path / "nowhere").symlink_to("x" * 300)  # asking for its kind raises
    assert [each.path for each in open_pages(path).documents] == ["index.html"]


FOREIGN = {
    "list.txt": ("https://a.example/\nhttp://b.example/x?y=1\n", "list of addresses"),
    "boxes.json": ('{"images": [], "annotations": [], "categories": []}', "annotations of COCO"),
    "tasks.json": ('[{"id": 1, "data": {"html": "x"}, "annotations": []}]', "Label Studio"),
    "note.json": (
        '{"@context": "x", "type": "Annotation", "target": "http://a/"}',
        "Web Annotation",
    ),
    "other.json": ('{"pages": 3}', "is JSON: an object with the key pages"),
    "cut.json": ('[{"data": ', "is JSON and damaged"),
    "story.mhtml": (
        "From: <Saved by Blink>\r\nContent-Type: multipart/related;\r\n\tboundary=x\r\n\r\n--x",
        "page saved as MHTML",
    ),
    "tea.html": ("Tea is hot. See https://a.example/", "text without markup"),
    "plugin.js.html": (
        "/* jQuery plugin */\n(function($) { $('<p>x</p><b>y</b><i>') })",
        "JavaScript",
    ),
    "feed.html": ("BEGIN:VCALENDAR\nEND:VCALENDAR\n", "a calendar"),
    "rows.html": ("id;text\n1;<p>Tea</p><b>x</b>\n", "a table of 1 row with the columns id, text"),
    "lines.html": ('{"a": 1}\n{"a": 2}\n', "JSON Lines: 2 objects"),
    "change.html": ("diff --git a/x b/x\n-<html><p>a</p>\n+<html><p>b</p>\n", "a patch"),
    "view.bin": ("{% extends 'a' %}<p>{{ x }}</p><b>x</b>", "a template"),
    "text.zip": ("Tea is hot.", "text without markup|not a zip"),
    "story.page": ("MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n", "MHTML"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_file_that_is_not_a_page_is_named_and_not_shown_as_text(tmp_path, name):
    text, said = FOREIGN[name]
    (tmp_path / name).write_bytes(text.encode())
    with pytest.raises(InputError, match=said):
        list_documents(tmp_path / name)


@pytest.mark.parametrize("text", ["<p>Tea</p>", "Tea is hot.<br>See here", "{ Tea } <p>"])
def test_short_or_odd_html_files_are_listed_as_pages(tmp_path, text):
    (tmp_path / "tea.html").write_text(text)
    assert len(list_documents(tmp_path / "tea.html")) == 1


def test_an_archive_next_to_pages_is_reported_and_the_pages_are_listed(tmp_path):
    (tmp_path / "tea.html").write_text("<p>Tea is hot.")
    (tmp_path / "site.warc").write_bytes(b"WARC/1.0\r\nWARC-Type: warcinfo\r\n\r\n\r\n\r\n")
    problems = []
    (document,) = list_documents(tmp_path, problems=problems)
    assert document.path == "tea.html"
    assert "site.warc is a web archive" in problems[0]
    with pytest.raises(InputError, match=r"site\.warc is a web archive"):
        list_documents(tmp_path / "site.warc")


def test_pages_below_a_folder_with_pages_are_listed_after_them_without_frames(tmp_path):
    for name in ("a.html", "news/b.html", "news/old/c.html", "shop/d.html", "a_files/frame.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("<p>Tea is hot.")
    problems = []
    listed = [each.path for each in list_documents(tmp_path, problems=problems)]
    assert listed == ["a.html", "news/b.html", "news/old/c.html", "shop/d.html"]
    assert problems == []


def test_error_pages_redirects_and_copies_of_a_crawl_are_left_out(tmp_path):
    whole = "<!doctype html><title>Tea</title><h1>Tea</h1><p>Tea is hot.</p>"
    long = f"<html><title>404 ways to brew</title>{'<p>Tea is hot and green.</p>' * 60}"
    files = {
        "a.html": whole, "b/tea.html": whole, "c.html": long, "d.html": whole,
        "gone.html": "<html><title>404 Not Found</title><h1>Not Found</h1><p>nginx</p></html>",
        "moved.html": '<html><meta http-equiv="refresh" content="0; url=a.html"></html>',
        "part.html": "<li>more tea</li>", "none.html": "",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "logo.html").write_bytes(b"GIF89a\x01\x00\x01\x00")
    problems = []
    listed = [each.path for each in list_documents(tmp_path, problems=problems)]
    assert listed == ["a.html", "c.html", "d.html", "b/tea.html"]
    [said] = problems
    assert said.startswith("9 pages found: 4 taken; ")
    for reason in ("error page of a server", "redirect to another page", "fragment of a page",
                   "empty", "a picture (GIF, 1 × 1) called a page"):  # fmt: skip
        assert f"1 passed over: {reason}" in said
    (alone,) = list_documents(tmp_path / "gone.html")
    assert alone.path == "gone.html"
    (tmp_path / "errors").mkdir()
    (tmp_path / "errors" / "x.html").write_text(files["gone.html"])
    assert len(list_documents(tmp_path / "errors", problems=problems)) == 1
