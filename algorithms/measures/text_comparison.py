"""An extracted text and its gold, prepared once for all measures."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar, cast

from algorithms.core.mapping import map_text
from algorithms.measures.shingles import ShingleCounts, Shingled, count_shingles
from algorithms.measures.snippets import Snippets
from algorithms.measures.text import TextScores, score_words
from algorithms.measures.text_words import Words, normalise, words_of
from algorithms.results import Extraction
from algorithms.structure import StructureParts, parts_of
from engine.source import Source
from engine.word_units import WordUnit

T = TypeVar("T")

LEAST_ON_PAGE = 0.5
"""Share of the gold that has to be located for a score by the location of words."""


class GoldText:
    """Gold main content that is a text, prepared once for all methods on a page.

    Args:
        text: The gold; None where only phrases of it are known.
        source: The document the extractions are of, where they are.
        snippets: Phrases that belong to it and that do not; None where nobody wrote some down.
        unit: Unit of words in scripts without blanks.
    """

    def __init__(
        self,
        text: str | None,
        source: Source | None = None,
        snippets: Snippets | None = None,
        unit: WordUnit = "characters",
    ) -> None:
        self.text = text or ""
        self.is_known = text is not None
        self.snippets = snippets
        self.unit = unit
        self.source = source

    @cached_property
    def words(self) -> Words:
        """The text prepared for comparison."""
        return Words(self.text, self.unit)

    @cached_property
    def shingles(self) -> Shingled:
        """The text's runs of four words."""
        return Shingled(self.words)

    @cached_property
    def extraction(self) -> Extraction:
        """The text that was returned, in the source."""
        source = self.source or Source.from_text("")
        result = map_text(source, self.text)
        return Extraction(source, result.spans, self.text, result.unmapped)

    @cached_property
    def parts(self) -> StructureParts:
        """Structure by element, of the text located in the source."""
        return parts_of(self.extraction)

    @property
    def on_page(self) -> float:
        """Share of the text's words that are located in the source; 1 where it has none."""
        return share_on_page(self.extraction)

    @property
    def known_on_page(self) -> float | None:
        """The same; None where only phrases are known."""
        return self.on_page if self.is_known else None


def share_on_page(extraction: Extraction) -> float:
    """Return the share of an extraction's words that are located in its source.

    1 where there are none, and where it is spans of the source alone.
    """
    if not extraction.unmapped or extraction.given is None:
        return 1.0
    words = len(words_of(normalise(extraction.given)))
    return 1 - extraction.unmapped / words if words else 1.0


class Comparison:
    """An extraction and its gold; shared data of measures are computed once."""

    def __init__(self, predicted: Extraction, gold: GoldText) -> None:
        self.predicted = predicted
        self.gold = gold
        self._known: dict[str, Any] = {}

    @property
    def source(self) -> Source:
        """The source of the extraction; of two equal ones the gold's, which methods share."""
        other = self.gold.source
        own = self.predicted.source
        return other if other is not None and other.html == own.html else own

    def once(self, what: str, make: Callable[[], T]) -> T:
        """Return the result of ``make``, computed at the first call."""
        if what not in self._known:
            self._known[what] = make()
        return cast(T, self._known[what])

    @cached_property
    def words(self) -> Words:
        """The extraction's text prepared for comparison."""
        return Words(self.predicted.text, self.gold.unit)

    @cached_property
    def parts(self) -> StructureParts:
        """Structure by element: as reported by the program, or as on the page."""
        return parts_of(self.predicted)

    @cached_property
    def four(self) -> TextScores:
        """Gottron's four measures."""
        return score_words(self.words, self.gold.words)

    @cached_property
    def shingles(self) -> ShingleCounts:
        """Runs of four words in common."""
        return count_shingles(self.words, self.gold.shingles)
