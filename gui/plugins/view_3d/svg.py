"""Page in 3-D as SVG: the page's picture once, as a pattern that fills all plates."""

import base64
from xml.etree import ElementTree as ET

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QImageWriter, QTransform

from engine.tree import Doubles
from gui.plugins.view_3d.drawing import Paint, Walls, map_of, origin_of
from gui.plugins.view_3d.scene import Projection, Scene

_NS = "http://www.w3.org/2000/svg"


def as_svg(
    scene: Scene, projection: Projection, texture: QImage, paint: Paint, ground: str
) -> bytes:
    """Return a scene as one SVG file, as drawn by `gui.plugins.view_3d.drawing.draw`.

    Args:
        scene: Scene to draw.
        projection: Projection of the scene.
        texture: The page's picture with the plates' colours.
        paint: Colours of the walls.
        ground: ``#rrggbb`` of the background.
    """
    size = f"{projection.width} {projection.height}"
    root = ET.Element("svg", xmlns=_NS, viewBox=f"0 0 {size}")
    for name, side in (("width", projection.width), ("height", projection.height)):
        root.set(name, str(side))
    pattern = ET.SubElement(
        ET.SubElement(root, "defs"), "pattern", id="page", patternUnits="userSpaceOnUse",
        width=str(texture.width()), height=str(texture.height()),
    )  # fmt: skip
    picture = ET.SubElement(pattern, "image", href=_data(texture))
    picture.set("width", str(texture.width()))
    picture.set("height", str(texture.height()))
    sides = {"width": str(projection.width), "height": str(projection.height)}
    ET.SubElement(root, "rect", sides, fill=ground)
    walls = [Walls(projection, side) for side in (0, 1)]
    for level, (part, piece) in enumerate(zip(scene.slices, scene.piece_slices, strict=True)):
        if level:
            for wall in walls:
                for color, rects, way in wall.rects(
                    level, scene.boxes[part], paint.of_plate[part], paint.colors
                ):
                    _add(root, way, rects, color)
        way = map_of(projection.camera.base, origin_of(projection, level))
        _add(root, way, scene.pieces[piece], "url(#page)")
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root)


def _add(root: ET.Element, way: QTransform, boxes: Doubles, fill: str) -> None:
    if not len(boxes):
        return
    values = (way.m11(), way.m12(), way.m21(), way.m22(), way.dx(), way.dy())
    matrix = " ".join(f"{value:.5g}" for value in values)
    corners = np.round(boxes, 3).tolist()
    path = "".join(f"M{a:g} {b:g}H{c:g}V{d:g}H{a:g}Z" for a, b, c, d in corners)
    ET.SubElement(root, "path", transform=f"matrix({matrix})", d=path, fill=fill)


def _data(image: QImage) -> str:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return "data:image/png;base64," + base64.b64encode(buffer.data().data()).decode()
