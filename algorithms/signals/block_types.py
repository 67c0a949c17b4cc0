"""Suggested types of blocks, each for a simple reason that can be shown.

Names are Kreuzer's (thesis, section 4.4).  Asked in this order: what the page itself declares
(HTML5 sections, ARIA landmarks), what its author calls the block, on level 1 where it stands, what
it contains.  No answer is an answer.

The numbers were chosen on 58 of Kreuzer's 78 random pages and are right there for 74 % of the
blocks that Terrain places as the gold does (68 % of all gold blocks); on the other 20, drawn with
the seed of `tests/bench/test_bench_annotator.py`, for 63 % (59 %).  Before they were 66 and 59 %.

Tried and left out, since they were no better than these rules: on some 190 columns of what is seen,
names and places, these rules' answers among them, cross-validated by page on the 58 (all gold
blocks; then the 20), logistic regression 66 to 69 % (55 to 57), forests of trees 67 to 69 % (61 to
63), nearest neighbours 61 % (51); with the type of the level-1 block around one up to 2 % more.

Nor does it help to learn, as an annotator goes on, from the pages before what each answer was
corrected to (0 of 1,224 blocks), or on the same page from neighbours and blocks with the same
answer (4 to 60 fewer right).  What blocks built alike were called does (42 more):
`annotate.marks.similar`.
"""

import re
from collections.abc import Callable

import numpy as np

from algorithms.levels import Level
from algorithms.signals.visible import VisibleColumns
from engine.tree import Bools, Doubles

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

LINKED = 0.35
"""A menu or a list of links has this share of its letters in links."""

TITLE_LETTERS = 100
TITLE_FONT = 1.35
"""A title is a heading, or a line in letters so many times as high as those of most of the page."""

MENU_PX = 450.0
MENU_WORD = 20
"""A menu begins in so many px from the top, and its links have at most so many letters each."""

VIDEO_PX = (300.0, 160.0)
"""A player is at least so wide and high."""

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

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

PICTURES = ("img", "svg", "canvas", "object", "embed")

_PLAYERS = ("youtube", "youtu.be", "vimeo", "dailymotion", "video", "player")
_NONE = ("", "")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


