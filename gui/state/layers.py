"""Layers as the user arranges them: order, visibility, colour, opacity, level, solo."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from algorithms.core.attempt import GoldResults
from algorithms.core.batch import Setup
from algorithms.core.catalogue import has_method, method
from algorithms.levels import Level, level_of
from algorithms.params import Params
from annotate.evaluation.tables.axes import star_name
from annotate.evaluation.tables.method_colors import GOLD_COLORS, USUAL, color_of, line_of
from annotate.marks.gold import MAIN
from engine import bounds
from engine.errors import InputError
from engine.page import Input, Page

log = logging.getLogger(__name__)

_COLOR = re.compile("#[0-9a-fA-F]{6}")

GOLD_MAIN, GOLD_1, GOLD_2 = "gold-main", "gold-1", "gold-2"
GOLD_LAYERS: dict[str, Level] = {GOLD_MAIN: 0, GOLD_1: 1, GOLD_2: 2}
"""Key of each gold layer → the level of the marks it shows."""

DASHES = ("solid", "dashed", "dotted", "double")
"""Line styles; they change with the layer, so that colour is never the only sign."""


@dataclass(frozen=True)
class LayerState:
    """A row of the Methods panel.

    Attributes:
        key: ``gold-main``, ``gold-1``, ``gold-2`` or a method's key.
        name: What the panel calls it.
        color: ``#rrggbb``.
        dash: One of `DASHES`.
        visible: Drawn on the page.  A method's layer runs and is scored whether drawn or not.
        opacity: 0 to 1.
        level: Which level of blocks is drawn: 1, 2, or 0 for both.
        step: Which step of a method that works in rounds is drawn, from 1; 0 for its result.
            Not kept with the workspace.
        params, source: How the method runs; None for gold.
    """

    key: str
    name: str
    color: str
    dash: str = "solid"
    visible: bool = True
    opacity: float = 1.0
    level: Level = 0
    step: int = 0
    params: Params | None = None
    source: Input | None = None

    @property
    def is_gold(self) -> bool:
        """Whether the layer shows marks instead of a method's result."""
        return self.key in GOLD_LAYERS

    @property
    def is_changed(self) -> bool:
        """Whether its method does not have its published parameters."""
        return self.params is not None and bool(self.params.changed())

    @property
    def title(self) -> str:
        """Name, with a star if its parameters are not the published ones."""
        return star_name(self.name, self.is_changed)

    @property
    def legend_name(self) -> str:
        """Name used outside the Methods panel."""
        return f"Gold: {self.name[:1].lower()}{self.name[1:]}" if self.is_gold else self.title


def has_seen(layer: LayerState, page: Page, gold: GoldResults) -> bool:
    """Return whether a layer's method learned from the gold of a page."""
    if layer.params is None or layer.source is None:
        return False
    setup, blocks = Setup(layer.key, layer.params, layer.source), gold.block_gold
    if setup.is_extractor:
        return gold.text is not None and setup.has_seen(page, gold.text.text)
    return blocks is not None and setup.has_seen(page, blocks.texts)


def gold_layers() -> tuple[LayerState, ...]:
    """Return the three gold layers as a new workspace has them."""
    return (
        LayerState(GOLD_MAIN, "Main content", GOLD_COLORS[MAIN]),
        LayerState(GOLD_1, "Level 1 blocks", GOLD_COLORS[1], level=1),
        LayerState(GOLD_2, "Level 2 blocks", GOLD_COLORS[2], dash="dashed", level=2),
    )


def method_layer(key: str, *, visible: bool = False) -> LayerState:
    """Return a new layer for a method, in the method's own colour and line style."""
    entry = method(key)
    return LayerState(
        key,
        entry.name,
        color_of(key),
        line_of(key),
        visible=visible,
        params=entry.params(),
        source=entry.default_input(is_rendered=True),
    )


def with_method(layers: tuple[LayerState, ...], key: str) -> tuple[LayerState, ...]:
    """Return layers with a new one of a method, drawn, behind the last that gives the same."""
    kind = method(key).output
    alike = [n for n, each in enumerate(layers) if each.is_gold or method(each.key).output == kind]
    is_first = not any(not layers[n].is_gold for n in alike)
    index = len(layers) if is_first and kind == "segmentation" else max(alike, default=-1) + 1
    return (*layers[:index], method_layer(key, visible=True), *layers[index:])


def default_layers() -> tuple[LayerState, ...]:
    """Return gold and the usual methods, gleaner drawn: several at once hide the page."""
    methods = (method_layer(key, visible=key == "gleaner") for key in USUAL if has_method(key))
    return (*gold_layers(), *methods)


def to_records(layers: Sequence[LayerState]) -> list[dict[str, Any]]:
    """Return layers as JSON can keep them."""
    names = ("key", "color", "dash", "visible", "opacity", "level", "source")
    return [
        {name: getattr(layer, name) for name in names}
        | {"params": layer.params.as_dict() if layer.params else {}}
        for layer in layers
    ]


def from_records(records: Sequence[dict[str, Any]]) -> tuple[LayerState, ...]:
    """Return layers from stored settings, without damaged or unknown ones."""
    gold = {layer.key: layer for layer in gold_layers()}
    result: dict[str, LayerState] = {}
    for record in records:
        try:
            result[record["key"]] = _from_record(record, gold)
        except (InputError, KeyError, TypeError, ValueError, OverflowError) as error:
            log.info("a layer was left out: %s", error)
    missing = (layer for key, layer in gold.items() if key not in result)
    return (*missing, *result.values())


def _from_record(record: dict[str, Any], gold: dict[str, LayerState]) -> LayerState:
    key = record["key"]
    if not isinstance(key, str):
        raise TypeError(f"{key!r} is not a key")
    layer = gold[key] if key in gold else method_layer(key)
    params, source = layer.params, layer.source
    if params is not None:
        params = type(params)(**record["params"])
        source = record["source"] if record["source"] in get_args(Input) else source
    color, dash = str(record["color"]), str(record["dash"])
    if not _COLOR.fullmatch(color) or dash not in DASHES:
        raise ValueError(f"{color} {dash} cannot be drawn")
    return replace(
        layer,
        color=color,
        dash=dash,
        visible=bool(record["visible"]),
        opacity=bounds.number(record["opacity"], bounds.OPACITY),
        level=level_of(bounds.whole(record["level"], bounds.LEVEL)) or 0,
        params=params,
        source=source,
    )


def changed(layers: tuple[LayerState, ...], key: str, **changes: object) -> tuple[LayerState, ...]:
    return tuple(
        replace(layer, **changes) if layer.key == key else layer  # type: ignore[arg-type]
        for layer in layers
    )
