"""Character references, in text and in attributes, as browsers read them.

Source: WHATWG HTML, 13.2.5.72 to 13.2.5.80.  `html.unescape` is for text alone (``&copy=`` in an
address is no ©), and leaves out control characters and noncharacters, which browsers keep.
"""

import re
from collections.abc import Callable
from html.entities import html5

_REFERENCE = re.compile(r"&(?:#(?:[xX]([0-9a-fA-F]+)|([0-9]+));?|([a-zA-Z][a-zA-Z0-9]*)([;=]?))")
_LONGEST = max(map(len, html5))
_OF_WINDOWS = {
    code: bytes([code]).decode("cp1252")
    for code in range(0x80, 0xA0)
    if code not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
_PLAIN = {"&quot;": '"', "&#39;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&"}
"""References that mean the same whatever follows; the one that makes others is the last."""


def resolve(text: str) -> str:
    """Return a text of markup with its references resolved."""
    return _resolved(text, _in_text) if "&" in text else text


def resolve_value(value: str) -> str:
    """Return the value of an attribute, as written, with its references resolved.

    A name without its semicolon stays where "=", a letter or a digit follows.  Line ends are one
    line feed each.
    """
    if "\r" in value:
        value = value.replace("\r\n", "\n").replace("\r", "\n")
    return _resolved(value, _in_value) if "&" in value else value


def _resolved(text: str, read: Callable[[re.Match[str]], str]) -> str:
    left = text.count("&")
    for written in _PLAIN:  # nearly always these alone, such as in addresses and in JSON
        left -= text.count(written)
        if not left:
            for known, letter in _PLAIN.items():
                text = text.replace(known, letter)
            return text
    return _REFERENCE.sub(read, text)


def _in_value(match: re.Match[str]) -> str:
    name, after = match[3], match[4]
    if name is None:
        return _numbered(match)
    if after == ";" and (known := html5.get(f"{name};")):
        return known
    # A shorter name in it would be followed by a letter or a digit.
    return match[0] if after == "=" else html5.get(name, match[0][: len(name) + 1]) + after


def _in_text(match: re.Match[str]) -> str:
    name, after = match[3], match[4]
    if name is None:
        return _numbered(match)
    if after == ";" and (known := html5.get(f"{name};")):
        return known
    for size in range(min(len(name), _LONGEST), 1, -1):
        if known := html5.get(name[:size]):
            return f"{known}{name[size:]}{after}"
    return match[0]


def _numbered(match: re.Match[str]) -> str:
    digits = match[1] or match[2]
    code = int(digits, 16 if match[1] else 10) if len(digits) < 100 else 0
    if code in _OF_WINDOWS:
        return _OF_WINDOWS[code]
    is_letter = 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF
    return chr(code) if is_letter else "\ufffd"
