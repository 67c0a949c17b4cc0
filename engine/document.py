"""Document: one page to open and how; every kind of address of a single page becomes one.

No Qt here: the command line reads documents without a browser, and `engine.web` renders them.
Folders, zips and the layouts of data sets are `annotate.datasets.opening`'s.
"""

import errno
import os
import re
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote, urlsplit

from engine import bounds
from engine.bounded_file import read_at_most
from engine.encoding import decode, name_of
from engine.errors import InputError
from engine.fetch import MAX_BYTES, Received, get, is_near, limit_size, read_file
from engine.references import resolve
from engine.saved import ResourceStore
from engine.words import shorten
from engine.xhtml import is_xml_name

SCHEME = "pagelet"
"""The URL scheme under which the browser sees local pages."""

VIEWPORT = (1366, 768)

HTML_SUFFIXES = (".html", ".htm", ".xhtml", ".shtml", ".html.gz", ".htm.gz")
"""How the names of files end that are pages."""

_MARKUP = re.compile(
    rb"<(!doctype|html|head|meta|title|script|style|link|body|div|p|h[1-6]|table|font|iframe|a|br?)"
    rb"[\s>/]",
    re.IGNORECASE,
)
"""What tells a page with stray zeros, which browsers drop, from a binary file.

The tags that WHATWG's MIME Sniffing Standard (7.1) knows HTML by, and a few that pages begin with.
"""

IS_BINARY = "is a binary file; expected an HTML page"

_HOST = re.compile(r"^(?=[^.]*\.)[A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9]$")


class Content(Protocol):
    """Source of a document's bytes if no file holds them unchanged.

    Immutable, comparable and picklable: a document travels to other processes.
    """

    def receive(self) -> Received:
        """Return the bytes and the charset that wins; raises `InputError`."""


@dataclass(frozen=True)
class Document:
    """Page to open. Cheap: only the first bytes were read.

    Attributes:
        address: What the user sees and may type again.
        url: What the browser loads: http(s), or ``pagelet://host/path`` for a local page.
        root: The folder resources are served from; None if there is none.
        path: Path of the document below `root`, or in a package, with ``/``.
        data: The document's bytes if they are in memory.
        content: Source of its bytes, if no file holds them unchanged.
        charset: A charset that wins over what the document declares; "" if it may choose.
        scripts: Whether the page's own scripts run.
        viewport: Width and height in CSS px to render it in; `InputError` out of `bounds.SIDE`.
        title: A name for lists; "" if there is none but the address.
        home: Its address on the web; "" if unknown.
        repeatable: Whether its scripts get the same random numbers and date each time; None: where
            it is a local page.
        store: Source of its resources, if that is no folder.
        is_xml: Whether browsers read `data` as XML; of a file its name tells.
    """

    address: str
    url: str
    root: Path | None = None
    path: str = ""
    data: bytes | None = None
    content: Content | None = None
    charset: str = ""
    scripts: bool = True
    viewport: tuple[int, int] = VIEWPORT
    title: str = ""
    home: str = ""
    repeatable: bool | None = None
    store: ResourceStore | None = None
    is_xml: bool = False

    def __post_init__(self) -> None:
        bounds.sides(self.viewport)

    @property
    def is_live(self) -> bool:
        return self.url.startswith(("http:", "https:"))

    @property
    def is_near(self) -> bool:
        """Whether it comes from a server on this machine."""
        return self.is_live and is_near(self.url)

    @property
    def is_repeatable(self) -> bool:
        """Whether its scripts get the same random numbers and date each time."""
        return self.scripts and (not self.is_live if self.repeatable is None else self.repeatable)

    @cached_property
    def host(self) -> str:
        """The host of `url`; for a saved page that keeps it the one it was saved from."""
        return urlsplit(self.url).hostname or ""

    @cached_property
    def full_path(self) -> str:
        """`path` with the folder above it; computed once, because it is used often."""
        return self.path if self.root is None else str(self.root / self.path)

    @property
    def name(self) -> str:
        """The shortest name that tells it from its neighbours."""
        return shorten(self.title) or self.path or self.address

    def read(self) -> bytes:
        """Return the document's bytes; see `receive`."""
        return self.receive().data

    def receive(self, timeout_s: float = 20.0) -> Received:
        """Return the document's bytes and their declared charset.

        A live page costs one GET, so call it off the GUI thread; raises `InputError` if the page
        cannot be had in ``timeout_s`` seconds, or the file has gone.
        """
        if self.is_live:
            received = get(self.url, timeout_s)
            if is_binary(received.data, received.charset):
                raise InputError(f"{self.url} {IS_BINARY}")
            return received
        if self.data is not None:
            return Received(self.data, self.charset, is_xml=self.is_xml)
        if self.content is not None:
            return self.content.receive()
        assert self.root is not None, "a local document has data, a content or a folder"
        data = read_file(self.root / self.path)
        return Received(data, self.charset, is_xml=is_xml_name(self.path))


