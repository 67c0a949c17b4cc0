"""What methods on a source's tree measure of its rows, and the trace of the row that won."""

from itertools import repeat

import numpy as np
import numpy.typing as npt

from algorithms.results import Extraction, nothing
from algorithms.signals.memo import shared
from algorithms.trace import Rule, Trace, step
from engine.runs import mark_covered
from engine.source import Source
from engine.tree import BLOCK_TAGS, Bools, Ints, Longs, Tree


@shared
def letters(source: Source) -> Longs:
    """Return the characters of text at or below each row, white space not counted, (n,)."""
    total = np.concatenate(([0], np.cumsum(source.lengths)))
    words = source.tree.words
    return np.asarray(total[words[:, 1]] - total[words[:, 0]], dtype=np.int64)


@shared
def start_tags(source: Source) -> tuple[tuple[str, ...], Longs]:
    """Return the different start tags as written, the first "", and which each row has, (n,).

    Of texts, and of elements that markup leaves out, it is the first.
    """
    tree, tokens, html = source.tree, source.tokens, source.html
    rows = np.flatnonzero(tree.token >= 0)
    token = tree.token[rows]
    spans = zip(tokens.start[token].tolist(), tokens.end[token].tolist(), strict=True)
    numbers = {"": 0}
    result = np.zeros(len(tree), dtype=np.int64)
    result[rows] = [numbers.setdefault(html[start:end], len(numbers)) for start, end in spans]
    return tuple(numbers), result


@shared
def links(source: Source) -> Bools:
    """Return which rows are links: ``a`` elements with an address, bool (n,)."""
    tree, tokens, html = source.tree, source.tokens, source.html
    is_link = tree.has_tag("a")
    rows = np.flatnonzero(is_link)
    token = tree.token[rows]
    start, end = tokens.start[token].tolist(), tokens.end[token].tolist()
    result = np.fromiter(map(html.find, repeat("href"), start, end), np.int64, rows.size)
    for index in np.flatnonzero(result < 0).tolist():
        if "href" not in html[start[index] : end[index]].lower():
            is_link[rows[index]] = False
    return is_link


def pagelets(tree: Tree, is_link: Bools, k: int) -> Bools:
    """Return which rows are pagelets, bool (n,): none has a child with k links, all above have.

    Algorithm 6.2 of T. Gottron, dissertation 2008, after Bar-Yossef and Rajagopalan 2002.  O(n).
    """
    count = tree.subtree_sum(is_link)
    is_cut = np.zeros(len(tree), dtype=bool)
    is_cut[tree.parent[1:][count[1:] >= k]] = True
    is_part = ~is_cut
    # A row with a child of k links has them itself, so all rows above a cut one are cut.
    is_part[1:] &= is_cut[tree.parent[1:]]
    return is_part


@shared
def linked(source: Source) -> Bools:
    """Return the rows at or inside links, bool (n,)."""
    return source.tree.below(links(source))


@shared
def block_of(source: Source) -> Longs:
    """Return for each row the nearest block-level element, itself included, (n,); else the root."""
    return nearest(source.tree, source.tree.has_tag(*BLOCK_TAGS))


def words_below(source: Source, rows: Bools) -> Bools:
    """Return the words in these rows, bool (w,)."""
    words = source.tree.words[rows]
    return mark_covered(words[:, 0], words[:, 1], source.tokens.words.size)


def keep_row(source: Source, row: int) -> Extraction:
    """Return all text at or below one row."""
    first, last = source.tree.words[row].tolist()
    if first == last:
        return nothing(source)
    spans = source.tokens.spans
    return Extraction(source, np.array([[spans[first, 0], spans[last - 1, 1]]], dtype=np.int32))


def nearest(tree: Tree, is_target: Bools) -> Longs:
    """Return for each row the nearest chosen row, itself included, (n,); the root if none."""
    n = len(tree)
    # At each row the innermost is the last that began on its level, of chosen rows in each other.
    level = is_target.cumsum()
    level -= np.bincount(tree.end[is_target], minlength=n + 1)[:n].cumsum()
    order = (level.astype(np.uint16) if n < 1 << 16 else level).argsort(kind="stable")
    position = np.maximum.accumulate(np.where(is_target[order], np.arange(n), -1))
    result = np.empty(n, dtype=np.int64)
    result[order] = np.where(position < 0, 0, order[position])
    return result


def above(tree: Tree, marked: Bools, *, outermost: bool = False) -> Ints:
    """Return for each row the nearest marked row, itself included, int32 (n,); -1 for none.

    ``outermost`` returns the farthest.
    """
    parents, is_marked = tree.parent.tolist(), marked.tolist()
    result: list[int] = []
    for row, parent in enumerate(parents):
        over = result[parent] if parent >= 0 else -1
        is_new = is_marked[row] and not (outermost and over >= 0)
        result.append(row if is_new else over)
    return np.array(result, dtype=np.int32)


def trace_best(source: Source, values: npt.ArrayLike, winner: int, rule: Rule, unit: str) -> Trace:
    """Return for each text the highest value around it, compared with the winner's.

    Args:
        source: The document.
        values: float64 (n,). Of each row; NaN for one that cannot win.
        winner: The row that won.
        rule: The criterion.
        unit: What the value counts, in the plural.
    """
    tree = source.tree
    value = np.asarray(values, dtype=np.float64).tolist()
    best, row_of = list(value), list(range(len(tree)))
    for row, parent in enumerate(tree.parent.tolist()):
        if parent >= 0 and not (best[row] > best[parent]) and best[parent] == best[parent]:
            best[row], row_of[row] = best[parent], row_of[parent]
    texts = np.flatnonzero(tree.is_text)
    inside = (texts >= winner) & (texts < int(tree.end[winner]))
    highest = np.where(inside, value[winner], np.array(best)[texts])
    name = tree.name_of(winner)
    notes = tuple(
        f"in <{name}>"
        if held
        else f"<{name}> has more {unit} than <{tree.name_of(row_of[row])}>, the best here"
        if best[row] == best[row]
        else f"<{name}> was chosen; no element around this text qualifies"
        for row, held in zip(texts.tolist(), inside.tolist(), strict=True)
    )
    at = tree.words[texts]
    return Trace((step(rule, at, inside, highest, value[winner], notes),), source.tokens.words.size)
