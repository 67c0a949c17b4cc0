"""Boilerpipe, number of words: text blocks by their own words and links and their neighbours'.

Source: C. Kohlschuetter, P. Fankhauser, W. Nejdl, "Boilerplate Detection using Shallow Text
Features", WSDM 2010, Algorithm 2.  Blocks and words are read as the authors' library reads them
(see `algorithms.text_blocks`); the paper's blocks, cut at every tag but ``a``, are a parameter.

Cost: O(n) for n words and tags.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction
from algorithms.spans import keep_words
from algorithms.text_blocks import INLINE_TAGS, Counts, TextBlocks, text_blocks
from engine.source import Source
from engine.tree import Bools

BLOCKS = ("library", "paper")


@dataclass(frozen=True)
class NumWordsParams(Params):
    """Parameters of the classifier by number of words."""

    blocks: str = param(
        "library", "what ends a block: tags but a, b, span ..., or all tags but a", choices=BLOCKS
    )


def extract(source: Source, params: NumWordsParams) -> Extraction:
    """Return the words of the blocks classified as content."""
    inline = INLINE_TAGS if params.blocks == "library" else ("a",)
    blocks = text_blocks(source, inline)
    return keep_words(source, blocks.words_in(content_blocks(blocks)))


def content_blocks(blocks: TextBlocks) -> Bools:
    """Return which blocks are content, bool (b,): the tree of Algorithm 2."""
    words, links = blocks.words, blocks.link_density
    before, after = _shifted(words, 1), _shifted(words, -1)
    links_before = np.concatenate(([0.0], links[:-1]))[: links.size]

    after_text = (words > 16) | (after > 15) | (before > 4)
    after_links = (words > 40) | (after > 17)
    content = np.where(links_before <= 0.555556, after_text, after_links)
    return np.asarray(content & (links <= 0.333333), dtype=bool)


def _shifted(values: Counts, by: int) -> Counts:
    """The values of the block before (1) or after (-1); 0 past either end."""
    shifted = np.zeros_like(values)
    if by > 0:
        shifted[1:] = values[:-1]
    else:
        shifted[:-1] = values[1:]
    return shifted


METHOD = Method(
    key="bp-numwords",
    name="Boilerpipe NumWords",
    params=NumWordsParams,
    output="extraction",
    cite="Kohlschütter, Fankhauser, Nejdl 2010",
    on_source=extract,
    summary="Text blocks with enough words and few links, given their neighbours.",
)
