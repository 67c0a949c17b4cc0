"""What a hand does to gold: pure functions from one `Gold` to the next.

Main content is kept in a normal form: no mark holds another or a part of it, and parts of one text
do not touch.  Parents whose children are all marked are not collapsed: the marked nodes are kept.
Blocks may nest in any way, also in a block of the same level, and a level-2 block may stand outside
every level-1 block: real gold does all of that.

An edit that changes nothing returns the gold it was given; one that cannot be done raises
`InputError` with a sentence for the user.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain

import numpy as np

from algorithms.levels import LEVELS, Level
from annotate.marks.gold import MAIN, Gold, Guess, Mark, MarkState, Target, new_id
from annotate.marks.page_text import page_text, whole_or_part
from annotate.marks.targets import beside, holds, leaves, parts_of, remainder, shows, tidy, touch
from engine import geometry
from engine.errors import InputError
from engine.nodes import NodeTable
from engine.runs import mark_covered
from engine.tree import Doubles

Ids = Callable[[], str]

_ALIKE = 0.5  # overlap of boxes from which a block is a corrected draft


# -- main content


def toggle_main(gold: Gold, nodes: NodeTable, target: Target, ids: Ids = new_id) -> Gold:
    """Add a node or a part of a text to the main content, or take it out if all of it is in.

    Taking a node out of a marked ancestor leaves the ancestor's other content marked.  O(n).
    """
    edit = remove_main if is_main(gold, nodes, target) else add_main
    return edit(gold, nodes, [target], ids)


def is_main(gold: Gold, nodes: NodeTable, target: Target) -> bool:
    """Return whether all of a target is main content already.

    A node counts as covered when it or an ancestor is marked, or when all the texts and pictures
    a reader sees in it are.
    """
    marked = [t for mark in gold.marks if mark.level == MAIN for t in mark.targets]
    if any(holds(nodes, t, target) for t in marked):
        return True
    if not target.is_whole:
        return not remainder(nodes, [target], marked)
    inside = leaves(nodes, target.row)
    if not inside.size:
        return False
    wholes = np.array([t.row for t in marked if t.is_whole], dtype=np.int64)
    bare = inside[~mark_covered(wholes, nodes.end[wholes], len(nodes))[inside]].tolist()
    parts = [t for t in marked if not t.is_whole]
    return not any(remainder(nodes, [Target(row)], parts) for row in bare)


def add_main(gold: Gold, nodes: NodeTable, targets: Iterable[Target], ids: Ids = new_id) -> Gold:
    """Add nodes and parts of texts to the main content, one mark each.

    Marks inside a new one are swallowed; parts of a text that touch or overlap become one.
    """
    for target in sorted(tidy(nodes, targets)):
        gold = _with_main(gold, nodes, target, ids)
    return gold


def _with_main(gold: Gold, nodes: NodeTable, target: Target, ids: Ids) -> Gold:
    main = [mark for mark in gold.marks if mark.level == MAIN]
    if any(holds(nodes, t, target) for m in main if not m.is_draft for t in m.targets):
        return gold
    own_id = ""
    changed: dict[str, tuple[Target, ...]] = {}
    for mark in main:
        left = []
        for t in mark.targets:
            if mark.is_draft:
                left.extend(remainder(nodes, [t], [target]))  # a marked part is no longer a draft
            elif not target.is_whole and t.row == target.row and touch(t, target):
                target = Target(t.row, min(t.start, target.start), max(t.end, target.end))
                own_id = own_id or mark.id
            else:
                left.append(t)
        if tuple(left) != mark.targets:
            changed[mark.id] = tuple(left)
    if not target.is_whole:
        target = whole_or_part(nodes, target.row, target.start, target.end)
    marks = []
    for mark in gold.marks:
        left = list(changed.get(mark.id, mark.targets))
        if mark.level == MAIN and mark.targets:
            left = [t for t in left if not holds(nodes, target, t)]
        if mark.id == own_id:
            marks.append(_placed(nodes, mark, (target,)))
            if left:
                marks.append(_placed(nodes, mark.with_(id=ids()), tuple(left)))
        elif tuple(left) == mark.targets:
            marks.append(mark)
        elif mark.is_draft:
            pieces = enumerate(left)
            marks.extend(_cut(nodes, mark, (t,), ids() if k else mark.id) for k, t in pieces)
        elif left:
            marks.append(_placed(nodes, mark, tuple(left)))
    if not own_id:
        marks.append(_made(nodes, ids(), MAIN, (target,)))
    return Gold(tuple(marks))


def remove_main(gold: Gold, nodes: NodeTable, targets: Iterable[Target], ids: Ids = new_id) -> Gold:
    """Take nodes and parts of texts out of the main content; what else was marked stays marked.

    A mark that is cut becomes one mark for each piece that is left; the first keeps its id.
    """
    cuts = tidy(nodes, targets)
    marks: list[Mark] = []
    for mark in gold.marks:
        left = remainder(nodes, mark.targets, cuts) if mark.level == MAIN else mark.targets
        if tuple(left) == mark.targets:
            marks.append(mark)
            continue
        for index, piece in enumerate(left):
            marks.append(_cut(nodes, mark, (piece,), ids() if index else mark.id))
    return gold if tuple(marks) == gold.marks else Gold(tuple(marks))


# -- blocks


def add_block(
    gold: Gold,
    nodes: NodeTable,
    targets: Sequence[Target],
    level: Level,
    type: str = "",
    ids: Ids = new_id,
) -> Gold:
    """Mark a node, or neighbours, as one block; `InputError` if that block is marked already."""
    made = _made(nodes, ids(), _block_level(level), _block_targets(nodes, targets), type.strip())
    return _distinct(gold, Gold((*gold.marks, made)))


def settle(gold: Gold, nodes: NodeTable, mark_id: str) -> Gold:
    """Replace the overlapping drafts of its level by a new block.

    It gets the seed of the most similar of them, and its type unless it has one: it corrects that
    draft.
    """
    mark = _known(gold, mark_id)
    touched = overlapping_drafts(gold, nodes, mark)
    if not touched:
        return gold
    boxes = np.stack([_box(nodes, other) for other in touched])
    alike = geometry.iou(_box(nodes, mark)[None], boxes)[0]
    best = touched[int(np.argmax(alike))]
    if alike.max() >= _ALIKE:
        mark = mark.with_(type=mark.type or best.type, seed=best.seed)
    gone = {other.id for other in touched}
    return Gold(tuple(mark if m.id == mark_id else m for m in gold.marks if m.id not in gone))


def spans_of(nodes: NodeTable, marks: Iterable[Mark]) -> list[tuple[int, int]]:
    """Return the rows that marks hold: first and one past the last of each target."""
    return [(t.row, int(nodes.end[t.row])) for mark in marks for t in mark.targets]


def touches(nodes: NodeTable, row: int, spans: Iterable[tuple[int, int]]) -> bool:
    """Return whether a node shares rows with one of some spans."""
    end = int(nodes.end[row])
    return any(start < end and row < stop for start, stop in spans)


def overlapping_drafts(gold: Gold, nodes: NodeTable, mark: Mark) -> list[Mark]:
    """Return the other drafts of a block's level that overlap it."""
    spans = spans_of(nodes, [mark])
    others = (x for x in gold.drafts() if x.level == mark.level and x.id != mark.id)
    return [x for x in others if any(touches(nodes, t.row, spans) for t in x.targets)]


