"""Visible changes that keep the content.

Advertisements are out, or all texts are a third longer, those of the gold as well.
"""

import html as html_module
import re
import zlib

import lxml.html

from engine.mask import visible_ranges

_TAG = re.compile(r"""(</?[a-zA-Z](?:[^>"']|"[^"]*"|'[^']*')*>)""")
_WORD = re.compile(r"\w+")
_AD_NAME = re.compile(
    r"""ads? | adv | advert\w* | ads(bygoogle|ense\w*)
      | ad[-_]?(slot|unit|container|wrap(per)?|banner|box|block|space|zone|placeholder|
                leaderboard|sidebar|label)([-_\d].*)?
      | (google|dfp|gpt|div-gpt|banner)[-_]?ads?([-_\d].*)?
      | .*[-_](ads?|advert(isement)?s?)([-_]?\d+)?
      | (taboola|outbrain)([-_].*)? | sponsored([-_].*)?""",
    re.IGNORECASE | re.VERBOSE,
)
_AD_SERVER = re.compile(
    r"doubleclick\.net|googlesyndication|adservice\.|/adserver|adnxs\.com|taboola\.com|"
    r"outbrain\.com|amazon-adsystem",
    re.IGNORECASE,
)
_NEVER_ADS = frozenset("html head body main article header footer nav form h1 table tbody".split())
_HOLDS_CONTENT = frozenset({"main", "article", "h1"})


def lengthen(text: str) -> str:
    """Write every third word twice.

    Which ones follows from the words alone, so that gold and page grow alike.
    """
    return _WORD.sub(
        lambda word: f"{word[0]} {word[0]}" if zlib.crc32(word[0].encode()) % 3 == 0 else word[0],
        text,
    )


def lengthen_texts(html: str) -> str:
    """Make all texts of a page a third longer."""

    def longer(text: str) -> str:
        if text.isspace() or not text:
            return text
        return html_module.escape(lengthen(html_module.unescape(text)), quote=False)

    parts, at = [], 0
    for start, end in visible_ranges(html):
        parts.append(html[at:start])
        pieces = _TAG.split(html[start:end])  # text, tag, text, …
        parts += [piece if index % 2 else longer(piece) for index, piece in enumerate(pieces)]
        at = end
    return "".join([*parts, html[at:]])


def drop_advertisements(root: lxml.html.HtmlElement) -> int:
    """Remove elements that are advertisements by name or server; return how many were."""
    ads = [element for element in root.iter() if _is_advertisement(element)]
    for element in ads:
        if element.getparent() is not None:
            element.drop_tree()
    return len(ads)


def _is_advertisement(element: lxml.html.HtmlElement) -> bool:
    if not isinstance(element.tag, str) or element.tag in _NEVER_ADS:
        return False
    names = [*(element.get("class") or "").split(), element.get("id") or ""]
    is_named = any(map(_AD_NAME.fullmatch, names))
    address = f"{element.get('src') or ''} {element.get('href') or ''}"
    if not (is_named or _AD_SERVER.search(address)):
        return False
    return not any(inner.tag in _HOLDS_CONTENT for inner in element.iter())
