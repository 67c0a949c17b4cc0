"""Cutting a document at tags, as FeatureExtractor does; for its extractor and its segmenter.

Source: S. Debnath, P. Mitra, C. L. Giles, "Automatic Extraction of Informative Blocks from
Webpages", SAC 2005; T. Gottron, dissertation 2008, section 3.2.5, Algorithm 3.5.
"""

from dataclasses import dataclass

import numpy as np

from engine.runs import mark_covered
from engine.tree import Longs, Tree

FE_TAGS = "table tr p hr ul"
"""The tags the authors list."""


def cut(tree: Tree, tags: tuple[str, ...], root: int = 0) -> Longs:
    """Return the rows of the blocks below ``root``, ascending: Algorithm 3.5.

    For each tag in turn, a block that has elements of this name below it is replaced by these, all
    of them: those inside one another too.  By "child node" descendants are meant.  Content outside
    them is in no block afterwards.  O(n) for each tag.
    """
    turns = cuts(tree, tags, root)
    return turns[-1].after if turns else np.array([root] if len(tree) else [], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class TagCut:
    """Cuts made for one tag.

    Attributes:
        tag: Its name.
        before: int64 (k,). The rows of the blocks that were asked, ascending.
        inside: int64 (k,). How many elements of this name lie below each.
        after: int64 (l,). The rows of the blocks there are then, ascending.
    """

    tag: str
    before: Longs
    inside: Longs
    after: Longs


def cuts(tree: Tree, tags: tuple[str, ...], root: int = 0) -> list[TagCut]:
    """Return the turns of the tags, as `cut` describes them.  O(n) for each."""
    n = len(tree)
    blocks = np.array([root] if n else [], dtype=np.int64)
    turns = []
    for tag in tags:
        is_found = tree.has_tag(tag)
        result = is_found.nonzero()[0]
        if result.size:
            end = tree.end[blocks]
            inside = result.searchsorted(end) - result.searchsorted(blocks, side="right")
            stays = mark_covered(blocks + 1, end, n)
            stays &= is_found
            stays[blocks[inside == 0]] = True
            after = stays.nonzero()[0]
        else:
            inside, after = np.zeros(blocks.size, dtype=np.int64), blocks
        turns.append(TagCut(tag, blocks, inside, after))
        blocks = after
    return turns