def _box(nodes: NodeTable, mark: Mark) -> Doubles:
    return geometry.union(nodes.rect[[t.row for t in mark.targets]])


def guess_types(
    gold: Gold,
    nodes: NodeTable,
    ids: Collection[str],
    guess: Callable[[int, Level], Guess | None],
) -> Gold:
    """Suggest types for blocks that have none; ``guess`` is given row and level.

    A block of several elements gets the suggestion for its largest one.  On the sample pages this
    is right for 34 of 54 such blocks, that for the first element for 28, and that for the element
    with most letters for 33.  For blocks of one element suggestions are right for 69 %.
    """

    def change(mark: Mark) -> Mark:
        if mark.level == MAIN or mark.type or not mark.targets:
            return mark
        row = max((target.row for target in mark.targets), key=lambda row: float(nodes.area[row]))
        return mark.with_(guess=guess(row, mark.level))

    return _changed(gold, ids, change)


def remove(gold: Gold, ids: Collection[str]) -> Gold:
    """Delete marks, of any level and also lost ones."""
    marks = tuple(mark for mark in gold.marks if mark.id not in ids)
    return gold if len(marks) == len(gold.marks) else Gold(marks)


def set_type(gold: Gold, ids: Collection[str], type: str) -> Gold:
    """Set the type of blocks, any name or "" for none, which confirms drafts.

    The suggestion stays stored beside a type; an empty type declines it.
    """

    def change(mark: Mark) -> Mark:
        if mark.level == MAIN:
            raise InputError("main content has no type: mark a block to give it one")
        name = type.strip()
        return _decided(mark.with_(type=name, guess=mark.guess if name else None))

    return _changed(gold, ids, change)


