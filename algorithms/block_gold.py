"""The gold blocks of a page, and which measures they can score by."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from algorithms.measures.blocks import Texts
from algorithms.measures.measure import Measure, Need
from algorithms.measures.text_comparison import LEAST_ON_PAGE
from algorithms.results import Segmentation
from engine.tree import Bools


@dataclass(frozen=True)
class BlockGold:
    """The gold blocks of a page.

    Attributes:
        texts: Of every block, with its level.
        blocks: The blocks as rows of the page; None where they were not located there.
        why_no_location: Why they were not.
        edges: Edge masks of the page's picture by name; empty if there is no picture.
        why_no_edges: Why there is none.
    """

    texts: Texts
    blocks: Segmentation | None = None
    why_no_location: str = ""
    edges: Mapping[str, Bools] = field(default_factory=dict)
    why_no_edges: str = "there is no picture of the page to find edges in"

    def why_not(self, measure: Measure) -> str:
        """Return why a measure has no value here, whatever the blocks; "" where it has."""
        if Need.PLACE in measure.needs and self.blocks is None:
            return self.why_no_location or "the gold has no location on this page"
        share = self.on_page
        if Need.PLACE in measure.needs and share is not None and share < LEAST_ON_PAGE:
            return f"only {share:.0%} of the gold's blocks are on the page"
        return self.why_no_edges if Need.EDGES in measure.needs and not self.edges else ""

    @property
    def on_page(self) -> float | None:
        """Share of the blocks that are located on the page; None where that is unknown."""
        if self.blocks is None:
            return None
        return min(1.0, len(self.blocks.blocks) / len(self.texts)) if self.texts else 1.0
