"""ADSC, advanced document slope curve: stretches with more words than tags.

Source: named by T. Weninger, W. Hsu, J. Han, WWW 2010, section 2, after T. Gottron, "Evaluating
Content Extraction on HTML Documents", ITA 2007, as a windowing technique that finds regions where
word tokens are more frequent than tag tokens.

The windows, their sizes and how three of them start or end a region are those of DSC; a window
counts as low by its own words and tags, not by the page's average slope.  A page without tags is
all content, one shorter than a window has no region.

Cost: O(m) for m tokens.
"""

from dataclasses import dataclass

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction
from algorithms.slope_regions import low_regions
from algorithms.spans import everything, keep_words
from engine.source import Source


@dataclass(frozen=True)
class AdscParams(Params):
    """Parameters of ADSC."""

    tags: float = param(0.5, "share of tags below which a window is low", low=0.0, high=1.0)
    windows: int = param(3, "windows in a row that start or end a region", low=1, high=10)
    whole: bool = param(True, "take a region from its first window, not from its third as printed")
    early: bool = param(False, "end a region at the first of the windows that end it")


def extract(source: Source, params: AdscParams) -> Extraction:
    """Return the words in regions where words outnumber tags."""
    tokens = source.tokens
    is_tag = tokens.is_tag
    if not is_tag.any():
        return everything(source)
    low = low_regions(is_tag, params.tags, params.windows, params.whole, params.early)
    return keep_words(source, low[tokens.is_word])


METHOD = Method(
    key="adsc",
    name="ADSC",
    params=AdscParams,
    output="extraction",
    cite="Gottron 2007; Weninger, Hsu, Han 2010",
    on_source=extract,
    summary="Stretches with more words than tags.",
)
