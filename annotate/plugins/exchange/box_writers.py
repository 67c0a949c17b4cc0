"""Writers of blocks as boxes on a picture of the page: COCO, labelme, Label Studio and CSV.

A box is the rectangle around all of a block.  The nodes of a block are beside it as paths (COCO:
``xpaths``; labelme: the description; Label Studio: the note, ``meta.text``), and are used again if
the box is still the same; main content has no box and is left out.
"""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from annotate.marks.gold import Mark
from annotate.plugins.exchange.marked_page import (
    MarkedPage,
    blocks_of,
    label_of,
    write_file,
    write_json,
)
from engine.csv_cells import guard_cell
from engine.nodes import NodeTable


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
            x, y, width, height = box
            category = categories.setdefault((label_of(mark), mark.level), len(categories) + 1)
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": number,
                    "category_id": category,
                    "bbox": list(box),
                    "area": width * height,
                    "segmentation": [[x, y, x + width, y, x + width, y + height, x, y + height]],
                    "iscrowd": 0,
                    "level": mark.level,
                    "xpaths": _paths(nodes, mark),
                }
                | ({"unsure": True} if mark.is_unsure else {})
            )
    info: dict[str, Any] = {"description": "Blocks of web pages, marked in Pagelet", "version": "1"}
    if refs := dict.fromkeys(str(each.guideline) for each in pages if each.guideline is not None):
        info["guidelines"] = list(refs)
    content = {
        "info": info,
        "licenses": [],
        "images": images,
        "categories": [
            {"id": number, "name": name, "supercategory": f"level-{level}"}
            for (name, level), number in categories.items()
        ],
        "annotations": annotations,
    }
    return [write_json(out / "annotations.coco.json", content)]


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
        written.append(write_json(out / f"{marked.stem}.labelme.json", content))
    return written


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
    return [write_json(out / "tasks.label-studio.json", tasks)]


def write_csv(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write ``marks.csv``: a row a mark, main content too, with box, path and text.

    The guideline's own fields have a column each, and so has its version where marks follow
    several.
    """
    every = {name for page in pages for mark in page.gold.marks for name, _ in mark.fields}
    own = sorted(every)
    named = ["guideline"] if any(page.versions for page in pages) else []
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(["page", "level", "type", "x", "y", "width", "height", "state", "path", "text",
                    "unsure", *map(guard_cell, own), *named])  # fmt: skip
    for marked in pages:
        for mark, record in zip(marked.gold.marks, marked.records(), strict=True):
            box = marked.box(mark) or ("", "", "", "")
            targets = record["targets"]
            table.writerow(
                [
                    guard_cell(marked.name),
                    mark.level or "main",
                    guard_cell(mark.type),
                    *box,
                    str(mark.state),
                    " ".join(target["path"] for target in targets),
                    guard_cell(" ".join(target["quote"] for target in targets) or mark.quote),
                    "unsure" if mark.is_unsure else "",
                    *(guard_cell(dict(mark.fields).get(name, "")) for name in own),
                    *(guard_cell(str(marked.versions.get(mark.id, ""))) for _ in named),
                ]
            )
    return [write_file(out / "marks.csv", text.getvalue().encode("utf-8", "backslashreplace"))]


def _paths(nodes: NodeTable, mark: Mark) -> list[str]:
    return [nodes.path(target.row) for target in mark.targets]
