"""Figures of methods that segment: BlockFusion, PageSegmenter, VIPS, WebTerrain, Terrain, and all.

Sources: C. Kohlschuetter, W. Nejdl, CIKM 2008 (densities and what is fused); S. Vadrevu, F. Gelgi,
H. Davulcu, WISE 2005 (path entropy); D. Cai and others, MSR-TR-2003-79, 2003 (tree of blocks with
their DoC, separators); R. Kreuzer, Utrecht 2013, section 6.4 (the descent to blocks side by side).
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from algorithms.figures.figure import (
    BEST,
    DROPPED,
    FAINT,
    KEPT,
    PLAIN,
    SECOND,
    Bars,
    Dots,
    Figure,
    Links,
    Threshold,
    curve,
    dots_of,
    items,
)
from algorithms.plugins.baselines import page_segmenter
from algorithms.plugins.baselines.block_fusion import BlockFusionParams, Fusion
from algorithms.plugins.figure.source_reading import bars_of, flagged, make_steps, rows_of
from algorithms.plugins.figure.trees import tree_figure
from algorithms.results import Segmentation
from algorithms.segmentation import pagelets, terrain, webterrain
from algorithms.segmentation.vips import vips
from algorithms.segmentation.vips.content_tree import BlockStructure
from algorithms.segmentation.vips.visual_blocks import VisualBlock
from algorithms.signals.traversal import Descent
from engine import geometry
from engine.nodes import NodeTable
from engine.page import Page

BlockSpan = tuple[int, int]
"""First row, and one past the last."""

LARGEST_PDOC = 11


def block_fusion(by_rules: bool) -> Callable[[Page, BlockFusionParams], tuple[Figure, ...]]:
    """Return a function that makes the figures of BlockFusion, plain or by rules."""

    def make(page: Page, params: BlockFusionParams) -> tuple[Figure, ...]:
        fusion = Fusion(page, params, by_rules=by_rules)
        if not fusion.singles:
            return ()
        passes = fusion.passes()
        own = np.array([piece.density for piece in fusion.singles])
        low = np.arange(own.size, dtype=np.float64) - 0.5
        edges = np.array([*(piece.first for piece in passes[-1]), own.size]) - 0.5
        fused = np.array([piece.density for piece in passes[-1]])
        block = np.repeat(np.arange(fused.size), np.diff(edges).astype(int))
        positions = [_around(fusion.rows_of(piece)) for piece in fusion.singles]
        labels = tuple(
            f"text block {k + 1}: {density:.1f} words per line, {fused[block[k]]:.1f} when fused"
            for k, density in enumerate(own.tolist())
        )
        pointed = items(low, low + 1.0, own, positions, labels)
        return (
            Figure(
                "Text density, fused",
                "text blocks",
                "words per line",
                curves=(make_steps("fused", edges, fused, KEPT),),
                bars=(Bars("before fusion", low, low + 1.0, own, DROPPED),),
                items=pointed,
                of_rows=True,
                note=f"{own.size} text blocks become {fused.size} in {len(passes) - 1} passes.",
            ),
            _borders(own, params.threshold, positions),
            Figure(
                "Blocks after each pass",
                "passes",
                "blocks",
                curves=(curve("blocks", np.arange(len(passes)), [len(each) for each in passes]),),
                of_rows=True,
            ),
        )

    return make


def _borders(
    density: npt.NDArray[np.float64], threshold: float, positions: list[BlockSpan]
) -> Figure:
    """Return how unlike neighbouring text blocks are, as the first pass sees them."""
    larger = np.maximum(np.maximum(density[1:], density[:-1]), 1e-12)
    unlike = np.abs(np.diff(density)) / larger
    low = np.arange(1, density.size, dtype=np.float64) - 0.9
    groups = (("fused", KEPT, unlike <= threshold), ("a border", DROPPED, unlike > threshold))
    labels = tuple(f"{value:.2f} of the larger density apart" for value in unlike.tolist())
    return Figure(
        "Difference of neighbours",
        "borders between text blocks",
        "difference in density, as a share",
        bars=bars_of(low, 0.8, unlike, groups),
        thresholds=(Threshold("fused up to", threshold, "y", "threshold"),),
        items=items(low, low + 0.8, unlike, positions[1:], labels),
        of_rows=True,
        note="Before the first pass; where tags decide they are asked first.",
    )


def entropies(page: Page, params: page_segmenter.PageSegmenterParams) -> tuple[Figure, ...]:
    """Return the path entropy of each element with the median."""
    nodes = page.rendered()
    if not len(nodes):
        return ()
    entropy = page_segmenter.path_entropy(nodes)
    inner = np.flatnonzero(page_segmenter.inner_rows(nodes) & (nodes.frame == 0))
    median = page_segmenter.median_entropy(nodes, entropy)
    blocks = page_segmenter.find_blocks(nodes, params)
    taken = flagged(len(nodes), [row for block in blocks for row in block.rows])
    values = entropy[inner]
    groups = (
        ("a block, or in a run", KEPT, taken[inner]),
        ("above the median", DROPPED, ~taken[inner] & (values > median)),
        ("inside a block", FAINT, ~taken[inner] & (values <= median)),
    )
    labels = tuple(
        f"<{nodes.name_of(row)}> · path entropy {entropy[row]:.3g}" for row in inner.tolist()
    )
    at = inner.astype(np.float64)
    return (
        Figure(
            "Path entropy",
            "rows of the page",
            "path entropy",
            dots=dots_of(at, values, groups),
            thresholds=(Threshold("median", median),),
            items=items(at, at, values, np.stack([inner, inner + 1], axis=1), labels),
            is_plane=True,
            of_rows=True,
            note="Neighbours whose mean is at most the median are a block.",
        ),
        tree_figure(
            "Path entropy in the tree", nodes, rows_of(nodes), entropy, taken, "path entropy",
            of_rows=True,
        ),
    )  # fmt: skip


def links_below(page: Page, params: pagelets.PageletsParams) -> tuple[Figure, ...]:
    """Return the links in each element, and the parts the page is cut into."""
    nodes = page.rendered()
    has_href = np.array(["href" in attributes for attributes in nodes.attributes], dtype=bool)
    count = nodes.subtree_sum(nodes.has_tag("a") & has_href)
    blocks = pagelets.find_blocks(nodes, params)
    winner = flagged(len(nodes), [row for block in blocks for row in block.rows])
    title = "Links below each element"
    return (tree_figure(title, nodes, rows_of(nodes), count, winner, "links", of_rows=True),)


def web_terrain(page: Page, params: webterrain.WebTerrainParams) -> tuple[Figure, ...]:
    """Return the ways down to the blocks."""
    nodes = page.rendered()
    return _ways(nodes, webterrain.way_down(nodes, params), params.dominance)


def plain_terrain(page: Page, params: terrain.TerrainParams) -> tuple[Figure, ...]:
    """Return the ways down to the blocks, and their sizes."""
    nodes = page.rendered()
    return _ways(nodes, terrain.way_down(nodes, params), params.dominance)


def _ways(nodes: NodeTable, steps: Sequence[Descent], dominance: float) -> tuple[Figure, ...]:
    """Return one figure: a line for each descent to its full depth."""
    if not steps:
        return ()
    ways = np.array([each.way for each in steps])
    share = np.minimum(np.array([each.share for each in steps]), 1.5)
    starts = np.flatnonzero(np.concatenate(([True], ways[1:] != ways[:-1])))
    depth = (np.arange(ways.size) - np.repeat(starts, np.diff([*starts, ways.size]))).astype(float)
    deepest = float(depth[ways == 0].max())
    depth[ways > 0] += deepest + 1  # below the blocks the first way leads to
    together = np.flatnonzero(ways[1:] == ways[:-1])
    pairs = np.stack([together, together + 1], axis=1)
    is_last = np.concatenate((ways[1:] != ways[:-1], [True]))
    groups = (
        ("one child is followed", SECOND, ~is_last),
        ("several stand side by side", KEPT, is_last & (ways == 0)),
        ("inside a block", PLAIN, is_last & (ways > 0)),
    )
    labels = tuple(
        f"<{nodes.name_of(each.rows[0])}> · "
        + (
            f"{each.inside} children, the largest {each.share:.0%} of it"
            if each.inside
            else "nothing to be seen inside it"
        )
        for each in steps
    )
    return (
        Figure(
            "Descent trace",
            "steps from the page",
            "largest child, as a share of its parent",
            dots=dots_of(depth, share, groups),
            links=(Links("ways", depth[pairs], share[pairs], FAINT),),
            thresholds=(Threshold("followed alone above", dominance, "y", "dominance"),),
            items=items(depth, depth, share, [_around(each.rows) for each in steps], labels),
            is_plane=True,
            of_rows=True,
            note="The descent from the page first, then one into each block it leads to.",
        ),
    )


def content_structure(page: Page, params: vips.VipsParams) -> tuple[Figure, ...]:
    """Return VIPS's tree of blocks by DoC, its separators, and how many blocks each PDoC gives."""
    if not len(page.rendered()):
        return ()
    structure = vips.structure(page, params)
    return (_block_tree(structure), _separators(structure), _by_pdoc(page, params))


