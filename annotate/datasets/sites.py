"""Web sites of several pages on a few templates, with their links: for work on templates.

A site is a folder with ``site.json``, ``pages/PATH`` (the page at its path in the site) and
``gold/PATH.txt`` (its main content, a line a block).  ``site.json`` lists ``pages``: path, url,
template, family, and whether there is gold; lists, indexes and home pages have none.  A folder of
such sites may be given, too: page names then begin with the site's.  A crawled site has no gold
yet, and its pages' charsets as the server declared them (`annotate.plugins.crawl`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from annotate.archives.page_files import in_order, read_json, read_text
from engine.bounded_file import Stamp, stamp_of
from engine.document import Document, local_url
from engine.errors import InputError

INDEX = "site.json"


@dataclass(frozen=True)
class SiteEntry:
    """A page, its place in the site and its gold.

    Attributes:
        name: Its path, with the site's name before it if several sites were given.
        site: The site's folder.
        path: The page below ``pages``, with ``/``.
        home: Its web address.
        template, family: Labels of its template; several templates may share one family.
        has_gold: Whether there is gold text.
        charset: Encoding that overrides the declared one; "" for none.
    """

    name: str
    site: Path
    path: str
    home: str = ""
    template: str = ""
    family: str = ""
    has_gold: bool = False
    charset: str = ""

    def document(self) -> Document:
        """Return the page; its links and resources are those of its site."""
        return Document(
            address=str(self.site / "pages" / self.path),
            url=local_url(self.path),
            root=self.site / "pages",
            path=self.path,
            charset=self.charset,
            title=self.name,
            home=self.home,
        )

    def text(self) -> str | None:
        """Return the gold, None if the page has none; raises `InputError` if it is unreadable."""
        return read_text(self.site / "gold" / f"{self.path}.txt") if self.has_gold else None

    @property
    def site_name(self) -> str:
        return self.site.name

    def site_documents(self) -> tuple[Document, ...]:
        """Return all pages of its site, in the order of the index."""
        return _documents(self.site, stamp_of(self.site / INDEX))


@lru_cache(maxsize=8)
def _documents(site: Path, _stamp: Stamp) -> tuple[Document, ...]:
    return tuple(page.document() for page in pages(site, []))


def matches(folder: Path) -> bool:
    """Return whether a folder is a site, or holds some."""
    return bool(_sites(folder))


def pages(folder: Path, problems: list[str]) -> Iterator[SiteEntry]:
    """Yield the pages in the order of their index, those without gold too.

    ``problems`` gets a sentence for each that is not there; `InputError` if an index is none.
    """
    sites = _sites(folder.resolve())
    is_one = sites == [folder.resolve()]
    for site in sites:
        for entry in _entries(site):
            path = entry.get("path")
            if not isinstance(path, str) or not _is_below(site / "pages", path):
                problems.append(f"{site.name}: {INDEX} names {path!r}, which is not a page of it")
                continue
            has_gold = bool(entry.get("gold"))
            if has_gold and not (site / "gold" / f"{path}.txt").is_file():
                problems.append(f"{site.name}: {path} has no gold text, though {INDEX} says so")
                has_gold = False
            name = path if is_one else f"{site.name}/{path}"
            keys = ("url", "template", "family", "charset")
            url, template, family, charset = (_sentence(entry, key) for key in keys)
            yield SiteEntry(name, site, path, url, template, family, has_gold, charset)


def _sites(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    below = (each.parent for each in folder.glob(f"*/{INDEX}"))
    sites = [folder] if (folder / INDEX).is_file() else sorted(below, key=in_order)
    return [site for site in sites if (site / "pages").is_dir()]


def _entries(site: Path) -> list[dict[str, Any]]:
    about = read_json(site / INDEX)
    entries = about.get("pages") if isinstance(about, dict) else None
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        expected = "expected a list of pages in it"
        raise InputError(f"{site / INDEX} is not an index of a site: {expected}")
    return entries


def _is_below(folder: Path, path: str) -> bool:
    page = folder / path
    return page.is_file() and page.resolve().is_relative_to(folder.resolve())


def _sentence(entry: dict[str, Any], key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""
