"""All measures of one result, computed in the background, with explanations of each number."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from algorithms.core.attempt import BlockGold
from algorithms.core.batch import Scored, score_blocks, score_extraction
from algorithms.levels import Level
from algorithms.measures.all_measures import BLOCK_MEASURES, TEXT_MEASURES
from algorithms.measures.block_comparison import BlockComparison
from algorithms.measures.choice import by_family
from algorithms.measures.measure import Measure, Need, ShownIn
from algorithms.measures.prf import Score
from algorithms.measures.regions import confusion
from algorithms.measures.text_comparison import GoldText
from algorithms.results import Extraction, Result, Segmentation
from annotate.marks.gold import Gold
from engine.document import Document
from engine.errors import InputError
from engine.page import Page
from engine.page_cache import Snapshots, default_folder
from engine.tree import Bools
from engine.web.renderer import renderer_name
from engine.word_units import UNIT_TEXT, WORD_UNITS

LEVEL_NAMES = {0: "both levels", 1: "level 1", 2: "level 2"}

_NO_EDGES = (
    "it needs the edges in a picture of the page, which are stored when the page is evaluated with "
    "this measure"
)
_NO_VALUE = "It has no value here."


@dataclass(frozen=True)
class Line:
    """Measure with its score.

    Attributes:
        measure: On the level used.
        score: Its score.
        why_none: Why it has no value on this page in an evaluation; "" if it has one.
    """

    measure: Measure
    score: Score
    why_none: str = ""

    @property
    def key(self) -> str:
        """Key of the measure, level included."""
        return self.measure.key

    @property
    def name(self) -> str:
        """Label in the panel, below the name of its family."""
        return self.measure.panel_label

    @property
    def has_parts(self) -> bool:
        """Whether precision and recall are shown beside the value."""
        return self.measure.is_f1 and self.score.precision is not None


@dataclass(frozen=True)
class LayerMeasures:
    """All measures of one result.

    Attributes:
        groups: Headings with their lines.
        types: Counts of marked and found types; empty for texts.
    """

    groups: tuple[tuple[str, tuple[Line, ...]], ...]
    types: Mapping[tuple[str, str], int]

    @property
    def why_none(self) -> str:
        """Reason why measures have no value on this page, a sentence; "" where only edges lack."""
        lines = (line for _, of_family in self.groups for line in of_family)
        reasons = (line.why_none for line in lines if Need.EDGES not in line.measure.needs)
        result = next(filter(None, reasons), "")
        return f"Some measures have no value here: {result}." if result else ""


def measure_all(
    page: Page, gold: Gold, result: Result, level: Level, document: Document | None = None
) -> LayerMeasures | None:
    """Compute all measures of a result; None if nothing of its kind is marked.

    Blocks are compared on ``level``, 0 for both.  ``document`` locates stored edges.
    Costs up to some 100 ms: for a pool thread.
    """
    if isinstance(result, Extraction):
        return _of_text(page, gold, result)
    if not gold.sure.of_level(1) and not gold.sure.of_level(2):
        return None
    blocks = gold.blocks_as_results(page).block_gold
    assert blocks is not None
    edges = known_edges(document) if document is not None else {}
    return _of_blocks(result, replace(blocks, edges=edges, why_no_edges=_NO_EDGES), level)


def _of_text(page: Page, gold: Gold, result: Extraction) -> LayerMeasures | None:
    if not gold.has_main:
        return None
    marked = gold.as_extraction(page)
    families = by_family(TEXT_MEASURES, ShownIn.PANEL)
    shown = [each for _, members in families for each in members]
    scored = score_extraction(result, GoldText(marked.text, result.source), shown)
    return LayerMeasures(tuple((family, _lines(of, scored)) for family, of in families), {})


def _of_blocks(result: Segmentation, gold: BlockGold, level: Level) -> LayerMeasures:
    on = str(level) if level else "all"
    families = by_family([each for each in BLOCK_MEASURES if each.level == on], ShownIn.PANEL)
    shown = [each for _, members in families for each in members]
    scored = score_blocks(result, gold, shown)
    types: Mapping[tuple[str, str], int] = {}
    if gold.blocks is not None:
        types = confusion(BlockComparison(result, gold.blocks).overlaps(on))
    return LayerMeasures(tuple((family, _lines(of, scored)) for family, of in families), types)


def _lines(measures: Iterable[Measure], scored: Scored) -> tuple[Line, ...]:
    return tuple(
        Line(each, scored.scores.get(each.key, Score(None)), scored.unscored.get(each.key, ""))
        for each in measures
    )


def known_edges(document: Document) -> Mapping[str, Bools]:
    """Return the edges in the page's picture if an evaluation has stored them, else none."""
    folder = default_folder()
    # Finding a page reads its folder: not if there is nothing to be found.
    if document.root is None or next(folder.glob("*/*.edges"), None) is None:
        return {}
    try:
        return Snapshots(folder, renderer_name()).find_edges(document) or {}
    except (InputError, OSError):
        return {}


def in_words(line: Line) -> str:
    """Return the value as shown in the panel."""
    if line.score.value is None:
        return "–"
    return f"{line.score.value:.0f}" if line.measure.is_count else f"{line.score.value:.3f}"


def tool_tip(line: Line) -> str:
    """Return the description of a measure, and its definition of a word."""
    unit = _words_are(line)
    return f"{line.measure.sentence}\n{unit}" if unit else line.measure.sentence


def _words_are(line: Line) -> str:
    """Return the definition of a word in scripts without blanks; "" if none are counted."""
    text = UNIT_TEXT[WORD_UNITS[0]]
    return f"{text[:1].upper()}{text[1:]}." if line.measure.counts_words else ""


def explain_score(line: Line) -> str:
    """Return the explanation of a score: meaning, computation, authors, and why it is missing."""
    parts = [*line.measure.explanation, *filter(None, [_words_are(line)])]
    if line.score.value is None:
        parts.append(f"No value here: {line.why_none}." if line.why_none else _NO_VALUE)
    return "\n".join(parts)
