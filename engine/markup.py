"""From tags to a tree: which element a tag opens, and which it silently ends.

HTML lets authors leave out end tags and nest elements wrongly.  This follows the rules of WHATWG
HTML where they change which text lies in which block (paragraphs, list items, table parts,
options); for wrongly nested end tags it goes by priority, as libxml2 does: an end tag never
closes an element of higher priority, so a stray ``</b>`` leaves its ``div`` open.
"""

from typing import Any

import numpy as np

from engine.tags import Places
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


# What a tag may do: open an element, after ending some, or none; or end one.
_PLAIN, _VOID, _BLOCK, _LINK, _OTHER, _END, _NOTHING = range(7)


def _kind(name: str) -> int:
    """Tell the many start tags with simple rules from the few that need a look at what is open."""
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
        self._at = np.flatnonzero(tokens.is_tag)  # the tokens that are tags
        self._has_text = np.diff(self._at, prepend=-1) != 1  # whether words stand before each
        last = int(self._at[-1]) if self._at.size else -1
        self._has_tail = last + 1 < len(tokens)  # whether words stand after all
        self._opens = ~tokens.is_close[self._at]  # whether each makes a row
        is_html = tokens.name[:1] == self._number["html"]
        self._has_root = bool(np.any(is_html & self._opens[:1])) and self._at[0] == 0
        self._open = [0] * len(self._names)  # how many of each name are open
        self._stack = [self._number["html"]]  # the names of the open elements
        self._rows = [0]  # and their rows
        self._parent = [-1]  # per row
        self._made_up: list[int] = []  # tags that open an element though they are end tags
        self._ended: list[int] = []  # rows
        self._ended_at: list[int] = []  # and the end tag of each, or ~ the tag that implies it

    def read(self) -> None:
        """Walk over the tags; texts are the runs of words between them."""
        name = self._tokens.name[self._at]
        kinds_of_names = np.array([_kind(name) for name in self._names])
        kinds = np.where(self._opens, kinds_of_names[name], _END)
        ignored = [self._number.get(name, -1) for name in ("html", "body")]
        kinds[~self._opens & np.isin(name, ignored)] = _NOTHING
        voids = [name in VOID_TAGS for name in self._names]
        paragraph = self._number["p"]
        stack, rows, opened, parent = self._stack, self._rows, self._open, self._parent
        ended, ended_at = self._ended, self._ended_at
        opened[stack[0]] = 1
        columns = zip(kinds.tolist(), name.tolist(), self._has_text.tolist(), strict=True)
        for index, (kind, number, has_text) in enumerate(columns):
            if has_text:
                parent.append(rows[-1])
            if kind == _END:
                if stack[-1] == number:
                    stack.pop()
                    opened[number] -= 1
                    ended.append(rows.pop())
                    ended_at.append(index)
                else:
                    self._close(number, index)
                continue
            if kind == _VOID:
                parent.append(rows[-1])
                continue
            if kind == _BLOCK:
                if opened[paragraph]:
                    self._end_implied(_PARAGRAPH, _SHIELDS["p"], ~index)
            elif kind == _LINK:
                if stack[-1] == number:
                    self._pop(~index)  # a link cannot stand directly in a link
            elif kind == _OTHER:
                if not self._make_room(number, index):
                    self._opens[index] = False
                    continue
                if voids[number]:
                    parent.append(rows[-1])
                    continue
            elif kind == _NOTHING:
                continue
            if len(stack) < _DEEPEST:
                stack.append(number)
                opened[number] += 1
                rows.append(len(parent))
                parent.append(rows[-2])
            else:
                parent.append(rows[-1])
        self._opens[self._made_up] = True
        if self._has_tail:
            parent.append(rows[-1])
        while stack:
            self._pop(self._at.size)

    def columns(self) -> dict[str, Any]:
        """Return the arguments of `SourceTree`."""
        tokens, at = self._tokens, self._at
        # The root; a row for each text before a tag, and for each tag that opens an element; and
        # one for the text after the last tag.
        is_row = np.stack([self._has_text, self._opens], axis=1)
        columns = np.zeros((3, len(self._parent)), dtype=np.int64)
        columns[:, 0] = self._number["html"], 0, 0
        columns[:, 1 : 1 + np.count_nonzero(is_row)] = np.stack(
            [
                np.stack([np.full(at.size, -1), tokens.name[at]], axis=1)[is_row],
                np.stack([np.append(-1, at[:-1])[: at.size] + 1, at], axis=1)[is_row],
                np.stack([at - 1, at], axis=1)[is_row],
            ]
        )
        if self._has_tail:
            columns[:, -1] = -1, (at[-1] + 1 if at.size else 0), len(tokens) - 1
        tag, first, last = columns
        is_text = tag < 0
        token = np.where(is_text, -1, first)
        outer = np.stack([np.append(tokens.start, 0)[first], np.append(tokens.end, 0)[last]], 1)
        inner = outer.copy()
        inner[~is_text, 0] = np.append(tokens.end, 0)[first[~is_text]]
        words_before = np.concatenate(([0], np.cumsum(tokens.is_word), [tokens.words.size]))
        words = np.stack([words_before[first], words_before[last + 1]], axis=1)
        past = np.arange(1, tag.size + 1)
        rows_before = 1 + np.cumsum(is_row[:, 0].astype(int) + self._opens) - self._opens
        token[rows_before[self._made_up]] = -1
        if not self._has_root:
            outer[0, 0] = inner[0, 0] = 0
            token[0] = -1

        # What ends with a tag, or with the document.
        ended, ended_at = np.array(self._ended), np.array(self._ended_at)
        where = np.where(ended_at < 0, ~ended_at, ended_at)
        inner[ended, 1] = np.append(tokens.start[at], self._size)[where]
        is_own = ended_at >= 0
        outer[ended, 1] = np.where(
            is_own, np.append(tokens.end[at], self._size)[where], inner[ended, 1]
        )
        words[ended, 1] = np.append(words_before[at], tokens.words.size)[where]
        past[ended] = np.append(rows_before, tag.size)[where]
        names, numbered = self._numbered(tag)
        return {
            "names": names,
            "tag": numbered,
            "parent": np.array(self._parent, dtype=np.int32),
            "past": past.astype(np.int32),
            "outer": outer.astype(np.int32),
            "inner": inner.astype(np.int32),
            "words": words.astype(np.int32),
            "token": token.astype(np.int32),
        }

    def _numbered(self, tag: Places) -> tuple[tuple[str, ...], Ints]:
        """Number the names by appearance in the tree, after ``html`` and texts."""
        first = np.full(len(self._names) + 1, tag.size)  # texts, with -1, are the last
        first[tag[::-1]] = np.arange(tag.size)[::-1]
        first[[self._number["html"], -1]] = -2, -1
        order = np.argsort(first, kind="stable")[: np.count_nonzero(first < tag.size)]
        new = np.zeros(first.size, dtype=np.int32)
        new[order] = np.arange(order.size)
        return tuple([(*self._names, TEXT)[number] for number in order.tolist()]), new[tag]

    def _pop(self, at: int) -> None:
        self._open[self._stack.pop()] -= 1
        self._ended.append(self._rows.pop())
        self._ended_at.append(at)

    def _make_room(self, number: int, index: int) -> bool:
        """End what a start tag ends; return whether it opens anything itself."""
        at = ~index
        name = self._names[number]
        if name in ("html", "body") and self._open[number]:
            return False
        if name in _ENDS_PARAGRAPH and self._open[self._number["p"]]:
            self._end_implied(_PARAGRAPH, _SHIELDS["p"], at)
        if name in _HEADINGS and self._names[self._stack[-1]] in _HEADINGS:
            self._pop(at)
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
            self._pop(at)

    def _close(self, number: int, index: int) -> None:
        name = self._names[number]
        if name == "br":
            self._parent.append(self._rows[-1])
            self._made_up.append(index)
        if not self._open[number]:
            return
        priority = _PRIORITY.get(name, _USUAL_PRIORITY)
        for depth in range(len(self._stack) - 1, 0, -1):
            other = self._names[self._stack[depth]]
            if other == name:
                while len(self._stack) > depth + 1:
                    self._pop(~index)
                self._pop(index)
                return
            if _PRIORITY.get(other, _USUAL_PRIORITY) > priority:
                return
