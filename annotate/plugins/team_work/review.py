"""Review: where annotators of a page differ, who has what, and what most of them marked.

Blocks are the same where they are on one level and hold the same texts and pictures: whether the
element or a wrapper around it was clicked is no difference.  Different marks are put side by side
if they share at least half of their joint content (`ALIKE`), or if several of one annotator make up
at least half of one of another's; the others are marks of one side only.

Main content is compared text by text, in characters: how it was cut into marks is no difference.
Neighbouring texts on which the same annotators differ in the same way are one difference.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from algorithms.levels import LEVELS, Level
from annotate.marks.gold import MAIN, Gold, Mark, Target
from annotate.plugins.team_work.reviewed_marks import (
    ALIKE,
    Held,
    PageMarks,
    TextParts,
    covered_texts,
    targets_of,
    text_marks,
)
from engine.nodes import NodeTable


class DifferenceKind(StrEnum):
    """Kind of difference between annotators."""

    ALONE = "not marked by all"
    TYPE = "type differs"
    FIELDS = "fields differ"
    EXTENT = "extent differs"
    SPLIT = "one block or several"
    UNSURE = "agreed, but unsure"


@dataclass(frozen=True)
class Version:
    """Marks of some annotators at a position.

    Attributes:
        who: Their names.
        marks: Their marks; none where they marked nothing.
    """

    who: tuple[str, ...]
    marks: tuple[Mark, ...]

    @property
    def type(self) -> str:
        """Types of its marks, as shown in a list."""
        return ", ".join(dict.fromkeys(mark.type for mark in self.marks if mark.type))

    @property
    def fields(self) -> str:
        """The guideline's own fields of its marks, as shown in a list."""
        values = (f"{name}: {value}" for mark in self.marks for name, value in mark.fields)
        return ", ".join(dict.fromkeys(values))


@dataclass(frozen=True)
class Disagreement:
    """Position at which annotators differ.

    Attributes:
        item: The same for the same marks.
        level: `MAIN`, 1 or 2.
        kind: See `DifferenceKind`.
        versions: The versions, in the order of annotators.
        rows: Of the page, all that any version has; in document order.
        unsure: Annotators who flagged a mark here as unsure.
    """

    item: str
    level: Level
    kind: DifferenceKind
    versions: tuple[Version, ...]
    rows: tuple[int, ...]
    unsure: tuple[str, ...] = ()

    def of(self, who: str) -> Version:
        return next(version for version in self.versions if who in version.who)


@dataclass(frozen=True)
class MarksCompared:
    """A page as its annotators marked it.

    Attributes:
        differences: Those with unsure marks first; then in document order, level 1 before 2 before
            main content at one position.
        agreed: Marks that all have, and none is unsure of.
        fused: Marks that more than half have.
    """

    differences: tuple[Disagreement, ...]
    agreed: tuple[Mark, ...]
    fused: tuple[Mark, ...]


def compare(nodes: NodeTable, golds: Mapping[str, Gold]) -> MarksCompared:
    """Return where annotators of a page differ or are unsure, and where they do not.

    Of one annotator alone it is what he is unsure of.
    """
    on_page, names = PageMarks(nodes), tuple(golds)
    differences, agreed, fused = _main(nodes, golds)
    for level in LEVELS:
        for group in _groups(on_page, {name: golds[name].of_level(level) for name in names}):
            result = _difference(on_page, level, names, group)
            if result is None:
                agreed.extend(group[names[0]])
            else:
                differences.append(result)
            fused += _majority(on_page, names, group)
    differences.sort(key=lambda each: (not each.unsure, each.rows[0], (each.level - 1) % 3))
    return MarksCompared(tuple(differences), _in_order(agreed), _in_order(fused))


