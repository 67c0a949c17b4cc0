"""Review: where annotators of a page differ, who has what, and what most of them marked.

Blocks are the same where they are on one level and hold the same texts and pictures: whether the
element or a wrapper around it was clicked is no difference.  Those that are not the same are laid
side by side where they share at least half of what they hold together (`ALIKE`), or where several
of one annotator make up at least half of one of another's; what is left, one side has alone.

Main content is compared text by text, in characters: how it was cut into marks is no difference.
Neighbouring texts on which the same annotators differ in the same way are one difference.
"""

import hashlib
import uuid
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from annotate.marks.gold import MAIN, Gold, Mark, Target
from annotate.marks.targets import grown, leaves
from engine.nodes import NodeTable

ALIKE = 0.5
"""Share of what two blocks hold together that both must hold, to be two versions of one."""

Held = frozenset[tuple[int, int, int]]
"""What a mark holds: rows of texts and pictures, with the part of a text, (-1, -1) for all."""

_SPACE = uuid.UUID("3f9a2b47-0c5b-4b6e-9a54-6d8c2f0c1e77")


class DifferenceKind(StrEnum):
    """How annotators differ."""

    ALONE = "not marked by all"
    TYPE = "type differs"
    EXTENT = "extent differs"
    SPLIT = "one block or several"


@dataclass(frozen=True)
class Version:
    """What some annotators have at a place.

    Attributes:
        who: Their names.
        marks: Their marks; none where they marked nothing.
    """

    who: tuple[str, ...]
    marks: tuple[Mark, ...]

    @property
    def type(self) -> str:
        """The types of its marks, as said in a list."""
        return ", ".join(dict.fromkeys(mark.type for mark in self.marks if mark.type))


@dataclass(frozen=True)
class Disagreement:
    """One place where annotators differ.

    Attributes:
        item: The same for the same marks.
        level: `MAIN`, 1 or 2.
        kind: See `DifferenceKind`.
        versions: Who has what, in the order of annotators.
        rows: Of the page, all that any version has; in document order.
    """

    item: str
    level: int
    kind: DifferenceKind
    versions: tuple[Version, ...]
    rows: tuple[int, ...]

    def of(self, who: str) -> Version:
        return next(version for version in self.versions if who in version.who)


@dataclass(frozen=True)
class MarksCompared:
    """A page as its annotators marked it.

    Attributes:
        differences: In document order, level 1 before 2 before main content at one place.
        agreed: Marks that all have.
        fused: Marks that more than half have.
    """

    differences: tuple[Disagreement, ...]
    agreed: tuple[Mark, ...]
    fused: tuple[Mark, ...]


def compare(nodes: NodeTable, golds: Mapping[str, Gold]) -> MarksCompared:
    """Return where two or more annotators differ on a page, and where they do not."""
    on_page, names = _PageMarks(nodes), tuple(golds)
    differences: list[Disagreement] = []
    agreed: list[Mark] = []
    fused: list[Mark] = []
    for level in (1, 2):
        for place in _places(on_page, {name: golds[name].of_level(level) for name in names}):
            found = _difference(on_page, level, names, place)
            if found is None:
                agreed.extend(place[names[0]])
            else:
                differences.append(found)
            most = _majority(on_page, names, place)
            fused.extend(most)
    main, same, voted = _main(nodes, golds)
    differences += main
    differences.sort(key=lambda each: (each.rows[0], (each.level - 1) % 3))
    return MarksCompared(
        tuple(differences), _in_order((*agreed, *same)), _in_order((*fused, *voted))
    )


