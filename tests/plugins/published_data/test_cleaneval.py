"""CleanEval's layout and those like it: pages and gold texts in folders side by side."""

from unicodedata import normalize

import pytest

from algorithms.own.texts import GivenTexts
from annotate.plugins.published_data.cleaneval import pairs, plain_gold, remove_wrapper
from engine.errors import InputError
from tests.annotate.datasets.layouts import read_texts

GOLD = "URL: http://example.org/a\r\n\r\n<h>The ferry\r\n<p>It came back.\r\n  <l> one < two\r\n"


@pytest.fixture
def write(tmp_path):
    def put(path, content="x"):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))

    return put


def test_gold_is_read_without_address_and_pseudo_tags():
    assert plain_gold(GOLD) == "The ferry\nIt came back.\none < two"
    assert plain_gold("no address\n<p>x <p>y") == "no address\nx <p>y"
    assert plain_gold("http://example.org/a \n<p>x") == "x"
    assert (
        plain_gold("http://example.org/a is where it was") == "http://example.org/a is where it was"
    )


@pytest.mark.parametrize(
    ("data", "page", "charset"),
    [
        (b'<text id="1" title="a" encoding="iso-8859-1">\n<p>caf\xe9</p>\n</text>\n',
         b"<p>caf\xe9</p>", "iso-8859-1"),
        (b'\xef\xbb\xbf<text id="1" encoding="iso-8859-1">\n<p>caf\xc3\xa9</p></text>',
         b"<p>caf\xc3\xa9</p>", "utf-8"),
        (b"<p>no wrapper</p></text>", b"<p>no wrapper</p></text>", ""),
        (b"<textarea>x</textarea>", b"<textarea>x</textarea>", ""),
    ],
)  # fmt: skip
def test_the_wrapper_is_removed_and_its_encoding_is_used(data, page, charset):
    assert remove_wrapper(data) == (page, charset)


def test_pages_are_paired_with_gold_in_number_order(write, tmp_path):
    for number in (10, 2, 1):
        write(f"original/{number}.html")
        write(f"gold/{number}.txt")
    write("original/3.html")  # without gold
    write("gold/4.txt")  # without a page
    assert [pair.name for pair in pairs(tmp_path, [])] == ["1", "2", "10"]


def test_pages_in_the_layouts_of_cetr_and_of_the_contest_are_found(write, tmp_path):
    write("news/original/bbc/1.html")
    write("news/gold/bbc/1.txt")
    write("cleaneval/en/original/1.html")
    write("cleaneval/en/gold/1.txt")
    write("final/input/7.html")
    write("final/GoldStandard/7-cleaned.txt")
    assert [pair.name for pair in pairs(tmp_path, [])] == [
        "cleaneval/en/1", "final/7", "news/bbc/1",
    ]  # fmt: skip


def test_a_page_and_its_gold_are_read(write, tmp_path):
    write("original/1.html", b'<text encoding="latin-1">\n<p>caf\xe9</text>')
    write("gold/1.txt", GOLD)
    _, (page,), _ = read_texts(tmp_path)
    received = page.document().receive()
    assert (received.data, received.charset) == (b"<p>caf\xe9", "latin-1")
    assert page.text() == "The ferry\nIt came back.\none < two"


def test_names_include_the_source_if_sources_number_their_pages_alike(write, tmp_path):
    for source in ("arstechnica", "BBC", "YAHOO!"):
        write(f"{source}/original/1.htm")
        write(f"{source}/gold/1.txt")
    assert [pair.name for pair in pairs(tmp_path, [])] == ["BBC/1", "YAHOO!/1", "arstechnica/1"]


def test_gold_with_invalid_bytes_is_read_with_replacement_characters(write, tmp_path):
    write("original/1.html", b"<meta charset=shift_jis><p>x")
    write("gold/1.txt", b"URL: http://x/\nok \xfc\xff end")
    (pair,) = pairs(tmp_path, [])
    assert pair.text().startswith("ok ")
    assert "\ufffd" in pair.text()
    assert pair.text().endswith("end")


def test_a_folder_without_gold_is_refused(write, tmp_path):
    write("original/1.html")
    with pytest.raises(InputError, match="not a data set with gold"):
        read_texts(tmp_path)


def test_a_page_and_its_gold_may_have_their_names_in_other_forms(write, tmp_path):
    one, other = (normalize(form, "Übung") for form in ("NFC", "NFD"))
    write(f"original/{other}.html")
    write(f"gold/{one}.txt")
    problems = []
    ((name, page, gold),) = [(p.name, p.page, p.gold) for p in pairs(tmp_path, problems)]
    assert (page.stem, gold.stem, problems) == (other, one, [])
    assert GivenTexts("texts", {one: "x"}).has(name)
    write(f"gold/{other}.txt")  # now there are both: the one of just that name is meant
    ((page, gold),) = [(p.page, p.gold) for p in pairs(tmp_path, problems)]
    assert (page.stem, gold.stem, len(problems)) == (other, other, 1)
