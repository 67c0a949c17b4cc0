"""Each layout of pages with gold: which text is gold, what is left out and why."""

import gzip
import json

import pytest

from annotate.datasets import package
from annotate.datasets.readers import read_dataset
from engine.errors import InputError
from engine.source import Source
from tests.annotate.datasets.layouts import (
    ANNOTATED,
    CRAWLED,
    MARKED,
    PAGE,
    PREPARED,
    RAW,
    STORY,
    lines,
    put,
    read_texts,
    warc_record,
    wcxb,
)


def read(folder):
    _, pages, problems = read_texts(folder)
    return {page.name: page for page in pages}, list(problems)


# Packages


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", '{"encoding": "iso-8859-1", "URL": "http://x/", "title": "T"}'),
        ("a.properties", "# of the page\nEncoding = iso-8859-1\nurl: http://x/\ntitle=T\n"),
        ("a.meta", "charset: iso-8859-1\nsource: http://x/\ntitle: T"),
        ("a.meta", '{"charset": "iso-8859-1", "source": "http://x/", "title": "T"}'),
        ("a.xml", """<?xml version='1.0'?><meta title='T'><encoding> iso-8859-1 </encoding>
                  <url>http://x/</url></meta>"""),
        ("a.xml", """<properties><entry key='encoding'>iso-8859-1</entry><entry key='url'>http://x/
                  </entry><entry key='title'>T</entry></properties>"""),
    ],
)  # fmt: skip
def test_a_packages_metadata_are_read_in_several_formats(name, content, tmp_path):
    put(tmp_path, {"a.htm": b"<p>caf\xe9", "a.txt": "café", name: content})
    pages, _ = read(tmp_path)
    document = pages["a"].document()
    assert (document.charset, document.home, document.title) == ("iso-8859-1", "http://x/", "T")
    received = document.receive()
    assert Source.from_bytes(received.data, received.charset).text == "café"


def test_unreadable_metadata_are_empty():
    for data, name in ((b"{", "a.json"), (b"[1]", "a.json"), (b"<a", "a.xml"), (b"", "a.xml")):
        assert package.metadata(data, name) == {}


def test_a_packages_index_sets_the_order_and_gaps_are_named(tmp_path):
    index = {"format": "ce-package", "documents": ["c", "a", "gone", "lost"]}
    put(tmp_path, {
        "package.json": json.dumps(index), "a.html": PAGE, "b.html": PAGE, "c.html": PAGE,
        "a.txt": "\ufeffone\r\ntwo", "lost.txt": STORY, "a.linked/00001.html": PAGE,
        "deep/d.html": PAGE, "deep/d.txt": STORY,
    })  # fmt: skip
    pages, problems = read(tmp_path)
    assert list(pages) == ["c", "a", "b", "deep/d"]
    assert pages["a"].text() == "one\ntwo"
    assert pages["c"].text() is None  # without gold: that is allowed
    assert [problem.partition(": ")[2] for problem in problems] == [
        "package.json names gone, which is not there",
        "package.json names lost, which is not there",
        "lost.txt has no page",
    ]


def test_package_gold_that_is_not_utf8_is_refused(tmp_path):
    put(tmp_path, {"a.html": PAGE, "a.txt": b"caf\xe9"})
    pages, _ = read(tmp_path)
    with pytest.raises(InputError, match=r"a\.txt in .* is not UTF-8"):
        pages["a"].text()


def test_two_pages_of_the_same_name_in_a_package_are_refused(tmp_path):
    put(tmp_path, {"a.html": PAGE, "a.htm": PAGE, "a.txt": STORY})
    with pytest.raises(InputError, match="two pages named a"):
        read(tmp_path)


# Benchmarks


def test_the_benchmark_names_pages_and_articles_on_one_side_only(tmp_path):
    truth = {
        "aa": {"articleBody": STORY, "with": ["ferry", "", 3], "without": ["Home"]},
        "bb": {"articleBody": STORY}, "../x": {"articleBody": STORY}, "dd": {}, "ee": [],
    }  # fmt: skip
    put(tmp_path, {
        "ground-truth.json": json.dumps(truth), "html/aa.html": PAGE, "html/cc.html": PAGE,
        "html/dd.html": PAGE, "html/ee.html.gz": b"no gzip",
    })  # fmt: skip
    pages, problems = read(tmp_path)
    assert [page.text() for page in pages.values()] == [STORY, None, None]
    snippets = pages["aa"].snippets()
    assert (snippets.required, snippets.unwanted) == (("ferry",), ("Home",))
    assert pages["dd"].snippets() is None
    with pytest.raises(InputError, match="cannot unpack"):
        pages["ee"].document().receive()
    assert problems == [
        "ground-truth.json names bb, which has no page",
        "ground-truth.json names ../x, which has no page",
        "html/cc.html has no gold text",
    ]


