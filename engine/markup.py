"""From tags to a tree: which element a tag opens, and which it silently ends.

HTML lets authors leave out end tags and nest elements wrongly.  This follows the rules of WHATWG
HTML where they change which text lies in which block (paragraphs, list items, table parts,
options); for wrongly nested end tags it goes by priority, as libxml2 does: an end tag never
closes an element of higher priority, so a stray ``</b>`` leaves its ``div`` open.
"""

from typing import Any

import numpy as np

from engine.tokenise import Tokens
from engine.tree import TEXT, Ints

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
_PARAGRAPH = frozenset(["p"])
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


# What a start tag may do beside opening an element.
_PLAIN, _VOID, _BLOCK, _LINK, _OTHER = range(5)


def _kind(name: str) -> int:
    """Tell the many tags with simple rules from the few that need a look at what is open."""
    if name in ("html", "body") or name in _ENDS or name in _HEADINGS:
        return _OTHER
    if name in _ENDS_PARAGRAPH:
        return _OTHER if name in VOID_TAGS else _BLOCK
    return _LINK if name == "a" else _VOID if name in VOID_TAGS else _PLAIN


def build(html: str, tokens: Tokens) -> dict[str, Any]:
    """Return the columns of a `SourceTree`.  O(m) for m tokens (times depth for stray tags)."""
    builder = _Builder(html, tokens)
    builder.read()
    return builder.columns()


