"""From tags to a tree: which element a tag opens, and which it silently ends.

HTML lets authors leave out end tags and nest elements wrongly.  This follows the rules of WHATWG
HTML where they change which text lies in which block (paragraphs, list items, table parts,
options); for wrongly nested end tags it goes by priority, as libxml2 does: an end tag never
closes an element of higher priority, so a stray ``</b>`` leaves its ``div`` open.
"""

import html as html_module
from typing import Any

import numpy as np

from engine.tokenise import Tokens
from engine.tree import TEXT

VOID_TAGS = frozenset(
    "area base basefont bgsound br col embed frame hr image img input keygen link meta param "
    "source track wbr".split()
)
"""Elements that hold nothing and have no end tag."""

_ENDS_PARAGRAPH = frozenset(
    "address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre section "
    "summary table ul".split()
)
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_TABLE_PARTS = frozenset("tbody thead tfoot".split())
_TABLE = frozenset("table caption colgroup tbody thead tfoot tr td th".split())

# What a start tag ends, and the elements that shield what is outside them.
_ENDS: dict[str, frozenset[str]] = {
    "li": frozenset(["li"]),
    "dt": frozenset(["dt", "dd"]),
    "dd": frozenset(["dt", "dd"]),
    "option": frozenset(["option"]),
    "optgroup": frozenset(["option", "optgroup"]),
    "td": frozenset(["td", "th", "caption", "colgroup"]),
    "th": frozenset(["td", "th", "caption", "colgroup"]),
    "tr": frozenset(["tr", "td", "th", "caption", "colgroup"]),
    "tbody": frozenset([*_TABLE_PARTS, "tr", "td", "th", "caption", "colgroup"]),
    "thead": frozenset([*_TABLE_PARTS, "tr", "td", "th", "caption", "colgroup"]),
    "tfoot": frozenset([*_TABLE_PARTS, "tr", "td", "th", "caption", "colgroup"]),
    "body": frozenset(["head"]),
    "frameset": frozenset(["head"]),
    "rt": frozenset(["rt", "rp"]),
    "rp": frozenset(["rt", "rp"]),
}
_CELLS = frozenset(["td", "th", "caption"])
_LISTS = frozenset(["ul", "ol", "menu", "dir", "table", "td", "th", "caption", "object", "html"])
_SHIELDS: dict[str, frozenset[str]] = {
    "li": _LISTS,
    "dt": frozenset(["dl", *_LISTS]),
    "dd": frozenset(["dl", *_LISTS]),
    "option": frozenset(["select", "datalist", "html"]),
    "optgroup": frozenset(["select", "html"]),
    "p": frozenset(["table", "td", "th", "caption", "button", "object", "html"]),
    "body": frozenset(["html"]),
    "frameset": frozenset(["html"]),
}
_TABLE_SHIELD = frozenset(["table", "html"])
_RUBY_SHIELD = frozenset(["ruby", "html"])

_PRIORITY = {
    "p": 10, "a": 5, "b": 5, "i": 5, "em": 5, "strong": 5, "font": 5, "u": 5, "s": 5, "big": 5,
    "small": 5, "tt": 5, "code": 5, "nobr": 5, "strike": 5, "span": 8,
    "td": 160, "th": 160, "caption": 160, "tr": 170, "tbody": 180, "thead": 180, "tfoot": 180,
    "table": 190, "div": 150, "section": 150, "article": 150, "main": 150, "aside": 150,
    "nav": 150, "header": 150, "footer": 150, "head": 200, "body": 200, "html": 220,
}  # fmt: skip
_USUAL_PRIORITY = 100
_DEEPEST = 10_000
"""Elements nested deeper become siblings: keeps a walk up the stack, and every reader, finite."""


def build(html: str, tokens: Tokens) -> dict[str, Any]:
    """Return the columns of a `SourceTree`.  O(m) for m tokens (times depth for stray tags)."""
    builder = _Builder(html, tokens)
    builder.read()
    return builder.columns()


