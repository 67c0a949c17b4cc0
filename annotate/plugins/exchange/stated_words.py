"""Places of words that a file states, or that its positions lead to in its own text.

Programs count line ends, signs beyond 16 bits and a byte order mark in several ways; where a file
has the words, too, they decide.
"""

import re
from collections.abc import Sequence

from annotate.plugins.exchange.file_marks import SelectedPlace, code_points, same_words
from engine.errors import InputError

CONTEXT = 32
"""Characters of context taken from a file's own text on either side of a quote."""


def quoted_place(text: str, start: int, end: int) -> SelectedPlace:
    """Return the place of a part of a file's own text, as a quote with its context."""
    if start == end:
        raise InputError("it marks a point between two letters")
    if not 0 <= start < end <= len(text):
        raise InputError(f"its positions {start}–{end} are not in the text")
    quote = " ".join(text[start:end].replace("\ufeff", "").split())
    if not quote:
        raise InputError("it marks only white space")
    before = " ".join(text[max(start - 4 * CONTEXT, 0) : start].split())
    after = " ".join(text[end : end + 4 * CONTEXT].split())
    before += " " if text[:start][-1:].isspace() and before else ""
    after = f" {after}" if text[end : end + 1].isspace() and after else after
    return SelectedPlace(quote=quote, prefix=before[-CONTEXT:], suffix=after[:CONTEXT])


def stated_places(
    texts: Sequence[str], parts: Sequence[tuple[int, int]], words: str
) -> tuple[tuple[SelectedPlace, ...], bool]:
    """Return the places of parts of a text whose words the file states, and if that is certain.

    The words decide.  Where they are at the positions in no text, neither in code points nor in
    UTF-16, the nearest such words are probable, and certain if there are no others.

    Args:
        texts: The text as each way of counting sees it (`countings`), likeliest first.
        parts: Start and end of each part.
        words: What the file says is there, of all parts.
    """
    for text in texts:
        for own in (parts, [(code_points(text, a), code_points(text, b)) for a, b in parts]):
            if states(text, own, words):
                return tuple(quoted_place(text, *each) for each in own), True
    pieces = words.split()
    if [len(each) for each in pieces] != [end - start for start, end in parts]:
        pieces = [" ".join(pieces)]
    text = texts[0] if texts else ""
    found = [_nearest(text, each, start) for each, (start, _) in zip(pieces, parts, strict=False)]
    known = [each for each in found if each is not None]
    if len(known) < len(pieces):
        return tuple(SelectedPlace(quote=each) for each in pieces), not text
    return tuple(quoted_place(text, *each) for each in known), all(
        text.count(each) == 1 for each in pieces
    )


def states(text: str, parts: Sequence[tuple[int, int]], words: str) -> bool:
    """Return whether parts of a text are these words, white space aside."""
    is_within = all(0 <= start < end <= len(text) for start, end in parts)
    return is_within and same_words("".join(text[start:end] for start, end in parts), words)


def _nearest(text: str, words: str, at: int) -> tuple[int, int] | None:
    """Return the position of words in a text, the nearest to one; None where they are nowhere."""
    pattern = r"\s+".join(map(re.escape, words.split()))
    spans = (match.span() for match in re.finditer(pattern, text))
    return min(spans, key=lambda span: abs(span[0] - at), default=None)


def countings(raw: str) -> list[str]:
    """Return a text as programs count positions in it, of what a file holds byte for byte.

    A line end is one sign or two, a byte order mark none or one.
    """
    bare = raw.removeprefix("\ufeff")
    unix = bare.replace("\r\n", "\n")
    return list(dict.fromkeys((unix, bare, f"\ufeff{unix}", f"\ufeff{bare}")))
