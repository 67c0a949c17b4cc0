"""WebMainBench: formats.md#webmainbench.  Liu et al., "Dripper", arXiv 2511.23119.

JSON Lines, a page a line: ``track_id``, ``url``, ``html`` with ``cc-select="true"`` on main
content, ``main_html`` cut from it, ``convert_main_content`` (that as Markdown) and, for 545 pages,
``groundtruth_content`` (Markdown corrected by hand).  A file may be given, or a folder of such
files.

Gold is the text of ``main_html``, with line breaks where block-level elements have them: the page's
own words, which is what methods give, while Markdown turns formulas and pictures into other words.
Where it is missing the Markdown is turned into text, the corrected one before the other.

What methods see has none of the annotators' marks: not ``cc-select``, nor the ids, classes,
wrappers (``marked-text``, ``marked-tail``) and style sheet of their tool, which the published pages
still have.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from annotate.archives.page_files import (
    html_text,
    in_order,
    lines_of,
    object_of,
    page_document,
    read_line,
)
from annotate.datasets.labels import Labels, without_labels
from annotate.plugins.published_data.markdown import plain_text
from engine.document import Document
from engine.errors import InputError
from engine.fetch import Received

_GOLDS = ("main_html", "groundtruth_content", "convert_main_content")

_LABELS = Labels(
    re.compile("cc-select|data-anno-uid|mark-selected|cc-unloaded", re.IGNORECASE),
    attributes=frozenset(["cc-select", "data-anno-uid"]),
    classes=re.compile("mark-selected|cc-unloaded"),
    elements=frozenset(["marked-text", "marked-tail"]),
)
_SHEET = re.compile(
    r"""<style\b[^<>]*\bid\s*=\s*["']?cc-extraStyle\b.*?</style\s*>\s*""", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True)
class MainBenchPage:
    """A page and its gold.

    Attributes:
        name: The page's id, with its file's name before it where there are several.
        path: The file.
        offset, length: Bytes of the page's line in it.
        home: Its web address, "" if unknown.
    """

    name: str
    path: Path
    offset: int
    length: int
    home: str = ""

    def document(self) -> Document:
        address = f"{self.path}!/{self.name}"
        return page_document(self.name, self, address=address, charset="utf-8", home=self.home)

    def receive(self) -> Received:
        """Return the page's bytes without marks; raises `InputError` if it cannot be read."""
        html = read_line(self.path, self.offset, self.length).get("html")
        if not isinstance(html, str):
            raise InputError(f"{self.path} has no html for {self.name}")
        return Received(_unmarked(html), "utf-8")

    def text(self) -> str | None:
        """Return the gold, None if there is none; raises `InputError` if it cannot be read."""
        about = read_line(self.path, self.offset, self.length)
        for key in _GOLDS:
            value = about.get(key)
            if isinstance(value, str):
                return html_text(value) if key == "main_html" else plain_text(value)
        return None


def matches(path: Path) -> bool:
    """Return whether a file or folder holds such lines.  Reads the first line of each file."""
    return any(map(_is_bench, _files(path)))


def pages(path: Path, problems: list[str]) -> Iterator[MainBenchPage]:
    """Yield the pages with gold; ``problems`` gets a sentence for each line left out."""
    files = [file for file in _files(path) if _is_bench(file)]
    for file in files:
        above = f"{file.stem}/" if len(files) > 1 else ""
        for number, (offset, length, line) in enumerate(lines_of(file), start=1):
            where = f"{file.name}, page {number}"
            try:
                about = object_of(line, where)
            except InputError as error:
                problems.append(str(error))
                continue
            name = about.get("track_id", about.get("id", number))
            if not isinstance(about.get("html"), str):
                problems.append(f"{where}: {name} has no page")
            elif not _has_gold(about):
                problems.append(f"{where}: {name} has no gold text")
            else:
                home = about.get("url")
                home = home if isinstance(home, str) else ""
                yield MainBenchPage(f"{above}{name}", file, offset, length, home)


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path] if path.suffix.lower() == ".jsonl" else []
    return sorted((each for each in path.glob("*.jsonl") if each.is_file()), key=in_order)


def _is_bench(file: Path) -> bool:
    try:
        first = next(lines_of(file), None)
        about = object_of(first[2], file.name) if first else {}
    except InputError:
        return False
    return isinstance(about.get("html"), str) and _has_gold(about)


@lru_cache(maxsize=2)  # a page is requested several times while it is processed
def _unmarked(html: str) -> bytes:
    return without_labels(_SHEET.sub("", html, count=1), _LABELS).encode("utf-8", "replace")


def _has_gold(about: dict[str, Any]) -> bool:
    return any(isinstance(about.get(key), str) for key in _GOLDS)
