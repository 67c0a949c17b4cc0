"""The measures of extracted text by name, as ``--measures`` takes them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from algorithms.mapping import map_text
from algorithms.measures.choice import chosen
from algorithms.measures.occurrences import score_occurrences
from algorithms.measures.prf import Prf, Score, harmonic
from algorithms.measures.rouge import rouge_lsum
from algorithms.measures.shingles import ShingleCounts, count_shingles
from algorithms.measures.snippets import Snippets, count_snippets
from algorithms.measures.text import TextScores, Words, cleaneval, score_words
from algorithms.results import Extraction
from engine.source import Source


class GoldText:
    """Gold main content that is a text, prepared once for all methods on a page.

    Args:
        text: The gold; None where only phrases of it are known.
        source: The document the extractions are of, where they are.
        snippets: Phrases that belong to it and that do not; None where nobody wrote some down.
    """

    def __init__(
        self, text: str | None, source: Source | None = None, snippets: Snippets | None = None
    ) -> None:
        self.text = text or ""
        self.is_known = text is not None
        self.snippets = snippets
        self._source = source

    @cached_property
    def words(self) -> Words:
        """The text prepared for comparison."""
        return Words(self.text)

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
        return Words(self.predicted.text)

    @cached_property
    def four(self) -> TextScores:
        """Gottron's four measures."""
        return score_words(self.words, self.gold.words)

    @cached_property
    def shingles(self) -> ShingleCounts:
        """Runs of four words in common."""
        return count_shingles(self.predicted.text, self.gold.text)


@dataclass(frozen=True)
class TextMeasure:
    """One measure.

    Attributes:
        key: Its name on the command line and in files.
        name: Its name in tables.
        definition: What it is, in a sentence.
        score: Computes it.
        is_pooled: A corpus' value is made from its mean precision and mean recall, and is no mean.
    """

    key: str
    name: str
    definition: str
    score: Callable[[Comparison], Score]
    is_pooled: bool = False

    def why_not(self, gold: GoldText) -> str:
        """Return why it cannot be had with this gold; "" if it can."""
        if self.key == SNIPPETS:
            return "" if gold.snippets else "no phrases are known of this page"
        return "" if gold.is_known else "only phrases are known of this page's gold text"


SNIPPETS = "snippets"
"""Key of the one measure that needs no whole text."""


def _from(prf: Prf) -> Score:
    return Score(prf.f1, prf.precision, prf.recall)


def _shingles(pair: Comparison) -> Score:
    p, r = pair.shingles.precision, pair.shingles.recall
    return Score(None if p is None or r is None else harmonic(p, r), p, r)


def _snippets(pair: Comparison) -> Score:
    if pair.gold.snippets is None:
        return Score(None)
    found = count_snippets(pair.predicted.text, pair.gold.snippets)
    return Score(found.f1, found.precision, found.wanted_share)


TEXT_MEASURES: tuple[TextMeasure, ...] = (
    TextMeasure(
        "cs", "CS", "F1 of the longest common subsequence of characters (Gottron)",
        lambda pair: _from(pair.four.cs),
    ),
    TextMeasure(
        "ws", "WS", "F1 of the longest common subsequence of words (Gottron)",
        lambda pair: _from(pair.four.ws),
    ),
    TextMeasure(
        "bow", "BoW", "F1 of the bags of words (Gottron)", lambda pair: _from(pair.four.bow)
    ),
    TextMeasure(
        "sow", "SoW", "F1 of the sets of words (Gottron)", lambda pair: _from(pair.four.sow)
    ),
    TextMeasure(
        "cleaneval", "CleanEval", "1 - distance of inserts and deletes / length of the alignment",
        lambda pair: Score(cleaneval(pair.words, pair.gold.words)),
    ),
    TextMeasure(
        "shingles", "4-grams", "runs of four words in both; F1 of mean P and mean R (Zyte)",
        _shingles, is_pooled=True,
    ),
    TextMeasure(
        "identical", "identical", "1 where both have the same words in the same order, else 0",
        lambda pair: Score(float(pair.shingles.is_exact)),
    ),
    TextMeasure(
        "cetr", "CETR", "F1 of word occurrences, each place in the page another word (CETR)",
        lambda pair: _from(score_occurrences(pair.predicted, pair.gold.extraction)),
    ),
    TextMeasure(
        "rouge-lsum", "ROUGE-LSum", "F1 of words in order within lines (Lin)",
        lambda pair: _from(rouge_lsum(pair.predicted.text, pair.gold.text)),
    ),
    TextMeasure(
        SNIPPETS, "snippets", "F1 of phrases that must be in the text, and that must not",
        _snippets,
    ),
)  # fmt: skip

GROUPS: dict[str, tuple[str, ...]] = {
    "text": ("cs", "ws", "bow", "sow"),
    "all-text": tuple(measure.key for measure in TEXT_MEASURES),
}
"""Names that stand for several measures."""


def text_measures(names: str) -> tuple[TextMeasure, ...]:
    """Return the measures of a list with commas; `InputError` names those there are."""
    return chosen(names, TEXT_MEASURES, GROUPS)
