"""How far annotators agree on a page: on its main content, and on its blocks.

Main content is a category of the visible text of the page (content, or not), blocks are the type of
the innermost block around a text.  The rated units are pieces: a text node, cut wherever a mark of
any annotator begins or ends in it, so that each has all of a piece or nothing of it.  A piece
weighs its characters, or its share of the one text node it is of.  How blocks lie is compared by
B-cubed, whose larger of precision and recall tells agreement apart from granularity
(`measures.bcubed`): most disagreement is about how fine to cut.

Without marks agreement is undefined: no main content, or no block of a level around any text, gives
NaN, not 1; so it is pair by pair, and on the dial when no block is left.

The *granularity dial* makes that visible: blocks smaller than a share of the page are left to the
block around them, on both sides alike, and agreement is measured again.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import combinations, pairwise, permutations
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from algorithms.levels import LEVELS, Level
from algorithms.measures.agreement import cohen_kappa, fleiss_kappa, gwet_ac1, krippendorff_alpha
from algorithms.measures.bcubed import agreement, bcubed
from algorithms.measures.items import Cut
from algorithms.measures.prf import Prf
from algorithms.results import Segmentation
from annotate.marks.gold import MAIN, Gold, Target
from engine import geometry
from engine.nodes import NodeTable
from engine.page import Page
from engine.tree import Bools, Doubles, Indices

DIAL = (0.0, 0.002, 0.005, 0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.6)
"""Shares of the page's area below which a block is left to the one around it."""

_LEVELS = ("all", "1", "2")

NO_BLOCK = "no block"
"""What a text without a block of a level is called in a confusion table."""

Confusion = Mapping[tuple[str, str], float]

AgreementLevel = Literal["both", "1", "2", "main"]
Atoms = Literal["chars", "nodes"]


@dataclass(frozen=True)
class Coefficients:
    """Agreement beyond chance on one kind of rating, NaN where it is undefined.

    Attributes:
        cohen: Mean of Cohen's kappa over all pairs of annotators.
        fleiss: Fleiss' kappa of all annotators; that of two where there are two.
        alpha: Krippendorff's alpha.
        ac1: Gwet's AC1.
    """

    cohen: float
    fleiss: float
    alpha: float
    ac1: float


@dataclass(frozen=True)
class PageAgreement:
    """Agreement of annotators on one page.

    Attributes:
        annotators: Their names.
        main: On main content, by ``nodes`` and ``chars``; a node of which only a part is marked
            counts in shares of its characters.
        blocks: On types of blocks, by level (1, 2) and ``nodes`` and ``chars``.
        f1: Mean B-cubed F over all ordered pairs, by level (``all``, ``1``, ``2``) on characters;
            NaN without any blocks.  A pair of which neither has one is left out.
        types: Whether a text is in a block of a type or not, by level and type, on characters.
        confusion: Level → a pair of types → characters that one annotator put into the first and
            another into the second, over all pairs of annotators; `NO_BLOCK` where there is none.
        maximum: The same of the larger of precision and recall.
        dials: Mean F at each share of `DIAL`, by level as ``f1``.
        unsure: Annotator → how many of his marks he flagged as unsure.
    """

    annotators: tuple[str, ...]
    main: Mapping[str, Coefficients]
    blocks: Mapping[tuple[int, str], Coefficients]
    types: Mapping[tuple[int, str], Coefficients]
    confusion: Mapping[int, Confusion]
    f1: Mapping[str, float]
    maximum: Mapping[str, float]
    dials: Mapping[str, tuple[float, ...]]
    unsure: Mapping[str, int]

    def values(self, level: AgreementLevel, atoms: Atoms) -> tuple[float, ...]:
        """Return Cohen, Fleiss, Krippendorff, Gwet, B³ and its larger part; NaN for none."""
        if level == "main":
            return (*astuple(self.main[atoms]), np.nan, np.nan)
        of = "all" if level == "both" else level
        kappas = [self.blocks[each, atoms] for each in LEVELS if of in ("all", str(each))]
        return (*column_means(map(astuple, kappas)), self.f1[of], self.maximum[of])

    def dial(self, level: AgreementLevel = "both") -> tuple[float, ...]:
        """Return mean F at each share of `DIAL`; NaN for main content, since it has no blocks."""
        if level == "main":
            return (np.nan,) * len(DIAL)
        return self.dials["all" if level == "both" else level]


