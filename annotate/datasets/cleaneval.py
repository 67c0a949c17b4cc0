"""CleanEval's layout, also that of the CETR release and of CETD: FORMATS A4.

A folder of pages beside a folder of gold texts, paired by name: ``original/N.html`` and
``gold/N.txt``, or ``input`` and ``GoldStandard`` as first published; there may be several such
pairs below one folder.  Pages may stand in a wrapper ``<text id="..." encoding="...">``; gold texts
begin with a line ``URL: ...``, and their lines with ``<p>``, ``<h>`` or ``<l>``, which is never
closed.  A page without gold, and gold without a page, are left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.document import SCHEME, Document
from engine.encoding import decode
from engine.fetch import read_file

_PAGES = ("original", "input", "html")
_GOLD = ("gold", "GoldStandard", "goldstandard", "clean")
_GOLD_NAMES = ("{}.txt", "{}-cleaned.txt")
_SUFFIXES = (".html", ".htm")

_OPENING = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<text\b[^>]*>[ \t]*\r?\n?", re.IGNORECASE)
_CLOSING = re.compile(rb"\s*</text>\s*\Z", re.IGNORECASE)
_ENCODING = re.compile(rb"""encoding\s*=\s*["']?([\w:.-]+)""", re.IGNORECASE)
_URL_LINE = re.compile(r"\A\ufeff?\s*URL:[^\n]*\n?", re.IGNORECASE)
_PSEUDO_TAG = re.compile(r"^[ \t]*<(?:p|h|l)>[ \t]*", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Pair:
    """A page and its gold.

    Attributes:
        name: Unique below the folder, with ``/`` where it has several pairs of folders.
        page, gold: The files.
    """

    name: str
    page: Path
    gold: Path

    def document(self) -> Document:
        """Return the page without its wrapper; raises `InputError` if it cannot be read."""
        data, charset = unwrapped(read_file(self.page))
        return Document(
            address=str(self.page),
            url=f"{SCHEME}://local/page.html",
            data=data,
            charset=charset,
            title=self.name,
        )

    def text(self) -> str:
        """Return the gold as plain text; raises `InputError` if it cannot be read."""
        return plain_gold(decode(read_file(self.gold))[0])


def pairs(folder: Path) -> Iterator[Pair]:
    """Yield the pages with gold below a folder, in order of their names, numbers as numbers."""
    for pages in sorted(each for name in _PAGES for each in folder.rglob(name) if each.is_dir()):
        gold = next((g for name in _GOLD if (g := pages.parent / name).is_dir()), None)
        if gold is None:
            continue
        above = pages.parent.relative_to(folder)
        for page in sorted(pages.rglob("*"), key=_numbers_as_numbers):
            if page.suffix.lower() not in _SUFFIXES:
                continue
            base = page.relative_to(pages).with_suffix("")
            texts = (gold / base.with_name(name.format(base.name)) for name in _GOLD_NAMES)
            text = next((each for each in texts if each.is_file()), None)
            if text is not None:
                yield Pair((above / base).as_posix(), page, text)


def unwrapped(data: bytes) -> tuple[bytes, str]:
    """Take the wrapper off; return the page and its encoding, "" where the page is to say."""
    opening = _OPENING.match(data)
    if opening is None:
        return data, ""
    inner = _CLOSING.sub(b"", data[opening.end() :])
    try:
        inner.decode("utf-8")
    except UnicodeDecodeError:
        found = _ENCODING.search(opening[0])
        return inner, found[1].decode("ascii", "replace") if found else ""
    return inner, "utf-8"


def plain_gold(text: str) -> str:
    """Drop the line with the address and the tags that begin lines."""
    return _PSEUDO_TAG.sub("", _URL_LINE.sub("", text.replace("\r\n", "\n"))).strip()


def _numbers_as_numbers(path: Path) -> list[tuple[int, str]]:
    parts = re.split(r"(\d+)", path.as_posix())
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]
