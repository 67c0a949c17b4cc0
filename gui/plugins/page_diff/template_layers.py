"""Layers of two pages of a template: shared parts in equal colours, and differences."""

from dataclasses import replace

import numpy as np

from annotate.plugins.page_diff.page_diff import DiffRegion, PageDiff
from engine.nodes import NodeTable
from gui.page.overlay.pieces import PageNumberings
from gui.page.overlay.specs import LayerSpec

SHARED = ("#0072b2", "#007a5a", "#6b5b00", "#4b4ba8", "#2f6f8a", "#5b6b2f")
"""Colours of template parts in turn (after Okabe and Ito); numbers distinguish them."""

OTHER, ALONE = "#c04f00", "#a8457f"
"""Colours of differences: other content in the same place, and parts of one page only."""


def specs_of(diff: PageDiff, pieces: PageNumberings) -> list[LayerSpec]:
    """Return the layers of the first page, differences on top."""
    specs: dict[str, LayerSpec] = {}

    def add(position: DiffRegion, color: str, label: str, **style: object) -> None:
        if not position.ours:
            return
        empty: LayerSpec = {
            "id": f"page-diff-{color}", "color": color, "dash": "solid", "opacity": 1.0,
            "boxes": [], "ranges": [],
        }  # fmt: skip
        box = {"pieces": [pieces.piece(row) for row in position.ours], "label": label, **style}
        specs.setdefault(color, empty)["boxes"].append(box)

    for number, region in enumerate(diff.shared):
        style = {"fill": 0.07, "weight": 1.5, "dash": "solid"}
        add(region, SHARED[number % len(SHARED)], str(number + 1), **style)
    for region in diff.differing:
        if region.is_single:
            add(region, ALONE, "only here", fill=0.16, weight=1.5, dash="dotted", hatched=True)
        else:
            add(region, OTHER, "", fill=0.06, weight=1.5, dash="dashed")
    return list(specs.values())


def keep_visible(diff: PageDiff) -> PageDiff:
    """Return the diff without regions that are invisible on both pages."""

    def shows(nodes: NodeTable, rows: tuple[int, ...]) -> bool:
        return any(bool(nodes.visible[row : nodes.end[row]].any()) for row in rows)

    def is_seen(region: DiffRegion) -> bool:
        return shows(diff.ours, region.ours) or shows(diff.theirs, region.theirs)

    return replace(
        diff,
        shared=tuple(filter(is_seen, diff.shared)),
        differing=tuple(filter(is_seen, diff.differing)),
    )


def region_around(diff: PageDiff, row: int) -> DiffRegion | None:
    """Return the region, shared or not, of a row of the first page."""
    for region in (*diff.shared, *diff.differing):
        if any(top <= row < int(diff.ours.end[top]) for top in region.ours):
            return region
    return None


def share_of_template(diff: PageDiff) -> float:
    """Return the share of the first page's characters that are in shared parts, 0 to 1."""
    nodes = diff.ours
    lengths = np.array([len(" ".join(text.split())) for text in nodes.text], dtype=float)
    lengths[~nodes.visible] = 0.0
    below = nodes.subtree_sum(lengths)
    total = float(below[0]) if len(nodes) else 0.0
    shared = sum(float(below[row]) for region in diff.shared for row in region.ours)
    return shared / total if total else 0.0
