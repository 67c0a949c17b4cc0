"""Measures of a table of scores: of text, of blocks, and time."""

from algorithms.measures.all_measures import BLOCK_MEASURES, TEXT_MEASURES, UNMARKED_MEASURES
from algorithms.measures.choice import main_measure
from algorithms.measures.measure import Family, Measure
from annotate.evaluation.tables.axes import OutputKind
from annotate.evaluation.tables.result_table import MARGIN, TIME

KINDS: tuple[OutputKind, ...] = ("extraction", "segmentation")

KIND_NAMES: dict[OutputKind, str] = {"extraction": "Main content", "segmentation": "Blocks"}

_TIME = Measure(
    base=TIME,
    label="Time (ms)",
    kind="text",
    family=Family.TIME,
    definition="milliseconds the method took on the page, reading it included",
    unit="ms",
    is_low_best=True,
)

_MARGIN = Measure(
    base=MARGIN,
    label="Over everything",
    kind="text",
    family=Family.UNMARKED,
    definition="how much better the method is than keeping everything, the method Plain, by the "
    "main measure",
)

MEASURES: dict[OutputKind, tuple[Measure, ...]] = {
    "extraction": (*TEXT_MEASURES, *UNMARKED_MEASURES, _MARGIN, _TIME),
    "segmentation": (*BLOCK_MEASURES, _TIME),
}

USUAL: dict[OutputKind, str] = {
    "extraction": main_measure("text").key,
    "segmentation": main_measure("blocks").key,
}
"""Default measures: those of the Methods panel."""


def measure(kind: OutputKind, key: str) -> Measure:
    """Return a measure by its key; `KeyError` if there is none."""
    return {each.key: each for each in MEASURES[kind]}[key]
