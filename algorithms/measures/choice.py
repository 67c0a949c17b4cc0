"""Measures looked up: by key, by the names ``--measures`` takes, by where they are shown."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from algorithms.measures.all_measures import (
    BLOCK_MEASURES,
    MEASURES,
    TEXT_MEASURES,
    UNMARKED_MEASURES,
)
from algorithms.measures.measure import (
    BlockMeasure,
    Family,
    Measure,
    MeasureKind,
    ScoredLevel,
    ShownIn,
    TextMeasure,
)
from engine.errors import InputError
from engine.words import no_such

M = TypeVar("M", bound=Measure)

_KNOWN = {measure.key: measure for measure in MEASURES}


def measure_of(key: str) -> Measure:
    """Return the measure of a key; of one from another Pagelet, nothing is known but its key."""
    return _KNOWN.get(key) or Measure(
        base=key,
        label=key,
        kind="blocks",
        family=Family.UNKNOWN,
        definition="this Pagelet does not know the measure",
    )


def main_measure(kind: MeasureKind) -> Measure:
    """Return the measure by which results of a kind are judged first."""
    return next(each for each in MEASURES if each.kind == kind and each.is_main)


def on_level(measure: Measure, level: ScoredLevel) -> Measure | None:
    """Return a measure of blocks on another level; None for one that has no levels."""
    same = (each for each in BLOCK_MEASURES if each.base == measure.base)
    return next((each for each in same if each.level == level), None)


def by_family(measures: Iterable[M], where: ShownIn) -> tuple[tuple[Family, tuple[M, ...]], ...]:
    """Return the measures that are shown somewhere, by family, in the order of their firsts."""
    result: dict[Family, list[M]] = {}
    for measure in measures:
        if measure.is_shown(where):
            result.setdefault(measure.family, []).append(measure)
    return tuple((family, tuple(members)) for family, members in result.items())


# By the names of the command line ----------------------------------------------------------


def groups_of(kind: MeasureKind) -> dict[str, tuple[str, ...]]:
    """Return the names of groups of measures of a kind, with the keys of their measures."""
    mine = [measure for measure in MEASURES if measure.kind == kind]
    names = dict.fromkeys(name for measure in mine for name in measure.groups)
    result = {name: tuple(m.key for m in mine if name in m.groups) for name in names}
    every = TEXT_MEASURES if kind == "text" else mine
    return {**result, f"all-{kind}": tuple(measure.key for measure in every)}


def text_measures(names: str) -> tuple[TextMeasure, ...]:
    """Return the measures of a list with commas; `InputError` names those there are."""
    return _chosen(names, "text", (*TEXT_MEASURES, *UNMARKED_MEASURES))


def block_measures(names: str) -> tuple[BlockMeasure, ...]:
    """Return the measures of a list with commas; `InputError` names those there are."""
    return _chosen(names, "blocks", BLOCK_MEASURES)


def no_measure(name: str, known: Iterable[str]) -> str:
    """Return the message for a name that is neither measure nor group."""
    return no_such("measure", name, known, "pagelet methods --measures")


def _chosen(names: str, kind: MeasureKind, measures: Sequence[M]) -> tuple[M, ...]:
    """Return the measures of a list with commas, each once."""
    groups = groups_of(kind)
    known = {measure.key: measure for measure in measures}
    chosen: dict[str, M] = {}
    for name in map(str.strip, names.split(",")):
        for key in groups.get(name, (name,)):
            if key not in known:
                raise InputError(no_measure(key, (*groups, *known)))
            chosen[key] = known[key]
    return tuple(chosen.values())
