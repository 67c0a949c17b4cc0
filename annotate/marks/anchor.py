"""Anchors: how marks are stored, so that they are identified on the same page or a changed one.

A position is stored three ways: the path of its node, its position in the text of the page
(`annotate.marks.page_text`), and its quote with 32 characters on either side.  Finding it again
tries them in this order and accepts a position without asking only if its text is exactly the
quote.  A merely similar text is drawn as *moved*, to be confirmed, and without a similar text the
mark is *lost*: stored, drawn nowhere.  (A deployed client without such a threshold anchored deleted
passages to look-alikes, hypothesis/client issue 7571; hence the score, and no fuzzy search for
short quotes.)
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from typing import Any, cast

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from algorithms.levels import level_of
from annotate.marks.gold import MAIN, Gold, Guess, Mark, MarkState, Seed, Target
from annotate.marks.node_paths import PathIndex, last_step, path_index
from annotate.marks.page_text import PageText, page_text
from annotate.marks.records import GuessRecord, MarkRecord, SeedRecord, TargetRecord, check
from engine.nodes import NodeTable
from engine.tree import TEXT

CONTEXT = 32
"""Characters of context on either side of a quote."""

SHORTEST_FUZZY = 16
"""Shorter quotes must match exactly."""

LEAST_SCORE = 0.8
"""From this score on a position counts as moved, below it as lost."""

_LEAST_QUOTE = 0.63  # a quote less alike cannot reach LEAST_SCORE even in the same context
_LONG = 1000  # longer quotes are compared by words: much the same number, far sooner
_PICTURES = 8  # number of pictures that identify a node without text
_IDENTITY = "id name class src srcset data poster alt title type href".split()


# -- writing down


def describe(nodes: NodeTable, mark: Mark) -> MarkRecord:
    """Return a mark in stored form.

    For a mark at an uncertain position the record keeps the quote that was marked first, so that it
    remains to be confirmed; `Anchors` keeps all of the first record.
    """
    text, index = page_text(nodes), path_index(nodes)
    targets = [_describe_target(text, index, target) for target in mark.targets]
    is_displaced = mark.state in (MarkState.MOVED, MarkState.LOST)
    if is_displaced and len(targets) == 1 and mark.quote:
        targets[0]["quote"] = mark.quote
    record: MarkRecord = {"id": mark.id, "level": mark.level, "type": mark.type, "targets": targets}
    if not targets:
        record["quote"] = mark.quote
    if mark.state is MarkState.DRAFT:
        record["draft"] = True
    elif mark.state is MarkState.MOVED:
        record["moved"] = True
    if mark.is_unsure:
        record["unsure"] = True
    if mark.fields:
        record["fields"] = dict(mark.fields)
    if mark.guess is not None:
        record["guess"] = cast(GuessRecord, asdict(mark.guess))
    if mark.seed is not None:
        record["seed"] = cast(SeedRecord, asdict(mark.seed))
    return record


def _describe_target(text: PageText, index: "PathIndex", target: Target) -> TargetRecord:
    start, stop = text.span(target)
    prefix, suffix = _context(text.text, start, stop)
    record: TargetRecord = {
        "path": index.path(target.row),
        "position": [start, stop],
        "quote": text.text[start:stop],
        "prefix": prefix,
        "suffix": suffix,
    }
    if not target.is_whole:
        record["part"] = [target.start, target.end]
    if start == stop:
        record["shows"] = _shows(text.nodes, target.row)
    return record


def _context(text: str, start: int, stop: int) -> tuple[str, str]:
    return text[max(start - CONTEXT, 0) : start], text[stop : stop + CONTEXT]


def _shows(nodes: NodeTable, row: int) -> list[str]:
    """Return what identifies a node without text: its tag, attributes, and the pictures in it."""
    shown = [row]
    below = np.flatnonzero(path_index(nodes).pictures[row + 1 : int(nodes.end[row])])
    shown.extend((row + 1 + below[:_PICTURES]).tolist())
    own = ((r, nodes.attributes[r]) for r in shown)
    named = ((r, [f"{k}={a[k]}" for k in _IDENTITY if a.get(k)]) for r, a in own)
    return [" ".join([nodes.name_of(r), *parts]) for r, parts in named]


# -- finding again


def find(nodes: NodeTable, record: Mapping[str, Any]) -> Mark:
    """Return the mark a record describes, with its state on this page.

    Several targets are as sure as the least sure of them; a mark that lost some is moved, one
    that lost all is lost.  `InputError` if the record does not describe a mark.  A target at its
    path costs O(depth); one that is not, O(text of the page).
    """
    checked = check(record)
    finder = _finder(nodes)
    found = [finder.find(target) for target in checked["targets"]]
    result = {target for targets, *_ in found for target in targets}
    if not result:
        state = MarkState.LOST
    elif any(state is not MarkState.EXACT for _, state, _ in found):
        state = MarkState.MOVED
    elif checked.get("draft"):
        state = MarkState.DRAFT
    else:
        state = MarkState.MOVED if checked.get("moved") else MarkState.EXACT
    quote = " ".join(target["quote"] for target in checked["targets"] if target["quote"])
    return Mark(
        id=checked["id"],
        level=level_of(checked["level"]) or MAIN,
        targets=tuple(sorted(result)),
        type=checked["type"],
        state=state,
        quote=quote or checked.get("quote", ""),
        seed=Seed(**checked["seed"]) if "seed" in checked else None,
        guess=Guess(**checked["guess"]) if "guess" in checked else None,
        is_unsure=checked.get("unsure", False),
        fields=tuple(checked["fields"].items()) if "fields" in checked else (),
        score=min((score for *_, score in found), default=0.0),
    )


def likely_places(nodes: NodeTable, mark: Mark) -> tuple[tuple[tuple[Target, ...], float], ...]:
    """Return the possible positions of a mark and their similarity, 0 to 1, likeliest first.

    Places with its quote, else those with a similar text; of equals the first.
    """
    if not mark.quote:
        return ()
    finder = _finder(nodes)
    whole = len(mark.targets) == 1 and mark.targets[0].is_whole
    record: TargetRecord = {
        "path": finder.index.path(mark.targets[0].row) if whole else "",
        "position": [0, 0],
        "quote": mark.quote,
        "prefix": "",
        "suffix": "",
    }
    if not whole:
        record["part"] = [0, len(mark.quote)]
    found: dict[tuple[Target, ...], float] = {}
    for start in _occurrences(mark.quote, finder.text.text):
        found[finder._aligned(record, start, start + len(mark.quote))] = 1.0
    if len(mark.quote) >= SHORTEST_FUZZY:
        for targets, likeness in finder._alike(record, -1):
            found.setdefault(targets, likeness.quote)
    found.pop((), None)
    return tuple(sorted(found.items(), key=lambda place: (-place[1], place[0])))


_LocatedTargets = tuple[tuple[Target, ...], MarkState, float]
"""Position of a target, its certainty, and its similarity to the marked text."""

_NOWHERE: _LocatedTargets = (), MarkState.LOST, 0.0


@dataclass(frozen=True, eq=False)
class _Finder:
    """Finds targets on one page; what it has to look up is looked up once."""

    nodes: NodeTable
    text: PageText
    index: "PathIndex"

    def find(self, record: TargetRecord) -> _LocatedTargets:
        row = self.index.row_at(record["path"])
        if not record["quote"]:
            return self._find_picture(record, row)
        if row >= 0:
            target = self._at_path(record, row)
            if target is not None:
                return (target,), MarkState.EXACT, 1.0
        start, stop = record["position"]
        if self.text.text[start:stop] == record["quote"]:
            targets = self._aligned(record, start, stop)
            if targets:
                return targets, MarkState.EXACT, 1.0
        return self._by_quote(record, row)

    def _at_path(self, record: TargetRecord, row: int) -> Target | None:
        target = Target(row, *record.get("part", ()))
        text = self.nodes.text[row]
        if not (target.is_whole or 0 <= target.start < target.end <= len(text)):
            return None
        start, stop = self.text.span(target)
        return target if self.text.text[start:stop] == record["quote"] else None

    def _aligned(self, record: TargetRecord, start: int, stop: int) -> tuple[Target, ...]:
        """Return the targets whose text is ``start..stop`` of the page: a node, or parts."""
        if "part" in record:
            return self.text.parts(start, stop)
        tag, depth = last_step(record["path"])
        rows = [r for r in self._rows_at.get((start, stop), ()) if self.nodes.name_of(r) == tag]
        if not rows:
            return self.text.parts(start, stop) if tag == TEXT else ()
        return (Target(min(rows, key=lambda r: abs(int(self.nodes.depth[r]) - depth))),)

    def _by_quote(self, record: TargetRecord, row: int) -> _LocatedTargets:
        quote = record["quote"]
        exact = [
            (targets, self._likeness(record, 1.0, start, start + len(quote)))
            for start in _occurrences(quote, self.text.text)
            if (targets := self._aligned(record, start, start + len(quote)))
        ]
        sure = [targets for targets, likeness in exact if likeness.is_sure]
        if len(sure) == 1:
            return sure[0], MarkState.EXACT, 1.0
        is_long = len(quote) >= SHORTEST_FUZZY
        if len(exact) == 1 and is_long:
            # The only exact match.  Where its context differs completely, it must be confirmed
            # at any score: a sentence that was moved elsewhere is worth showing.
            targets, likeness = exact[0]
            half = likeness.prefix == 1.0 and record["prefix"] != ""
            if half or (likeness.suffix == 1.0 and record["suffix"] != ""):
                return targets, MarkState.EXACT, 1.0
            return targets, MarkState.MOVED, likeness.score
        ranked = [(likeness.score, targets) for targets, likeness in exact]
        if is_long and not exact:
            ranked = [(x.score, targets) for targets, x in self._alike(record, row)]
        score, targets = max(ranked, default=(0.0, ()), key=lambda match: match[0])
        if score < LEAST_SCORE:
            return (), MarkState.LOST, score
        return targets, MarkState.MOVED, score

    def _likeness(self, record: TargetRecord, quote: float, start: int, stop: int) -> "_Likeness":
        if not (record["prefix"] or record["suffix"] or any(record["position"])):
            return _Likeness(quote, quote, quote, 1.0)  # from another tool: a quote alone
        prefix, suffix = _context(self.text.text, start, stop)
        away = abs(start - record["position"][0]) / max(len(self.text.text), 1)
        return _Likeness(
            quote, _alike(record["prefix"], prefix), _alike(record["suffix"], suffix), 1.0 - away
        )

    def _alike(
        self, record: TargetRecord, row: int
    ) -> Iterator[tuple[tuple[Target, ...], "_Likeness"]]:
        """Yield the places like a quote: nodes with its tag, or windows of texts for a part."""
        quote = record["quote"]
        if "part" in record:
            for base, end in zip(self.text.starts.tolist(), self.text.stops.tolist(), strict=True):
                words = self.text.text[base:end]
                if len(words) < _LEAST_QUOTE / 2 * len(quote):
                    continue
                window = fuzz.partial_ratio_alignment(quote, words, score_cutoff=100 * _LEAST_QUOTE)
                if window is None:
                    continue
                start, stop = base + window.dest_start, base + window.dest_end
                like = _alike(quote, self.text.text[start:stop])
                yield self.text.parts(start, stop), self._likeness(record, like, start, stop)
            return
        tag, _ = last_step(record["path"])
        spans = self.text.spans
        lengths = spans[:, 1] - spans[:, 0]
        shortest, longest = _LEAST_QUOTE / (2 - _LEAST_QUOTE), (2 - _LEAST_QUOTE) / _LEAST_QUOTE
        fits = (lengths >= shortest * len(quote)) & (lengths <= longest * len(quote))
        fits &= self.nodes.has_tag(tag)
        candidates = np.flatnonzero(fits).tolist()
        # The node at the old path first: max() keeps the first of equals.
        candidates.sort(key=lambda candidate: candidate != row)
        for candidate in candidates:
            start, stop = spans[candidate].tolist()
            like = _alike(quote, self.text.text[start:stop])
            if like >= _LEAST_QUOTE:
                yield (Target(candidate),), self._likeness(record, like, start, stop)

    def _find_picture(self, record: TargetRecord, row: int) -> _LocatedTargets:
        """Find a node without text by what it shows.

        At its path, or where the same texts surround it, it is taken without asking; elsewhere
        the nearest of those that show the same is to be confirmed.
        """
        shows = record.get("shows", [])
        is_empty = row >= 0 and self.text.spans[row, 0] == self.text.spans[row, 1]
        if is_empty and _shows(self.nodes, row) == shows:
            return (Target(row),), MarkState.EXACT, 1.0
        if not shows or all("=" not in shown for shown in shows):
            return _NOWHERE  # it cannot be distinguished from others of its tag
        tag, _ = last_step(record["path"])
        spans = self.text.spans
        empty = self.nodes.has_tag(tag) & (spans[:, 0] == spans[:, 1])
        same = [r for r in np.flatnonzero(empty).tolist() if _shows(self.nodes, r) == shows]
        if not same:
            return _NOWHERE
        beside, text = (record["prefix"], record["suffix"]), self.text.text
        there = [r for r in same if _context(text, *spans[r].tolist()) == beside]
        if len(there) == 1:
            return (Target(there[0]),), MarkState.EXACT, 1.0
        start = record["position"][0]
        nearest = min(same, key=lambda r: abs(int(spans[r, 0]) - start))
        return (Target(nearest),), MarkState.MOVED, LEAST_SCORE

    @cached_property
    def _rows_at(self) -> dict[tuple[int, int], list[int]]:
        rows_at: dict[tuple[int, int], list[int]] = {}
        for row, (start, stop) in enumerate(self.text.spans.tolist()):
            if start < stop:
                rows_at.setdefault((start, stop), []).append(row)
        return rows_at


@dataclass(frozen=True)
class _Likeness:
    """Similarity of a position to the marked one, each part from 0 to 1."""

    quote: float
    prefix: float
    suffix: float
    nearness: float

    @property
    def score(self) -> float:
        """Weighted similarity (formats.md#anchors)."""
        return (50 * self.quote + 20 * self.prefix + 20 * self.suffix + 2 * self.nearness) / 92

    @property
    def is_sure(self) -> bool:
        """Whether text and context on both sides are unchanged."""
        return self.quote == self.prefix == self.suffix == 1.0


def _alike(one: str, other: str) -> float:
    """Return the indel similarity of two texts, 0 to 1; 1 for two empty ones."""
    if one == other:
        return 1.0
    if len(one) > _LONG:
        return Indel.normalized_similarity(one.split(), other.split())
    return Indel.normalized_similarity(one, other)


def _occurrences(quote: str, text: str) -> Iterator[int]:
    start = text.find(quote)
    while start >= 0:
        yield start
        start = text.find(quote, start + 1)


@lru_cache(maxsize=4)
def _finder(nodes: NodeTable) -> _Finder:
    return _Finder(nodes, page_text(nodes), path_index(nodes))


# -- records of one page


class Anchors:
    """The records of one page's marks, each kept as long as its mark stays where it is.

    A mark that was found in another place keeps the record of the first one until it is confirmed
    or put elsewhere: opening the page again must ask again.
    """

    def __init__(self, nodes: NodeTable) -> None:
        self.nodes = nodes
        self._records: dict[tuple[str, tuple[Target, ...], MarkState], MarkRecord] = {}

    def find(self, record: Mapping[str, Any]) -> Mark:
        """Return the mark a record describes and keep the record."""
        mark = find(self.nodes, record)
        self._records[mark.id, mark.targets, mark.state] = check(record)
        return mark

    def record(self, mark: Mark) -> MarkRecord:
        """Return a mark in stored form, computed once for each of its positions."""
        key = mark.id, mark.targets, mark.state
        cached = self._records.get(key)
        if cached is None:
            cached = self._records[key] = describe(self.nodes, mark)
        if cached["level"] != mark.level or cached["type"] != mark.type:
            cached = self._records[key] = {**cached, "level": mark.level, "type": mark.type}
        guess = mark.guess and asdict(mark.guess)
        fields = dict(mark.fields) or None
        values = (("guess", guess), ("unsure", mark.is_unsure or None), ("fields", fields))
        for name, value in values:
            if cached.get(name) != value:
                others = {k: each for k, each in cached.items() if k != name}
                if value is not None:
                    others[name] = value
                cached = self._records[key] = cast(MarkRecord, others)
        return cached

    def records(self, gold: Gold) -> list[MarkRecord]:
        """Return all marks in stored form, in the order they were made."""
        return [self.record(mark) for mark in gold.marks]
