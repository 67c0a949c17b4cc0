"""From the documents of a site to what methods read: sources and addresses, never gold."""

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, urlsplit

from algorithms.templates.site import Site
from annotate.datasets.case_files import PageFiles
from annotate.workspace.workspace import page_key
from engine.document import Document
from engine.page import Page
from engine.source import Source

_LOCAL = "http://local/"
_LOCAL_HOST = urlsplit(_LOCAL).netloc
"""Where pages of a folder stand for one another: so links from the folder's root are found, too."""


def site_of(documents: Sequence[Document], seed: int = 0) -> Site:
    """Read the pages of a site; raises `InputError` where one cannot be read."""
    pages = [(address_of(document), Source.of(document.receive())) for document in documents]
    return Site.of(pages, seed)


def site_with(documents: Sequence[Document], page: Page) -> Site:
    """Return the site of a page, with that as its seed; the page is added if it is missing."""
    known = {
        name: index
        for index, each in enumerate(documents)
        for name in (address_of(each), *_names_of(each.address))
    }
    seed = next((known[name] for name in _names_of(page.url) if name in known), -1)
    site = site_of(documents)
    if seed >= 0:
        return site.at(seed)
    pages = [(each.address, each.source) for each in site.pages]
    source = page.original or page.source("dom")
    return Site.of([*pages, (page.url, source)], len(pages))


class Siblings:
    """Pages of the same site in a list.

    The pages given by their data set; else those on the same host, now or originally.  Pages on the
    network have no siblings: those would have to be downloaded.
    """

    def __init__(self, listed: Sequence[Document], files: Mapping[str, PageFiles]) -> None:
        self._listed, self._files = listed, files

    @cached_property
    def _by_host(self) -> dict[tuple[str, str], list[Document]]:
        result: dict[tuple[str, str], list[Document]] = {}
        for each in self._listed:
            if not each.is_live:
                result.setdefault(_host(each), []).append(each)
        return result

    def of(self, document: Document) -> tuple[Document, ...]:
        """Return the pages of a page's site, itself among them; none where it has no siblings.

        Raises `InputError` where its data set cannot be read.
        """
        files = self._files.get(page_key(document))
        result = files.site_documents() if files is not None else ()
        if not result and not document.is_live:
            result = tuple(self._by_host.get(_host(document), ()))
        return result if len(result) > 1 else ()


def _host(document: Document) -> tuple[str, str]:
    if document.home or document.is_live:
        return urlsplit(address_of(document)).netloc, "" if document.home else document.host
    return _LOCAL_HOST, document.host


def index_of(documents: Sequence[Document], document: Document) -> int:
    """Return the index of a document in its site; `ValueError` if it is not of it."""
    return [each.address for each in documents].index(document.address)


def address_of(document: Document) -> str:
    """Return the web address of a document, or its address in its folder."""
    if document.home or document.is_live:
        return document.home or document.url
    return _LOCAL + quote(os.fsencode(document.path or document.name))


def _names_of(address: str) -> tuple[str, ...]:
    """Return an address and, of a file, where it really is."""
    if address.startswith(("http:", "https:")):
        return (address,)
    return address, str(Path(address).resolve())