def plain_document(
    address: str | Path | bytes,
    *,
    viewport: tuple[int, int] | None = None,
    scripts: bool | None = None,
    root: Path | None = None,
) -> Document:
    """Return the page at an address, whatever is around it; raises `InputError` with the fault.

    Args:
        address: An http(s) URL, a file, ``-`` for standard input, or the bytes of a page.
        viewport, scripts: Override what the document asks for.
        root: The folder to serve resources from, for a file that reaches above its own.
    """
    document = _plain(address, root)
    if not document.is_live:
        check(document)
    return with_options(document, viewport=viewport, scripts=scripts)


def with_options(
    document: Document, *, viewport: tuple[int, int] | None, scripts: bool | None
) -> Document:
    """Return the document with the given options changed."""
    given: dict[str, Any] = {"viewport": viewport, "scripts": scripts}
    changes = {name: value for name, value in given.items() if value is not None}
    return replace(document, **changes) if changes else document


def with_repeatable(document: Document, repeatable: bool | None) -> Document:
    """Return the document with ``repeatable`` set, where that is not None."""
    return document if repeatable is None else replace(document, repeatable=repeatable)


def local_url(path: str, host: str = "local") -> str:
    """Return the URL under which the browser sees a local page."""
    return f"{SCHEME}://{host.lower()}/{quote(os.fsencode(path))}"


def _plain(address: str | Path | bytes, root: Path | None) -> Document:
    if isinstance(address, bytes):
        return _from_bytes(address)
    text = str(address)
    if text == "-":
        return _from_bytes(limit_size(read_at_most(sys.stdin.buffer, MAX_BYTES + 1), "the page"))
    if re.match(r"https?:", text, re.IGNORECASE):
        with suppress(ValueError):
            if urlsplit(text).hostname:
                return Document(address=text, url=text)
        raise InputError(f"{text} is not an address: it has no host")
    if re.match(r"[a-z][a-z0-9+.-]+://", text, re.IGNORECASE):
        raise InputError(f"{text} is neither a file nor an http(s) address")
    path = Path(text).expanduser()
    if not path.is_file():
        why = f"{text} is not a file" if path.exists() else absence(text)
        is_host = not path.is_symlink() and _HOST.match(text.split("/")[0])
        raise InputError(f"{why}; for a live page type https://{text}" if is_host else why)
    path = path.absolute()
    root, resolved = (root or path.parent).resolve(), path.resolve()
    if not resolved.is_relative_to(root):
        raise InputError(f"{path} is outside {root}")
    relative = resolved.relative_to(root).as_posix()
    return Document(str(path), local_url(relative), root, relative)


def absence(address: str | Path) -> str:
    """Return why there is no file or folder at a path, as a sentence without its end."""
    path = Path(address).expanduser()
    if path.is_symlink():
        try:
            path.stat()
        except OSError as error:
            if error.errno == errno.ELOOP:
                return f"{address} is a link that leads back to itself"
        return f"{address} is a link to {path.readlink()}, which is not there"
    parent = next((each for each in path.parents if each.exists()), path.parent)
    if not parent.is_dir():
        return f"no such file: {address}: {parent} is a file, not a folder"
    return f"no such file or folder: {address}"


def _from_bytes(data: bytes) -> Document:
    return Document(address="-", url=local_url("page.html"), data=data)


def check(document: Document) -> None:
    """Raise `InputError` for an empty or binary document."""
    data = document.read()
    name = "the page" if document.address == "-" else document.address
    if not data.strip():
        raise InputError(f"{name} is empty")
    if is_binary(data, document.charset):
        raise InputError(f"{name} {IS_BINARY}")


def is_binary(data: bytes, charset: str = "") -> bool:
    """Return whether bytes of a declared charset are binary, such as a picture or an archive."""
    head = data[:4096]
    # In UTF-16 every other byte may be zero.
    is_wide = name_of(charset).startswith("utf-16")
    is_wide |= head.startswith((b"\xff\xfe", b"\xfe\xff")) or head[:2] in (b"<\0", b"\0<")
    has_zeros = b"\0" in head and not is_wide and _MARKUP.search(head) is None
    return has_zeros or head.startswith((b"%PDF-", b"PK\x03\x04", b"\x89PNG"))


HEAD_BYTES = 65_536
"""Characters that are searched for a title: also of saved pages with their style before it."""

_TITLE = re.compile(r"<title\b[^>]*>(.*?)</title\s*>", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def title_in(data: bytes, declared: str = "") -> str:
    """Return the title in a document's beginning, in one line; "" if there is none.

    ``declared`` is the charset of the HTTP header, "" if there is none.
    """
    text = decode(data[:HEAD_BYTES], declared).text
    match = _TITLE.search(_COMMENT.sub("", text))
    return shorten(resolve(match[1])) if match else ""
