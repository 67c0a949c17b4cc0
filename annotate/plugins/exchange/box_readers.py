"""Readers of boxes on pictures of pages: COCO, labelme, YOLO, CVAT, and Pascal VOC with LabelMe's.

Annotations without a box get the one around their polygon or mask.  Each item of a file is read
separately: an odd one is skipped with its reason, the rest comes in.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from algorithms.levels import Level, level_of
from annotate.plugins.exchange.class_names import names_in_lines, names_in_yaml
from annotate.plugins.exchange.file_marks import FileMarks, kind_of, picture_size
from annotate.plugins.exchange.reading import (
    box_around,
    items_of,
    list_in,
    name_in,
    name_unknown,
    pairs,
    read_json,
    read_text,
    read_xml,
    run_length_box,
    turned,
)
from engine import bounds
from engine.errors import InputError
from engine.geometry import Box
from engine.words import shorten

_COCO = ("images", "annotations", "categories", "info", "licenses")


def read_coco(path: Path) -> FileMarks:
    """Return the annotations of a COCO file: with a box, polygons, or a run-length mask."""
    content = read_json(path, "COCO")
    if not isinstance(content, dict) or not content.keys() & set(_COCO[:3]):
        raise InputError(f"{path.name} is not a COCO file: it has no images and no annotations")
    result = FileMarks()
    (images, two_images), (kinds, two_kinds) = (
        _by_id(list_in(result.account, content, key)) for key in ("images", "categories")
    )
    for number, image in images.items():
        result.aliases.setdefault(_image_name(number, image), _other_names(image))
    name_unknown(result.account, content, _COCO)
    for each in _segments(list_in(result.account, content, "annotations")):
        with result.account.item(name_in(each, "id")):
            number, category = _id(each["image_id"]), _id(each["category_id"])
            if number in two_images or category in two_kinds:
                what = f"images {number}" if number in two_images else f"categories {category}"
                raise InputError(f"the file has several {shorten(what, 40)}")
            if number not in images:
                raise InputError(f"the file has no image {shorten(number, 40)}")
            if kinds and category not in kinds:
                raise InputError(f"the file has no category {shorten(category, 40)}")
            if each.get("ignore") in (1, True):  # as pycocotools reads it
                raise InputError("a region to be ignored")
            image, kind = images[number], kinds.get(category, {"name": f"class {category}"})
            level: Level = 2 if str(kind.get("supercategory", "")).endswith("2") else 1
            level = level_of(each.get("level")) or level
            result.add_box(
                _image_name(number, image),
                kind_of(kind["name"], level),
                _coco_box(each),
                size=picture_size(image.get("width"), image.get("height")),
                paths=each.get("xpaths"),
                is_unsure=each.get("unsure") is True,
            )
    return result


def _by_id(items: Sequence[Any]) -> tuple[dict[str, Mapping[str, Any]], set[str]]:
    """Return images or categories by their ids, and the ids that several have with other names."""
    result: dict[str, Mapping[str, Any]] = {}
    unclear = set()
    for each in items:
        if isinstance(each, dict) and "id" in each:
            number = _id(each["id"])
            first = result.setdefault(number, each)
            if any(first.get(key) != each.get(key) for key in ("file_name", "name")):
                unclear.add(number)
    return result, unclear


def _id(value: object) -> str:
    """Return an id as text; pandas writes whole numbers as 1.0."""
    is_whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if is_whole else str(value)  # type: ignore[call-overload]


def _segments(annotations: Sequence[Any]) -> Iterator[Any]:
    """Yield the annotations; of a panoptic one its segments."""
    for each in annotations:
        segments = items_of(each.get("segments_info")) if isinstance(each, dict) else []
        yield from ({**each, **x} if isinstance(x, dict) else x for x in segments or ())
        if not segments:
            yield each


def _image_name(number: str, image: Mapping[str, Any]) -> str:
    return str(image.get("page") or image.get("file_name") or f"image {number}")


def _other_names(image: Mapping[str, Any]) -> tuple[str, ...]:
    extra = image.get("extra")
    own = extra.get("name") if isinstance(extra, dict) else None
    return tuple(str(each) for each in (image.get("file_name"), own, image.get("coco_url")) if each)


def _coco_box(annotation: Mapping[str, Any]) -> Sequence[float]:
    box = annotation.get("bbox")
    numbers = [n for n in items_of(box) if isinstance(n, int | float)]
    shape, more = annotation.get("segmentation"), annotation.get("attributes")
    if len(numbers) == len(items_of(box)) == 4 and numbers[2] and numbers[3]:
        turn = more.get("rotation") if isinstance(more, dict) and not shape else 0  # CVAT's
        x, y, width, height = numbers
        return turned((x, y, width, height), turn)
    if isinstance(shape, dict):
        height, width = bounds.sides(shape["size"], bounds.PICTURE_SIDE, None)
        return run_length_box(shape["counts"], height, width)
    if isinstance(shape, list) and shape:
        numbers = [n for ring in (shape if isinstance(shape[0], list) else [shape]) for n in ring]
        return box_around(pairs(numbers))
    raise InputError("it has neither a box nor a segmentation")


_LABELME = ("version", "flags", "shapes", "imagePath", "imageData", "imageHeight", "imageWidth")
_FLAT = {
    "line": "a line has no area", "linestrip": "a line has no area",
    "point": "a point has no area", "points": "points have no area",
}  # fmt: skip


def read_labelme(path: Path) -> FileMarks:
    """Return the rectangles, polygons, circles and masks of a labelme file."""
    content = read_json(path, "labelme")
    if not isinstance(content, dict) or not content.keys() & set(_LABELME[2:]):
        raise InputError(f"{path.name} is not a labelme file: it has no shapes")
    result = FileMarks()
    size = picture_size(content.get("imageWidth"), content.get("imageHeight"))
    page = str(content.get("imagePath") or path.name.removesuffix(".json"))
    result.aliases[page] = (path.name.removesuffix(".json"),)
    flags = content.get("flags")
    for name, value in (flags if isinstance(flags, dict) else {}).items():
        if value is True:
            result.account.pass_over("a flag of the whole picture", str(name))
    name_unknown(result.account, content, _LABELME)
    for shape in list_in(result.account, content, "shapes"):
        with result.account.item(name_in(shape, "label")):
            kind = str(shape.get("shape_type") or "polygon")
            if kind in _FLAT:
                raise InputError(_FLAT[kind])
            points = shape["points"]
            box = box_around(points)
            if kind == "circle":
                (x, y), (across, down) = points[0], points[1]
                radius = float(np.hypot(across - x, down - y))
                box = (x - radius, y - radius, 2 * radius, 2 * radius)
            own = shape.get("flags")
            own = own if isinstance(own, dict) else {}
            result.add_box(
                page,
                kind_of(shape.get("label"), 2 if own.get("level2") else 1),
                box,
                size=size,
                paths=str(shape.get("description") or ""),
                is_unsure=own.get("unsure") is True,
            )
    return result


_NAMES = ("classes.txt", "obj.names", "_darknet.labels", "data.yaml", "dataset.yaml", "data.yml")
_LISTS = ("train.txt", "val.txt", "valid.txt", "test.txt")
_LABEL = re.compile(r"\s*\d+(?:\.0+)?(?:,?\s+[-+.,\de]+){4,}\s*", re.IGNORECASE)


def read_yolo(path: Path) -> FileMarks:
    """Return the boxes of YOLO: a label file, or a folder of them, with a file of names."""
    folder = path if path.is_dir() else path.parent
    names, points = _class_names(folder)
    result = FileMarks()
    files = sorted(path.rglob("*.txt")) if path.is_dir() else [path]
    for file in files:
        if file.name in (*_NAMES, *_LISTS) and file != path:
            continue
        try:
            lines = read_text(file, "YOLO").lstrip("\ufeff").split("\n")
        except InputError as error:
            if not path.is_dir():
                raise
            result.account.pass_over(str(error), file.name)
            continue
        if path.is_dir() and any(map(str.strip, lines)) and not any(map(_LABEL.match, lines)):
            result.account.pass_over("a text that holds no labels", file.name)
            continue
        result.aliases.setdefault(file.stem, ())
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            with result.account.item(f"{file.name}, line {number}"):
                label, box = _yolo_box(re.split(r",?\s+", line.strip()), points)
                if names and label not in names:
                    raise InputError(f"the file of names has no class {label}")
                kind = kind_of(names.get(label, f"class {label}"))
                result.add_box(file.stem, kind, box, is_relative=True)
    if not result.account.found:
        raise InputError(f"{path.name} holds no labels of YOLO")
    return result


_MOST_PERCENT = 200.0
"""Of a picture; more is meant in pixels."""


def _yolo_box(cells: Sequence[str], points: bool) -> tuple[str, Box]:
    """Return class and box, in percent, of a line: a box, one with ``points`` behind, a polygon.

    What a detector adds is no coordinate: the confidence, which makes the numbers odd, and then
    the number of a track.  `InputError` for any other line.
    """
    if not re.fullmatch(r"\d+(?:\.0+)?", cells[0]) or len(cells) < 5:
        raise InputError("it is no line of YOLO: a class and numbers")
    label = str(int(float(cells[0])))
    try:
        values = [100 * float(each.replace(",", ".")) for each in cells[1:]]
    except ValueError:
        raise InputError("it is no line of YOLO: a class and numbers") from None
    is_tracked = len(values) % 2 == 0 and cells[-1].isdigit() and int(cells[-1]) > 0
    if is_tracked and len(values) > 4 and not cells[-2].isdigit():
        values = values[:-2]
    if max(values) > _MOST_PERCENT:
        raise InputError("its numbers are no fractions of a picture's width and height")
    if points or len(values) < 6:
        x, y, width, height = values[:4]
        return label, (x - width / 2, y - height / 2, width, height)
    return label, box_around(pairs(values[: len(values) // 2 * 2]))


def _class_names(folder: Path) -> tuple[dict[str, str], bool]:
    """Return number → name of the classes, from the file of names here or in a folder above.

    Also whether it says that points of the body follow each box.
    """
    for where in (folder, folder.parent, folder.parent.parent):
        for name in _NAMES:
            if (where / name).is_file():
                text = read_text(where / name, "YOLO").lstrip("\ufeff")
                if not name.endswith((".yaml", ".yml")):
                    return names_in_lines(text), False
                has_points = re.search(r"^kpt_shape\s*:", text, re.MULTILINE) is not None
                return names_in_yaml(text), has_points
    return {}, False


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
    def sides(names: str) -> Iterator[float]:
        return (float(shape.attrib[name]) for name in names.split())

    turn = float(shape.get("rotation") or 0)
    if shape.tag == "box":
        x, y, right, bottom = sides("xtl ytl xbr ybr")
        return turned((x, y, right - x, bottom - y), turn)
    if shape.tag == "ellipse":
        cx, cy, rx, ry = sides("cx cy rx ry")
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        rx, ry = math.hypot(rx * cos, ry * sin), math.hypot(rx * sin, ry * cos)
        return cx - rx, cy - ry, 2 * rx, 2 * ry
    if shape.tag == "polygon":
        return box_around([each.split(",") for each in shape.attrib["points"].split(";")])
    if shape.tag == "mask":
        left, top, width, height = sides("left top width height")
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
    box = item.find("robndbox")  # of roLabelImg, in radians
    if box is not None:
        across, down, width, height, angle = (
            float(box.findtext(name) or "") for name in ("cx", "cy", "w", "h", "angle")
        )
        return turned((across - width / 2, down - height / 2, width, height), math.degrees(angle))
    points = [(pt.findtext("x"), pt.findtext("y")) for pt in item.iterfind("polygon/pt")]
    if points:
        return box_around([(x or "", y or "") for x, y in points])
    raise InputError("it has neither a box nor a polygon")