def page_agreement(
    page: Page, golds: Mapping[str, Gold], *, of_known: bool = False
) -> PageAgreement:
    """Return how far two or more annotators agree on a page; drafts are no gold and do not count.

    Args:
        page: Rendered.
        golds: Annotator → marks.
        of_known: Whether the first are what others are judged by: then a pair of types is that of
            an annotator and the known one, and not in alphabetical order.
    """
    nodes = page.rendered()
    golds = {annotator: gold.sure for annotator, gold in golds.items()}
    pieces = _RatedPieces.of(nodes, golds.values())
    weights = {"nodes": pieces.shares, "chars": pieces.letters}
    main = np.stack([_main(nodes, gold, pieces) for gold in golds.values()])
    types: dict[str, int] = {}
    blocks = {
        level: np.stack([_types(nodes, gold, pieces, level, types) for gold in golds.values()])
        for level in LEVELS
    }
    segmentations = [gold.as_segmentation(page) for gold in golds.values()]
    cuts = [Cut(a, b) for a, b in permutations(segmentations, 2)]
    scores = {level: _pair_scores(cuts, level) for level in _LEVELS}
    return PageAgreement(
        tuple(golds),
        {name: _coefficients(main, weight, 2) for name, weight in weights.items()},
        {
            (level, name): _coefficients(ratings, weight)
            for level, ratings in blocks.items()
            for name, weight in weights.items()
        },
        {
            (level, name): _coefficients((ratings == number).astype(np.int64), pieces.letters, 2)
            for level, ratings in blocks.items()
            for name, number in types.items()
            if name and (ratings == number).any()
        },
        {
            level: _confusion(
                ratings,
                pieces.letters,
                [NO_BLOCK, *(name or f"Level {level}" for name in types)],
                of_known=of_known,
            )
            for level, ratings in blocks.items()
        },
        {level: mean([each.f1 for each in prfs]) for level, prfs in scores.items()},
        {level: mean([agreement(each) for each in prfs]) for level, prfs in scores.items()},
        _dials(segmentations),
        {name: sum(mark.is_unsure for mark in gold.marks) for name, gold in golds.items()},
    )


def coarser(segmentation: Segmentation, share: float) -> Segmentation:
    """Return a segmentation without blocks smaller than a share of the page's area."""
    nodes = segmentation.nodes
    if share <= 0 or not segmentation.blocks:
        return segmentation
    page = float(geometry.areas(nodes.rect[:1])[0]) or 1.0
    blocks = tuple(
        block
        for block in segmentation.blocks
        if geometry.areas(geometry.union(nodes.rect[list(block.rows)])[None])[0] >= share * page
    )
    return Segmentation(nodes, blocks)


def heat(page: Page, golds: Mapping[str, Gold]) -> Doubles:
    """Return how much annotators disagree on each row, 0 to 1, float64 (n,).

    On each character it is the share of pairs of annotators that differ on main content, or on the
    type on one of the levels; a row has the mean of the characters in it.
    """
    nodes = page.rendered()
    types: dict[str, int] = {}
    golds_ = [gold.sure for gold in golds.values()]
    pieces = _RatedPieces.of(nodes, golds_)
    rated = [[_main(nodes, gold, pieces) for gold in golds_]]
    rated += [[_types(nodes, gold, pieces, level, types) for gold in golds_] for level in LEVELS]
    differ = [
        np.any([table[a] != table[b] for table in rated], axis=0)
        for a, b in combinations(range(len(golds_)), 2)
    ]
    differing, weight = np.zeros(len(nodes)), np.zeros(len(nodes))
    if differ and pieces.rows.size:
        np.add.at(differing, pieces.rows, np.mean(differ, axis=0) * pieces.letters)
        np.add.at(weight, pieces.rows, pieces.letters)
    total = nodes.subtree_sum(weight)
    return np.divide(nodes.subtree_sum(differing), total, out=np.zeros(len(nodes)), where=total > 0)


@dataclass(frozen=True, eq=False)
class _RatedPieces:
    """Visible texts with words, cut at the ends of marks; in document order.

    Attributes:
        rows: intp (p,). The text row of each.
        starts, stops: intp (p,). Its code points in that text.
        letters: float64 (p,). Its characters without white space; never 0.
        shares: float64 (p,). Its share of the characters of its text: those of a text add up to 1.
    """

    rows: Indices
    starts: Indices
    stops: Indices
    letters: Doubles
    shares: Doubles

    @classmethod
    def of(cls, nodes: NodeTable, golds: Iterable[Gold]) -> Self:
        """Cut the texts of a page at the marks of all annotators."""
        bounds: dict[int, set[int]] = {}
        for gold in golds:
            for mark in gold.marks:
                for target in mark.targets:
                    if not target.is_whole:
                        bounds.setdefault(target.row, set()).update((target.start, target.end))
        result: list[tuple[int, int, int, float, float]] = []
        for row in np.flatnonzero(nodes.has_words & nodes.visible).tolist():
            text = nodes.text[row]
            total = _letters(text)
            cuts = sorted({0, len(text), *bounds.get(row, ())})
            for start, stop in pairwise(cuts):
                if letters := _letters(text[start:stop]):
                    result.append((row, start, stop, letters, letters / total))
        table = np.array(result, dtype=np.float64).reshape(-1, 5)
        rows, starts, stops = table[:, :3].T.astype(np.intp)
        return cls(rows, starts, stops, table[:, 3], table[:, 4])

    def inside(self, nodes: NodeTable, target: Target) -> slice | Bools:
        """Return the pieces of a target, as an index of them."""
        if target.is_whole:
            return slice(*np.searchsorted(self.rows, (target.row, nodes.end[target.row])))
        at = self.rows == target.row
        return np.asarray(at & (self.starts >= target.start) & (self.stops <= target.end))


