"""The tokeniser: HTML text to columns of words and tags.

It sees markup where a browser's tokeniser sees it: ``<`` before a letter, a ``/``, ``!`` or ``?``;
``>`` inside a quoted attribute value does not end a tag; what ``script``, ``style``, ``title``,
``textarea`` and comments hold is no markup.  It never raises, and takes time linear in the input.

How: parts that are not text are left out (`engine.mask`), tags are found by their brackets
(`engine.tags`), words between them by white space, with numpy for all of them at once.  More than
twice as fast as one large regular expression (methods.md#speed).
"""

import re
from dataclasses import dataclass, field
from functools import cached_property
from html.entities import html5

import numpy as np
import numpy.typing as npt

from engine.code_points import OTHER, Codes, Letters, letter_codes
from engine.mask import Masked, mask
from engine.references import resolve_value
from engine.tags import Tags, overwrite, quoted_ends, tags_of
from engine.tree import BLOCK_TAGS, Bools, Ints, Longs, lock

WORD = 0
TAG = 1

BREAKING_TAGS = BLOCK_TAGS | {"br"}
"""Tags that end a line of text."""

INLINE_BOXES = frozenset(["div", "section", "form", "fieldset"])
"""Boxes whose own style may put them in a line; ends of others may be left out."""

IS_INLINE = re.compile(r"display\s*:\s*inline\s*(?![\w-])", re.IGNORECASE)
_INLINE = re.compile(rb"display[\s\x1c-\x1f\x80-\xff]*:[\s\x1c-\x1f\x80-\xff]*inline(?![\w-])")
"""What such a style says, and not ``inline-block``: that may be a card of a grid."""

PARTING_TAGS = frozenset("button input select textarea text desc".split())
"""Tags of controls, and of labels of a drawing: letters before and after are of two words."""

_LAST_SPACE = 0x3000
IS_SPACE = np.zeros(1 << 16, dtype=bool)
"""Which `letter_codes` are white space; NUL, which browsers drop, is too."""
IS_SPACE[[0, *(code for code in range(_LAST_SPACE + 1) if chr(code).isspace())]] = True
lock(IS_SPACE)
_IS_OF_WORD = np.array([code > 127 or chr(code).isalnum() for code in range(256)])
lock(_IS_OF_WORD)

_CODE = frozenset(["pre", "code", "kbd", "samp", "tt"])
_NEXT_ITEM = re.compile(
    r"(?:</\w+>)*?</(a|span)>(?:</?\w[^<>]*>)*?<\1\b[^<>]*>(?:<\w[^<>]*>)*", re.IGNORECASE
)
"""What is between two items: a link, or ``span``, ends and the next begins."""

_TWO = re.compile(
    r"(?:(?![_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])\w){2}"
)
"""Two letters or digits of scripts that are written with blanks."""

# Character references of white space.
_NAMED = sorted((n for n, value in html5.items() if value.isspace()), key=len, reverse=True)
_CODES = sorted({*IS_SPACE.nonzero()[0].tolist()} - {0, 133})  # U+FFFD and an ellipsis to browsers
_DECIMAL, _HEX = "|".join(map(str, _CODES)), "|".join(f"(?i:{code:x})" for code in _CODES)
_SPACE_REFERENCE = re.compile(
    f"&(?:{'|'.join(_NAMED)}|#0*(?:{_DECIMAL})(?:;|(?![0-9]))"
    f"|#[xX]0*(?:{_HEX})(?:;|(?![0-9a-fA-F])))"
)

_BEFORE_FRAMES = "html head meta link base script style title noscript frameset".split()
"""Tags before a ``frameset`` that leave the document one of frames."""

