"""Streams of pages: text, expected F1, low pages flagged or dropped; the datatrove block."""

import pickle

import pagelet
import pytest

WORDS = " ".join(f"Sentence {n} tells the reader something of interest." for n in range(30))
ARTICLE = f"<title>A</title><nav><a href=/>Home</a></nav><article><h1>Tea</h1><p>{WORDS}</article>"
LINKS = "<ul>" + "<li><a href=/x>A link to elsewhere</a>" * 60 + "</ul>"
PAGES = [("a", ARTICLE), ("links", LINKS), ("empty", "<p>")]


def test_each_page_has_its_text_and_a_predicted_f1_with_bounds():
    article, links, empty = pagelet.extract_stream(PAGES, "plain", also=["markdown"])
    assert (article.address, article.status) == ("a", "ok")
    assert "something of interest" in article.text
    assert "# Tea" in article.markdown
    assert article.html is None
    assert article.predicted_low <= article.predicted_f1 <= article.predicted_high
    assert article.predicted_f1 > links.predicted_f1
    assert (empty.status, empty.text, empty.predicted_f1) == ("empty", "", None)


def test_low_pages_are_flagged_or_dropped():
    flagged = {page.address: page.is_low for page in pagelet.extract_stream(PAGES, "plain")}
    assert flagged == {"a": False, "links": True, "empty": True}
    dropped = pagelet.extract_stream(PAGES, "plain", low="drop")
    assert [page.address for page in dropped] == ["a"]
    least = pagelet.extract_stream(PAGES, "plain", low="drop", least=0)
    assert [page.address for page in least] == ["a", "links"]


def test_pages_are_read_one_by_one():
    asked = []

    def reader():
        for page in PAGES:
            asked.append(page[0])
            yield page

    first = next(pagelet.extract_stream(reader(), "bte", predict=False))
    assert (first.address, first.predicted_f1, first.is_low) == ("a", None, False)
    assert asked == ["a"]


def test_bytes_are_decoded_as_a_browser_does():
    data = "<meta charset=windows-1251><p>" + "чай и вода " * 20
    (page,) = pagelet.extract_stream([("ru", data.encode("cp1251"))], "plain", predict=False)
    assert page.text.startswith("чай")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "vips"}, "does not extract from a page alone"),
        ({"method": "df-filter"}, "does not extract from a page alone"),
        ({"low": "hide"}, "low must be 'flag' or 'drop'"),
        ({"least": 3}, "least must be from 0 to 1"),
        ({"low": "drop", "predict": False}, "cannot be dropped without a prediction"),
    ],
)
def test_invalid_arguments_raise_before_any_page_is_read(arguments, message):
    with pytest.raises(pagelet.InputError, match=message):
        pagelet.extract_stream(PAGES, **arguments)


def _documents():
    from datatrove.data import Document

    return [Document(text=html, id=name, metadata={"url": name}) for name, html in PAGES]


@pytest.mark.filterwarnings("ignore")  # of datatrove and what it imports
@pytest.mark.parametrize(("low", "left"), [("flag", ["a", "links"]), ("drop", ["a"])])
def test_the_datatrove_block_returns_the_same_pages_as_the_stream(low, left):
    pytest.importorskip("datatrove", reason="the block needs pagelet[datatrove]")
    from datatrove.pipeline.base import PipelineStep
    from pagelet.datatrove import PageletExtractor

    block = pickle.loads(pickle.dumps(PageletExtractor("plain", also=["markdown"], low=low)))
    assert isinstance(block, PipelineStep)
    documents = list(block.run(iter(_documents())))
    assert [document.id for document in documents] == left
    stream = pagelet.extract_stream(PAGES, "plain", also=["markdown"], low=low)
    pages = [page for page in stream if page.text]
    assert [document.text for document in documents] == [page.text for page in pages]
    for document, page in zip(documents, pages, strict=True):
        assert document.metadata["predicted_f1"] == page.predicted_f1
        assert document.metadata["predicted_is_low"] == page.is_low
        assert document.metadata["markdown"] == page.markdown
    assert block.stats["total"].total == 3
