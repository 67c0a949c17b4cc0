"""Content structure construction: blocks become trees again, over their separators (section 4.3).

From the lightest separators to the heaviest, the blocks on either side are merged; blocks merged at
one weight become one node above them.  In a region inside a region this is done first: its blocks
have none of the outer separators between them.  Blocks that overlap, so that no separator divides
them, are merged before all others, at weight 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from algorithms.segmentation.vips.separators import Region, find_region
from algorithms.segmentation.vips.weights import Pool, WeighedSeparator


@dataclass(frozen=True)
class MergedGroup:
    """Blocks that were merged, or one block.

    Attributes:
        members: Places in the pool, ascending.
        weight: That of the heaviest separator between them; 0 if there is none.
        children: The merged blocks, in reading order; empty for one block.
    """

    members: tuple[int, ...]
    weight: int
    children: tuple["MergedGroup", ...] = ()


def merge(pool: Pool) -> tuple[MergedGroup, tuple[WeighedSeparator, ...]]:
    """Return the tree over a pool of one block or more, and its separators, outer regions first."""
    separators: list[WeighedSeparator] = []
    return _merged(pool, find_region(pool.rects), separators), tuple(separators)


def _merged(pool: Pool, region: Region, separators: list[WeighedSeparator]) -> MergedGroup:
    if not region.cells:
        singles = tuple(MergedGroup((member,), 0) for member in region.members)
        return singles[0] if len(singles) == 1 else MergedGroup(region.members, 0, singles)
    rows = [pool.weigh(region, strip) for strip in region.rows]
    columns = [pool.weigh(region, strip) for strip in region.columns]
    separators.extend((*rows, *columns))
    fields = {field: _merged(pool, cell, separators) for field, cell in region.cells}
    for weight in sorted({separator.weight for separator in (*rows, *columns)}):
        row_of, column_of = _joined(rows, weight), _joined(columns, weight)
        joined: dict[tuple[int, int], list[MergedGroup]] = {}
        for (row, column), group in fields.items():
            joined.setdefault((row_of[row], column_of[column]), []).append(group)
        fields = {field: _over(groups, weight) for field, groups in joined.items()}
        # Merged cells keep the number of their first row and column.
    (group,) = fields.values()
    return group


def _joined(separators: list[WeighedSeparator], weight: int) -> list[int]:
    """Return the first of the rows (or columns) each is joined to by separators up to a weight."""
    result = [0]
    for index, separator in enumerate(separators, start=1):
        result.append(result[-1] if separator.weight <= weight else index)
    return result


def _over(groups: list[MergedGroup], weight: int) -> MergedGroup:
    """Return one group of several; a single one stays as it is."""
    if len(groups) == 1:
        return groups[0]
    members = tuple(sorted(member for group in groups for member in group.members))
    heaviest = max(weight, *(group.weight for group in groups))
    return MergedGroup(members, heaviest, tuple(groups))


def walk(group: MergedGroup) -> Iterator[MergedGroup]:
    """Yield a group and all below it, children first."""
    waiting = [(group, False)]
    while waiting:
        this, ready = waiting.pop()
        if ready or not this.children:
            yield this
        else:
            waiting.append((this, True))
            waiting.extend((child, False) for child in reversed(this.children))