def test_wcxb_pages_have_a_type_and_a_host(tmp_path):
    folder = wcxb(tmp_path / "wcxb")
    gold = folder / "dev/ground-truth/0001.json"
    about = json.loads(gold.read_text())
    plain = next(iter(read_dataset(folder).cases(["original"]))).files
    assert (plain.page_type(), plain.host()) == ("", "")
    about |= {"url": "https://www.x.org/a", "_internal": {"page_type": {"primary": "category"}}}
    gold.write_text(json.dumps(about))
    data = next(iter(read_dataset(folder).cases(["original"]))).files
    assert (data.page_type(), data.host()) == ("collection", "x.org")


def test_wcxb_reads_both_splits_or_one(tmp_path):
    truth = json.dumps({"ground_truth": {"main_content": f" {STORY}\n", "with": None}})
    for split in ("dev", "test"):
        put(tmp_path / split, {
            "html/1.html.gz": gzip.compress(PAGE.encode()), "ground-truth/1.json": truth,
            "html/2.html": PAGE, "ground-truth/2.json": '{"ground_truth": []}',
            "html/3.html": PAGE, "ground-truth/4.json": truth,
        })  # fmt: skip
    pages, problems = read(tmp_path)
    assert list(pages) == ["dev/1", "dev/2", "test/1", "test/2"]
    assert pages["dev/1"].text() == STORY
    assert pages["dev/1"].snippets().required == ()
    with pytest.raises(InputError, match="not gold of WCXB"):
        pages["dev/2"].text()
    assert problems[:2] == [
        "dev/html/3.html has no gold text",
        "dev/ground-truth/4.json has no page",
    ]
    assert list(read(tmp_path / "test")[0]) == ["1", "2"]


# Dragnet


def test_dragnets_comments_are_left_out(tmp_path):
    gold = b"caf\xe9\r\n\r\n!@#$%^&*()  COMMENTS\r\nI like it\r\n"
    put(tmp_path, {
        "HTML/R2.html": PAGE, "HTML/R10.html": PAGE, "HTML/R3.html": PAGE,
        "corrected/Corrected/R2.html.corrected.txt": gold,
        "corrected/Corrected/R10.html.corrected.txt": "",
        "corrected/Corrected/R4.html.corrected.txt": STORY,
    })  # fmt: skip
    pages, problems = read(tmp_path)
    assert {name: page.text() for name, page in pages.items()} == {"R2": "café", "R10": ""}
    assert problems == [
        "HTML/R3.html has no gold text",
        "corrected/Corrected/R4.html.corrected.txt has no page",
    ]


def test_dragnets_second_data_set_reads_toml(tmp_path):
    put(tmp_path, {
        "html/a.html": PAGE, "meta/a.toml": "\ufefftext = '''\nIt said \"no\\n\".\n\nEnd'''\n",
        "html/b.html": PAGE, "meta/b.toml": "text = ", "html/c.html": PAGE,
        "meta/d.toml": "", "html/e.html": PAGE, "meta/e.toml": "id = 'e'",
    })  # fmt: skip
    pages, problems = read(tmp_path)
    assert list(pages) == ["a", "b", "e"]
    assert pages["a"].text() == 'It said "no\\n".\n\nEnd'
    assert pages["e"].text() is None
    with pytest.raises(InputError, match=r"b\.toml is not TOML"):
        pages["b"].text()
    assert problems == ["html/c.html has no gold text", "meta/d.toml has no page"]


# L3S-GN1


def test_records_of_a_page_and_its_gold_are_paired_by_reference_or_address(tmp_path):
    latin = "<p><span class='x-nc-sel2'>café</span></p>".encode("latin-1")
    put(tmp_path, {"a.warc": b"".join(
        warc_record(kind, block, compressed=False, **headers) for kind, block, headers in [
            ("conversion", ANNOTATED.encode(), {"record_id": "c1", "refers_to": "p1"}),
            ("resource", PAGE.encode(), {"record_id": "p1", "target_uri": "http://x/1"}),
            ("resource", b"<p>caf\xe9", {"record_id": "p2", "target_uri": "http://x/2",
                                         "content_type": "text/html; charset=iso-8859-1"}),
            ("conversion", latin, {"record_id": "c2", "target_uri": "http://x/2",
                                   "content_type": "text/html; charset=iso-8859-1"}),
            ("resource", PAGE.encode(), {"record_id": "p3", "target_uri": "http://x/3"}),
            ("conversion", latin, {"record_id": "c4", "target_uri": "http://x/4"}),
            ("conversion", b"<p>nothing marked", {"record_id": "c5", "refers_to": "p5"}),
            ("resource", PAGE.encode(), {"record_id": "p5"}),
        ]
    )})  # fmt: skip
    pages, problems = read(tmp_path)
    assert list(pages) == ["p1", "p2", "p5"]
    assert pages["p2"].text() == "café"
    document = pages["p2"].document()
    assert (document.charset, document.home) == ("iso-8859-1", "http://x/2")
    assert pages["p5"].text() is None
    assert problems == ["a.warc: p3 has no gold text", "a.warc: the gold c4 has no page"]