class _Builder:
    """Walks over the tags once; what can be said of all rows at a time is left to `columns`."""

    def __init__(self, html: str, tokens: Tokens) -> None:
        self._size = len(html)
        self._tokens = tokens
        # Open elements and rows carry numbers of names: those of the tokens, then html's and p's.
        self._names = (*tokens.names, "html", "p")
        self._number = {name: number for number, name in reversed([*enumerate(self._names)])}
        self._open = [0] * len(self._names)  # how many of each name are open
        self._stack: list[int] = []  # the names of the open elements
        self._rows: list[int] = []  # and their rows
        self._tag: list[int] = []  # per row, -1 for a text
        self._parent: list[int] = []
        self._first: list[int] = []  # the tag's token, or a text's first
        self._last: list[int] = []  # the same token, or a text's last
        self._made_up: list[int] = []  # rows without a start tag
        self._ended: list[tuple[int, int, int]] = []  # row, end of its inside, end

    def read(self) -> None:
        """Walk over the tags; texts are the runs of words between them."""
        tokens = self._tokens
        at = np.flatnonzero(tokens.is_tag).tolist()
        numbers = tokens.name[at].tolist()
        closes = tokens.is_close[at].tolist()
        starts, ends = tokens.start[at].tolist(), tokens.end[at].tolist()
        kinds = [_kind(name) for name in self._names]
        voids = [name in VOID_TAGS for name in self._names]
        paragraph = self._number["p"]
        is_first = bool(at) and at[0] == 0 and self._names[numbers[0]] == "html" and not closes[0]
        if not is_first:
            self._made_up.append(0)
        self._push(self._number["html"], 0)

        stack, rows, opened = self._stack, self._rows, self._open
        tag, parent, first, last = self._tag, self._parent, self._first, self._last
        before = -1  # the token before the current run of words
        for token, number, closing, start, end in zip(
            at, numbers, closes, starts, ends, strict=True
        ):
            if token - before != 1:
                tag.append(-1)
                parent.append(rows[-1])
                first.append(before + 1)
                last.append(token - 1)
            before = token
            if closing:
                if stack[-1] != number or len(stack) == 1 or kinds[number] == _OTHER:
                    self._close(number, token, start, end)
                else:
                    stack.pop()
                    opened[number] -= 1
                    self._ended.append((rows.pop(), start, end))
                continue
            kind = kinds[number]
            if kind == _BLOCK:
                if opened[paragraph]:
                    self._end_implied(_PARAGRAPH, _SHIELDS["p"], start)
            elif kind == _LINK:
                if stack[-1] == number:
                    self._pop(start, start)  # a link cannot stand directly in a link
            elif kind == _OTHER and not self._make_room(number, start):
                continue
            parent.append(rows[-1])
            if kind != _VOID and len(stack) < _DEEPEST and not voids[number]:
                stack.append(number)
                opened[number] += 1
                rows.append(len(tag))
            tag.append(number)
            first.append(token)
            last.append(token)
        if len(tokens) - before > 1:
            self._add(-1, before + 1, len(tokens) - 1)
        while stack:
            self._pop(self._size, self._size)

    def columns(self) -> dict[str, Any]:
        """Return the arguments of `SourceTree`."""
        tokens = self._tokens
        first, last = np.array(self._first, np.intp), np.array(self._last, np.intp)
        tag = np.array(self._tag, np.int32)
        is_text = tag < 0
        # A document without tokens has a root still.
        start = np.append(tokens.start, 0)[first]
        ending = np.append(tokens.end, 0)
        ended = np.array(self._ended, np.int32).reshape(-1, 3)
        outer = np.stack([start, ending[last]], axis=1)
        inner = np.stack([np.where(is_text, start, ending[first]), ending[last]], axis=1)
        outer[ended[:, 0], 1] = ended[:, 2]
        inner[ended[:, 0], 1] = ended[:, 1]
        token = np.where(is_text, -1, first).astype(np.int32)
        token[self._made_up] = -1
        if self._made_up[:1] == [0]:
            outer[0, 0] = inner[0, 0] = 0
        words = np.searchsorted(tokens.spans[:, 0], outer)
        names, tag = self._numbered(tag)
        return {
            "names": names,
            "tag": tag,
            "parent": np.array(self._parent, dtype=np.int32),
            "outer": outer,
            "inner": inner,
            "words": words.astype(np.int32),
            "token": token,
        }

    def _numbered(self, tag: Ints) -> tuple[tuple[str, ...], Ints]:
        """Number the names by appearance in the tree, after ``html`` and texts."""
        numbers = {"html": 0, TEXT: 1}
        order = [
            numbers.setdefault(self._names[number] if number >= 0 else TEXT, len(numbers))
            for number in dict.fromkeys(self._tag)
        ]
        new = np.zeros(len(self._names) + 1, dtype=np.int32)
        new[list(dict.fromkeys(self._tag))] = order
        return tuple(numbers), new[tag]

    def _add(self, number: int, first: int, last: int) -> int:
        self._tag.append(number)
        self._parent.append(self._rows[-1] if self._rows else -1)
        self._first.append(first)
        self._last.append(last)
        return len(self._tag) - 1

    def _push(self, number: int, token: int) -> None:
        row = self._add(number, token, token)
        self._stack.append(number)
        self._rows.append(row)
        self._open[number] += 1

    def _pop(self, inner_end: int, outer_end: int) -> None:
        self._open[self._stack.pop()] -= 1
        self._ended.append((self._rows.pop(), inner_end, outer_end))

    def _make_room(self, number: int, at: int) -> bool:
        """End what a start tag ends; return whether it opens anything itself."""
        name = self._names[number]
        if name in ("html", "body") and self._open[number]:
            return False
        if name in _ENDS_PARAGRAPH and self._open[self._number["p"]]:
            self._end_implied(_PARAGRAPH, _SHIELDS["p"], at)
        if name in _HEADINGS and self._names[self._stack[-1]] in _HEADINGS:
            self._pop(at, at)
        elif name in _ENDS:
            shield = _TABLE_SHIELD if name in _TABLE else _SHIELDS.get(name, _RUBY_SHIELD)
            self._end_implied(_ENDS[name], shield, at)
        return True

    def _end_implied(self, names: frozenset[str], shield: frozenset[str], at: int) -> None:
        """End the outermost of ``names`` that no shield is between, with all inside it."""
        number = self._number
        if not any(name in number and self._open[number[name]] for name in names):
            return
        lowest = len(self._stack)
        for depth in range(len(self._stack) - 1, 0, -1):
            name = self._names[self._stack[depth]]
            if name in shield:
                break
            if name in names:
                lowest = depth
        while len(self._stack) > lowest:
            self._pop(at, at)

    def _close(self, number: int, token: int, start: int, end: int) -> None:
        name = self._names[number]
        if name == "br":
            self._made_up.append(self._add(number, token, token))
        if name in ("html", "body") or not self._open[number]:
            return
        priority = _PRIORITY.get(name, _USUAL_PRIORITY)
        for depth in range(len(self._stack) - 1, 0, -1):
            other = self._names[self._stack[depth]]
            if other == name:
                while len(self._stack) > depth + 1:
                    self._pop(start, start)
                self._pop(start, end)
                return
            if _PRIORITY.get(other, _USUAL_PRIORITY) > priority:
                return