class _Builder:
    def __init__(self, html: str, tokens: Tokens) -> None:
        self._html = html
        self._tokens = tokens
        self._names: dict[str, int] = {"html": 0, TEXT: 1}
        self._tag: list[int] = []
        self._parent: list[int] = []
        self._text: dict[int, str] = {}
        self._token: list[int] = []
        self._outer_start: list[int] = []
        self._inner_start: list[int] = []
        self._inner_end: list[int] = []
        self._outer_end: list[int] = []
        self._stack: list[tuple[str, int]] = []  # name and row of each open element
        self._open: dict[str, int] = {}  # how many of each name are open

    def read(self) -> None:
        """Walk over the tags; texts are the runs of words between them."""
        tokens = self._tokens
        at = np.flatnonzero(tokens.is_tag)
        names = [tokens.names[number] for number in tokens.name[at].tolist()]
        starts, ends = tokens.start.tolist(), tokens.end.tolist()
        closes = tokens.is_close.tolist()
        root = 0 if names[:1] == ["html"] and at[0] == 0 and not closes[0] else -1
        self._push("html", 0 if root < 0 else starts[root], 0 if root < 0 else ends[root], root)
        before = -1  # the token before the current run of words
        for token, name in zip(at.tolist(), names, strict=True):
            if token - before > 1:
                self._add_text(before + 1, token)
            before = token
            start, end = starts[token], ends[token]
            if closes[token]:
                self._close(name, start, end)
            elif name not in ("html", "body") or name not in self._open:
                self._start(name, start, end, token)
        if len(tokens) - before > 1:
            self._add_text(before + 1, len(tokens))
        while self._stack:
            self._pop(len(self._html), len(self._html))

    def columns(self) -> dict[str, Any]:
        """Return the arguments of `SourceTree`."""
        outer = np.array([self._outer_start, self._outer_end], dtype=np.int32).T
        inner = np.array([self._inner_start, self._inner_end], dtype=np.int32).T
        spans = self._tokens.spans
        words = np.stack(
            [np.searchsorted(spans[:, 0], outer[:, i], side="left") for i in (0, 1)], axis=1
        )
        text = self._text
        return {
            "names": tuple(self._names),
            "tag": np.array(self._tag, dtype=np.int32),
            "parent": np.array(self._parent, dtype=np.int32),
            "text": tuple([text.get(row, "") for row in range(len(self._tag))]),
            "outer": np.ascontiguousarray(outer),
            "inner": np.ascontiguousarray(inner),
            "words": words.astype(np.int32),
            "token": np.array(self._token, dtype=np.int32),
        }

    def _add(self, name: str, start: int, end: int, token: int) -> int:
        row = len(self._tag)
        self._tag.append(self._names.setdefault(name, len(self._names)))
        self._parent.append(self._stack[-1][1] if self._stack else -1)
        self._token.append(token)
        self._outer_start.append(start)
        self._inner_start.append(end)
        self._inner_end.append(end)
        self._outer_end.append(end)
        return row

    def _add_text(self, first: int, last: int) -> None:
        """Add the words that are tokens ``first`` to ``last - 1``."""
        tokens, html = self._tokens, self._html
        start, end = int(tokens.start[first]), int(tokens.end[last - 1])
        row = self._add(TEXT, start, end, -1)
        self._inner_start[row] = start
        text = html[start:end]
        if "<" in text:  # a comment stands between words
            gaps = tokens.gap[first:last].tolist()
            pieces = [html[tokens.start[first] : tokens.end[first]]]
            for token in range(first + 1, last):
                if gaps[token - first] > gaps[token - first - 1]:
                    pieces.append(" ")
                pieces.append(html[tokens.start[token] : tokens.end[token]])
            text = "".join(pieces)
        self._text[row] = html_module.unescape(text) if "&" in text else text

    def _push(self, name: str, start: int, end: int, token: int) -> None:
        row = self._add(name, start, end, token)
        self._stack.append((name, row))
        self._open[name] = self._open.get(name, 0) + 1

    def _pop(self, inner_end: int, outer_end: int) -> None:
        name, row = self._stack.pop()
        self._inner_end[row] = inner_end
        self._outer_end[row] = outer_end
        self._open[name] -= 1
        if not self._open[name]:
            del self._open[name]

    def _start(self, name: str, start: int, end: int, token: int) -> None:
        if name in _ENDS_PARAGRAPH and "p" in self._open:
            self._end_implied(frozenset(["p"]), _SHIELDS["p"], start)
        if name in _HEADINGS and self._stack[-1][0] in _HEADINGS:
            self._pop(start, start)
        elif name in _ENDS:
            shield = _TABLE_SHIELD if name in _TABLE else _SHIELDS.get(name, _RUBY_SHIELD)
            self._end_implied(_ENDS[name], shield, start)
        elif name == "a" and self._stack[-1][0] == "a":
            self._pop(start, start)  # a link cannot stand directly in a link
        if name in VOID_TAGS or len(self._stack) >= _DEEPEST:
            self._add(name, start, end, token)
        else:
            self._push(name, start, end, token)

    def _end_implied(self, names: frozenset[str], shield: frozenset[str], at: int) -> None:
        """End the outermost of ``names`` that no shield is between, with all inside it."""
        if not any(name in self._open for name in names):
            return
        lowest = len(self._stack)
        for depth in range(len(self._stack) - 1, 0, -1):
            name = self._stack[depth][0]
            if name in shield:
                break
            if name in names:
                lowest = depth
        while len(self._stack) > lowest:
            self._pop(at, at)

    def _close(self, name: str, start: int, end: int) -> None:
        if name == "br":
            self._add(name, start, end, -1)
        if name in ("html", "body") or name not in self._open:
            return
        priority = _PRIORITY.get(name, _USUAL_PRIORITY)
        for depth in range(len(self._stack) - 1, 0, -1):
            other = self._stack[depth][0]
            if other == name:
                while len(self._stack) > depth + 1:
                    self._pop(start, start)
                self._pop(start, end)
                return
            if _PRIORITY.get(other, _USUAL_PRIORITY) > priority:
                return
