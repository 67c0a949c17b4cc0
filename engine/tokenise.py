"""The tokeniser: HTML text to columns of words and tags.

It sees markup where a browser's tokeniser sees it: ``<`` before a letter, a ``/``, ``!`` or ``?``;
``>`` inside a quoted attribute value does not end a tag; what ``script``, ``style``, ``title``,
``textarea`` and comments hold is no markup.  It never raises, and takes time linear in the input.

How: what is no text is found with `str.find` and overwritten, at equal length, by one pseudo-tag
``<!!!>``; then one `re.split` at tags; the characters between the tags are classified by numpy.
Twice as fast as one large regular expression (systems.md#speed).
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html.entities import html5
from itertools import count

import numpy as np
import numpy.typing as npt

from engine.tree import BLOCK_TAGS, Bools, Ints, lock

WORD = 0
TAG = 1

BREAKING_TAGS = BLOCK_TAGS | {"br"}
"""Tags that end a line of text."""

_LAST_SPACE = 0x3000
IS_SPACE = np.zeros(1 << 16, dtype=bool)
"""Which `letter_codes` are white space; NUL, which browsers drop, is too."""
# NUL also stands between texts (`_words`).
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

_RAW = "|".join(
    "".join(f"[{letter}{letter.upper()}]" for letter in name)
    for name in ("script", "style", "title", "textarea", "xmp")
)
_SPECIAL = re.compile(rf"<(?:[!?]|/[^a-zA-Z]|(?=[sStTxX])({_RAW})(?=[\s/>]))")
# Name and rest of a tag; after a "/" there is a letter: see _SPECIAL.
_TAG_SPLIT = re.compile(r"<(/?[a-zA-Z][^ \t\n\r/>]*|!)([^>]*)>")
_TAG_NAME = re.compile(r"</?[a-zA-Z][^\s/>]*")
_TAG_START = re.compile(r"</?[a-zA-Z]")
_BEFORE_QUOTE = frozenset(["", "=", *filter(str.isspace, map(chr, range(_LAST_SPACE + 1)))])
_ATTRIBUTE_STEP = re.compile(r"""[^>=]*(?:>|=\s*(?:"[^"]*"|'[^']*')?)""")
_ATTRIBUTE = re.compile(
    r"""([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?"""
)
_IN_SCRIPT = re.compile(r"<!--|-->|</?script(?=[\s/>])", re.IGNORECASE)
_AFTER = ("", *" \t\n\f\r/>")


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
    masked, title = _mask(html)
    pieces, lengths = _split(masked)

    # Where pieces stand: text, tag, text ...
    length = lengths[0::3]
    tag_length = lengths[1::3] + lengths[2::3]
    tag_end = np.cumsum(length[:-1] + tag_length)
    tag_start = tag_end - tag_length
    text_start = np.concatenate(([0], tag_end))

    words, gap, gap_before_tag, newline = _words(pieces[0::3], length, text_start)

    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    raw = np.fromiter(map(numbers.__getitem__, pieces[1::3]), np.intp, tag_end.size)
    distinct, order = _distinct(numbers)
    is_close = np.array([name.startswith("/") for name in numbers], bool)
    if order.size and order.min() < 0:  # what is no element's tag goes
        kept = np.flatnonzero(order[raw] >= 0)
        raw, tag_start, tag_end = raw[kept], tag_start[kept], tag_end[kept]
        gap_before_tag = gap_before_tag[kept]

    # Merge words and tags in document order.
    at_word = np.searchsorted(tag_start, words[0])
    at_word += np.arange(at_word.size)
    m = raw.size + at_word.size
    kind = np.full(m, TAG, np.int8)
    kind[at_word] = WORD
    at_tag = np.flatnonzero(kind)
    columns = [np.empty(m, np.int32) for _ in range(3)]
    tag_columns = (tag_start, tag_end, gap_before_tag)
    for column, of_tags, of_words in zip(columns, tag_columns, (*words, gap), strict=True):
        column[at_tag] = of_tags
        column[at_word] = of_words
    start, end, gaps = columns
    name = np.full(m, -1, np.int16)
    closes = np.zeros(m, bool)
    if raw.size:
        name[at_tag] = order[raw]
        closes[at_tag] = is_close[raw]
    return Tokens(start, end, kind, name, distinct, closes, gaps, newline, title)


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


def _distinct(numbers: dict[str, int]) -> tuple[tuple[str, ...], npt.NDArray[np.int16]]:
    """Number the tag names without ``/`` and letter case; -1 for what is no element's tag.

    ``numbers`` holds what a tag begins with: ``/p``, ``P``.
    """
    names: dict[str, int] = {}
    order = []
    for raw in numbers:
        name = raw.lstrip("/").split(None, 1)[0].partition("/")[0].lower()
        order.append(-1 if name.startswith("!") else names.setdefault(name, len(names)))
    # Past 32,000 distinct names a document is noise: the rest share one name.
    most = np.iinfo(np.int16).max
    distinct = tuple(names)[:most]
    return distinct, np.minimum(np.array(order, np.int64), most - 1).astype(np.int16)


