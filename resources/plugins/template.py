"""Long texts: a method in one file.  Copy it, rename it, change what you like.

Try it:         pagelet extract long_texts.py PAGE
In the window:  pagelet --method-file long_texts.py PAGE, then add it with + in the layers
For good:       put the file into the folder "methods" of Pagelet's settings

Save, and the window runs it again; what is wrong with it is said beside its name, with the line.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.figures.figure import Figure, Threshold, curve, items
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction, keep_words
from algorithms.signals.stretches import stretches
from algorithms.trace import Rule, Trace, step
from engine.source import Source


# 1. Parameters: each has a default, what it does in words, and bounds.  They get a form by
#    themselves.  Whole numbers, fractions, yes/no and texts (with choices) are possible.
@dataclass(frozen=True)
class LongTextsParams(Params):
    """Parameters of this method."""

    words: int = param(12, "words a text between two tags must have", low=1, high=200)


# 2. The method: a pure function of a source.  `source.words` are its words, `source.tokens` words
#    and tags as columns, `source.tree` its elements.  Return what is kept.
#    (For the rendered page write a function of a Page instead, and hand it in as on_page.)
def extract(source: Source, params: LongTextsParams) -> Extraction:
    """Return the texts that are long enough."""
    positions = stretches(source)  # runs of words without a tag between: first, one past the last
    is_kept = np.zeros(len(source.words), dtype=bool)
    for first, last in positions.tolist():
        is_kept[first:last] = last - first >= params.words
    return keep_words(source, is_kept)


# 3. Why (leave it out if you like): what was asked of which place, the value, the threshold, and
#    what was decided.  The Why panel and `pagelet why` make sentences of it.
def trace(source: Source, params: LongTextsParams) -> Trace:
    """Return the length of each text."""
    positions = stretches(source)
    length = positions[:, 1] - positions[:, 0]
    rule = Rule("words between two tags", ">=", ("words",))
    asked = step(rule, positions, length >= params.words, length, params.words)
    return Trace((asked,), len(source.words))


# 4. Figures (leave them out if you like): any arrays.  An item is what can be pointed at: its width
#    along x, its height, the words it stands for.  A threshold with a parameter can be dragged.
def figures(source: Source, params: LongTextsParams) -> tuple[Figure, ...]:
    """Return the length of each text along the page."""
    positions = stretches(source)
    length = positions[:, 1] - positions[:, 0]
    edges = np.arange(len(positions) + 1) - 0.5
    heights = np.append(length, length[-1:])
    labels = tuple(f"{n} words" for n in length.tolist())
    return (
        Figure(
            title="Length of each text",
            x_label="texts",
            y_label="words",
            curves=(curve("words", edges, heights, is_stepped=True),) if len(positions) else (),
            thresholds=(Threshold("kept from", params.words, "y", "words"),),
            items=items(edges[:-1], edges[1:], length, positions, labels),
        ),
    )


# 5. What Pagelet finds.
METHOD = Method(
    key="long-texts",  # small letters, digits, "-"; must be its own
    name="Long texts",
    params=LongTextsParams,
    output="extraction",  # or "segmentation": then on_page returns a Segmentation
    cite="your own",
    on_source=extract,
    trace_source=trace,
    figures_source=figures,
    summary="Texts of many words between two tags.",
)
