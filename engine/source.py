"""Source: one HTML document as text, as token columns and as a tree.

Everything derived is computed once, when first asked for, and locked.
"""

import re
from codecs import BOM_UTF8
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from engine import xhtml
from engine.encoding import REPLACEMENT, declared_in_xml, decode
from engine.fetch import Received
from engine.markup import build
from engine.mask import without_nul
from engine.references import resolve
from engine.tokenise import Tokens, attributes, tokenise
from engine.tree import Ints, Tree, lock
from engine.words import plural

_SPACE = re.compile(r"\s+")
_GOAL = re.compile(r"""\s*(\d*)[\d.]*[\s;,]+(?:url\s*=\s*)?["']?([^\s"'][^"']*)""", re.IGNORECASE)
_SEPARATORS = np.array(["", " ", "\n"], dtype=object)
_UNREAD = (
    "the page names an encoding that browsers do not read for safety's sake: nothing of its text "
    "is left but one U+FFFD"
)


@dataclass(frozen=True, eq=False)
class SourceTree(Tree):
    """The document tree read from the tags of a source, with HTML's implied ends.

    Rows are elements and texts with at least one word; row 0 is ``html``, made up where the
    document has none; script, style and title are elements without texts.

    Attributes:
        past: int32 (n,). Value of `end`: one past the last row of each subtree.
        outer: int32 (n, 2). Where the row's markup starts and ends in the source.
        inner: int32 (n, 2). The same without the element's own tags; for a text equal to `outer`.
        words: int32 (n, 2). The row's words: ``first, one past the last`` of `Tokens.words`.
        token: int32 (n,). The start tag's token; -1 for a text and for a made-up root.
        html, tokens: What the tree was read from.
    """

    past: Ints
    outer: Ints
    inner: Ints
    words: Ints
    token: Ints
    html: str = field(repr=False)
    tokens: Tokens = field(repr=False)

    def __post_init__(self) -> None:
        for name in ("tag", "parent", "past", "outer", "inner", "words", "token"):
            lock(getattr(self, name))

    @cached_property
    def end(self) -> Ints:
        """Index after the last row of each subtree, int32 (n,): rows ``row..end[row]``."""
        return self.past

    @cached_property
    def depth(self) -> Ints:
        """Levels below the root, int32 (n,): the rows before, less those that have ended."""
        ended = np.cumsum(np.bincount(self.end, minlength=len(self) + 1))[: len(self)]
        return (np.arange(len(self)) - ended).astype(np.int32)

    @cached_property
    def texts(self) -> tuple[npt.NDArray[np.int64], list[str]]:
        """Text rows, (k,), and the text of each from its first word to its last.

        References are resolved, comments left out.
        """
        html = self.html
        rows = self.is_text.nonzero()[0]
        start, end = self.outer[rows].T.tolist()
        pieces = list(map(html.__getitem__, map(slice, start, end)))
        joined = "".join(pieces)  # few pages' texts need a closer look one by one
        if "<" in joined or "&" in joined:
            for index, text in enumerate(pieces):
                if "<" in text:  # a comment is between words
                    words = self.words[rows[index]].tolist()
                    pieces[index] = resolve(_without_comments(html, self.tokens, *words))
                elif "&" in text:
                    pieces[index] = resolve(text)
        return rows, pieces

    @cached_property
    def text(self) -> tuple[str, ...]:
        """Text of each row as in `texts`, "" for an element; length n."""
        texts = [""] * len(self)
        for row, text in zip(self.texts[0].tolist(), self.texts[1], strict=True):
            texts[row] = text
        return tuple(texts)