def _letters(text: str) -> int:
    return sum(map(len, text.split()))


def _main(nodes: NodeTable, gold: Gold, pieces: _RatedPieces) -> npt.NDArray[np.int64]:
    """Return 1 for a piece of main content, else 0, int64 (p,)."""
    return np.minimum(_types(nodes, gold, pieces, MAIN, {}), 1)


def _types(
    nodes: NodeTable, gold: Gold, pieces: _RatedPieces, level: Level, names: dict[str, int]
) -> npt.NDArray[np.int64]:
    """Return a number for the type of the innermost block around a piece, int64 (p,); 0: none."""
    ratings = np.zeros(pieces.rows.size, dtype=np.int64)
    # Marks in document order: those further in come later and decide.
    for mark in gold.of_level(level):
        number = names.setdefault(mark.type, len(names) + 1)
        for target in mark.targets:
            ratings[pieces.inside(nodes, target)] = number
    return ratings


def _coefficients(
    ratings: npt.NDArray[np.int64], weights: Doubles, categories: int = 0
) -> Coefficients:
    """Return the agreement of raters, NaN if all ratings are 0: nothing is marked."""
    if not ratings.any():
        return Coefficients(np.nan, np.nan, np.nan, np.nan)
    pairs = [cohen_kappa(a, b, weights) for a, b in combinations(ratings, 2) if a.any() or b.any()]
    return Coefficients(
        mean(pairs),
        fleiss_kappa(ratings, weights),
        krippendorff_alpha(ratings, weights),
        gwet_ac1(ratings, weights, categories),
    )


def _confusion(
    ratings: npt.NDArray[np.int64], weights: Doubles, labels: Sequence[str], *, of_known: bool
) -> dict[tuple[str, str], float]:
    """Return characters by pair of types, over all pairs of annotators; none without blocks.

    ``labels`` are the names of the numbers in ``ratings``.
    """
    result: defaultdict[tuple[str, str], float] = defaultdict(float)
    for a, b in (
        [(ratings[0], own) for own in ratings[1:]] if of_known else combinations(ratings, 2)
    ):
        first, second = (b, a) if of_known else (np.minimum(a, b), np.maximum(a, b))
        codes = first * len(labels) + second
        sums = np.bincount(codes, weights, minlength=len(labels) ** 2)
        for code in np.flatnonzero(sums).tolist():
            if code:  # neither has a block there
                result[labels[code // len(labels)], labels[code % len(labels)]] += float(sums[code])
    return dict(result)


def added_confusion(
    tables: Iterable[Confusion], *, of_known: bool = False
) -> dict[tuple[str, str], float]:
    """Return the sum of confusion tables of several pages; pairs in one order.

    With ``of_known`` that is the annotator's type and the known one, else the alphabet's.
    """
    result: defaultdict[tuple[str, str], float] = defaultdict(float)
    for table in tables:
        for (first, second), weight in table.items():
            pair = (first, second) if of_known else (min(first, second), max(first, second))
            result[pair] += weight
    return dict(result)


def _pair_scores(cuts: Iterable[Cut], level: str) -> list[Prf]:
    """Return B-cubed of each pair of segmentations; of none where neither has a block on text."""
    tables = [cut.table("chars", level) for cut in cuts]
    return [bcubed(table) for table in tables if table.weight.any()]


def _dials(segmentations: Sequence[Segmentation]) -> dict[str, tuple[float, ...]]:
    """Return the mean F of pairs at each share of `DIAL`, by level; NaN where no block is left."""
    curves: dict[str, list[float]] = {level: [] for level in _LEVELS}
    for share in DIAL:
        left = [coarser(each, share) for each in segmentations]
        cuts = [Cut(a, b) for a, b in permutations(left, 2)]
        for level, curve in curves.items():
            curve.append(mean([each.f1 for each in _pair_scores(cuts, level)]))
    return {level: tuple(curve) for level, curve in curves.items()}


def column_means(rows: Iterable[Sequence[float]]) -> tuple[float, ...]:
    """Return the mean of each column, of the numbers there are."""
    return tuple(mean(column) for column in zip(*rows, strict=True))


def mean(values: Sequence[float]) -> float:
    """Return the mean of the numbers there are; NaN for none."""
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")
