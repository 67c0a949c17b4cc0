"""Positions and names of a document's tags, by arithmetic on the codes of its letters."""

import re
import string
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.code_points import OTHER, Codes, Letters
from engine.mask import TAG_START, end_of_tag
from engine.tree import Bools, Longs

_TAG = re.compile(r"</?[a-zA-Z][^ \t\n\r/>]*([^>]*)>")
_NAME = re.compile(r"[^ \t\n\r\f/>]+")

_IS_LETTER = np.zeros(256, dtype=bool)
_IS_LETTER[[*string.ascii_letters.encode()]] = True
# Lower case of a name's bytes: 0 where it ends, `OTHER` where it must be decoded.
_SMALL = np.full(256, OTHER, dtype=np.uint8)
_SMALL[33:127] = [*bytes(range(33, 127)).lower()]
_SMALL[[*b" \t\n\r\f/>"]] = 0
_LOW_BITS, _HIGH_BITS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_ONE, _SEVEN = np.uint64(1), np.uint64(7)
_MOST = (1 << 64) - 1
_SCATTER = np.uint64(0x9E3779B97F4A7C15)
"""A factor whose product has much of each letter in its first bits."""
_BUCKET_BITS = 13


@dataclass(frozen=True, eq=False)
class Tags:
    """Positions of tags, t of them in order; with pseudo-tags, of no element.

    Attributes:
        start, end: int64 (t,). From ``<`` to past ``>``.
        name_end: int64 (t,). Where the name ends.
        name: int16 (t,). Index into `names`, -1 for what is no element's tag.
        names, is_close: As in `Tokens`.
        last: Past the last ``>``.
        limit: Where the text ends: a tag that never ends hides the rest of the document.
    """

    start: Longs
    end: Longs
    name_end: Longs
    name: npt.NDArray[np.int16]
    names: tuple[str, ...]
    is_close: Bools
    last: int
    limit: int

    def outside(self, n: int) -> Bools:
        """Return which of n characters are text, bool (n,)."""
        edges = np.empty(2 * self.start.size + 3, dtype=np.int64)
        edges[0], edges[-2], edges[-1] = 0, self.limit, n
        edges[1:-2:2], edges[2:-2:2] = self.start, self.end
        is_text = np.zeros(edges.size - 1, dtype=bool)
        is_text[::2] = True
        return is_text.repeat(edges[1:] - edges[:-1])


def tags_of(masked: str, letters: Letters) -> Tags:
    """Find the tags: each reaches from the first ``<`` that can start one to the next ``>``."""
    codes = letters.codes
    bracket = ((codes | 2) == ord(">")).nonzero()[0]  # "<" differs from ">" in this bit
    is_open = codes[bracket] == ord("<")
    closing = (~is_open).nonzero()[0]
    size = int(closing[-1]) + 1 if closing.size else 0
    last = int(bracket[size - 1]) + 1 if size else 0
    open_tag = TAG_START.search(masked, last)
    limit = open_tag.start() if open_tag else codes.size
    bracket, is_open = bracket[:size], is_open[:size]

    opening = is_open.nonzero()[0]
    start = bracket[opening]
    is_close = codes[start + 1] == ord("/")
    first = codes[start + 1 + is_close]
    is_pseudo = (first == ord("!")) & ~is_close
    is_tag = _IS_LETTER[first] | is_pseudo
    if not is_tag.all():  # the others are no brackets
        is_bracket = np.ones(size, dtype=bool)
        is_bracket[opening] = is_tag
        bracket, is_open = bracket[is_bracket], is_open[is_bracket]
        opening = is_open.nonzero()[0]
        start, is_close, is_pseudo = start[is_tag], is_close[is_tag], is_pseudo[is_tag]
    is_first = ~is_open[opening - 1]  # the first is compared with the last, which closes
    if not is_first.all():
        start, is_close, is_pseudo = start[is_first], is_close[is_first], is_pseudo[is_first]
    end = bracket[1:][is_open[:-1] > is_open[1:]] + 1
    name_end, name, names = _names(masked, letters, start + 1 + is_close, is_pseudo)
    return Tags(start, end, name_end, name, names, is_close, last, limit)


