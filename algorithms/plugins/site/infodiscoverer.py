"""InfoDiscoverer: blocks whose words spread evenly over the site's pages are template.

Source: S.-H. Lin, J.-M. Ho, "Discovering Informative Content Blocks from Web Documents", KDD 2002;
T. Gottron, dissertation 2008, section 3.3.2, Algorithm 3.6.  A block is a table cell or the like
with the texts in it and in no block inside; texts in none belong to the document, which is a block,
too. The entropy of a feature is that of its occurrences over the pages, base n; that of a block the
mean over its different features.  Blocks above a threshold are template.  The threshold is found
greedily: from 0 to 1 in steps of .1, as long as a step adds features.

Readings (word F1, mean of seven sites of today; keeping everything gives .84).
- Features are words in lower case, not stemmed and stop words kept: both need word lists of one
  language.
- Blocks are any block-level element, as Gottron suggests of ``div``: .85; with tables and cells
  alone (``tags`` "table td th"), as printed, nearly every page is one block: .83.
- The greedy search begins to look for an end once there is a feature at all, and sees all pages.
  On sites of some fifty pages every step adds features, so that it ends at 1 and keeps nearly
  everything; thresholds of .6, .7 and .8 give .79, .87 and .89.
- The later refinement of blocks is nowhere described.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.plugins.site.detector_reasons import TEMPLATE, text_rows, text_step, text_trace
from algorithms.plugins.site.recurrence import term_entropies, terms
from algorithms.results import Extraction, keep_words
from algorithms.signals.memo import shared
from algorithms.signals.tree_counts import nearest
from algorithms.templates.site import Site, distinct
from algorithms.trace import Rule, Trace
from engine.source import Source
from engine.tree import BLOCK_TAGS, Doubles

GREEDY = -1.0
STEPS = tuple(step / 10 for step in range(11))


@dataclass(frozen=True)
class InfoDiscovererParams(Params):
    tags: str = param("", "tags that make a block; empty: all block-level elements")
    threshold: float = param(
        GREEDY, "entropy above which a block is template; -1: found greedily", low=-1.0, high=1.0
    )


def extract(site: Site, params: InfoDiscovererParams) -> Extraction:
    """Return the informative blocks."""
    threshold = threshold_of(site, params.tags, params.threshold)
    return keep_words(site.source, informative(site, params.tags, threshold))


def informative(site: Site, tags: str, threshold: float) -> npt.NDArray[np.bool_]:
    """Return the words of the seed in blocks up to the threshold, bool (w,)."""
    block = block_of_words(site.source, tags)
    entropy = block_entropies(terms(site.source), block, term_entropies(site))
    return np.asarray(entropy[block] <= threshold + 1e-9, dtype=bool)


def threshold_of(site: Site, tags: str, threshold: float) -> float:
    """Return a threshold, the one found greedily where it is below 0."""
    return threshold if threshold >= 0 else greedy_threshold(site, tags)


@shared
def greedy_threshold(site: Site, tags: str) -> float:
    """Return the last threshold that added features, over all the pages."""
    known = term_entropies(site)
    lowest: dict[str, float] = {}  # the threshold from which each feature is in
    for page in distinct(site):
        source = site.sources[page]
        block, words = block_of_words(source, tags), terms(source)
        entropy = block_entropies(words, block, known)[block].tolist()
        for term, value in zip(words, entropy, strict=True):
            if term and value < lowest.get(term, np.inf):
                lowest[term] = value
    values = np.sort(np.array([*lowest.values()]))
    counts = np.searchsorted(values, np.array(STEPS) + 1e-9, side="right")
    for step in range(1, len(STEPS)):
        if counts[step - 1] and counts[step] == counts[step - 1]:
            return STEPS[step - 1]
    return STEPS[-1]


@shared
def block_of_words(source: Source, tags: str) -> npt.NDArray[np.int64]:
    """Return the row of the block around each word, int64 (w,): Algorithm 3.6."""
    tree = source.tree
    names = tags.lower().split() or sorted(BLOCK_TAGS)
    owner = nearest(tree, tree.has_tag(*names))
    rows = np.flatnonzero(tree.is_text)
    spans = tree.words[rows]
    return np.repeat(owner[rows], spans[:, 1] - spans[:, 0])


def block_entropies(
    words: Sequence[str], block: npt.NDArray[np.int64], known: dict[str, float]
) -> Doubles:
    """Return the mean entropy of each block's different features, by row of the block.

    0 for a block without features: nothing shows that it is template.
    """
    result = np.zeros(int(block.max(initial=0)) + 1)
    count = np.zeros(result.size)
    for row, term in {*zip(block.tolist(), words, strict=True)}:
        if term:
            result[row] += known.get(term, 0.0)
            count[row] += 1
    return np.asarray(result / np.maximum(count, 1), dtype=np.float64)


_ENTROPY = Rule("mean word entropy of its block", "<=", ("threshold", "tags"), is_share=True)


def trace(site: Site, params: InfoDiscovererParams) -> Trace:
    """Return for each text the entropy of its block."""
    return trace_blocks(site, params.tags, threshold_of(site, params.tags, params.threshold))


def trace_blocks(site: Site, tags: str, threshold: float) -> Trace:
    """Return for each text the entropy of its block, compared with a threshold."""
    source, total = site.source, len(distinct(site))
    of_word = block_of_words(source, tags)
    entropy = block_entropies(terms(source), of_word, term_entropies(site))
    block = np.zeros(len(source.tree), dtype=np.int64)
    rows = text_rows(source)
    block[rows] = of_word[source.tree.words[rows, 0]]
    result = np.where(block < entropy.size, entropy[np.minimum(block, entropy.size - 1)], 0.0)
    is_kept = result <= threshold + 1e-9

    def note(row: int) -> str:
        name = f"its block is <{source.tree.name_of(int(block[row]))}>"
        is_spread = "" if is_kept[row] else f", spread evenly over {total} pages{TEMPLATE}"
        return f"{name}{is_spread}"

    return text_trace(source, text_step(source, _ENTROPY, is_kept, result, threshold, note))


METHOD = Method(
    key="infodiscoverer",
    name="InfoDiscoverer",
    params=InfoDiscovererParams,
    output="extraction",
    on_site=extract,
    trace_site=trace,
    cite="Lin, Ho 2002; Gottron 2008",
    summary="Blocks whose words are not spread evenly over the pages of the site.",
)
