"""Check that pages of every encoding of browsers load here, for the doctor.

PySide6-WebEngine 6.12.0 ends the renderer of each page that declares windows-1250, windows-1251,
ISO-8859-2, -9 or -15, KOI8-R or Big5: one ``<meta charset>`` is enough (qutebrowser #9003).
"""

from collections.abc import Iterator
from contextlib import suppress

import webencodings
from webencodings.labels import LABELS

from engine.document import plain_document
from engine.encoding import REPLACEMENT, decode
from engine.errors import PageletError
from engine.web.headless import Browser

_LETTERS = "aé ěß Жя λω אב سل あア 中文 가나 กข".split()
"""A word for each script that some encoding was made for."""


def encodings() -> tuple[str, ...]:
    """Return the names of all encodings of the WHATWG standard that decode a text."""
    names = dict.fromkeys(LABELS.values())
    names.pop(REPLACEMENT, None)
    return tuple(name for name in names if not name.startswith("utf-16"))  # no <meta> names these


def sample(encoding: str) -> bytes:
    """Return a page that declares an encoding and contains those of `_LETTERS` that it has."""
    words = list(_encoded(encoding)) or [b"\xe9"]  # x-user-defined has no letters to encode
    return b"<meta charset=%s><p>%s</p>" % (encoding.encode(), b" ".join(words))


def _encoded(encoding: str) -> Iterator[bytes]:
    codec = webencodings.lookup(encoding)
    assert codec is not None, encoding
    for word in _LETTERS:
        with suppress(UnicodeError):
            yield bytes(codec.codec_info.encode(word, "strict")[0])


def problems(browser: Browser) -> dict[str, str]:
    """Render a page of each encoding; return the encodings that fail, with the reason."""
    failed: dict[str, str] = {}
    for encoding in encodings():
        data = sample(encoding)
        try:
            page = browser.capture(plain_document(data))
        except PageletError as error:
            failed[encoding] = str(error)
            continue
        expected = decode(data).text.partition("<p>")[2].removesuffix("</p>")
        if page.rendered().text_below(0).strip() != expected:
            failed[encoding] = "other letters than the page has"
    return failed
