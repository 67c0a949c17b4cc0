"""Layers as the user arranges them: order, visibility, colour, opacity, level, solo."""

from dataclasses import dataclass, replace

from algorithms.catalogue import METHODS, method

from algorithms.params import Params
from engine.page import Input

GOLD_MAIN, GOLD_1, GOLD_2 = "gold-main", "gold-1", "gold-2"
GOLD_LAYERS = {GOLD_MAIN: 0, GOLD_1: 1, GOLD_2: 2}
"""Key of each gold layer → the level of the marks it shows."""

COLORS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9",
    "#7A4FBF", "#8C6D1F", "#C2185B", "#2E7D32", "#455A64",
)  # fmt: skip
"""Colours of method layers: Okabe and Ito's set for colour-blind readers, then darker ones."""

DASHES = ("solid", "dashed", "dotted", "double")
"""Line styles; they change with the layer, so that colour is never the only sign."""


@dataclass(frozen=True)
class LayerState:
    """One row of the Layers panel.

    Attributes:
        key: ``gold-main``, ``gold-1``, ``gold-2`` or a method's key.
        name: What the panel calls it.
        color: ``#rrggbb``.
        dash: One of `DASHES`.
        visible: Drawn on the page.  A method's layer runs and is scored whether drawn or not.
        opacity: 0 to 1.
        level: Which level of blocks is drawn: 1, 2, or 0 for both.
        params, source: How the method runs; None for gold.
    """

    key: str
    name: str
    color: str
    dash: str = "solid"
    visible: bool = True
    opacity: float = 1.0
    level: int = 0
    params: Params | None = None
    source: Input | None = None

    @property
    def is_gold(self) -> bool:
        """Whether the layer shows marks instead of a method's result."""
        return self.key in GOLD_LAYERS


def gold_layers() -> tuple[LayerState, ...]:
    """Return the three gold layers as a new workspace has them."""
    return (
        LayerState(GOLD_MAIN, "Main content", "#E69F00"),
        LayerState(GOLD_1, "Level 1 blocks", "#B35900", level=1),
        LayerState(GOLD_2, "Level 2 blocks", "#8A6A00", dash="dashed", level=2),
    )


def method_layer(key: str, place: int, *, visible: bool = False) -> LayerState:
    """Return a new layer for a method; ``place`` among the methods picks colour and line style."""
    entry = method(key)
    return LayerState(
        key,
        entry.name,
        COLORS[place % len(COLORS)],
        DASHES[place % len(DASHES)],
        visible=visible,
        params=entry.params(),
        source=entry.inputs[-1] if entry.on_page else "dom",
    )


def default_layers() -> tuple[LayerState, ...]:
    """Return gold and one layer a method, WebTerrain and content code blurring drawn."""
    drawn = ("webterrain", "accb")
    methods = (
        method_layer(entry.key, place, visible=entry.key in drawn)
        for place, entry in enumerate(METHODS)
    )
    return (*gold_layers(), *methods)


def changed(layers: tuple[LayerState, ...], key: str, **changes: object) -> tuple[LayerState, ...]:
    """Return ``layers`` with one of them changed."""
    return tuple(
        replace(layer, **changes) if layer.key == key else layer  # type: ignore[arg-type]
        for layer in layers
    )
