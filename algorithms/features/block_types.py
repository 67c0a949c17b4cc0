"""Suggested types of blocks, each for a simple reason that can be shown.

Names are Kreuzer's (thesis, section 4.4).  Asked in this order: what the page itself declares
(HTML5 sections, ARIA landmarks), what a block contains, where it stands.  No answer is an answer.
"""

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
WIDE = 0.6
"""A header or footer inside another block is at least this share of the page wide."""

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


class Typist:
    """Suggests types on one page."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        nodes = seen.nodes
        inputs = nodes.visible & nodes.has_tag("input")
        for row in np.flatnonzero(inputs).tolist():
            inputs[row] = _takes_text(nodes.attributes[row])
        self._inputs = nodes.subtree_sum(inputs)
        self._videos = nodes.subtree_sum(nodes.visible & nodes.has_tag("video"))

    def suggest(self, row: int, level: int) -> tuple[str, str]:
        """Return a type and why, or two empty texts."""
        answers = [self._declared(row)]
        if level == 1:
            answers += [self._placed(row), self._contained(row)]
        else:
            answers += [self._most(row), self._contained(row), self._edge(row), self._story(row)]
        return next((answer for answer in answers if answer[0]), ("", ""))

    def _declared(self, row: int) -> tuple[str, str]:
        nodes = self._seen.nodes
        role = nodes.attributes[row].get("role", "").lower().split()
        name = role[0] if role else nodes.name_of(row)
        kind = LANDMARKS.get(name, "")
        return (kind, f"declared as {name}") if kind else ("", "")

    def _contained(self, row: int) -> tuple[str, str]:
        seen = self._seen
        letters, links, media = seen.letters[row], seen.links[row], seen.media[row]
        if self._videos[row] and letters < PROSE_LETTERS:
            return "Video", "a video and little text"
        if self._inputs[row] == 1 and letters < PROSE_LETTERS and links < 3:
            return "Search bar", "one field to type in and little else"
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
        return "", ""

    def _placed(self, row: int) -> tuple[str, str]:
        nodes = self._seen.nodes
        if not self._seen.letters[row] and not self._seen.media[row]:
            return "", ""  # a margin with a pattern is no sidebar
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
        return "", ""

    def _most(self, row: int) -> tuple[str, str]:
        if self._seen.letters[row] > 0.5 * self._seen.letters[0]:
            return "Content", "most of the page's text"
        return "", ""

    def _edge(self, row: int) -> tuple[str, str]:
        """Return the type of a header or footer that only its wrapper keeps from level 1."""
        kind, why = self._placed(row)
        wide = self._seen.rects[row][2] >= WIDE * self._seen.nodes.width
        return (kind, why) if wide and kind in ("Header", "Footer") else ("", "")

    def _is_logo(self, row: int) -> bool:
        left, top, width, _ = self._seen.rects[row]
        return bool(top < LOGO_PX and left + width / 2 < self._seen.nodes.width / 2)

    def _story(self, row: int) -> tuple[str, str]:
        letters = self._seen.letters[row]
        if letters >= PROSE_LETTERS and self._seen.linked_letters[row] < 0.5 * letters:
            return "Article", "text of some length, most of it no link"
        return "", ""


def _takes_text(attributes: Mapping[str, str]) -> bool:
    """Return whether an ``input`` is a line to type in."""
    return attributes.get("type", "text").lower() in ("text", "search", "")
