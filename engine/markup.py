"""From tags to a tree: which element a tag opens, and which it silently ends.

HTML lets authors leave out end tags and nest elements wrongly.  This follows the rules of WHATWG
HTML where they change the block of a text (paragraphs, list items, table parts,
options).  The end tag of a block closes what is open in it, up to the cell or table it stands in.
Other wrongly nested end tags are resolved by priority, as in libxml2: they never close an element
of higher priority, so a stray ``</b>`` leaves its ``div`` open.
"""

from array import array
from typing import Any

import numpy as np

from engine.nesting import (
    BLOCK,
    BREAKS_OUT,
    DEEPEST,
    END,
    ENDS,
    ENDS_PARAGRAPH,
    FOREIGN,
    HEADINGS,
    HOLDS_HTML,
    LINK,
    NOTHING,
    PLAIN,
    RULE,
    VOID,
    VOID_TAGS,
    implied_ends,
    innermost,
    kinds_of,
)
from engine.tokenise import Tokens
from engine.tree import TEXT, Ints, Longs

_PRIORITY = {
    "p": 10, "a": 5, "b": 5, "i": 5, "em": 5, "strong": 5, "font": 5, "u": 5, "s": 5, "big": 5,
    "small": 5, "tt": 5, "code": 5, "nobr": 5, "strike": 5, "span": 8,
    "td": 160, "th": 160, "caption": 160, "tr": 170, "tbody": 180, "thead": 180, "tfoot": 180,
    "table": 190, "div": 150, "section": 150, "article": 150, "main": 150, "aside": 150,
    "nav": 150, "header": 150, "footer": 150, "template": 195, "head": 200, "body": 200,
    "html": 220,
}  # fmt: skip
_USUAL_PRIORITY = 100

_BLOCKS = frozenset(
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer h1 h2 h3 h4 h5 h6 header hgroup li listing main menu nav ol pre search section "
    "summary ul".split()
)
_SCOPE = frozenset("caption html marquee object table td th template".split())
_LIST_SCOPE = _SCOPE | {"ol", "ul"}
"""Elements that shield those outside them from the end tag of a block (WHATWG, 13.2.4.2)."""


def build(html: str, tokens: Tokens) -> dict[str, Any]:
    """Return the columns of a `SourceTree`.  O(m) for m tokens (times depth for stray tags)."""
    builder = _MarkupBuilder(html, tokens)
    builder.read()
    return builder.columns()


