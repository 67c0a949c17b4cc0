"""What the report knows of measures: names, definitions, and which are shown where."""

from dataclasses import dataclass
from typing import Literal

from algorithms.measures.named import TEXT_MEASURES
from algorithms.measures.named_blocks import BLOCK_MEASURES

Kind = Literal["blocks", "text"]

_MAIN = ("fuzzy", "ws")
_TESTED = ("fuzzy", "exact", "b3-pixels", "ws", "cs", "bow", "sow")
_VARIANCE = ("exact", "fuzzy", "cs", "ws", "bow", "sow")
_NO_LINE = ("-star", "-max", "-arithmetic", "identical")


@dataclass(frozen=True)
class Measure:
    """One measure.

    Attributes:
        key, name, definition: As its definition has them.
        kind: What it is of.
        level: Of blocks; "all" for text.
        is_pooled: Its value is made of mean precision and mean recall, and is no mean.
        is_count: A number of blocks, not a share.
    """

    key: str
    name: str
    definition: str
    kind: Kind
    level: str = "all"
    is_pooled: bool = False
    is_count: bool = False

    @property
    def is_main(self) -> bool:
        """Whether a part is judged by it first."""
        return self.key in _MAIN

    @property
    def is_tested(self) -> bool:
        """Whether methods are compared by it in pairs."""
        return self.key in _TESTED

    @property
    def is_analysed(self) -> bool:
        """Whether it is a level of the factor "measure" in the analysis of variance."""
        return self.key in _VARIANCE

    @property
    def has_line(self) -> bool:
        """Whether it is in the figure of all measures: a share, both levels, no variant."""
        return not self.is_count and self.level == "all" and not self.key.endswith(_NO_LINE)

    @property
    def is_best_low(self) -> bool:
        """Whether less is better."""
        return self.is_count and not self.key.startswith("right")


_KNOWN = {
    **{
        m.key: Measure(m.key, m.name, m.definition, "text", is_pooled=m.is_pooled)
        for m in TEXT_MEASURES
    },
    **{
        m.key: Measure(m.key, m.name, m.definition, "blocks", m.level, m.is_pooled, m.is_count)
        for m in BLOCK_MEASURES
    },
}


def measure_of(key: str) -> Measure:
    """Return the measure of a key; of one from another Pagelet, nothing is known but its key."""
    return _KNOWN.get(key) or Measure(
        key, key, "this Pagelet does not know the measure", "blocks", level="other"
    )
