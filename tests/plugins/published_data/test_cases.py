"""Data sets as cases; predictions and packages written for scorers."""

import pytest

import resources
from annotate.datasets.opening import list_documents
from annotate.datasets.readers import read_dataset
from annotate.marks import gold_file
from annotate.plugins.published_data.webis_writer import write_page
from engine.web.headless import Browser


@pytest.mark.web
def test_webis_pages_have_their_blocks_and_levels(tmp_path, qapp):
    (document, *_) = list_documents(resources.path("corpus"))
    with Browser() as browser:
        page = browser.capture(document)
        gold = gold_file.read(gold_file.gold_path(document.root / document.path), page.rendered())
        blocks = gold.as_segmentation(page)
        write_page(tmp_path / "set" / "000000", page, {"majority-vote": blocks})
        (case,) = read_dataset(tmp_path / "set").cases(["rendered"])
        assert case.key == ("set", "000000", "rendered")
        again = case.files.laid_out(browser.capture(case.files.document()))
    result = case.files.blocks(lambda: again)
    assert result.texts == [(blocks.text_of(block), block.level) for block in blocks.blocks]
    levels = [mark.level for mark in case.files.marks(again).marks]
    assert levels == [block.level for block in blocks.blocks]
    assert case.files.edges() == {}
