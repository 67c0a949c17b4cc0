"""The title of a page from its first bytes: for lists of pages, which need nothing else of it."""

import re

from engine.encoding import decode
from engine.references import resolve
from engine.words import shorten

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
