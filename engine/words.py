"""Words in messages: numbers with their nouns, suggestions for a misspelt word, odd names.

A file may be called nearly anything: on Linux by bytes that are no UTF-8, which Python holds as
halves of surrogate pairs, and by line breaks.  Such a character becomes U+FFFD and its number.
"""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

MOST_LABEL = 500
"""How many characters a title, a name or a message of others may have, in a line, a list, a tool
tip.  An X server ends the connection of a program that names its window by millions."""

MOST_MESSAGE = 4 * MOST_LABEL

_NO_LETTERS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

_MOST_NAMED = 12
"""Number of names that a message lists in full."""

_QUOTES = frozenset("\"“”„‟«»'‘’‚‛‹›「」『』")


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun: "1 page", "12,345 pages"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Return words as a sentence lists them: "a, b and c"."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def told_apart(paths: Sequence[Sequence[str]]) -> list[str]:
    """Return different names of different paths: their last part, and those before it they need."""
    result = []
    for own in paths:
        count = 1
        while any(its != own and its[-count:] == own[-count:] for its in paths):
            count += 1
        result.append("/".join(own[-count:]))
    return result


def quote_start(text: str, most: int = 160) -> str:
    """Return how a text of the page begins, in one line and in quotes unless it has its own."""
    line = shorten(text, most)
    has_own = line[:1] in _QUOTES or line[-1:] in _QUOTES
    return line if has_own else f"“{line}”"


def shorten(text: str, most: int = MOST_LABEL) -> str:
    """Return a text in one line, cut with an ellipsis; of a long one little is read."""
    start = text[: 8 * most]
    line = " ".join(start.split())
    is_whole = len(start) == len(text) and len(line) <= most
    return line if is_whole else f"{line[: most - 1]}…"


def cut_text(text: str, most: int = MOST_MESSAGE) -> str:
    """Return a text up to a number of characters, lines kept, with an ellipsis if cut."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def in_one_line(text: str) -> str:
    """Return a name with its line breaks, controls and bytes that are no UTF-8 written out."""
    return _NO_LETTERS.sub(lambda match: ascii(match[0])[1:-1], text)


def sentence(text: str) -> str:
    """Return a text that begins as sentences do, unless its first word is a file or an address."""
    first = text.partition(" ")[0].rstrip(".:,;")
    is_name = "." in first or "/" in first or "\\" in first
    return text if is_name else text[:1].upper() + text[1:]


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that a misspelt one is most like, "" if none; capitals do not count."""
    folded = {each.lower(): each for each in known}
    return next((folded[each] for each in get_close_matches(word.lower(), folded, 1, 0.65)), "")


def no_such(what: str, name: str, known: Iterable[str], lister: str = "") -> str:
    """Return the message for an unknown name: the one that was meant, or all there are.

    Of many only the nearest three are named, and ``lister``, the command that lists all.
    """
    names = list(known)
    meant = nearest(name, names)
    if meant:
        return f"unknown {what} {name!r}; did you mean {meant}?"
    if lister and len(names) > _MOST_NAMED:
        near = get_close_matches(name, names, n=3, cutoff=0)
        return f"unknown {what} {name!r}; the nearest are {join_words(near)}; {lister} lists all"
    return f"unknown {what} {name!r}; " + (
        f"choose from {', '.join(names)}" if names else "there is none"
    )


HALVES = "\ud800-\udfff"


class Spelling:
    """Spelling without some characters.

    Args:
        odd: The characters, as in brackets of a pattern.
        numbers: Pattern of their numbers, of 4 hexadecimal digits.
    """

    def __init__(self, odd: str, numbers: str) -> None:
        number = f"({numbers}|fffd)"
        self._odd = re.compile(f"[{odd}]|\ufffd(?={number})")
        self._spelt = re.compile(f"\ufffd{number}")

    def write(self, name: str) -> str:
        """Return a name without the characters."""
        if name.isprintable() and "\ufffd" not in name:  # nearly all
            return name
        return self._odd.sub(lambda found: f"\ufffd{ord(found[0]):04x}", name)

    def read(self, text: str) -> str:
        """Return the name that `write` was given."""
        if "\ufffd" not in text:  # nearly all
            return text
        return self._spelt.sub(lambda found: chr(int(found[1], 16)), text)


_HALF = "d[89a-f][0-9a-f]{2}"

UNICODE = Spelling(HALVES, _HALF)
"""For what takes Unicode only, as SQLite."""

ONE_LINE = Spelling(
    f"\n\x0b\x0c\r\x1c-\x1e\x85\u2028\u2029{HALVES}", f"000[a-d]|001[c-e]|0085|202[89]|{_HALF}"
)
"""For tables: a row is a line, also for a reader that knows no quotes."""
