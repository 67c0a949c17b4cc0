"""Pages written as a Webis folder, for the data set's own tools and for sharing.

Format: formats.md#webis-webseg-20.

Boxes are rounded to whole pixels, at least one wide and high.  Paths are those of
`webis_nodes.recorded_paths`; nodes in frames have none and are left out, as they are from
``dom.html``.  That begins with its doctype, which published ones lack.

The four members of a segmentation file have no room for a block's level, its type and its very
nodes; these go to a side file, which has nodes by paths that count all siblings.
"""

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from algorithms.results import Segmentation
from annotate.plugins.exchange.formats import ExchangeFormat
from annotate.plugins.exchange.marked_page import MarkedPage, write_file
from annotate.plugins.published_data import webis_nodes, webis_shapes
from annotate.plugins.published_data.webis import META, META_FORMAT, META_VERSION, TRUTHS
from engine import geometry
from engine.errors import InputError, convert_os_error
from engine.nodes import NodeTable
from engine.page import Page
from engine.tree import Doubles, Ints

_ID = re.compile(r"\d{6}")


def write_page(
    folder: Path, page: Page, segmentations: Mapping[str, Segmentation]
) -> tuple[str, ...]:
    """Write a page and segmentations of it; return a sentence for each block that is not seen.

    Args:
        folder: Its name is the page's id, six digits; made if it is not there.
        page: Rendered.
        segmentations: By name; a single gold is called ``majority-vote``.

    Raises `InputError` for another name of the folder, or if it cannot be written.
    """
    if not _ID.fullmatch(folder.name):
        raise InputError(
            f"the folder's name must be six digits such as 000000, got {folder.name!r}"
        )
    nodes = page.rendered()
    rows, boxes = whole_boxes(nodes)
    paths = webis_nodes.recorded_paths(nodes)
    recorded = webis_nodes.with_boxes(nodes, rows, boxes)
    segments, about, problems = _segments(recorded, segmentations)
    size = {"width": nodes.width, "height": nodes.height}
    meta = {"format": META_FORMAT, "version": META_VERSION, "segmentations": about}
    corners = zip(rows.tolist(), boxes.astype(int).tolist(), strict=True)
    files = {
        "dom.html": page.source("dom").html,
        "nodes.csv": _table(
            ("left", "bottom", "right", "top", "xpath"),
            [(left, bottom, right, top, paths[row]) for row, (left, top, right, bottom) in corners],
        ),
        "nodes-texts.csv": _table(("xpath", "ncharacter", "text"), _texts(nodes, rows, paths)),
        TRUTHS[0]: _json({"id": folder.name, **size, "segmentations": segments}),
        TRUTHS[0] + META: _json(meta),
    }
    with convert_os_error(f"write to {folder}"):
        for name, text in files.items():
            write_file(folder / name, text.encode("utf-8", "replace"))
    return tuple(problems)


def whole_boxes(nodes: NodeTable) -> tuple[Ints, Doubles]:
    """Return the rows that are recorded, int32 (k,), and their boxes in whole pixels.

    The boxes are float64 (k, 4): left, top, right, bottom.
    """
    has_path = np.array(sorted(webis_nodes.recorded_paths(nodes)), dtype=np.int32)
    is_seen = nodes.visible & (geometry.areas(nodes.rect) > 0)
    rows = has_path[is_seen[has_path]]
    boxes = np.rint(geometry.corners(nodes.rect[rows]))
    boxes[:, 2:] = np.maximum(boxes[:, 2:], boxes[:, :2] + 1)
    return rows, boxes


def _segments(
    nodes: NodeTable, segmentations: Mapping[str, Segmentation]
) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """Return the multi-polygons and the content of the side file, by segmentation."""
    paths = webis_nodes.paths_of(nodes)
    seen = geometry.corners(geometry.visual_rects(nodes))
    segments: dict[str, Any] = {}
    about: dict[str, Any] = {}
    problems = []
    for name, segmentation in segmentations.items():
        segments[name], about[name] = [], []
        for number, block in enumerate(segmentation.blocks, start=1):
            shape = webis_shapes.union_of(seen[list(block.rows)])
            if not shape.polygons:
                problems.append(f"{name}: block {number} is invisible and gets no segment")
                continue
            segments[name].append(webis_shapes.as_lists(shape))
            inside = [paths[row] for row in block.rows if nodes.frame[row] == 0]
            about[name].append(
                {
                    "level": block.level,
                    "type": block.type,
                    "nodes": inside if len(inside) == len(block.rows) else [],
                }
            )
    return segments, about, problems


def _texts(nodes: NodeTable, rows: Ints, paths: Mapping[int, str]) -> list[tuple[str, int, str]]:
    texts = []
    for row in rows[nodes.has_words[rows]].tolist():
        text = " ".join(nodes.text[row].split())
        texts.append((paths[row], len(text), text))
    return texts


def _table(head: tuple[str, ...], rows: list[Any]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return file.getvalue()


def _json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"


def _write_pages(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    written = []
    for number, marked in enumerate(pages):
        folder = out / f"{number:06d}"
        write_page(folder, marked.page, {"majority-vote": marked.gold.as_segmentation(marked.page)})
        written.append(folder)
    return written


FORMAT = ExchangeFormat(
    "webis", "Webis-WebSeg-20", "a folder a page, with a side file for levels and types",
    "Main content is lost, and blocks in frames; boxes are whole pixels.", _write_pages,
    "opened as a data set", wants="blocks",
)  # fmt: skip
