"""Transfer of marks: marks of one page are found on others of the same template.

The nodes of the pages are matched from the root down (`annotate.plugins.transfer.matching`), level
by level of the marks, and each mark comes with a confidence.  Certain matches become marks;
uncertain ones are left for review, together with the program's suggestion.  Nothing that is marked
already is touched.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from algorithms.levels import Level
from annotate.marks import edits
from annotate.marks.drafts import SURE, TRANSFERRED
from annotate.marks.gold import MAIN, Gold, Mark, MarkState, Seed, Target
from annotate.marks.page_text import page_text
from annotate.marks.style import page_style
from annotate.plugins.transfer.matching import Colored, RowMatch, match
from engine.errors import InputError
from engine.nodes import NodeTable

UNRELATED = 0.5
"""The most confidence between pages that seem to be of different sites: as likely as not."""

SHARED = 0.15
"""Of the kinds of elements with a name, pages of one template share at least so many."""

_FEW = 4
"""Fewer kinds with a name tell nothing of a template."""


@dataclass(frozen=True)
class TransferredMark:
    """Candidates for marks on a page.

    Attributes:
        level: `MAIN`, 1 or 2.
        type: The block's type, "" if none.
        targets: Neighbouring nodes.
        confidence: .5 to 1.
        is_marked: Whether the program would mark it; False where it would rather leave it out.
    """

    level: Level
    type: str
    targets: tuple[Target, ...]
    confidence: float
    is_marked: bool

    @property
    def is_sure(self) -> bool:
        """Whether it needs no review."""
        return self.confidence >= SURE


@dataclass(frozen=True)
class TransferResult:
    """Result of transferring marks to another page.

    Attributes:
        sure: To be marked, in document order.
        doubtful: For review, in document order.
    """

    sure: tuple[TransferredMark, ...] = ()
    doubtful: tuple[TransferredMark, ...] = ()


def transfer_marks(sources: Sequence[tuple[NodeTable, Gold]], target: NodeTable) -> TransferResult:
    """Transfer the marks of pages of a template to another page of it.

    Marks that were not found on their page, or are to be confirmed there, do not transfer.
    """
    result: list[TransferredMark] = []
    for level in sorted({mark.level for _, gold in sources for mark in gold.sure.marks}):
        layers = [_layers(nodes, gold, level) for nodes, gold in sources]
        for depth in range(max(map(len, layers))):
            marked = [
                (nodes, layer[depth] if depth < len(layer) else ())
                for (nodes, _), layer in zip(sources, layers, strict=True)
            ]
            result.extend(_transfer_layer(marked, target, level))
    if not any(_share_template(nodes, target) for nodes, _ in sources):
        result = [replace(each, confidence=min(each.confidence, UNRELATED)) for each in result]
    result.sort(key=lambda each: (each.targets[0].row, each.level))
    sure = tuple(each for each in result if each.is_sure and each.is_marked)
    return TransferResult(sure, tuple(each for each in result if not each.is_sure))


def _share_template(one: NodeTable, other: NodeTable) -> bool:
    """Whether two pages may be of one template, by the classes and ids of their elements.

    Pages of one name most of their elements alike; pages of different sites share words such as
    `header` alone.  Pages of few names tell nothing.
    """
    names = [{kind for kind in page_style(nodes).kind if " " in kind} for nodes in (one, other)]
    least = min(map(len, names))
    return least < _FEW or len(names[0] & names[1]) >= SHARED * least


def _layers(nodes: NodeTable, gold: Gold, level: Level) -> list[tuple[Mark, ...]]:
    """Return the marks of a level, those within others of it apart: a layer within a layer."""
    layers: list[list[Mark]] = []
    inside: list[tuple[int, int]] = []  # where the open marks end, and which layer they are in
    for mark in gold.sure.of_level(level):
        start, end = mark.targets[0].row, int(nodes.end[mark.targets[-1].row])
        inside = [each for each in inside if start < each[0]]
        depth = max((layer + 1 for _, layer in inside), default=0) if level != MAIN else 0
        if depth == len(layers):
            layers.append([])
        layers[depth].append(mark)
        inside.append((end, depth))
    return [tuple(layer) for layer in layers]


def _transfer_layer(
    marked: Sequence[tuple[NodeTable, tuple[Mark, ...]]], target: NodeTable, level: Level
) -> Iterator[TransferredMark]:
    types = sorted({mark.type for _, marks in marked for mark in marks})
    number = {name: index for index, name in enumerate(types, 1)}
    sources = [_colored(nodes, marks, number) for nodes, marks in marked]
    groups = [
        {t.row: mark.id for mark in marks if len(mark.targets) > 1 for t in mark.targets}
        for _, marks in marked
    ]
    for each in _joined(target, match(sources, target, asks_inside=level == MAIN), groups, level):
        verdict = each[0]
        yield TransferredMark(
            level,
            types[verdict.color - 1] if verdict.color else "",
            tuple(Target(one.row) for one in each),
            min(one.confidence for one in each),
            verdict.color > 0,
        )


def _colored(nodes: NodeTable, marks: Sequence[Mark], number: Mapping[str, int]) -> Colored:
    """Return a page with its marks as colors, numbered by their type."""
    text = page_text(nodes)
    content = text.content
    weight = np.where(content, 1.0, 0.0)
    weight[text.rows] = text.stops - text.starts
    shares = np.zeros((len(nodes), len(number) + 1))
    inside = np.zeros(len(nodes), dtype=bool)
    for mark in marks:
        color = number[mark.type]
        for target in mark.targets:
            if target.is_whole:
                rows = slice(target.row, int(nodes.end[target.row]))
                shares[rows, color] = weight[rows]
                inside[rows] = True
            else:
                texts = nodes.text[target.row]
                part = len(texts[target.start : target.end].strip()) / max(len(texts.strip()), 1)
                shares[target.row, color] += part * weight[target.row]
    shares[:, 0] = np.maximum(weight - shares[:, 1:].sum(axis=1), 0.0)
    below = np.stack([nodes.subtree_sum(column) for column in shares.T], axis=1)
    total = below.sum(axis=1)
    is_whole = inside | (below[:, 0] == total) | content
    return Colored(page_style(nodes), below / np.maximum(total, 1e-9)[:, None], is_whole)


def _joined(
    nodes: NodeTable,
    verdicts: Sequence[RowMatch],
    groups: Sequence[Mapping[int, str]],
    level: Level,
) -> Iterator[tuple[RowMatch, ...]]:
    """Join neighbours that belong together: parts of a block, or one question to the user.

    ``groups`` have, for each source, the row of a mark of several nodes → the mark's id.
    """

    def key(verdict: RowMatch) -> tuple[object, ...]:
        source, row = verdict.match
        is_sure = verdict.confidence >= SURE
        group = groups[source].get(row, "") if source >= 0 else ""
        own = group or ("" if level == MAIN and not is_sure else str(verdict.row))
        return int(nodes.parent[verdict.row]), verdict.color, is_sure, own

    for (_, color, is_sure, _), each in groupby(verdicts, key):
        if color or (level == MAIN and not is_sure):
            yield tuple(each)


def without_marked(result: TransferResult, gold: Gold, nodes: NodeTable) -> TransferResult:
    """Return the marks that do not overlap existing ones of their level."""
    taken: dict[int, list[int]] = {}  # level → rows that are marked
    for mark in gold.marks:
        taken.setdefault(mark.level, []).extend(target.row for target in mark.targets)

    def is_free(each: TransferredMark) -> bool:
        return not any(
            row < int(nodes.end[target.row]) and target.row < int(nodes.end[row])
            for target in each.targets
            for row in taken.get(each.level, ())
        )

    sure, doubtful = (tuple(filter(is_free, each)) for each in (result.sure, result.doubtful))
    return TransferResult(sure, doubtful)


def with_drafts(
    gold: Gold,
    nodes: NodeTable,
    result: Sequence[TransferredMark],
    origin: str = "",
    version: str = "",
) -> Gold:
    """Return the gold with drafts of what came, each to be confirmed; one edit of the page.

    Existing marks stay as they are: marks that would change them are left out.  Each draft
    remembers how sure it is and, by ``origin`` and Pagelet's ``version``, where it is from.
    """
    after = gold
    for each in result:
        known = {mark.id for mark in after.marks}
        params = json.dumps({"confidence": round(each.confidence, 3), "from": origin})
        changes = {"state": MarkState.DRAFT, "seed": Seed(TRANSFERRED, version, params, "rendered")}
        marks = _with_mark(after, nodes, each).marks
        after = Gold(tuple(m if m.id in known else m.with_(**changes) for m in marks))
    if any(mark not in after.marks for mark in gold.marks):
        raise ValueError("transferred marks must not touch those of the page: see without_marked()")
    return after


def _with_mark(gold: Gold, nodes: NodeTable, new: TransferredMark) -> Gold:
    """Return the gold with transferred marks as manual ones; the same if it is marked already."""
    if new.level == MAIN:
        return edits.add_main(gold, nodes, new.targets)
    try:
        return edits.add_block(gold, nodes, new.targets, new.level, new.type)
    except InputError:  # there is a block already
        return gold
