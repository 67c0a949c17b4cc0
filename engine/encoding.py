"""How a browser decodes a document: byte order mark, HTTP charset, ``<meta>``, then a guess.

Source: WHATWG, "Encoding" and "HTML" (determining the character encoding); where Chromium differs
it is followed (blink, HTMLMetaCharsetParser and TextResourceDecoder): a ``<meta>`` counts as long
as only head elements come before it, however late, and not inside a title, script or style; an XML
declaration counts after it.  Without any declaration, text that is UTF-8 is taken for it, as
Chromium does with local files; else chardetng, the detector of Firefox, guesses.
"""

import re
from typing import NamedTuple

import chardetng_py
import webencodings

from engine.decoding import decode_as

REPLACEMENT = "replacement"
"""Encoding of labels that let text pass for markup, such as ``hz-gb-2312``: nothing is decoded, and
one U+FFFD replaces all of it."""

_PRESCAN_BYTES = 1024
"""How far a ``<meta>`` counts behind elements that are none of a head."""

GUESS_BYTES = 32_768
"""How much of a document Chromium is sure to have read when it guesses an encoding."""

_MOST_HEAD_BYTES = 1 << 20
"""Bytes of a head that are searched for a ``<meta>``."""

_ASCII = bytes(range(128))

_DETECTED = {"cp874": "windows-874", "gb18030": "gbk"}
"""Chromium's names of encodings that chardetng calls otherwise."""

_MOST_ERRORS_IN_UTF8 = 0.1
"""Share of wrong bytes among letters up to which an undeclared text is damaged UTF-8.  Text in
another encoding is not UTF-8 by chance: nearly each of its letters is wrong in it."""

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))

_COMMENT = re.compile(rb"<!--(?:-?>|.*?--!?>)", re.DOTALL)
_TAG = re.compile(rb"<(/?)([a-zA-Z][^\s/>]*)")
_ATTRIBUTE = re.compile(
    rb"""[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?"""
)
_TAG_END = re.compile(rb"[\s/]*>")
_CHARSET = re.compile(rb"""charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))""", re.IGNORECASE)
_XML = re.compile(rb"""<\?xml\s[^>]*?encoding\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_HEAD = frozenset(b"script noscript style link meta object title base".split())
_TEXT_ONLY = frozenset(b"title textarea script style xmp iframe noembed noframes".split())
"""Elements in which ``<`` begins no tag but their own end."""


class Decoded(NamedTuple):
    """A decoded document.

    Attributes:
        text: Its text; bytes that are wrong in the encoding are U+FFFD.
        encoding: WHATWG name.
        is_guessed: Whether nothing declares the encoding, and the bytes are not all UTF-8.
    """

    text: str
    encoding: str
    is_guessed: bool


def decode(data: bytes, declared: str = "", guess: str = "") -> Decoded:
    """Return the text of a document.  Never raises; wrong bytes become U+FFFD.

    Args:
        data: The document.
        declared: The charset of the HTTP header; "" if there is none.
        guess: What a browser took it for; used where nothing declares an encoding.
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            return Decoded(decode_as(data[len(mark) :], name), name, False)
    name = name_of(declared) or declared_in(data)
    if name:
        return Decoded(decode_as(data, name), name, False)
    text = data.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    if not wrong or wrong <= _MOST_ERRORS_IN_UTF8 * len(data.translate(None, _ASCII)):
        return Decoded(text, "utf-8", wrong > 0)
    name = name_of(guess)
    if not name:
        detected = chardetng_py.detect(data)
        name = name_of(_DETECTED.get(detected, detected)) or "windows-1252"
    return Decoded(decode_as(data, name), name, True)


def served_charset(data: bytes, declared: str = "") -> str:
    """Return the charset to send to Chromium with a local document; "" to let it choose.

    It is told what it cannot see: that the text is UTF-8, which it looks for in ``file:`` alone,
    and a guess where its own, from the first piece it reads, has no letters to go by.
    """
    if declared or declared_in(data):
        return declared
    decoded = decode(data)
    can_guess = decoded.is_guessed and not data[:GUESS_BYTES].isascii()
    return "" if can_guess and decoded.encoding != "utf-8" else decoded.encoding


def declared_in(data: bytes) -> str:
    """Return the encoding that a ``<meta>`` or the XML declaration names, "" if none does."""
    return _declared_by_meta(data) or declared_in_xml(data)


def declared_in_xml(data: bytes) -> str:
    """Return the encoding that an XML declaration at the very beginning names, "" if none."""
    found = _XML.match(data)
    return _in_ascii(name_of((found[1] or found[2] or b"").decode("latin-1"))) if found else ""


def _declared_by_meta(data: bytes) -> str:
    data = data[:_MOST_HEAD_BYTES]
    at, is_in_head = 0, True
    while (at := data.find(b"<", at)) >= 0:
        if data.startswith(b"<!--", at):
            comment = _COMMENT.match(data, at)
            if comment is None:
                return ""
            at = comment.end()
        elif tag := _TAG.match(data, at):
            closes, name = bool(tag[1]), tag[2].lower()
            at, attributes = _attributes(data, tag.end())
            if name == b"meta" and not closes and (encoding := _encoding_of(attributes)):
                return encoding
            if name in _TEXT_ONLY and not closes:
                end = re.compile(rb"</%s[\s/>]" % name, re.IGNORECASE).search(data, at)
                if end is None:
                    return ""
                at = end.start()
            is_in_head &= name in _HEAD or (name in (b"html", b"head") and not closes)
        elif data[at + 1 : at + 2] in (b"!", b"/", b"?"):
            closing = data.find(b">", at)
            if closing < 0:
                return ""
            at = closing + 1
        else:
            at += 1
        if not is_in_head and at >= _PRESCAN_BYTES:
            return ""
    return ""


def _encoding_of(attributes: dict[bytes, bytes]) -> str:
    label = attributes.get(b"charset")
    if label is None and attributes.get(b"http-equiv", b"").lower() == b"content-type":
        match = _CHARSET.search(attributes.get(b"content", b""))
        label = next(g for g in match.groups() if g is not None) if match else None
    name = name_of(label.decode("latin-1")) if label else ""
    return "windows-1252" if name == "x-user-defined" else _in_ascii(name)


def _in_ascii(name: str) -> str:
    """Return UTF-8 for UTF-16: its name was read as ASCII."""
    return "utf-8" if name in ("utf-16le", "utf-16be") else name


def _attributes(data: bytes, at: int) -> tuple[int, dict[bytes, bytes]]:
    """Read attributes from ``at``: where their tag ends, and the last value of each name."""
    result: dict[bytes, bytes] = {}
    while match := _ATTRIBUTE.match(data, at):
        name, *values = match.groups()
        result[name.lower()] = next((v for v in values if v is not None), b"")
        at = match.end()
    end = _TAG_END.match(data, at)
    if end is None and at >= len(data):  # a tag that never ends is none
        result.clear()
    return (end.end() if end else max(at, 1)), result


def name_of(label: str) -> str:
    """Return the encoding a label means, "" where it means none we can decode."""
    try:
        encoding = webencodings.lookup(label)
    except (UnicodeError, ValueError):  # a label of odd characters
        return ""
    return str(encoding.name) if encoding else ""
