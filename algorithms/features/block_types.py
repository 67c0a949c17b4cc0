"""Suggested types of blocks, each for a simple reason that can be shown.

Names are Kreuzer's (thesis, section 4.4).  Asked in this order: what the page itself declares
(HTML5 sections, ARIA landmarks), what its author calls the block, on level 1 where it stands, what
it contains.  No answer is an answer.

On Kreuzer's 78 random pages the answers are right for 62 % of the blocks that Terrain places as the
gold does: for 64 % and 61 % of them on two halves of the pages drawn by chance.
"""

import re
from collections.abc import Mapping

import numpy as np

from algorithms.features.visible import Seen

LANDMARKS = {
    "banner": "Header", "header": "Header", "contentinfo": "Footer", "footer": "Footer",
    "main": "Content", "complementary": "Sidebar", "aside": "Sidebar", "navigation": "Menu",
    "nav": "Menu", "search": "Search bar", "article": "Article",
}  # fmt: skip
"""ARIA roles and HTML5 tags; a role wins over a tag."""

EDGE = 0.3
"""Share of the page from its top in which a header ends and from its end in which a footer begins,
at most `EDGE_PX`."""

EDGE_PX = 400.0
NARROW = 0.35
"""A sidebar is at most this share of the page wide ..."""

TALL = 1.2
"""... and at least so many times as high as wide."""

LINKED = 0.6
"""A menu or a list of links has this share of its letters in links."""

PROSE_LETTERS = 200
LOGO_LETTERS = 30
LOGO_PX = 200.0
"""A logo begins in so many px from the top and has at most so many letters."""

AD_SIZES = frozenset([
    (120, 240), (120, 600), (160, 600), (180, 150), (200, 200), (234, 60), (240, 400), (250, 250),
    (300, 250), (300, 600), (300, 1050), (320, 50), (320, 100), (336, 280), (468, 60), (728, 90),
    (970, 90), (970, 250),
])  # fmt: skip
"""Widths and heights of advertisements in px, as the Interactive Advertising Bureau lists them."""

NAMES = {
    1: {"header": "Header", "footer": "Footer", "sidebar": "Sidebar"},
    2: {
        "logo": "Logo", "menu": "Menu", "nav": "Menu", "navbar": "Menu", "navigation": "Menu",
        "comments": "Comments", "ad": "Ad", "ads": "Ad", "advert": "Ad", "advertisement": "Ad",
        "search": "Search bar", "searchform": "Search bar",
    },
}  # fmt: skip
"""Words of ids and classes by which authors call blocks of a level."""

_NONE = ("", "")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


class Typist:
    """Suggests types on one page."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        nodes = seen.nodes
        inputs = nodes.visible & nodes.has_tag("input")
        for row in np.flatnonzero(inputs).tolist():
            inputs[row] = _takes_text(nodes.attributes[row])
        self._inputs = nodes.subtree_sum(inputs)
        logos = nodes.visible & nodes.has_tag("img")
        for row in np.flatnonzero(logos).tolist():
            logos[row] = _says_logo(nodes.attributes[row])
        self._logos = nodes.subtree_sum(logos)
        self._videos = nodes.subtree_sum(nodes.visible & nodes.has_tag("video"))

    def suggest(self, row: int, level: int) -> tuple[str, str]:
        """Return a type and why, or two empty texts."""
        answers = [self._declared(row), self._named(row, level)]
        if level == 1:
            answers += [self._placed(row), self._contained(row), self._rest(row)]
        else:
            answers += [self._contained(row), self._words(row)]
        return next((answer for answer in answers if answer[0]), _NONE)

    def _declared(self, row: int) -> tuple[str, str]:
        nodes = self._seen.nodes
        role = nodes.attributes[row].get("role", "").lower().split()
        name = role[0] if role else nodes.name_of(row)
        kind = LANDMARKS.get(name, "")
        return (kind, f"declared as {name}") if kind else _NONE

    def _named(self, row: int, level: int) -> tuple[str, str]:
        """Return what the author calls the block."""
        found = self._seen.nodes.attributes[row]
        for name in ("id", "class"):
            for word in _WORD.findall(found.get(name, "")):
                kind = NAMES[level].get(word.lower(), "")
                if kind:
                    return kind, f"called {word}"
        return _NONE

    def _contained(self, row: int) -> tuple[str, str]:
        seen = self._seen
        letters, links, media = seen.letters[row], seen.links[row], seen.media[row]
        if self._videos[row] and letters < PROSE_LETTERS:
            return "Video", "a video and little text"
        if self._inputs[row] == 1 and letters < PROSE_LETTERS and links < 3:
            return "Search bar", "one field to type in and little else"
        if media == 1 and not letters and self._is_ad_size(row):
            return "Ad", "a picture of the size of advertisements"
        if media == 1 and letters <= LOGO_LETTERS and self._is_logo(row):
            return "Logo", "a picture in the page's upper left"
        if not letters and media == 1:
            return "Image", "a picture without words"
        if links >= 3 and seen.linked_letters[row] >= LINKED * letters:
            _, _, width, height = seen.rects[row]
            share = f"{links:.0f} links make most of it"
            if width > 3 * height:
                return "Menu", f"{share}, side by side"
            return "Link list", f"{share}, one below the other"
        return _NONE

    def _placed(self, row: int) -> tuple[str, str]:
        nodes = self._seen.nodes
        if not self._seen.letters[row] and not self._seen.media[row]:
            return _NONE  # a margin with a pattern is no sidebar
        _, top, width, height = self._seen.rects[row]
        edge = min(EDGE * nodes.height, EDGE_PX)
        if top + height <= edge:
            return "Header", "at the top of the page"
        if top >= nodes.height - edge:
            return "Footer", "at the end of the page"
        if width <= NARROW * nodes.width and height >= TALL * width:
            return "Sidebar", "narrow and high"
        if width > NARROW * nodes.width and self._seen.letters[row] >= PROSE_LETTERS:
            return "Content", "wide, with text"
        return _NONE

    def _is_logo(self, row: int) -> bool:
        if self._logos[row]:
            return True
        left, top, width, _ = self._seen.rects[row]
        return bool(top < LOGO_PX and left + width / 2 < self._seen.nodes.width / 2)

    def _is_ad_size(self, row: int) -> bool:
        width, height = (round(float(side)) for side in self._seen.rects[row][2:])
        return (width, height) in AD_SIZES

    def _rest(self, row: int) -> tuple[str, str]:
        return ("Content", "words, and nothing else to go by") if self._seen.letters[row] else _NONE

    def _words(self, row: int) -> tuple[str, str]:
        """Return what a block with words is that nothing else speaks of."""
        letters, linked = self._seen.letters[row], self._seen.linked_letters[row]
        if letters and linked >= LINKED * letters:
            return "Link list", "words that are links"
        return ("Article", "text, most of it no link") if letters else _NONE


def _says_logo(attributes: Mapping[str, str]) -> bool:
    """Return whether a picture's own words call it a logo."""
    words = (attributes.get(name, "").lower() for name in ("id", "class", "alt", "src"))
    return any("logo" in word for word in words)


def _takes_text(attributes: Mapping[str, str]) -> bool:
    """Return whether an ``input`` is a line to type in."""
    return attributes.get("type", "text").lower() in ("text", "search", "")
