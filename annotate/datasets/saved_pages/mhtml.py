"""MHTML: a page as one MIME message (RFC 2557, and what Chromium makes of it).

Python's email package takes it apart.  Parts answer to their ``Content-Location`` and, where the
page says ``cid:``, to their ``Content-ID``: browsers load those from MHTML alone, so in what is
shown they stand as addresses below ``https://cid.invalid/``.
"""

import email
import email.policy
import re
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from engine.document import Document, check
from engine.errors import InputError
from engine.fetch import Received, read_file
from engine.file_stamp import Stamp, stamp_of
from engine.saved import FrozenFrame, Stored, key_of, shown_address
from engine.words import plural

SUFFIXES = (".mhtml", ".mht")
_CID = re.compile(rb"\bcid:([^\s\"'<>)]+)", re.IGNORECASE)
_TEXTS = ("text/html", "text/css", "application/xhtml+xml", "image/svg+xml")
_CID_HOST = "https://cid.invalid/"
_MOST_PARTS = 20_000


def is_mhtml(path: Path) -> bool:
    return path.is_file() and path.name.lower().endswith(SUFFIXES)


@dataclass(frozen=True)
class MhtmlFile:
    """A page saved as MHTML; a store of resources and, to its document, the content."""

    path: Path

    def document(self) -> Document:
        """Return the page; raises `InputError` if the file is none."""
        message = _message(self.path)
        document = Document(
            address=str(self.path),
            url=shown_address(message.address or "https://page.invalid/"),
            root=self.path.parent,
            path=self.path.name,
            content=self,
            scripts=False,
            title=message.title,
            home=message.address,
            repeatable=False,
            store=self,
        )
        check(document)
        return document

    def receive(self) -> Received:
        """Return the page's HTML."""
        main = _message(self.path).main
        return Received(main.data, main.kind.partition("charset=")[2])

    def find(self, url: str) -> Stored | None:
        """Return the part that answers an address."""
        try:
            return _message(self.path).parts.get(key_of(url))
        except (InputError, ValueError):
            return None

    def frames(self) -> tuple[FrozenFrame, ...]:
        """None: it is loaded as it was saved."""
        return ()

    def digest(self) -> str:
        """The SHA-256 of the file."""
        return sha256(read_file(self.path)).hexdigest()

    def summary(self) -> str:
        """What was found, in words."""
        return plural(len(_message(self.path).parts), "part")

    def problems(self) -> tuple[str, ...]:
        """What is wrong with it, in words."""
        return _message(self.path).problems


@dataclass(frozen=True)
class _MimeMessage:
    main: Stored
    address: str
    title: str
    parts: dict[str, Stored]
    problems: tuple[str, ...]


def _message(path: Path) -> _MimeMessage:
    return _read(path, stamp_of(path))


@lru_cache(maxsize=4)
def _read(path: Path, _stamp: Stamp) -> _MimeMessage:
    data = read_file(path)
    try:
        return _taken_apart(path, data)
    except RecursionError:
        raise InputError(f"{path} is damaged: its parts are nested too deeply") from None
    except (ValueError, LookupError, AttributeError, TypeError) as error:  # of Python's mail parser
        text = " ".join(str(error).split())
        raise InputError(f"{path} is not a page saved as MHTML, or is damaged: {text}") from error


def _taken_apart(path: Path, data: bytes) -> _MimeMessage:
    message = email.message_from_bytes(data, policy=email.policy.default)
    problems: list[str] = []
    parts: dict[str, Stored] = {}
    htmls: list[tuple[str, Stored, str]] = []
    start = str(message.get_param("start") or "")
    for number, part in enumerate(message.walk()):
        if part.is_multipart() or number > _MOST_PARTS:
            continue
        assert isinstance(part, EmailMessage), "the policy makes such"
        location = str(part["Content-Location"] or "")
        name = str(part["Content-ID"] or "")
        stored = _stored(part, location)
        if part.defects:
            problems.append(f"a part of {path.name} is damaged: {location or name}")
        if stored.kind.startswith(("text/html", "application/xhtml+xml")):
            htmls.append((name, stored, location))
        if location.startswith(("http:", "https:")):
            with suppress(ValueError):  # of what is no address, and nothing asks for it
                parts.setdefault(key_of(location), stored)
        if name:
            parts.setdefault(key_of(_CID_HOST + quote(name.strip("<>"))), stored)
    if not htmls:
        raise InputError(f"{path} is not a page saved as MHTML: it has no HTML in it")
    boundary = message.get_boundary()
    if boundary and f"--{boundary}--".encode() not in data:
        problems.append(f"{path.name} ends too early: what comes last in it is cut off")
    main = next((each for each in htmls if start and each[0] == start), htmls[0])
    address = str(message["Snapshot-Content-Location"] or main[2])
    is_web = address.startswith(("http:", "https:"))
    return _MimeMessage(
        main[1],
        address.partition("#")[0] if is_web else "",
        str(message["Subject"] or ""),
        parts,
        tuple(dict.fromkeys(problems)),
    )


def _stored(part: EmailMessage, location: str) -> Stored:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    kind = part.get_content_type()
    if kind in _TEXTS:
        data = _CID.sub(lambda result: _CID_HOST.encode() + quote(result[1]).encode(), data)
    charset = part.get_content_charset()
    is_web = location.startswith(("http:", "https:"))
    return Stored(data, f"{kind}; charset={charset}" if charset else kind, location * is_web)
