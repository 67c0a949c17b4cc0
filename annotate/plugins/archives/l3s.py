"""L3S-GN1, the 621 news pages of Boilerpipe: formats.md#l3s-gn1.

As published a WARC file: a record ``resource`` is a page as crawled, a record ``conversion`` the
same with ``span`` elements around texts, their class ``x-nc-sel0`` to ``x-nc-sel5`` for what they
are: not content, headline, full text, supplemental, related content, comments.  Unpacked the two
are ``original/ID.html`` and ``annotated/ID.html``, with addresses in ``url-mapping.txt``.

Methods see the page as crawled, which has no label.  Spans nest, and the innermost labels a text;
text in no span is not content.  Main content is classes 1 to 3 (headline, full text, supplemental),
as in the SIGIR 2023 study; older work takes 1 and 2.  ``x-nc-invisible`` does not label content and
is ignored.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from annotate.archives.page_files import (
    PageWithGold,
    base_name,
    page_document,
    pages_in,
    pair_files,
    read_text,
)
from annotate.datasets.cases import TEXT
from annotate.datasets.labels import labelled_text
from annotate.datasets.readers import Reader, text_pages
from annotate.plugins.archives.record_reader import (
    SUFFIXES,
    Record,
    RecordPosition,
    bare_id,
    records,
)
from engine.document import Document
from engine.fetch import Received, read_file
from engine.source import Source

_HINT = re.compile("x-nc-sel")
_CLASS = re.compile(r"x-nc-sel([0-5])")


@dataclass(frozen=True)
class WarcPage:
    """A page and its gold in a WARC file.

    Attributes:
        name: The id of the page's record; its address where that has none.
        page, gold: Positions of the two.
        charset, gold_charset: Charsets in their content types, "" for none.
        home: Its web address.
    """

    name: str
    page: RecordPosition
    gold: RecordPosition
    charset: str
    gold_charset: str
    home: str

    def document(self) -> Document:
        return page_document(
            self.name,
            self,
            address=f"{self.page.path}!/{self.name}",
            charset=self.charset,
            home=self.home,
        )

    def receive(self) -> Received:
        """Return the page as crawled; raises `InputError` if it cannot be read."""
        return Received(self.page.read(), self.charset)

    def text(self) -> str | None:
        """Return the gold, None if nothing has a class; raises `InputError` if unreadable."""
        source = Source.from_bytes(self.gold.read(), self.gold_charset)
        return labelled_text(source, _HINT, _is_content)


class FilePage(PageWithGold):
    """A page as crawled, and its labelled copy."""

    def text(self) -> str | None:
        return labelled_text(Source.from_bytes(read_file(self.gold)), _HINT, _is_content)


def matches(path: Path) -> bool:
    """Return whether a file or folder is, or holds, WARC files, or has the unpacked layout."""
    return bool(_warcs(path)) or _is_unpacked(path)


def _is_unpacked(path: Path) -> bool:
    return all((path / name).is_dir() for name in ("original", "annotated"))


def pages(path: Path, problems: list[str]) -> Iterator[WarcPage | FilePage]:
    """Yield the pages with gold; ``problems`` gets a sentence for each that has only one side."""
    for warc in _warcs(path):
        yield from _in_warc(warc, problems)
    if (path / "annotated").is_dir():
        homes = _addresses(path / "url-mapping.txt")
        golds = {base_name(gold): gold for gold in pages_in(path / "annotated")}
        for page, gold in pair_files(
            path,
            pages_in(path / "original"),
            golds.values(),
            lambda page: golds.pop(base_name(page), None),
            problems,
        ):
            yield FilePage(base_name(page), page, gold, homes.get(base_name(page), ""))


def _in_warc(path: Path, problems: list[str]) -> Iterator[WarcPage]:
    result: dict[str, list[Record]] = {"resource": [], "conversion": []}
    for record in records(path, problems):
        if record.type in result:
            result[record.type].append(record)
    refers = {
        bare_id(gold.headers.get("warc-refers-to", "")): gold for gold in result["conversion"]
    }
    refers.pop("", None)
    at_address = {gold.address: gold for gold in result["conversion"] if gold.address}
    used: set[str] = set()
    for page in result["resource"]:
        name = page.id or page.address
        gold = refers.get(page.id) or at_address.get(page.address)
        if gold is None:
            problems.append(f"{path.name}: {name} has no gold text")
            continue
        used.add(gold.id)
        yield WarcPage(name, page.position, gold.position, page.charset, gold.charset, page.address)
    for gold in result["conversion"]:
        if gold.id not in used:
            problems.append(f"{path.name}: the gold {gold.id or gold.address} has no page")


def _addresses(path: Path) -> dict[str, str]:
    """Return the addresses of ids, from lines ``<urn:uuid:ID> ADDRESS``."""
    if not path.is_file():
        return {}
    pairs = (line.split(None, 1) for line in read_text(path).split("\n"))
    return {bare_id(pair[0]): pair[1].strip() for pair in pairs if len(pair) == 2}


def _warcs(path: Path) -> list[Path]:
    if path.is_file():
        return [path] if path.name.lower().endswith(SUFFIXES) else []
    result = (each for each in path.glob("*") if each.name.lower().endswith(SUFFIXES))
    return sorted(each for each in result if each.is_file())


def _is_content(attributes: Mapping[str, str]) -> bool | None:
    match = next(filter(None, map(_CLASS.fullmatch, attributes.get("class", "").split())), None)
    return None if match is None else match[1] in "123"


READER = Reader(
    "L3S-GN1", "a WARC file, or folders original and annotated",
    frozenset({TEXT}), matches, text_pages(pages), around=_is_unpacked,
)  # fmt: skip
