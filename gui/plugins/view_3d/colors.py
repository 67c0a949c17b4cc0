"""Colours of plates: by depth, block, method or score."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from algorithms.explain.differences import words_kept
from algorithms.results import Extraction, Segmentation
from annotate.evaluation.tables.method_colors import COLORS
from engine.page import Page
from engine.runs import mark_covered
from engine.tree import Bools, Doubles, Ints
from engine.words import plural
from gui.plugins.view_3d.drawing import Paint
from gui.plugins.view_3d.scene import Scene
from gui.state.session import Session
from gui.widgets.color_scale import colors_of
from gui.widgets.theme import LIGHT

ColorLegend = tuple[tuple[str, str], ...]
"""Pairs of a colour and its meaning."""

_STEPS = 20
"""Number of colours of a scale: more cannot be distinguished."""


class Coloring(StrEnum):
    PLAIN = "plain"
    DEPTH = "depth"
    BLOCK = "block"
    METHOD = "method"
    SCORE = "score"


def paint_plates(coloring: Coloring, scene: Scene, session: Session) -> tuple[Paint, ColorLegend]:
    """Return the colours of a scene's plates and their legend.

    A legend without entries means that there is no block, result or gold.
    """
    if coloring is Coloring.DEPTH:
        return _by_depth(scene)
    if coloring is Coloring.BLOCK:
        return _by_block(scene, session)
    if coloring is Coloring.METHOD:
        return _by_method(scene, session)
    if coloring is Coloring.SCORE:
        return _by_score(scene, session)
    return remove_paint(scene), ()


def remove_paint(scene: Scene) -> Paint:
    """Return a paint without colours."""
    return Paint((), np.full(len(scene), -1, dtype=np.int32))


def _scale(shares: Doubles) -> Paint:
    """Return a paint from shares of 0 to 1, (p,); NaN for none."""
    colors = tuple(colors_of(LIGHT, k / _STEPS)[0].name() for k in range(_STEPS + 1))
    is_none = np.isnan(shares)
    position = np.round(np.where(is_none, 0, shares) * _STEPS)
    return Paint(colors, np.where(is_none, -1, position).astype(np.int32))


def _by_depth(scene: Scene) -> tuple[Paint, ColorLegend]:
    paint = _scale(0.1 + 0.9 * scene.level / max(scene.top, 1))
    levels = sorted({0, scene.top // 2, scene.top})
    shades = [paint.colors[round((0.1 + 0.9 * k / max(scene.top, 1)) * _STEPS)] for k in levels]
    return paint, tuple((c, f"level {k}") for c, k in zip(shades, levels, strict=True))


def _blocks_of(session: Session) -> tuple[str, Segmentation | None]:
    """Return the shown blocks: the current method's if it has some, else gold."""
    key = session.layers.shown_method
    outcome = session.layers.outcomes.get(key)
    if outcome is not None and isinstance(outcome.result, Segmentation):
        return session.layers.layer(key).name, outcome.result
    gold = session.open.gold.sure
    if session.open.page is not None and (gold.of_level(1) or gold.of_level(2)):
        return "gold", gold.as_segmentation(session.open.page)
    return "", None


def _by_block(scene: Scene, session: Session) -> tuple[Paint, ColorLegend]:
    name, result = _blocks_of(session)
    page = session.open.page
    if result is None or page is None:
        return remove_paint(scene), ()
    nodes = page.rendered()
    types = list(dict.fromkeys(block.type for block in result.blocks))
    has_types = len(types) > 1
    of_row = np.full(len(nodes), -1, dtype=np.int32)
    for index, block in enumerate(result.blocks):  # level 2 within level 1 comes later
        color = types.index(block.type) if has_types else index
        for row in block.rows:
            of_row[row : nodes.end[row]] = color % len(COLORS)
    legend = [(COLORS[k % len(COLORS)], each or "no type") for k, each in enumerate(types)]
    if not has_types:
        blocks = plural(len(result.blocks), "block")
        legend = [(COLORS[0], f"{blocks} of {name}, neighbours in different colours")]
    return Paint(COLORS, of_row[scene.rows]), tuple(legend)


