"""Parts in the flow of kept text: short cells of its rows, code, and lists after its text."""

import numpy as np

from algorithms.extraction.gleaner.text_runs import TextRuns
from algorithms.signals.tree_counts import linked
from algorithms.structure import hidden_rows, page_rows
from engine.source import Source
from engine.tree import Bools, Doubles, Longs, Tree

_SHORT = 3
"""Words of a cell, and of what stands between two blocks of code."""

_FRAME = ("nav", "header", "footer", "aside", "form", "button", "select", "dialog")
_LEAST = {"pre": 0.3, "ul": 0.4, "ol": 0.4, "dl": 0.4}
"""Share of the limit that the chance of each part must exceed."""


def innermost(tree: Tree, names: tuple[str, ...]) -> Longs:
    """Return the innermost element of these names at or around each row, -1 for none."""
    found = np.full(len(tree), -1, dtype=np.int64)
    for row in np.flatnonzero(tree.has_tag(*names)).tolist():
        found[row : int(tree.end[row])] = row
    return found


def table_rows(source: Source, runs: TextRuns, kept: Bools, likely: Bools, tables: Longs) -> Bools:
    """Return the short cells of the rows of tables of data whose first cell is kept, bool (b,).

    Most of a row's cells must be likely; ``tables`` is the table around each row of the tree.
    """
    line = np.where(tables >= 0, innermost(source.tree, ("tr",)), -1)[runs.row]
    lines, first, of = np.unique(line, return_index=True, return_inverse=True)
    missing = (line >= 0) & (runs.words <= _SHORT) & ~kept
    count, may = np.bincount(of, missing), np.bincount(of, missing & likely)
    is_kept = kept[first] & (lines >= 0) & (2 * may >= count)
    return np.asarray(missing & is_kept[of], dtype=bool)


def flowing(source: Source, runs: TextRuns, kept: Bools, chance: Doubles, limit: float) -> Bools:
    """Return code and lists that follow kept text, bool (b,).

    Each begins where kept text ends, controls and a word between codes aside, in one element with
    it, and holds no part of the page's frame.  On a fifth of WCXB's development pages gold has
    three of four words of such lists on pages of text; on others it has one of four.
    """
    tree, added = source.tree, np.zeros(len(runs), dtype=bool)
    frame = tree.has_tag(*_FRAME)
    frames = np.concatenate(([0], np.cumsum(frame)))
    worded = np.flatnonzero((runs.words > 0) & ~tree.within("button", "select")[runs.row])
    rows, is_code = runs.row[worded], tree.within("pre")[runs.row]
    in_links = linked(source)
    is_out, now = tree.below(frame)[rows], kept.copy()
    for place in (np.flatnonzero(~kept[worded[1:]] & ~is_out[1:]) + 1).tolist():
        first = place - 1
        if is_code[worded[place]] and runs.words[worded[first]] <= _SHORT:
            first -= int(first > 0 and is_code[worded[first - 1]])  # a word between two codes
        box = _part(tree, int(rows[place]), int(rows[first]))
        if now[worded[place]] or not now[worded[first]] or box < 0:
            continue
        end, name = int(tree.end[box]), tree.name_of(box)
        part = worded[place : int(rows.searchsorted(end))]
        likely = float(np.average(chance[part], weights=runs.words[part]))
        if name != "pre":
            is_list = kept[worded[first]] and frames[end] == frames[box]
            is_link = in_links[rows[place : place + part.size]]
            if not is_list or 2 * float(is_link @ runs.words[part]) > runs.words[part].sum():
                continue
        if likely > _LEAST[name] * limit:
            part = worded[first + 1 : place + part.size]
            now[part] = added[part] = True
    return added & ~kept


def _part(tree: Tree, row: int, before: int) -> int:
    """Return the widest part that begins with a row and does not hold one before it; -1 if none."""
    found, at = -1, int(tree.parent[row])
    while at > before:
        found = at if tree.name_of(at) in _LEAST else found
        at = int(tree.parent[at])
    return found


def captions(source: Source, runs: TextRuns, kept: Bools) -> Bools:
    """Return captions of figures that stand between kept texts of one element, bool (b,).

    Or at its start or end; text that the source hides does not count.  Gold of WCXB's articles has
    one caption of nine (.0003 of their F1 are lost so), but a picture without it says less.
    """
    tree, added = source.tree, np.zeros(len(runs), dtype=bool)
    if not tree.has_tag("figcaption").any():
        return added
    figure = np.where(tree.within("figcaption"), innermost(tree, ("figure",)), -1)[runs.row]
    rows = page_rows(source)
    is_seen = ~rows.below(hidden_rows(rows))[runs.row]
    beside = np.flatnonzero((runs.words > 0) & (figure < 0) & is_seen)
    for number in np.flatnonzero((figure >= 0) & ~kept).tolist():
        parent, past = int(tree.parent[figure[number]]), int(beside.searchsorted(number))
        near = beside[max(past - 1, 0) : past + 1]
        near = near[(runs.row[near] > parent) & (runs.row[near] < tree.end[parent])]
        added[number] = near.size > 0 and bool(kept[near].all())
    return added
