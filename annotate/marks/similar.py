"""Nodes of similar structure: elements of one tag and class at the same path.

For a class with one element similar elements are found by style: `add_similar`.

Pages repeat themselves: entries of a list, cards, boxes of a column.  They mostly have the same
type, so that one mark or one type can be applied to all.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from algorithms.levels import LEVELS, Level
from algorithms.signals.memo import shared
from annotate.marks import edits
from annotate.marks.gold import MAIN, ONCE, Gold, Guess, Mark, Target, new_id
from annotate.marks.targets import shows
from engine.errors import InputError
from engine.nodes import NodeTable
from engine.tree import Ints

AS_ALIKE = "as a similar block"
"""Why a type is suggested that a block built alike was given."""

Build = tuple[int, frozenset[int]]
"""Level of a mark, and how its elements are built."""

Kin = tuple[Build, frozenset[str]]
"""How a mark is built; on level 1 also the ids of its elements, their numbers left out."""

_FONT = ("font-family", "font-size", "font-weight", "font-style")

_WIDTHS = 0.1
"""By which share the widths of members of one thing may differ."""

_ALIGNED = 2.0
"""px by which their left or upper edges may."""

_NUMBER = re.compile(r"\d+")
_COUNTER = re.compile(r"\d+|odd|even|first|last")


@shared
def builds(nodes: NodeTable) -> Ints:
    """Return a number for the structure of each row, equal for similar ones; int32 (n,). O(n).

    Two elements are alike if they have the same tag and classes and their ancestors the same tags;
    without a class the classes of their ancestors count, too.
    """
    known: dict[tuple[object, ...], int] = {}
    paths, full = np.zeros((2, len(nodes)), dtype=np.int32)
    result = np.zeros(len(nodes), dtype=np.int32)
    for row in range(len(nodes)):
        parent, name = int(nodes.parent[row]), nodes.name_of(row)
        classes = _uncounted(nodes.attributes[row].get("class", "").split())
        path, all_of_it = (int(x[parent]) if parent >= 0 else -1 for x in (paths, full))
        paths[row] = known.setdefault(("path", path, name), len(known))
        full[row] = known.setdefault(("all", all_of_it, name, classes), len(known))
        own = ("own", paths[row], classes) if classes else ("own", full[row])
        result[row] = known.setdefault(own, len(known))
    result.flags.writeable = False
    return result


def _uncounted(classes: Sequence[str]) -> frozenset[str]:
    """Return classes without those that only number an element among similar ones.

    A class numbers the element if it extends another of its classes by a number, or by odd, even,
    first or last, as ``views-row-3`` and ``views-row-odd`` extend ``views-row``.
    """
    stems = tuple(f"{each}-" for each in classes)
    return frozenset(
        each
        for each in classes
        if not any(each.startswith(s) and _COUNTER.fullmatch(each, len(s)) for s in stems)
    )


def build_of(mark: Mark, built: Ints) -> Build:
    """Return how a mark is built; of several elements each counts once."""
    return mark.level, frozenset(int(built[t.row]) for t in mark.targets if t.is_whole)


def _kin(mark: Mark, built: Ints, nodes: NodeTable) -> Kin:
    """Return what blocks have in common where the type of one tells that of others.

    On level 1 that are ids, too, but for numbers in them: parts of a page that have the same tag
    and classes still have names of their own, `header` and `content`, unlike `post-1` and `post-2`.
    """
    rows = [target.row for target in mark.targets] if mark.level == 1 else []
    names = (_NUMBER.sub("0", nodes.attributes[row].get("id", "")) for row in rows)
    return build_of(mark, built), frozenset(names)


def similar_types(gold: Gold, nodes: NodeTable) -> Callable[[int, Level], str]:
    """Return what tells the type of the blocks built like a row of a level; "" for none.

    Only types that were given or confirmed count, and none that stands once on a page (`ONCE`);
    where they differ, the one had by most, of equal ones the one given last.  Blocks of level 1
    are distinguished by their ids as well.
    """
    blocks = [m for m in gold.sure.marks if m.level != MAIN and len(m.targets) == 1]
    typed = [m for m in blocks if m.type and m.type not in ONCE]
    if not typed:
        return lambda _row, _level: ""
    built = builds(nodes)
    known: dict[Kin, Counter[str]] = {}
    for mark in reversed(typed):
        known.setdefault(_kin(mark, built, nodes), Counter())[mark.type] += 1

    def tell(row: int, level: Level) -> str:
        result = known.get(_kin(Mark("", level, (Target(row),)), built, nodes))
        return result.most_common(1)[0][0] if result else ""

    return tell


def similar_marks(gold: Gold, nodes: NodeTable, ids: Collection[str]) -> tuple[Mark, ...]:
    """Return the blocks built like some, those among them, in document order."""
    built = builds(nodes)
    chosen_builds = {build_of(mark, built) for mark in _blocks(gold, ids)}
    blocks = (mark for level in LEVELS for mark in gold.of_level(level))
    result = (mark for mark in blocks if build_of(mark, built) in chosen_builds)
    return tuple(sorted(result, key=lambda mark: (mark.targets, mark.level)))


def add_similar(gold: Gold, nodes: NodeTable, ids: Collection[str]) -> Gold:
    """Make blocks of all elements with the structure, else the style, of some one-element blocks.

    They get the level and the type of the similar block.  Elements that touch a mark of the level
    are left out, but drafts are replaced; `InputError` if there is nothing to make.
    """
    built = builds(nodes)
    for mark in _blocks(gold, ids):
        if len(mark.targets) > 1 or not mark.targets[0].is_whole:
            raise InputError("only a block of one element can be searched for: ungroup it")
        for row in _others(nodes, built, mark.targets[0].row):
            marks_there = (m for m in gold.of_level(mark.level) if not m.is_draft)
            if edits.touches(nodes, row, edits.spans_of(nodes, marks_there)):
                continue
            made, there = new_id(), (Target(row),)
            drafts = (m for m in gold.of_level(mark.level) if m.is_draft)
            same = next((m for m in drafts if m.targets == there), None)
            if same is not None:
                gold = edits.set_type(gold, [same.id], mark.type or same.type)
                continue
            gold = edits.add_block(gold, nodes, there, mark.level, mark.type, partial(str, made))
            gold = edits.settle(gold, nodes, made)
            if mark.awaits_type:
                gold = edits.guess_types(gold, nodes, [made], partial(_same, mark.guess))
    return gold


def add_similar_main(gold: Gold, nodes: NodeTable, rows: Iterable[int]) -> Gold:
    """Add to the main content some elements and all with their structure, else their style."""
    return edits.add_main(gold, nodes, _alike(nodes, rows))


def remove_similar_main(gold: Gold, nodes: NodeTable, rows: Iterable[int]) -> Gold:
    """Take some elements, and all with their structure, else style, out of the main content."""
    return edits.remove_main(gold, nodes, _alike(nodes, rows))


def _alike(nodes: NodeTable, rows: Iterable[int]) -> list[Target]:
    """Return rows and those similar to them; `InputError` where there are none of these."""
    built, chosen = builds(nodes), list(rows)
    found = [other for row in chosen for other in _others(nodes, built, row)]
    if not found:
        raise InputError("nothing else on this page is similar to it")
    return [Target(row) for row in (*chosen, *found)]


def copy_type(before: Gold, gold: Gold, nodes: NodeTable, ids: Collection[str]) -> Gold:
    """Copy the new type of blocks to drafts of the same structure and former type; they stay so.

    Blocks with a suggested type get the new type as suggestion.  Types that occur once on a page
    (`ONCE`) are not copied, nor any among blocks of level 1 with different ids.

    Args:
        before: The gold before these blocks were given their type.
        gold: The gold since then.
        nodes: The page.
        ids: The blocks.
    """
    if not any(mark.is_draft or mark.awaits_type for mark in gold.marks):
        return gold
    built = builds(nodes)
    turned: dict[tuple[Kin, str], str] = {}
    for mark in _blocks(gold, ids):
        old = before.find(mark.id)
        if old is not None and old.shown_type != mark.type and mark.type not in ONCE:
            turned[_kin(mark, built, nodes), old.shown_type] = mark.type

    def follow(mark: Mark) -> Mark:
        is_open = mark.targets and (mark.is_draft or mark.awaits_type)
        kind = turned.get((_kin(mark, built, nodes), mark.shown_type)) if is_open else None
        if kind is None:
            return mark
        if mark.guess is None or not mark.awaits_type:
            return mark.with_(type=kind)
        guess = replace(mark.guess, type=kind, why=AS_ALIKE) if kind else None
        return mark.with_(guess=guess)

    marks = tuple(map(follow, gold.marks))
    return gold if marks == gold.marks else Gold(marks)


def _same(guess: Guess | None, _row: int, _level: Level) -> Guess | None:
    return guess


def _blocks(gold: Gold, ids: Iterable[str]) -> list[Mark]:
    result = [mark for mark_id in ids if (mark := gold.find(mark_id)) is not None]
    return [mark for mark in result if mark.level != MAIN and mark.targets]


def _others(nodes: NodeTable, built: Ints, row: int) -> Sequence[int]:
    """Return the other rows built like one that show something."""
    alike = np.flatnonzero((built == built[row]) & nodes.visible & (nodes.area > 0)).tolist()
    result = [other for other in alike if other != row and shows(nodes, other)]
    return result or [other for other in _by_style(nodes, row) if shows(nodes, other)]


def _by_style(nodes: NodeTable, row: int) -> list[int]:
    """Return the other rows of a probable group: columns, cards, lines of a list.

    They have its tag and position in the tree (the same parent, or adjacent parents of one tag),
    its width and font, and are in one line or column with it.  If some of them share their classes,
    or without any those of their parents, the classes distinguish them; each column of a footer may
    have a class of its own, which does not count.
    """
    parent = int(nodes.parent[row])
    if parent < 0 or nodes.area[row] <= 0:
        return []
    above = int(nodes.parent[parent])
    parents = np.array([parent])
    if above >= 0:
        beside = nodes.children(above)
        parents = beside[nodes.tag[beside] == nodes.tag[parent]]
    is_kin = (nodes.tag == nodes.tag[row]) & np.isin(nodes.parent, parents)
    rects, own = nodes.rect, nodes.rect[row]
    is_wide = np.abs(rects[:, 2] - own[2]) <= _WIDTHS * own[2]
    is_in_line = (np.abs(rects[:, :2] - own[:2]) <= _ALIGNED).any(axis=1)
    is_like = is_kin & is_wide & is_in_line & nodes.visible & (nodes.area > 0)
    for name in _FONT:
        written = nodes.computed(name)
        is_like &= written == written[row]
    rows = np.flatnonzero(is_like).tolist()
    classes = {
        _own_classes(nodes, each) or _own_classes(nodes, int(nodes.parent[each])) for each in rows
    }
    return [each for each in rows if each != row] if len(classes) == len(rows) else []


def _own_classes(nodes: NodeTable, row: int) -> frozenset[str]:
    return frozenset(nodes.attributes[row].get("class", "").split())
