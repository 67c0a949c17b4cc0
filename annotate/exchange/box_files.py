"""Readers of boxes on pictures of pages: COCO, labelme, VIA, CVAT, YOLO.

What has no box of its own gets the one around its polygon or mask.  Each item of a file is read by
itself: what is odd is passed over with its reason, and the rest comes in.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from annotate.exchange.file_marks import (
    FileMarks,
    items_of,
    kind_of,
    list_in,
    name_in,
    picture_size,
    read_json,
    read_text,
    read_xml,
)
from engine.errors import InputError
from engine.geometry import Box
from engine.words import shortened

_MOST_RUNS = 10**6
_MOST_VALUES = 4 * 10**8


def read_coco(path: Path) -> FileMarks:
    """Return the annotations of a COCO file: with a box, polygons, or a run-length mask."""
    content = read_json(path, "COCO")
    if not isinstance(content, dict) or not {"images", "annotations"} & content.keys():
        raise InputError(f"{path.name} is not a COCO file: it has no images and no annotations")
    result = FileMarks()
    images = {
        str(each["id"]): each
        for each in items_of(content.get("images"))
        if isinstance(each, dict) and "id" in each
    }
    kinds = {
        str(each["id"]): each
        for each in items_of(content.get("categories"))
        if isinstance(each, dict) and "id" in each
    }
    for number, image in images.items():
        result.aliases.setdefault(_image_name(number, image), _other_names(image))
    for each in list_in(content, "annotations", path):
        with result.account.item(name_in(each, "id")):
            number, category = str(each["image_id"]), str(each["category_id"])
            if number not in images:
                raise InputError(f"the file has no image {shortened(number, 40)}")
            if category not in kinds:
                raise InputError(f"the file has no category {shortened(category, 40)}")
            image, kind = images[number], kinds[category]
            level = 2 if str(kind.get("supercategory", "")).endswith("2") else 1
            result.add_box(
                _image_name(number, image),
                kind_of(kind["name"], _level(each.get("level"), level)),
                _coco_box(each),
                size=picture_size(image.get("width"), image.get("height")),
                paths=each.get("xpaths"),
                is_unsure=each.get("unsure") is True,
            )
    return result


def _image_name(number: str, image: Mapping[str, Any]) -> str:
    return str(image.get("page") or image.get("file_name") or f"image {number}")


def _other_names(image: Mapping[str, Any]) -> tuple[str, ...]:
    extra = image.get("extra")
    own = extra.get("name") if isinstance(extra, dict) else None
    return tuple(str(each) for each in (image.get("file_name"), own, image.get("coco_url")) if each)


def _level(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) and value in (1, 2) else otherwise


def _coco_box(annotation: Mapping[str, Any]) -> Sequence[float]:
    box = annotation.get("bbox")
    if isinstance(box, list) and len(box) == 4 and box[2] and box[3]:
        return box
    shape = annotation.get("segmentation")
    if isinstance(shape, dict):
        height, width = (int(number) for number in shape["size"])
        return run_length_box(shape["counts"], height, width)
    if isinstance(shape, list) and shape:
        numbers = [n for ring in (shape if isinstance(shape[0], list) else [shape]) for n in ring]
        return box_around(_pairs(numbers))
    raise InputError("it has neither a box nor a segmentation")


def run_length_box(counts: object, height: int, width: int) -> Box:
    """Return the box around a mask of COCO, whose runs go down the columns.

    Args:
        counts: Lengths of the runs, of the background first; or the same compressed to a string
            (pycocotools' ``rleToString``: five bits a character, from the third run on the
            difference to the one before the last).
        height, width: Of the mask, in pixels.
    """
    runs = _decompressed(counts) if isinstance(counts, str) else [int(n) for n in counts]  # type: ignore[attr-defined]
    if not 0 < height <= 10**6 or not 0 < width <= 10**6 or len(runs) > _MOST_RUNS:
        raise InputError("its mask has no believable size")
    stops = np.cumsum(np.array(runs, dtype=np.int64))
    if (np.array(runs) < 0).any() or (stops.size and stops[-1] > height * width):
        raise InputError("its mask is larger than its picture")
    starts, stops = stops[:-1][::2], stops[1::2]
    full = starts[: stops.size] < stops
    starts, stops = starts[: stops.size][full], stops[full]
    if not starts.size:
        raise InputError("its mask is empty")
    left, right = starts // height, (stops - 1) // height
    is_within = left == right
    top = np.where(is_within, starts % height, 0).min()
    bottom = np.where(is_within, (stops - 1) % height, height - 1).max()
    x, y = int(left.min()), int(top)
    return x, y, int(right.max()) + 1 - x, int(bottom) + 1 - y


def _decompressed(text: str) -> list[int]:
    runs: list[int] = []
    value = shift = 0
    for sign in text:
        code = ord(sign) - 48
        if not 0 <= code < 64 or shift > 60:
            raise InputError("its mask is damaged")
        value |= (code & 31) << shift
        shift += 5
        if code & 32:
            continue
        if code & 16:
            value -= 1 << shift
        runs.append(value + (runs[-2] if len(runs) > 2 else 0))
        value = shift = 0
    return runs


def brush_box(packed: Sequence[int], width: int, height: int) -> Box:
    """Return the box around a brush of Label Studio, in pixels of its picture.

    The picture is packed by thi.ng's rle-pack: a header (32 bits number of values, 5 bits size of
    a word, four times 4 bits sizes of lengths), then runs of equal and of different values, which
    are red, green, blue and alpha of each pixel, row by row.
    """
    bits = np.unpackbits(np.array(packed, dtype=np.uint8))
    position = 0

    def read(size: int) -> int:
        nonlocal position
        if position + size > bits.size:
            raise InputError("its brush ends too early")
        value = int("".join(map(str, bits[position : position + size].tolist())), 2)
        position += size
        return value

    count, word = read(32), read(5) + 1
    sizes = [read(4) + 1 for _ in range(4)]
    if count != 4 * width * height or count > _MOST_VALUES:
        raise InputError("its brush is not as large as its picture")
    seen = np.zeros(count, dtype=bool)
    at = 0
    while at < count:
        is_run = read(1)
        stop = min(at + 1 + read(sizes[read(2)]), count)
        if is_run:
            seen[at:stop] = read(word) > 0
        else:
            size = (stop - at) * word
            if position + size > bits.size:
                raise InputError("its brush ends too early")
            seen[at:stop] = bits[position : position + size].reshape(-1, word).any(axis=1)
            position += size
        at = stop
    rows, columns = np.nonzero(seen[3::4].reshape(height, width))
    if not rows.size:
        raise InputError("its brush is empty")
    x, y = int(columns.min()), int(rows.min())
    return x, y, int(columns.max()) + 1 - x, int(rows.max()) + 1 - y


def box_around(points: Sequence[Sequence[Any]]) -> Box:
    """Return the box around points; `InputError` for fewer than two."""
    if len(points) < 2:
        raise InputError("it has fewer than two points")
    corners = np.array([[float(n) for n in point] for point in points], dtype=float)
    if corners.ndim != 2 or corners.shape[1] != 2:
        raise InputError("its points are no pairs of numbers")
    (x, y), (right, bottom) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return x, y, right - x, bottom - y


def _pairs(numbers: Sequence[Any]) -> list[Sequence[Any]]:
    return [numbers[at : at + 2] for at in range(0, len(numbers), 2)]


_FLAT = {
    "line": "a line has no area", "linestrip": "a line has no area",
    "point": "a point has no area", "points": "points have no area",
}  # fmt: skip


def read_labelme(path: Path) -> FileMarks:
    """Return the rectangles, polygons, circles and masks of a labelme file."""
    content = read_json(path, "labelme")
    if not isinstance(content, dict) or "shapes" not in content:
        raise InputError(f"{path.name} is not a labelme file: it has no shapes")
    result = FileMarks()
    size = picture_size(content.get("imageWidth"), content.get("imageHeight"))
    page = str(content.get("imagePath") or path.name.removesuffix(".json"))
    result.aliases[page] = (path.name.removesuffix(".json"),)
    flags = content.get("flags")
    for name, value in (flags if isinstance(flags, dict) else {}).items():
        if value is True:
            result.account.pass_over("a flag of the whole picture", str(name))
    for shape in list_in(content, "shapes", path):
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


def read_via(path: Path) -> FileMarks:
    """Return the regions of the VGG Image Annotator 2: its project, its JSON or its CSV."""
    result = FileMarks()
    for name, shape, attributes in _via_regions(path):
        if not isinstance(attributes, dict):
            attributes = {}
        label = next((str(v) for v in attributes.values() if isinstance(v, str) and v), "")
        with result.account.item(label):
            result.add_box(name, kind_of(label), _via_box(shape))
    return result


def _via_regions(path: Path) -> Iterator[tuple[str, Any, Any]]:
    text = read_text(path, "VIA")
    if not text.lstrip().startswith(("{", "[")):
        for row in csv.DictReader(io.StringIO(text.lstrip("#"))):
            if row.get("region_shape_attributes") not in (None, "", "{}"):
                yield (
                    row.get("filename") or "",
                    _json_or_none(row["region_shape_attributes"]),
                    _json_or_none(row.get("region_attributes") or "{}"),
                )
        return
    content = read_json(path, "VIA")
    content = content.get("_via_img_metadata", content) if isinstance(content, dict) else content
    pictures = content.values() if isinstance(content, dict) else items_of(content)
    if not any(isinstance(each, dict) and "regions" in each for each in pictures):
        raise InputError(f"{path.name} is not a file of VIA: no picture in it has regions")
    for picture in pictures:
        if not isinstance(picture, dict):
            continue
        regions = picture.get("regions")
        regions = list(regions.values()) if isinstance(regions, dict) else items_of(regions)
        for region in regions:
            own = region if isinstance(region, dict) else {}
            yield (
                str(picture.get("filename") or ""),
                own.get("shape_attributes"),
                own.get("region_attributes"),
            )


def _json_or_none(text: str) -> Any:  # noqa: ANN401
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _via_box(shape: Mapping[str, Any]) -> Box:
    kind = shape["name"]
    if kind == "rect":
        return shape["x"], shape["y"], shape["width"], shape["height"]
    if kind == "circle":
        across = down = float(shape["r"])
    elif kind == "ellipse":
        across, down = float(shape["rx"]), float(shape["ry"])
    elif kind == "polygon":
        return box_around(list(zip(shape["all_points_x"], shape["all_points_y"], strict=True)))
    else:
        raise InputError(f"a {kind} has no area")
    return shape["cx"] - across, shape["cy"] - down, 2 * across, 2 * down


def read_cvat(path: Path) -> FileMarks:
    """Return the boxes and polygons of CVAT's own XML for images (1.1)."""
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