def _in_order(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    return tuple(sorted(marks, key=lambda mark: ((mark.level - 1) % 3, mark.targets, mark.id)))


# -- blocks

MarksByName = dict[str, tuple[Mark, ...]]
"""Annotator → marks at one place; without those who have none."""


def _groups(on_page: PageMarks, marks: Mapping[str, Sequence[Mark]]) -> list[MarksByName]:
    """Return all places of a level that anybody marked, each mark in exactly one."""
    same: dict[tuple[Held, int], MarksByName] = {}
    for name, each in marks.items():
        count: Counter[Held] = Counter()
        for mark in sorted(each, key=lambda mark: (mark.type, mark.targets)):
            held = on_page.held(mark)
            same.setdefault((held, count[held]), {})[name] = (mark,)
            count[held] += 1
    whole = [members for members in same.values() if len(members) == len(marks)]
    rest = [(held, members) for (held, _), members in same.items() if len(members) < len(marks)]
    left = _gathered(on_page, _paired(on_page, rest))
    return [*whole, *(members for _, members in left)]


def _paired(
    on_page: PageMarks, groups: list[tuple[Held, MarksByName]]
) -> list[tuple[Held, MarksByName]]:
    """Pair similar positions of different annotators, the most similar first."""
    pairs = []
    for a, (held, group) in enumerate(groups):
        for b in range(a + 1, len(groups)):
            other, theirs = groups[b]
            if not group.keys() & theirs.keys() and held & other:
                likeness = on_page.likeness(held, other)
                if likeness >= ALIKE:
                    pairs.append((-likeness, a, b))
    joined = dict(enumerate(groups))
    root = list(range(len(groups)))
    for _, a, b in sorted(pairs):
        one, two = _root(root, a), _root(root, b)
        if one != two and not joined[one][1].keys() & joined[two][1].keys():
            held, group = joined.pop(two)
            joined[one] = joined[one][0] | held, {**joined[one][1], **group}
            root[two] = one
    return list(joined.values())


def _root(root: list[int], at: int) -> int:
    while root[at] != at:
        at = root[at]
    return at


def _gathered(
    on_page: PageMarks, groups: list[tuple[Held, MarksByName]]
) -> list[tuple[Held, MarksByName]]:
    """Group one block with the several of another annotator that cover it together."""
    left = sorted(groups, key=lambda group: -on_page.weight(group[0]))
    result = []
    while left:
        held, members = left.pop(0)
        parts: dict[str, list[tuple[Held, MarksByName]]] = {}
        for group in left:
            (name, *more) = group[1]
            if group[0] < held and not more and name not in members:
                parts.setdefault(name, []).append(group)
        for name, pieces in parts.items():
            together = frozenset().union(*(piece for piece, _ in pieces))
            if len(pieces) > 1 and on_page.weight(together) >= ALIKE * on_page.weight(held):
                members = {**members, name: tuple(m for _, each in pieces for m in each[name])}
                left = [group for group in left if all(group is not piece for piece in pieces)]
        result.append((held, members))
    return result


def _difference(
    on_page: PageMarks, level: Level, names: tuple[str, ...], group: MarksByName
) -> Disagreement | None:
    """Return how annotators differ at a position; None if they agree and are sure."""
    by_shape: dict[tuple[object, ...], list[str]] = {}
    for name in names:
        marks = group.get(name, ())
        shape = tuple((on_page.held(mark), mark.type, mark.fields) for mark in marks)
        by_shape.setdefault(shape, []).append(name)
    unsure = tuple(name for name in names if any(m.is_unsure for m in group.get(name, ())))
    if len(by_shape) == 1 and not unsure:
        return None
    versions = tuple(Version(tuple(who), group.get(who[0], ())) for who in by_shape.values())
    there = [version for version in versions if version.marks]
    if len(versions) == 1:
        kind = DifferenceKind.UNSURE
    elif any(len(version.marks) > 1 for version in there):
        kind = DifferenceKind.SPLIT
    elif len({on_page.held(version.marks[0]) for version in there}) > 1:
        kind = DifferenceKind.EXTENT
    elif len({version.type for version in there}) > 1:
        kind = DifferenceKind.TYPE
    elif len(there) > 1:
        kind = DifferenceKind.FIELDS
    else:
        kind = DifferenceKind.ALONE
    rows = {target.row for version in versions for mark in version.marks for target in mark.targets}
    return Disagreement(_item(versions), level, kind, versions, tuple(sorted(rows)), unsure)


def _majority(on_page: PageMarks, names: tuple[str, ...], group: MarksByName) -> tuple[Mark, ...]:
    """Return the marks of a place that more than half of all have, in place and type."""
    votes: dict[tuple[object, ...], list[str]] = {}
    for name, marks in group.items():
        shape = tuple((on_page.held(mark), mark.type) for mark in marks)
        votes.setdefault(shape, []).append(name)
    who = max(votes.values(), key=len)
    return group[who[0]] if 2 * len(who) > len(names) else ()


# -- main content


def _main(
    nodes: NodeTable, golds: Mapping[str, Gold]
) -> tuple[list[Disagreement], list[Mark], list[Mark]]:
    """Return differences in main content, what all have, and what more than half have."""
    names = tuple(golds)
    covered = {name: covered_texts(nodes, gold) for name, gold in golds.items()}
    unsure_marks = {
        name: Gold(tuple(mark for mark in gold.of_level(MAIN) if mark.is_unsure))
        for name, gold in golds.items()
    }
    doubted = {name: covered_texts(nodes, gold) for name, gold in unsure_marks.items()}
    rows = np.flatnonzero(nodes.has_words & nodes.visible).tolist()
    same: list[Target] = []
    most: list[Target] = []
    runs: list[tuple[tuple[tuple[int, ...], tuple[str, ...]], list[int]]] = []
    last = -2
    for index, row in enumerate(rows):
        states = [covered[name].get(row, ()) for name in names]
        votes = Counter(states)
        state, count = votes.most_common(1)[0]
        if 2 * count > len(names):
            most += targets_of(row, state, nodes)
        unsure = tuple(name for name in names if row in doubted[name])
        if len(votes) == 1 and not unsure:
            same += targets_of(row, state, nodes)
            continue
        order = list(votes)
        pattern = tuple(order.index(each) if each else -1 for each in states), unsure
        if last == index - 1 and runs and runs[-1][0] == pattern:
            runs[-1][1].append(row)
        else:
            runs.append((pattern, [row]))
        last = index
    differ = [_main_difference(nodes, names, covered, run, unsure) for (_, unsure), run in runs]
    return differ, text_marks(nodes, same), text_marks(nodes, most)


def _main_difference(
    nodes: NodeTable,
    names: tuple[str, ...],
    covered: Mapping[str, Mapping[int, TextParts]],
    rows: list[int],
    unsure: tuple[str, ...],
) -> Disagreement:
    by_state: dict[tuple[TextParts, ...], list[str]] = {}
    for name in names:
        by_state.setdefault(tuple(covered[name].get(row, ()) for row in rows), []).append(name)
    versions = []
    for states, who in by_state.items():
        targets: list[Target] = []
        for row, state in zip(rows, states, strict=True):
            targets += targets_of(row, state, nodes)
        versions.append(Version(tuple(who), tuple(text_marks(nodes, targets))))
    there = [version for version in versions if version.marks]
    kind = DifferenceKind.EXTENT if len(there) > 1 else DifferenceKind.ALONE
    if len(versions) == 1:
        kind = DifferenceKind.UNSURE
    return Disagreement(_item(versions), MAIN, kind, tuple(versions), tuple(rows), unsure)


def _item(versions: Iterable[Version]) -> str:
    ids = sorted(mark.id for version in versions for mark in version.marks)
    return hashlib.sha256(" ".join(ids).encode()).hexdigest()[:16]