class Typist:
    """Suggestions of types on one page."""

    def __init__(self, seen: VisibleColumns) -> None:
        self._seen = seen
        self._inputs = self._number(("input",), self._takes_text)
        self._logos = self._number(("img",), self._says_logo)
        self._videos = self._number(("video",))
        self._players = self._number(("object", "embed", "iframe"), self._is_player)
        self._pictures = self._number(PICTURES)
        self._large_letters = seen.nodes.subtree_sum(_is_large(seen) * seen.letters)

    def _number(
        self, tags: tuple[str, ...], is_one: Callable[[int], bool] = lambda _row: True
    ) -> Doubles:
        """Return how many visible elements of some tags each row holds, (n,)."""
        nodes = self._seen.nodes
        flags = nodes.visible & nodes.has_tag(*tags)
        flags[[row for row in np.flatnonzero(flags).tolist() if not is_one(row)]] = False
        return nodes.subtree_sum(flags)

    def suggest(self, row: int, level: Level) -> tuple[str, str]:
        """Return a type and why, or two empty texts."""
        answers = [self._declared(row), self._named(row, level)]
        if level == 1:
            answers.append(self._placed(row))
        else:
            answers += [self._titled(row), self._contained(row), self._words(row)]
        return next((answer for answer in answers if answer[0]), _NONE)

    def _declared(self, row: int) -> tuple[str, str]:
        nodes = self._seen.nodes
        role = nodes.attributes[row].get("role", "").lower().split()
        name = role[0] if role else nodes.name_of(row)
        kind = LANDMARKS.get(name, "")
        return (kind, f"declared as {name}") if kind else _NONE

    def _named(self, row: int, level: Level) -> tuple[str, str]:
        result = self._seen.nodes.attributes[row]
        for name in ("id", "class"):
            for word in _WORD.findall(result.get(name, "")):
                kind = NAMES[level].get(word.lower(), "")
                if kind:
                    return kind, f"called {word}"
        return _NONE

    def _contained(self, row: int) -> tuple[str, str]:
        seen = self._seen
        letters, links, media = seen.letters[row], seen.links[row], seen.media[row]
        size = tuple(round(float(side)) for side in seen.rects[row][2:])
        if (self._videos[row] or self._players[row]) and letters < PROSE_LETTERS:
            return "Video", "a video and little text"
        if self._inputs[row] == 1 and letters < PROSE_LETTERS and links < 3:
            return "Search bar", "one field to type in and little else"
        if media == 1 and not letters and size in AD_SIZES:
            return "Ad", "a picture of the size of advertisements"
        is_picture = media == 1 or (not media and seen.backdrops[row] and not letters)
        if is_picture and letters <= LOGO_LETTERS and self._is_logo(row):
            return "Logo", "a picture in the page's upper left"
        if not letters and (media == 1 or (not media and seen.backdrops[row])):
            return "Image", "a picture without words"
        top = seen.rects[row][1]
        if not letters and media == self._pictures[row] > 1 and (links < 3 or top >= MENU_PX):
            return "Image", "pictures without words"
        if links >= 3 and seen.linked_letters[row] >= LINKED * letters:
            _, _, width, height = seen.rects[row]
            share = f"{links:.0f} links make most of it"
            if width > 3 * height:
                is_short = letters <= MENU_WORD * links
                if is_short and top < MENU_PX:
                    return "Menu", f"{share}, side by side near the top"
                return "Link list", f"{share}, side by side"
            return "Link list", f"{share}, one below the other"
        return _NONE

    def _titled(self, row: int) -> tuple[str, str]:
        seen, nodes = self._seen, self._seen.nodes
        letters = seen.letters[row]
        if not 0 < letters <= TITLE_LETTERS or seen.media[row]:
            return _NONE
        if nodes.name_of(row) in HEADINGS and seen.links[row] <= 1:
            return "Title", "a heading"
        if self._large_letters[row] >= 0.8 * letters and seen.links[row] <= 1:
            return "Title", "a line in large letters"
        return _NONE

    def _placed(self, row: int) -> tuple[str, str]:
        nodes = self._seen.nodes
        if not self._seen.shows[row]:
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
        return "Content", "visible, with no clearer sign of a type"

    def _is_logo(self, row: int) -> bool:
        left, top, width, height = self._seen.rects[row]
        if height > LOGO_PX:
            return False
        if self._logos[row]:
            return True
        return bool(top < LOGO_PX and left + width / 2 < self._seen.nodes.width / 2)

    def _takes_text(self, row: int) -> bool:
        kind = self._seen.nodes.attributes[row].get("type", "text").lower()
        return kind in ("text", "search", "")

    def _says_logo(self, row: int) -> bool:
        """Return whether a picture's own words call it a logo."""
        attributes = self._seen.nodes.attributes[row]
        return any("logo" in attributes.get(x, "").lower() for x in ("id", "class", "alt", "src"))

    def _is_player(self, row: int) -> bool:
        """Return whether an embedded object is a player of videos, by its size and its address."""
        nodes = self._seen.nodes
        width, height = nodes.rect[row, 2:].tolist()
        if width < VIDEO_PX[0] or height < VIDEO_PX[1]:
            return False
        attributes = nodes.attributes[row]
        address = " ".join(attributes.get(key, "") for key in ("src", "data", "data-src")).lower()
        is_named = nodes.name_of(row) in ("object", "embed")
        return is_named or any(word in address for word in _PLAYERS)

    def _words(self, row: int) -> tuple[str, str]:
        letters, linked = self._seen.letters[row], self._seen.linked_letters[row]
        if letters and linked >= LINKED * letters:
            return "Link list", "words that are links"
        return ("Article", "text, most of it no link") if letters else _NONE


def _is_large(seen: VisibleColumns) -> Bools:
    """Return which texts are in letters larger than those of most of the page, bool (n,)."""
    nodes = seen.nodes
    texts = np.flatnonzero(nodes.is_text & (seen.letters > 0))
    result = np.zeros(len(nodes), dtype=bool)
    if texts.size:
        sizes = nodes.pixels("font-size")[nodes.parent[texts]]
        order = np.argsort(sizes, kind="stable")
        total = np.cumsum(seen.letters[texts][order])
        usual = float(sizes[order][np.searchsorted(total, total[-1] / 2)])
        result[texts] = (sizes >= TITLE_FONT * usual) & (sizes > 0)
    return result