@dataclass(frozen=True, eq=False)
class Source:
    """HTML document.

    Attributes:
        html: The decoded document.
        data: The bytes as received; empty where the document was never bytes.
        encoding: WHATWG name of the encoding `data` was decoded with.
        is_guessed: Whether nothing declares that encoding.
        xml_note: Why a document that was sent as XML is read as HTML; "" else.
    """

    html: str
    data: bytes = field(default=b"", repr=False)
    encoding: str = "utf-8"
    is_guessed: bool = False
    xml_note: str = ""

    @classmethod
    def of(cls, received: Received, guess: str = "") -> Self:
        """Return the document that was received, XHTML as the HTML of the same tree."""
        if not received.is_xml:
            return cls.from_bytes(received.data, received.charset, guess)
        charset = received.charset or declared_in_xml(received.data) or "utf-8"
        decoded = decode(received.data, charset)
        reading = xhtml.read(decoded.text)
        return cls(reading.html.replace("\0", ""), encoding=decoded.encoding, xml_note=reading.note)

    @classmethod
    def from_bytes(cls, data: bytes, declared: str = "", guess: str = "") -> Self:
        """Decode as a browser does; ``declared`` and ``guess`` as in `engine.encoding.decode`.

        U+0000 is left out of text, as browsers do (HTML standard, 13.2.6.4.7).
        """
        text, encoding, is_guessed = decode(data, declared, guess)
        return cls(without_nul(text), data, encoding, is_guessed)

    @classmethod
    def from_text(cls, html: str) -> Self:
        """Wrap a document that is text already."""
        return cls(html)

    def unread(self) -> "Source":
        """Return the document with nothing computed from it yet."""
        return Source(self.html, self.data, self.encoding)

    @property
    def encoding_notes(self) -> tuple[str, ...]:
        """A sentence where the encoding is a guess, letters are wrong, or XML is ill-formed."""
        if self.encoding == REPLACEMENT:
            return (_UNREAD,)
        wrong = self.html.count("\ufffd")
        if wrong and self.encoding == "utf-8":
            wrong -= self.data.count("\ufffd".encode())
        notes = [self.xml_note] if self.xml_note else []
        if self.is_guessed:
            notes.append(f"the page declares no encoding; {self.encoding} is a guess")
        if wrong > 0:
            count = plural(wrong, "letter is", "letters are")
            notes.append(f"{count} wrong in {self.encoding} and shown as \ufffd")
        return tuple(notes)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """`encoding_notes`, and a sentence each where the page leads on, or frames are not read."""
        return (*self.encoding_notes, *_lead_on(self), *_unread_frames(self))

    @property
    def utf8(self) -> bytes:
        """The document in UTF-8: the bytes as received where they are that, which is quicker."""
        is_as_received = self.encoding == "utf-8" and bool(self.data) and b"\0" not in self.data
        # Whatever was wrong in them was replaced, and a byte order mark left out.
        if is_as_received and "\ufffd" not in self.html and not self.data.startswith(BOM_UTF8):
            return self.data
        return self.html.encode("utf-8", "surrogatepass")

    @cached_property
    def tokens(self) -> Tokens:
        """Words and tags in document order.  O(n), once."""
        return tokenise(self.html)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words in document order, references resolved, length w."""
        words = self._raw_words()
        for number in self.with_references.tolist():
            words[number] = resolve(words[number])
        return tuple(words)

    def _raw_words(self) -> list[str]:
        html, spans = self.html, self.tokens.spans
        start, end = spans[:, 0], spans[:, 1]
        if "\0" in html:  # white space to browsers, not to Python
            return [html[i:j] for i, j in zip(start.tolist(), end.tolist(), strict=True)]
        # One character between two words is white space: such words are cut apart together, which
        # takes half as long as one by one.
        ends = np.ones(len(spans), dtype=bool)
        np.not_equal(start[1:] - end[:-1], 1, out=ends[:-1])
        last = ends.nonzero()[0]
        first = np.concatenate(([0], last[:-1] + 1))
        stretches = zip(start[first[: last.size]].tolist(), end[last].tolist(), strict=True)
        return "\n".join([html[i:j] for i, j in stretches]).split()

    def some_words(self, numbers: npt.NDArray[np.integer]) -> list[str]:
        """Return some of `words` by their numbers, (k,), without reading all."""
        html, spans = self.html, self.tokens.spans[numbers]
        return [resolve(html[i:j]) for i, j in spans.tolist()]

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Characters of each of `words`, int64 (w,)."""
        spans = self.tokens.spans
        size = (spans[:, 1] - spans[:, 0]).astype(np.int64)
        for number in self.with_references.tolist():
            start, end = spans[number].tolist()
            size[number] = len(resolve(self.html[start:end]))
        lock(size)
        return size

    @cached_property
    def with_references(self) -> npt.NDArray[np.int64]:
        """Numbers of the words with an ampersand, (k,), ascending."""
        at, spans = self.tokens.ampersands, self.tokens.spans
        if not spans.size:
            return np.zeros(0, dtype=np.int64)
        word = spans[:, 1].searchsorted(at, side="right")
        inside = (word < len(spans)) & (spans[np.minimum(word, len(spans) - 1), 0] <= at)
        word = word[inside]
        return np.asarray(word[np.diff(word, prepend=-1) > 0], dtype=np.int64)

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """Cached results of methods for this source."""
        return {}

    @cached_property
    def tree(self) -> SourceTree:
        """The document tree.  O(n), once."""
        columns = build(self.html, self.tokens)
        return SourceTree(**columns, html=self.html, tokens=self.tokens)

    @cached_property
    def text(self) -> str:
        """All text of the document, as kept by the baseline `plain`."""
        return self.text_of(np.array([[0, len(self.html)]], dtype=np.int32))

    @cached_property
    def title(self) -> str:
        """The document's title, white space collapsed; "" if it has none."""
        start, end = self.tokens.title
        return _SPACE.sub(" ", resolve(self.html[start:end])).strip()

    def words_in(self, spans: npt.ArrayLike) -> Ints:
        """Return first and one past the last word that each span, (k, 2), touches; int32 (k, 2)."""
        spans = np.asarray(spans, dtype=np.int32).reshape(-1, 2)
        positions = self.tokens.spans
        first = np.searchsorted(positions[:, 1], spans[:, 0], side="right")
        last = np.searchsorted(positions[:, 0], spans[:, 1], side="left")
        return np.stack([first, np.maximum(first, last)], axis=1).astype(np.int32)

    def text_of(self, spans: npt.ArrayLike) -> str:
        """Return the text inside spans, int32 (k, 2), in order and not overlapping.

        Tags are dropped, references resolved, white space collapsed.  Between two kept words there
        is a line break if a block-level tag or ``br`` is between them, else a blank if white space
        or a word left out is, else nothing.  A word cut by a span's edge gives its part.
        """
        _, parts, joints = self.pieces_of(spans)
        pieces = [""] * (2 * len(parts))
        pieces[0::2], pieces[1::2] = _SEPARATORS[joints].tolist(), parts
        return "".join(pieces).strip()

    def pieces_of(
        self, spans: npt.ArrayLike
    ) -> tuple[npt.NDArray[np.intp], list[str], npt.NDArray[np.int8]]:
        """Return numbers, texts and joints (as `Tokens.joints`) of the words inside spans, (k,)."""
        spans = np.asarray(spans, dtype=np.int32).reshape(-1, 2)
        runs = self.words_in(spans)
        keeps_any = runs[:, 1] > runs[:, 0]
        spans, runs = spans[keeps_any], runs[keeps_any]
        if not runs.size:
            return np.zeros(0, dtype=np.intp), [], np.zeros(0, dtype=np.int8)
        words = self.words
        parts: list[str] = []
        for first, last in runs.tolist():
            parts += words[first:last]
        count = runs[:, 1] - runs[:, 0]
        index = np.arange(len(parts)) + (runs[:, 0] - (np.cumsum(count) - count)).repeat(count)
        self._cut(parts, spans, runs)
        return index, parts, self._joints(index)

    def attributes(self, row: int) -> dict[str, str]:
        """Return the attributes of an element of `tree`, references resolved."""
        token = int(self.tree.token[row])
        if token < 0:
            return {}
        start, end = int(self.tokens.start[token]), int(self.tokens.end[token])
        return attributes(self.html, start, end)

    def _joints(self, index: npt.NDArray[np.intp]) -> npt.NDArray[np.int8]:
        """Return the separator before each of these words, as in `pieces_of`."""
        tokens = self.tokens
        joints = tokens.joints[index]
        apart = np.flatnonzero(np.diff(index) != 1) + 1
        if apart.size:
            at = tokens.words[index]
            breaks = np.cumsum(tokens.is_break)
            joints[apart] = np.where(breaks[at[apart]] > breaks[at[apart - 1]], 2, 1)
            same = index[apart] == index[apart - 1]  # both spans are parts of the same word
            joints[apart[same]] = 1
        joints[:1] = 0
        return joints

    def _cut(self, parts: list[str], spans: Ints, runs: Ints) -> None:
        """Shorten the words that a span's edge goes through."""
        positions = self.tokens.spans
        counts = np.cumsum(runs[:, 1] - runs[:, 0])
        starts = positions[runs[:, 0], 0]
        ends = positions[runs[:, 1] - 1, 1]
        for k in np.flatnonzero((starts < spans[:, 0]) | (ends > spans[:, 1])).tolist():
            low, high = spans[k].tolist()
            last = int(counts[k]) - 1
            first = last - int(runs[k, 1] - runs[k, 0]) + 1
            for position, word in ((first, runs[k, 0]), (last, runs[k, 1] - 1)):
                start, end = positions[word].tolist()
                cut = self.html[max(start, low) : min(end, high)]
                parts[position] = resolve(cut)


