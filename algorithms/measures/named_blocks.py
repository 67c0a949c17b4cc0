"""The measures of blocks by name, as ``--measures`` takes them.

Every measure is there three times: for both levels together, and, its key ending in ``-1`` or
``-2``, for one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar, cast

from algorithms.measures.atoms import Atoms, marked, weight_of_all
from algorithms.measures.bcubed import agreement, bcubed
from algorithms.measures.blocks import LEVELS, BlockScorer, BlockScores
from algorithms.measures.choice import chosen
from algorithms.measures.clusters import ClusterScores, clusters
from algorithms.measures.items import Cut, of_level
from algorithms.measures.prf import Prf, Score
from algorithms.measures.regions import (
    Overlaps,
    Relations,
    confusion,
    match_regions,
    overlaps_in,
    relations,
    type_accuracy,
)
from algorithms.results import Segmentation
from engine.tree import Bools

_Key = tuple[str, ...]
_T = TypeVar("_T")


@dataclass(eq=False)
class BlockComparison:
    """A segmentation and its gold; what several measures need is computed once.

    Attributes:
        predicted, gold: Of one page.
        scorer: Remembers which texts are alike; hand the same one in again and again.
        edges: Edge masks of the page's picture, bool (h, w), by name (``fine``, ``coarse``); they
            must not change.
    """

    predicted: Segmentation
    gold: Segmentation
    scorer: BlockScorer = field(default_factory=BlockScorer)
    edges: Mapping[str, Bools] = field(default_factory=dict)
    _known: dict[_Key, object] = field(default_factory=dict, init=False)

    def texts(self) -> BlockScores:
        """Kreuzer's two matches."""
        return self._once(("texts",), lambda: self.scorer.score(self.predicted, self.gold))

    @cached_property
    def cut(self) -> Cut:
        """The page cut by the blocks of both."""
        return Cut(self.predicted, self.gold)

    def bcubed(self, atoms: Atoms, level: str) -> Prf:
        """B-cubed on some atoms."""
        return self._once(("b3", atoms, level), lambda: bcubed(self.cut.table(atoms, level)))

    def on_edges(self, name: str, level: str) -> Prf | None:
        """B-cubed on edges; None without a mask of that name."""
        mask = self.edges.get(name)
        if mask is None:
            return None
        return self._once(
            ("edges", name, level), lambda: bcubed(self.cut.table("pixels", level, marked(mask)))
        )

    def clusters(self, atoms: Atoms, level: str) -> ClusterScores | None:
        """Indices of partitions."""
        return self._once(
            ("clusters", atoms, level),
            lambda: clusters(self.cut.table(atoms, level), weight_of_all(self.gold.nodes, atoms)),
        )

    def overlaps(self, level: str) -> Overlaps:
        """What the blocks share of the page's area."""
        return self._once(
            ("overlaps", level),
            lambda: overlaps_in(
                self.cut.table("pixels", level),
                of_level(self.predicted, level),
                of_level(self.gold, level),
            ),
        )

    def relations(self, level: str) -> Relations:
        """What became of the gold blocks."""
        return self._once(("relations", level), lambda: relations(self.overlaps(level)))

    def _once(self, key: _Key, compute: Callable[[], _T]) -> _T:
        if key not in self._known:
            self._known[key] = compute()
        return cast(_T, self._known[key])


@dataclass(frozen=True)
class BlockMeasure:
    """One measure on one level.

    Attributes:
        key: Its name on the command line and in files.
        name: Its name in tables.
        definition: What it is, in a sentence.
        level: ``"all"``, ``"1"`` or ``"2"``.
        score: Computes it; the value is None where it is undefined.
        is_pooled: A corpus' value is made from its mean precision and mean recall, and is no mean.
        is_count: A number of blocks, not a share.
    """

    key: str
    name: str
    definition: str
    level: str
    score: Callable[[BlockComparison], Score]
    is_pooled: bool = False
    is_count: bool = False


_Scorer = Callable[[BlockComparison, str], Score]


@dataclass(frozen=True)
class _Kind:
    """A measure whatever the level: `BlockMeasure` without it."""

    key: str
    name: str
    definition: str
    score: _Scorer
    is_pooled: bool = False
    is_count: bool = False


def _from(prf: Prf | None) -> Score:
    return Score(None) if prf is None else Score(prf.f1, prf.precision, prf.recall)


def _larger(prf: Prf | None) -> Score:
    return Score(None) if prf is None else Score(agreement(prf), prf.precision, prf.recall)


def _bcubed(on: str, words: str, prf: Callable[[BlockComparison, str], Prf | None]) -> list[_Kind]:
    """Return the three B-cubed measures on some atoms."""
    what = f"of the {words} that share a block in one segmentation, how many do in the other"
    return [
        _Kind(
            f"b3-{on}", f"B³ {on}", f"{what}: F1 of precision and recall (Kiesel et al. 2020)",
            lambda pair, level: _from(prf(pair, level)),
        ),
        _Kind(
            f"b3-{on}-star", f"B³ F* {on}", f"{what}: F1 of mean precision and mean recall",
            lambda pair, level: _from(prf(pair, level)), is_pooled=True,
        ),
        _Kind(
            f"b3-{on}-max", f"B³ max {on}",
            f"{what}: the larger of precision and recall, agreement apart from granularity",
            lambda pair, level: _larger(prf(pair, level)),
        ),
    ]  # fmt: skip


