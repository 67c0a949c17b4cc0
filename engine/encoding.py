"""How a browser decodes a document: byte order mark, HTTP charset, ``<meta>``, then a guess.

Source: WHATWG, "Encoding" and "HTML" (determining the character encoding; prescan a byte stream).
Differs from a browser: without any declaration the guess is UTF-8 where the bytes are valid UTF-8,
else windows-1252 (browsers guess by statistics or by the user's language).
"""

import re

import webencodings

PRESCAN_BYTES = 1024
"""How far a browser looks for a ``<meta>`` that names the encoding."""

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))

# What the WHATWG names mean to Python's codecs, where the obvious codec knows fewer characters.
_CODECS = {
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "big5": "big5hkscs",
    "macintosh": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "windows-874": "cp874",
    "iso-8859-8-i": "iso-8859-8",
}

# windows-1252 differs from Latin-1 in these bytes; the five bytes Python's cp1252 refuses are
# control characters to a browser.
_C1 = {byte: bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(0x80, 0xA0)}
_HAS_C1 = re.compile("[\x80-\x9f]")

_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_META = re.compile(rb"<meta[\s/]", re.IGNORECASE)
_OTHER_TAG = re.compile(rb"</?[a-zA-Z]")
_ATTRIBUTE = re.compile(
    rb"""[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?"""
)
_CHARSET = re.compile(rb"""charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))""", re.IGNORECASE)


def decode(data: bytes, declared: str = "") -> tuple[str, str]:
    """Return ``(text, encoding)``; ``declared`` is the charset of the HTTP header, "" if none.

    Never raises; bytes that are wrong in the encoding become U+FFFD.  The name is WHATWG's.
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            return _decode(data[len(mark) :], name), name
    name = _lookup(declared) or declared_in(data)
    if name:
        return _decode(data, name), name
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return _decode(data, "windows-1252"), "windows-1252"


def declared_in(data: bytes) -> str:
    """Return the encoding that a ``<meta>`` in the first 1024 bytes names, "" if none does."""
    head = data[:PRESCAN_BYTES]
    at = 0
    while (at := head.find(b"<", at)) >= 0:
        if comment := _COMMENT.match(head, at):
            at = comment.end()
        elif meta := _META.match(head, at):
            at, name = _meta(head, meta.end() - 1)
            if name:
                return name
        elif tag := _OTHER_TAG.match(head, at):
            at, _ = _attributes(head, tag.end())
        elif head[at + 1 : at + 2] in (b"!", b"/", b"?"):
            closing = head.find(b">", at)
            at = closing + 1 if closing >= 0 else len(head)
        else:
            at += 1
    return ""


def _meta(head: bytes, at: int) -> tuple[int, str]:
    """Read one ``<meta>``: where it ends and the encoding it names, "" if none."""
    at, attributes = _attributes(head, at)
    name = ""
    if b"charset" in attributes:
        name = _lookup(attributes[b"charset"].decode("latin-1"))
    elif attributes.get(b"http-equiv", b"").lower() == b"content-type":
        found = _CHARSET.search(attributes.get(b"content", b""))
        if found:
            name = _lookup(next(g for g in found.groups() if g is not None).decode("latin-1"))
    if name in ("utf-16le", "utf-16be"):  # the prescan reads ASCII: it cannot be UTF-16
        name = "utf-8"
    elif name == "x-user-defined":
        name = "windows-1252"
    return at, name


def _attributes(head: bytes, at: int) -> tuple[int, dict[bytes, bytes]]:
    """Read attributes from ``at``: where they end, and the first value of each name."""
    found: dict[bytes, bytes] = {}
    while match := _ATTRIBUTE.match(head, at):
        name, *values = match.groups()
        found.setdefault(name.lower(), next((v for v in values if v is not None), b""))
        at = match.end()
    return at, found


def _lookup(label: str) -> str:
    """Return the encoding a label means, "" where it means none we can decode."""
    try:
        encoding = webencodings.lookup(label)
    except (UnicodeError, ValueError):  # a label of odd characters
        return ""
    return str(encoding.name) if encoding else ""


def _decode(data: bytes, name: str) -> str:
    if name == "windows-1252":
        text = data.decode("latin-1")
        return text.translate(_C1) if _HAS_C1.search(text) else text
    if name == "x-user-defined":
        return "".join(chr(b if b < 0x80 else 0xF700 + b) for b in data)
    return data.decode(_CODECS.get(name, name), "replace")
