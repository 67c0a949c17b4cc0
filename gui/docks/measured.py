"""All measures of one result, worked out away from the window, and what is said of each number."""

from collections.abc import Mapping
from dataclasses import dataclass

from algorithms.measures.definitions import definition_of
from algorithms.measures.named import TEXT_MEASURES, Comparison, GoldText, TextMeasure
from algorithms.measures.named_blocks import BLOCK_MEASURES, BlockComparison, BlockMeasure
from algorithms.measures.prf import Score
from algorithms.measures.regions import confusion
from algorithms.results import Extraction, Result
from annotate.gold import MAIN, Gold
from engine.document import Document
from engine.errors import InputError
from engine.page import Page
from engine.snapshots import Snapshots, default_folder
from engine.tree import Bools
from gui.evaluation.tables import renderer_name

LEVEL_NAMES = {0: "both levels", 1: "level 1", 2: "level 2"}

_B3 = "pixels", "edges-fine", "edges-coarse", "nodes", "chars"
_B3_NAMES = "Pixels", "Pixels on fine edges", "On coarse edges", "Nodes", "Characters"
BLOCK_GROUPS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "B-cubed",
        tuple((f"b3-{on}", name) for on, name in zip(_B3, _B3_NAMES, strict=True)),
    ),
    ("B-cubed, the larger of P and R", tuple(
        (f"b3-{on}-max", name) for on, name in zip(_B3, _B3_NAMES, strict=True)
    )),
    ("Partitions", (
        ("ari-words", "Rand index, words"), ("ari-pixels", "Rand index, pixels"),
        ("nmi-words", "Shared information √, words"),
        ("nmi-pixels", "Shared information √, pixels"),
        ("nmi-words-arithmetic", "Shared information ½Σ, words"),
        ("nmi-pixels-arithmetic", "Shared information ½Σ, pixels"),
    )),
    ("Areas", (("iou-50", "Shared area from .5 (IoU)"), ("iou-75", "Shared area from .75 (IoU)"))),
    ("What became of the marked blocks", (
        ("right", "Right"), ("split", "Over-segmented"), ("merged", "Under-segmented"),
        ("missed", "Missed"), ("false", "Found where nothing is marked"),
    )),
    ("Types", (("types", "Right type"),)),
)  # fmt: skip
"""Headings, and below each the measures (key, what the panel calls it) that are not above them:
Kreuzer's two have a table of their own."""

TEXT_GROUPS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("Places and runs of words", (
        ("cetr", "Word places"), ("shingles", "Runs of four words"), ("rouge-lsum", "Lines"),
    )),
    ("One number", (("cleaneval", "CleanEval"), ("identical", "Identical"))),
)  # fmt: skip

_NO_EDGES = (
    "Not known here: it needs the edges in a picture of the page, which are kept when the page is "
    "evaluated with this measure."
)
_NO_VALUE = "It has no value here."


@dataclass(frozen=True)
class Line:
    """One measure with its score.

    Attributes:
        key: Of the measure, level included.
        name: What the panel calls it.
        what: What it is, in a sentence.
        score: What came out.
        is_count: Whether the value is a number of blocks.
    """

    key: str
    name: str
    what: str
    score: Score
    is_count: bool = False

    @property
    def is_larger(self) -> bool:
        """Whether the value is the larger of precision and recall."""
        return "-max" in self.key


@dataclass(frozen=True)
class Measured:
    """All measures of one result.

    Attributes:
        groups: Headings, and the lines below each.
        types: How often a marked type was given a found type; empty for texts.
    """

    groups: tuple[tuple[str, tuple[Line, ...]], ...]
    types: Mapping[tuple[str, str], int]


def groups_of(result: Result) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return headings and measures that fit a result."""
    return TEXT_GROUPS if isinstance(result, Extraction) else BLOCK_GROUPS


def measure_all(
    page: Page, gold: Gold, result: Result, level: int, document: Document | None = None
) -> Measured | None:
    """Work out all measures of a result; None where nothing of its kind is marked.

    Blocks are compared on ``level``, 0 for both.  ``document`` tells where edges may be known.
    Costs up to some 100 ms: for a pool thread.
    """
    if isinstance(result, Extraction):
        return _of_text(page, gold, result)
    if not gold.of_level(1) and not gold.of_level(2):
        return None
    edges = known_edges(document) if document is not None else {}
    return _of_blocks(BlockComparison(result, gold.as_segmentation(page), edges=edges), level)


def _of_text(page: Page, gold: Gold, result: Extraction) -> Measured | None:
    if not gold.of_level(MAIN):
        return None
    wanted = gold.as_extraction(page)
    pair = Comparison(result, GoldText(wanted.text, wanted.source))
    known = {each.key: each for each in TEXT_MEASURES}
    return Measured(
        tuple(
            (title, tuple(_line(known[key], name, known[key].score(pair)) for key, name in rows))
            for title, rows in TEXT_GROUPS
        ),
        {},
    )


def _of_blocks(pair: BlockComparison, level: int) -> Measured:
    known = {each.key: each for each in BLOCK_MEASURES}
    end = f"-{level}" if level else ""
    groups = []
    for title, rows in BLOCK_GROUPS:
        found = [(known[key + end], name) for key, name in rows]
        groups.append((title, tuple(_line(each, name, each.score(pair)) for each, name in found)))
    return Measured(tuple(groups), confusion(pair.overlaps(str(level) if level else "all")))


def _line(measure: TextMeasure | BlockMeasure, name: str, score: Score) -> Line:
    return Line(measure.key, name, measure.definition, score, getattr(measure, "is_count", False))


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
    return f"{line.score.value:.0f}" if line.is_count else f"{line.score.value:.3f}"


def explained(line: Line) -> str:
    """Return all there is to say of a number: what it is, how it is worked out, by whom."""
    found = definition_of(line.key)
    what = line.what[:1].upper() + line.what[1:]
    parts = [f"{what}.", found.formula, found.corners, f"Source: {found.source}."]
    if line.score.value is None:
        is_edges = "edges" in line.key
        parts.append(_NO_EDGES if is_edges else _NO_VALUE)
    return "\n".join(parts)