def _lead_on(source: Source) -> list[str]:
    """Return a sentence where a ``meta`` tag would send a browser to another page."""
    if not any(word in source.html for word in ("refresh", "Refresh", "REFRESH")):
        return []
    tree = source.tree
    for row in np.flatnonzero(tree.has_tag("meta") & ~tree.within("noscript", "template")).tolist():
        given = source.attributes(row)
        goal = _GOAL.match(given.get("content", ""))
        if given.get("http-equiv", "").lower() == "refresh" and goal:
            return [
                f"the page would go on to {goal[2]} after {goal[1] or 0} s; this is its own text"
            ]
    return []


def _unread_frames(source: Source) -> list[str]:
    """Return a sentence where pages in attributes of frames are not read."""
    if not any(word in source.html for word in ("srcdoc", "SRCDOC")):
        return []
    rows = np.flatnonzero(source.tree.has_tag("iframe")).tolist()
    count = sum(bool(source.attributes(row).get("srcdoc", "").strip()) for row in rows)
    if not count:
        return []
    frames = plural(count, "frame has its page", "frames have their pages")
    return [f"{frames} in an attribute (srcdoc), which only the page as it is seen has"]


def _without_comments(html: str, tokens: Tokens, first: int, last: int) -> str:
    """Return the words ``first`` to ``last - 1`` with a blank where white space is between them."""
    spans = tokens.spans[first:last].tolist()
    gaps = np.diff(tokens.gap[tokens.words[first:last]], prepend=tokens.gap[tokens.words[first]])
    words = zip(spans, gaps.tolist(), strict=True)
    return "".join([f" {html[i:j]}" if gap else html[i:j] for (i, j), gap in words])
