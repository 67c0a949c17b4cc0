"""DSC, Document Slope Curve: stretches where tags come less often than half the page's average.

Source: D. Pinto et al., "QuASM: a system for question answering using semi-structured data", JCDL
2002; T. Gottron, dissertation 2008, section 3.2.3, Algorithm 3.2.

Departures.  In the printed listing the ``else`` belongs to the wrong ``if``, so that a region could
never end, and a region is labelled from the third of its windows on.  Read as the text has it:
three low windows in a row start a region, three others end it; it reaches from the first of the
low windows to the window that ends it, the third of the others, which is left out (both as
parameters).  Tokens after the last window follow it.  On a page without tags the curve is flat, so
all of it is content; a page shorter than one window has no region.

Cost: O(m) for m tokens.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction
from algorithms.slope_regions import low_regions
from algorithms.spans import everything, keep_words
from engine.source import Source


@dataclass(frozen=True)
class DscParams(Params):
    """Parameters of DSC."""

    slope: float = param(
        0.5, "share of the page's average slope below which a window is low", low=0.0, high=2.0
    )
    windows: int = param(3, "windows in a row that start or end a region", low=1, high=10)
    whole: bool = param(True, "take a region from its first window, not from its third as printed")
    early: bool = param(False, "end a region at the first of the windows that end it")


def extract(source: Source, params: DscParams) -> Extraction:
    """Return the words in regions of low slope."""
    tokens = source.tokens
    is_tag = tokens.is_tag
    if not is_tag.any():
        return everything(source)
    limit = params.slope * np.count_nonzero(is_tag) / is_tag.size
    low = low_regions(is_tag, limit, params.windows, params.whole, params.early)
    return keep_words(source, low[tokens.is_word])


METHOD = Method(
    key="dsc",
    name="DSC",
    params=DscParams,
    output="extraction",
    cite="Pinto et al. 2002",
    on_source=extract,
    summary="Stretches of text with few tags for this page.",
)
