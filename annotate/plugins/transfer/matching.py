"""Nodes of one page matched with those of pages of the same template, from the root down.

Children of matched parents are matched with each other: first by name, id and classes, and if that
is ambiguous, by the order of the children, their texts, sizes and links.  Each source row carries
*colors*, its marks, and the walk transfers them to the target: as soon as all candidates of a row
have one color, the row gets it, and nothing below is compared.

Order is compared by a monotone alignment in which many children may match one and some none
(dynamic time warping; H. Sakoe, S. Chiba, 1978).  How sure a color is follows from its margin: how
much dearer the best alignment is in which the row has another one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from annotate.marks.style import MOSTLY, PageStyle, link_lists, page_style
from engine.nodes import NodeTable
from engine.tree import Bools, Doubles, lock

_NAME, _CLASSES, _TEXT = 0.15, 0.35, 0.15  # shares of likeness, together 1
_INSIDE, _SIZE, _LINKS = 0.2, 0.1, 0.05
_STEP = 0.1  # cost of moving to the next run of children of a kind
_VOTE = 0.5  # cost of a color that no row of this kind has
_SURE_MARGIN = 0.5  # margin from which it is as certain as with a distinguishing class
_TAKEN = 0.5  # cost of matching a text that another row has word for word
_FAR = 1e6
_UNCERTAIN = 0.75  # highest confidence of a color where gold is likely to leave something out


@dataclass(frozen=True, eq=False)
class Colored:
    """A page whose rows carry colors: numbers from 1 for marks, 0 for nothing.

    Attributes:
        style: Of its rows.
        shares: float64 (n, colors). What share of the texts and pictures at and below each row has
            each color; 0 in rows that hold none.
        is_whole: bool (n,). Whether a row is told as one: it is marked, or nothing below it is.
    """

    style: PageStyle
    shares: Doubles
    is_whole: Bools

    def __post_init__(self) -> None:
        lock(self.shares)
        lock(self.is_whole)

    @cached_property
    def never(self) -> frozenset[str]:
        """The kinds with a class that are marked nowhere on the page."""
        marked: dict[str, float] = {}
        for row in np.flatnonzero(self.style.leaves > 0).tolist():
            kind = self.style.plain[row]
            if " " in kind:
                marked[kind] = max(marked.get(kind, 0.0), 1.0 - float(self.shares[row, 0]))
        return frozenset(kind for kind, share in marked.items() if share == 0.0)

    @cached_property
    def kinds(self) -> frozenset[str]:
        return frozenset(self.style.plain)

    @cached_property
    def marked_lists(self) -> frozenset[bool]:
        """Lists of links that are marked whole: those within the page, True, others, False."""
        whole = (self.shares[:, 0] == 0.0) & (self.style.leaves > 0)
        return frozenset(
            is_inward
            for is_inward in (True, False)
            if np.any(link_lists(self.style, is_inward=is_inward) & whole)
        )


@dataclass(frozen=True)
class RowMatch:
    """Label of a target row and its descendants.

    Attributes:
        row: The row.
        color: Its mark, 0 for none.
        confidence: .5 if another color is as likely, 1 if there is no evidence for another.
        match: Which source, and which of its rows, is most like it.
    """

    row: int
    color: int
    confidence: float
    match: tuple[int, int]


_TreePosition = tuple[int, int]
"""A source and a row of it."""

_Known = dict[str, list[_TreePosition]]
"""Kind → the source rows of this kind to search."""


def match(
    sources: Sequence[Colored], target: NodeTable, *, asks_inside: bool = False
) -> tuple[RowMatch, ...]:
    """Return colors of the target's rows, in document order; together they hold all its content.

    With ``asks_inside`` unmatched content within a colored row is returned as a separate row with
    less confidence.

    At least one source, all with the same colors.  O(rows of all), and O(children of one times
    children of the other) where order has to tell.
    """
    walk = _Walk(tuple(sources), page_style(target), asks_inside)
    result = walk.below([0], [(number, 0) for number in range(len(sources))], (), 1.0)
    return tuple(sorted(result, key=lambda verdict: verdict.row))


@dataclass(frozen=True, eq=False)
class _Walk:
    sources: tuple[Colored, ...]
    target: PageStyle
    asks_inside: bool

    def below(
        self,
        rows: list[int],
        positions: list[_TreePosition],
        above: tuple[_Known, ...],
        sure: float,
    ) -> Iterator[RowMatch]:
        """Return the colors below target rows, each of which may match any of the source rows.

        ``above`` are the known rows on the path from the root, the nearest last.
        """
        known = self._children(positions)
        prior = self._mean_shares(positions)
        by_kind: dict[str, list[int]] = {}
        for row in rows:
            children = self.target.children(row)
            result = [_of_kind(self.target, child, known) for child in children]
            if all(map(self._is_decided, result)):
                for child in children:
                    by_kind.setdefault(self.target.kind[child], []).append(child)
                continue
            nested = [
                each or _nearest(self.target, child, above)
                for child, each in zip(children, result, strict=True)
            ]
            yield from self._ordered(row, children, nested, positions, (*above, known), prior, sure)
        for children in by_kind.values():
            first_match = _of_kind(self.target, children[0], known)
            yield from self._alike(children, first_match, (*above, known), sure)

    def _children(self, positions: list[_TreePosition]) -> _Known:
        """Return the children of source rows by their kind, with id and without."""
        known: _Known = {}
        for number, row in positions:
            source = self.sources[number].style
            for child in source.children(row):
                for kind in {source.kind[child], source.plain[child]}:
                    known.setdefault(kind, []).append((number, child))
        return known

    def _shares(self, position: _TreePosition) -> Doubles:
        return np.asarray(self.sources[position[0]].shares[position[1]])

    def _mean_shares(self, positions: Sequence[_TreePosition]) -> Doubles:
        return np.asarray(np.mean([self._shares(position) for position in positions], axis=0))

    def _is_whole(self, position: _TreePosition) -> bool:
        return bool(self.sources[position[0]].is_whole[position[1]])

    def _is_decided(self, positions: Sequence[_TreePosition]) -> bool:
        """Whether rows of one kind need no order: all are one color, or all are to be opened."""
        wholes = {self._is_whole(position) for position in positions}
        if wholes == {False}:
            return True
        return wholes == {True} and len({int(self._shares(p).argmax()) for p in positions}) == 1

    def _alike(
        self,
        rows: list[int],
        positions: list[_TreePosition],
        above: tuple[_Known, ...],
        sure: float,
    ) -> Iterator[RowMatch]:
        """Return the one color of all source rows, or the colors below."""
        leaves = self.target.content[rows]
        inner = [row for row, leaf in zip(rows, leaves, strict=True) if not leaf]
        opened = [position for position in positions if not self._is_whole(position)]
        if opened and inner:
            yield from self.below(inner, opened, above, sure)
        for row in rows:
            if not opened or self.target.content[row]:
                shares = self._mean_shares(positions)
                likely = sure * float(shares.max()) / max(float(shares.sum()), 1e-9)
                result = self._most_like(row, positions)
                yield from self._without_strange(row, int(shares.argmax()), likely, result)

    def _ordered(
        self,
        row: int,
        children: list[int],
        candidates: list[list[_TreePosition]],
        positions: list[_TreePosition],
        above: tuple[_Known, ...],
        prior: Doubles,
        sure: float,
    ) -> Iterator[RowMatch]:
        """Return the colors of a row's children by their order and by siblings of a kind."""
        number, best = self._most_like(row, positions)
        source = self.sources[number]
        others = source.style.children(best)
        prices = np.zeros((len(children), prior.size))
        if others:
            cost = _unlike(self.target, children, source.style, others)
            same = _says_the_same(self.target, children, source.style, others)
            cost += _TAKEN * (np.any(same, axis=0, keepdims=True) & ~same)
            total = _through(cost, _runs([source.style.kind[other] for other in others]))
            total -= total.min()
            foreign = _VOTE * (1.0 - source.shares[others])
            prices = (total[:, :, None] + foreign[None, :, :]).min(axis=1)
        for index, child in enumerate(children):
            near = self._of_text(child, candidates[index])
            votes = [self._shares(each) for each in near]
            vote = (np.sum(votes, axis=0) + prior) / (len(votes) + 1) if votes else prior
            price = prices[index] + _VOTE * (1.0 - vote)
            chosen = int(price.argmin())
            margin = float(np.partition(price, 1)[1] - price.min()) if price.size > 1 else _FAR
            likely = sure * (0.5 + 0.5 * min(margin / _SURE_MARGIN, 1.0))
            opened = [each for each in near if not self._is_whole(each)]
            if opened and not self.target.content[child]:
                yield from self.below([child], opened, above, sure)
            elif near or not chosen or self.target.content[child]:
                position_of = self._most_like(child, near) if near else (number, best)
                yield from self._without_strange(child, chosen, likely, position_of)
            else:
                yield from self._unseen(child, chosen, likely, number)

    def _unseen(self, row: int, color: int, likely: float, number: int) -> Iterator[RowMatch]:
        """Color a row, except descendants of a kind that is never marked."""
        never = self.sources[number].never
        holes = {
            child
            for child in range(row + 1, int(self.target.nodes.end[row]))
            if self.target.plain[child] in never and not self._has_text(child)
        }
        # Rows between marked ones may be marked here.
        yield from self._split(
            row, holes, (color, likely), (0, min(likely, _UNCERTAIN)), (number, -1)
        )

    def _without_strange(
        self, row: int, color: int, likely: float, position: _TreePosition
    ) -> Iterator[RowMatch]:
        """Color a row, with doubt for descendants without a source that gold is likely to omit.

        That is, of main content: a block of a class that is nowhere on the source pages and holds
        next to nothing but links and buttons, and a list of links (within the page, or others)
        where no such list is marked.
        """
        if not (self.asks_inside and color) or self.target.content[row]:
            yield RowMatch(row, color, likely, position)
            return
        page = self.target
        end = int(page.nodes.end[row])
        is_idle = (page.controls[row:end] >= MOSTLY) & (page.leaves[row:end] > 0)
        lists = np.zeros_like(is_idle)
        for is_inward in (True, False):
            if not any(is_inward in source.marked_lists for source in self.sources):
                lists |= link_lists(page, is_inward=is_inward)[row:end]
        strange = {
            child
            for child in (row + np.flatnonzero(is_idle | lists)).tolist()
            if (lists[child - row] or self._is_new(child)) and not self._has_text(child)
        }
        doubted = (color, min(likely, _UNCERTAIN))
        yield from self._split(row, strange, (color, likely), doubted, position)

    def _is_new(self, row: int) -> bool:
        kind = self.target.plain[row]
        return " " in kind and not any(kind in source.kinds for source in self.sources)

    def _has_text(self, row: int) -> bool:
        """Whether a row is text or inline, for example a link or an italic word."""
        nodes = self.target.nodes
        return bool(nodes.is_text[row]) or nodes.styles[int(nodes.style[row])][0] == "inline"

    def _split(
        self,
        row: int,
        parts: set[int],
        whole: tuple[int, float],
        part: tuple[int, float],
        position: _TreePosition,
    ) -> Iterator[RowMatch]:
        """Label a row, and parts of it differently: colors and how sure they are."""
        if row in parts:
            yield RowMatch(row, *part, position)
        elif not any(row < each < int(self.target.nodes.end[row]) for each in parts):
            yield RowMatch(row, *whole, position)
        else:
            for child in self.target.children(row):
                yield from self._split(child, parts, whole, part, position)

    def _of_text(self, row: int, positions: list[_TreePosition]) -> list[_TreePosition]:
        """Return the rows with equal text, which belong to the template; all if none does."""
        text = self.target.text[row]
        same = [each for each in positions if self.sources[each[0]].style.text[each[1]] == text]
        return same if text and same else positions

    def _most_like(self, row: int, positions: Sequence[_TreePosition]) -> _TreePosition:
        if len(positions) == 1:
            return positions[0]
        best, least = positions[0], np.inf
        for number in sorted({number for number, _ in positions}):
            rows = [position[1] for position in positions if position[0] == number]
            cost = _unlike(self.target, [row], self.sources[number].style, rows)[0]
            at = int(np.argmin(cost))
            if cost[at] < least:
                best, least = (number, rows[at]), float(cost[at])
        return best


