"""Blocks of a source, their effective ancestors, and the hashed words of both.

A block is a run of words that no block-level tag and no ``br`` parts.  Elements that hold the same
words are one level of the tree, the topmost standing for all: wrappers do not count.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from zlib import crc32

import numpy as np

from algorithms.signals.memo import shared
from algorithms.signals.tree_counts import block_of
from engine.source import Source
from engine.tree import Locked, Longs
from engine.word_units import words_in

LEVELS = 8
"""Effective ancestors of a block that are measured, the innermost first."""

PATH_LEVELS = 12
"""Elements around a block whose class and id words are read, the innermost first."""

_NAMES = re.compile(
    r"""[\s"'](?=[cirahds])(class|id|role|itemprop|itemtype|aria-label|aria-hidden|hidden|data-testid|style)"""
    r"""(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))|(?=[\s>/]))""",
    re.IGNORECASE,
)
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_]+")
_MOST_PIECES = 24
_SHORT, _SHORT_TAG = 40, 400
"""Letters of cached words: a process that reads many pages must not keep their texts."""

_MOST_HASHES = 1 << 16


@dataclass(frozen=True, eq=False)
class TextRuns(Locked):
    """The blocks of a source, b of them in document order.

    Attributes:
        first, last: int64 (b,). Words of the source: first, and one past the last.
        row: int64 (b,). The row of the first text of each.
        words: int64 (b,). Words in Pagelet's sense (`engine.word_units`); may be 0.
        start: int64 (b + 1,). Where each block's words begin in ``tokens``.
        tokens: int64 (t,). CRC-32 of each word in lower case.
        levels: int64 (LEVELS, b). Effective ancestors; the root's past the root.
        texts: Text of each block.
    """

    first: Longs
    last: Longs
    row: Longs
    words: Longs
    start: Longs
    tokens: Longs
    levels: Longs
    texts: tuple[str, ...]

    def __len__(self) -> int:
        return int(self.first.size)


class _Hashes(dict[str, int]):
    """The CRC-32 of words; those of short ones are kept."""

    def __missing__(self, word: str) -> int:
        result = crc32(word.encode("utf-8", "surrogatepass"))
        if len(word) <= _SHORT:
            if len(self) >= _MOST_HASHES:
                self.clear()
            self[word] = result
        return result


_hashes = _Hashes()
hash_word = _hashes.__getitem__
"""Returns the CRC-32 of the word: the same in every process and on every machine."""


def hash_words(words: Iterable[str]) -> Longs:
    """Return the `hash_word` of each word."""
    return np.array(list(map(hash_word, words)), dtype=np.int64)


@shared
def text_runs(source: Source) -> TextRuns:
    """Read the blocks of a source.  O(n)."""
    tokens, tree = source.tokens, source.tree
    lines = np.cumsum(tokens.is_break)[tokens.words]
    texts = np.flatnonzero(tree.is_text)
    if not texts.size:
        none = np.zeros(0, dtype=np.int64)
        levels = np.zeros((LEVELS, 0), dtype=np.int64)
        return TextRuns(none, none, none, none, np.zeros(1, np.int64), none, levels, ())
    is_new = np.ones(texts.size, dtype=bool)
    line = lines[tree.words[texts, 0]]
    is_new[1:] = line[1:] != line[:-1]
    row = texts[is_new].astype(np.int64)
    first = tree.words[row, 0].astype(np.int64)
    last = np.append(first[1:], tree.words[texts[-1], 1]).astype(np.int64)
    words, bounds = source.words, zip(first.tolist(), last.tolist(), strict=True)
    content = tuple([" ".join(words[a:b]) for a, b in bounds])
    count, codes, start = _lexed(content)
    return TextRuns(first, last, row, count, start, codes, _levels(source, row), content)


@lru_cache(maxsize=2)
def _lexed(texts: tuple[str, ...]) -> tuple[Longs, Longs, Longs]:
    """Return words of each text, their hashes, and where each text's begin.

    The last pages' are kept: a page is read again as a browser has it, or with its tags changed.
    """
    split = [words_in(text.lower()) for text in texts]
    count = np.array([len(each) for each in split], dtype=np.int64)
    codes = hash_words(chain.from_iterable(split))
    return count, codes, np.concatenate(([0], np.cumsum(count)))


def tops(source: Source) -> Longs:
    """Return for each row the topmost that holds the same words, int64 (n,)."""
    words = source.tree.words.astype(np.int64)
    key = words[:, 0] * (int(source.tokens.words.size) + 1) + words[:, 1]
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return np.asarray(first[inverse], dtype=np.int64)


def _levels(source: Source, row: Longs) -> Longs:
    tree, top = source.tree, tops(source)
    above = np.maximum(tree.parent, 0)
    levels = np.empty((LEVELS, row.size), dtype=np.int64)
    levels[0] = top[block_of(source)[row]]
    for level in range(1, LEVELS):
        levels[level] = top[above[levels[level - 1]]]
    return levels


