"""All measures of one result, worked out away from the window, and what is said of each number."""

from collections.abc import Mapping
from dataclasses import dataclass

from algorithms.measures.block_comparison import BlockComparison
from algorithms.measures.catalogue import BLOCK_MEASURES, TEXT_MEASURES
from algorithms.measures.choice import by_family
from algorithms.measures.measure import Measure, Need, View
from algorithms.measures.prf import Score
from algorithms.measures.regions import confusion
from algorithms.measures.text_comparison import Comparison, GoldText
from algorithms.results import Extraction, Result
from annotate.gold import Gold
from engine.document import Document
from engine.errors import InputError
from engine.page import Page
from engine.page_cache import Snapshots, default_folder
from engine.tree import Bools
from engine.web.renderer import renderer_name
from engine.word_units import UNIT_TEXT, WORD_UNITS

LEVEL_NAMES = {0: "both levels", 1: "level 1", 2: "level 2"}

_NO_EDGES = (
    "Not known here: it needs the edges in a picture of the page, which are kept when the page is "
    "evaluated with this measure."
)
_NO_VALUE = "It has no value here."


@dataclass(frozen=True)
class Line:
    """One measure with its score.

    Attributes:
        measure: On the level that counted.
        score: What came out.
    """

    measure: Measure
    score: Score

    @property
    def key(self) -> str:
        """Of the measure, level included."""
        return self.measure.key

    @property
    def name(self) -> str:
        """What the panel calls it below the name of its family."""
        return self.measure.panel_label

    @property
    def has_parts(self) -> bool:
        """Whether precision and recall are shown beside the value."""
        return self.measure.is_f1 and self.score.precision is not None


@dataclass(frozen=True)
class LayerMeasures:
    """All measures of one result.

    Attributes:
        groups: Headings, and the lines below each.
        types: How often a marked type was given a found type; empty for texts.
    """

    groups: tuple[tuple[str, tuple[Line, ...]], ...]
    types: Mapping[tuple[str, str], int]


def measure_all(
    page: Page, gold: Gold, result: Result, level: int, document: Document | None = None
) -> LayerMeasures | None:
    """Work out all measures of a result; None where nothing of its kind is marked.

    Blocks are compared on ``level``, 0 for both.  ``document`` tells where edges may be known.
    Costs up to some 100 ms: for a pool thread.
    """
    if isinstance(result, Extraction):
        return _of_text(page, gold, result)
    if not gold.sure.of_level(1) and not gold.sure.of_level(2):
        return None
    edges = known_edges(document) if document is not None else {}
    return _of_blocks(BlockComparison(result, gold.as_segmentation(page), edges=edges), level)


def _of_text(page: Page, gold: Gold, result: Extraction) -> LayerMeasures | None:
    if not gold.has_main:
        return None
    wanted = gold.as_extraction(page)
    pair = Comparison(result, GoldText(wanted.text, wanted.source))
    return LayerMeasures(
        tuple(
            (family, tuple(Line(each, each.score(pair)) for each in members))
            for family, members in by_family(TEXT_MEASURES, View.PANEL)
        ),
        {},
    )


def _of_blocks(pair: BlockComparison, level: int) -> LayerMeasures:
    on = str(level) if level else "all"
    there = [each for each in BLOCK_MEASURES if each.level == on]
    groups = tuple(
        (family, tuple(Line(each, each.score(pair)) for each in members))
        for family, members in by_family(there, View.PANEL)
    )
    return LayerMeasures(groups, confusion(pair.overlaps(on)))


def known_edges(document: Document) -> Mapping[str, Bools]:
    """Return the edges in the page's picture if an evaluation has kept them, else nothing."""
    kept = default_folder()
    # To look for a page costs reading its folder: not where there is nothing to be found.
    if document.root is None or next(kept.glob("*/*.edges"), None) is None:
        return {}
    try:
        return Snapshots(kept, renderer_name()).find_edges(document) or {}
    except (InputError, OSError):
        return {}


def in_words(line: Line) -> str:
    """Return the value as the panel writes it."""
    if line.score.value is None:
        return "–"
    return f"{line.score.value:.0f}" if line.measure.is_count else f"{line.score.value:.3f}"


def tool_tip(line: Line) -> str:
    """Return what a measure is, and what is a word to it."""
    unit = _words_are(line)
    return f"{line.measure.sentence}\n{unit}" if unit else line.measure.sentence


def _words_are(line: Line) -> str:
    """Return what a word is in scripts without blanks; "" for a measure that counts none."""
    text = UNIT_TEXT[WORD_UNITS[0]]
    return f"{text[:1].upper()}{text[1:]}." if line.measure.counts_words else ""


def explained(line: Line) -> str:
    """Return all there is to say of a number: what it is, how it is worked out, by whom."""
    parts = [*line.measure.explanation, *filter(None, [_words_are(line)])]
    if line.score.value is None:
        parts.append(_NO_EDGES if Need.EDGES in line.measure.needs else _NO_VALUE)
    return "\n".join(parts)
