"""Ranking of palette entries for a query: by prefix of words, then by likeness of letters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from rapidfuzz import fuzz, process

LEAST_LIKENESS = 72
"""Least `fuzz.ratio` of two words, of 100: below, letters are similar by chance."""


@dataclass(frozen=True)
class PaletteEntry:
    """Entry of the palette.

    Attributes:
        key: Unique and stable key: ``action:undo``.
        text: Shown text, which is also searched.
        run: Function that runs it.
        path: Its location outside the palette: a menu, the list of pages.
        keys: First shortcut.
        help: One sentence.
        words: Other names.
        reason: Why it is not available now; "" if it is.
        step: Action that makes it available, if known.
        order: Of matching entries those with a lower number come first.
        is_text: Whether it is a text to read: sorted behind names that begin with the typed words.
        names: Text and words as compared with the typed text.
        split_names: The words of each name.
        read: Its texts in menu and help, as compared with the typed text.
    """

    key: str
    text: str
    run: Callable[[], object]
    path: str = ""
    keys: str = ""
    help: str = ""
    words: tuple[str, ...] = ()
    reason: str = ""
    step: "PaletteEntry | None" = None
    order: int = 0
    is_text: bool = False
    names: tuple[str, ...] = field(init=False, compare=False)
    split_names: tuple[tuple[str, ...], ...] = field(init=False, compare=False)
    read: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        names = tuple(_plain(name) for name in (self.text, *self.words))
        split = tuple(tuple(name.split()) for name in names)
        read = f"{' '.join(names)} {self.path} {self.help}".casefold()
        for name, value in (("names", names), ("split_names", split), ("read", read)):
            object.__setattr__(self, name, value)


def rank_entries(
    entries: Sequence[PaletteEntry], typed: str, recent: Mapping[str, int], most: int
) -> list[PaletteEntry]:
    """Return matching entries, best first; ``recent`` has recently used keys, 0 the latest.

    A fully typed name comes first, but for headings of the documentation; then a name with this
    prefix, then one whose words begin with the typed words, the same for its other names, then
    texts in menu and help.  Names with similar letters follow only if these are too few.
    """
    last = len(recent)
    query = _plain(typed)
    if not query:
        return sorted(entries, key=lambda each: (recent.get(each.key, last), each.order))[:most]
    parts = query.split()
    fitting = [
        (tier, each.order, recent.get(each.key, last), bool(each.reason), len(each.text), each)
        for each in entries
        if (tier := _tier(each, query, parts)) is not None
    ]
    fitting.sort(key=lambda row: row[:-1])
    result = [row[-1] for row in fitting[:most]]
    if len(result) < most:
        there = {each.key for each in result}
        result += [each for each in _similar(entries, query) if each.key not in there]
    return result[:most]


def _plain(text: str) -> str:
    return " ".join(text.casefold().removesuffix("…").split())


def _tier(entry: PaletteEntry, query: str, parts: list[str]) -> int | None:
    if not all(part in entry.read for part in parts):
        return None  # as most
    text, *words = entry.names
    later = 4 if entry.is_text else 0
    if query == text:
        return later
    if query in words:
        return 1
    if text.startswith(query):
        return 2 + later
    if _begins(text, parts):
        return 3 + later
    if any(_begins(word, parts) for word in words):
        return 4 + later
    return 5 + later if _begins(entry.read, parts) else None


def _begins(name: str, parts: list[str]) -> bool:
    """Return whether each typed part begins some word of a name."""
    spaced = f" {name}"
    return all(f" {part}" in spaced for part in parts)


def _similar(entries: Sequence[PaletteEntry], query: str) -> list[PaletteEntry]:
    """Return entries with a name that has similar letters for each typed word."""
    words = list({word for entry in entries for own in entry.split_names for word in own})
    extract = partial(process.extract, scorer=fuzz.ratio, score_cutoff=LEAST_LIKENESS, limit=40)
    likeness = [{word: score for word, score, _ in extract(part, words)} for part in query.split()]
    scored = []
    for entry in entries:
        best = [
            min(max(alike.get(word, 0.0) for word in own) for alike in likeness)
            for own in entry.split_names
            if not any(alike.keys().isdisjoint(own) for alike in likeness)
        ]
        if best:
            scored.append((max(best), entry))
    return [each for _, each in sorted(scored, key=lambda row: -row[0])]