# Words of class, id and their like ------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ElementNames:
    """Names of the elements around the blocks: hashed words of tag, class, id, role.

    Attributes:
        element: int64 (e,). The rows of elements that hold text.
        start: int64 (e + 1,). Where each one's words begin in ``codes``; none if around no block.
        codes: int64 (c,). CRC-32s; the tag's own first.
        around: int64 (PATH_LEVELS, b). For each block the indices in ``element`` of its ancestors,
            innermost first; -1 where there is no more.
        signature: int64 (n,). For each row of the tree a number of its tag and class.
    """

    element: Longs
    start: Longs
    codes: Longs
    around: Longs
    signature: Longs


def _codes_of(name: str, tag: str) -> tuple[tuple[int, ...], int]:
    """Return the hashed words of a start tag, its own name's first, and of name and class all."""
    codes = {hash_word(f"<{name}"): None}
    classes = ""
    for key, double, single, bare in _NAMES.findall(tag):
        key, value = key.lower(), double or single or bare
        if key == "class":
            classes = value
        if key != "style":
            codes |= _value_codes(key, value[:200])
        elif "none" in value and "display" in value:
            codes[_HIDING] = None
    return tuple(codes)[: 2 * _MOST_PIECES], hash_word(f"{name} {classes}")


def _sign_of(name: str, tag: str) -> tuple[tuple[int, ...], int]:
    """Return no words, and the hash of name and class."""
    given = _NAMES.findall(tag) if "class" in tag.lower() else ()
    classes = [value[1] or value[2] or value[3] for value in given if value[0].lower() == "class"]
    return (), hash_word(f"{name} {classes[-1] if classes else ''}")


_readers_of = [(read, lru_cache(maxsize=1 << 14)(read)) for read in (_sign_of, _codes_of)]
_HIDING = hash_word("style:none")


@lru_cache(maxsize=1 << 14)
def _value_codes(key: str, value: str) -> dict[int, None]:
    """Return the hashed words of an attribute, each once: other attributes tell most tags apart."""
    short = {"class": "", "id": "#", "data-testid": ""}.get(key, f"{key}:")
    pieces = [piece.lower() for piece in _PIECES.findall(value)[:_MOST_PIECES]]
    words = [short + piece for piece in pieces if not piece.isdigit()]
    words += [f"{a}-{b}" for a, b in pairwise(pieces)]
    return dict.fromkeys(map(hash_word, words))


@shared
def names(source: Source) -> ElementNames:
    """Read the names of the elements around a source's blocks."""
    tree, runs = source.tree, text_runs(source)
    parent = tree.parent.astype(np.int64)
    around = np.full((PATH_LEVELS, len(runs)), -1, dtype=np.int64)
    at = parent[runs.row]
    for level in range(PATH_LEVELS):
        around[level] = at
        at = np.where(at >= 0, parent[np.maximum(at, 0)], -1)
    element = np.flatnonzero(~tree.is_text)
    token = tree.token[element]
    starts, ends = (  # the made-up root has none: -1
        np.append(column, 0)[token].tolist() for column in (source.tokens.start, source.tokens.end)
    )
    html, tags = source.html, tree.tag[element].tolist()
    is_around = np.zeros(len(tree), dtype=bool)
    is_around[around[around >= 0]] = True  # of the others nobody reads more than the signature
    codes: list[int] = []
    count, signature = [], []
    for tag, start, end, is_read in zip(
        tags, starts, ends, is_around[element].tolist(), strict=True
    ):
        written = html[start:end] if end > start else ""
        read = _readers_of[is_read][len(written) <= _SHORT_TAG]
        own, sign = read(tree.names[tag], written)
        codes += own
        count.append(len(own))
        signature.append(sign)
    position = np.full(len(tree), -1, dtype=np.int64)
    position[element] = np.arange(element.size)
    signatures = np.full(len(tree), -1, dtype=np.int64)
    signatures[element] = signature
    return ElementNames(
        element.astype(np.int64),
        np.concatenate(([0], np.cumsum(count))).astype(np.int64),
        np.array(codes, dtype=np.int64),
        np.where(around >= 0, position[np.maximum(around, 0)], -1),
        signatures,
    )


def gather_ragged(start: Longs, rows: Longs) -> tuple[Longs, Longs]:
    """Return all places of some rows of a ragged column, and how many each has."""
    count = start[rows + 1] - start[rows]
    offset = np.repeat(start[rows] - np.concatenate(([0], np.cumsum(count)[:-1])), count)
    return np.arange(count.sum()) + offset, count


def number_values(values: Longs) -> Longs:
    """Return equal numbers for equal values, from 0 on without a gap."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64)
