"""Readers of boxes in XML: CVAT's own form for images, and Pascal VOC with the old LabelMe's."""

from pathlib import Path
from typing import Any

from lxml import etree

from annotate.plugins.exchange.file_marks import FileMarks, kind_of, picture_size
from annotate.plugins.exchange.reading import read_xml
from annotate.plugins.exchange.shapes import box_around
from engine.errors import InputError
from engine.geometry import Box


def read_cvat(path: Path) -> FileMarks:
    """Return the boxes, ellipses, polygons and masks of CVAT's own XML for images (1.1)."""
    root = read_xml(path, "CVAT")
    if root.tag != "annotations":
        raise InputError(f"{path.name} is not a file of CVAT: it has no annotations")
    result = FileMarks()
    for image in root.iter("image"):
        page = image.get("name") or f"image {image.get('id', '')}"
        size = picture_size(_number(image.get("width")), _number(image.get("height")))
        result.aliases.setdefault(page, ())
        for shape in image:
            if not isinstance(shape.tag, str):
                continue
            with result.account.item(shape.get("label", "")):
                result.add_box(page, kind_of(shape.get("label")), _cvat_box(shape), size=size)
    for track in root.iter("track"):
        result.account.pass_over("a track of a video", track.get("label", ""))
    for other in root:
        if isinstance(other.tag, str) and other.tag not in ("version", "meta", "image", "track"):
            result.account.pass_over(f"an element {other.tag}, which is not read")
    return result


def _cvat_box(shape: Any) -> Box:  # noqa: ANN401
    if shape.tag == "box":
        x, y, right, bottom = (float(shape.attrib[name]) for name in ("xtl", "ytl", "xbr", "ybr"))
        return x, y, right - x, bottom - y
    if shape.tag == "ellipse":
        cx, cy, rx, ry = (float(shape.attrib[name]) for name in ("cx", "cy", "rx", "ry"))
        return cx - rx, cy - ry, 2 * rx, 2 * ry
    if shape.tag == "polygon":
        return box_around([each.split(",") for each in shape.attrib["points"].split(";")])
    if shape.tag == "mask":
        names = ("left", "top", "width", "height")
        left, top, width, height = (float(shape.attrib[name]) for name in names)
        return left, top, width, height
    if shape.tag == "tag":
        raise InputError("a tag of the whole picture")
    raise InputError("its shape has no area, or is not read")


def _number(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0


def read_voc(path: Path) -> FileMarks:
    """Return the objects of a picture in Pascal VOC's XML, or in that of the old LabelMe."""
    root = read_xml(path, "Pascal VOC")
    if root.tag != "annotation":
        raise InputError(f"{path.name} is not a file of Pascal VOC: it has no annotation")
    result = FileMarks()
    page = (root.findtext("filename") or "").strip() or path.stem
    result.aliases[page] = (path.stem,)
    width, height = (_number(root.findtext(f"size/{name}")) for name in ("width", "height"))
    if not width or not height:  # the old LabelMe's
        width, height = (_number(root.findtext(f"imagesize/{name}")) for name in ("ncols", "nrows"))
    for each in root.iter("object"):
        label = (each.findtext("name") or "").strip()
        with result.account.item(label):
            if (each.findtext("deleted") or "").strip() == "1":
                raise InputError("an object that was deleted")
            size = picture_size(width, height)
            result.add_box(page, kind_of(label), _voc_box(each), size=size)
    return result


def _voc_box(item: etree._Element) -> Box:
    box = item.find("bndbox")
    if box is not None:
        left, top, right, bottom = (
            float(box.findtext(name) or "") for name in ("xmin", "ymin", "xmax", "ymax")
        )
        return left, top, right - left, bottom - top
    points = [(pt.findtext("x"), pt.findtext("y")) for pt in item.iterfind("polygon/pt")]
    if points:
        return box_around([(x or "", y or "") for x, y in points])
    raise InputError("it has neither a box nor a polygon")
