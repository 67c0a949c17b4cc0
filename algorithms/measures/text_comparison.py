"""An extracted text and its gold, prepared once for all measures."""

from functools import cached_property

from algorithms.mapping import map_text
from algorithms.measures.shingles import ShingleCounts, Shingled, count_shingles
from algorithms.measures.snippets import Snippets
from algorithms.measures.text import TextScores, score_words
from algorithms.measures.text_words import Words
from algorithms.results import Extraction
from engine.source import Source
from engine.word_units import WordUnit


class GoldText:
    """Gold main content that is a text, prepared once for all methods on a page.

    Args:
        text: The gold; None where only phrases of it are known.
        source: The document the extractions are of, where they are.
        snippets: Phrases that belong to it and that do not; None where nobody wrote some down.
        unit: What a word is in scripts without blanks.
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
        self._source = source

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
        """The text found in the source."""
        source = self._source or Source.from_text("")
        found = map_text(source, self.text)
        return Extraction(source, found.spans, self.text, found.unmapped)


class Comparison:
    """An extraction and its gold; what several measures need is computed once."""

    def __init__(self, predicted: Extraction, gold: GoldText) -> None:
        self.predicted = predicted
        self.gold = gold

    @cached_property
    def words(self) -> Words:
        """The extraction's text prepared for comparison."""
        return Words(self.predicted.text, self.gold.unit)

    @cached_property
    def four(self) -> TextScores:
        """Gottron's four measures."""
        return score_words(self.words, self.gold.words)

    @cached_property
    def shingles(self) -> ShingleCounts:
        """Runs of four words in common."""
        return count_shingles(self.words, self.gold.shingles)
