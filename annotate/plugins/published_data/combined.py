"""The combined form of the SIGIR 2023 study, eight data sets in one shape: formats.md#sigir-2023.

``html/DATASET/ID.html``, all UTF-8, beside ``ground-truth/DATASET.jsonl``, a line a page with
``page_id`` and ``plaintext``; the two folders lie in the one given or in ``combined`` below it.
Bevendorff et al., "An Empirical Comparison of Web Content Extraction Algorithms", SIGIR 2023.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from annotate.archives.page_files import (
    base_name,
    file_document,
    find_page,
    in_order,
    lines_of,
    object_of,
    pages_in,
    read_line,
)
from engine.document import Document
from engine.errors import InputError


@dataclass(frozen=True)
class CombinedPage:
    """A page and its gold.

    Attributes:
        name: ``DATASET/ID``.
        page: Its file.
        gold: The file with the gold of its data set.
        offset, length: Bytes of the page's line in it.
        home: Its web address; "" if unknown.
    """

    name: str
    page: Path
    gold: Path
    offset: int
    length: int
    home: str = ""

    def document(self) -> Document:
        """Return the page; raises `InputError` if it cannot be read."""
        return file_document(self.name, self.page, charset="utf-8", home=self.home)

    def text(self) -> str | None:
        """Return the gold, None if the line has none; raises `InputError` if it cannot be read."""
        text = read_line(self.gold, self.offset, self.length).get("plaintext")
        return text if isinstance(text, str) else None


def matches(folder: Path) -> bool:
    """Return whether a folder has this layout."""
    return _root(folder) is not None


def pages(folder: Path, problems: list[str]) -> Iterator[CombinedPage]:
    """Yield the pages with gold; ``problems`` gets a sentence for each line or page left out."""
    root = _root(folder)
    if root is None:
        return
    for gold in sorted((root / "ground-truth").glob("*.jsonl"), key=in_order):
        html = root / "html" / gold.stem
        seen: set[str] = set()
        for number, (offset, length, line) in enumerate(lines_of(gold), start=1):
            where = f"{gold.name}, page {number}"
            try:
                about = object_of(line, where)
            except InputError as error:
                problems.append(str(error))
                continue
            base = about.get("page_id")
            if not isinstance(base, str) or not base or "/" in base or "\\" in base:
                problems.append(f"{where}: expected a page_id, got {base!r}")
            elif base in seen:
                problems.append(f"{where}: {base} has gold above already")
            elif (page := find_page(html, base)) is None:
                problems.append(f"{where}: {base} has no page")
            else:
                url = about.get("url")
                home = url if isinstance(url, str) else ""
                yield CombinedPage(f"{gold.stem}/{base}", page, gold, offset, length, home)
            if isinstance(base, str):
                seen.add(base)
        for page in pages_in(html):
            if base_name(page) not in seen:
                problems.append(f"{page.relative_to(folder).as_posix()} has no gold text")


def _root(folder: Path) -> Path | None:
    for root in (folder, folder / "combined"):
        if (root / "html").is_dir() and any((root / "ground-truth").glob("*.jsonl")):
            return root
    return None
