"""Figure of any method that explains itself: values and decisions of each rule along the page."""

from dataclasses import replace

import numpy as np

from algorithms.figures.figure import Bands, Figure, Threshold, items
from algorithms.params import Params
from algorithms.plugins.figure.source_reading import (
    MethodReading,
    bars_of,
    gold_bands,
    kept_or_not,
    quote,
)
from algorithms.signals.stretches import stretches
from algorithms.trace import Step, Trace, step
from engine.words import sentence


def of_trace(
    reading: MethodReading, trace: Trace, params: Params, *, of_rows: bool = False
) -> tuple[Figure, ...]:
    """Return a figure for each step that measures something.

    Methods that segment ask the same again, round by round: that is one figure, of rows as they
    were asked last.
    """
    measured = [each for each in trace.steps if len(each) and np.isfinite(each.values).any()]
    if of_rows:
        alike: dict[str, list[Step]] = {}
        for each in measured:
            alike.setdefault(each.rule.asks, []).append(each)
        measured = [_last_of(steps) for steps in alike.values()]
    return tuple(_figure(reading, each, params, of_rows) for each in measured)


def _last_of(steps: list[Step]) -> Step:
    """Return steps that ask the same as one, of each place the last."""
    if len(steps) == 1:
        return steps[0]
    last = {
        tuple(position): (each, k)
        for each in steps
        for k, position in enumerate(each.places.tolist())
    }
    return step(
        steps[-1].rule,
        list(last),
        [bool(each.kept[k]) for each, k in last.values()],
        [float(each.values[k]) for each, k in last.values()],
        [float(each.thresholds[k]) for each, k in last.values()],
        tuple(each.notes[k] if each.notes else "" for each, k in last.values()),
    )


def kept_and_dropped(reading: MethodReading, trace: Trace) -> Figure:
    """Return the kept words along a page, for a method without measured values."""
    positions = stretches(reading.source, trace.kept)
    is_kept = trace.kept[positions[:, 0]] if len(positions) else np.zeros(0, dtype=bool)
    low, high = positions.T.astype(np.float64)
    length = high - low
    labels = tuple(
        f"{quote(reading.source, first, last)} · "
        + "; ".join(each.sentence for each in trace.decisions(first)[-1:])
        for first, last in positions.tolist()
    )
    return Figure(
        "What is kept",
        "words of the page",
        "words between two tags",
        bars=bars_of(low, length, length, kept_or_not(is_kept)),
        bands=_gold(reading),
        items=items(low, high, length, positions, labels),
    )


def _gold(reading: MethodReading) -> tuple[Bands, ...]:
    words = np.arange(0 if reading.gold is None else reading.gold.size)
    return gold_bands(reading.gold, words, words + 1)


def _figure(reading: MethodReading, asked: Step, params: Params, of_rows: bool) -> Figure:
    order = np.argsort(asked.places[:, 0], kind="stable")
    positions, is_kept = asked.places[order], asked.kept[order]
    values = np.where(np.isfinite(asked.values[order]), asked.values[order], 0.0)
    low, high = positions.T.astype(np.float64)
    # Notes computed on demand take a run each: the Why panel has those.
    brief = asked if isinstance(asked.notes, tuple) else replace(asked, notes=())
    labels = tuple(_label(reading, brief, k, of_rows) for k in order.tolist())
    asks = asked.rule.asks.rstrip(",:")
    return Figure(
        sentence(asks),
        "rows of the page" if of_rows else "words of the page",
        asks,
        bars=bars_of(low, high - low, values, kept_or_not(is_kept)),
        bands=() if of_rows else _gold(reading),
        thresholds=_threshold(asked, params),
        items=items(low, high, values, positions, labels),
        of_rows=of_rows,
    )


def _threshold(asked: Step, params: Params) -> tuple[Threshold, ...]:
    """Return the threshold where it is the same everywhere; moved by the parameter it equals."""
    limits = np.unique(asked.thresholds[np.isfinite(asked.thresholds)])
    if limits.size != 1:
        return ()
    at = float(limits[0])
    name = next(iter(asked.rule.parameters), "")
    now = getattr(params, name, None) if name else None
    is_direct = isinstance(now, int | float) and not isinstance(now, bool) and now == at
    words = {">": "kept above", ">=": "kept from", "<": "kept below", "<=": "kept up to"}
    shown = words.get(asked.rule.keeps, "compared with")
    return (Threshold(shown, at, "y", name if is_direct else ""),)


def _label(reading: MethodReading, asked: Step, index: int, of_rows: bool) -> str:
    text = asked.sentence(index)
    if of_rows or reading.read is None:
        return text
    return f"{quote(reading.read, *asked.places[index].tolist())} · {text}"
