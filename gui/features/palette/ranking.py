"""Ranking of palette entries for a query: by prefix of words, then by likeness of letters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process

LEAST_LIKENESS = 72
"""Of 100 (`fuzz.ratio` of two words): below it letters are alike by chance."""


@dataclass(frozen=True)
class Entry:
    """Something that can be had by its name.

    Attributes:
        key: Names it among all, also the next time: ``action:undo``.
        text: What is shown, and typed.
        run: Does it.
        path: Where it is found without the palette: a menu, the list of pages.
        keys: Its first shortcut.
        help: One sentence.
        words: What else it may be called.
        reason: Why it cannot be had now; "" if it can.
        step: What to do before, where that is known and it cannot be had now.
        order: Entries of a lower number come first where what is typed fits both.
        is_text: Something to read: unless its name is typed in full it comes behind the others.
        names: Text and words as they are compared with what is typed.
        split_names: The words of each of them.
        read: All that is read of it in menu and help, as that is compared.
    """

    key: str
    text: str
    run: Callable[[], object]
    path: str = ""
    keys: str = ""
    help: str = ""
    words: tuple[str, ...] = ()
    reason: str = ""
    step: "Entry | None" = None
    order: int = 0
    is_text: bool = False
    names: tuple[str, ...] = field(init=False, compare=False)
    split_names: tuple[tuple[str, ...], ...] = field(init=False, compare=False)
    read: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        names = tuple(_plain(name) for name in (self.text, *self.words))
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "split_names", tuple(tuple(name.split()) for name in names))
        read = f"{' '.join(names)} {self.path} {self.help}".casefold()
        object.__setattr__(self, "read", read)


def ranked(
    entries: Sequence[Entry], typed: str, recent: Mapping[str, int], most: int
) -> list[Entry]:
    """Return what fits, best first; ``recent`` has the keys of what was used last, 0 the latest.

    A name that is typed in full comes first, then one that begins so, then one whose words begin
    with the typed words, the same for its other names, then what is read in menu and help.  Only
    where that is too little come names with letters alike.
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
        result += [each for each in _alike(entries, query) if each.key not in there]
    return result[:most]


def _plain(text: str) -> str:
    return " ".join(text.casefold().removesuffix("…").split())


def _tier(entry: Entry, query: str, parts: list[str]) -> int | None:
    if not all(part in entry.read for part in parts):
        return None  # as most
    text, *words = entry.names
    later = 4 if entry.is_text else 0
    if query == text:
        return 0
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
    """Return whether each typed part begins a word of a name."""
    spaced = f" {name}"
    return all(f" {part}" in spaced for part in parts)


def _alike(entries: Sequence[Entry], query: str) -> list[Entry]:
    """Return entries with a name that has, for each typed word, one with letters alike."""
    words = list({word for entry in entries for own in entry.split_names for word in own})
    likeness = [
        {
            word: score
            for word, score, _ in process.extract(
                part, words, scorer=fuzz.ratio, score_cutoff=LEAST_LIKENESS, limit=40
            )
        }
        for part in query.split()
    ]
    scored = []
    for entry in entries:
        best = [
            min(max(alike.get(word, 0.0) for word in own) for alike in likeness)
            for own in entry.split_names
            if not any(alike.keys().isdisjoint(own) for alike in likeness)
        ]
        if best:
            scored.append((max(best), entry))
    scored.sort(key=lambda row: -row[0])
    return [each for _, each in scored]
