"""Blocks of a source, their effective ancestors, and the hashed words of both.

A block is a run of words that no block-level tag and no ``br`` parts.  Elements that hold the same
words are one level of the tree, the topmost standing for all: wrappers do not count.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, compress, islice, pairwise
from zlib import crc32

import numpy as np

from algorithms.signals.memo import shared
from algorithms.signals.tree_counts import block_of, start_tags
from engine.source import Source
from engine.tree import Locked, Longs
from engine.word_units import words_of_each

LEVELS = 8
"""Effective ancestors of a block that are measured, the innermost first."""

PATH_LEVELS = 12
"""Elements around a block whose class and id words are read, the innermost first."""

_NAMES = re.compile(
    r"""[\s"'\0](?:(?<=\0)|(?=[cirahds])(class|id|role|itemprop|itemtype|aria-label|aria-hidden|hidden|data-testid|style)"""
    r"""(?:\s*=\s*(?:"([^"\0]*)"|'([^'\0]*)'|([^\s>"'\0]+))|(?=[\s>/])))""",
    re.IGNORECASE,
)
"""Attributes of names, in start tags parted by NUL; or such a NUL, without a name."""

_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_]+")
_MOST_PIECES = 24
_LONGEST_VALUE = 200
"""Letters of an attribute that are read."""

_NO_LETTER = "\x1f"
"""Parts words that are hashed; those that hold one are hashed one by one."""


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


def hash_word(word: str) -> int:
    """Return the CRC-32 of a word: the same in every process and on every machine."""
    return crc32(word.encode("utf-8", "surrogatepass"))


def hash_words(words: Iterable[str]) -> Longs:
    """Return the `hash_word` of each word: encoded all together, which takes a fifth as long."""
    given = words if isinstance(words, Sequence) else list(words)
    encoded = _NO_LETTER.join(given).encode("utf-8", "surrogatepass").split(_NO_LETTER.encode())
    if len(encoded) != len(given):
        return np.array(list(map(hash_word, given)), dtype=np.int64)
    return np.fromiter(map(crc32, encoded), np.int64, len(encoded))


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
    split = words_of_each([text.lower() for text in texts])
    count = np.array([len(each) for each in split], dtype=np.int64)
    codes = hash_words(list(chain.from_iterable(split)))
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


Attributes = list[tuple[str, str]]


def _attributes_of(tags: Sequence[str]) -> list[Attributes]:
    """Return the attributes of names in each start tag, in order, found in all tags at once."""
    text = "\0".join(tags)
    if text.count("\0") >= len(tags):
        text = "\0".join([tag.replace("\0", "\ufffd") for tag in tags])
    own: Attributes = []
    result = [own]
    for key, double, single, bare in _NAMES.findall(text):
        if key:
            own.append((key.lower(), double or single or bare))
        else:
            own = []
            result.append(own)
    return result


def _words_of(key: str, value: str) -> list[str]:
    """Return the words of an attribute."""
    if key == "style":
        return ["style:none"] if "none" in value and "display" in value else []
    short = {"class": "", "id": "#", "data-testid": ""}.get(key, f"{key}:")
    pieces = [piece.lower() for piece in _PIECES.findall(value[:_LONGEST_VALUE])[:_MOST_PIECES]]
    words = [short + piece for piece in pieces if not piece.isdigit()]
    return words + [f"{a}-{b}" for a, b in pairwise(pieces)]


def _codes_of(names: Sequence[str], attributes: Sequence[Attributes]) -> list[list[int]]:
    """Return the hashed words of start tags, each once, their own names' first."""
    # Each different attribute, and each name, is read once.
    read = {pair: _words_of(*pair) for pair in dict.fromkeys(chain.from_iterable(attributes))}
    heads = {name: [f"<{name}"] for name in dict.fromkeys(names)}
    codes = iter(hash_words(list(chain(*heads.values(), *read.values()))).tolist())
    head_codes = {name: list(islice(codes, len(words))) for name, words in heads.items()}
    own_codes = {pair: list(islice(codes, len(words))) for pair, words in read.items()}
    result = []
    for name, own in zip(names, attributes, strict=True):
        every = chain(head_codes[name], *[own_codes[pair] for pair in own])
        result.append(list(dict.fromkeys(every))[: 2 * _MOST_PIECES])
    return result


def _signatures_of(names: Sequence[str], attributes: Sequence[Attributes]) -> Longs:
    """Return a number of the name and class of start tags, int64 (k,)."""
    words = []
    for name, own in zip(names, attributes, strict=True):
        classes = ""
        for key, value in own:
            classes = value if key == "class" else classes
        words.append(f"{name} {classes}")
    return hash_words(words)


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
    tags, number = start_tags(source)
    names_of = tree.names
    is_around = np.zeros(len(tree), dtype=bool)
    is_around[around[around >= 0]] = True  # of the others nobody reads more than the signature
    # Each different tag once: with the name of its element, and whether its words are read.
    kinds = tree.tag[element].astype(np.int64) * 2 + is_around[element]
    different, of = np.unique(number[element] * (2 * len(names_of)) + kinds, return_inverse=True)
    tag, kind = np.divmod(different, 2 * len(names_of))
    written = _attributes_of(tags)
    own_names = [names_of[each] for each in (kind // 2).tolist()]
    own = [written[each] for each in tag.tolist()]
    sign = _signatures_of(own_names, own)
    is_read = (kind % 2).tolist()
    read = _codes_of(list(compress(own_names, is_read)), list(compress(own, is_read)))
    size = np.zeros(different.size, dtype=np.int64)
    size[kind % 2 == 1] = list(map(len, read))
    codes = np.fromiter(chain.from_iterable(read), np.int64, size.sum())
    places, count = gather_ragged(np.concatenate(([0], np.cumsum(size))), of)
    position = np.full(len(tree), -1, dtype=np.int64)
    position[element] = np.arange(element.size)
    signatures = np.full(len(tree), -1, dtype=np.int64)
    signatures[element] = sign[of]
    return ElementNames(
        element.astype(np.int64),
        np.concatenate(([0], np.cumsum(count))).astype(np.int64),
        codes[places],
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
