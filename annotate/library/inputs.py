"""Pages (a file, an address, bytes, MHTML, a record of a web archive), samples and methods."""

from pathlib import Path

import resources
from algorithms.core.catalogue import available
from algorithms.method import Method
from annotate.archives.page_ranges import all_pages
from annotate.datasets.cases import Variant
from annotate.datasets.opening import open_page as open_at
from annotate.datasets.saved_pages import page_in_bytes
from annotate.library.pages import OpenPage
from engine.document import Document, with_options
from engine.errors import InputError


def open_page(
    address: str | Path | bytes,
    *,
    record: int | str | None = None,
    variant: Variant = "html",
    viewport: tuple[int, int] | None = None,
    scripts: bool | None = None,
) -> OpenPage:
    """Return the page at an address, with the gold beside it; nothing is rendered yet.

    Args:
        address: A file, an http(s) address, the bytes of a page, a saved page (MHTML, HAR, zip),
            a page of a data set, or with ``record`` a web archive (WARC, WACZ).
        record: The address of a page in the archive, or its number among the pages, from 0.
        variant: Of a page in Kreuzer's layout which of its files.
        viewport, scripts: Width and height to lay it out in, and whether its scripts run, where
            the page is not to choose.

    Raises:
        InputError: There is no page, in one sentence.

    >>> import pagelet
    >>> pagelet.open(b"<title>Tea</title><p>Tea is hot.").title
    'Tea'
    """
    files = None
    if isinstance(address, bytes):
        document = page_in_bytes(address)
    elif record is not None:
        document = _archived(Path(address).expanduser(), record)
    else:
        files = open_at(address, variant)
        document = files.document()
    return OpenPage(with_options(document, viewport=viewport, scripts=scripts), files)


def _archived(path: Path, record: int | str) -> Document:
    for number, page in enumerate(all_pages(path)):
        if record in (number, page.address):
            if page.trouble:
                raise InputError(f"page {record} of {path} cannot be read: {page.trouble}")
            return page.document(path)
    raise InputError(f"{path} holds no page {record}")


def methods() -> dict[str, Method]:
    """Return all methods by key, third-party ones that are installed included.

    >>> import pagelet
    >>> pagelet.methods()["bte"].name
    'BTE'
    """
    return {entry.key: entry for entry in available()}


def samples() -> Path:
    """Return the folder of the sample pages, which have gold."""
    return resources.path("corpus")
