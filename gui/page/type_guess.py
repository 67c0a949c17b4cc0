"""Suggest types for untyped blocks."""

from collections.abc import Collection
from functools import lru_cache

from algorithms.features.block_types import Typist
from algorithms.features.visible import Seen
from annotate.marks import edits
from annotate.marks.gold import Gold, Guess
from annotate.marks.similar import AS_ALIKE, similar_types
from engine.nodes import NodeTable
from gui.widgets.version import pagelet_version

SUGGESTS_TYPES = "suggests types"
"""The workspace's setting: whether blocks marked without a type get a suggested one."""


def suggest_types(gold: Gold, nodes: NodeTable, ids: Collection[str]) -> Gold:
    """Return the gold with types suggested for these blocks, where there is evidence for one.

    What the annotator called a block built like it counts before what is seen of it.
    """
    typist, known = _typist(nodes), similar_types(gold, nodes)

    def guess(row: int, level: int) -> Guess | None:
        name, why = known(row, level), AS_ALIKE
        if not name:
            name, why = typist.suggest(row, level)
        return Guess(name, why, pagelet_version()) if name else None

    return edits.guess_types(gold, ids, guess)


@lru_cache(maxsize=1)
def _typist(nodes: NodeTable) -> Typist:
    return Typist(Seen(nodes))
