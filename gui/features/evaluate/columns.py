"""Conversion of layers to table columns, and of a cell to the layers that show it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np

from algorithms.core.catalogue import available, on_sites
from algorithms.levels import Level
from algorithms.measures.measure import Measure
from annotate.evaluation.run.open_pages import names_of
from annotate.evaluation.tables.axes import Column, ListedPage, OutputKind
from annotate.evaluation.tables.result_table import NOT_RUN, Results
from engine.document import Document
from engine.page import Input
from engine.tree import Bools
from engine.words import plural
from gui.features.evaluate.measures import KIND_NAMES, MEASURES
from gui.features.evaluate.run_state import Request
from gui.state.layers import GOLD_1, GOLD_2, GOLD_MAIN, LayerState, method_layer
from gui.state.session import Session
from gui.widgets.choice_popup import PopupEntry

ON_SITES = "Main content, from the page and its site"


def column_of(layer: LayerState) -> Column:
    """Return the column of a method's layer."""
    assert layer.params is not None, "gold has no column"
    parameters = json.dumps(layer.params.as_dict())
    return Column.of(layer.key, parameters, str(layer.source))


def columns_of(layers: Sequence[LayerState], chosen: Sequence[str] | None) -> tuple[Column, ...]:
    """Return the columns of the chosen methods, with the settings of their layers if they have one.

    None chooses the methods of the layers.
    """
    there = {layer.key: layer for layer in layers if not layer.is_gold}
    keys = there.keys() if chosen is None else chosen
    return tuple(column_of(there.get(key) or method_layer(key)) for key in keys)


def entries(chosen: Sequence[str], *, with_sites: bool = False) -> list[PopupEntry]:
    """Return all available methods; those on sites if pages have siblings."""
    kinds: dict[str, OutputKind] = {"extraction": "extraction", "segmentation": "segmentation"}
    return [
        PopupEntry(
            entry.key, entry.name, entry.summary or entry.cite,
            ON_SITES if entry.reads_site else KIND_NAMES[kinds[entry.output]],
            entry.key in chosen,
        )
        for entry in (*available(), *(on_sites() if with_sites else ()))
    ]  # fmt: skip


def lend(
    session: Session,
    drawn: Sequence[Column],
    of: Measure | None = None,
    document: Document | None = None,
) -> None:
    """Show these methods, the first of them current; a key restores the user's layers.

    ``of`` gives the levels of blocks that count, ``document`` the page; else the usual ones.
    """
    layers = layers_for(session.layers.all, drawn, of or MEASURES[drawn[0].kind][0])
    session.layers.lend_layers(layers, document)
    session.layers.set_current_layer(drawn[0].method)


def layers_for(
    layers: Sequence[LayerState], columns: Sequence[Column], of: Measure
) -> tuple[LayerState, ...]:
    """Return layers that show exactly these methods, and the gold they were scored by.

    Methods get the parameters and the input they were scored with; one without a layer gets one.
    ``of`` gives the levels of blocks that counted.
    """
    remaining = {column.method: column for column in columns}
    is_blocks = any(column.kind == "segmentation" for column in columns)
    gold = {"1": {GOLD_1}, "2": {GOLD_2}}.get(of.level, {GOLD_1, GOLD_2})
    level: Level = 1 if of.level == "1" else 2 if of.level == "2" else 0
    result = []
    for layer in layers:
        column = remaining.pop(layer.key, None)
        if layer.is_gold:
            is_drawn = layer.key in gold if is_blocks else layer.key == GOLD_MAIN
            result.append(replace(layer, visible=is_drawn))
        elif column is None:
            result.append(replace(layer, visible=False))
        else:
            result.append(_set_up(layer, column, level))
    others = (_set_up(method_layer(each.method), each, level) for each in remaining.values())
    return (*result, *others)


def _set_up(layer: LayerState, column: Column, level: Level) -> LayerState:
    assert layer.params is not None
    changes = {"params": type(layer.params)(**column.values), "visible": True, "level": level}
    if column.input in get_args(Input):
        changes["source"] = column.input
    return replace(layer, **changes)  # type: ignore[arg-type]


def pages_of(
    documents: Sequence[Document], titles: Sequence[str], dataset: str
) -> list[ListedPage]:
    """Return documents as rows of a table, each with a unique name."""
    names = names_of(documents)
    return [
        ListedPage(dataset, name, title, document.home or document.address)
        for document, name, title in zip(documents, names, titles, strict=True)
    ]


def index_of(page: ListedPage, pages: Sequence[ListedPage], documents: Sequence[Document]) -> int:
    """Return the index of the document of a table's page, by its name; -1 if there is none."""
    names = [other.name for other in pages]
    titles = [document.title for document in documents]
    return next((known.index(page.name) for known in (names, titles) if page.name in known), -1)


@dataclass(frozen=True)
class RunOffer:
    """Text of the run button, and the request it would run."""

    words: str
    request: Request | None


def offer(table: Results, columns: Sequence[Column]) -> RunOffer:
    """Return the most useful run: missing scores first, then outdated ones."""
    every = tuple(range(len(table.pages)))
    if not columns or not every:
        return RunOffer("Run", None)
    indices = [table.column(column) for column in columns]
    missing = table.status[:, indices] == NOT_RUN
    if missing.all():
        return RunOffer("Run", Request(every, tuple(columns)))
    new = missing.all(axis=0)
    if new.any() and not missing[:, ~new].any():
        return RunOffer(f"Run {plural(int(new.sum()), 'new method')}", _request(missing, columns))
    if missing.any():
        left = plural(int(missing.any(axis=1).sum()), "page")
        return RunOffer(f"Go on: {left} left", _request(missing, columns))
    stale = table.stale[:, indices] != 0
    if stale.any():
        changed = plural(int(stale.any(axis=1).sum()), "changed page")
        return RunOffer(f"Run {changed}", _request(stale, columns))
    return RunOffer("Run again", Request(every, tuple(columns)))


def _request(selected: Bools, columns: Sequence[Column]) -> Request:
    """Return the request for the selected cells, bool (pages, columns)."""
    pages = np.flatnonzero(selected.any(axis=1)).tolist()
    there = np.flatnonzero(selected.any(axis=0)).tolist()
    left_out = {(page, columns[k]) for page in pages for k in there if not selected[page, k]}
    return Request(tuple(pages), tuple(columns[k] for k in there), frozenset(left_out))