def _by_method(scene: Scene, session: Session) -> tuple[Paint, ColorLegend]:
    key, page = session.layers.shown_method, session.open.page
    outcome = session.layers.outcomes.get(key)
    if page is None or outcome is None or outcome.result is None:
        return remove_paint(scene), ()
    layer, nodes = session.layers.layer(key), page.rendered()
    if isinstance(outcome.result, Segmentation):
        rows, _ = outcome.result.parts
        is_taken = mark_covered(rows, nodes.end[rows], len(nodes))
        says = f"in a block of {layer.title}"
    else:
        is_kept, all_ = _words_below(page, outcome.result), _words_below(page)
        is_taken = is_kept * 2 > all_
        says = f"most words taken by {layer.title}"
    return Paint((layer.color,), is_taken[scene.rows].astype(np.int32) - 1), ((layer.color, says),)


def _by_score(scene: Scene, session: Session) -> tuple[Paint, ColorLegend]:
    key, page = session.layers.shown_method, session.open.page
    outcome = session.layers.outcomes.get(key)
    if page is None or outcome is None or outcome.result is None:
        return remove_paint(scene), ()
    gold = session.open.gold.sure
    if isinstance(outcome.result, Extraction):
        if not gold.of_level(0):
            return remove_paint(scene), ()
        shares = word_f1(page, outcome.result, gold.as_extraction(page))
        what = "F1 of the words in it"
    else:
        if not (gold.of_level(1) or gold.of_level(2)):
            return remove_paint(scene), ()
        shares = overlaps(outcome.result, gold.as_segmentation(page))
        what = "overlap of its block with gold"
    paint = _scale(shares[scene.rows])
    name = session.layers.layer(key).name
    legend = [(paint.colors[round(s * _STEPS)], f"{s:.1f}".lstrip("0")) for s in (0.0, 0.5)]
    return paint, (*legend, (paint.colors[-1], f"1: {what}, {name} against gold"))


def _ranges(page: Page, extraction: Extraction) -> Ints:
    """Return row and start of each word on the page that an extraction keeps, (k, 2)."""
    position = page.alignment(extraction.source).place
    return position[words_kept(extraction) & (position[:, 0] >= 0), :2]


def _words_below(page: Page, extraction: Extraction | None = None) -> Doubles:
    """Return the number of words, or of kept words, in each row's subtree, (n,)."""
    nodes = page.rendered()
    if extraction is None:
        position = page.dom_alignment.place
        rows = position[position[:, 0] >= 0, 0]
    else:
        rows = _ranges(page, extraction)[:, 0]
    return nodes.subtree_sum(np.bincount(rows, minlength=len(nodes)))


def word_f1(page: Page, predicted: Extraction, gold: Extraction) -> Doubles:
    """Return the F1 of the words in each row's subtree, (n,); NaN if neither result has any."""
    nodes = page.rendered()
    ours, theirs = (_ranges(page, each).astype(np.int64) for each in (predicted, gold))
    is_right = np.isin((ours[:, 0] << 32) + ours[:, 1], (theirs[:, 0] << 32) + theirs[:, 1])
    counts = [
        nodes.subtree_sum(np.bincount(rows, minlength=len(nodes)))
        for rows in (ours[is_right, 0], ours[:, 0], theirs[:, 0])
    ]
    both, all_ = 2 * counts[0], counts[1] + counts[2]
    shares = np.full(len(nodes), np.nan)
    np.divide(both, all_, out=shares, where=all_ > 0)
    return shares


def overlaps(predicted: Segmentation, gold: Segmentation) -> Doubles:
    """Return the overlap of each row in a block with its most similar gold block, (n,); else NaN.

    Overlap is the Jaccard index of their rows.
    """
    nodes = predicted.nodes
    held = [_rows_of(block.rows, nodes.end, len(nodes)) for block in gold.blocks]
    result = np.full(len(nodes), np.nan)
    for block in predicted.blocks:
        ours = _rows_of(block.rows, nodes.end, len(nodes))
        shares = [float((ours & each).sum() / (ours | each).sum()) for each in held]
        result[ours] = max(shares, default=0.0)
    return result


def _rows_of(rows: Sequence[int], end: Ints, count: int) -> Bools:
    at = np.array(rows, dtype=np.intp)
    return mark_covered(at, end[at], count)
