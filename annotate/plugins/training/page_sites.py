"""Grouping of pages by site, if neither data set nor page gives it."""

import re
from collections import Counter
from urllib.parse import urlsplit

from algorithms.plugins.training.gleaner_pages import own_host
from engine.source import Source

_LINK = re.compile(r"""<a\b[^>]*?\bhref\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
_CLASS = re.compile(r"""\bclass\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE)

ALIKE = 0.5
"""Pages that share so much of their classes, or of their links, by Jaccard, are of one site."""

FEWEST = 5
"""Of fewer classes or links nothing follows."""


class PageSites:
    """Names the site of one page after another; pages that come later join those before.

    A page is of the host that it gives as its own; else of the host that most of its links with a
    host lead to; else of the site of a page with like classes or links, as one navigation gives
    them to all pages of a site.  Two sites of one generator may so count as one: scores on sites
    that a model has not seen are then rather too low than too high.
    """

    def __init__(self) -> None:
        self._known: list[tuple[str, frozenset[str], frozenset[str]]] = []

    def site_of(self, source: Source, name: str) -> str:
        """Return the site of a page; its own name where it is like no page before."""
        links = _LINK.findall(source.html)
        own = frozenset(link.partition("#")[0] for link in links) - {""}
        classes = frozenset(
            word for found in _CLASS.findall(source.html) for word in "".join(found).split()
        )
        alike = (
            site
            for site, its_links, its_classes in self._known
            if _are_alike(own, its_links) or _are_alike(classes, its_classes)
        )
        site = own_host(source) or _linked_host(links) or next(alike, name)
        self._known.append((site, own, classes))
        return site


def _linked_host(links: list[str]) -> str:
    """Return the host that more than half of the links with a host lead to; "" for none."""
    hosts = Counter(host for link in links if (host := _host(link)))
    if hosts.total() < FEWEST:
        return ""
    host, count = hosts.most_common(1)[0]
    return host if 2 * count > hosts.total() else ""


def _host(link: str) -> str:
    try:
        return (urlsplit(link).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    common = len(one & other)
    return common >= FEWEST and common >= ALIKE * len(one | other)
