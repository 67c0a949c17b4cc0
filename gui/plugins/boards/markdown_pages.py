"""Pages with Markdown as gold: files of WebMainBench, and folders of fixtures."""

import re
from collections.abc import Iterator
from pathlib import Path

from annotate.archives.page_files import read_line
from annotate.plugins.boards.structure import MarkdownPage
from annotate.plugins.published_data import webmainbench
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
    if (path / "fixtures").is_dir():
        for html in sorted((path / "fixtures").glob("*.html")):
            expected = path / "expected" / f"{html.stem}.md"
            if expected.exists():
                text = expected.read_text("utf-8")
                text = re.sub(r"\A```json.*?^```\n", "", text, flags=re.S | re.M)
                yield html.stem, Source.from_bytes(html.read_bytes()), text.strip()
        return
    for page in webmainbench.pages(path, []):
        about = read_line(page.path, page.offset, page.length)
        gold = about.get("groundtruth_content") or about.get("convert_main_content")
        if isinstance(gold, str):
            yield page.name, Source.from_bytes(page.receive().data, "utf-8"), gold.strip()
