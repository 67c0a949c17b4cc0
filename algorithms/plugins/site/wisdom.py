"""WISDOM: the informative structure of one page, from the entropies of its words on the site.

Source: H.-Y. Kao, J.-M. Ho, M.-S. Chen, "WISDOM: Web Intrapage Informative Structure Mining Based
on Document Object Model", TKDE 2005; T. Gottron, dissertation 2008, section 3.3.7, who tells of it
in a paragraph: informative blocks are collected in an information coverage tree; filtering, merging
and expansion give the structure.

Readings, all ours.
- The information of a word is 1 - the entropy of its feature; that of a node the sum below it.
- Coverage: from the root down to a child as long as one child covers enough of the page's
  information; that node's children are the candidates.
- Filtering: a candidate, or else a node below it, is informative if its information per word is at
  least the mean of the page.
- Merging: candidates between two informative ones join them if all three together still are.
- Expansion: nothing else is added; the structure is what carries the blocks kept.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.plugins.site.detector_reasons import text_step, text_trace, whole_step
from algorithms.plugins.site.recurrence import word_entropies
from algorithms.results import Extraction, everything, keep_words
from algorithms.signals.tree_counts import above, words_below
from algorithms.templates.site import Site
from algorithms.trace import Rule, Trace
from engine.source import Source
from engine.tree import BLOCK_TAGS, Bools, Doubles, Longs


@dataclass(frozen=True)
class WisdomParams(Params):
    coverage: float = param(
        0.9, "share of the page's information one child must cover to go down", low=0.5, high=1.0
    )


@dataclass(frozen=True, eq=False)
class _Descent:
    """Rows met on the descent from the covering row.

    Attributes:
        root: That row.
        least: Least information per word of an informative part.
        is_kept: bool (n,). The informative rows.
        value: float64 (n,). Information a word of the rows met, or of all they merge with; NaN.
        merged: int64 (n,). How many rows each was merged to.
    """

    root: int
    least: float
    is_kept: Bools
    value: Doubles
    merged: Longs


def extract(site: Site, params: WisdomParams) -> Extraction:
    """Return the informative blocks of the seed."""
    source, found = site.source, _descent(site, params.coverage)
    if found is None:
        return everything(source)
    return keep_words(source, words_below(source, found.is_kept))


def _descent(site: Site, coverage: float) -> _Descent | None:
    """Return the informative rows; None where all words are equally rare."""
    source, tree, entropy = site.source, site.source.tree, word_entropies(site)
    information, words = _below(source, 1.0 - entropy), _below(source, np.ones(entropy.size))
    if not words[0] or not information[0]:
        return None
    least, root = information[0] / words[0], covering(source, information, coverage)
    is_kept, value = np.zeros(len(tree), dtype=bool), np.full(len(tree), np.nan)
    merged = np.ones(len(tree), dtype=np.int64)
    last = [root]
    while last:
        row = last.pop()
        children = [child for child in tree.children(row).tolist() if words[child]]
        value[children] = information[children] / words[children]
        for run, is_whole in _runs(source, row, information, words, least):
            if is_whole:
                is_kept[run], merged[run] = True, len(run)
                value[run] = information[run].sum() / words[run].sum()
            else:
                last += run
    return _Descent(root, least, is_kept, value, merged)


def covering(source: Source, information: Doubles, share: float) -> int:
    """Return the deepest row, going down by single children, that covers enough information.

    It has block-level elements below it, or is the root.
    """
    tree, row, opens = source.tree, 0, _opens(source)
    while True:
        children = tree.children(row)
        best = int(children[np.argmax(information[children])])
        if information[best] < share * information[0] or not opens[best]:
            return row
        row = best


def _runs(
    source: Source, row: int, information: Doubles, words: Doubles, least: float
) -> list[tuple[list[int], bool]]:
    """Return the informative children of a row, with those they merge, and the ones to open.

    A text, or an element without block-level ones below it, is not opened: it is kept or not.
    """
    tree = source.tree
    children = [child for child in tree.children(row).tolist() if words[child]]
    dense = [information[child] >= least * words[child] for child in children]
    result: list[tuple[list[int], bool]] = []
    at = 0
    while at < len(children):
        if not dense[at]:
            if _opens(source)[children[at]]:
                result.append(([children[at]], False))
            at += 1
            continue
        end = at + 1
        after = end
        while after < len(children):
            if dense[after]:
                part = children[at : after + 1]
                if information[part].sum() < least * words[part].sum():
                    break
                end = after + 1
            after += 1
        result.append((children[at:end], True))
        at = end
    return result


def _opens(source: Source) -> Bools:
    tree = source.tree
    blocks = tree.has_tag(*BLOCK_TAGS)
    return np.asarray(tree.subtree_sum(blocks) - blocks > 0, dtype=bool)


def _below(source: Source, values: Doubles) -> Doubles:
    """Return the sum of values of words, (w,), below each row, float64 (n,); nan counts 0."""
    total = np.concatenate(([0.0], np.cumsum(np.nan_to_num(values))))
    words = source.tree.words
    return np.asarray(total[words[:, 1]] - total[words[:, 0]], dtype=np.float64)


_INFORMATION = Rule("information per word", ">=", ("coverage",), is_share=True)


def trace(site: Site, params: WisdomParams) -> Trace:
    """Return for each text the information per word of the part that decides on it."""
    source, tree, found = site.source, site.source.tree, _descent(site, params.coverage)
    if found is None:
        reason = "all words are equally rare on the site"
        return text_trace(source, whole_step(source, _INFORMATION, note=reason))
    keeps = above(source.tree, found.is_kept, outermost=True)
    part = np.where(keeps >= 0, keeps, above(source.tree, ~np.isnan(found.value)))

    def note(row: int) -> str:
        at = int(part[row])
        if at < 0:
            return f"outside <{tree.name_of(found.root)}>, which has most of the rare words"
        others = found.merged[at] - 1
        with_others = f" with {others} of its neighbours" if others else ""
        return f"its part is <{tree.name_of(at)}>{with_others}"

    result = np.where(part >= 0, found.value[part], np.nan)
    return text_trace(
        source, text_step(source, _INFORMATION, keeps >= 0, result, found.least, note)
    )


METHOD = Method(
    key="wisdom",
    name="WISDOM",
    params=WisdomParams,
    output="extraction",
    on_site=extract,
    trace_site=trace,
    cite="Kao, Ho, Chen 2005",
    summary="Parts whose words are rarer on the site than the page's words on average.",
)
