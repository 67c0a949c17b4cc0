"""Each layout of pages with gold: which text is gold, what is left out and why."""

from annotate.plugins.published_data import boilernet
from tests.annotate.datasets.layouts import (
    PAGE,
    put,
)
from tests.annotate.datasets.test_layouts import read


def test_comments_are_no_label_and_pages_converted_for_boilernet_lose_their_classes(tmp_path):
    raw = '<p __label="main">a <i __label="comment">b</i></p><p __label="comment">c</p>'
    converted = '<p><span class="x-nc-sel2" __boilernet_label="1">a</span></p>'
    put(tmp_path, {"raw_html/a.html": raw, "raw_html/b.html": converted, "raw_html/c.html": PAGE})
    pages, _ = read(tmp_path)
    assert [page.text() for page in pages.values()] == ["a b", "a", None]
    assert pages["b"].document().read() == b"<p>a</p>"
    assert boilernet.matches(tmp_path / "raw_html")
