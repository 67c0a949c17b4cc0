"""MHTML: a page as one MIME message (RFC 2557, and what Chromium makes of it).

Python's email package takes it apart.  Parts have their ``Content-Location`` and, for ``cid:``
links, their ``Content-ID`` as address: browsers load those from MHTML only, so the displayed page
has them as addresses below ``https://cid.invalid/``.
"""

import email
import email.policy
import re
from contextlib import suppress
from email.message import EmailMessage, Message
from pathlib import Path
from urllib.parse import quote, unquote, urljoin

from annotate.archives.magic import sniffed_kind
from annotate.datasets.saved_pages import HoldsNoPage
from annotate.plugins.archives.page_parts import MainPart, PageParts
from engine import held_files
from engine.account import Account
from engine.saved import Stored, key_of

SUFFIXES = (".mhtml", ".mht")
_CID = re.compile(rb"\bcid:([^\s\"'<>)]+)", re.IGNORECASE)
_TEXTS = ("text/html", "text/css", "application/xhtml+xml", "image/svg+xml")
_HEAD = 8192
_FIELD = re.compile(rb"[\w-]+:[ \t]")
_RELATED = re.compile(
    rb"^content-type:\s*(?:multipart/|text/html|application/xhtml)", re.IGNORECASE | re.MULTILINE
)
_POLICY = email.policy.default
_CID_HOST = "https://cid.invalid/"
_MOST_PARTS = 20_000


def is_mhtml(path: Path) -> bool:
    """Return whether a file is a page saved as MHTML: by its head, or by its name where damaged."""
    try:
        if not path.is_file():
            return False
        with held_files.open_held(path) as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return is_message(head) or path.name.lower().endswith(SUFFIXES)


def is_message(data: bytes) -> bool:
    """Return whether bytes begin like a page saved as MHTML."""
    head = data[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n").replace(b"\r", b"")
    fields = head.partition(b"\n\n")[0]
    return _FIELD.match(fields) is not None and _RELATED.search(fields) is not None


def taken_apart(path: Path, data: bytes) -> PageParts:
    """Return the parts of a message; raises `HoldsNoPage` where it has no HTML."""
    message = email.message_from_bytes(data.lstrip(b"\xef\xbb\xbf \t\r\n"), policy=_POLICY)
    problems: list[str] = []
    parts: dict[str, Stored] = {}
    htmls: list[tuple[str, Stored, str]] = []
    account = Account("part")
    is_blink = b"Blink" in data[:_HEAD] or b"mhtml.blink" in data
    start = str(message.get_param("start") or "")
    base = str(message["Content-Location"] or message["Content-Base"] or "")
    for number, part in enumerate(message.walk()):
        if part.is_multipart():
            continue
        location, name = _field(part, "Content-Location"), _field(part, "Content-ID")
        if number > _MOST_PARTS:
            account.pass_over(f"more than {_MOST_PARTS:,} parts", location or name)
            continue
        with account.item(location or name):
            assert isinstance(part, EmailMessage), "the policy makes such"
            is_cid = location.lower().startswith("cid:")
            if location and not is_cid:
                location = urljoin(base, location)
            stored = _stored(part, location, is_blink=is_blink)
            if part.defects:
                problems.append(f"a part of {path.name} is damaged: {location or name}")
            is_html = stored.kind.startswith(("text/html", "application/xhtml+xml"))
            if is_html:
                htmls.append((name, stored, location))
            keys = [_CID_HOST + quote(name.strip("<>"))] if name else []
            if is_cid:
                keys.append(_of_cid(location[4:]))
            elif location:
                keys.append(location)
            for key in keys:
                with suppress(ValueError):  # an invalid address, which nothing refers to
                    parts.setdefault(key_of(key), stored)
            if keys or is_html:
                account.take()
            else:
                account.pass_over("without an address, so that nothing asks for it")
    if not htmls:
        raise HoldsNoPage(f"{path} is not a page saved as MHTML: it has no HTML in it", account)
    boundary = message.get_boundary()
    if boundary and f"--{boundary}--".encode() not in data:
        problems.append(f"{path.name} ends too early: what comes last in it is cut off")
    full = [each for each in htmls if each[1].data.strip()] or htmls
    main = next((each for each in full if start and each[0] == start), full[0])
    address = str(message["Snapshot-Content-Location"] or main[2] or base)
    address = address.partition("#")[0] if address.startswith(("http:", "https:")) else ""
    page = MainPart(main[1], address, str(message["Subject"] or ""))
    return PageParts((page,), parts, account, tuple(dict.fromkeys(problems)))


def _field(part: Message, name: str) -> str:
    """Return a field without the white space that long lines are folded at."""
    text = str(part[name] or "")
    return "".join(text.split()) if name == "Content-ID" else re.sub(r"\s*\n\s*|\s+$", "", text)


def _stored(part: EmailMessage, location: str, *, is_blink: bool) -> Stored:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    kind = part.get_content_type()
    if kind == "application/octet-stream" and location.lower().endswith((".htm", ".html")):
        kind = sniffed_kind(data) or kind
    if kind in _TEXTS:
        data = _CID.sub(lambda cid: _of_cid(cid[1].decode("utf-8", "replace")).encode(), data)
    charset = part.get_content_charset()
    if charset is None and is_blink and kind in _TEXTS:
        charset = "utf-8"  # Chromium writes UTF-8 without declaring it
    is_web = location.startswith(("http:", "https:"))
    return Stored(data, f"{kind}; charset={charset}" if charset else kind, location * is_web)


def _of_cid(name: str) -> str:
    return _CID_HOST + quote(unquote(name))