def _in_order(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    return tuple(sorted(marks, key=lambda mark: ((mark.level - 1) % 3, mark.targets, mark.id)))


def taken(difference: Disagreement, gold: Gold) -> tuple[Version, ...]:
    """Return which versions are in a gold, mark by mark."""
    return tuple(
        version
        for version in difference.versions
        if version.marks and all(gold.find(mark.id) for mark in version.marks)
    )


def text_taken(
    differences: Iterable[Disagreement], gold: Gold, nodes: NodeTable
) -> dict[str, Version]:
    """Return whose main content a gold has, by item, however it was cut into marks."""
    covered = _covered(nodes, gold.sure)
    found: dict[str, Version] = {}
    for difference in differences:
        if difference.level != MAIN:
            continue
        there = [covered.get(row, ()) for row in difference.rows]
        for version in difference.versions:
            theirs = _covered(nodes, Gold(version.marks))
            if any(there) and there == [theirs.get(row, ()) for row in difference.rows]:
                found[difference.item] = version
    return found


def marked_anew(
    differences: Sequence[Disagreement], gold: Gold, nodes: NodeTable, theirs: Collection[str]
) -> frozenset[str]:
    """Return the items of differences at whose place a gold has a mark of its own instead.

    A block belongs to the difference of its level that it is likest to, if it is alike (`ALIKE`):
    what lies around or inside it stays open.  Blocks that belong to none stand for one that they
    are parts of and half of which they make up.  Of main content any text in common counts.

    Args:
        differences: All of the page.
        gold: The reviewer's.
        nodes: Of the page.
        theirs: Ids of the marks that are not of his own making, wherever they were taken over.
    """
    on_page = _PageMarks(nodes)
    own = [mark for mark in gold.sure.marks
           if mark.targets and mark.id not in theirs and not _is_text_taken_over(mark)]  # fmt: skip
    main = _covered(nodes, Gold(tuple(mark for mark in own if mark.level == MAIN)))
    found = {
        each.item
        for each in differences
        if each.level == MAIN and any(main.get(row) for row in each.rows)
    }
    for level in (1, 2):
        places = [(each.item, _versions_held(on_page, each)) for each in differences
                  if each.level == level]  # fmt: skip
        left: list[Held] = []
        for mark in own:
            if mark.level != level:
                continue
            held = on_page.held(mark)
            likeness = {item: max(on_page.likeness(held, each) for each in versions)
                        for item, versions in places}  # fmt: skip
            most = max(likeness.values(), default=0.0)
            if most < ALIKE:
                left.append(held)
            else:
                found.update(item for item, likely in likeness.items() if likely == most)
        for item, versions in places:
            for whole in versions:
                parts = [held for held in left if held < whole]
                together = on_page.weight(frozenset().union(*parts))
                if len(parts) > 1 and together >= ALIKE * on_page.weight(whole):
                    found.add(item)
    return frozenset(found)


def _versions_held(on_page: "_PageMarks", difference: Disagreement) -> list[Held]:
    """Return what each version of a difference holds; one that has several marks, all together."""
    return [
        frozenset().union(*(on_page.held(mark) for mark in version.marks))
        for version in difference.versions
        if version.marks
    ]


def decided(
    gold: Gold, nodes: NodeTable, difference: Disagreement, chosen: Sequence[Version]
) -> Gold:
    """Return a gold with these versions of a difference and none of its others.

    Marks of the gold's own on the same level that hold the very same are replaced, too.  Main
    content taken over elsewhere, as of the majority, gives up the texts of this place.
    """
    on_page = _PageMarks(nodes)
    mine = {mark.id: mark for version in chosen for mark in version.marks}
    here = {mark.id for version in difference.versions for mark in version.marks}
    wanted = {on_page.held(mark) for mark in mine.values()}
    kept = tuple(
        mark
        for mark in gold.marks
        if mark.id in mine
        or not (
            mark.id in here or (mark.level == difference.level and on_page.held(mark) in wanted)
        )
    )
    if difference.level == MAIN:
        cut = {mark.id for mark in kept if _is_text_taken_over(mark) and mark.id not in mine}
        kept = _without_texts(kept, nodes, difference.rows, cut)
    there = {mark.id for mark in kept}
    new = tuple(mark for mark_id, mark in mine.items() if mark_id not in there)
    return Gold((*kept, *new))


def _without_texts(
    marks: Iterable[Mark], nodes: NodeTable, rows: Iterable[int], ids: Collection[str]
) -> tuple[Mark, ...]:
    """Return marks; those with these ids, of main content, without what they hold in some rows."""
    found: dict[str, Mark] = {}
    gone = set(rows)
    for mark in marks:
        covered = _covered(nodes, Gold((mark,))) if mark.id in ids else {}
        if not gone & covered.keys():
            found.setdefault(mark.id, mark)
            continue
        left = [
            target
            for row in sorted(covered.keys() - gone)
            if nodes.visible[row]
            for target in _targets(row, covered[row], nodes)
        ]
        for part in _marks(nodes, left):
            found.setdefault(part.id, part)
    return tuple(found.values())


def with_marks(gold: Gold, nodes: NodeTable, marks: Iterable[Mark]) -> Gold:
    """Return a gold with more marks; those it holds already on their level are left out."""
    on_page = _PageMarks(nodes)
    held = {(mark.level, on_page.held(mark)) for mark in gold.marks if mark.targets}
    ids = {mark.id for mark in gold.marks}
    new = [
        mark
        for mark in marks
        if mark.id not in ids and (mark.level, on_page.held(mark)) not in held
    ]
    return Gold((*gold.marks, *new))


# -- blocks

MarksByName = dict[str, tuple[Mark, ...]]
"""Annotator → marks at one place; without those who have none."""


def _places(on_page: "_PageMarks", marks: Mapping[str, Sequence[Mark]]) -> list[MarksByName]:
    """Return all places of a level that anybody marked, each mark in exactly one."""
    same: dict[tuple[Held, int], MarksByName] = {}
    for name, each in marks.items():
        count: Counter[Held] = Counter()
        for mark in sorted(each, key=lambda mark: (mark.type, mark.targets)):
            held = on_page.held(mark)
            same.setdefault((held, count[held]), {})[name] = (mark,)
            count[held] += 1
    groups = [(held, place) for (held, _), place in same.items()]
    whole = [place for _, place in groups if len(place) == len(marks)]
    open_ = [group for group in groups if len(group[1]) < len(marks)]
    open_ = _paired(on_page, open_)
    open_ = _gathered(on_page, open_)
    return [*whole, *(place for _, place in open_)]


def _paired(
    on_page: "_PageMarks", groups: list[tuple[Held, MarksByName]]
) -> list[tuple[Held, MarksByName]]:
    """Put places of different annotators together that are alike, the likest first."""
    pairs = []
    for a, (held, place) in enumerate(groups):
        for b in range(a + 1, len(groups)):
            other, theirs = groups[b]
            if not place.keys() & theirs.keys() and held & other:
                likeness = on_page.likeness(held, other)
                if likeness >= ALIKE:
                    pairs.append((-likeness, a, b))
    joined = dict(enumerate(groups))
    root = list(range(len(groups)))
    for _, a, b in sorted(pairs):
        one, two = _root(root, a), _root(root, b)
        if one != two and not joined[one][1].keys() & joined[two][1].keys():
            held, place = joined.pop(two)
            joined[one] = joined[one][0] | held, {**joined[one][1], **place}
            root[two] = one
    return list(joined.values())


def _root(root: list[int], at: int) -> int:
    while root[at] != at:
        at = root[at]
    return at


def _gathered(
    on_page: "_PageMarks", groups: list[tuple[Held, MarksByName]]
) -> list[tuple[Held, MarksByName]]:
    """Put one block and the several of another annotator that make it up together."""
    left = sorted(groups, key=lambda group: -on_page.weight(group[0]))
    found = []
    while left:
        held, place = left.pop(0)
        parts: dict[str, list[tuple[Held, MarksByName]]] = {}
        for group in left:
            (name, *more) = group[1]
            if group[0] < held and not more and name not in place:
                parts.setdefault(name, []).append(group)
        for name, pieces in parts.items():
            together = frozenset().union(*(piece for piece, _ in pieces))
            if len(pieces) > 1 and on_page.weight(together) >= ALIKE * on_page.weight(held):
                place = {**place, name: tuple(m for _, each in pieces for m in each[name])}
                left = [group for group in left if all(group is not piece for piece in pieces)]
        found.append((held, place))
    return found


def _difference(
    on_page: "_PageMarks", level: int, names: tuple[str, ...], place: MarksByName
) -> Disagreement | None:
    """Return how annotators differ at a place; None if they do not."""
    by_shape: dict[tuple[object, ...], list[str]] = {}
    for name in names:
        marks = place.get(name, ())
        shape = tuple((on_page.held(mark), mark.type) for mark in marks)
        by_shape.setdefault(shape, []).append(name)
    if len(by_shape) == 1:
        return None
    versions = tuple(Version(tuple(who), place.get(who[0], ())) for who in by_shape.values())
    there = [version for version in versions if version.marks]
    if any(len(version.marks) > 1 for version in there):
        kind = DifferenceKind.SPLIT
    elif len({on_page.held(version.marks[0]) for version in there}) > 1:
        kind = DifferenceKind.EXTENT
    elif len({version.type for version in there}) > 1:
        kind = DifferenceKind.TYPE
    else:
        kind = DifferenceKind.ALONE
    return Disagreement(_item(versions), level, kind, versions, _rows(versions))


def _majority(
    on_page: "_PageMarks", names: tuple[str, ...], place: MarksByName
) -> tuple[Mark, ...]:
    """Return the marks of a place that more than half of all have, in place and type."""
    votes: dict[tuple[object, ...], list[str]] = {}
    for name, marks in place.items():
        shape = tuple((on_page.held(mark), mark.type) for mark in marks)
        votes.setdefault(shape, []).append(name)
    who = max(votes.values(), key=len)
    return place[who[0]] if 2 * len(who) > len(names) else ()


# -- main content

TextParts = tuple[tuple[int, int], ...]
"""Stretches of a text, in characters; all of it as one that ends behind its last."""


def _main(
    nodes: NodeTable, golds: Mapping[str, Gold]
) -> tuple[list[Disagreement], list[Mark], list[Mark]]:
    """Return differences in main content, what all have, and what more than half have."""
    names = tuple(golds)
    covered = {name: _covered(nodes, gold) for name, gold in golds.items()}
    rows = np.flatnonzero(nodes.has_words & nodes.visible).tolist()
    same: list[Target] = []
    most: list[Target] = []
    runs: list[tuple[tuple[int, ...], list[int]]] = []
    last = -2
    for index, row in enumerate(rows):
        states = [covered[name].get(row, ()) for name in names]
        votes = Counter(states)
        state, count = votes.most_common(1)[0]
        if 2 * count > len(names):
            most += _targets(row, state, nodes)
        if len(votes) == 1:
            same += _targets(row, state, nodes)
            continue
        order = list(votes)
        pattern = tuple(order.index(each) if each else -1 for each in states)
        if last == index - 1 and runs and runs[-1][0] == pattern:
            runs[-1][1].append(row)
        else:
            runs.append((pattern, [row]))
        last = index
    differences = [_main_difference(nodes, names, covered, run) for _, run in runs]
    return differences, _marks(nodes, same), _marks(nodes, most)


def _main_difference(
    nodes: NodeTable,
    names: tuple[str, ...],
    covered: Mapping[str, Mapping[int, TextParts]],
    rows: list[int],
) -> Disagreement:
    by_state: dict[tuple[TextParts, ...], list[str]] = {}
    for name in names:
        by_state.setdefault(tuple(covered[name].get(row, ()) for row in rows), []).append(name)
    versions = []
    for states, who in by_state.items():
        targets = [
            target
            for row, state in zip(rows, states, strict=True)
            for target in _targets(row, state, nodes)
        ]
        versions.append(Version(tuple(who), tuple(_marks(nodes, targets))))
    there = [version for version in versions if version.marks]
    kind = DifferenceKind.EXTENT if len(there) > 1 else DifferenceKind.ALONE
    return Disagreement(_item(versions), MAIN, kind, tuple(versions), tuple(rows))


def _covered(nodes: NodeTable, gold: Gold) -> dict[int, TextParts]:
    """Return which part of each text is main content, without white space at the ends."""
    found: dict[int, list[tuple[int, int]]] = {}
    for mark in gold.of_level(MAIN):
        for target in mark.targets:
            if target.is_whole:
                below = range(target.row, int(nodes.end[target.row]))
                for row in below:
                    if nodes.is_text[row] and nodes.text[row].strip():
                        found.setdefault(row, []).append((0, len(nodes.text[row])))
            else:
                found.setdefault(target.row, []).append((target.start, target.end))
    return {row: _united(nodes.text[row], parts) for row, parts in found.items()}


def _united(text: str, parts: list[tuple[int, int]]) -> TextParts:
    united: list[tuple[int, int]] = []
    for start, end in sorted(parts):
        piece = text[start:end]
        start += len(piece) - len(piece.lstrip())
        end -= len(piece) - len(piece.rstrip())
        if start >= end:
            continue
        if united and not text[united[-1][1] : start].strip():
            united[-1] = united[-1][0], max(united[-1][1], end)
        else:
            united.append((start, end))
    return tuple(united)


def _targets(row: int, parts: TextParts, nodes: NodeTable) -> list[Target]:
    whole = _united(nodes.text[row], [(0, len(nodes.text[row]))])
    if parts == whole:
        return [Target(row)]
    return [Target(row, start, end) for start, end in parts]


def _marks(nodes: NodeTable, targets: Sequence[Target]) -> list[Mark]:
    """Return texts as marks of main content, each as large as its words allow.

    The same texts give the same marks, so that what was taken is known again.
    """
    return [
        Mark(
            _text_id(target),
            MAIN,
            (target,),
            quote=_quote(nodes, target),
        )
        for target in grown(nodes, sorted(targets))
    ]


def _text_id(target: Target) -> str:
    return uuid.uuid5(_SPACE, f"{target.row} {target.start} {target.end}").hex


def _is_text_taken_over(mark: Mark) -> bool:
    """Return whether a mark is main content as `_marks` makes it: nobody made it by hand."""
    return mark.level == MAIN and [mark.id] == [_text_id(target) for target in mark.targets]


def _quote(nodes: NodeTable, target: Target) -> str:
    if not target.is_whole:
        return " ".join(nodes.text[target.row][target.start : target.end].split())
    below = range(target.row, int(nodes.end[target.row]))
    return " ".join(" ".join(nodes.text[row] for row in below if nodes.visible[row]).split())


# -- what marks hold


class _PageMarks:
    """What marks of one page hold, each found once."""

    def __init__(self, nodes: NodeTable) -> None:
        self.nodes = nodes
        self._held: dict[tuple[Target, ...], Held] = {}

    def held(self, mark: Mark) -> Held:
        """Return what a mark holds: texts and pictures, or its nodes where it has neither."""
        if mark.targets not in self._held:
            found: set[tuple[int, int, int]] = set()
            for target in mark.targets:
                if target.is_whole:
                    inside = leaves(self.nodes, target.row).tolist() or [target.row]
                    found.update((row, -1, -1) for row in inside)
                else:
                    found.add((target.row, target.start, target.end))
            self._held[mark.targets] = frozenset(found)
        return self._held[mark.targets]

    def likeness(self, one: Held, other: Held) -> float:
        """Return the share of what two hold together that both hold, 0 to 1."""
        both = one & other
        return self.weight(both) / self.weight(one | other) if both else 0.0

    def weight(self, held: Held) -> float:
        """Return how much is held: characters, and ten for a picture or an empty node."""
        total = 0.0
        for row, start, end in held:
            text = self.nodes.text[row] if start < 0 else self.nodes.text[row][start:end]
            total += len("".join(text.split())) or 10
        return total


def _item(versions: Iterable[Version]) -> str:
    ids = sorted(mark.id for version in versions for mark in version.marks)
    return hashlib.sha256(" ".join(ids).encode()).hexdigest()[:16]


def _rows(versions: Iterable[Version]) -> tuple[int, ...]:
    rows = {target.row for version in versions for mark in version.marks for target in mark.targets}
    return tuple(sorted(rows))