def _on(atoms: Atoms) -> Callable[[BlockComparison, str], Prf]:
    return lambda pair, level: pair.bcubed(atoms, level)


def _on_edges(name: str) -> Callable[[BlockComparison, str], Prf | None]:
    return lambda pair, level: pair.on_edges(name, level)


def _index(atoms: Atoms, of: Callable[[ClusterScores], float]) -> _Scorer:
    def score(pair: BlockComparison, level: str) -> Score:
        found = pair.clusters(atoms, level)
        return Score(None if found is None else of(found))

    return score


def _clusters(atoms: Atoms) -> list[_Kind]:
    """Return the indices of partitions on some atoms."""
    each = f"each of the {atoms} in the smallest block that holds it, the rest in one cluster more"
    return [
        _Kind(
            f"ari-{atoms}", f"ARI {atoms}",
            f"adjusted Rand index of partitions, {each} (Hubert, Arabie 1985)",
            _index(atoms, lambda found: found.ari),
        ),
        _Kind(
            f"nmi-{atoms}", f"NMI √ {atoms}",
            f"mutual information over the geometric mean of the entropies, {each} (Strehl, Ghosh)",
            _index(atoms, lambda found: found.nmi),
        ),
        _Kind(
            f"nmi-{atoms}-arithmetic", f"NMI ½Σ {atoms}",
            f"mutual information over the arithmetic mean of the entropies, {each}",
            _index(atoms, lambda found: found.nmi_arithmetic),
        ),
    ]  # fmt: skip


def _iou(least: float) -> _Scorer:
    return lambda pair, level: _from(match_regions(pair.overlaps(level), least).prf)


def _count(of: Callable[[Relations], int]) -> _Scorer:
    return lambda pair, level: Score(float(of(pair.relations(level))))


_KINDS: tuple[_Kind, ...] = (
    _Kind(
        "exact", "exact", "F1 of distinct block texts, equal without white space (Kreuzer)",
        lambda pair, level: _from(pair.texts().exact[level].prf),
    ),
    _Kind(
        "fuzzy", "fuzzy",
        "F1 of distinct block texts, matched one to one if alike by more than 0.8 (Kreuzer)",
        lambda pair, level: _from(pair.texts().fuzzy[level].prf),
    ),
    *_bcubed("pixels", "pixels", _on("pixels")),
    *_bcubed("edges-fine", "pixels on fine edges", _on_edges("fine")),
    *_bcubed("edges-coarse", "pixels on coarse edges", _on_edges("coarse")),
    *_bcubed("nodes", "visible nodes", _on("nodes")),
    *_bcubed("chars", "visible characters", _on("chars")),
    *_clusters("words"),
    *_clusters("pixels"),
    _Kind(
        "iou-50", "IoU .5",
        "F1 of blocks matched one to one that share half of the area both cover or more", _iou(0.5),
    ),
    _Kind(
        "iou-75", "IoU .75",
        "F1 of blocks matched one to one that share 3/4 of the area both cover or more", _iou(0.75),
    ),
    _Kind(
        "right", "right", "gold blocks that one predicted block covers to 3/4, and the reverse",
        _count(lambda found: found.right), is_count=True,
    ),
    _Kind(
        "split", "over-segmented",
        "gold blocks that are not right and in which several predicted blocks lie to 3/4",
        _count(lambda found: found.split), is_count=True,
    ),
    _Kind(
        "merged", "under-segmented",
        "gold blocks, neither right nor split, that lie with others in one predicted block",
        _count(lambda found: found.merged), is_count=True,
    ),
    _Kind(
        "missed", "missed", "gold blocks that lie in no predicted block, and none in them",
        _count(lambda found: found.missed), is_count=True,
    ),
    _Kind(
        "false", "false alarms", "predicted blocks that lie in no gold block, and none in them",
        _count(lambda found: found.false), is_count=True,
    ),
    _Kind(
        "types", "types", "share of blocks matched with an IoU of .5 that are of the gold's type",
        lambda pair, level: Score(type_accuracy(confusion(pair.overlaps(level)))),
    ),
)  # fmt: skip


def _at(kind: _Kind, level: str) -> BlockMeasure:
    suffix = "" if level == "all" else f"-{level}"
    return BlockMeasure(
        kind.key + suffix,
        kind.name if level == "all" else f"{kind.name}, level {level}",
        kind.definition,
        level,
        lambda pair: kind.score(pair, level),
        kind.is_pooled,
        kind.is_count,
    )


BLOCK_MEASURES: tuple[BlockMeasure, ...] = tuple(
    _at(kind, level) for kind in _KINDS for level in LEVELS
)

GROUPS: dict[str, tuple[str, ...]] = {
    "blocks": ("exact", "exact-1", "exact-2", "fuzzy", "fuzzy-1", "fuzzy-2"),
    "b3": tuple(
        f"b3-{on}{level}" for on in ("pixels", "nodes", "chars") for level in ("", "-1", "-2")
    ),
    "all-blocks": tuple(measure.key for measure in BLOCK_MEASURES),
}
"""Names that stand for several measures."""


def block_measures(names: str) -> tuple[BlockMeasure, ...]:
    """Return the measures of a list with commas; `InputError` names those there are."""
    return chosen(names, BLOCK_MEASURES, GROUPS)