def _split(masked: str) -> tuple[list[str], npt.NDArray[np.int64]]:
    """Cut at tags: text, name and rest of a tag, text ...; and how far each reaches.

    The brackets of a tag count for its name.
    """
    last = masked.rfind(">") + 1
    tail = masked[last:]
    # A tag that never ends hides the rest of the document.  With a ">" ahead of every "<" the
    # pattern cannot look in vain, so that the split stays linear.
    if open_tag := _TAG_START.search(tail):
        tail = tail[: open_tag.start()]
    head = masked[:last]
    pieces = _TAG_SPLIT.split(head)
    lengths = _lengths(pieces)
    open_ended = _open_ended(pieces[2::3])
    if open_ended:
        ends = _ends_of_tags(head, pieces, lengths, open_ended)
        if ends:
            pieces = _TAG_SPLIT.split(_overwrite(head, ends))
            lengths = _lengths(pieces)
    pieces[-1] += tail
    lengths[-1] += len(tail)
    return pieces, lengths


def _lengths(pieces: list[str]) -> npt.NDArray[np.int64]:
    lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
    lengths[1::3] += 2
    return lengths


def _open_ended(rests: list[str]) -> frozenset[str]:
    """Which of the tags, without their names, end in a quoted value."""
    # The usual end is a quote that is no opening one: no need to look closer.
    doubtful = [
        rest
        for rest in rests
        if rest and (rest[-1] != '"' or rest[-2:-1] in _BEFORE_QUOTE or "'" in rest)
    ]
    return frozenset(
        rest
        for rest in dict.fromkeys(doubtful)
        if ('"' in rest and rest[: rest.rindex('"')].rstrip()[-1:] == "=")
        or ("'" in rest and rest[: rest.rindex("'")].rstrip()[-1:] == "=")
    )


def _ends_of_tags(
    head: str, pieces: list[str], lengths: npt.NDArray[np.int64], open_ended: frozenset[str]
) -> list[tuple[int, int]]:
    """Return ``(from, to)`` of the parts of tags that a quoted ``>`` made look like text."""
    edges = np.cumsum(lengths)
    starts, ends = edges[0:-1:3].tolist(), edges[2::3].tolist()
    found: list[tuple[int, int]] = []
    done = 0
    dead_ends: set[int] = set()
    for tag, rest in enumerate(pieces[2::3]):
        if rest not in open_ended or starts[tag] < done or pieces[3 * tag + 1] == "!":
            continue
        end = end_of_tag(head, starts[tag], dead_ends)
        if end > ends[tag]:
            found.append((ends[tag] - 1, end - 1))
            done = end
    return found


def _overwrite(head: str, parts: list[tuple[int, int]]) -> str:
    pieces = []
    at = 0
    for start, end in parts:
        pieces += [head[at:start], head[start:end].replace(">", "_")]
        at = end
    return "".join([*pieces, head[at:]])


def end_of_tag(html: str, start: int, dead_ends: set[int] | None = None) -> int:
    """Return where the tag that starts at ``start`` ends, quotes respected; -1 if it does not.

    ``dead_ends`` are places between attributes from where none ended, and get those found here: who
    asks for many tags of a document hands in one set, and each place is passed only once.
    """
    dead_ends = set() if dead_ends is None else dead_ends
    at = start + 1
    passed = []
    while at not in dead_ends and (step := _ATTRIBUTE_STEP.match(html, at)):
        passed.append(at)
        at = step.end()
        if html[at - 1] == ">":
            return at
    dead_ends.update(passed, [at])
    return -1


def _words(
    texts: list[str], length: npt.NDArray[np.int64], text_start: npt.NDArray[np.int64]
) -> tuple[
    tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
    npt.NDArray[np.int64],
    npt.NDArray[np.int64],
    Ints,
]:
    """Find the words of the texts: starts and ends, spaces before them and tags; line ends."""
    joined = "\0".join(texts)
    codes = letter_codes(joined)
    is_space = spaces(codes)
    if "&" in joined:
        for match in _SPACE_REFERENCE.finditer(joined):
            is_space[match.start() : match.end()] = True
    edge = np.ones(is_space.size + 2, dtype=bool)
    edge[1:-1] = is_space
    edges = np.flatnonzero(edge[1:] != edge[:-1])
    start, end = edges[0::2], edges[1::2]

    joined_end = np.cumsum(length + 1)  # one past each text's NUL
    shift = text_start - joined_end + length + 1
    text = np.searchsorted(joined_end, start, side="right")
    moved = shift[text]
    # Before any place there are letters of words, NULs between texts, and white space.
    letters = np.concatenate(([0], np.cumsum(end - start)))
    gap = start - letters[:-1] - text
    border = joined_end[:-1] - 1
    words_before = np.searchsorted(start, border)
    gap_before_tag = border - letters[words_before] - np.arange(border.size)

    newline = np.flatnonzero((codes == 10) | (codes == 13))
    newline += shift[np.searchsorted(joined_end, newline, side="right")]
    return (start + moved, end + moved), gap, gap_before_tag, newline.astype(np.int32)