class _MarkupBuilder:
    """Single pass over the tags; values of all rows at a time are left to `columns`.

    An element is known by the number of the tag that opens it, the root by -1.
    """

    def __init__(self, html: str, tokens: Tokens) -> None:
        self._size = len(html)
        self._tokens = tokens
        # Tags carry numbers of names: those of the tokens, then html's and p's.
        self._names = (*tokens.names, "html", "p")
        self._number = {name: number for number, name in reversed([*enumerate(self._names)])}
        at = tokens.is_tag.nonzero()[0]
        tags = self._tags = at.size
        self._at = np.empty(tags + 1, np.int64)  # the tokens that are tags, and the end
        self._at[:-1], self._at[-1] = at, len(tokens)
        is_close = tokens.is_close[at]
        self._name = np.empty(tags + 1, np.int64)  # the root's is the last
        self._name[:-1], self._name[-1] = tokens.name[at], self._number["html"]
        self._kind = kinds_of(self._names, self._name[:-1], is_close)
        self._inside, self._nested = innermost(self._names, self._name, self._kind)
        self._opens = np.zeros(tags + 1, dtype=bool)  # the tags that make a row
        np.greater(self._kind != NOTHING, is_close, out=self._opens[:-1])
        # Per element: the tag that ends it, or ~ the tag that implies its end.
        self._ended = array("i", [tags]) * (tags + 1)
        self._above: dict[int, int] = {}  # of tags that may end others first: the one open then
        self._made_up: list[int] = []  # tags that open an element though they are end tags
        self._implied: dict[str, tuple[frozenset[int], frozenset[int]]] = {}

    def read(self) -> None:
        """Find which element is open after each tag, and where each ends."""
        nested = self._nested
        closing = (self._kind[:nested] == END).nonzero()[0]
        # The element open before each; nothing ends the root, so the first does not close.
        np.frombuffer(self._ended, np.int32)[self._inside[closing]] = closing
        if nested < self._tags:
            self._walk(nested)
        self._opens[self._made_up] = True

    def _walk(self, first: int) -> None:
        self._note_open(first)
        opened, stack, ended, above = self._open, self._stack, self._ended, self._above
        names, paragraph, inside = self._number_of, self._number["p"], []
        foreign = [self._number[name] for name in FOREIGN if name in self._number]
        breaks_out = {self._number[name] for name in BREAKS_OUT if name in self._number}
        kinds = self._kind[first:].tolist()
        for index, (kind, number) in enumerate(zip(kinds, names[first:-1], strict=True), first):
            is_out = kind <= VOID and number in breaks_out and any(opened[own] for own in foreign)
            if is_out and self._break_out(~index):
                above[index] = stack[-1]
            if kind == END:
                if names[stack[-1]] == number:
                    ended[stack.pop()] = index
                    opened[number] -= 1
                else:
                    self._close(number, index)
            elif kind <= RULE:
                is_room = True
                if kind == BLOCK:
                    if opened[paragraph]:
                        self._end_implied("p", ~index)
                        above[index] = stack[-1]
                elif kind == LINK:
                    if names[stack[-1]] == number:
                        self._pop(~index)  # a link cannot be directly in a link
                        above[index] = stack[-1]
                elif kind != PLAIN:
                    is_room = self._make_room(number, index)
                    above[index] = stack[-1]
                if is_room and len(stack) < DEEPEST:
                    stack.append(index)
                    opened[number] += 1
            inside.append(stack[-1])
        self._inside[first + 1 :] = inside

    def _note_open(self, first: int) -> None:
        """Record the elements that are open before a tag up to which all is well nested."""
        self._number_of: list[int] = self._name.tolist()
        around: list[int] = []
        tag = first
        while (element := int(self._inside[tag])) >= 0:
            around.append(element)
            tag = element
        self._stack = [-1, *reversed(around)]  # the open elements
        self._open = [0] * len(self._names)  # number of open elements by name
        for element in self._stack:
            self._open[self._number_of[element]] += 1

    def columns(self) -> dict[str, Any]:
        """Return the arguments of `SourceTree`."""
        tokens, at, opens, inside = self._tokens, self._at, self._opens, self._inside
        # The root; a row for each text before a tag, or the end, and for each tag that opens an
        # element.
        has_text = np.empty(at.size, dtype=bool)
        has_text[0] = at[0] > 0
        np.greater(at[1:] - at[:-1], 1, out=has_text[1:])
        row = (has_text.view(np.int8) + opens.view(np.int8)).cumsum()
        n = int(row[-1]) + 1
        row += ~opens  # row opened by each tag, else the next row
        element, text = opens.nonzero()[0], has_text.nonzero()[0]
        of_element, of_text = row[element], row[text] - 1
        row_of = row.copy()
        row_of[-1] = 0

        parent = np.empty(n, np.int32)
        parent[0] = -1
        parent[of_text] = row_of[inside[text]]
        is_pushed = inside[element + 1] == element
        above = inside[element + 1]
        above[is_pushed] = inside[element[is_pushed]]
        if self._above:
            early = inside.copy()
            early[[*self._above]] = [*self._above.values()]
            above[is_pushed] = early[element[is_pushed]]
        parent[of_element] = row_of[above]

        outer, inner = np.empty((n, 2), np.int32), np.empty((n, 2), np.int32)
        words, token = np.empty((n, 2), np.int32), np.full(n, -1, np.int32)
        own = at[element]
        token[of_element] = own
        outer[of_element, 0] = tokens.start[own]
        outer[of_element, 1] = inner[of_element, 0] = inner[of_element, 1] = tokens.end[own]
        words_before = at - np.arange(at.size)
        words[of_element, 0] = words[of_element, 1] = words_before[element]
        last = at[text]
        first = np.where(text > 0, at[text - 1] + 1, 0)
        outer[of_text, 0] = inner[of_text, 0] = tokens.start[first]
        outer[of_text, 1] = inner[of_text, 1] = tokens.end[last - 1]
        words[of_text, 1] = words_before[text]
        words[of_text, 0] = words[of_text, 1] - (last - first)
        tag = np.full(n, -1)
        tag[of_element] = self._name[element]
        tag[0] = self._name[-1]
        past = np.arange(1, n + 1, dtype=np.int32)
        token[row[self._made_up]] = -1
        outer[0] = inner[0] = words[0] = 0
        if self._tags and tag[0] == self._name[0] and not tokens.is_close[0] and at[0] == 0:
            token[0], outer[0, 0], inner[0, 0] = 0, tokens.start[0], tokens.end[0]

        # Elements that end with a tag, or with the document.
        pushed = np.append(element[is_pushed], -1)
        ends = np.frombuffer(self._ended, np.int32)[pushed]
        is_implied = ends < 0
        where = np.where(is_implied, ~ends, ends)
        edges = np.empty((at.size, 2), np.int32)
        edges[:-1, 0], edges[:-1, 1] = tokens.start[at[:-1]], tokens.end[at[:-1]]
        edges[-1] = self._size
        pushed = row_of[pushed]
        inner[pushed, 1] = edges[where, 0]
        outer[pushed, 1] = np.where(is_implied, edges[where, 0], edges[where, 1])
        words[pushed, 1] = words_before[where]
        past[pushed] = row[where]
        names, numbered = self._numbered(tag)
        return {
            "names": names,
            "tag": numbered,
            "parent": parent,
            "past": past,
            "outer": outer,
            "inner": inner,
            "words": words,
            "token": token,
        }

    def _numbered(self, tag: Longs) -> tuple[tuple[str, ...], Ints]:
        """Number the names by appearance in the tree, after ``html`` and texts."""
        first = np.full(len(self._names) + 1, tag.size)  # texts, with -1, are the last
        first[tag[::-1]] = np.arange(tag.size)[::-1]
        first[self._number["html"]], first[-1] = -2, -1
        order = first.argsort(kind="stable")[: np.count_nonzero(first < tag.size)]
        new = np.zeros(first.size, dtype=np.int32)
        new[order] = np.arange(order.size)
        return tuple([(*self._names, TEXT)[number] for number in order.tolist()]), new[tag]

    def _pop(self, at: int) -> None:
        element = self._stack.pop()
        self._open[self._number_of[element]] -= 1
        self._ended[element] = at

    def _is_in(self, depth: int) -> str:
        return self._names[self._number_of[self._stack[depth]]]

    def _break_out(self, at: int) -> bool:
        """End the pictures and formulas that are open and hold no HTML; return whether any is."""
        lowest = len(self._stack)
        for depth in range(len(self._stack) - 1, 0, -1):
            name = self._is_in(depth)
            if name in HOLDS_HTML:
                break
            if name in FOREIGN:
                lowest = depth
        has_any = lowest < len(self._stack)
        while len(self._stack) > lowest:
            self._pop(at)
        return has_any

    def _make_room(self, number: int, index: int) -> bool:
        """End what a start tag ends; return whether it opens an element with content."""
        at = ~index
        name = self._names[number]
        if name == "body" and self._open[number]:
            self._opens[index] = False
            return False
        if name in ENDS_PARAGRAPH and self._open[self._number["p"]]:
            self._end_implied("p", at)
        if name in HEADINGS and self._is_in(-1) in HEADINGS:
            self._pop(at)
        elif name in ENDS:
            self._end_implied(name, at)
        return name not in VOID_TAGS

    def _end_implied(self, name: str, at: int) -> None:
        """End the outermost element that a name ends with no shield between, with all inside it."""
        ends, shield = self._numbers_of(name)
        for number in ends:
            if self._open[number]:
                break
        else:
            return
        stack, names = self._stack, self._number_of
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
            ends, shield = (
                frozenset([self._number[own] for own in names if own in self._number])
                for names in implied_ends(name)
            )
            self._implied[name] = ends, shield
        return self._implied[name]

    def _close(self, number: int, index: int) -> None:
        name = self._names[number]
        if name == "br":
            self._made_up.append(index)
        if not self._open[number]:
            return
        priority = _PRIORITY.get(name, _USUAL_PRIORITY)
        shield = _LIST_SCOPE if name == "li" else _SCOPE
        for depth in range(len(self._stack) - 1, 0, -1):
            other = self._is_in(depth)
            if other == name:
                while len(self._stack) > depth + 1:
                    self._pop(~index)
                self._pop(index)
                return
            if name in _BLOCKS:
                if other in shield:
                    return
            elif _PRIORITY.get(other, _USUAL_PRIORITY) > priority:
                return
