"""FE and KFE, FeatureExtractor: of the page's blocks the purest in text, or the purest cluster.

Source: S. Debnath, P. Mitra, C. L. Giles, "Automatic Extraction of Informative Blocks from
Webpages", SAC 2005, and "Identifying Content Blocks from Web Documents", ISMIS 2005; T. Gottron,
dissertation 2008, section 3.2.5, Algorithm 3.5.

The page is cut at tables, then what has rows at its rows, and so on for ``p``, ``hr`` and ``ul``;
what lies outside them is lost, as printed.  The probability of a feature is its share of words,
links, images, applets and scripts in the block.  FE takes the block of highest probability, KFE the
highest of three clusters; neither takes one below .5.

Readings: descendants are meant by "child node"; of equally pure blocks the one with most words (of
those the first); clusters start at quantiles of the probabilities.  As the papers' authors confirm
to Gottron, k is 3.

Cost: O(n) for n rows.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.clusters import line_clusters
from algorithms.dom_cuts import FE_TAGS, cut
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction
from algorithms.smoothing import Floats
from algorithms.source_rows import Counts, words_below
from algorithms.spans import keep_words, nothing
from engine.errors import ParameterError
from engine.source import Source
from engine.tree import Bools

FEATURES = ("text", "links", "images", "applets", "scripts")
_TAGS = {
    "links": ("a",),
    "images": ("img",),
    "applets": ("applet", "object", "embed"),
    "scripts": ("script",),
}


@dataclass(frozen=True)
class FeParams(Params):
    """Parameters of FeatureExtractor."""

    feature: str = param("text", "what a block must be rich in", choices=FEATURES)
    probability: float = param(0.5, "share of the feature a block must have", low=0.0, high=1.0)
    tags: str = param(FE_TAGS, "tags the page is cut at, one after the other")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.tags.split():
            raise ParameterError("tags is empty, want tag names separated by blanks")


@dataclass(frozen=True)
class KfeParams(FeParams):
    """Parameters of K-FeatureExtractor."""

    clusters: int = param(3, "clusters of blocks (k)", low=1, high=10)


def extract_fe(source: Source, params: FeParams) -> Extraction:
    """Return the text of the winner block."""
    blocks, probability, words = _candidates(source, params)
    if not blocks.size:
        return nothing(source)
    best = np.lexsort((-words, -probability))[0]
    return _keep(source, blocks[[best]])


def extract_kfe(source: Source, params: KfeParams) -> Extraction:
    """Return the text of the winner set."""
    blocks, probability, _ = _candidates(source, params)
    if not blocks.size:
        return nothing(source)
    return _keep(source, blocks[winner_set(probability, params.clusters)])


def winner_set(probability: Floats, clusters: int = 3) -> Bools:
    """Return which of the probabilities, (b,), are in the cluster with the highest mean."""
    start = np.quantile(probability, (np.arange(clusters) + 0.5) / clusters)
    label, _ = line_clusters(probability, start)
    return np.asarray(label == label.max(), dtype=bool)


def _candidates(source: Source, params: FeParams) -> tuple[Counts, Floats, Counts]:
    """The blocks probable enough, their probabilities and their words."""
    tree = source.tree
    blocks = cut(tree, tuple(params.tags.lower().split()))
    words = (tree.words[blocks, 1] - tree.words[blocks, 0]).astype(np.int64)
    counts = {"text": words.astype(np.float64)}
    for feature, names in _TAGS.items():
        counts[feature] = tree.subtree_sum(tree.has_tag(*names))[blocks]
    total = np.sum(list(counts.values()), axis=0)
    probability = counts[params.feature] / np.maximum(total, 1)
    chosen = (probability >= params.probability) & (total > 0)
    return blocks[chosen], probability[chosen], words[chosen]


def _keep(source: Source, blocks: Counts) -> Extraction:
    rows = np.zeros(len(source.tree), dtype=bool)
    rows[blocks] = True
    return keep_words(source, words_below(source, rows))


FE = Method(
    key="fe",
    name="FeatureExtractor",
    params=FeParams,
    output="extraction",
    cite="Debnath, Mitra, Giles 2005",
    on_source=extract_fe,
    summary="The one block with the highest share of words among words, links and images.",
)
KFE = Method(
    key="kfe",
    name="K-FeatureExtractor",
    params=KfeParams,
    output="extraction",
    cite="Debnath, Mitra, Giles 2005",
    on_source=extract_kfe,
    summary="The cluster of blocks with the highest share of words.",
)
