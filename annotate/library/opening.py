"""Everything that is a page: a file, an address, bytes, MHTML, a record of a web archive."""

import email
import email.policy
from email.message import EmailMessage
from pathlib import Path

from annotate.archives.warc.archives import all_pages
from annotate.datasets.kreuzer.pages import Variant
from annotate.datasets.opening import open_page as open_at
from annotate.library.pages import OpenPage, page_of
from engine.document import Document, check, local_url, plain_document, with_options
from engine.errors import InputError
from engine.fetch import read_file

_MHTML = (".mhtml", ".mht")


def open_page(
    address: str | Path | bytes,
    *,
    record: int | str | None = None,
    variant: Variant = "html",
    viewport: tuple[int, int] | None = None,
    scripts: bool | None = None,
) -> OpenPage:
    """Return the page at an address, with the gold that lies beside it; nothing is rendered yet.

    Args:
        address: A file, an http(s) address, the bytes of a page, a page saved as MHTML, a page of
            a data set, or with ``record`` a web archive (WARC, WACZ).
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
    if isinstance(address, bytes):
        page = OpenPage(_from_bytes(address))
    elif record is not None:
        page = OpenPage(_archived(Path(address).expanduser(), record))
    elif str(address).lower().endswith(_MHTML):
        page = OpenPage(_mhtml(read_file(Path(address).expanduser()), str(address)))
    else:
        files = open_at(address, variant)
        page = page_of(files.document(), files)
    document = with_options(page.document, viewport=viewport, scripts=scripts)
    return OpenPage(document, page.files)


def _from_bytes(data: bytes) -> Document:
    head = data[:2048].lower()
    if b"multipart/related" in head and b"mime-version" in head:
        return _mhtml(data, "-")
    return plain_document(data)


def _mhtml(data: bytes, address: str) -> Document:
    """Return the page in an MHTML file; what it shows beside its HTML is left out."""
    message = email.message_from_bytes(data, policy=email.policy.default)
    parts = [part for part in message.walk() if part.get_content_type() == "text/html"]
    if not parts:
        raise InputError(f"{address} is not a page saved as MHTML: it has no HTML in it")
    start = str(message.get_param("start") or "")
    chosen = next((part for part in parts if start and part["Content-ID"] == start), parts[0])
    assert isinstance(chosen, EmailMessage)
    html = chosen.get_payload(decode=True)
    assert isinstance(html, bytes), "a part that is HTML has no parts of its own"
    document = Document(
        address=address,
        url=local_url("page.html"),
        data=html,
        charset=chosen.get_content_charset() or "",
        title=str(message["Subject"] or ""),
        home=str(message["Snapshot-Content-Location"] or chosen["Content-Location"] or ""),
    )
    check(document)
    return document


def _archived(path: Path, record: int | str) -> Document:
    for number, page in enumerate(all_pages(path)):
        if record in (number, page.address):
            if page.trouble:
                raise InputError(f"page {record} of {path} cannot be read: {page.trouble}")
            return page.document(path)
    raise InputError(f"{path} holds no page {record}")
