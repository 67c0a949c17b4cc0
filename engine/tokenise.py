"""The tokeniser: HTML text to columns of words and tags.

It sees markup where a browser's tokeniser sees it: ``<`` before a letter, a ``/``, ``!`` or ``?``;
``>`` inside a quoted attribute value does not end a tag; what ``script``, ``style``, ``title``,
``textarea`` and comments hold is no markup.  It never raises, and takes time linear in the input.

How: what is no text is overwritten (`engine.mask`), tags are found by their brackets
(`engine.tags`), words between them by white space, with numpy for all of them at once.  More than
twice as fast as one large regular expression (systems.md#speed).
"""

import re
from dataclasses import dataclass
from functools import cached_property
from html.entities import html5

import numpy as np
import numpy.typing as npt

from engine.mask import mask
from engine.tags import Codes, Places, Tags, letter_codes, overwrite, quoted_ends, tags_of
from engine.tree import BLOCK_TAGS, Bools, Ints, lock

WORD = 0
TAG = 1

BREAKING_TAGS = BLOCK_TAGS | {"br"}
"""Tags that end a line of text."""

_LAST_SPACE = 0x3000
IS_SPACE = np.zeros(1 << 16, dtype=bool)
"""Which `letter_codes` are white space; NUL, which browsers drop, is too."""
IS_SPACE[[0, *(code for code in range(_LAST_SPACE + 1) if chr(code).isspace())]] = True
lock(IS_SPACE)

# Character references that stand for white space, as `html.unescape` reads them.
_NAMED = sorted((n for n, value in html5.items() if value.isspace()), key=len, reverse=True)
_CODES = [
    code
    for code in range(_LAST_SPACE + 1)
    if IS_SPACE[code] and code not in (0, 11, 28, 29, 30, 31, 133)
]
_SPACE_REFERENCE = re.compile(
    "&(?:"
    + "|".join(_NAMED)
    + "|#0*(?:"
    + "|".join(str(code) for code in _CODES)
    + ")(?:;|(?![0-9]))|#[xX]0*(?:"
    + "|".join(f"(?i:{code:x})" for code in _CODES)
    + ")(?:;|(?![0-9a-fA-F])))"
)

_TAG_NAME = re.compile(r"</?[a-zA-Z][^\s/>]*")
_ATTRIBUTE = re.compile(
    r"""([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?"""
)


@dataclass(frozen=True, eq=False)
class Tokens:
    """Words and tags of one document in document order.  m tokens; arrays are locked.

    A word is a maximal run of non-white-space between tags (``a<b>c</b>`` has two); character
    references stay raw inside it, those that stand for white space end it.

    Attributes:
        start, end: int32 (m,). Code points of the document the token covers.
        kind: int8 (m,). `WORD` or `TAG`.
        name: int16 (m,). Index into `names` for a tag, -1 for a word.
        names: Distinct tag names, lower case, in order of appearance.
        is_close: bool (m,). Whether it is an end tag.
        gap: int32 (m,). White-space characters of text before the token, counted from the start
            of the document: two words with equal gaps stand together.
        newline: int32 (k,). Where line ends stand in text: not in tags, comments, scripts.
        title: Span of the first title's text; (0, 0) if there is none.
    """

    start: Ints
    end: Ints
    kind: npt.NDArray[np.int8]
    name: npt.NDArray[np.int16]
    names: tuple[str, ...]
    is_close: Bools
    gap: Ints
    newline: Ints
    title: tuple[int, int]

    def __post_init__(self) -> None:
        for array in (self.start, self.end, self.kind, self.name, self.is_close):
            lock(array)
        lock(self.gap)
        lock(self.newline)

    def __len__(self) -> int:
        return int(self.start.size)

    @cached_property
    def is_tag(self) -> Bools:
        """Which tokens are tags, bool (m,)."""
        return np.asarray(self.kind == TAG, dtype=bool)

    @cached_property
    def is_word(self) -> Bools:
        """Which tokens are words, bool (m,)."""
        return np.asarray(self.kind == WORD, dtype=bool)

    def is_named(self, *names: str) -> Bools:
        """Return which tokens are tags, start or end, of these names, bool (m,)."""
        return self._is_in(frozenset(names))

    @cached_property
    def is_block(self) -> Bools:
        """Which tokens are tags of block-level elements, bool (m,)."""
        return self._is_in(BLOCK_TAGS)

    @cached_property
    def is_break(self) -> Bools:
        """Which tokens are tags that end a line: block-level and ``br``, bool (m,)."""
        return self._is_in(BREAKING_TAGS)

    @cached_property
    def words(self) -> Ints:
        """Indices of the tokens that are words, int32 (w,)."""
        return np.flatnonzero(self.is_word).astype(np.int32)

    @cached_property
    def spans(self) -> Ints:
        """Spans of the words, int32 (w, 2)."""
        return np.stack([self.start[self.words], self.end[self.words]], axis=1)

    @cached_property
    def joints(self) -> npt.NDArray[np.int8]:
        """What stands before each word: 0 nothing, 1 white space, 2 a line's end; int8 (w,)."""
        lines = np.cumsum(self.is_break)[self.words]
        gaps = self.gap[self.words]
        joint = np.zeros(self.words.size, dtype=np.int8)
        joint[1:][gaps[1:] > gaps[:-1]] = 1
        joint[1:][lines[1:] > lines[:-1]] = 2
        return joint

    def _is_in(self, names: frozenset[str]) -> Bools:
        wanted = np.array([*(name in names for name in self.names), False])  # words have name -1
        return np.asarray(wanted[self.name], dtype=bool)


