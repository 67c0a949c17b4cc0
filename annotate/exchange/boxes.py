"""Blocks as boxes on a picture of the page: COCO, labelme, Label Studio, and a table in CSV.

A box is the rectangle around all of a block.  What a block is made of stands beside it as the
paths of its nodes (COCO: ``xpaths``; labelme: the description; Label Studio: the note,
``meta.text``), and is read again where the box still says the same; main content has no box and is
left out.
"""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from annotate.exchange.drawn_boxes import PictureBox
from annotate.exchange.marked_page import MarkedPage, blocks_of, label_of
from annotate.marks.gold import Mark
from engine import bounded_file
from engine.errors import InputError
from engine.geometry import Box
from engine.nodes import NodeTable
from engine.whole_file import atomic_write

_LARGEST = 1e6
"""Pixels of a side of a picture that are believed."""


def write_coco(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write ``annotations.coco.json`` for all pages together."""
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    categories: dict[tuple[str, int], int] = {}
    for number, marked in enumerate(pages, start=1):
        nodes = marked.page.rendered()
        images.append(
            {
                "id": number,
                "file_name": f"{marked.stem}.png",
                "width": nodes.width,
                "height": nodes.height,
                "page": marked.name,
            }
        )
        for mark, box in blocks_of(marked):
            category = categories.setdefault((label_of(mark), mark.level), len(categories) + 1)
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": number,
                    "category_id": category,
                    "bbox": list(box),
                    "area": box[2] * box[3],
                    "segmentation": [_corners(box)],
                    "iscrowd": 0,
                    "level": mark.level,
                    "xpaths": _paths(nodes, mark),
                }
                | ({"unsure": True} if mark.is_unsure else {})
            )
    content = {
        "info": {
            "description": "Blocks of web pages, marked in Pagelet",
            "version": "1",
            **_guideline(pages),
        },
        "licenses": [],
        "images": images,
        "categories": [
            {"id": number, "name": name, "supercategory": f"level-{level}"}
            for (name, level), number in categories.items()
        ],
        "annotations": annotations,
    }
    return [_json(out / "annotations.coco.json", content)]


def _guideline(pages: Sequence[MarkedPage]) -> dict[str, list[str]]:
    """Return which guidelines the marks were made by, for the card of a file; {} if unknown."""
    refs = dict.fromkeys(str(each.guideline) for each in pages if each.guideline is not None)
    return {"guidelines": list(refs)} if refs else {}


def read_coco(path: Path) -> dict[str, list[PictureBox]]:
    """Return page or file name → its annotations."""
    content = _content(path, "COCO", ("images", "annotations", "categories"))
    names = {each["id"]: str(each.get("page") or each["file_name"]) for each in content["images"]}
    sizes = {each["id"]: _size(each.get("width"), each.get("height")) for each in content["images"]}
    kinds = {each["id"]: each for each in content["categories"]}
    result: dict[str, list[PictureBox]] = {name: [] for name in names.values()}
    for each in content["annotations"]:
        kind = kinds[each["category_id"]]
        level = 2 if str(kind.get("supercategory", "")).endswith("2") else 1
        level = int(each.get("level", level))
        x, y, width, height = map(float, each["bbox"])
        name = "" if kind["name"] == f"Level {level}" else str(kind["name"])
        image = each["image_id"]
        result[names[image]].append(
            PictureBox(
                level,
                name,
                (x, y, width, height),
                _known_paths(each.get("xpaths")),
                sizes[image],
                each.get("unsure") is True,
            )
        )
    return result


def write_labelme(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write ``NAME.labelme.json`` for each page, without the picture itself."""
    written = []
    for marked in pages:
        nodes = marked.page.rendered()
        shapes = [
            {
                "label": label_of(mark),
                "points": [[x, y], [x + width, y + height]],
                "shape_type": "rectangle",
                "group_id": None,
                "description": " ".join(_paths(nodes, mark)),
                "flags": {f"level{mark.level}": True}
                | ({"unsure": True} if mark.is_unsure else {}),
            }
            for mark, (x, y, width, height) in blocks_of(marked)
        ]
        content: dict[str, Any] = {
            "version": "5.0.0",
            "flags": {},
            "shapes": shapes,
            "imagePath": f"{marked.stem}.png",
            "imageData": None,
            "imageHeight": nodes.height,
            "imageWidth": nodes.width,
        }
        written.append(_json(out / f"{marked.stem}.labelme.json", content))
    return written


def read_labelme(path: Path) -> dict[str, list[PictureBox]]:
    """Return the picture's name → its rectangles and polygons."""
    content = _content(path, "labelme", ("shapes", "imagePath"))
    size = _size(content.get("imageWidth"), content.get("imageHeight"))
    result = []
    for shape in content["shapes"]:
        points = np.array(shape["points"], dtype=float).reshape(-1, 2)
        x, y = points.min(axis=0).tolist()
        width, height = (points.max(axis=0) - points.min(axis=0)).tolist()
        flags = dict(shape.get("flags") or {})
        level = 2 if flags.get("level2") else 1
        name = "" if shape["label"] == f"Level {level}" else str(shape["label"])
        paths = _known_paths(str(shape.get("description") or "").split())
        result.append(
            PictureBox(level, name, (x, y, width, height), paths, size, flags.get("unsure") is True)
        )
    return {str(content["imagePath"]): result}


def write_label_studio(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write ``tasks.label-studio.json``: a task a page, boxes in percent of its picture."""
    tasks = []
    for number, marked in enumerate(pages, start=1):
        nodes = marked.page.rendered()
        wide, high = max(nodes.width, 1), max(nodes.height, 1)
        result = [
            {
                "id": mark.id[:10],
                "from_name": f"level{mark.level}",
                "to_name": "image",
                "type": "rectanglelabels",
                "original_width": nodes.width,
                "original_height": nodes.height,
                "value": {
                    "x": 100 * x / wide,
                    "y": 100 * y / high,
                    "width": 100 * width / wide,
                    "height": 100 * height / high,
                    "rotation": 0,
                    "rectanglelabels": [label_of(mark)],
                },
                "meta": {"text": _paths(nodes, mark)}
                | ({"unsure": True} if mark.is_unsure else {}),
            }
            for mark, (x, y, width, height) in blocks_of(marked)
        ]
        tasks.append(
            {
                "id": number,
                "data": {"image": f"{marked.stem}.png", "page": marked.name},
                "annotations": [{"id": number, "ground_truth": True, "result": result}],
            }
        )
    return [_json(out / "tasks.label-studio.json", tasks)]


def read_label_studio(path: Path) -> dict[str, list[PictureBox]]:
    """Return page or picture name → the rectangles of its tasks."""
    content = _load(path, "Label Studio")
    tasks = content if isinstance(content, list) else [content]
    result: dict[str, list[PictureBox]] = {}
    try:
        for task in tasks:
            name = str(task["data"].get("page") or task["data"].get("image", ""))
            boxes = result.setdefault(name, [])
            for annotation in task.get("annotations", []):
                for item in annotation.get("result", []):
                    if item.get("type") != "rectanglelabels":
                        continue
                    boxes.append(_rectangle(item))
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise InputError(f"{path.name} is not a file of Label Studio's: {error!r}") from None
    return result


def _rectangle(item: Mapping[str, Any]) -> PictureBox:
    """Return a rectangle of a task: percent of its picture, which has so many pixels."""
    value, level = item["value"], 2 if "2" in item.get("from_name", "") else 1
    wide, high = item["original_width"] / 100, item["original_height"] / 100
    label = str(value["rectanglelabels"][0])
    return PictureBox(
        level,
        "" if label == f"Level {level}" else label,
        (value["x"] * wide, value["y"] * high, value["width"] * wide, value["height"] * high),
        _known_paths((item.get("meta") or {}).get("text")),
        _size(item["original_width"], item["original_height"]),
        (item.get("meta") or {}).get("unsure") is True,
    )


def write_csv(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write ``marks.csv``: a row a mark, main content too, with box, path and text."""
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(["page", "level", "type", "x", "y", "width", "height", "state", "path", "text",
                    "unsure"])  # fmt: skip
    for marked in pages:
        for mark, record in zip(marked.gold.marks, marked.records(), strict=True):
            box = marked.box(mark) or ("", "", "", "")
            targets = record["targets"]
            table.writerow(
                [
                    _safe(marked.name),
                    mark.level or "main",
                    _safe(mark.type),
                    *box,
                    str(mark.state),
                    " ".join(target["path"] for target in targets),
                    _safe(" ".join(target["quote"] for target in targets) or mark.quote),
                    "unsure" if mark.is_unsure else "",
                ]
            )
    path = out / "marks.csv"
    with atomic_write(path) as file:
        file.write_bytes(text.getvalue().encode())
    return [path]


def _paths(nodes: NodeTable, mark: Mark) -> list[str]:
    return [nodes.path(target.row) for target in mark.targets]


def _known_paths(values: object) -> tuple[str, ...]:
    """Return the paths of nodes in what a file has for them, which may be a note of anybody's."""
    if isinstance(values, str):
        values = values.split()
    listed = values if isinstance(values, list | tuple) else ()
    return tuple(each for each in listed if isinstance(each, str) and each.startswith("/"))


def _size(width: object, height: object) -> tuple[float, float]:
    """Return how large a picture is, 0 where that is not said."""
    numbers = [
        float(n) if isinstance(n, int | float) and 0 < n < _LARGEST else 0.0
        for n in (width, height)
    ]
    return numbers[0], numbers[1]


def _corners(box: Box) -> list[float]:
    x, y, width, height = box
    return [x, y, x + width, y, x + width, y + height, x, y + height]


def _safe(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _json(path: Path, content: object) -> Path:
    with atomic_write(path) as file:
        file.write_bytes(json.dumps(content, ensure_ascii=False, indent=1).encode())
    return path


def _load(path: Path, tool: str) -> Any:  # noqa: ANN401
    try:
        return json.loads(bounded_file.read_text(path))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path.name} cannot be read as a file of {tool}: {error}") from None


def _content(path: Path, tool: str, keys: Sequence[str]) -> Mapping[str, Any]:
    content = _load(path, tool)
    if not isinstance(content, dict) or not all(name in content for name in keys):
        raise InputError(f"{path.name} is not a {tool} file: it has no {', '.join(keys)}")
    return content
