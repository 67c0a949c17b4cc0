"""Syntax colours of HTML, by Pygments, for the visible part: large pages are never lexed whole.

A lexer may start at any tag outside of scripts and comments, so the source is cut at some of those;
in a long script or style sheet it starts at a line, in that language.
"""

from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from engine.source import Source
from gui.widgets.theme import kind_of

CHUNK = 3000
"""Approximate number of characters lexed at once: a screen has one or two chunks."""

_LONGEST = 12_000
"""Length above which a chunk without a tag to cut at, as a script, is lexed in parts."""

KINDS = {
    "Name.Tag": "tag",
    "Punctuation": "tag",
    "Name.Attribute": "attribute",
    "Literal.String": "value",
    "Name.Entity": "entity",
    "Comment": "comment",
    "Keyword": "keyword",
    "Literal.Number": "number",
}
"""Coloured kinds by Pygments' token types."""

SyntaxSpan = tuple[int, int, str]
"""Start, end and kind of a span of the source."""


class Syntax:
    """Kinds of a source's characters, computed chunk by chunk and cached."""

    def __init__(self, source: Source) -> None:
        self._html, self._tokens = source.html, source.tokens
        self._tags = np.flatnonzero(source.tokens.is_tag)
        self._cuts = [0]
        for start in source.tokens.start[self._tags].tolist():
            if start - self._cuts[-1] >= CHUNK:
                self._cuts.append(start)
        self._known: dict[tuple[int, int], tuple[SyntaxSpan, ...]] = {}

    def pieces(self, start: int, end: int) -> tuple[SyntaxSpan, ...]:
        """Return the syntax spans of a part of the source, in order."""
        result: list[SyntaxSpan] = []
        first = max(0, bisect_right(self._cuts, start) - 1)
        cuts = [*self._cuts[first : bisect_left(self._cuts, end) + 1], len(self._html)]
        for low, high in pairwise(cuts):
            for a, b in self._parts(low, high, start, end) if low < end else ():
                result += self._lexed(a, b)
        return tuple(piece for piece in result if piece[1] > start and piece[0] < end)

    def _parts(self, low: int, high: int, start: int, end: int) -> list[tuple[int, int]]:
        if high - low <= _LONGEST:
            return [(low, high)]
        first = low + max(0, start - low) // CHUNK * CHUNK
        return [(at, min(at + CHUNK, high)) for at in range(first, min(end, high), CHUNK)]

    def _lexed(self, low: int, high: int) -> tuple[SyntaxSpan, ...]:
        if (low, high) not in self._known:
            tokens = self._lexer(low).get_tokens_unprocessed(self._html[low:high])
            self._known[low, high] = tuple(
                (low + at, low + at + len(value), kind)
                for at, token, value in tokens
                if value and (kind := _kind(token))
            )
        return self._known[low, high]

    def _lexer(self, at: int) -> Any:  # noqa: ANN401  a lexer of Pygments
        """Return the lexer for a position: a tag, or the inside of a script."""
        tokens = self._tokens
        last = int(np.searchsorted(tokens.start[self._tags], at, side="right")) - 1
        if last < 0 or tokens.start[self._tags[last]] == at:
            return _lexers()["html"]
        tag = self._tags[last]
        name = "" if tokens.is_close[tag] else tokens.names[tokens.name[tag]]
        return _lexers().get(name, _lexers()["html"])


@lru_cache(maxsize=1)
def _lexers() -> dict[str, Any]:
    # Not before a source is shown: the window opens without it.
    from pygments.lexers.css import CssLexer
    from pygments.lexers.html import HtmlLexer
    from pygments.lexers.javascript import JavascriptLexer

    return {"html": HtmlLexer(), "script": JavascriptLexer(), "style": CssLexer()}


@lru_cache(maxsize=512)
def _kind(token: tuple[str, ...]) -> str:
    return kind_of(token, KINDS)
