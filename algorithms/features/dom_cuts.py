"""Cutting a document at tags, as FeatureExtractor does; for its extractor and its segmenter.

Source: S. Debnath, P. Mitra, C. L. Giles, "Automatic Extraction of Informative Blocks from
Webpages", SAC 2005; T. Gottron, dissertation 2008, section 3.2.5, Algorithm 3.5.
"""

import numpy as np
import numpy.typing as npt

from engine.runs import covered
from engine.tree import Tree

FE_TAGS = "table tr p hr ul"
"""The tags the authors list."""


def cut(tree: Tree, tags: tuple[str, ...], root: int = 0) -> npt.NDArray[np.int64]:
    """Return the rows of the blocks below ``root``, ascending: Algorithm 3.5.

    For each tag in turn, a block that has elements of this name below it is replaced by these, all
    of them: those inside one another too.  By "child node" descendants are meant.  What lies
    outside them is in no block any more.  O(n) for each tag.
    """
    blocks = np.array([root] if len(tree) else [], dtype=np.int64)
    for tag in tags:
        found = np.flatnonzero(tree.has_tag(tag))
        # How many elements of this name lie below each block.
        first = np.searchsorted(found, blocks, side="right")
        inside = np.searchsorted(found, tree.end[blocks]) - first
        is_below = covered(blocks + 1, tree.end[blocks], len(tree))
        replacing = found[is_below[found]]
        blocks = np.union1d(blocks[inside == 0], replacing)
    return np.asarray(blocks, dtype=np.int64)
