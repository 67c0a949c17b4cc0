"""A segmentation and its gold, with the data that several measures share."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar, cast

from algorithms.measures.atoms import AtomKind, mark_atoms, weight_of_all
from algorithms.measures.bcubed import bcubed
from algorithms.measures.blocks import BlockScorer, BlockScores, Texts
from algorithms.measures.clusters import ClusterScores, clusters
from algorithms.measures.items import Cut, of_level
from algorithms.measures.prf import Prf
from algorithms.measures.regions import Overlaps, overlaps_in, relations
from algorithms.results import Segmentation
from engine.tree import Bools

_BlockKey = tuple[str, ...]
_T = TypeVar("_T")


@dataclass(eq=False)
class BlockComparison:
    """A segmentation and its gold; shared data of measures are computed once.

    Attributes:
        predicted, gold: Of one page.
        scorer: Remembers which texts are alike; hand the same one in again and again.
        edges: Edge masks of the page's picture, bool (h, w), by name (``fine``, ``coarse``); they
            must not change.
        given: Texts to compare in place of those of the rows: the predicted and the gold blocks'.
    """

    predicted: Segmentation
    gold: Segmentation
    scorer: BlockScorer = field(default_factory=BlockScorer)
    edges: Mapping[str, Bools] = field(default_factory=dict)
    given: tuple[Texts, Texts] | None = None
    _known: dict[_BlockKey, object] = field(default_factory=dict, init=False)

    def texts(self) -> BlockScores:
        """Kreuzer's two matches."""
        if self.given is not None:
            predicted, gold = self.given
            return self._once(("texts",), lambda: self.scorer.score_texts(predicted, gold))
        return self._once(("texts",), lambda: self.scorer.score(self.predicted, self.gold))

    @cached_property
    def cut(self) -> Cut:
        """The page cut by the blocks of both."""
        return Cut(self.predicted, self.gold)

    def bcubed(self, atoms: AtomKind, level: str) -> Prf:
        """Return B-cubed on some atoms."""
        return self._once(("b3", atoms, level), lambda: bcubed(self.cut.table(atoms, level)))

    def on_edges(self, name: str, level: str) -> Prf | None:
        """Return B-cubed on edges; None without a mask of that name."""
        mask = self.edges.get(name)
        if mask is None:
            return None
        return self._once(
            ("edges", name, level),
            lambda: bcubed(self.cut.table("pixels", level, mark_atoms(mask))),
        )

    def clusters(self, atoms: AtomKind, level: str) -> ClusterScores | None:
        """Return the indices of partitions."""
        return self._once(
            ("clusters", atoms, level),
            lambda: clusters(self.cut.table(atoms, level), weight_of_all(self.gold.nodes, atoms)),
        )

    def overlaps(self, level: str) -> Overlaps:
        """Return the overlaps of the blocks in the page's area."""
        return self._once(
            ("overlaps", level),
            lambda: overlaps_in(
                self.cut.table("pixels", level),
                of_level(self.predicted, level),
                of_level(self.gold, level),
            ),
        )

    def relations(self, level: str) -> Counter[str]:
        """Return how many gold blocks have each outcome."""
        return self._once(("relations", level), lambda: relations(self.overlaps(level)))

    def _once(self, key: _BlockKey, compute: Callable[[], _T]) -> _T:
        if key not in self._known:
            self._known[key] = compute()
        return cast(_T, self._known[key])
