"""Figures of methods on the document tree: each element with its value, and the one that won.

Source: T. Gottron, dissertation 2008, section 6.6, whose figures are DOM trees with the value of
each node and the sub-tree that was chosen.
"""

from dataclasses import replace

import numpy as np

from algorithms.extraction import lqf
from algorithms.figures.figure import (
    BEST,
    DROPPED,
    FAINT,
    KEPT,
    PLAIN,
    Figure,
    Links,
    dots_of,
    items,
)
from algorithms.plugins.baselines import lp, lsi, xwrap
from algorithms.plugins.baselines.feature_extractor import FeParams, block_shares, candidates
from algorithms.plugins.figure.source_reading import MethodReading, flagged, rows_of
from algorithms.signals.tree_counts import letters, links, pagelets
from engine.page import Page
from engine.source import Source
from engine.tree import Bools, Doubles, Ints, Tree


def tree_figure(
    title: str,
    tree: Tree,
    indices: Ints,
    values: Doubles,
    winner: Bools,
    what: str,
    *,
    of_rows: bool = False,
) -> Figure:
    """Return a tree of elements.

    Args:
        title: Of the figure.
        tree: The document tree.
        indices: int32 (n, 2). Meaning of each row: words, or rows of the page.
        values: float64 (n,). Of each row, NaN for one that has none.
        winner: bool (n,). Which rows were chosen.
        what: What a value counts, for labels.
        of_rows: Whether places are rows.
    """
    shown = ~tree.is_text
    rows = np.flatnonzero(shown)
    if not rows.size:
        return Figure(title, "", "depth", of_rows=of_rows)
    x, y = _across(tree), tree.depth.astype(np.float64)
    inside = tree.below(winner)
    parents = tree.parent[rows]
    linked_rows = rows[parents >= 0]
    ends = np.stack([linked_rows, tree.parent[linked_rows]], axis=1)
    has_value = ~np.isnan(values)
    groups = (
        ("chosen", BEST, shown & winner),
        ("inside the chosen", KEPT, shown & inside & ~winner),
        (what, PLAIN, shown & has_value & ~inside),
        ("no value", FAINT, shown & ~has_value & ~inside),
    )
    labels = tuple(
        f"<{tree.name_of(row)}> · {values[row]:.4g} {what}"
        if has_value[row]
        else f"<{tree.name_of(row)}>"
        for row in rows.tolist()
    )
    return Figure(
        title,
        "leaves of the tree",
        "levels below the root",
        dots=dots_of(x, y, groups, _sizes(values)),
        links=(Links("tree", x[ends], y[ends], FAINT),),
        items=items(x[rows], x[rows], y[rows], indices[rows], labels),
        is_plane=True,
        is_downward=True,
        of_rows=of_rows,
        note="The larger a dot, the larger its value.",
    )


def _sizes(values: Doubles) -> Doubles:
    """Return how large dots are to be, in px: by their values, with room for nothing."""
    top = float(np.nanmax(values)) if np.isfinite(values).any() else 0.0
    share = np.nan_to_num(values) / top if top > 0 else np.zeros(values.size)
    return np.asarray(5.0 + 12.0 * np.sqrt(np.clip(share, 0.0, 1.0)), dtype=np.float64)


def _across(tree: Tree) -> Doubles:
    """Return the position of each row: the middle of the leaves below it, float64 (n,)."""
    is_leaf = np.ones(len(tree), dtype=bool)
    is_leaf[tree.parent[1:]] = False
    leaves = np.concatenate(([0], np.cumsum(is_leaf)))
    first, last = leaves[:-1], leaves[tree.end] - 1
    return np.asarray((first + last) / 2, dtype=np.float64)


def _words(source: Source) -> Ints:
    positions = source.tree.words.copy()
    positions[positions[:, 0] == positions[:, 1]] = -1
    return positions


def lsi_source(reading: MethodReading, params: lsi.LsiParams) -> tuple[Figure, ...]:
    """Return the size increase of each element of a source."""
    source = reading.source
    increase = lsi.increases(source.tree, letters(source), params.texts)
    return (_increases(source.tree, _words(source), increase, of_rows=False),)


