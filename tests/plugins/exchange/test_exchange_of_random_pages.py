"""Blocks of Kreuzer's random pages, exported as boxes and imported on the same nodes."""

import os

import pytest

from annotate.datasets.opening import open_pages
from annotate.plugins.exchange.formats import format_of
from annotate.plugins.exchange.imports import MarkFile
from annotate.plugins.exchange.marked_page import MarkedPage, blocks_of
from engine.document import Document

EVERY = int(os.environ.get("PAGELET_EVERY", "16"))
"""One of so many pages is tested."""


@pytest.mark.web
@pytest.mark.data
@pytest.mark.slow
def test_blocks_of_random_pages_are_imported_on_the_same_nodes(datasets, tmp_path):
    from engine.web.headless import Browser

    count = 0
    opened = open_pages(datasets / "kreuzer-random", "repaired")
    with Browser() as browser:
        for files in opened.files[::EVERY]:
            page = browser.capture(files.document())
            marked = MarkedPage("page.html", Document("", ""), page, files.shown(page)[0])
            blocks = [mark for mark, _ in blocks_of(marked)]
            for key in ("coco", "labelme", "label-studio"):
                if not blocks:
                    continue
                [path] = format_of(key).write([marked], tmp_path)
                read = MarkFile(path, key)
                back = read.marks(read.name_of("page.html", marked.document), page)
                assert [(m.level, m.type, m.targets) for m in back.gold.marks] == [
                    (m.level, m.type, m.targets) for m in blocks
                ], files.document().path
                assert (back.by_path, back.by_box) == (len(blocks), 0)
            count += len(blocks)
    print(f"{len(opened.files[::EVERY])} pages, {count} blocks, all back")
    assert count > 20
