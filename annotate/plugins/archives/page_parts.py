"""Content of a file of saved pages, in any format: their HTML, and its resources."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urljoin

from engine.account import Account
from engine.errors import InputError
from engine.references import resolve_value
from engine.saved import Stored, key_of

_FRAME = re.compile(rb"""<i?frame\b[^>]*?\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^"'\s>]+))""", re.I)


@dataclass(frozen=True)
class MainPart:
    """The document of a page.

    Attributes:
        stored: Its HTML.
        address: Its web address; "" if unknown.
        title: For lists.
        base: The address that its own addresses are relative to; `address` if "".
    """

    stored: Stored
    address: str
    title: str = ""
    base: str = ""


@dataclass(frozen=True)
class PageParts:
    """The pages of a file and their parts.

    Attributes:
        pages: One or more, only a HAR has several.
        parts: Responses by `key_of` an address.
        account: Of all parts.
        problems: Problems of the file, in words.
    """

    pages: tuple[MainPart, ...]
    parts: Mapping[str, Stored]
    account: Account
    problems: tuple[str, ...] = ()


def place(parts: dict[str, Stored], account: Account, stored: Stored, address: str) -> None:
    """Store a part under its address, and count it."""
    try:
        key = key_of(address) if address else ""
    except ValueError:
        key = ""
    if not key:
        raise InputError("without an address, so that nothing asks for it")
    if key in parts:
        account.pass_over("same address as an earlier part", address)
        return
    parts[key] = stored
    account.take()


def web(address: object) -> str:
    """Return an address on the web without its fragment; "" for any other."""
    text = str(address or "")
    return text.partition("#")[0] if text.lower().startswith(("http:", "https:")) else ""


def frames_in(data: bytes, address: str) -> Iterator[str]:
    """Yield the keys (`engine.saved.key_of`) of the frames in a page at an address."""
    for found in _FRAME.finditer(data):
        source = resolve_value((found[1] or found[2] or found[3] or b"").decode("utf-8", "replace"))
        with suppress(ValueError):
            key = key_of(urljoin(address, source))
            if key != key_of(address):
                yield key
