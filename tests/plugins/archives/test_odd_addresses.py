"""Addresses in crawled archives that browsers write in another way."""

import pytest

from annotate.archives.frozen import warc_writing
from annotate.datasets.saved_pages import read_saved
from engine.saved import WebExchange, key_of, shown_address
from engine.web.freezing import freeze
from tests.annotate.archives.frozen.pages import PIXEL

ODD = [
    "http://a.example/a/../b", "http://a.example/.", "http://a.example/x/y/%2e%2e", "http://[::1]/x",
    "http://-dash.example/", "http://a.example/a?c=ü&d=\"e\"", "http://a..example/",
    "http://a.example\\b/", "http://0x7f.1/y", "http://a.example?x", "http://A.example:8080/up",
    f"http://{'a' * 70}.example/", "http://ü.example/%zz",
]  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/a/../b", "http://a.example/b"),
        ("http://a.example/a/.", "http://a.example/a/"),
        ("http://a.example/a/%2E./", "http://a.example/"),
        ("http://a.example/../..", "http://a.example"),
        ("http://a.example/a\\b", "http://a.example/a/b"),
        ("http://ü.example/ü", "http://xn--tda.example/%C3%BC"),
        ("http://127.1/", "http://127.0.0.1/"),
        ("http://a.example./", "http://A.EXAMPLE/"),
    ],
)
def test_two_spellings_of_an_address_have_the_same_key(one, other):
    assert key_of(one) == key_of(other)


def test_different_addresses_have_different_keys():
    others = ["http://a.example/a/b", "http://a.example/a/b/", "http://a.example/a//b",
              "http://a.example/a?b", "http://[::1]/a/b", "http://[::2]/a/b", "http://-a/a/b",
              "http://a.example/a?../b"]  # fmt: skip
    assert len({key_of(each) for each in others}) == len(others)


@pytest.mark.parametrize("url", ODD)
def test_a_shown_address_has_the_key_of_the_original(url):
    assert key_of(shown_address(url)) == key_of(url)
    assert key_of(shown_address(shown_address(url))) == key_of(url)


@pytest.mark.web
@pytest.mark.slow
def test_a_page_at_an_odd_address_is_read_with_its_files(browser, tmp_path):
    image = "http://[::1]/a/../a.png"
    html = f"<p>Ferry back <img src='{image}' width=40 height=30><img src='./%2e%2e/b.png'>"
    exchanges = [WebExchange(image, 200, (("Content-Type", "image/png"),), PIXEL)]
    for url in ODD:
        exchanges.append(WebExchange(url, 200, (("Content-Type", "text/html"),), html.encode()))
    file = tmp_path / "odd.warc.gz"
    file.write_bytes(warc_writing.write(tuple(exchanges), "2026-01-01T00:00:00Z", "test", "x")[0])
    pages = read_saved(file).pages
    assert {page.document.home for page in pages} == set(ODD)
    for page in pages:
        texts = browser.capture(page.document, timeout_s=10.0).rendered().text
        assert "Ferry back " in texts, page.document.home
    page = next(each.document for each in pages if each.document.home == "http://[::1]/x")
    frozen = freeze(browser, page)
    assert frozen.address == "http://[::1]/x"
    assert not any("a.png" in each for each in frozen.lost)