def _block_tree(structure: BlockStructure) -> Figure:
    """Return the tree, a leaf each a step to the right, levels downwards."""
    blocks: list[VisualBlock] = []
    above: list[int] = []
    depth: list[int] = []
    waiting = [(structure.page, -1, 0)]
    while waiting:
        block, parent, level = waiting.pop()
        position = len(blocks)
        blocks.append(block)
        above.append(parent)
        depth.append(level)
        waiting += [(part, position, level + 1) for part in reversed(structure.parts(block))]
    parents = np.array(above)
    leaves = ~np.isin(np.arange(parents.size), parents)
    x = np.zeros(parents.size)
    x[leaves] = np.arange(leaves.sum())
    for position in np.flatnonzero(~leaves)[::-1].tolist():
        x[position] = x[parents == position].mean()
    y = np.array(depth, dtype=np.float64)
    doc = np.array([block.doc for block in blocks], dtype=np.float64)
    ends = np.stack([np.arange(1, parents.size), parents[1:]], axis=1)
    groups = (("leaf", KEPT, leaves), ("divided or merged", PLAIN, ~leaves))
    return Figure(
        "Blocks with their DoC",
        "leaves of the content structure",
        "levels below the page",
        dots=dots_of(x, y, groups, 4.0 + 1.3 * doc),
        links=(Links("tree", x[ends], y[ends], FAINT),),
        items=items(
            x, x, y, [_around(b.rows) for b in blocks],
            tuple(f"DoC {block.doc} · {block.reason}" for block in blocks),
        ),
        is_plane=True,
        is_downward=True,
        of_rows=True,
        note="The larger a dot, the more coherent the block: its degree of coherence, 1 to 10.",
    )  # fmt: skip


