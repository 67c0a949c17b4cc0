"""Gold that is only text: it is read from packages and benchmarks, and found on the page."""

import pytest

from annotate.datasets import case_files
from annotate.datasets.opening import open_pages
from tests.annotate.pages import page_of, row_of

PAGE = """<nav><a>News</a> <a>Sport</a></nav><div id=a><h1>News of the day</h1>
<p>It <b>rained</b>, and it rained.</p><img src=rain.png><p>All day long. <i>Advertisement</i></p>
</div><p>The end of the day</p>"""


def test_words_are_found_in_order_and_marked():
    page = page_of(PAGE)
    result = case_files.align_gold(
        page.rendered(), "News of the day\nIt rained, and it rained.\nAll day long."
    )
    assert result.share == 1.0
    assert result.missing == ()
    assert result.gold.as_extraction(page).text == (
        "News of the day\nIt rained, and it rained.\nAll day long."
    )


def test_elements_that_are_found_whole_bring_their_pictures():
    page = page_of(PAGE)
    nodes = page.rendered()
    text = "News of the day It rained, and it rained. All day long. Advertisement"
    (mark,) = case_files.align_gold(nodes, text).gold.marks
    assert [t.row for t in mark.targets] == [row_of(nodes, "a")]


def test_words_that_are_not_on_the_page_are_reported():
    page = page_of(PAGE)
    text = "It rained, and it snowed heavily. All day long. The quick end"
    result = case_files.align_gold(page.rendered(), text)
    assert result.missing == ("snowed heavily.", "The quick end")
    assert result.share == pytest.approx(7 / 12)
    assert result.gold.as_extraction(page).text == "It rained, and it\nAll day long."


def test_typographic_quotes_match_keyboard_quotes():
    page = page_of("<p>“It isn’t over,” he said, well\u2011known.</p>")
    result = case_files.align_gold(page.rendered(), '"It isn\'t over," he said, well-known. Not’')
    assert result.missing == ("Not’",)
    assert result.gold.as_extraction(page).text == "“It isn’t over,” he said, well\u2011known."


def test_empty_gold_text_makes_no_marks_and_has_a_share_of_1():
    result = case_files.align_gold(page_of(PAGE).rendered(), "  ")
    assert (result.gold.marks, result.share, result.missing) == ((), 1.0, ())


@pytest.mark.data
@pytest.mark.web
@pytest.mark.long
def test_nearly_all_gold_words_of_real_articles_are_found(datasets, qapp):
    from engine.web.headless import Browser

    articles = open_pages(datasets / "article-benchmark-sample").files[:4]
    pages = open_pages(datasets / "packages" / "readability-pages.zip").files[:6]
    with Browser() as browser:
        for files in (*articles, *pages):
            page = browser.capture(files.document())
            text = files.text(lambda page=page: page)
            result = case_files.align_gold(page.rendered(), text)
            assert result.share > 0.98
            marked = result.gold.as_extraction(page).text.split()
            assert len(marked) <= 1.01 * len(text.split())
