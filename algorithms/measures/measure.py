"""Entries of the catalogue of measures; `algorithms.measures.all_measures` has them all."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from algorithms.measures.block_comparison import BlockComparison
from algorithms.measures.blocks import BlockScore, BlockScores
from algorithms.measures.prf import Prf, Score
from algorithms.measures.text import TextScores
from algorithms.measures.text_comparison import LEAST_ON_PAGE, Comparison, GoldText
from algorithms.measures.text_words import Words

MeasureKind = Literal["text", "blocks"]
"""Object of a measure: extracted text, or blocks of a segmentation."""

ScoredLevel = Literal["", "all", "1", "2"]
"""Blocks of which level count; "" for measures without levels."""

Unit = Literal["share", "blocks", "ms"]
"""What values are: shares of 1, numbers of blocks, milliseconds."""


Match = Callable[[BlockScores], Mapping[str, BlockScore]]
"""Picks one of the matches of distinct texts, by level."""


class Need(StrEnum):
    """Requirement of a measure besides a result."""

    TEXT = "the whole main content as text"
    LOCATION = "the main content located on the page"
    SNIPPETS = "phrases that belong to the main content, and that do not"
    BLOCK_TEXTS = "the texts of the gold blocks"
    PLACE = "the gold blocks as nodes of the rendered page"
    EDGES = "the edges in a picture of the page"
    TYPES = "types, given to blocks by annotator and method"


class Family(StrEnum):
    """Measures that are listed together, and the heading above them."""

    SEQUENCES = "Sequences and bags"
    WHOLE = "One number"
    RUNS = "Places and runs of words"
    SNIPPETS = "Phrases"
    STRUCTURE = "Structure"
    TEXTS = "Block texts"
    UNMARKED = "Without gold"
    BCUBED = "B-cubed"
    BCUBED_STAR = "B-cubed over pages"
    BCUBED_MAX = "B-cubed, the larger of P and R"
    PARTITIONS = "Partitions"
    AREAS = "Areas"
    MATCH_OUTCOMES = "What became of the marked blocks"
    TYPES = "Types"
    TIME = "Time"
    UNKNOWN = "Measures of another Pagelet"


class ShownIn(StrEnum):
    """Display of a measure beyond the tables and lists that have them all."""

    COUNTED = "first in the Details panel, with what was counted"
    PANEL = "among all measures in the Details panel"
    LINE = "in the report's figure of all measures"
    TESTED = "where the report compares methods in pairs"


@dataclass(frozen=True, kw_only=True)
class Measure:
    """Description of a measure, on one level if it is of blocks.

    Attributes:
        base: Its key whatever the level; its level is added to it (`key`).
        label: The field's own name, whatever the level.
        short: Its label below a heading with its family; the field's own name if "".
        spelled: Expansion of the label; "" where it needs none.
        kind, level, family, unit: See there.
        definition: A sentence without capital and full stop.
        formula: How it is computed, in whole sentences.
        corners: Its value where nothing was marked, or nothing found, in whole sentences.
        source: Who published it.
        items, hit: The counted items, and the condition for a hit, where hits are counted.
        is_f1: It is F1 of a precision and a recall, which are shown beside it.
        is_low_best: Less is better.
        is_pooled: A corpus' value is made from its mean precision and mean recall, and is no mean.
        is_main: Results of its kind are judged by it first.
        needs: What it requires.
        shown: Where it is shown beyond the tables of all measures.
        groups: Names of groups of measures that include this one.
    """

    base: str
    label: str
    kind: MeasureKind
    family: Family
    definition: str
    short: str = ""
    spelled: str = ""
    level: ScoredLevel = ""
    unit: Unit = "share"
    formula: str = ""
    corners: str = ""
    source: str = ""
    items: str = ""
    hit: str = ""
    is_f1: bool = False
    is_low_best: bool = False
    is_pooled: bool = False
    is_main: bool = False
    needs: frozenset[Need] = frozenset()
    shown: frozenset[ShownIn] = frozenset()
    groups: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Key on the command line and in files."""
        return f"{self.base}-{self.level}" if self.has_one_level else self.base

    @property
    def name(self) -> str:
        """Name in tables, different from that of all others."""
        return f"{self.label}, level {self.level}" if self.has_one_level else self.label

    @property
    def panel_label(self) -> str:
        """Name below the heading of its family."""
        label = self.short or self.label
        return label[:1].upper() + label[1:]

    @property
    def in_words(self) -> str:
        """Name with its expansion: "word sequence (WS)"."""
        return f"{self.spelled} ({self.name})" if self.spelled else self.name

    @property
    def sentence(self) -> str:
        """The definition as a sentence; of counts, that they are no share."""
        text = f"{self.definition[:1].upper()}{self.definition[1:]}."
        return f"{text} A number of blocks, not a share." if self.is_count else text

    @property
    def explanation(self) -> tuple[str, ...]:
        """Explanation: definition, computation, corner cases, source; a line each."""
        cited = f"Source: {self.source}." if self.source else ""
        return tuple(filter(None, (self.sentence, self.formula, self.corners, cited)))

    @property
    def has_one_level(self) -> bool:
        """Whether blocks of one level alone count."""
        return self.level in ("1", "2")

    @property
    def counts_words(self) -> bool:
        """Whether its value depends on the definition of words."""
        return self.kind == "text" and "word" in f"{self.items} {self.definition} {self.formula}"

    @property
    def is_count(self) -> bool:
        """Whether values are numbers of blocks."""
        return self.unit == "blocks"

    @property
    def is_share(self) -> bool:
        """Whether values go up to 1, the more the better."""
        return self.unit == "share"

    def is_shown(self, where: ShownIn) -> bool:
        """Return whether it is among the measures shown somewhere."""
        return where in self.shown


