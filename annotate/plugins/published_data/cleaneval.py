"""CleanEval's layout, also that of the CETR release and of CETD: formats.md#cleaneval.

A folder of pages beside a folder of gold texts, paired by name: ``original/N.html`` and
``gold/N.txt``, or ``input`` and ``GoldStandard`` as first published, or ``orig`` and ``clean``;
there may be several such pairs below one folder.  Pages may be in a wrapper ``<text id="..."
encoding="...">``; gold texts begin with a line ``URL: ...``, or with the bare address, and their
lines with ``<p>``, ``<h>`` or ``<l>``, which is never closed.

Faults of the releases that show here: pages without gold and gold without a page are left out and
named; gold that is not UTF-8 is read in its page's encoding, and what is broken beyond that keeps
U+FFFD; pages of several documents (``cleaneval/zh``) and gold that says things twice (``myriad``)
are taken as they are.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from annotate.archives.page_files import (
    PageWithGold,
    base_name,
    page_document,
    pages_in,
    pair_files,
    read_text,
)
from engine.document import Document
from engine.encoding import declared_in
from engine.fetch import Received, read_file

_PAGES = ("original", "input", "orig", "html")
_GOLD = ("gold", "GoldStandard", "goldstandard", "clean")
_DEEPEST = 3
"""Folders between the given one and a pair; ``cleaneval/en/original`` takes two."""

_OPENING = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<text\b[^>]*>[ \t]*\r?\n?", re.IGNORECASE)
_CLOSING = re.compile(rb"\s*</text>\s*\Z", re.IGNORECASE)
_ENCODING = re.compile(rb"""encoding\s*=\s*["']?([\w:.-]+)""", re.IGNORECASE)
_URL_LINE = re.compile(r"\A\ufeff?\s*(?:URL:[^\n]*|https?://\S+[ \t]*)(?:\n|\Z)", re.IGNORECASE)
_PSEUDO_TAG = re.compile(r"^[ \t]*<(?:p|h|l)>[ \t]*", re.IGNORECASE | re.MULTILINE)


class FilePair(PageWithGold):
    """A page and its gold; its name has ``/`` where there are several pairs of folders."""

    def document(self) -> Document:
        """Return the page without its wrapper."""
        return page_document(self.name, self, address=str(self.page))

    def receive(self) -> Received:
        """Return the page and the encoding its wrapper names; raises `InputError`."""
        return Received(*remove_wrapper(read_file(self.page)))

    def text(self) -> str:
        """Return the gold as plain text; raises `InputError` if it cannot be read."""
        data, charset = remove_wrapper(read_file(self.page)) if self.page.is_file() else (b"", "")
        return plain_gold(read_text(self.gold, charset or declared_in(data)))


def matches(folder: Path) -> bool:
    """Return whether a folder holds a pair of folders."""
    return next(_folders(folder), None) is not None


def is_pair(folder: Path) -> bool:
    """Return whether a folder holds a pair of folders itself; reads nothing else in it."""
    return all(any((folder / name).is_dir() for name in names) for names in (_PAGES, _GOLD))


def pairs(folder: Path, problems: list[str]) -> Iterator[FilePair]:
    """Yield the pages with gold below a folder, in order of their names, numbers as numbers.

    ``problems`` gets a sentence for each page without gold and each gold without a page.
    """
    for pages, golds in _folders(folder):

        def gold_of(page: Path, pages: Path = pages, golds: Path = golds) -> Path | None:
            text = golds / page.relative_to(pages).with_name(f"{base_name(page)}.txt")
            cleaned = text.with_name(f"{base_name(page)}-cleaned.txt")
            return cleaned if cleaned.is_file() and not text.is_file() else text

        every = pages_in(pages, deep=True)
        for page, gold in pair_files(folder, every, golds.rglob("*.txt"), gold_of, problems):
            above = (pages.parent / page.relative_to(pages)).relative_to(folder)
            yield FilePair(above.with_name(base_name(page)).as_posix(), page, gold)


def remove_wrapper(data: bytes) -> tuple[bytes, str]:
    """Remove the wrapper; return the page and its encoding, "" if the page declares it."""
    opening = _OPENING.match(data)
    if opening is None:
        return data, ""
    inner = _CLOSING.sub(b"", data[opening.end() :])
    try:
        inner.decode("utf-8")
    except UnicodeDecodeError:
        match = _ENCODING.search(opening[0])
        return inner, match[1].decode("ascii", "replace") if match else ""
    return inner, "utf-8"


def plain_gold(text: str) -> str:
    """Drop the line with the address and the tags that begin lines."""
    return _PSEUDO_TAG.sub("", _URL_LINE.sub("", text.replace("\r\n", "\n"))).strip()


def _folders(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the pairs of folders, pages and gold, in order; one pair at most in a folder."""
    level = [folder]
    result: list[tuple[Path, Path]] = []
    for _ in range(_DEEPEST):
        below: list[Path] = []
        for parent in level:
            inside = _folders_in(parent)
            pages = next((inside[name] for name in _PAGES if name in inside), None)
            gold = next((inside[name] for name in _GOLD if name in inside), None)
            if pages is not None and gold is not None:
                result.append((pages, gold))
            else:
                below += inside.values()
        level = below
    yield from sorted(result)


def _folders_in(folder: Path) -> dict[str, Path]:
    """Return the folders in one, by name; none if it may not be looked into."""
    try:
        with os.scandir(folder) as entries:
            return {entry.name: Path(entry.path) for entry in entries if entry.is_dir()}
    except OSError:
        return {}
