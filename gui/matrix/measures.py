"""The measures a table of scores can show: those of text, those of blocks, and time."""

from dataclasses import dataclass
from typing import Literal

from algorithms.measures.named import TEXT_MEASURES
from algorithms.measures.named_blocks import BLOCK_MEASURES

Kind = Literal["extraction", "segmentation"]
KINDS: tuple[Kind, ...] = ("extraction", "segmentation")

KIND_NAMES: dict[Kind, str] = {"extraction": "Main content", "segmentation": "Blocks"}

TIME = "ms"
"""Key of the time a method took; every run has it, whatever was measured."""


@dataclass(frozen=True)
class Measure:
    """What one number of the table is.

    Attributes:
        key: As rows of an evaluation name it.
        name: For headings.
        definition: A sentence.
        level: Blocks of which level count: ``"all"``, ``"1"``, ``"2"``; "" for text and time.
        is_pooled: A mean is made of mean precision and mean recall.
        is_count: A number of blocks, not a share.
    """

    key: str
    name: str
    definition: str
    level: str = ""
    is_pooled: bool = False
    is_count: bool = False

    @property
    def in_words(self) -> str:
        """The name with what it stands for: "words in order (WS)"."""
        key = self.key.removesuffix(f"-{self.level}")
        found = _IN_WORDS.get(key) or _IN_WORDS.get(key.partition("-")[0])
        return f"{found} ({self.name})" if found else self.name

    @property
    def is_share(self) -> bool:
        """Whether values go from 0 to 1, the more the better."""
        return not self.is_count and self.key != TIME


_TIME = Measure(TIME, "Time (ms)", "milliseconds the method took on the page, reading it included")

MEASURES: dict[Kind, tuple[Measure, ...]] = {
    "extraction": (
        *(Measure(m.key, m.name, m.definition, "", m.is_pooled) for m in TEXT_MEASURES),
        _TIME,
    ),
    "segmentation": (
        *(
            Measure(m.key, m.name, m.definition, m.level, m.is_pooled, m.is_count)
            for m in BLOCK_MEASURES
        ),
        _TIME,
    ),
}

_IN_WORDS = {
    "cs": "characters in order",
    "ws": "words in order",
    "bow": "bag of words",
    "sow": "set of words",
    "shingles": "runs of four words",
    "cetr": "word places",
    "fuzzy": "texts alike",
    "exact": "texts equal",
    "types": "right types",
    "b3": "B-cubed",
    "ari": "Rand index, adjusted",
    "nmi": "mutual information",
    "iou": "shared area",
}
"""What the field's short names stand for; families of block measures by how their keys begin."""

USUAL: dict[Kind, str] = {"extraction": "ws", "segmentation": "fuzzy"}
"""What is shown at first: what the Layers panel shows."""


def measure(kind: Kind, key: str) -> Measure:
    """Return a measure; `KeyError` if there is none of this key."""
    for found in MEASURES[kind]:
        if found.key == key:
            return found
    raise KeyError(key)
