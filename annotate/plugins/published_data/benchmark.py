"""The article-extraction benchmark (Scrapinghub, now Zyte), and WCXB's first form.

Format: formats.md#article-benchmark.

``ground-truth.json`` names each page's ``articleBody``; the pages are ``html/ID.html.gz``, or
plain, or lie beside it.  WCXB adds ``with`` and ``without``: phrases that belong to the article or
do not.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from algorithms.measures.snippets import Snippets
from annotate.archives.page_files import base_name, find_page, pages_in, read_json, texts_in
from engine.document import Document, local_url
from engine.errors import InputError
from engine.file_stamp import Stamp, stamp_of

BENCHMARK_FILE = "ground-truth.json"


@dataclass(frozen=True)
class BenchmarkPage:
    """A page and where its gold is.

    Attributes:
        name: The page's id.
        folder: Folder of ``ground-truth.json``.
        page: Path of the page below it, with ``/``.
        home: Its web address.
    """

    name: str
    folder: Path
    page: str
    home: str = ""

    def document(self) -> Document:
        return Document(
            address=str(self.folder / self.page),
            url=local_url(self.page),
            root=self.folder,
            path=self.page,
            title=self.name,
            home=self.home,
        )

    def text(self) -> str | None:
        """Return the article, None if it is not stored; raises `InputError`."""
        entry = _entries(self.folder / BENCHMARK_FILE).get(self.name)
        body = entry.get("articleBody") if isinstance(entry, dict) else None
        return body if isinstance(body, str) else None

    def snippets(self) -> Snippets | None:
        """Return the phrases to look for, None if the benchmark has none; raises `InputError`."""
        entry = _entries(self.folder / BENCHMARK_FILE).get(self.name)
        if not isinstance(entry, dict) or not ("with" in entry or "without" in entry):
            return None
        return Snippets(texts_in(entry.get("with")), texts_in(entry.get("without")))


def matches(folder: Path) -> bool:
    """Return whether a folder has this layout."""
    return (folder / BENCHMARK_FILE).is_file()


def pages(folder: Path, problems: list[str]) -> Iterator[BenchmarkPage]:
    """Yield the pages with gold; ``problems`` gets a sentence for each that has only one side."""
    folder = folder.resolve()
    entries = _entries(folder / BENCHMARK_FILE)
    html = folder / "html" if (folder / "html").is_dir() else folder
    for name, entry in entries.items():
        page = None if "/" in name or "\\" in name else find_page(html, name)
        if page is None:
            problems.append(f"{BENCHMARK_FILE} names {name}, which has no page")
            continue
        home = entry.get("url") if isinstance(entry, dict) else ""
        where = page.relative_to(folder).as_posix()
        yield BenchmarkPage(name, folder, where, home if isinstance(home, str) else "")
    for page in pages_in(html):
        if base_name(page) not in entries:
            problems.append(f"{page.relative_to(folder).as_posix()} has no gold text")


def _entries(path: Path) -> dict[str, Any]:
    return _read_entries(path, stamp_of(path))


@lru_cache(maxsize=2)
def _read_entries(path: Path, _stamp: Stamp) -> dict[str, Any]:
    entries = read_json(path)
    if not isinstance(entries, dict):
        raise InputError(f"{path} is no benchmark's gold: expected an object of articles")
    return entries
