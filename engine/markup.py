"""From tags to a tree: which element a tag opens, and which it silently ends.

HTML lets authors leave out end tags and nest elements wrongly.  This follows the rules of WHATWG
HTML where they change which text lies in which block (paragraphs, list items, table parts,
options); for wrongly nested end tags it goes by priority, as libxml2 does: an end tag never
closes an element of higher priority, so a stray ``</b>`` leaves its ``div`` open.
"""

from array import array
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

# What a start tag ends (``p`` itself), and the elements that shield what is outside them.
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
_PLAIN, _BLOCK, _LINK, _OTHER, _VOID, _END, _NOTHING = range(7)


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
    """Walks over the tags once; what can be said of all rows at a time is left to `columns`.

    An element is known by the number of the tag that opens it, the root by -1.
    """

    def __init__(self, html: str, tokens: Tokens) -> None:
        self._size = len(html)
        self._tokens = tokens
        # Tags carry numbers of names: those of the tokens, then html's and p's.
        self._names = (*tokens.names, "html", "p")
        self._number = {name: number for number, name in reversed([*enumerate(self._names)])}
        self._at = np.flatnonzero(tokens.is_tag)  # the tokens that are tags
        self._opens = ~tokens.is_close[self._at]  # whether each makes a row
        self._name = [*tokens.name[self._at].tolist(), self._number["html"]]  # the root's is last
        self._open = [0] * len(self._names)  # how many of each name are open
        self._stack = [-1]  # the open elements
        self._inside: list[int] = []  # per tag: the innermost element that is open after it
        self._above: dict[int, int] = {}  # of tags that end others first: the one open then
        # Per element: the tag that ends it, or ~ the tag that implies its end.
        self._ended = array("i", [self._at.size]) * len(self._name)
        self._made_up: list[int] = []  # tags that open an element though they are end tags
        self._implied: dict[str, tuple[frozenset[int], frozenset[int]]] = {}

    def read(self) -> None:
        """Walk over the tags."""
        name = self._tokens.name[self._at]
        kinds_of_names = np.array([_kind(name) for name in self._names])
        kinds = np.where(self._opens, kinds_of_names[name], _END)
        ignored = [self._number.get(name, -1) for name in ("html", "body")]
        kinds[~self._opens & ((name == ignored[0]) | (name == ignored[1]))] = _NOTHING
        paragraph = self._number["p"]
        names, opened, stack = self._name, self._open, self._stack
        inside, ended, above = self._inside, self._ended, self._above
        opened[names[-1]] = 1
        for index, (kind, number) in enumerate(zip(kinds.tolist(), names[:-1], strict=True)):
            if kind == _END:
                if names[stack[-1]] == number:
                    ended[stack.pop()] = index
                    opened[number] -= 1
                else:
                    self._close(number, index)
            elif kind <= _OTHER:
                is_room = True
                if kind == _BLOCK:
                    if opened[paragraph]:
                        self._end_implied("p", ~index)
                        above[index] = stack[-1]
                elif kind == _LINK:
                    if names[stack[-1]] == number:
                        self._pop(~index)  # a link cannot stand directly in a link
                        above[index] = stack[-1]
                elif kind == _OTHER:
                    is_room = self._make_room(number, index)
                    above[index] = stack[-1]
                if is_room and len(stack) < _DEEPEST:
                    stack.append(index)
                    opened[number] += 1
            inside.append(stack[-1])
        self._opens[self._made_up] = True

    def columns(self) -> dict[str, Any]:
        """Return the arguments of `SourceTree`."""
        tokens, tags = self._tokens, self._at.size
        # The root; a row for each text before a tag, or the end, and for each tag that opens an
        # element.
        at = np.append(self._at, len(tokens))
        has_text = at - np.append(-1, at[:-1]) != 1
        opens = np.append(self._opens, False)
        row = np.cumsum(has_text.astype(int) + opens) + ~opens  # of what each tag opens
        n = int(row[-1])
        element, text = np.flatnonzero(opens), np.flatnonzero(has_text)
        of_element, of_text = row[element], row[text] - 1
        row_of = np.append(row[:-1], 0)

        inside = np.array([-1, *self._inside])  # the one open before each
        parent = np.full(n, -1)
        parent[of_text] = row_of[inside[text]]
        is_pushed = inside[element + 1] == element
        above = inside[:-1].copy()
        above[[*self._above]] = [*self._above.values()]
        parent[of_element] = row_of[np.where(is_pushed, above[element], inside[element + 1])]

        first, last, tag, token = np.zeros(n, int), np.zeros(n, int), np.full(n, -1), np.full(n, -1)
        first[of_element] = last[of_element] = token[of_element] = at[element]
        first[of_text], last[of_text] = np.append(at, -1)[text - 1] + 1, at[text] - 1

        tag[of_element] = tokens.name[self._at][element]
        tag[0] = self._number["html"]
        outer = np.stack([np.append(tokens.start, 0)[first], np.append(tokens.end, 0)[last]], 1)
        inner = outer.copy()
        inner[of_element, 0] = outer[of_element, 1]
        words_before = np.concatenate(([0], np.cumsum(tokens.is_word), [tokens.words.size]))
        words = np.stack([words_before[first], words_before[last + 1]], axis=1)
        past = np.arange(1, n + 1)
        token[row[self._made_up]] = -1
        if tags and self._name[0] == self._name[-1] and not tokens.is_close[0] and at[0] == 0:
            token[0], inner[0, 0] = 0, tokens.end[0]
        else:
            outer[0, 0] = inner[0, 0] = 0

        # What ends with a tag, or with the document.
        own = np.append(element[is_pushed], -1)
        ends = np.frombuffer(self._ended, np.int32)[own]
        where = np.where(ends < 0, ~ends, ends)
        own = row_of[own]
        inner[own, 1] = np.append(tokens.start[self._at], self._size)[where]
        reach = np.append(tokens.end[self._at], self._size)[where]
        outer[own, 1] = np.where(ends < 0, inner[own, 1], reach)
        words[own, 1] = words_before[at][where]
        past[own] = row[where]
        names, numbered = self._numbered(tag)
        return {
            "names": names,
            "tag": numbered,
            "parent": parent.astype(np.int32),
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
        element = self._stack.pop()
        self._open[self._name[element]] -= 1
        self._ended[element] = at

    def _is_in(self, depth: int) -> str:
        """Return the name of an open element."""
        return self._names[self._name[self._stack[depth]]]

    def _make_room(self, number: int, index: int) -> bool:
        """End what a start tag ends; return whether it opens what holds anything."""
        at = ~index
        name = self._names[number]
        if name in ("html", "body") and self._open[number]:
            self._opens[index] = False
            return False
        if name in _ENDS_PARAGRAPH and self._open[self._number["p"]]:
            self._end_implied("p", at)
        if name in _HEADINGS and self._is_in(-1) in _HEADINGS:
            self._pop(at)
        elif name in _ENDS:
            self._end_implied(name, at)
        return name not in VOID_TAGS

    def _end_implied(self, name: str, at: int) -> None:
        """End the outermost of what a name ends that no shield is between, with all inside it."""
        ends, shield = self._numbers_of(name)
        for number in ends:
            if self._open[number]:
                break
        else:
            return
        stack, names = self._stack, self._name
        lowest = len(stack)
        for depth in range(len(stack) - 1, 0, -1):
            number = names[stack[depth]]
            if number in shield:
                break
            if number in ends:
                lowest = depth
        while len(stack) > lowest:
            self._pop(at)

    def _numbers_of(self, name: str) -> tuple[frozenset[int], frozenset[int]]:
        """Return what a start tag of this name ends, and what shields from it, as numbers."""
        if name not in self._implied:
            shield = _TABLE_SHIELD if name in _TABLE else _SHIELDS.get(name, _RUBY_SHIELD)
            ends = _ENDS.get(name, (name,))
            self._implied[name] = (
                frozenset([self._number[own] for own in ends if own in self._number]),
                frozenset([self._number[own] for own in shield if own in self._number]),
            )
        return self._implied[name]

    def _close(self, number: int, index: int) -> None:
        name = self._names[number]
        if name == "br":
            self._made_up.append(index)
        if not self._open[number]:
            return
        priority = _PRIORITY.get(name, _USUAL_PRIORITY)
        for depth in range(len(self._stack) - 1, 0, -1):
            other = self._is_in(depth)
            if other == name:
                while len(self._stack) > depth + 1:
                    self._pop(~index)
                self._pop(index)
                return
            if _PRIORITY.get(other, _USUAL_PRIORITY) > priority:
                return
