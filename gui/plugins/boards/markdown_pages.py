"""Pages with Markdown as gold: files of WebMainBench, and folders of fixtures."""

from collections.abc import Iterator
from pathlib import Path

from annotate.archives.page_files import read_line
from annotate.plugins.boards.structure import MarkdownPage
from annotate.plugins.published_data import text_readers, webmainbench
from engine.errors import InputError
from engine.source import Source


def markdown_pages(path: Path) -> list[MarkdownPage]:
    """Return the pages of a file or folder, without annotators' marks; `InputError` for none."""
    every = list(_pages(path))
    if not every:
        raise InputError(
            f"{path} has no pages with Markdown as gold: name a file of WebMainBench, or a folder "
            "with fixtures/NAME.html and expected/NAME.md"
        )
    return every


def _pages(path: Path) -> Iterator[MarkdownPage]:
    if text_readers.is_defuddle(path):
        for each in text_readers.defuddle(path, []):
            received = each.document().receive()
            yield each.name, Source.from_bytes(received.data, received.charset), each.markdown()
        return
    for page in webmainbench.pages(path, []):
        about = read_line(page.path, page.offset, page.length)
        gold = about.get("groundtruth_content") or about.get("convert_main_content")
        if isinstance(gold, str):
            yield page.name, Source.from_bytes(page.receive().data, "utf-8"), gold.strip()