def _of_kind(page: PageStyle, row: int, known: _Known) -> list[_TreePosition]:
    return known.get(page.kind[row]) or known.get(page.plain[row], [])


def _nearest(page: PageStyle, row: int, above: tuple[_Known, ...]) -> list[_TreePosition]:
    """Return rows of a kind that stand further up, as a section does in a section."""
    return next((result for known in above[::-1] if (result := _of_kind(page, row, known))), [])


def _unlike(
    one: PageStyle, rows: Sequence[int], other: PageStyle, others: Sequence[int]
) -> Doubles:
    """Return how unlike rows of two pages are, float64 (rows, others), 0 to 1."""
    a, b = np.asarray(rows), np.asarray(others)
    kinds = _shared([one.kind[r] for r in rows], [other.kind[r] for r in others])
    tags = np.array([other.nodes.name_of(r) for r in others])
    names = np.array([one.nodes.name_of(r) for r in rows])[:, None] == tags
    texts = _says_the_same(one, rows, other, others)
    size = np.abs(one.size[a][:, None] - other.size[b][None, :])
    links = np.abs(one.links[a][:, None] - other.links[b][None, :])
    like = _CLASSES * kinds + _NAME * names + _TEXT * texts
    like = like + _SIZE / (1.0 + size) + _LINKS * (1.0 - links)
    both_bare = ~one.inside[a].any(axis=1)[:, None] & ~other.inside[b].any(axis=1)[None, :]
    like = like + _INSIDE * np.maximum(one.inside[a] @ other.inside[b].T, both_bare)
    return np.asarray(1.0 - like, dtype=np.float64)


