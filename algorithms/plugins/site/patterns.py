"""Node extraction patterns: trees with wildcards, mapped onto pages and combined with them.

See `algorithms.plugins.site.ne_patterns` for the source and the readings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from algorithms.signals.memo import shared
from algorithms.templates.site import texts
from engine.source import Source
from engine.tree import TEXT

_DEEPEST = 150
"""Elements deeper than this are taken with all below as one: keeps the recursion finite."""

Pairs = list[tuple[int, int]]


@dataclass(frozen=True)
class Pattern:
    """Node of a pattern, or of a page, with its subtree.

    Attributes:
        label: The name, with the classes of an element.
        text: The text; None where any text matches, and for an element.
        children: In order.
        optional: Whether it may be missing.
        repeated: Whether it may occur several times in a row.
        row: Its row on the page; -1 where it represents several pages.
        size: Nodes at or below it, those that may be missing left out.
    """

    label: str
    text: str | None = None
    children: tuple["Pattern", ...] = ()
    optional: bool = False
    repeated: bool = False
    row: int = field(default=-1, compare=False)
    size: int = field(default=1, compare=False)
    key: int = field(default=0, compare=False)

    @property
    def is_wild(self) -> bool:
        """Whether it is a wildcard itself."""
        return self.optional or self.repeated or (self.label == TEXT and self.text is None)


def make_pattern(
    label: str,
    text: str | None,
    children: Sequence[Pattern],
    *,
    optional: bool = False,
    repeated: bool = False,
    row: int = -1,
) -> Pattern:
    """Return a pattern with its size and a key that is equal for equal patterns."""
    size = 1 + sum(child.size for child in children if not child.optional)
    below = tuple((child.key, child.optional, child.repeated) for child in children)
    key = hash((label, text, below))
    return Pattern(label, text, tuple(children), optional, repeated, row, size, key)


@shared
def pattern_of(source: Source) -> Pattern:
    """Return a page as a pattern without wildcards.  Script and style are left out."""
    tree, row_texts = source.tree, texts(source)
    skipped = tree.has_tag("script", "style", "head", "noscript")
    below: list[list[Pattern]] = [[] for _ in row_texts]
    depth, parents = tree.depth.tolist(), tree.parent.tolist()
    result = make_pattern(TEXT, "", ())
    for row in range(len(row_texts) - 1, -1, -1):
        if skipped[row]:
            continue
        if row_texts[row]:
            result = make_pattern(TEXT, row_texts[row], (), row=row)
        else:
            classes = " ".join(source.attributes(row).get("class", "").split())
            label = f"{tree.name_of(row)}.{classes}"
            children = below[row][::-1]
            if depth[row] >= _DEEPEST:
                first, last = tree.words[row].tolist()
                children = []
                result = make_pattern(label, " ".join(source.words[first:last]), children, row=row)
            else:
                result = make_pattern(label, None, children, row=row)
        if row:
            below[parents[row]].append(result)
    return result


class Mapping:
    """Top-down mappings between patterns; remembers the cost of each pair."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], float] = {}

    def cost(self, first: Pattern, second: Pattern) -> float:
        """Return the cost of mapping two nodes of one label: nodes left out, texts changed."""
        if first.key == second.key:
            return 0.0
        if not first.children and not second.children:
            return float(None not in (first.text, second.text) and first.text != second.text)
        pair = (first.key, second.key)
        result = self._known.get(pair)
        if result is None:
            result = self._known[pair] = self.aligned(first.children, second.children)[0]
        return result

    def aligned(self, ours: Sequence[Pattern], theirs: Sequence[Pattern]) -> tuple[float, Pairs]:
        """Align two lists of children: the cost, and the mapped ones, ascending.

        One of ours that may repeat may be mapped onto several of theirs in a row.
        """
        head, tail = _alike(ours, theirs)
        a, b = ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]
        table = self._table(a, b)
        pairs = [(head + i, head + j) for i, j in self._traced(a, b, table)]
        pairs = [(k, k) for k in range(head)] + pairs
        pairs += [(len(ours) - k, len(theirs) - k) for k in range(tail, 0, -1)]
        return table[-1][-1], pairs

    def _table(self, ours: Sequence[Pattern], theirs: Sequence[Pattern]) -> list[list[float]]:
        """Return the least cost of each two beginnings."""
        inserts = [_missing(other) for other in theirs]
        row = [0.0]
        for cost in inserts:
            row.append(row[-1] + cost)
        table = [row]
        for node in ours:
            delete, before = _missing(node), row
            row = [before[0] + delete]
            for index, other in enumerate(theirs):
                best = min(before[index + 1] + delete, row[index] + inserts[index])
                if node.label == other.label:
                    least = min(before[index], row[index]) if node.repeated else before[index]
                    if least < best:
                        best = min(best, least + self.cost(node, other))
                row.append(best)
            table.append(row)
        return table

    def _traced(
        self, ours: Sequence[Pattern], theirs: Sequence[Pattern], table: list[list[float]]
    ) -> Pairs:
        """Return the pairs a cheapest alignment maps, mapping wherever it can."""
        pairs = []
        i, j = len(ours), len(theirs)
        while i and j:
            node, other, value = ours[i - 1], theirs[j - 1], table[i][j]
            if node.label == other.label:
                cost = self.cost(node, other)
                if _same(value, table[i - 1][j - 1] + cost):
                    pairs.append((i - 1, j - 1))
                    i, j = i - 1, j - 1
                    continue
                if node.repeated and _same(value, table[i][j - 1] + cost):
                    pairs.append((i - 1, j - 1))
                    j -= 1
                    continue
            if _same(value, table[i - 1][j] + _missing(node)):
                i -= 1
            else:
                j -= 1
        return pairs[::-1]

    def on_wildcards(self, pattern: Pattern, page: Pattern) -> list[int]:
        """Return the rows of a page that fall on wildcards, or on nothing: topmost ones."""
        if pattern.is_wild:
            return [page.row]
        mapped: dict[int, Pattern] = {}
        for i, j in self.aligned(pattern.children, page.children)[1]:
            mapped[j] = pattern.children[i]
        result = []
        for index, child in enumerate(page.children):
            if index not in mapped:
                result.append(child.row)
            else:
                result += self.on_wildcards(mapped[index], child)
        return result


