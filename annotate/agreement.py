"""How far annotators agree on a page: on its main content, and on its blocks.

Main content is a category of each visible text of the page (content, or not), blocks are the type
of the innermost block that a text lies in; both are weighed once a text node and once by its
characters.  How blocks lie is compared by B-cubed, whose larger of precision and recall tells
agreement apart from granularity (`measures.bcubed`): most disagreement is about how fine to cut.

Where nobody marked anything there is nothing to agree on: no main content, or no block of a level
around any text, gives NaN, not 1.

The *granularity dial* makes that visible: blocks smaller than a share of the page are left to the
block around them, on both sides alike, and agreement is measured again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

from algorithms.measures.agreement import cohen_kappa, fleiss_kappa, krippendorff_alpha
from algorithms.measures.bcubed import agreement, bcubed, score_bcubed
from algorithms.measures.items import Cut
from algorithms.results import Segmentation
from annotate.gold import MAIN, Gold
from engine import geometry
from engine.nodes import NodeTable
from engine.page import Page
from engine.tree import Doubles

DIAL = (0.0, 0.002, 0.005, 0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.6)
"""Shares of the page's area below which a block is left to the one around it."""


@dataclass(frozen=True)
class Coefficients:
    """Agreement beyond chance on one kind of rating, NaN where it cannot be said.

    Attributes:
        cohen: Mean of Cohen's kappa over all pairs of annotators.
        fleiss: Fleiss' kappa of all annotators; that of two where there are two.
        alpha: Krippendorff's alpha.
    """

    cohen: float
    fleiss: float
    alpha: float


@dataclass(frozen=True)
class PageAgreement:
    """What annotators agree on, on one page.

    Attributes:
        annotators: Their names.
        main: On main content, by ``nodes`` and ``chars``.
        blocks: On types of blocks, by level (1, 2) and ``nodes`` and ``chars``.
        f1: Mean B-cubed F over all ordered pairs, by level (``all``, ``1``, ``2``) on characters;
            NaN where nobody has a block.
        types: Whether a text lies in a block of a type or not, by level and type, on characters.
        maximum: The same of the larger of precision and recall.
        dials: Mean F at each share of `DIAL`, by level as ``f1``.
    """

    annotators: tuple[str, ...]
    main: Mapping[str, Coefficients]
    blocks: Mapping[tuple[int, str], Coefficients]
    types: Mapping[tuple[int, str], Coefficients]
    f1: Mapping[str, float]
    maximum: Mapping[str, float]
    dials: Mapping[str, tuple[float, ...]]

    @property
    def dial(self) -> tuple[float, ...]:
        """Mean F at each share of `DIAL`, both levels together."""
        return self.dials["all"]


def page_agreement(page: Page, golds: Mapping[str, Gold]) -> PageAgreement:
    """Return how far two or more annotators agree on a page; drafts are no gold and do not count.

    Args:
        page: Rendered.
        golds: Annotator → marks.
    """
    nodes = page.rendered()
    golds = {annotator: gold.sure for annotator, gold in golds.items()}
    texts, letters = _texts(nodes)
    weights = {"nodes": np.ones(texts.size), "chars": letters}
    main = np.stack([_main(nodes, gold, texts) for gold in golds.values()])
    types: dict[str, int] = {}
    blocks = {
        level: np.stack([_types(nodes, gold, texts, level, types) for gold in golds.values()])
        for level in (1, 2)
    }
    found = [gold.as_segmentation(page) for gold in golds.values()]
    has_blocks = {str(level): bool(ratings.any()) for level, ratings in blocks.items()}
    has_blocks["all"] = any(has_blocks.values())
    scores = {
        level: [score_bcubed(a, b, "chars", level) for a, b in permutations(found, 2)]
        if has_blocks[level]
        else []
        for level in ("all", "1", "2")
    }
    return PageAgreement(
        tuple(golds),
        {name: _coefficients(main, weight) for name, weight in weights.items()},
        {
            (level, name): _coefficients(ratings, weight)
            for level, ratings in blocks.items()
            for name, weight in weights.items()
        },
        {
            (level, name): _coefficients((ratings == number).astype(np.int64), letters)
            for level, ratings in blocks.items()
            for name, number in types.items()
            if name and (ratings == number).any()
        },
        {level: _mean([each.f1 for each in prfs]) for level, prfs in scores.items()},
        {level: _mean([agreement(each) for each in prfs]) for level, prfs in scores.items()},
        _dials(found, has_blocks),
    )