def _separators(structure: BlockStructure) -> Figure:
    """Return the separators of all rounds by place and weight."""
    x, y, positions, labels, upright = [], [], [], [], []
    for division in structure.divisions:
        for each in division.separators:
            left, top, width, height = each.rect
            x.append(top + height / 2 if each.horizontal else left + width / 2)
            y.append(each.weight)
            upright.append(not each.horizontal)
            rows = [row for k in (*each.before, *each.after) for row in division.pool[k].rows]
            positions.append(_around(rows))
            reasons = ", ".join(each.reasons)
            labels.append(f"round {division.number}, weight {each.weight}: {reasons}")
    is_upright = np.array(upright, dtype=bool)
    groups = (
        ("between left and right", SECOND, is_upright),
        ("between above and below", KEPT, ~is_upright),
    )
    return Figure(
        "Separators",
        "px from the top, or from the left",
        "weight",
        dots=dots_of(x, y, groups),
        items=items(x, x, y, positions, tuple(labels)),
        is_plane=True,
        of_rows=True,
        note="What lies on either side lights up.",
    )


def _by_pdoc(page: Page, params: vips.VipsParams) -> Figure:
    """Return how many leaves there are for each permitted degree of coherence."""
    degrees = np.arange(1, LARGEST_PDOC + 1)
    counts = []
    for degree in degrees.tolist():
        changed = vips.VipsParams(**{**params.as_dict(), "pdoc": degree})  # type: ignore[arg-type]
        result = vips.structure(page, changed)
        counts.append(float(len(result.leaves(result.page))))
    now = degrees == params.pdoc
    y = np.array(counts)
    return Figure(
        "Blocks by PDoC",
        "permitted degree of coherence (PDoC)",
        "leaves",
        curves=(curve("leaves", degrees, y),),
        dots=(Dots("now", degrees[now].astype(np.float64), y[now], BEST),),
        thresholds=(Threshold("PDoC", params.pdoc, "x", "pdoc"),),
        of_rows=True,
    )


def sizes(page: Page, result: Segmentation) -> Figure:
    """Return the blocks of any method in document order, each as large as it is on the page."""
    nodes = page.rendered()
    boxes = geometry.visual_rects(nodes)
    whole = max(float(nodes.width) * nodes.height, 1.0)
    area = np.array(
        [geometry.areas(geometry.union(boxes[list(b.rows)]))[0] / whole for b in result.blocks]
    )
    level = np.array([block.level for block in result.blocks])
    low = np.arange(area.size, dtype=np.float64) - 0.4
    groups = (("level 1", KEPT, level == 1), ("level 2", DROPPED, level == 2))
    labels = tuple(
        " · ".join(each for each in (f"level {b.level}", b.type, b.reason, f"{a:.1%}") if each)
        for b, a in zip(result.blocks, area.tolist(), strict=True)
    )
    return Figure(
        "Size of each block",
        "blocks in document order",
        "share of the page's area",
        bars=bars_of(low, 0.8, area, groups),
        items=items(low, low + 0.8, area, [_around(b.rows) for b in result.blocks], labels),
        of_rows=True,
    )


def _around(rows: Sequence[int]) -> BlockSpan:
    """Return the rows from the first to the last; none for none."""
    return (min(rows), max(rows) + 1) if rows else (-1, -1)