def combine_patterns(first: Pattern, second: Pattern) -> Pattern:
    """Return the pattern that matches all that either of two patterns of one label matches."""
    return _combined(first, second, Mapping())


def _combined(first: Pattern, second: Pattern, mapping: Mapping) -> Pattern:
    optional = first.optional or second.optional
    repeated = first.repeated or second.repeated
    text = first.text if first.text == second.text else None
    if first.key == second.key:
        children: list[Pattern] = [*first.children]
    else:
        children = _merged(first.children, second.children, mapping)
    return make_pattern(first.label, text, children, optional=optional, repeated=repeated)


def _merged(ours: Sequence[Pattern], theirs: Sequence[Pattern], mapping: Mapping) -> list[Pattern]:
    """Return both lists as one: nodes of only one are optional."""
    result: list[Pattern] = []
    i = j = 0
    for a, b in [*mapping.aligned(ours, theirs)[1], (len(ours), len(theirs))]:
        for left_out in (*ours[i:a], *theirs[j:b]):
            _append(result, replace(left_out, optional=True), mapping)
        if a < len(ours):
            if a < i:  # one of ours repeats
                again = _combined(result.pop(), theirs[b], mapping)
                result.append(replace(again, repeated=True))
            else:
                _append(result, _combined(ours[a], theirs[b], mapping), mapping)
        i, j = max(a + 1, i), b + 1
    return result


def _append(result: list[Pattern], node: Pattern, mapping: Mapping) -> None:
    """Add a node; with a neighbour alike, one of the two optional, it becomes one that repeats."""
    before = result[-1] if result else None
    if (
        before is None
        or before.label != node.label
        or not (before.optional or node.optional)
        or _is_constant(before)
        or _is_constant(node)
    ):
        result.append(node)
        return
    optional = before.optional and node.optional
    joined = _combined(before, node, mapping)
    result[-1] = replace(joined, optional=optional, repeated=True)


def _is_constant(node: Pattern) -> bool:
    """Return whether a node occurs, with the same text, on all pages so far."""
    return not node.optional and _has_no_wildcard(node)


def _has_no_wildcard(node: Pattern) -> bool:
    last = [node]
    while last:
        here = last.pop()
        if here.is_wild:
            return False
        last += here.children
    return True


def _alike(ours: Sequence[Pattern], theirs: Sequence[Pattern]) -> tuple[int, int]:
    """Return how many are equal at the beginning and, of the rest, at the end."""
    shorter = min(len(ours), len(theirs))
    head = 0
    while head < shorter and ours[head].key == theirs[head].key and not ours[head].repeated:
        head += 1
    tail = 0
    while (
        tail < shorter - head
        and ours[-1 - tail].key == theirs[-1 - tail].key
        and not ours[-1 - tail].repeated
    ):
        tail += 1
    return head, tail


def _missing(node: Pattern) -> float:
    """Return the cost of leaving a node out."""
    return 0.0 if node.optional else float(node.size)


def _same(first: float, second: float) -> bool:
    return abs(first - second) < 1e-9
