"""Each layout of pages with gold: which text is gold, what is left out and why."""

from annotate.plugins.published_data import boilernet
from tests.annotate.datasets.layouts import PAGE, put
from tests.annotate.datasets.test_layouts import read


def test_comments_are_no_label_and_pages_converted_for_boilernet_lose_their_classes(tmp_path):
    raw = '<p __label="main">a <i __label="comment">b</i></p><p __label="comment">c</p>'
    converted = '<p><span class="x-nc-sel2" __boilernet_label="1">a</span></p>'
    put(tmp_path, {"raw_html/a.html": raw, "raw_html/b.html": converted, "raw_html/c.html": PAGE})
    pages, _ = read(tmp_path)
    assert [page.text() for page in pages.values()] == ["a b", "a", None]
    assert pages["b"].document().read() == b"<p>a</p>"
    assert boilernet.matches(tmp_path / "raw_html")


def test_fields_of_defuddle_are_no_gold_even_of_an_empty_article(tmp_path):
    pages = {f"fixtures/{name}.html": PAGE for name in "ab"}
    golds = {
        "expected/a.md": '```json\n{"t": 1}\n```',
        "expected/b.md": "```json\n{}\n```\n\n*One* two",
    }
    put(tmp_path, pages | golds)
    assert {name: page.text() for name, page in read(tmp_path)[0].items()} == {
        "a": "",
        "b": "One two",
    }