def spaces(codes: npt.NDArray[np.unsignedinteger]) -> Bools:
    """Return which of the `letter_codes` are white space: what `IS_SPACE` says of each."""
    found = codes <= 32
    # Few letters are control characters or beyond ASCII: only they are looked up.
    odd = np.flatnonzero((found & (codes != 32) & (codes != 10)) | (codes > 127))
    found[odd] = IS_SPACE[codes[odd]]
    return np.asarray(found, dtype=bool)


def letter_codes(text: str) -> npt.NDArray[np.unsignedinteger]:
    """Return each letter's code point, those above 0xFFFF as some letter's; (len(text),)."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8)
    short = text.encode("utf-16-le", "surrogatepass")
    if len(short) == 2 * len(text):
        return np.frombuffer(short, np.uint16)
    wide = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.minimum(wide, 0xFFFF).astype(np.uint16)


def _mask(html: str) -> tuple[str, tuple[int, int]]:
    """Overwrite what is no text, at equal length; return that and the span of the title."""
    pieces: list[str] = []
    title = (0, 0)
    at = 0
    for start, end, name in _specials(html):
        if name == "title" and title == (0, 0):
            title = (start, end)
        pieces.append(html[at:start])
        if name in ("textarea", "xmp"):
            pieces.append(html[start:end].replace("<", "_").replace(">", "_"))
        else:
            size = end - start
            if size > 2:
                pieces.append(f"<{'!' * (size - 2)}>")
            elif name:  # too short for that: make the start tag longer
                pieces[-1] = f"{pieces[-1][:-1]}{' ' * size}>"
            else:
                pieces.append("\0" * size)
        at = end
    pieces.append(html[at:])
    return "".join(pieces), title


def _specials(html: str) -> Iterator[tuple[int, int, str]]:
    """Yield ``(start, end, name)`` of each stretch that is no markup; name "" for comments."""
    at = 0
    dead_ends: set[int] = set()
    while match := _SPECIAL.search(html, at):
        start = match.start()
        tag = _tag_around(html, at, start, dead_ends)
        if tag > start:
            at = tag
            continue
        name = (match[1] or "").lower()
        if not name:
            at = _end_of_comment(html, start)
            yield start, at, name
            continue
        content = html.find(">", start) + 1
        opening = html[start:content]
        if '"' in opening or "'" in opening:
            quoted = end_of_tag(html, start, dead_ends)
            content = quoted if quoted >= 0 else content
        if not content:
            return
        at = _end_of_content(html, content, name)
        if at > content:
            yield content, at, name


def _tag_around(html: str, low: int, at: int, dead_ends: set[int]) -> int:
    """Return the end of the tag whose quoted value holds ``at``, -1 if it stands in none."""
    for quote in ('"', "'"):
        opening = html.rfind(quote, low, at)
        if opening > 0 and html[max(low, opening - 20) : opening].rstrip()[-1:] == "=":
            start = html.rfind("<", low, opening)
            if start >= 0 and _TAG_START.match(html, start):
                return end_of_tag(html, start, dead_ends)
    return -1


def _end_of_comment(html: str, start: int) -> int:
    if html.startswith("<!--", start):
        end = html.find("-->", start + 2)
        odd = html.find("--!>", start + 4, end if end >= 0 else len(html))
        if odd >= 0:
            return odd + 4
    elif html[start : start + 9].lower() == "<![cdata[" and (end := html.find("]]>", start)) >= 0:
        return end + 3
    else:
        end = html.find(">", start)
        return end + 1 if end >= 0 else len(html)
    return end + 3 if end >= 0 else len(html)


def _end_of_content(html: str, start: int, name: str) -> int:
    """Return where the text of a raw-text element ends; an unclosed one takes the rest."""
    size = len(name)
    at = start
    while (end := html.find("</", at)) >= 0:
        at = end + 2
        if html[at : at + size].lower() != name or html[at + size : at + size + 1] not in _AFTER:
            continue
        if name == "script" and html.find("<!--", start, end) >= 0:
            return _end_of_script(html, start)
        return end
    return len(html)


def _end_of_script(html: str, start: int) -> int:
    """Return where a script with ``<!--`` ends: there a ``<script>`` must be closed first.

    What ``document.write("<script ...></script>")`` relies on.
    """
    escaped = nested = False
    for match in _IN_SCRIPT.finditer(html, start):
        what = match[0].lower()
        if what == "<!--":
            escaped = True
        elif what == "-->":
            escaped = nested = False
        elif what == "<script":
            nested = escaped
        elif nested:
            nested = False
        else:
            return match.start()
    return len(html)