def set_unsure(gold: Gold, ids: Collection[str], is_unsure: bool) -> Gold:
    """Flag marks of any level for review, or take the flag away; drafts stay drafts."""
    return _changed(gold, ids, lambda mark: mark.with_(is_unsure=is_unsure))


def set_field(gold: Gold, ids: Collection[str], name: str, value: str) -> Gold:
    """Set a field of the guideline on marks; "" takes it away.  Drafts stay drafts."""

    def change(mark: Mark) -> Mark:
        fields = dict(mark.fields) | {name: value}
        return mark.with_(fields=tuple(sorted(item for item in fields.items() if item[1])))

    return _changed(gold, ids, change)


def set_level(gold: Gold, ids: Collection[str], level: Level) -> Gold:
    """Move blocks to the other level, which confirms drafts; `InputError` if one is there."""
    _block_level(level)

    def change(mark: Mark) -> Mark:
        if mark.level == MAIN:
            raise InputError("main content has no block level: mark the block beside it")
        return _decided(mark.with_(level=level))

    return _distinct(gold, _changed(gold, ids, change))


def set_targets(gold: Gold, nodes: NodeTable, mark_id: str, targets: Sequence[Target]) -> Gold:
    """Move a mark to other nodes: how a block is widened or narrowed, or put right."""
    if _known(gold, mark_id).level == MAIN:
        return move_main(gold, nodes, [mark_id], targets)
    after = _block_targets(nodes, targets)
    return _distinct(gold, _changed(gold, [mark_id], lambda m: _placed(nodes, m, after)))


def move_main(gold: Gold, nodes: NodeTable, ids: Sequence[str], targets: Sequence[Target]) -> Gold:
    """Move marks of main content to other nodes, together.

    They are removed and added at the new places, in the normal form.  Ids stay with origin and
    fields; new marks get those of the first.  A mark that they grow into and that has no fields
    gets them, too.
    """
    moved, fresh = {each: _known(gold, each) for each in ids}, iter(ids)
    known = {each.id: each for each in gold.marks if each.id not in moved}
    after = add_main(remove(gold, ids), nodes, targets, lambda: next(fresh, "") or new_id())

    def as_before(mark: Mark) -> Mark:
        old = moved.get(mark.id, moved[ids[0]])
        if mark.id not in known:
            return mark.with_(seed=old.seed, is_unsure=old.is_unsure, fields=old.fields)
        has_grown = mark.targets != known[mark.id].targets
        return mark.with_(fields=old.fields) if has_grown and not mark.fields else mark

    return Gold(tuple(map(as_before, after.marks)))


def group(gold: Gold, nodes: NodeTable, ids: Collection[str]) -> Gold:
    """Join neighbouring blocks of one level to one block.

    The first in the page gives its id, and its type unless it has none.  Raises `InputError`
    if blocks cannot be joined: other levels, other parents, or content between them.  Where only
    wrappers of the same box stand between blocks and a parent they share, the wrappers are taken.
    """
    if len(set(ids)) < 2:
        raise InputError("one block cannot be grouped: select its neighbours as well")
    marks = _of_one_level(gold, ids)
    pieces = [t for mark in marks for t in mark.targets]
    return _joined(gold, nodes, marks, _block_targets(nodes, beside(nodes, pieces)))


def _of_one_level(gold: Gold, ids: Collection[str]) -> list[Mark]:
    """Return blocks in document order; `InputError` unless they can be joined by their level."""
    marks = sorted((_known(gold, i) for i in set(ids)), key=lambda m: m.targets)
    if any(mark.level == MAIN for mark in marks):
        raise InputError("only blocks can be grouped, and main content was selected")
    if len({mark.level for mark in marks}) > 1:
        raise InputError("the selected blocks are on different levels: move them to one first")
    if not all(mark.targets for mark in marks):
        raise InputError("a lost block cannot be grouped: mark it again first")
    return marks


def _joined(
    gold: Gold, nodes: NodeTable, marks: Sequence[Mark], targets: tuple[Target, ...]
) -> Gold:
    """Return the gold with marks as one, with the id of the first and the first type."""
    kind = next((mark.type for mark in marks if mark.type), "")
    is_unsure = any(mark.is_unsure for mark in marks)
    fields = dict(item for mark in reversed(marks) for item in mark.fields)
    joined = _placed(nodes, marks[0], targets).with_(
        type=kind, is_unsure=is_unsure, fields=tuple(sorted(fields.items()))
    )
    gone = {mark.id for mark in marks[1:]}
    after = (joined if m.id == joined.id else m for m in gold.marks if m.id not in gone)
    return _distinct(gold, Gold(tuple(after)))