_TAG_NAME = re.compile(r"</?[a-zA-Z][^ \t\n\r\f/>]*")
_ATTRIBUTE = re.compile(
    r"""([^ \t\n\r\f/>][^ \t\n\r\f/>=]*)"""
    r"""(?:[ \t\n\r\f]*=[ \t\n\r\f]*(?:"([^"]*)"|'([^']*)'|([^ \t\n\r\f>"'][^ \t\n\r\f>]*)|))?"""
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
        title: Span of the first title's text; (0, 0) if there is none.
        html: The document.
        hidden: int32 (2, h). Where comments, scripts and the like start, and where they end.
        ampersands: int32 (a,). Their positions in text.
        limit: Where the text ends: a tag that never ends hides the rest of the document.
    """

    start: Ints
    end: Ints
    kind: npt.NDArray[np.int8]
    name: npt.NDArray[np.int16]
    names: tuple[str, ...]
    is_close: Bools
    title: tuple[int, int]
    html: str = field(repr=False)
    hidden: Ints = field(repr=False)
    ampersands: Ints = field(repr=False)
    limit: int = field(repr=False)

    def __post_init__(self) -> None:
        for name in ("start", "end", "kind", "name", "is_close", "hidden", "ampersands"):
            lock(getattr(self, name))

    def __len__(self) -> int:
        return int(self.start.size)

    @cached_property
    def gap(self) -> Ints:
        """White-space characters of text before each token, int32 (m,).

        They are counted from the start of the document: two words with equal gaps stand together.
        """
        size = np.zeros(len(self) + 1, dtype=np.int64)
        np.cumsum(self.end - self.start, out=size[1:])
        start, end = self.hidden
        left_out = np.concatenate(([0], np.cumsum(end - start)))
        gap = self.start - size[:-1] - left_out[start.searchsorted(self.start)]
        return self._locked(gap.astype(np.int32))

    @cached_property
    def codes(self) -> Codes:
        """The `letter_codes` of the document."""
        return letter_codes(self.html)

    @cached_property
    def newline(self) -> Ints:
        """Positions of line ends in text: not in tags, comments, scripts; int32 (k,)."""
        codes = self.codes
        is_end = codes == 10
        if "\r" in self.html:
            is_end |= codes == 13
        at = is_end.nonzero()[0]
        start = np.concatenate((self.start[self.is_tag], self.hidden[0]))
        end = np.concatenate((self.end[self.is_tag], self.hidden[1]))
        order = start.argsort(kind="stable")  # two ascending runs: one merge
        before = start[order].searchsorted(at, side="right")
        reach = np.concatenate(([0], end[order]))
        return self._locked(at[(at >= reach[before]) & (at < self.limit)].astype(np.int32))

    @staticmethod
    def _locked(column: Ints) -> Ints:
        lock(column)
        return column

    @cached_property
    def is_tag(self) -> Bools:
        """Tokens that are tags, bool (m,)."""
        return np.asarray(self.kind == TAG, dtype=bool)

    @cached_property
    def is_word(self) -> Bools:
        """Tokens that are words, bool (m,)."""
        return ~self.is_tag

    def is_named(self, *names: str) -> Bools:
        """Return which tokens are tags, start or end, of these names, bool (m,)."""
        return self._is_in(frozenset(names))

    @cached_property
    def is_block(self) -> Bools:
        """Tokens that are tags of block-level elements, bool (m,)."""
        return self._is_in(BLOCK_TAGS)

    @cached_property
    def is_break(self) -> Bools:
        """Tokens that are tags that end a line: block-level and ``br``, bool (m,).

        Not those of a box whose ``style`` says that it is drawn in the line.
        """
        is_break = self._is_in(BREAKING_TAGS)
        inline = self._inline_boxes()
        for name in {self.names[self.name[at]] for at in inline}:
            opened: list[bool] = []
            for at in self.is_named(name).nonzero()[0].tolist():
                if not self.is_close[at]:
                    opened.append(at in inline)
                    is_break[at] &= not opened[-1]
                elif opened:
                    is_break[at] &= not opened.pop()
        return is_break

    def _inline_boxes(self) -> set[int]:
        """Return the start tags of boxes that their own style puts in the line."""
        found = set()
        # Letters beyond ASCII, such as odd blanks, are one byte each: far quicker to search.
        low = np.minimum(self.codes, OTHER).astype(np.uint8).tobytes().lower()
        for match in _INLINE.finditer(low):
            at = int(self.start.searchsorted(match.start(), side="right")) - 1
            if at < 0 or match.start() >= self.end[at] or self.is_close[at]:
                continue
            if self.name[at] >= 0 and self.names[self.name[at]] in INLINE_BOXES:
                style = attributes(self.html, int(self.start[at]), int(self.end[at])).get("style")
                found.update([at] if IS_INLINE.search(style or "") else [])
        return found

    @cached_property
    def words(self) -> Ints:
        """Indices of the tokens that are words, int32 (w,)."""
        return self.is_word.nonzero()[0].astype(np.int32)

    @cached_property
    def spans(self) -> Ints:
        """Spans of the words, int32 (w, 2)."""
        spans = np.empty((self.words.size, 2), dtype=np.int32)
        spans[:, 0], spans[:, 1] = self.start[self.words], self.end[self.words]
        return spans

    @cached_property
    def joints(self) -> npt.NDArray[np.int8]:
        """Separator before each word: 0 nothing, 1 white space, 2 a line's end; int8 (w,)."""
        lines = np.cumsum(self.is_break)[self.words]
        gaps = self.gap[self.words]
        joint = np.zeros(self.words.size, dtype=np.int8)
        joint[1:][gaps[1:] > gaps[:-1]] = 1
        joint[1:][self._is_parted] = 1
        joint[1:][lines[1:] > lines[:-1]] = 2
        return joint

    @property
    def _is_parted(self) -> Bools:
        """Whether a control, a label or a new item parts each word from the one before, (w - 1,).

        Where one link, or ``span``, ends and the next begins are two items: on 700 of WCXB's
        development pages gold has 870 such pairs of words apart and 6 as one.
        """
        parts = np.cumsum(self._is_in(PARTING_TAGS))[self.words]
        first, last = (self.codes[self.spans[:, side] - side] for side in (0, 1))
        of_word = [_IS_OF_WORD.take(each, mode="clip") for each in (last[:-1], first[1:])]
        is_parted = (parts[1:] > parts[:-1]) & of_word[0] & of_word[1]
        is_near = self.gap[self.words[1:]] == self.gap[self.words[:-1]]
        code = np.cumsum(self._is_in(_CODE) * np.where(self.is_close, -1, 1))[self.words[1:]]
        past = self.spans[:-1, 1]
        ends = [self.codes.take(past + k, mode="clip") == ord("</"[k]) for k in (0, 1)]
        near = (is_near & ends[0] & ends[1] & ~is_parted & (code <= 0)).nonzero()[0]
        html, spans = self.html, self.spans
        for at, end, start in zip(
            near.tolist(), spans[near, 1].tolist(), spans[near + 1, 0].tolist(), strict=True
        ):
            if _TWO.match(html, end - 2) and _TWO.match(html, start):
                is_parted[at] = _NEXT_ITEM.fullmatch(html, end, start) is not None
        return np.asarray(is_parted, dtype=bool)

    def _is_in(self, names: frozenset[str]) -> Bools:
        is_named = np.array([*(name in names for name in self.names), False])  # words have name -1
        return np.asarray(is_named[self.name], dtype=bool)


def tokenise(html: str) -> Tokens:
    """Read the tokens of a document.  O(n); any text is a document."""
    masked = mask(html)
    text = masked.text
    letters = Letters.of(text)
    tags = tags_of(text, letters)
    if parts := quoted_ends(text, letters, tags):
        text = overwrite(text, parts)
        letters = Letters.of(text)
        tags = tags_of(text, letters)
    word_start, word_end, ampersands = _words(text, letters, tags)

    # Merge words and tags in document order; drop tags of no element.
    is_element = tags.name >= 0
    elements = is_element.nonzero()[0]
    tag_start = tags.start[elements]
    at_tag = word_start.searchsorted(tag_start) + np.arange(elements.size)
    m = elements.size + word_start.size
    is_tag = np.zeros(m, bool)
    is_tag[at_tag] = True
    at_word = (~is_tag).nonzero()[0]
    start, end = np.empty(m, np.int64), np.empty(m, np.int64)
    start[at_tag], start[at_word] = tag_start, word_start
    end[at_tag], end[at_word] = tags.end[elements], word_end
    name = np.full(m, -1, np.int16)
    name[at_tag] = tags.name[elements]
    is_close = np.zeros(m, bool)
    is_close[at_tag] = tags.is_close[elements]
    if "frameset" in tags.names:
        is_read = _is_read(name, is_close, tags.names)
        start, end, is_tag = start[is_read], end[is_read], is_tag[is_read]
        name, is_close = name[is_read], is_close[is_read]
    hidden = (~is_element).nonzero()[0]
    return Tokens(
        start=_in_document(start, masked),
        end=_in_document(end, masked),
        kind=is_tag.view(np.int8),
        name=name,
        names=tags.names,
        is_close=is_close,
        title=masked.title,
        html=html,
        hidden=np.stack([_in_document(x[hidden], masked) for x in (tags.start, tags.end)]),
        ampersands=_in_document(ampersands, masked),
        limit=int(_in_document(np.array([tags.limit]), masked)[0]),
    )


def _is_read(
    name: npt.NDArray[np.int16], is_close: Bools, names: tuple[str, ...]
) -> npt.NDArray[np.bool_]:
    """Return which tokens, (m,), a document of frames has: its text is that of ``noframes``."""
    number = {own: index for index, own in enumerate(names)}
    at = ((name == number["frameset"]) & ~is_close).nonzero()[0]
    head = [number[own] for own in _BEFORE_FRAMES if own in number]
    if not at.size or not np.isin(name[: at[0]], head).all():
        return np.ones(name.size, dtype=bool)
    noframes = name == number.get("noframes", len(names))
    inside = np.cumsum(np.where(is_close, -1, 1) * noframes) > 0
    return (name >= 0) | inside


def _in_document(indices: Longs, masked: Masked) -> Ints:
    """Return where places of the masked text, ascending, are in the document; int32 (k,)."""
    if not masked.cuts:
        return indices.astype(np.int32)
    edges = np.empty(len(masked.cuts) + 2, dtype=np.int64)
    edges[0], edges[-1] = 0, indices.size
    edges[1:-1] = indices.searchsorted(masked.cuts)
    result: Ints = np.array(masked.missing, dtype=np.int32).repeat(edges[1:] - edges[:-1])
    result += indices
    return result


def attributes(html: str, start: int, end: int) -> dict[str, str]:
    """Return the attributes of the tag ``html[start:end]``, names in lower case."""
    result: dict[str, str] = {}
    if name := _TAG_NAME.match(html, start, end):
        # The tag of a very short raw text reaches to that text's end (`engine.mask`).
        last = html.rfind(">", name.end(), end)
        for key, double, single, bare in _ATTRIBUTE.findall(html, name.end(), last):
            result.setdefault(key.lower(), resolve_value(double or single or bare))
    return result


def _words(text: str, letters: Letters, tags: Tags) -> tuple[Longs, Longs, Longs]:
    """Return start and end of each word, int64 (w,), and the places of ampersands, (a,)."""
    is_space = spaces(letters.codes, letters.wide)
    n = is_space.size
    is_text = tags.outside(n)
    ampersands = (letters.codes == ord("&")).nonzero()[0]
    ampersands = ampersands[is_text[ampersands]]
    for position in ampersands.tolist():
        if match := _SPACE_REFERENCE.match(text, position):
            is_space[position : match.end()] = True
    is_inked = np.zeros(n + 2, dtype=bool)
    np.greater(is_text, is_space, out=is_inked[1:-1])
    edges = (is_inked[1:] != is_inked[:-1]).nonzero()[0]
    return edges[0::2], edges[1::2], ampersands


def spaces(codes: Codes, wide: Codes | None = None) -> Bools:
    """Return which `letter_codes` are white space; ``wide`` has those that ``codes`` cuts short."""
    result = codes <= 32
    # Few letters are control characters or beyond ASCII: only they are looked up.
    odd = result & (codes != 32)
    odd &= codes != 10
    odd |= codes > 127
    at = odd.nonzero()[0]
    result[at] = IS_SPACE.take((codes if wide is None else wide)[at], mode="clip")
    return result
