"""Round after round: the content structure down to the permitted degree of coherence.

In the first round the page is divided, in each later one every block that is less coherent than
PDoC asks for.  A round keeps what it divided into what, so that it can be looked at alone, and so
that the separators between its parts can be laid beside them.
"""

from dataclasses import dataclass, field

import numpy as np

from algorithms.segmentation.vips.blocks import VisualBlock, extract_blocks
from algorithms.segmentation.vips.layout import Layout


@dataclass(frozen=True)
class Division:
    """One block divided in one round.

    Attributes:
        number: Round, from 1.
        block: What was divided.
        parts: The pool of visual blocks found in it, in document order.
    """

    number: int
    block: VisualBlock
    parts: tuple[VisualBlock, ...]


@dataclass(frozen=True)
class Structure:
    """The blocks of a page as a tree, and how they came about.

    Attributes:
        page: The root: the page as one block of the lowest DoC.
        divisions: In the order they were made: by round, then by document order.
    """

    page: VisualBlock
    divisions: tuple[Division, ...]
    _parts: dict[VisualBlock, tuple[VisualBlock, ...]] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        self._parts.update({d.block: d.parts for d in self.divisions})

    @property
    def rounds(self) -> tuple[tuple[Division, ...], ...]:
        """The divisions by round, the first round first."""
        last = self.divisions[-1].number if self.divisions else 0
        return tuple(
            tuple(d for d in self.divisions if d.number == number) for number in range(1, last + 1)
        )

    def parts(self, block: VisualBlock) -> tuple[VisualBlock, ...]:
        """Return what a block was divided into; empty for a leaf."""
        return self._parts.get(block, ())

    def leaves(self, block: VisualBlock) -> list[VisualBlock]:
        """Return the blocks below (or the block itself) that were not divided any further."""
        found, waiting = [], [block]
        while waiting:
            block = waiting.pop()
            parts = self.parts(block)
            waiting.extend(reversed(parts))
            if not parts:
                found.append(block)
        return found


def divide_page(layout: Layout, pdoc: int, small: float, max_rounds: int = 100) -> Structure:
    """Divide the page until every block has a DoC of at least ``pdoc`` or cannot be divided."""
    page = VisualBlock((_start(layout),), 1, 13)
    divisions: list[Division] = []
    waiting = [page]
    for number in range(1, max_rounds + 1):
        following: list[VisualBlock] = []
        for block in waiting:
            whole = layout.page_area if number == 1 else float(layout.areas[list(block.rows)].sum())
            parts = tuple(extract_blocks(layout, block, small, whole))
            if parts:
                divisions.append(Division(number, block, parts))
                following.extend(part for part in parts if part.doc < pdoc)
        waiting = following
        if not waiting:
            break
    return Structure(page, tuple(divisions))


def _start(layout: Layout) -> int:
    """Return the row of ``body``; the root's if there is none."""
    nodes = layout.nodes
    bodies = np.flatnonzero(nodes.has_tag("body", "frameset") & (nodes.parent == 0))
    return int(bodies[0]) if bodies.size else 0