@dataclass(frozen=True)
class Counted:
    """Derivation of a measure's counts from the four that are computed together.

    Attributes:
        prf: Which of the four it is.
        size: How many items a text has.
    """

    prf: Callable[[TextScores], Prf]
    size: Callable[[Words], int]


@dataclass(frozen=True, kw_only=True)
class TextMeasure(Measure):
    """A measure of extracted text.

    Attributes:
        score: Computes it.
        counted: Where its counts are from; None if they are not shown.
    """

    score: Callable[[Comparison], Score] = field(repr=False)
    counted: Counted | None = field(default=None, repr=False)
    kind: MeasureKind = "text"

    def why_not(self, gold: GoldText) -> str:
        """Return why it cannot be had with this gold; "" if it can."""
        if Need.SNIPPETS in self.needs and not gold.snippets:
            return "no phrases are known of this page"
        if Need.TEXT in self.needs and not gold.is_known:
            if gold.snippets is None:
                return "the page has no gold text"
            return "only phrases are known of this page's gold text"
        if Need.LOCATION in self.needs and gold.on_page < LEAST_ON_PAGE:
            return f"only {gold.on_page:.0%} of the gold's words are on the page"
        return ""


@dataclass(frozen=True, kw_only=True)
class BlockMeasure(Measure):
    """A measure of blocks, on one level or on both together.

    Attributes:
        score_on: Computes it on a level; the value is None where it is undefined.
        match: Which match of distinct texts it is, by level; None if it counts no texts.
    """

    score_on: Callable[[BlockComparison, str], Score] = field(repr=False)
    match: Match | None = field(default=None, repr=False)
    kind: MeasureKind = "blocks"
    level: ScoredLevel = "all"

    def score(self, pair: BlockComparison) -> Score:
        """Compute it on its level."""
        return self.score_on(pair, self.level)

    def texts(self, pair: BlockComparison) -> BlockScore | None:
        """Return the distinct texts it counts, on its level; None if it counts none."""
        return None if self.match is None else self.match(pair.texts())[self.level]
