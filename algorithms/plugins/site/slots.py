"""Slots: the positions of a template, known by names, classes and ids of their ancestors.

Nodes of one page, and of all pages of a template, share a slot if the path to them reads the same.
Names with digits in them (``post-4711``) belong to one page and do not count.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from algorithms.signals.memo import shared
from engine.source import Source
from engine.tree import Doubles, Ints, lock


@dataclass(frozen=True, eq=False)
class PageSlots:
    """The s slots of one page.

    Attributes:
        keys: A number for each slot, the same on all pages; a slot before those inside it.
        parent: The key of the slot around each; 0 for the root.
        tag: The name of the elements of each; ``#text`` for texts.
        of: int32 (n,). The slot of each row of the page: an index into `keys`.
    """

    keys: tuple[int, ...]
    parent: tuple[int, ...]
    tag: tuple[str, ...]
    of: Ints

    def __post_init__(self) -> None:
        lock(self.of)

    def sums(self, values: Doubles) -> Doubles:
        """Return for each slot the sum of values, (n,), over its rows, float64 (s,)."""
        result = np.bincount(self.of, values, len(self.keys))
        return np.asarray(result, dtype=np.float64)


@shared
def page_slots(source: Source) -> PageSlots:
    """Return the slots of a page.  O(n)."""
    tree = source.tree
    known: dict[int, int] = {}
    keys, parents, tags, of = [], [], [], []
    of_row: list[int] = []
    for row, parent in enumerate(tree.parent.tolist()):
        above = of_row[parent] if parent >= 0 else 0
        key = hash((above, _name(source, row)))
        of_row.append(key)
        if key not in known:
            known[key] = len(known)
            keys.append(key)
            parents.append(above)
            tags.append(tree.name_of(row))
        of.append(known[key])
    return PageSlots(tuple(keys), tuple(parents), tuple(tags), np.array(of, dtype=np.int32))


def _name(source: Source, row: int) -> str:
    name = source.tree.name_of(row)
    if name in ("html", "body"):
        return name
    given = source.attributes(row)
    words = sorted(given.get("class", "").split())
    if "id" in given:
        words.append("#" + given["id"])
    return " ".join([name, *(word for word in words if not any(map(str.isdigit, word)))])


@dataclass(frozen=True, eq=False)
class SlotTable:
    """Content in the slots of several pages, summed; t slots, one before those inside it.

    Attributes:
        place: Key of a slot → its place here.
        parent: int32 (t,). The index of the slot around it, -1 for a root.
        tag: Names of the elements.
        new, recurring: float64 (t,). Words that are new to their page; that recur on others.
        pages: int32 (t,). Pages that have the slot.
    """

    place: dict[int, int]
    parent: Ints
    tag: tuple[str, ...]
    new: Doubles
    recurring: Doubles
    pages: Ints


def add_pages(pages: Iterable[tuple[PageSlots, Doubles, Doubles]]) -> SlotTable:
    """Add up pages: their slots, and the new and the recurring words of each slot."""
    position: dict[int, int] = {}
    parent: list[int] = []
    tag: list[str] = []
    parts = []
    for slots, new, recurring in pages:
        for key, above, name in zip(slots.keys, slots.parent, slots.tag, strict=True):
            if key not in position:
                position[key] = len(position)
                parent.append(position.get(above, -1))
                tag.append(name)
        parts.append((np.array([position[key] for key in slots.keys]), new, recurring))
    totals = np.zeros((3, len(position)))
    for numbers, new, recurring in parts:
        totals[:, numbers] += new, recurring, np.ones(numbers.size)
    return SlotTable(
        position,
        np.array(parent, dtype=np.int32),
        tuple(tag),
        totals[0],
        totals[1],
        totals[2].astype(np.int32),
    )
