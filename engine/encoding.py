"""How a browser decodes a document: byte order mark, HTTP charset, ``<meta>``, then a guess.

Source: WHATWG, "Encoding" and "HTML" (determining the character encoding; prescan a byte stream).
Differs from a browser: without any declaration the guess is UTF-8 where the bytes are valid UTF-8,
else windows-1252 (browsers guess by statistics or by the user's language).
"""

import codecs
import re
from functools import cache

import webencodings

REPLACEMENT = "replacement"
"""What the labels of encodings mean that let text pass for markup, such as ``hz-gb-2312``: nothing
is decoded, and one U+FFFD stands for all of it."""

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

_PAIRED = frozenset(["gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr"])
"""Encodings with two bytes a letter, where an error takes both unless the second is ASCII."""

_MOST_ERRORS = 200_000

_NOT_SHIFT_JIS = dict.fromkeys(range(0xF8F0, 0xF8F4), "\ufffd")
"""What cp932 makes of the bytes A0 and FD to FF, which are errors to a browser."""

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
    name = name_of(declared) or declared_in(data)
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
        name = name_of(attributes[b"charset"].decode("latin-1"))
    elif attributes.get(b"http-equiv", b"").lower() == b"content-type":
        match = _CHARSET.search(attributes.get(b"content", b""))
        if match:
            name = name_of(next(g for g in match.groups() if g is not None).decode("latin-1"))
    if name in ("utf-16le", "utf-16be"):  # the prescan reads ASCII: it cannot be UTF-16
        name = "utf-8"
    elif name == "x-user-defined":
        name = "windows-1252"
    return at, name


def _attributes(head: bytes, at: int) -> tuple[int, dict[bytes, bytes]]:
    """Read attributes from ``at``: where they end, and the first value of each name."""
    result: dict[bytes, bytes] = {}
    while match := _ATTRIBUTE.match(head, at):
        name, *values = match.groups()
        result.setdefault(name.lower(), next((v for v in values if v is not None), b""))
        at = match.end()
    return at, result


def name_of(label: str) -> str:
    """Return the encoding a label means, "" where it means none we can decode."""
    try:
        encoding = webencodings.lookup(label)
    except (UnicodeError, ValueError):  # a label of odd characters
        return ""
    return str(encoding.name) if encoding else ""


def _decode(data: bytes, name: str) -> str:
    if name == REPLACEMENT:
        return "\ufffd" if data else ""
    if name == "x-user-defined":
        return "".join(chr(b if b < 0x80 else 0xF700 + b) for b in data)
    codec = _CODECS.get(name, name)
    if name.startswith("windows-"):
        return codecs.charmap_decode(data, "replace", _single_bytes(codec))[0]
    if name in _PAIRED:
        text = _decode_pairs(data, codec)
        return text.translate(_NOT_SHIFT_JIS) if name == "shift_jis" else text
    return data.decode(codec, "replace")


@cache
def _single_bytes(codec: str) -> str:
    """The 256 letters of a code page; bytes 80 to 9F it does not use are control characters."""
    letters = []
    for byte in range(256):
        letter = bytes([byte]).decode(codec, "ignore")
        letters.append(letter or (chr(byte) if 0x80 <= byte < 0xA0 else "\ufffe"))
    return "".join(letters)  # U+FFFE means "undefined" to charmap_decode


def _decode_pairs(data: bytes, codec: str) -> str:
    """Decode; a wrong pair becomes one U+FFFD, but an ASCII byte in it stays."""
    decoder = codecs.getdecoder(codec)
    view = memoryview(data)
    pieces: list[str] = []
    at = 0
    while at < len(data):
        if len(pieces) > _MOST_ERRORS:  # no text at all: only be done with it
            pieces.append(data[at:].decode(codec, "replace"))
            break
        try:
            pieces.append(decoder(view[at:], "strict")[0])
            break
        except UnicodeDecodeError as error:
            wrong = at + error.start
            pieces += [decoder(view[at:wrong], "strict")[0], "\ufffd"]
            at = wrong + 1 + (wrong + 1 < len(data) and data[wrong + 1] >= 0x80)
    return "".join(pieces)
