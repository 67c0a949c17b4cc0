"""Boxes drawn by other tools on pictures of pages, and the matching nodes of a page.

A box belongs to the node at its path, if the file has a path and the box is still there: nested
elements share a box, and only the path distinguishes them.  If the box has moved, or the path now
leads elsewhere, the box alone counts (`annotate.marks.fit`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

import numpy as np

from algorithms.levels import Level
from annotate.marks.fit import FIT, fit_rectangle, shown_rects
from annotate.marks.gold import Mark, Target, new_id
from annotate.marks.node_paths import row_at
from engine import geometry
from engine.geometry import Box
from engine.nodes import NodeTable

_NEARLY = 0.05
"""How much worse than the best a path's own box may fit, and the path is believed."""

_RATIO_STEP = 0.25
"""Screenshots have 1, 1.25, 1.5, 2 ... pixels for one of the page."""

_PREFIX = re.compile(r"[0-9a-f]{8}-")
"""What Label Studio puts before the name of each file it is given."""

_ENDING = re.compile(
    r"\.(?:png|jpe?g|webp|gif|bmp|tiff?|x?html?|txt|pdf|tsv|xmi)$"
    r"|[._](?:png|jpe?g|webp|gif|bmp)\.rf\.\w+\.\w+$",
    re.IGNORECASE,
)
"""Endings of pictures, pages and texts; Roboflow writes ``NAME_png.rf.HASH.jpg``."""


@dataclass(frozen=True)
class PictureBox:
    """A block as another tool has it.

    Attributes:
        level, type: As in `Mark`.
        box: In pixels of the picture.
        paths: Of its nodes; empty if the file has none.
        size: Width and height of the picture in its pixels; 0 if unknown.
        is_unsure: As in `Mark`.
        is_relative: Whether the box is in percent of the picture, whose size is not known.
    """

    level: Level
    type: str
    box: Box
    paths: tuple[str, ...] = ()
    size: tuple[float, float] = (0.0, 0.0)
    is_unsure: bool = False
    is_relative: bool = False


def marks_at(
    nodes: NodeTable, boxes: Sequence[PictureBox], viewport: tuple[int, int]
) -> tuple[list[Mark], list[str], int]:
    """Return boxes of other tools as marks on the matching nodes, in their order.

    Also a sentence for each box that no node fits, and how many marks were placed by a path.

    Args:
        nodes: The page.
        boxes: Drawn on a picture of it.
        viewport: Width and height the page was rendered in: pictures may show that much of it.
    """
    marks: list[Mark] = []
    problems = []
    by_path = 0
    for drawn in boxes:
        scale = page_scale(drawn.size, (nodes.width, nodes.height), viewport)
        by = (nodes.width / 100, nodes.height / 100) if drawn.is_relative else (scale, scale)
        x, y, width, height = (n * each for n, each in zip(drawn.box, 2 * by, strict=True))
        box = x, y, width, height
        targets = fit_rectangle(nodes, box)
        best = _alike(nodes, [target.row for target in targets], box) if targets else 0.0
        rows = [row_at(nodes, path) for path in drawn.paths]
        if rows and min(rows) >= 0 and _alike(nodes, rows, box) >= max(FIT, best - _NEARLY):
            targets = tuple(map(Target, sorted(set(rows))))
            by_path += 1
        if targets:
            marks.append(
                Mark(new_id(), drawn.level, targets, drawn.type, is_unsure=drawn.is_unsure)
            )
            continue
        problems.append(
            f"no element of the page fits the box of {drawn.type or 'a block'} at "
            f"{x:.0f}, {y:.0f} ({width:.0f} × {height:.0f})"
        )
    return marks, problems, by_path


def page_scale(
    picture: tuple[float, float], page: tuple[float, float], viewport: tuple[int, int]
) -> float:
    """Return how many CSS px one pixel of a picture is.

    A picture is as wide as the page or its viewport, times the pixels its screen has for one; any
    other is treated as a scaled picture of the whole page if it has its proportions, and else as
    unscaled.  Sizes are width and height; a picture whose size is not known (0) is taken as it is.
    """
    width, height = picture
    if width <= 0:
        return 1.0
    ratios = [width / wide for wide in (page[0], viewport[0]) if wide > 0]
    for ratio in ratios:
        steps = round(ratio / _RATIO_STEP)
        if steps and abs(ratio - steps * _RATIO_STEP) * page[0] <= 1:
            return 1 / (steps * _RATIO_STEP)
    if ratios and height > 0 and abs(height / max(page[1], 1) / ratios[0] - 1) < 0.02:
        return 1 / ratios[0]
    return 1.0


def picture_stems(name: str) -> tuple[str, ...]:
    """Return what a page may be called whose picture has this name in a file: likeliest first.

    Folders and endings are left out, and so is the address that Label Studio serves a file from
    (``/data/upload/3/1a2b3c4d-NAME.png``, ``/data/local-files/?d=FOLDER/NAME.png``); without its
    prefix it is the second.
    """
    parts = urlsplit(name)
    where = parse_qs(parts.query).get("d", [parts.path])[-1]
    last = _ENDING.sub("", re.split(r"[/\\]", unquote(where))[-1])
    short = _PREFIX.sub("", last, count=1) if _PREFIX.match(last) else ""
    return tuple(filter(None, (last, short)))


def _alike(nodes: NodeTable, rows: Sequence[int], box: Box) -> float:
    """Return the similarity of a box and that of some nodes, by intersection over union."""
    either = (nodes.rect, shown_rects(nodes))
    ours = np.array([geometry.union(rects[list(rows)]) for rects in either])
    return float(geometry.iou(ours, np.array([box], dtype=np.float64)).max())
