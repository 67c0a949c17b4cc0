"""Each layout of pages with gold: which text is gold, what is left out and why."""

from annotate.plugins.archives import l3s
from tests.annotate.datasets.layouts import (
    ANNOTATED,
    CRAWLED,
    put,
)


def test_headline_full_text_and_supplemental_are_main_content(tmp_path):
    put(tmp_path, {"original/a.html": CRAWLED, "annotated/a.html": ANNOTATED})
    (page,) = l3s.pages(tmp_path, [])
    assert page.text() == "Ferry back\nThe ferry came back.\nIt was noon."
    assert page.document().read() == CRAWLED.encode()
