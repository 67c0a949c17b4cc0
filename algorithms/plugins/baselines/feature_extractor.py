"""FE and KFE, FeatureExtractor: of the page's blocks the purest in text, or the purest cluster.

Source: S. Debnath, P. Mitra, C. L. Giles, "Automatic Extraction of Informative Blocks from
Webpages", SAC 2005, and "Identifying Content Blocks from Web Documents", ISMIS 2005; T. Gottron,
dissertation 2008, section 3.2.5, Algorithm 3.5.

The page is cut at tables, then parts with rows at their rows, and so on for ``p``, ``hr`` and
``ul``; text outside them is lost, as printed.  The probability of a feature is its share of words,
links, images, applets, scripts and blocks inside the block.  FE takes the block of highest
probability, KFE the highest of three clusters; neither takes one below .5.

Readings:

- By "child node" descendants are meant: the root of a page has no table as its child, so that no
  page would ever be cut.
- Links count.  The list of typical features in the text leaves them out, the worked example has
  them: two links, an image and three words make 3 / (2 + 1 + 3).  Left out, paragraphs with links
  are as pure as those without, and KFE's mean F1 is .83 in place of .78 on articles of today, .73
  in place of .69 on the pages of readability's tests: it is links that make it miss paragraphs.
- k is 3, as the papers' authors confirm to Gottron, and three clusters are formed wherever there
  are three different probabilities.  Their start is not given; here the clusters are those of
  least squared distance, which no start can better.  (Started at quantiles, centres fall together
  where most blocks are pure: two clusters on a fifth of these pages, F1 .76 and .68.)
- Of equally pure blocks FE takes the one with most words, of those the first.

Cost: O(n) for n rows, O(b log b) for b blocks.
"""

from dataclasses import dataclass, replace

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction, keep_words
from algorithms.signals.dom_cuts import FE_TAGS, cut
from algorithms.signals.k_means import best_line_clusters
from algorithms.signals.memo import shared
from algorithms.signals.tree_counts import above, words_below
from algorithms.trace import Rule, Trace, step
from engine.source import Source
from engine.tree import Bools, Doubles, Longs, lock

FEATURES = ("text", "links", "images", "applets", "scripts", "blocks")
_TAGS = {
    "links": ("a",),
    "images": ("img",),
    "applets": ("applet", "object", "embed"),
    "scripts": ("script",),
}


@dataclass(frozen=True)
class FeParams(Params):
    feature: str = param("text", "what a block must be rich in", choices=FEATURES)
    probability: float = param(0.5, "share of the feature a block must have", low=0.0, high=1.0)
    tags: str = param(FE_TAGS, "tags the page is cut at, one after the other", has_tags=True)


@dataclass(frozen=True)
class KfeParams(FeParams):
    clusters: int = param(3, "clusters of blocks (k)", low=1, high=10)


def extract(source: Source, params: FeParams) -> Extraction:
    """Return the text of the winner block, or with `KfeParams` of the winner set."""
    blocks, _, is_winner = candidates(source, params)
    rows = np.zeros(len(source.tree), dtype=bool)
    rows[blocks[is_winner]] = True
    return keep_words(source, words_below(source, rows))


def winner_set(probability: Doubles, clusters: int = 3) -> Bools:
    """Return which of the probabilities, (b,), are in the cluster with the highest mean."""
    label = best_line_clusters(probability, clusters)
    return np.asarray(label == label.max(), dtype=bool)


def candidates(source: Source, params: FeParams) -> tuple[Longs, Doubles, Bools]:
    """Return the blocks probable enough, their probabilities, and which of them win."""
    blocks, probability, total, words = block_shares(source, params)
    is_likely = (probability >= params.probability) & (total > 0)
    blocks, probability, words = blocks[is_likely], probability[is_likely], words[is_likely]
    is_winner = np.zeros(blocks.size, dtype=bool)
    if blocks.size and isinstance(params, KfeParams):
        is_winner = winner_set(probability, params.clusters)
    elif blocks.size:
        is_winner[np.lexsort((-words, -probability))[0]] = True
    return blocks, probability, is_winner


def block_shares(source: Source, params: FeParams) -> tuple[Longs, Doubles, Doubles, Longs]:
    """Return all blocks, (b,): rows, shares of the chosen feature, all features, words."""
    return _shares(source, params.feature, tuple(params.tags.lower().split()))


@shared
def _shares(
    source: Source, feature: str, tags: tuple[str, ...]
) -> tuple[Longs, Doubles, Doubles, Longs]:
    tree = source.tree
    blocks = cut(tree, tags)
    words = (tree.words[blocks, 1] - tree.words[blocks, 0]).astype(np.int64)
    counts = {"text": words.astype(np.float64)}
    for name, names in _TAGS.items():
        counts[name] = tree.subtree_sum(tree.has_tag(*names), blocks)
    is_block = tree.has_tag(*tags)
    counts["blocks"] = tree.subtree_sum(is_block, blocks) - is_block[blocks]
    total: Doubles = sum(counts.values(), np.zeros(blocks.size))
    probability = counts[feature] / np.maximum(total, 1)
    for column in (blocks, probability, total, words):
        lock(column)
    return blocks, probability, total, words


_SHARE = Rule("share of the feature in the block", ">=", ("probability", "feature"), is_share=True)
_WINNER = Rule(
    "share of the feature in the best block", ">=", ("feature",), is_share=True,
    says=(
        "its block is among the best: share {value}",
        "its block's share {value} is lower than the best block's ({limit})",
    ),
)  # fmt: skip
_IN_NONE = Rule(
    "in no block: the page is cut at tags, and text outside the blocks is lost", "", ("tags",)
)


def trace(source: Source, params: FeParams) -> Trace:
    """Return for each text the share of its block, and the winner's, or the least of the winners.

    Of nested blocks around a text the kept one decides, else the innermost.
    """
    blocks, probability, chosen = candidates(source, params)
    tree, size = source.tree, source.tokens.words.size
    texts = np.flatnonzero(tree.is_text)
    every, every_share, _, _ = block_shares(source, params)
    share = np.full(len(tree), np.nan)
    share[every] = every_share
    value = np.full(len(tree), np.nan)
    value[blocks] = probability
    won, is_cut = np.zeros((2, len(tree)), dtype=bool)
    won[blocks[chosen]], is_cut[every] = True, True
    at = above(tree, won, outermost=True)[texts]
    is_kept = at >= 0
    at = np.where(is_kept, at, above(tree, is_cut)[texts])
    words = tree.words[texts]
    in_one = at >= 0
    notes = tuple(f"the block is <{tree.name_of(row)}>" for row in at[in_one].tolist())
    passed = in_one & ~np.isnan(value[np.maximum(at, 0)])
    least = float(probability[chosen].min(initial=1.0)) if blocks.size else np.nan
    return Trace(
        (
            step(_IN_NONE, words[~in_one], False),
            step(
                _SHARE, words[in_one], passed[in_one], share[at[in_one]], params.probability, notes
            ),
            step(_WINNER, words[passed], is_kept[passed], value[at[passed]], least),
        ),
        size,
    )


FE = Method(
    key="fe",
    name="FeatureExtractor",
    params=FeParams,
    output="extraction",
    cite="Debnath, Mitra, Giles 2005",
    on_source=extract,
    trace_source=trace,
    summary="The one block with the highest share of words among words, links and images.",
)
KFE = replace(
    FE,
    key="kfe",
    name="K-FeatureExtractor",
    params=KfeParams,
    summary="The cluster of blocks with the highest share of words.",
)