def test_addresses_of_unpacked_pages_come_from_their_list(tmp_path):
    put(tmp_path, {
        "original/a.html": CRAWLED, "annotated/a.html": ANNOTATED, "original/b.html": CRAWLED,
        "annotated/c.html": ANNOTATED, "url-mapping.txt": "<urn:uuid:a> http://x/a\nodd\n",
    })  # fmt: skip
    pages, problems = read(tmp_path)
    assert pages["a"].document().home == "http://x/a"
    assert problems == ["original/b.html has no gold text", "annotated/c.html has no page"]


# BoilerNet


def test_labels_of_prepared_pages_are_removed_with_their_spans(tmp_path):
    put(tmp_path, {"prepared_html/a.html": PREPARED})
    pages, _ = read(tmp_path)
    assert pages["a"].text() == "The ferry came back."
    assert pages["a"].document().read().decode() == (
        '<html><body><nav>Home</nav>\n<p class="lead">The ferry\n'
        '<span class="loud">came</span> back.</p>\n</body></html>'
    )


def test_gold_of_a_raw_page_is_its_own_where_it_has_any(tmp_path):
    put(tmp_path, {
        "raw_html/a.html": RAW, "prepared_html/a.html": PREPARED, "raw_html/b.html": PAGE,
        "prepared_html/b.html": PREPARED, "raw_html/c.html": RAW, "raw_html/d.html": PAGE,
        "prepared_html/e.html": PREPARED,
    })  # fmt: skip
    pages, problems = read(tmp_path)
    assert list(pages) == ["a", "b", "c"]
    assert [page.text() for page in pages.values()] == [STORY] * 3
    assert b"__label" not in pages["a"].document().read()
    assert pages["b"].document().read() == PAGE.encode()
    assert problems == ["raw_html/d.html has no gold text", "prepared_html/e.html has no page"]


def test_a_labelled_page_in_another_encoding_stays_readable(tmp_path):
    put(tmp_path, {"a.html": b"<meta charset=latin1><p __label=main>caf\xe9"})
    pages, _ = read(tmp_path)
    document = pages["a"].document()
    received = document.receive()
    assert Source.from_bytes(received.data, received.charset).text == "café"
    assert pages["a"].text() == "café"


# Readability and the combined form


def test_expected_html_is_read_as_text_in_lines(tmp_path):
    expected = (
        "\ufeff<div><h2>The <i>fer</i>ry</h2><p>came&nbsp;back<br>at noon</p><script>no</script>"
    )
    put(tmp_path, {
        "test-pages/a/source.html": PAGE, "test-pages/a/expected.html": expected,
        "test-pages/b/source.html": PAGE, "test-pages/c/expected.html": expected,
        "test-pages/readme.md": "no page",
    })  # fmt: skip
    pages, problems = read(tmp_path)
    assert pages["a"].text() == "The ferry\ncame back\nat noon"
    assert problems == ["test-pages/b has no gold text", "test-pages/c has no page"]


def test_the_combined_form_is_utf8_whatever_its_pages_declare(tmp_path):
    gold = lines(
        {"page_id": "aa", "plaintext": "café", "url": "http://x/"},
        {"page_id": "bb"},
        {"page_id": "aa", "plaintext": "again"},
        {"plaintext": "x"},
        {"page_id": "cc"},
    )
    put(tmp_path, {
        "html/cetd/aa.html": "<meta charset=latin1><p>café", "html/cetd/bb.html": PAGE,
        "html/cetd/dd.html": PAGE, "ground-truth/cetd.jsonl": f"\n{gold}[1]\n{{\n",
    })  # fmt: skip
    pages, problems = read(tmp_path)
    page = pages["cetd/aa"]
    assert (page.text(), pages["cetd/bb"].text()) == ("café", None)
    document = page.document()
    received = document.receive()
    assert Source.from_bytes(received.data, received.charset).text == "café"
    assert document.home == "http://x/"
    assert problems == [
        "cetd.jsonl, page 3: aa has gold above already",
        "cetd.jsonl, page 4: expected a page_id, got None",
        "cetd.jsonl, page 5: cc has no page",
        "cetd.jsonl, page 6 is not a JSON object",
        problems[4],
        "html/cetd/dd.html has no gold text",
    ]
    assert problems[4].startswith("cetd.jsonl, page 7 is not JSON: ")