_NAMES = ("classes.txt", "obj.names", "data.yaml", "dataset.yaml")


def read_yolo(path: Path) -> FileMarks:
    """Return the boxes of YOLO: a label file, or a folder of them, with a file of names."""
    folder = path if path.is_dir() else path.parent
    names = _class_names(folder)
    result = FileMarks()
    files = sorted(path.rglob("*.txt")) if path.is_dir() else [path]
    for file in files:
        if file.name in _NAMES or file.name.startswith(("train", "val", "test")):
            continue
        result.aliases.setdefault(file.stem, ())
        for number, line in enumerate(read_text(file, "YOLO").splitlines(), start=1):
            if not line.strip():
                continue
            with result.account.item(f"{file.name}, line {number}"):
                label, *numbers = line.split()
                values = [100 * float(each) for each in numbers]
                if not label.isdigit():
                    raise InputError("it is no line of YOLO: a class and numbers")
                if names and label not in names:
                    raise InputError(f"the file of names has no class {label}")
                if len(values) in (4, 5):
                    x, y, width, height = values[:4]
                    box: Box = (x - width / 2, y - height / 2, width, height)
                elif len(values) >= 6:
                    box = box_around(_pairs(values))
                else:
                    raise InputError("it is no line of YOLO: a class and numbers")
                kind = kind_of(names.get(label, f"class {label}"))
                result.add_box(file.stem, kind, box, is_relative=True)
    if not result.account.found:
        raise InputError(f"{path.name} holds no labels of YOLO")
    return result


def _class_names(folder: Path) -> dict[str, str]:
    """Return number → name of the classes, from the file of names here or in a folder above."""
    for where in (folder, folder.parent, folder.parent.parent):
        for name in _NAMES:
            if (where / name).is_file():
                text = read_text(where / name, "YOLO")
                if not name.endswith(".yaml"):
                    return {str(n): each.strip() for n, each in enumerate(text.splitlines())}
                return _yaml_names(text)
    return {}


def _yaml_names(text: str) -> dict[str, str]:
    """Return the names of a ``data.yaml``: a list in brackets, one a line, or numbered."""
    _, _, rest = f"\n{text}".partition("\nnames:")
    first, _, below = rest.partition("\n")
    if "[" in first:
        inside = rest.partition("[")[2].partition("]")[0]
        found = [each.strip(" \t\r\n'\"") for each in inside.split(",")]
        return {str(number): name for number, name in enumerate(found) if name}
    result: dict[str, str] = {}
    for line in below.splitlines():
        match = re.match(r"\s*(?:-|(\d+)\s*:)\s*(.+)", line)
        if match is None:
            break
        result[match[1] or str(len(result))] = match[2].strip().strip("'\"")
    return result
