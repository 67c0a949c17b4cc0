"""Site: the pages of one web site with their addresses, and the one that is to be read.

What a method on a page and its site may know: sources and addresses, never gold.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self
from urllib.parse import urldefrag, urljoin

import numpy as np

from algorithms.signals.memo import shared
from algorithms.signals.tree_counts import links
from engine.nodes import NodeTable
from engine.source import Source
from engine.tree import Ints, lock

_INDEX_NAMES = ("/index.html", "/index.htm", "/index.php")


@dataclass(frozen=True, eq=False)
class SitePage:
    """Page of a site.

    Attributes:
        address: Its absolute address; links are resolved against it.
        source: Its HTML.
    """

    address: str
    source: Source


@dataclass(frozen=True, eq=False)
class Site:
    """The pages of a site, in any fixed order.

    Attributes:
        pages: At least one.
        seed: Which page is to be read: an index into `pages`.
        memo: What methods found out about the pages together and may ask for again
            (`algorithms.signals.memo.shared`); the same for every seed, so nothing kept here may
            depend on the seed.
    """

    pages: tuple[SitePage, ...]
    seed: int = 0
    memo: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.seed < len(self.pages):
            raise ValueError(f"seed must be 0 to {len(self.pages) - 1}, got {self.seed}")

    @classmethod
    def of(cls, pages: Iterable[tuple[str, Source]], seed: int = 0) -> Self:
        return cls(tuple(SitePage(address, source) for address, source in pages), seed)

    def __len__(self) -> int:
        return len(self.pages)

    @property
    def source(self) -> Source:
        """The page to be read."""
        return self.pages[self.seed].source

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        return tuple(page.source for page in self.pages)

    def at(self, seed: int) -> Self:
        """Return the same site with another page to be read; cached results are shared."""
        return replace(self, seed=seed)

    def reading(self, source: Source) -> Self:
        """Return the site with another form of the page to be read, such as its DOM's HTML.

        The same site, if the form reads the same.
        """
        if source.html == self.source.html:
            return self
        pages, memo = _with_source(self, self.seed, source)
        return replace(self, pages=pages, memo=memo)

    def only(self, members: Sequence[int]) -> Self:
        """Return the site of these pages, ascending, the seed among them.

        Two calls for the same pages return sites that share their caches.
        """
        positions = tuple(sorted(set(members)))
        if positions == tuple(range(len(self.pages))):
            return self
        pages, memo = _part(self, positions)
        return replace(self, pages=pages, seed=positions.index(self.seed), memo=memo)


@shared
def _with_source(
    site: Site, seed: int, source: Source
) -> tuple[tuple[SitePage, ...], dict[Any, Any]]:
    pages = list(site.pages)
    pages[seed] = replace(pages[seed], source=source)
    return tuple(pages), {}


@shared
def _part(site: Site, members: tuple[int, ...]) -> tuple[tuple[SitePage, ...], dict[Any, Any]]:
    return tuple(site.pages[position] for position in members), {}


@shared
def distinct(site: Site) -> tuple[int, ...]:
    """Return the pages without those that repeat the text of one before, ascending.

    Copies of a page make its content recur as if it were template (Gottron, sections 3.3.1 and 7).
    """
    first: dict[tuple[str, ...], int] = {}
    for index, source in enumerate(site.sources):
        first.setdefault(source.words, index)
    return tuple(first.values())


@shared
def link_targets(site: Site) -> tuple[tuple[Ints, Ints], ...]:
    """Return for each page the rows of its links to other pages of the site, and these pages.

    Two int32 (k,) a page.  Fragments do not count, nor the name of a folder's index page.
    """
    position = {normal(page.address): number for number, page in reversed([*enumerate(site.pages)])}
    result = []
    for number, page in enumerate(site.pages):
        hrefs = ((row, normal(_joined(page.address, href))) for row, href in _hrefs(page.source))
        pairs = [
            (row, position[href]) for row, href in hrefs if position.get(href, number) != number
        ]
        rows, targets = np.array(pairs, dtype=np.int32).reshape(-1, 2).T.copy()
        lock(rows)
        lock(targets)
        result.append((rows, targets))
    return tuple(result)


def linked_pages(site: Site, page: int) -> tuple[int, ...]:
    """Return the other pages a page links to, ascending."""
    return tuple(sorted(set(link_targets(site)[page][1].tolist())))


def normal(address: str) -> str:
    """Return an address as it is compared: without fragment, index name and last slash."""
    result = urldefrag(address).url
    for name in _INDEX_NAMES:
        if result.endswith(name):
            result = result[: -len(name)]
    return result.rstrip("/")


@shared
def _hrefs(source: Source) -> tuple[tuple[int, str], ...]:
    rows = np.flatnonzero(links(source)).tolist()
    return tuple((row, source.attributes(row).get("href", "").strip()) for row in rows)


def _joined(base: str, href: str) -> str:
    try:
        return urljoin(base, href)
    except ValueError:  # such as "http://[": no valid address
        return ""


@shared
def texts(source: Source) -> tuple[str, ...]:
    """Return the text of each text row, white space collapsed, "" for an element; length n."""
    return tuple(" ".join(text.split()) if text else "" for text in source.tree.text)


@shared
def text_pages(site: Site) -> dict[str, int]:
    """Return the number of pages of each text."""
    return dict(Counter(text for page in distinct(site) for text in {*texts(site.sources[page])}))


def shares_on_page(site: Site, nodes: NodeTable) -> dict[int, float]:
    """Return the share of the site's pages that have the text of each block of a rendered page.

    By row: the element right around texts, in the mean over these texts' characters.  A text that
    is on the page alone, or on none as scripts made it, has a share of one page.
    """
    known, total = text_pages(site), max(len(distinct(site)), 1)
    letters: dict[int, float] = {}
    pages: dict[int, float] = {}
    for row, text in enumerate(nodes.text):
        texts = " ".join(text.split()) if text else ""
        if not texts or not nodes.visible[row]:
            continue
        block = int(nodes.parent[row])
        letters[block] = letters.get(block, 0.0) + len(texts)
        pages[block] = pages.get(block, 0.0) + len(texts) * known.get(texts, 1)
    return {row: pages[row] / (letters[row] * total) for row in letters}
