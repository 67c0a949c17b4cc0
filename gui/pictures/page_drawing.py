"""One page with its layers as a value: its picture, and the position of each layer on it.

Made from what the window draws (`gui.page.overlay.specs`), measured in the page itself, so that
pictures of all kinds show what the window shows.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage

from engine.geometry import Box
from gui.page.overlay.specs import DRAFTS, LayerSpec
from resources import read_text

_SHAPES = "js/shapes.js"
_GROUND, _GROUNDS = 0.16, 0.4
"""How strong the ground of a text is at most, and those of all layers together."""


@dataclass(frozen=True)
class DrawnBox:
    """A box of a layer.

    Attributes:
        box: What it goes around.
        color, dash, weight: Of its line: ``#rrggbb``, one of `gui.state.layers.DASHES`, px.
        fill: How strong its ground is, 0 to 1.
        label: What it is; "" for nothing.
        name: x, y and width of the label; None where none is written.
    """

    box: Box
    color: str
    dash: str
    weight: float
    fill: float
    label: str = ""
    name: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class DrawnLayer:
    """A layer with its boxes on the page.

    Attributes:
        key, name: Of the layer.
        note: What else is said of it, such as its score.
        color, dash, opacity: As in `gui.state.layers.LayerState`.
        boxes: Its boxes.
        lines: Its lines of text.
        ground: How strong the ground of its texts is, 0 to 1.
        index: How many layers with texts lie below it: their lines go one below the other.
    """

    key: str
    name: str
    note: str
    color: str
    dash: str
    opacity: float
    boxes: tuple[DrawnBox, ...] = ()
    lines: tuple[Box, ...] = ()
    ground: float = _GROUND
    index: int = 0

    @property
    def title(self) -> str:
        """Name and note."""
        return f"{self.name} · {self.note}" if self.note else self.name


@dataclass(frozen=True, eq=False)
class PageDrawing:
    """A page with its layers.

    Attributes:
        title, address: What it calls itself, and where it is from.
        image: What it looks like without layers; one px a CSS px.
        layers: The lowest first.
    """

    title: str
    address: str
    image: QImage
    layers: tuple[DrawnLayer, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px."""
        return self.image.width(), self.image.height()


def png_of(image: QImage) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    # The stubs declare bytes where PySide6 expects text.
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def measuring(specs: Sequence[LayerSpec]) -> str:
    """Return the script that measures layers, for `drawing_of`.

    It is for a page that has its overlay and is scrolled to its top.
    """
    return f"({read_text(_SHAPES)})({json.dumps(list(specs))})"


def drawing_of(
    image: QImage,
    specs: Sequence[LayerSpec],
    shapes: Sequence[Mapping[str, Any]],
    names: Mapping[str, tuple[str, str]],
    title: str,
    address: str,
) -> PageDrawing:
    """Return a page with its layers.

    Args:
        image: The page without layers, from its top down.
        specs: The layers, the lowest first.
        shapes: Where they lie, as `measuring` finds out.
        names: Layer → name and note.
        title, address: Of the page.
    """
    texts = sum(bool(shape["lines"]) for shape in shapes)
    ground = min(_GROUND, _GROUNDS / max(1, texts))
    size = image.width(), image.height()
    layers: list[DrawnLayer] = []
    below = 0
    for spec, shape in zip(specs, shapes, strict=True):
        key = str(spec["id"])
        name, note = names.get(key.removesuffix(DRAFTS), (key.replace("-", " ").capitalize(), ""))
        if key.endswith(DRAFTS):
            name = f"{name}, drafts"
        pairs = zip(spec["boxes"], shape["boxes"], strict=True)
        boxes = (_box(spec, box, result, size) for box, result in pairs if result is not None)
        drawn = tuple(box for box in boxes if box is not None)
        inside = (_inside(tuple(line), size) for line in shape["lines"])
        lines = tuple(line for line in inside if line is not None)
        looks = (spec["color"], spec["dash"], float(spec["opacity"]))
        layers.append(DrawnLayer(key, name, note, *looks, drawn, lines, ground, below))
        below += bool(lines)
    return PageDrawing(title, address, image, tuple(layers))


def _box(
    spec: LayerSpec, box: LayerSpec, result: Mapping[str, Any], size: tuple[int, int]
) -> DrawnBox | None:
    inside = _inside(tuple(result["box"]), size)
    if inside is None:
        return None
    color, dash = box.get("color") or spec["color"], box.get("dash") or spec["dash"]
    weight = max(float(box.get("weight") or 2.0), 3.0 if dash == "double" else 0.0)
    name = tuple(result["name"]) if result["name"] else None
    fill = float(box.get("fill") or 0.0)
    return DrawnBox(inside, color, dash, weight, fill, box["label"], name)


def _inside(box: Box, size: tuple[int, int]) -> Box | None:
    """Return the part of a box that is in the picture; None for none."""
    left, top = max(0.0, box[0]), max(0.0, box[1])
    right, bottom = min(box[0] + box[2], size[0]), min(box[1] + box[3], size[1])
    return (left, top, right - left, bottom - top) if right > left and bottom > top else None