def coarser(segmentation: Segmentation, share: float) -> Segmentation:
    """Return a segmentation without blocks smaller than a share of the page's area."""
    nodes = segmentation.nodes
    if share <= 0 or not segmentation.blocks:
        return segmentation
    page = float(geometry.areas(nodes.rect[:1])[0]) or 1.0
    kept = tuple(
        block
        for block in segmentation.blocks
        if geometry.areas(geometry.union(nodes.rect[list(block.rows)])[None])[0] >= share * page
    )
    return Segmentation(nodes, kept)


def heat(page: Page, golds: Mapping[str, Gold]) -> Doubles:
    """Return how much annotators disagree on each row, 0 to 1, float64 (n,).

    On texts it is the share of pairs of annotators that differ on main content, or on the type on
    one of the levels; an element has the mean of its texts, by characters.
    """
    nodes = page.rendered()
    texts, letters = _texts(nodes)
    types: dict[str, int] = {}
    golds_ = [gold.sure for gold in golds.values()]
    rated = [np.stack([_main(nodes, gold, texts) for gold in golds_])]
    rated += [
        np.stack([_types(nodes, gold, texts, level, types) for gold in golds_]) for level in (1, 2)
    ]
    pairs = list(combinations(range(len(golds_)), 2))
    differ = [
        np.any([table[a] != table[b] for table in rated], axis=0).astype(np.float64)
        for a, b in pairs
    ]
    found = np.zeros(len(nodes))
    weight = np.zeros(len(nodes))
    if pairs and texts.size:
        found[texts] = np.mean(differ, axis=0) * letters
        weight[texts] = letters
    total = nodes.subtree_sum(weight)
    return np.divide(nodes.subtree_sum(found), total, out=np.zeros(len(nodes)), where=total > 0)


def _texts(nodes: NodeTable) -> tuple[npt.NDArray[np.intp], Doubles]:
    """Return the visible texts with words, and their characters without white space."""
    rows = np.flatnonzero(nodes.has_words & nodes.visible)
    letters = [sum(map(len, nodes.text[row].split())) for row in rows.tolist()]
    return rows, np.array(letters, dtype=np.float64)


def _main(nodes: NodeTable, gold: Gold, texts: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
    """Return 1 for a text with main content in it, else 0, int64 (t,)."""
    inside = np.zeros(len(nodes), dtype=bool)
    for mark in gold.of_level(MAIN):
        for target in mark.targets:
            end = int(nodes.end[target.row]) if target.is_whole else target.row + 1
            inside[target.row : end] = True
    return inside[texts].astype(np.int64)


def _types(
    nodes: NodeTable, gold: Gold, texts: npt.NDArray[np.intp], level: int, names: dict[str, int]
) -> npt.NDArray[np.int64]:
    """Return a number for the type of the innermost block around a text, int64 (t,); 0: none."""
    found = np.zeros(len(nodes), dtype=np.int64)
    # Marks in document order: those further in come later and decide.
    for mark in gold.of_level(level):
        number = names.setdefault(mark.type, len(names) + 1)
        for target in mark.targets:
            end = int(nodes.end[target.row]) if target.is_whole else target.row + 1
            found[target.row : end] = number
    return found[texts]


def _coefficients(ratings: npt.NDArray[np.int64], weights: Doubles) -> Coefficients:
    """Return how far raters agree, NaN where all ratings are 0: nobody marked anything."""
    if not ratings.any():
        return Coefficients(np.nan, np.nan, np.nan)
    pairs = [cohen_kappa(a, b, weights) for a, b in combinations(ratings, 2)]
    return Coefficients(
        _mean(pairs), fleiss_kappa(ratings, weights), krippendorff_alpha(ratings, weights)
    )


def _dials(
    found: Sequence[Segmentation], has_blocks: Mapping[str, bool]
) -> dict[str, tuple[float, ...]]:
    """Return the mean F of pairs at each share of `DIAL`, by level; NaN where nobody has blocks."""
    nothing = (float("nan"),) * len(DIAL)
    curves: dict[str, list[float]] = {level: [] for level, has in has_blocks.items() if has}
    for share in DIAL if curves else ():
        pairs = permutations([coarser(each, share) for each in found], 2)
        cuts = [Cut(a, b) for a, b in pairs]
        for level, curve in curves.items():
            curve.append(_mean([bcubed(cut.table("chars", level)).f1 for cut in cuts]))
    return {level: tuple(curves[level]) if level in curves else nothing for level in has_blocks}


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")
