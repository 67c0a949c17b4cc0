"""From tags to a tree: which element a tag opens, and which it silently ends.

HTML lets authors leave out end tags and nest elements wrongly.  This follows the rules of WHATWG
HTML where they change which text lies in which block (paragraphs, list items, table parts,
options); for wrongly nested end tags it goes by priority, as libxml2 does: an end tag never
closes an element of higher priority, so a stray ``</b>`` leaves its ``div`` open.
"""

from array import array
from typing import Any

import numpy as np

from engine.nesting import (
    BLOCK,
    DEEPEST,
    END,
    ENDS,
    ENDS_PARAGRAPH,
    HEADINGS,
    LINK,
    NOTHING,
    PLAIN,
    RULE,
    VOID_TAGS,
    implied_ends,
    innermost,
    kinds_of,
)
from engine.tags import Places
from engine.tokenise import Tokens
from engine.tree import TEXT, Ints

_PRIORITY = {
    "p": 10, "a": 5, "b": 5, "i": 5, "em": 5, "strong": 5, "font": 5, "u": 5, "s": 5, "big": 5,
    "small": 5, "tt": 5, "code": 5, "nobr": 5, "strike": 5, "span": 8,
    "td": 160, "th": 160, "caption": 160, "tr": 170, "tbody": 180, "thead": 180, "tfoot": 180,
    "table": 190, "div": 150, "section": 150, "article": 150, "main": 150, "aside": 150,
    "nav": 150, "header": 150, "footer": 150, "head": 200, "body": 200, "html": 220,
}  # fmt: skip
_USUAL_PRIORITY = 100


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
        number = tokens.name[self._at].astype(np.int64)
        self._kind = kinds_of(self._names, number, tokens.is_close[self._at])
        self._name = np.append(number, self._number["html"])  # the root's is the last
        self._inside, self._nested = innermost(self._names, number, self._kind)
        self._opens = ~tokens.is_close[self._at] & (self._kind != NOTHING)  # which make a row
        # Per element: the tag that ends it, or ~ the tag that implies its end.
        self._ended = array("i", [self._at.size]) * self._name.size
        self._above: dict[int, int] = {}  # of tags that may end others first: the one open then
        self._made_up: list[int] = []  # tags that open an element though they are end tags
        self._implied: dict[str, tuple[frozenset[int], frozenset[int]]] = {}

    def read(self) -> None:
        """Find which element is open after each tag, and where each ends."""
        nested = self._nested
        closing = np.flatnonzero(self._kind[:nested] == END)
        np.frombuffer(self._ended, np.int32)[self._inside[closing - 1]] = closing
        if nested < self._at.size:
            self._walk(nested)
        self._opens[self._made_up] = True

    def _walk(self, first: int) -> None:
        """Go on from a tag, one by one."""
        self._note_open(first)
        opened, stack, ended, above = self._open, self._stack, self._ended, self._above
        names, paragraph, inside = self._number_of, self._number["p"], []
        kinds = self._kind[first:].tolist()
        for index, (kind, number) in enumerate(zip(kinds, names[first:-1], strict=True), first):
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
                        self._pop(~index)  # a link cannot stand directly in a link
                        above[index] = stack[-1]
                elif kind != PLAIN:
                    is_room = self._make_room(number, index)
                    above[index] = stack[-1]
                if is_room and len(stack) < DEEPEST:
                    stack.append(index)
                    opened[number] += 1
            inside.append(stack[-1])
        self._inside[first:] = inside

    def _note_open(self, first: int) -> None:
        """Note what is open before a tag up to which all is well nested."""
        self._number_of: list[int] = self._name.tolist()
        around: list[int] = []
        tag = first
        while tag and (element := int(self._inside[tag - 1])) >= 0:
            around.append(element)
            tag = element
        self._stack = [-1, *reversed(around)]  # the open elements
        self._open = [0] * len(self._names)  # how many of each name are open
        for element in self._stack:
            self._open[self._number_of[element]] += 1

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

        inside = np.append(-1, self._inside)  # the one open before each
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
        self._open[self._number_of[element]] -= 1
        self._ended[element] = at

    def _is_in(self, depth: int) -> str:
        """Return the name of an open element."""
        return self._names[self._number_of[self._stack[depth]]]

    def _make_room(self, number: int, index: int) -> bool:
        """End what a start tag ends; return whether it opens what holds anything."""
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
        """End the outermost of what a name ends that no shield is between, with all inside it."""
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
            ends, shield = implied_ends(name)
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