def extend(
    gold: Gold, nodes: NodeTable, ids: Collection[str], target: Target, level: Level
) -> Gold:
    """Join a node that is no block yet to blocks of its level, with all that stands between them.

    As a second click with Shift extends a selection in any list.  The blocks of ``ids`` give id and
    type as in `group`; confirmed blocks between become part.  `InputError` as of `group`.
    """
    marks, targets = extended(gold, nodes, ids, target, level)
    return _joined(gold, nodes, marks, targets)


def extended(
    gold: Gold, nodes: NodeTable, ids: Collection[str], target: Target, level: Level
) -> tuple[list[Mark], tuple[Target, ...]]:
    """Return the blocks that `extend` makes one, those of ``ids`` first, and its targets."""
    marks = _of_one_level(gold, ids)
    if any(mark.level != level for mark in marks):
        raise InputError("the selected blocks are on different levels: move them to one first")
    sure = [mark for mark in gold.of_level(level) if not mark.is_draft and mark.id not in ids]
    pieces = [*(t for mark in marks for t in mark.targets), target]
    while True:
        targets = _block_targets(nodes, _stretch(nodes, beside(nodes, pieces)))
        taken = [m for m in sure if m not in marks and not set(targets).isdisjoint(m.targets)]
        if not taken:
            return marks, targets
        marks += taken
        pieces = [*targets, *(t for mark in taken for t in mark.targets)]


def blocks_within(gold: Gold, nodes: NodeTable, mark_id: str) -> list[Mark]:
    """Return the other confirmed blocks of a block's level that lie inside its elements."""
    mark = _known(gold, mark_id)
    spans = spans_of(nodes, [mark])
    return [
        other
        for other in gold.of_level(mark.level)
        if other.id != mark_id
        and not other.is_draft
        and other.targets
        and all(touches(nodes, t.row, spans) for t in other.targets)
    ]


def _stretch(nodes: NodeTable, targets: Sequence[Target]) -> list[Target]:
    """Return children of one parent with those between them that show something."""
    rows = {target.row for target in targets}
    parents = {int(nodes.parent[row]) for row in rows}
    if len(parents) != 1:
        return list(targets)
    between = (r for r in nodes.children(parents.pop()).tolist() if min(rows) <= r <= max(rows))
    return [Target(row) for row in between if row in rows or shows(nodes, row)]


def merge_around(gold: Gold, nodes: NodeTable, ids: Collection[str]) -> Gold:
    """Make one block of blocks of a level: the smallest element around all of them.

    The first in the page gives its id, and its type unless it has none.
    """
    marks = sorted((_known(gold, i) for i in set(ids)), key=lambda m: m.targets)
    if len(marks) < 2 or len({mark.level for mark in marks}) > 1 or marks[0].level == MAIN:
        raise InputError("select two or more blocks of one level to merge them")
    rows = [t.row for mark in marks for t in mark.targets]
    around = rows[0]
    while not all(nodes.is_inside(row, around) for row in rows):
        around = int(nodes.parent[around])
    return _joined(gold, nodes, marks, (Target(around),))


def split(gold: Gold, nodes: NodeTable, mark_id: str, ids: Ids = new_id) -> Gold:
    """Take a block apart: one block a node of a group, else one for each part that is seen.

    The parts are the children that show something, of the first element below that has several.
    """
    mark = _known(gold, mark_id)
    if mark.level == MAIN or not mark.targets:
        raise InputError("only a block can be split")
    if len(mark.targets) > 1:
        return ungroup(gold, nodes, mark_id, ids)
    parts = parts_of(nodes, mark.targets[0].row)
    if not parts:
        raise InputError("this block has no parts to be split into")
    return _apart(gold, nodes, mark, parts, ids)


def ungroup(gold: Gold, nodes: NodeTable, mark_id: str, ids: Ids = new_id) -> Gold:
    """Take a grouped block apart: one block a node, all of its level and type."""
    mark = _known(gold, mark_id)
    if len(mark.targets) < 2:
        raise InputError("this block is a single node and cannot be ungrouped")
    return _apart(gold, nodes, mark, mark.targets, ids)


def _apart(gold: Gold, nodes: NodeTable, mark: Mark, targets: Iterable[Target], ids: Ids) -> Gold:
    """Return the gold with a mark as one for each target, the first of which keeps the id."""
    pieces = [
        _placed(nodes, mark, (target,)).with_(id=ids() if index else mark.id)
        for index, target in enumerate(targets)
    ]
    marks = (pieces if other.id == mark.id else [other] for other in gold.marks)
    return _distinct(gold, Gold(tuple(chain.from_iterable(marks))))


