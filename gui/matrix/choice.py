"""From layers to columns of a table, and from a cell back to the layers that show it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import get_args

from algorithms.catalogue import available
from engine.document import Document
from engine.page import Input
from gui.layers import GOLD_1, GOLD_2, GOLD_MAIN, LayerState, method_layer
from gui.matrix.measures import KIND_NAMES, Kind, Measure
from gui.matrix.popup import Entry
from gui.matrix.running import Request
from gui.matrix.scores import NOT_RUN, Column, Page, ScoreTable, canonical


def column_of(layer: LayerState) -> Column:
    """Return the column of a method's layer."""
    assert layer.params is not None, "gold has no column"
    parameters = canonical(json.dumps(layer.params.as_dict()))
    return Column(layer.key, parameters, str(layer.source))


def columns_of(layers: Sequence[LayerState], chosen: Sequence[str] | None) -> tuple[Column, ...]:
    """Return the columns of the chosen methods, set up as their layers are where they have one.

    None chooses the methods of the layers.
    """
    there = {layer.key: layer for layer in layers if not layer.is_gold}
    keys = there.keys() if chosen is None else chosen
    found = (there.get(key) or method_layer(key, 0) for key in keys)
    return tuple(column_of(layer) for layer in found)


def entries(chosen: Sequence[str]) -> list[Entry]:
    """Return all methods there are, to choose from."""
    kinds: dict[str, Kind] = {"extraction": "extraction", "segmentation": "segmentation"}
    return [
        Entry(
            entry.key, entry.name, entry.summary or entry.cite,
            KIND_NAMES[kinds[entry.output]], entry.key in chosen,
        )
        for entry in available()
    ]  # fmt: skip


def layers_for(
    layers: Sequence[LayerState], columns: Sequence[Column], of: Measure
) -> tuple[LayerState, ...]:
    """Return the layers so that exactly these methods are drawn, and the gold they were scored by.

    Methods get the parameters and the input they were scored with; one without a layer gets one.
    ``of`` says which levels of blocks counted.
    """
    wanted = {column.method: column for column in columns}
    is_blocks = any(column.kind == "segmentation" for column in columns)
    gold = {"1": {GOLD_1}, "2": {GOLD_2}}.get(of.level, {GOLD_1, GOLD_2})
    level = int(of.level) if of.level in ("1", "2") else 0
    found = []
    for layer in layers:
        column = wanted.pop(layer.key, None)
        if layer.is_gold:
            is_drawn = layer.key in gold if is_blocks else layer.key == GOLD_MAIN
            found.append(replace(layer, visible=is_drawn))
        elif column is None:
            found.append(replace(layer, visible=False))
        else:
            found.append(_set_up(layer, column, level))
    place = sum(not layer.is_gold for layer in layers)
    for extra, column in enumerate(wanted.values()):
        found.append(_set_up(method_layer(column.method, place + extra), column, level))
    return tuple(found)


def _set_up(layer: LayerState, column: Column, level: int) -> LayerState:
    assert layer.params is not None
    changes = {"params": type(layer.params)(**column.values), "visible": True, "level": level}
    if column.input in get_args(Input):
        changes["source"] = column.input
    return replace(layer, **changes)  # type: ignore[arg-type]


def pages_of(documents: Sequence[Document], titles: Sequence[str], dataset: str) -> list[Page]:
    """Return documents as rows of a table, each with a name of its own."""
    names = [document.path or document.address for document in documents]
    if len(set(names)) < len(names):
        names = [document.address for document in documents]
    if len(set(names)) < len(names):
        names = [f"{place}: {name}" for place, name in enumerate(names, 1)]
    return [
        Page(dataset, name, title, document.home or document.address)
        for document, name, title in zip(documents, names, titles, strict=True)
    ]


@dataclass(frozen=True)
class Offer:
    """What a click on the button would run, and what the button says."""

    words: str
    request: Request | None


def offer(table: ScoreTable, columns: Sequence[Column]) -> Offer:
    """Return the most sensible thing to run next: what is missing, then what has changed."""
    every = tuple(range(len(table.pages)))
    if not columns or not every:
        return Offer("Run", None)
    places = [table.column(column) for column in columns]
    missing = table.status[:, places] == NOT_RUN
    pages = tuple(missing.any(axis=1).nonzero()[0].tolist())
    lacking = tuple(c for c, is_missing in zip(columns, missing.any(axis=0), strict=True)
                    if is_missing)  # fmt: skip
    if missing.all():
        return Offer("Run", Request(every, tuple(columns)))
    new = missing.all(axis=0)
    if pages and not missing[:, ~new].any():
        words = f"Run {len(lacking)} new method{'s' * (len(lacking) > 1)}"
        return Offer(words, Request(every, lacking))
    if pages:
        return Offer(f"Go on: {_pages(len(pages))} left", Request(pages, lacking))
    stale = tuple(table.stale.nonzero()[0].tolist())
    if stale:
        return Offer(f"Run {_pages(len(stale), 'changed ')}", Request(stale, tuple(columns)))
    return Offer("Run again", Request(every, tuple(columns)))


def _pages(count: int, kind: str = "") -> str:
    return f"{count} {kind}page{'s' * (count > 1)}"
