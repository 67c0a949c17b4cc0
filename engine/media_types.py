"""The media type and charset of an answer, as browsers read its header (Chromium agrees with both).

Sources: WHATWG, "MIME Sniffing", 4.4; "Fetch", 2.2.2, *extract a MIME type*: of several values, in
one line or more, the last counts, with the charset of one before it of the same type.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_BLANK = " \t\r\n"
_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_TEXT_OR_QUOTED = re.compile(r'(?:"(?:[^"\\]|\\.)*(?:"|\Z)|[^",])+', re.DOTALL)
_TYPE = re.compile(rf"({_TOKEN}/{_TOKEN})[{_BLANK}]*(?:;|\Z)")
_PARAMETER = re.compile(
    rf'[{_BLANK}]*([^;=]*)(?:=(?:"((?:[^"\\]|\\.)*)(?:"[^;]*|\Z)|([^;]*)))?(?:;|\Z)', re.DOTALL
)


class MediaType(NamedTuple):
    """A media type and the label of a charset, in lower case; "" for none."""

    kind: str
    charset: str


def media_type(header: str) -> MediaType:
    """Return the type that a header ``Content-Type`` names; several lines are joined by commas.

    >>> media_type('text/html; name="; charset=a"; Charset="utf-8"; x=y')
    MediaType(kind='text/html', charset='utf-8')
    >>> media_type("text/html; charset=gbk, text/html"), media_type("HTML charset=gbk")
    (MediaType(kind='text/html', charset='gbk'), MediaType(kind='', charset=''))
    """
    kind = charset = ""
    for value in _TEXT_OR_QUOTED.findall(header):
        found = _TYPE.match(value.strip(_BLANK))
        if found is None or found[1] == "*/*":
            continue
        own, before = next(_charsets(value.strip(_BLANK)[found.end() :]), ""), kind
        kind = found[1].lower()
        charset = own or (charset if kind == before else "")
    return MediaType(kind, charset)


def _charsets(parameters: str) -> Iterator[str]:
    for name, quoted, plain in _PARAMETER.findall(parameters):
        value = re.sub(r"\\(.)", r"\1", quoted) or plain.rstrip(_BLANK)
        if name.lower() == "charset" and value:
            yield value.strip(_BLANK).lower()