def _says_the_same(
    one: PageStyle, rows: Sequence[int], other: PageStyle, others: Sequence[int]
) -> Bools:
    text = one.text[np.asarray(rows)][:, None]
    return np.asarray((text == other.text[np.asarray(others)][None, :]) & (text != 0))


def _shared(first: list[str], second: list[str]) -> Doubles:
    """Return what share of their words, names aside, kinds have in common; 1 for equal ones.

    An id counts where both have one.
    """
    known: dict[tuple[str, str], float] = {}
    for a in set(first):
        for b in set(second):
            one, other = set(a.split()[1:]), set(b.split()[1:])
            if ("#" in a) != ("#" in b):
                one, other = ({w for w in words if w[0] != "#"} for words in (one, other))
            is_same_name = a.split()[0] == b.split()[0]
            known[a, b] = len(one & other) / len(one | other) if one | other else is_same_name
    return np.array([[known[a, b] for b in second] for a in first])


def _runs(kinds: list[str]) -> Doubles:
    """Number the runs of children of one kind, float64 (k,), times their cost."""
    steps = [0.0 if k and kinds[k] == kinds[k - 1] else _STEP for k in range(len(kinds))]
    return np.cumsum(steps)


def _through(cost: Doubles, runs: Doubles) -> Doubles:
    """Return what the cheapest alignment through each pair costs, float64 (rows, others)."""
    before, behind = np.zeros_like(cost), np.zeros_like(cost)
    for k in range(1, len(cost)):
        reached = before[k - 1] + cost[k - 1] - runs
        before[k] = np.minimum.accumulate(reached) + runs
    for k in range(len(cost) - 2, -1, -1):
        left = behind[k + 1] + cost[k + 1] + runs
        behind[k] = np.minimum.accumulate(left[::-1])[::-1] - runs
    return before + cost + behind