# WebMainBench


def test_annotators_marks_and_wrappers_are_removed(tmp_path):
    put(tmp_path, {"a.jsonl": lines({"track_id": "a", "html": MARKED, "main_html": ""})})
    pages, _ = read(tmp_path)
    assert pages["a"].document().read().decode() == (
        '<html><head></head><body><nav>Home</nav>\n<p class="lead">The ferry came back.</p>'
        "</body></html>"
    )


def test_gold_is_html_before_markdown_and_corrected_markdown_before_other(tmp_path):
    golds = {"main_html": "<h1>One</h1><p>ca<b>fé</b>", "groundtruth_content": "# Two **x**",
             "convert_main_content": "*Three*"}  # fmt: skip
    page = {"html": PAGE, "url": "http://x/"}
    rows = [{**page, **dict(list(golds.items())[k:]), "id": k} for k in range(4)]
    path = put(tmp_path, {"a.jsonl": lines(*rows)}) / "a.jsonl"
    pages, problems = read(path)
    assert [page.text() for page in pages.values()] == ["One\ncafé", "Two x", "Three"]
    assert problems == ["a.jsonl, page 4: 3 has no gold text"]
    assert pages["0"].document().home == "http://x/"


def test_lines_that_cannot_be_read_are_named_and_files_kept_apart(tmp_path):
    page = {"track_id": "a", "html": PAGE, "main_html": f"<p>{STORY}"}
    put(tmp_path, {"one.jsonl": lines(page), "two.jsonl": f"{lines(page)}{{\n{lines({'id': 9})}",
                   "scores.jsonl": lines({"score": 1}), "empty.jsonl": ""})  # fmt: skip
    pages, problems = read(tmp_path)
    assert {name: page.text() for name, page in pages.items()} == {"one/a": STORY, "two/a": STORY}
    assert problems[0].startswith("two.jsonl, page 2 is not JSON")
    assert problems[1] == "two.jsonl, page 3: 9 has no page"


# trafilatura


def test_entries_without_page_or_snippet_are_named(tmp_path):
    index = {
        "http://x/1": {"file": "1.html", "with": ["ferry"], "without": []},
        "http://x/2": {"file": "2.html", "with": ["ferry"]},
        "http://x/3": {"file": "3.html", "with": [" "], "without": "Home"},
        "http://x/4": {"file": "../4.html", "with": ["ferry"]},
        "http://x/5": {"file": "1.html", "with": ["ferry"]},
        "http://x/6": [],
    }
    put(tmp_path, {
        "evaldata.json": json.dumps(index), "cache/1.html": b"<p>caf\xe9", "eval/3.html": PAGE,
    })  # fmt: skip
    pages, problems = read(tmp_path)
    assert list(pages) == ["1.html"]
    assert pages["1.html"].text() is None
    assert pages["1.html"].document().home == "http://x/1"
    assert problems == [
        "evaldata.json names 2.html, which has no page",
        "evaldata.json: 3.html has no snippet",
        "evaldata.json: expected the name of a file for http://x/4, got '../4.html'",
        "evaldata.json names 1.html twice, the second time for http://x/5",
        "evaldata.json: expected the name of a file for http://x/6, got None",
    ]


# CleanEval


def test_cleaneval_names_pages_on_one_side_only_and_reads_gold_in_the_pages_encoding(tmp_path):
    chinese = "渡船回来了"
    page = b'<text id="1" title="a" encoding="gb2312">\n<p>x</p></html></html>' + chinese.encode(
        "gbk"
    )
    put(tmp_path, {
        "zh/orig/1.html": page, "zh/clean/1.txt": f"http://x/\n<p>{chinese}".encode("gbk"),
        "zh/orig/2.html": PAGE, "zh/clean/3.txt": STORY, "Chaos/original/1.htm": PAGE,
        "Chaos/gold/1.txt": "URL: http://x/\n\xfe".encode("latin-1"),
    })  # fmt: skip
    pages, problems = read(tmp_path)
    assert list(pages) == ["Chaos/1", "zh/1"]
    assert pages["zh/1"].text() == chinese
    assert pages["Chaos/1"].text() == "þ"
    assert b"</html></html>" in pages["zh/1"].document().read()
    assert problems == ["zh/orig/2.html has no gold text", "zh/clean/3.txt has no page"]
