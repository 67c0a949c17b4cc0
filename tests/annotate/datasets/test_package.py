"""Gold that is text only: read from packages and benchmarks, found on the page."""

import gzip
import json
import zipfile

import pytest

from annotate.datasets import package
from engine.document import list_documents
from engine.errors import InputError
from tests.annotate.pages import page_of, row_of

PAGE = """<nav><a>News</a> <a>Sport</a></nav><div id=a><h1>News of the day</h1>
<p>It <b>rained</b>, and it rained.</p><img src=rain.png><p>All day long. <i>Advertisement</i></p>
</div><p>The end of the day</p>"""


def test_words_are_found_in_order_and_marked_as_they_stand():
    page = page_of(PAGE)
    found = package.align_gold(
        page.rendered(), "News of the day\nIt rained, and it rained.\nAll day long."
    )
    assert found.share == 1.0
    assert found.missing == ()
    assert found.gold.as_extraction(page).text == (
        "News of the day\nIt rained, and it rained.\nAll day long."
    )


def test_elements_that_are_found_whole_bring_their_pictures():
    page = page_of(PAGE)
    nodes = page.rendered()
    text = "News of the day It rained, and it rained. All day long. Advertisement"
    (mark,) = package.align_gold(nodes, text).gold.marks
    assert [t.row for t in mark.targets] == [row_of(nodes, "a")]


def test_words_that_are_not_on_the_page_are_reported():
    page = page_of(PAGE)
    text = "It rained, and it snowed heavily. All day long. The quick end"
    found = package.align_gold(page.rendered(), text)
    assert found.missing == ("snowed heavily.", "The quick end")
    assert found.share == pytest.approx(7 / 12)
    assert found.gold.as_extraction(page).text == "It rained, and it\nAll day long."


def test_no_text_is_found_completely_and_marks_nothing():
    found = package.align_gold(page_of(PAGE).rendered(), "  ")
    assert (found.gold.marks, found.share, found.missing) == ((), 1.0, ())


def test_gold_of_a_package_is_the_text_beside_the_page(tmp_path):
    path = tmp_path / "pages.zip"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("one.html", "<p>Words")
        made.writestr("one.txt", "\ufeffWords\n")
        made.writestr("two.html", "<p>No gold")
        made.writestr("three.html", "<p>Bad gold")
        made.writestr("three.txt", b"\xff\xfe\xff")
    one, three, two = sorted(list_documents(path), key=lambda d: d.path)
    assert package.gold_text(one) == "Words\n"
    assert package.gold_text(two) is None
    with pytest.raises(InputError, match=r"three\.txt in .* is not UTF-8"):
        package.gold_text(three)


def test_gold_of_the_benchmark_is_the_article_body(tmp_path):
    (tmp_path / "html").mkdir()
    for name in ("aa", "bb"):
        (tmp_path / "html" / f"{name}.html.gz").write_bytes(gzip.compress(b"<p>Words"))
    gold = {"aa": {"articleBody": "Words", "url": "https://example.org/"}}
    (tmp_path / "ground-truth.json").write_text(json.dumps(gold))
    assert [package.gold_text(d) for d in list_documents(tmp_path)] == ["Words", None]


def test_a_damaged_benchmark_is_said_in_words(tmp_path):
    (tmp_path / "aa.html").write_text("<p>Words")
    (tmp_path / "ground-truth.json").write_text("[1]")
    (document,) = list_documents(tmp_path)
    with pytest.raises(InputError, match="want an object of articles"):
        package.gold_text(document)


@pytest.mark.data
@pytest.mark.web
@pytest.mark.slow
def test_nearly_all_gold_words_of_real_articles_are_found(datasets, qapp):
    from engine.web.headless import Browser

    articles = list_documents(datasets / "article-benchmark-sample")[:4]
    pages = list_documents(datasets / "packages" / "readability-pages.zip")[:6]
    with Browser() as browser:
        for document in (*articles, *pages):
            text = package.gold_text(document)
            page = browser.capture(document)
            found = package.align_gold(page.rendered(), text)
            assert found.share > 0.98
            marked = found.gold.as_extraction(page).text.split()
            assert len(marked) <= 1.01 * len(text.split())
