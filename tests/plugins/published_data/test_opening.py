"""The window and evaluations open a path in the same way, with its pages and gold."""

import pytest

from annotate.datasets.opening import list_documents, open_document
from annotate.plugins.published_data.kreuzer import VARIANTS, VIEWPORT, complete_size, read_mapping
from tests.annotate.datasets.test_opening import assert_one_door


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
    assert document.viewport == VIEWPORT
    assert document.home == "http://www.a.org/news/"
    assert document.title == "www.a.org/news"
    assert document.root == kreuzer / "www.a.org"
    assert document.host == "www.a.org"
    assert open_document(document.address, variant=variant).read() == text


@pytest.mark.data
def test_the_random_data_set_has_78_pages(datasets):
    problems = []
    folder = datasets / "kreuzer-random"
    assert len(read_mapping(folder / "mapping.txt", problems)) == 78
    assert complete_size(folder) == complete_size(folder / "16kg.net") == 78
    for variant in ("html", "original", "dom", "repaired"):
        documents = list_documents(folder, variant=variant, problems=problems)
        assert len(documents) == 78
        assert all(document.read() for document in documents)
        assert len({document.title for document in documents}) == 78
    # Style sheets of the annotation tool stay, but have nothing left to match.
    assert b" data-block" not in b"".join(document.read() for document in documents)
    assert problems == []


@pytest.mark.data
@pytest.mark.parametrize("variant", VARIANTS)
def test_window_and_batch_read_the_same_variants(datasets, variant):
    assert assert_one_door(datasets / "kreuzer-random", variant) == (78, 78)