def confirm(gold: Gold, nodes: NodeTable, ids: Collection[str]) -> Gold:
    """Confirm places of moved marks and drafts, and the types suggested for them."""

    def change(mark: Mark) -> Mark:
        if mark.state is MarkState.LOST:
            raise InputError("a lost mark cannot be confirmed: mark it again or delete it")
        if mark.guess is not None and mark.awaits_type:
            mark = mark.with_(type=mark.guess.type)
        is_asked = mark.state in (MarkState.MOVED, MarkState.DRAFT)
        return _placed(nodes, mark, mark.targets) if is_asked else mark

    return _changed(gold, ids, change)


def move_to(gold: Gold, mark_id: str, targets: tuple[Target, ...], score: float) -> Gold:
    """Move a mark to another probable position, to be confirmed."""
    mark = _known(gold, mark_id)
    moved = mark.with_(targets=targets, state=MarkState.MOVED, score=score)
    return Gold(tuple(moved if each.id == mark_id else each for each in gold.marks))


# -- marks


def _made(
    nodes: NodeTable, mark_id: str, level: Level, targets: tuple[Target, ...], type: str = ""
) -> Mark:
    return Mark(mark_id, level, targets, type, MarkState.EXACT, page_text(nodes).quote(targets))


def _placed(nodes: NodeTable, mark: Mark, targets: tuple[Target, ...]) -> Mark:
    """Return a moved mark with its origin kept."""
    placed = _made(nodes, mark.id, mark.level, targets, mark.type)
    return placed.with_(
        seed=mark.seed, guess=mark.guess, is_unsure=mark.is_unsure, fields=mark.fields
    )


def _cut(nodes: NodeTable, mark: Mark, targets: tuple[Target, ...], mark_id: str) -> Mark:
    """Return the rest of a mark that was cut: of a draft a draft."""
    left = _placed(nodes, mark, targets).with_(id=mark_id)
    return left.with_(state=MarkState.DRAFT) if mark.is_draft else left


def _decided(mark: Mark) -> Mark:
    """Return a mark that a hand has changed: a draft is confirmed by that."""
    return mark.with_(state=MarkState.EXACT) if mark.is_draft else mark


def _known(gold: Gold, mark_id: str) -> Mark:
    mark = gold.find(mark_id)
    if mark is None:
        raise InputError("this mark is no longer there")
    return mark


def _changed(gold: Gold, ids: Collection[str], change: Callable[[Mark], Mark]) -> Gold:
    chosen = set(ids)
    marks = tuple(change(mark) if mark.id in chosen else mark for mark in gold.marks)
    return gold if marks == gold.marks else Gold(marks)


def _block_level(level: Level) -> Level:
    if level not in LEVELS:
        raise InputError(f"the level of a block must be 1 or 2, got {level}")
    return level


def _block_targets(nodes: NodeTable, targets: Iterable[Target]) -> tuple[Target, ...]:
    """Return the targets of one block, sorted; `InputError` unless they are neighbours."""
    ordered = sorted(set(targets))
    if not ordered:
        raise InputError("a block needs at least one node")
    if not all(target.is_whole for target in ordered):
        raise InputError("a block is made of whole nodes, not of a part of a text")
    if ordered[0].row < 0 or ordered[-1].row >= len(nodes):
        raise InputError(f"there is no row {ordered[-1].row} on this page")
    parent = int(nodes.parent[ordered[0].row])
    if any(int(nodes.parent[target.row]) != parent for target in ordered[1:]):
        raise InputError("these nodes are not neighbours: a block's nodes share one parent")
    rows = {target.row for target in ordered}
    if len(rows) > 1:
        for child in nodes.children(parent).tolist():
            between = ordered[0].row < child < ordered[-1].row
            if between and child not in rows and shows(nodes, child):
                name = nodes.name_of(child)
                what = f"<{name}>" if name != "#text" else "text"
                raise InputError(f"these nodes are not neighbours: {what} stands between them")
    return tuple(ordered)


def _distinct(before: Gold, after: Gold) -> Gold:
    """Return ``after``; `InputError` if the change put a block where there is one already."""
    if after is before:
        return after
    counts = Counter((mark.level, mark.targets) for mark in after.marks)
    old = {mark.id: (mark.level, mark.targets) for mark in before.marks}
    for mark in after.marks:
        position = mark.level, mark.targets
        is_block = mark.level != MAIN and mark.targets
        if is_block and counts[position] > 1 and old.get(mark.id) != position:
            raise InputError(f"this block is marked on level {mark.level} already")
    return after