def _names(
    masked: str, letters: Letters, at: Longs, is_pseudo: Bools
) -> tuple[Longs, npt.NDArray[np.int16], tuple[str, ...]]:
    """Read the names that begin at some places: their ends, their names, and all names.

    Eight letters at a time are one number; names that are longer, or of more than ASCII, are read
    one by one.
    """
    key = _SMALL.take(letters.eights[at].view(np.uint8)).view("<u8")
    # Of the bits that are set in zero bytes the lowest is right, and those below are the name's.
    zeros = (key - _LOW_BITS) & ~key & _HIGH_BITS
    below = (zeros & (~zeros + _ONE)) - _ONE
    key &= below >> _SEVEN
    size = np.bitwise_count(below).astype(np.int64) >> 3
    is_odd = ((zeros == 0) | (key & _HIGH_BITS != 0)) & ~is_pseudo
    long: dict[str, int] = {}
    known: dict[str, int] = {"": 0}
    odd = is_odd.nonzero()[0]
    for index, position in zip(odd.tolist(), at[odd].tolist(), strict=True):
        match = _NAME.match(masked, position)
        raw = match[0] if match else ""
        if raw not in known:
            own = raw.lower()
            if len(own) < 8 and own.isascii() and own.isprintable():
                known[raw] = int.from_bytes(own.encode(), "little")
            else:  # no name has only set bits
                known[raw] = _MOST - long.setdefault(own, len(long))
        key[index], size[index] = known[raw], len(raw)

    used = (~is_pseudo).nonzero()[0]
    first, number = _numbered(key[used])
    # Past 32,000 distinct names a document is noise: the rest share one name.
    most = np.iinfo(np.int16).max
    name = np.full(at.size, -1, np.int16)
    name[used] = np.minimum(number, most - 1)
    of_long = {_MOST - number: own for own, number in long.items()}
    names = [
        of_long[key] if key in of_long else key.to_bytes(8, "little").rstrip(b"\0").decode()
        for key in key[used[first[:most]]].tolist()
    ]
    return at + size, name, tuple(names)


def _numbered(keys: npt.NDArray[np.uint64]) -> tuple[Longs, Longs]:
    """Return where each distinct key is first, in this order, and which of these each is, (k,)."""
    # Keys that fall into one place of a table are nearly always equal; if not, they are sorted.
    bucket = (keys * _SCATTER >> np.uint64(64 - _BUCKET_BITS)).astype(np.int64)
    table = np.empty(1 << _BUCKET_BITS, dtype=np.int64)
    at = np.arange(keys.size)
    table[bucket[::-1]] = at[::-1]
    first = table[bucket]
    if (keys[first] != keys).any():
        _, firsts, kind = np.unique(keys, return_index=True, return_inverse=True)
        first = firsts[kind]
    is_first = first == at
    return is_first.nonzero()[0], (is_first.cumsum() - 1)[first]


def quoted_ends(masked: str, letters: Letters, tags: Tags) -> list[tuple[int, int]]:
    """Return ``(from, to)`` of the parts of tags that a quoted ``>`` made look like text."""
    if not tags.start.size:
        return []
    codes = letters.codes
    # The usual end is a quote that is no opening one, or there is only a name.
    position = tags.end - 2
    position = position - (codes[position] == ord("/"))
    for _ in range(2):
        position = position - (codes[position] == ord(" "))
    is_usual = (
        (codes[position] == ord('"')) & ~_may_open(codes, position) & (position > tags.name_end)
    )
    doubtful = ~is_usual & (position >= tags.name_end)
    single = (codes == ord("'")).nonzero()[0]
    if single.size:
        single = single[_may_open(codes, single)]
        around = tags.start.searchsorted(single) - 1
        doubtful[around[(around >= 0) & (single < tags.end[around])]] = True
    doubtful &= tags.name >= 0

    result: list[tuple[int, int]] = []
    done = 0
    dead_ends: set[int] = set()
    open_ended = [
        tag for tag in doubtful.nonzero()[0].tolist() if _is_open_ended(masked, tags.start[tag])
    ]
    head = masked[: tags.last] if open_ended else ""
    for tag in open_ended:
        start, reached = int(tags.start[tag]), int(tags.end[tag])
        if start < done:
            continue
        end = end_of_tag(head, start, dead_ends)
        if end > reached:
            result.append((reached - 1, end - 1))
            done = end
    return result


def _may_open(codes: Codes, quote: Longs) -> Bools:
    """Return of which quotes it cannot be ruled out at a glance that they open a value, (q,)."""
    before = codes[quote - 1]
    before = np.where(before == ord(" "), codes[quote - 2], before)
    return np.asarray((before == ord("=")) | (before <= 32) | (before > 127), dtype=bool)


def _is_open_ended(masked: str, start: int) -> bool:
    """Return whether a tag ends in a quoted value: whether its last quote is an opening one."""
    tag = _TAG.match(masked, start)
    rest = tag[1] if tag else ""
    return any(
        quote in rest and rest[: rest.rindex(quote)].rstrip()[-1:] == "=" for quote in ('"', "'")
    )


def overwrite(head: str, parts: list[tuple[int, int]]) -> str:
    pieces = []
    at = 0
    for start, end in parts:
        pieces += [head[at:start], head[start:end].replace(">", "_")]
        at = end
    return "".join([*pieces, head[at:]])
