"""TCCB, token based content code blurring: where there are many words and few tags.

Source: T. Gottron, "Content Code Blurring: A New Approach to Content Extraction", DEXA Workshops
2008; dissertation 2008, sections 6.4.1 and 6.4.3: words and tags as atoms, tags of links ignored.

Departures.  "A low rate of changes" as stop criterion is no number: 5 passes are the default, the
criterion is a parameter.  Passes are made in the frequency domain, n in one; at the ends of the
document the mean is over what is there.  The extension to the whole text block is on, a block
ends at tags that are no link's.

Cost: two Fourier transforms of the source's tokens, O(n log n).
"""

from dataclasses import dataclass

from algorithms.content_code import content_words
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction
from algorithms.spans import keep_words
from engine.source import Source


@dataclass(frozen=True)
class TccbParams(Params):
    """Parameters of TCCB."""

    range: int = param(25, "how many tokens on either side weigh in", low=1, high=500)
    threshold: float = param(0.75, "share of content a place must have", low=0.0, high=1.0)
    passes: int = param(5, "how often to blur (at most, with a tolerance)", low=1, high=100)
    tolerance: float = param(
        0.0, "stop once a pass changes less than this share of the extract; 0: never",
        low=0.0, high=1.0,
    )  # fmt: skip
    whole: bool = param(True, "keep whole text blocks, not single words")


def extract(source: Source, params: TccbParams) -> Extraction:
    """Return the text blocks that reach the threshold."""
    kept = content_words(
        source,
        by_character=False,
        skip_anchors=True,
        radius=params.range,
        threshold=params.threshold,
        times=params.passes,
        tolerance=params.tolerance,
        whole=params.whole,
    )
    return keep_words(source, kept)


METHOD = Method(
    key="tccb",
    name="TCCB",
    params=TccbParams,
    output="extraction",
    cite="Gottron 2008",
    on_source=extract,
    summary="Words with few tags around them, those of links not counted.",
)
