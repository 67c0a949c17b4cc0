"""ContentExtractor: blocks that have their like on few pages are content.

Source: S. Debnath, P. Mitra, C. L. Giles, "Automatic Extraction of Informative Blocks from
Webpages", SAC 2005; T. Gottron, dissertation 2008, section 3.3.3.  A page is cut into blocks as by
FeatureExtractor (Algorithm 3.5).  Two blocks are alike if the cosine of their binary word vectors
is above .9.  IBDF is 1 / (pages with such a block + 1).

Readings.  The function in IBDF is not given, the identity is taken.  "Primary content if it
appears in few documents, so if its IBDF is below a threshold" contradicts itself: few pages make
IBDF large, so content is what lies above.  The threshold is not given either: .25, content stands
on at most two pages (word F1 .52, mean of seven sites; .48 with .35, .55 with .1: what lies in no
block is lost).  Blocks without words are not kept; blocks that hold another keep what the inner one
keeps.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy  # loads its parts when they are first used

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.plugins.site.detector_reasons import recurring, text_step, text_trace
from algorithms.plugins.site.recurrence import terms
from algorithms.results import Extraction, keep_words
from algorithms.signals.dom_cuts import FE_TAGS, cut
from algorithms.signals.memo import shared
from algorithms.signals.tree_counts import above, words_below
from algorithms.templates.site import Site, distinct
from algorithms.trace import Rule, Trace
from engine.source import Source


@dataclass(frozen=True)
class ContentExtractorParams(Params):
    tags: str = param(FE_TAGS, "tags at which pages are cut, one after the other")
    alike: float = param(0.9, "cosine above which blocks are alike", low=0.0, high=1.0)
    theta: float = param(0.25, "IBDF above which a block is content", low=0.0, high=1.0)


def extract(site: Site, params: ContentExtractorParams) -> Extraction:
    """Return the blocks that have their like on few pages."""
    source = site.source
    rows, _ = blocks(source, params.tags)
    alone = 1.0 / (pages_alike(site, params.tags, params.alike) + 1.0) > params.theta
    is_kept = np.zeros(len(source.tree), dtype=bool)
    is_kept[np.array(rows, dtype=np.int64)[alone]] = True
    return keep_words(source, words_below(source, is_kept))


def pages_alike(site: Site, tags: str, alike: float) -> npt.NDArray[np.int64]:
    """Return on how many pages each block of the seed has its like, itself included, int64 (b,)."""
    table, page, number = _vectors(site, tags)
    _, sets = blocks(site.source, tags)
    if not sets:
        return np.zeros(0, dtype=np.int64)
    # Rows of one set of words are one; a set of the seed that is not in the table is new to all.
    known = [number.get(words, -1) for words in sets]
    result = np.ones(len(sets), dtype=np.int64)
    asked = np.array([position for position in known if position >= 0], dtype=np.int64)
    if asked.size:
        near = (table[asked] @ table.T).tocoo()
        hit = near.data > alike + 1e-9
        hits = scipy.sparse.csr_array(
            (np.ones(int(hit.sum())), (near.row[hit], near.col[hit])), shape=near.shape
        )
        counts = ((hits @ page) > 0).sum(axis=1)
        result[np.array(known) >= 0] = np.asarray(counts).ravel()
    return np.maximum(result, 1)


@shared
def _vectors(
    site: Site, tags: str
) -> tuple["scipy.sparse.csr_array", "scipy.sparse.csr_array", dict[frozenset[str], int]]:
    """Return the distinct sets of words as unit rows, the pages each is on, and their numbers."""
    number: dict[frozenset[str], int] = {}
    term: dict[str, int] = {}
    cells: set[tuple[int, int]] = set()
    pages = distinct(site)
    for column, page in enumerate(pages):
        for words in blocks(site.sources[page], tags)[1]:
            cells.add((number.setdefault(words, len(number)), column))
            for word in words:
                term.setdefault(word, len(term))
    columns = [term[word] for words in number for word in words]
    weights = np.concatenate([np.full(len(w), len(w) ** -0.5) for w in number] or [np.zeros(0)])
    ends = np.cumsum([0, *map(len, number)])
    table = scipy.sparse.csr_array((weights, columns, ends), shape=(len(number), max(len(term), 1)))
    row, on_page = (
        np.array([position[k] for position in sorted(cells)], dtype=int) for k in (0, 1)
    )
    on = scipy.sparse.csr_array(
        (np.ones(row.size), (row, on_page)), shape=(len(number), len(pages))
    )
    return table, on, number


@shared
def blocks(source: Source, tags: str) -> tuple[tuple[int, ...], tuple[frozenset[str], ...]]:
    """Return the rows of the blocks that have words, and their sets of words."""
    rows = cut(source.tree, tuple(tags.lower().split()))
    words = terms(source)
    sets = [frozenset(words[a:b]) - {""} for a, b in source.tree.words[rows].tolist()]
    filled = [(row, result) for row, result in zip(rows.tolist(), sets, strict=True) if result]
    return tuple(row for row, _ in filled), tuple(result for _, result in filled)


_IBDF = Rule("IBDF of its block", ">", ("theta", "alike", "tags"), is_share=True)


def trace(site: Site, params: ContentExtractorParams) -> Trace:
    """Return for each text the IBDF of the block that decides on it."""
    source, total = site.source, len(distinct(site))
    size = len(source.tree)
    rows = np.array(blocks(source, params.tags)[0], dtype=np.int64)
    pages = np.ones(size, dtype=np.int64)
    pages[rows] = pages_alike(site, params.tags, params.alike)
    is_block, alone = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)
    is_block[rows] = True
    alone[rows] = (1.0 / (pages + 1.0) > params.theta)[rows]
    keeps = above(source.tree, alone, outermost=True)
    block = np.where(keeps >= 0, keeps, above(source.tree, is_block))
    ibdf = np.where(block >= 0, 1.0 / (pages[block] + 1.0), np.nan)

    def note(row: int) -> str:
        at = int(block[row])
        if at < 0:
            return "in no block"
        phrase = recurring(int(pages[at]), total, is_template=keeps[row] < 0)
        return f"its block <{source.tree.name_of(at)}>, or one like it, {phrase}"

    return text_trace(source, text_step(source, _IBDF, keeps >= 0, ibdf, params.theta, note))


METHOD = Method(
    key="contentextractor",
    name="ContentExtractor",
    params=ContentExtractorParams,
    output="extraction",
    on_site=extract,
    trace_site=trace,
    cite="Debnath, Mitra, Giles 2005",
    summary="Blocks whose words are not nearly the same in blocks of other pages.",
)