def tokenise(html: str) -> Tokens:
    """Read the tokens of a document.  O(n); any text is a document."""
    masked, title = mask(html)
    codes = letter_codes(masked)
    tags = tags_of(masked, codes)
    if parts := quoted_ends(masked, codes, tags):
        masked = overwrite(masked, parts)
        codes = letter_codes(masked)
        tags = tags_of(masked, codes)
    is_text = tags.outside(codes.size)
    word_start, word_end = _words(masked, codes, is_text)
    words_before = np.searchsorted(word_start, tags.start)
    gap, gap_before_tag = _gaps(word_start, word_end, tags, words_before)
    is_newline = codes == 10
    if "\r" in masked:
        is_newline |= codes == 13
    newline = np.flatnonzero(is_newline & is_text).astype(np.int32)

    # Merge words and tags in document order; what is no element's tag goes.
    kept = np.flatnonzero(tags.name >= 0)
    at_tag = words_before[kept] + np.arange(kept.size)
    m = kept.size + word_start.size
    kind = np.full(m, WORD, np.int8)
    kind[at_tag] = TAG
    at_word = np.flatnonzero(kind == WORD)
    columns = [np.empty(m, np.int32) for _ in range(3)]
    of_tags, of_words = (tags.start, tags.end, gap_before_tag), (word_start, word_end, gap)
    for column, of_tag, of_word in zip(columns, of_tags, of_words, strict=True):
        column[at_tag] = of_tag[kept]
        column[at_word] = of_word
    start, end, gaps = columns
    name = np.full(m, -1, np.int16)
    name[at_tag] = tags.name[kept]
    is_close = np.zeros(m, bool)
    is_close[at_tag] = tags.is_close[kept]
    return Tokens(start, end, kind, name, tags.names, is_close, gaps, newline, title)


def attributes(html: str, start: int, end: int) -> dict[str, str]:
    """Return the attributes of the tag ``html[start:end]``, names lower case, values raw."""
    found: dict[str, str] = {}
    name = _TAG_NAME.match(html, start, end)
    if name is None:
        return found
    for key, double, single, bare in _ATTRIBUTE.findall(html, name.end(), end - 1):
        key = key.lower()
        if key not in found:
            found[key] = double or single or bare
    return found


def _words(masked: str, codes: Codes, is_text: Bools) -> tuple[Places, Places]:
    """Find the words of the text: where they start and end, int64 (w,) each."""
    is_space = spaces(codes)
    if "&" in masked:
        for match in _SPACE_REFERENCE.finditer(masked):
            is_space[match.start() : match.end()] = True
    is_inked = np.zeros(codes.size + 2, dtype=bool)
    np.greater(is_text, is_space, out=is_inked[1:-1])
    edges = np.flatnonzero(is_inked[1:] != is_inked[:-1])
    return edges[0::2], edges[1::2]


def _gaps(start: Places, end: Places, tags: Tags, words_before: Places) -> tuple[Places, Places]:
    """Return the white space of text before words, (w,), and before tags, (t,).

    Before any place there are letters of words, tags, and white space.
    """
    letters = np.concatenate(([0], np.cumsum(end - start)))
    markup = np.concatenate(([0], np.cumsum(tags.end - tags.start)))
    words = np.diff(words_before, prepend=0, append=start.size)
    gap = start - letters[:-1] - np.repeat(markup, words)
    return gap, tags.start - letters[words_before] - markup[:-1]


def spaces(codes: npt.NDArray[np.unsignedinteger]) -> Bools:
    """Return which of the `letter_codes` are white space: what `IS_SPACE` says of each."""
    found = codes <= 32
    # Few letters are control characters or beyond ASCII: only they are looked up.
    odd = np.flatnonzero((found & (codes != 32) & (codes != 10)) | (codes > 127))
    found[odd] = IS_SPACE[codes[odd]]
    return np.asarray(found, dtype=bool)
