"""Round after round: the content structure down to the permitted degree of coherence.

In the first round the page is divided, in each later one every leaf that is less coherent than
PDoC asks for.  What a division finds is laid out again by its separators, if they are asked for:
blocks with light separators between them get a node above them.  A round keeps all its steps, so
that it can be shown alone.

The degree of a merged node is 11 less the weight of the heaviest separator in it (10 for the
lightest, 1 for the heaviest), but never above that of a part of it, nor below that of the block it
lies in: a part is always as coherent as the whole.  As in the report it is leaves that must be
coherent enough; a merged node is never divided, since it has its parts.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby

from algorithms.segmentation.vips.layout import VipsLayout
from algorithms.segmentation.vips.rules import MERGED, NodeOnWalk, RuleAnswer
from algorithms.segmentation.vips.separators import Region, find_region
from algorithms.segmentation.vips.visual_blocks import VisualBlock, extract_blocks
from algorithms.segmentation.vips.weights import HEAVIEST, Lines, Pool, WeighedSeparator
from algorithms.signals.traversal import body_of


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
    """Return the tree over a pool of one block or more, and its separators, outer regions first.

    From the lightest separators to the heaviest, the blocks on either side are merged; blocks
    merged at one weight become one node above them (section 4.3).  In a region inside a region this
    is done first: its blocks have none of the outer separators between them.  Blocks that overlap,
    so that no separator divides them, are merged before all others, at weight 0.
    """
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


MOST_ROUNDS = 100
"""Pages are divided ten times at most; this ends what would go on for ever."""

OnRound = Callable[[int, NodeOnWalk, RuleAnswer], None]
"""Called with the number of the round, and the answer for each node in it."""


@dataclass(frozen=True)
class Division:
    """Division of one block in one round.

    Attributes:
        number: Round, from 1.
        block: The divided block.
        pool: The visual blocks found in it, in document order.
        parts: What it consists of: the pool, or what the pool was merged into.
        separators: Those between the blocks of the pool, outer ones first; their places are the
            pool's.  Empty where separators are not used.
        merged: Merged nodes, parts of parts first: each node and the nodes it was merged from.
    """

    number: int
    block: VisualBlock
    pool: tuple[VisualBlock, ...]
    parts: tuple[VisualBlock, ...]
    separators: tuple[WeighedSeparator, ...] = ()
    merged: tuple[tuple[VisualBlock, tuple[VisualBlock, ...]], ...] = ()


@dataclass(frozen=True)
class BlockStructure:
    """The blocks of a page as a tree, and how they came about.

    Attributes:
        page: The root: the page as one block of the lowest DoC.
        divisions: In the order they were made: by round, then by document order.
    """

    page: VisualBlock
    divisions: tuple[Division, ...]
    _parts: dict[VisualBlock, tuple[VisualBlock, ...]] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        for division in self.divisions:
            self._parts[division.block] = division.parts
            self._parts.update((node, parts) for node, parts in division.merged)

    @property
    def rounds(self) -> tuple[tuple[Division, ...], ...]:
        """The divisions by round, the first round first."""
        rounds = groupby(self.divisions, lambda division: division.number)
        return tuple(tuple(divisions) for _, divisions in rounds)

    def parts(self, block: VisualBlock) -> tuple[VisualBlock, ...]:
        """Return the parts of a node; empty for a leaf."""
        return self._parts.get(block, ())

    def at(self, depth: int) -> list[VisualBlock]:
        """Return the nodes a number of steps below the page (1 or more), or leaves above these.

        In reading order; none if there is nothing on the page.
        """
        result = list(self.parts(self.page))
        for _ in range(depth - 1):
            result = [part for block in result for part in (self.parts(block) or (block,))]
        return result

    def leaves(self, block: VisualBlock) -> list[VisualBlock]:
        """Return the nodes below (or the node itself) that have no parts, in reading order."""
        result, waiting = [], [block]
        while waiting:
            block = waiting.pop()
            parts = self.parts(block)
            waiting.extend(reversed(parts))
            if not parts:
                result.append(block)
        return result


def divide_page(
    layout: VipsLayout,
    pdoc: int,
    small: float,
    *,
    separators: bool = False,
    max_rounds: int = MOST_ROUNDS,
    notify: OnRound | None = None,
) -> BlockStructure:
    """Divide the page until every leaf has a DoC of at least ``pdoc`` or cannot be divided.

    ``notify`` is called with each node that is examined, and the number of the round.
    """
    page = VisualBlock((body_of(layout.nodes),), 1, 13)
    lines = Lines(layout) if separators else None
    divisions: list[Division] = []
    waiting = [page]
    for number in range(1, max_rounds + 1):
        following: list[VisualBlock] = []
        report = None if notify is None else partial(notify, number)
        for block in waiting:
            whole = layout.page_area if number == 1 else float(layout.areas[list(block.rows)].sum())
            pool = extract_blocks(layout, block, small, whole, report)
            if not pool:
                continue
            division = Division(number, block, tuple(pool), tuple(pool))
            if lines is not None:
                division = _laid_out(layout, lines, number, block, pool)
            divisions.append(division)
            following.extend(part for part in division.pool if part.doc < pdoc)
        waiting = following
        if not waiting:
            break
    return BlockStructure(page, tuple(divisions))


def _laid_out(
    layout: VipsLayout, lines: Lines, number: int, block: VisualBlock, pool: list[VisualBlock]
) -> Division:
    """Return a division with the pool merged over its separators.

    Lines among the blocks are no blocks here: they are what separates.
    """
    blocks = [
        replace(block_, doc=max(block_.doc, block.doc))
        for block_ in pool
        if layout.counts[list(block_.rows)].any()
    ]
    if len(blocks) < 2:
        return Division(number, block, tuple(blocks), tuple(blocks))
    root, separators = merge(Pool(layout, lines, blocks))
    made: dict[tuple[int, ...], VisualBlock] = {}
    merged: list[tuple[VisualBlock, tuple[VisualBlock, ...]]] = []
    parts: tuple[VisualBlock, ...] = ()
    for group in walk(root):
        if not group.children:
            made[group.members] = blocks[group.members[0]]
            continue
        parts = tuple(made[child.members] for child in group.children)
        if group is root:
            break
        doc = min(HEAVIEST + 1 - group.weight, HEAVIEST, *(part.doc for part in parts))
        rows = tuple(row for member in group.members for row in blocks[member].rows)
        node = VisualBlock(_covering(layout, block, rows), max(doc, block.doc), MERGED)
        made[group.members] = node
        merged.append((node, parts))
    return Division(number, block, tuple(blocks), parts, separators, tuple(merged))


def _covering(layout: VipsLayout, block: VisualBlock, rows: tuple[int, ...]) -> tuple[int, ...]:
    """Return the fewest rows below a block in which just these rows are to be seen, ascending."""
    parent = layout.nodes.parent
    missing: dict[int, int] = {}
    full = set(rows)
    waiting = list(rows)
    while waiting:
        above = int(parent[waiting.pop()])
        if above in block.rows:
            continue
        missing[above] = missing.get(above, int(layout.counted[above])) - 1
        if not missing[above]:
            full.add(above)
            waiting.append(above)
    return tuple(sorted(row for row in full if int(parent[row]) not in full))