def lsi_page(page: Page, params: lsi.LsiParams) -> tuple[Figure, ...]:
    """Return the size increase of each element of the rendered page."""
    nodes = page.rendered()
    increase = lsi.increases(nodes, lsi.rendered_sizes(nodes), params.texts)
    return (_increases(nodes, rows_of(nodes), increase, of_rows=True),)


def _increases(tree: Tree, indices: Ints, increase: Doubles, *, of_rows: bool) -> Figure:
    winner = flagged(len(tree), int(np.argmax(increase)))
    values = np.where(tree.is_text, np.nan, increase)
    what = "characters more than in the largest child"
    return tree_figure("Size increase", tree, indices, values, winner, what, of_rows=of_rows)


def largest_pagelet(reading: MethodReading, params: lp.LpParams) -> tuple[Figure, ...]:
    """Return the pagelets with their characters, and the links that cut the page."""
    source = reading.source
    tree, positions = source.tree, _words(source)
    is_part = pagelets(tree, links(source), params.links)
    size = np.where(is_part, letters(source).astype(np.float64), np.nan)
    winner = flagged(len(tree), int(np.argmax(np.where(is_part, letters(source), -1))))
    count = tree.subtree_sum(links(source))
    return (
        tree_figure("Pagelets", tree, positions, size, winner, "characters of text"),
        tree_figure("Links below each element", tree, positions, count, winner, "links"),
    )


def link_quota(reading: MethodReading, params: lqf.LqfParams) -> tuple[Figure, ...]:
    tree = reading.source.tree
    _, _, total, in_links = lqf.link_letters(reading.source)
    quota = np.where(total > 0, in_links / np.maximum(total, 1), np.nan)
    shown = ~tree.is_text
    is_kept = np.nan_to_num(quota, nan=2.0) <= params.threshold
    x, y = _across(tree), tree.depth.astype(np.float64)
    has = ~np.isnan(quota)
    groups = (
        ("kept", KEPT, shown & has & is_kept),
        ("dropped", DROPPED, shown & has & ~is_kept),
        ("no text of its own", FAINT, shown & ~has),
    )
    drawn = tree_figure(
        "Link quota of each block", tree, _words(reading.source), quota, np.zeros(len(tree), bool),
        "of its characters in links",
    )  # fmt: skip
    return (replace(drawn, dots=dots_of(x, y, groups, _sizes(quota))),)


def features(reading: MethodReading, params: FeParams) -> tuple[Figure, ...]:
    """Return the blocks that FE, or KFE, chooses from with their shares of the feature."""
    source, tree = reading.source, reading.source.tree
    blocks, probability, _, _ = block_shares(source, params)
    values = np.full(len(tree), np.nan)
    values[blocks] = probability
    likely, _, is_winner = candidates(source, params)
    winner, what = flagged(len(tree), likely[is_winner]), f"share of {params.feature}"
    title = "Blocks and their features"
    return (tree_figure(title, tree, _words(source), values, winner, what),)


def highest_fanout(reading: MethodReading, params: xwrap.HfParams) -> tuple[Figure, ...]:
    """Return the children of each element."""
    tree = reading.source.tree
    count = np.where(tree.is_text, np.nan, xwrap.fanouts(tree, params.texts).astype(np.float64))
    winner = flagged(len(tree), xwrap.highest_fanout(tree, params.texts))
    return (tree_figure("Fan-out", tree, _words(reading.source), count, winner, "children"),)


def tag_count(reading: MethodReading, params: xwrap.LtcParams) -> tuple[Figure, ...]:
    """Return how often the most frequent child tag of each element occurs."""
    tree = reading.source.tree
    winner = flagged(len(tree), xwrap.largest_tag_count(tree, params.repeats))
    count, what = tree.subtree_sum(~tree.is_text), "tags below it"
    if params.repeats:
        count = xwrap.tag_repeats(tree).astype(np.float64)
        what = "times its most frequent child tag"
    values = np.where(tree.is_text, np.nan, count)
    return (tree_figure("Tag counts", tree, _words(reading.source), values, winner, what),)
