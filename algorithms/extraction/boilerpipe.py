"""Boilerpipe: text blocks classified by shallow features of themselves and their neighbours.

Source: C. Kohlschuetter, P. Fankhauser, W. Nejdl, "Boilerplate Detection using Shallow Text
Features", WSDM 2010: Algorithm 1 (text density), Algorithm 2 (number of words), and section 4.3.2:
the filters Largest Content and Main Content, and the strategy to keep blocks of 10 words or more.

Blocks and words are read as the authors' library reads them (see
`algorithms.signals.text_blocks`); the paper's blocks, cut at every tag but ``a``, are a
parameter.  Largest Content: the paper takes the block with most words; as in the library,
neighbouring content blocks are one block for that, the block before them included if so set.  Main
Content: the paper prints one of its 11 markers of a comments section, the others are the library's;
the title is found where a block equals the document's title or its longest part between
separators.  Above the first title and below the first marker after it everything goes, then the
largest content stays.

Cost: O(n) for n words and tags; with text densities plus one pass over the words of long blocks.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction, keep_words
from algorithms.signals.memo import shared
from algorithms.signals.text_blocks import INLINE_TAGS, TextBlocks, text_blocks
from algorithms.trace import Rule, Step, Trace, step
from engine.runs import runs_of
from engine.source import Source
from engine.tree import Bools, Doubles

BLOCKS = ("library", "paper")
_BLOCKS_HELP = "what ends a block: tags but a, b, span ..., or all tags but a"

MOST_LINKS = 0.333333
MOST_LINKS_BEFORE = 0.555556

MARKERS = (
    "comments", "user comments", "reader comments", "reader views", "users responded in",
    "have your say", "post a comment", "add comment", "add your comment", "what you think",
    "please rate this",
)  # fmt: skip
"""Text of a block, apart from a number, where a comments section starts."""

_MARKER = re.compile(rf"(?:\d+ )?(?:{'|'.join(MARKERS)})[\s\d.,:!?()…-]*")
_MARKER_WORDS = 15

_TITLE_SEPARATORS = (r" *[|»-] *", r" *[|»:] *", r" *[|»:()] *", r" *[|»:()-] *", r" *[|»,:()-] *")


@dataclass(frozen=True)
class BlockParams(Params):
    """Parameters of the two classifiers."""

    blocks: str = param("library", _BLOCKS_HELP, choices=BLOCKS)


@dataclass(frozen=True)
class LargestParams(BlockParams):
    """Parameters of the classifiers with a filter."""

    before: bool = param(True, "fuse content with the block before it, as the library does")


@dataclass(frozen=True)
class Min10Params(BlockParams):
    """Parameters of the strategy by length alone."""

    words: int = param(10, "words a block must have", low=0, high=200)


Classifier = Callable[[TextBlocks], Bools]


def by_words(blocks: TextBlocks) -> Bools:
    """Return which blocks are content, bool (b,): the tree of Algorithm 2."""
    words, before, after = _with_neighbours(blocks.words)
    plain = (words > 16) | (after > 15) | (before > 4)
    after_links = (words > 40) | (after > 17)
    return _by_links(blocks, plain, after_links)


def by_density(blocks: TextBlocks) -> Bools:
    """Return which blocks are content, bool (b,): the tree of Algorithm 1."""
    density, before, after = _with_neighbours(blocks.text_density)
    plain = np.where(density <= 9, (after > 10) | (before > 4), after > 0)
    return _by_links(blocks, plain, after > 11)


def largest(blocks: TextBlocks, content: Bools, before: bool = True, start: int = 0) -> Bools:
    """Return the run of content blocks with most words, bool (b,); the first of equal ones.

    With ``before`` each run takes in the block before it, if there is one from ``start`` on.
    """
    first, last = runs_of(content)
    chosen = np.zeros(len(blocks), dtype=bool)
    if not first.size:
        return chosen
    if before:
        first = np.maximum(first - 1, start)
    total = np.concatenate(([0], np.cumsum(blocks.words)))
    best = int(np.argmax(total[last] - total[first]))
    chosen[first[best] : last[best]] = True
    return chosen


def main_part(source: Source, blocks: TextBlocks) -> slice:
    """Return the blocks from the title to the marker of a comments section."""
    titles = title_parts(source.title)
    longest = max((len(title.split()) for title in titles), default=0)
    start, end = 0, len(blocks)
    has_title = not titles
    is_short = blocks.last - blocks.first <= max(longest, _MARKER_WORDS)
    asked = np.flatnonzero(is_short & _may_begin(source, blocks, titles))
    for block, text in zip(asked.tolist(), _plain_texts(source, blocks, asked), strict=True):
        if not has_title and text in titles:
            start, has_title, end = block, True, len(blocks)
        elif end == len(blocks) and _MARKER.fullmatch(text):
            end = block
    return slice(start, end)


def _may_begin(source: Source, blocks: TextBlocks, titles: frozenset[str]) -> Bools:
    """Return which blocks begin like a title or a marker, bool (b,); few are read any further."""
    beginnings = "".join({text[0] for text in (*titles, *MARKERS)})
    may_begin = np.zeros(1 << 16, dtype=bool)
    may_begin[[*f"0123456789'&{beginnings}{beginnings.upper()}".encode("ascii", "ignore")]] = True
    may_begin[128:] = True
    tokens = source.tokens
    return np.asarray(may_begin[tokens.codes[tokens.spans[blocks.first, 0]]], dtype=bool)


def _plain_texts(source: Source, blocks: TextBlocks, asked: npt.NDArray[np.intp]) -> list[str]:
    """Return the texts of some blocks, (k,), in lower case and without apostrophes."""
    first, count = blocks.first[asked], blocks.last[asked] - blocks.first[asked]
    end = np.cumsum(count)
    words = source.some_words(np.arange(count.sum()) + (first + count - end).repeat(count))
    starts = (end - count).tolist()
    texts = [" ".join(words[i:j]) for i, j in zip(starts, end.tolist(), strict=True)]
    return "\n".join(texts).replace("'", "").lower().split("\n")[: len(texts)]


def title_parts(title: str) -> frozenset[str]:
    """Return block texts that count as the title: all of it, or its longest part."""
    whole = " ".join(title.split()).replace("'", "").lower()
    result = {whole}
    for separator in _TITLE_SEPARATORS:
        parts = re.split(separator, whole)
        if len(parts) > 1:
            result.add(max(parts, key=lambda part: (len(part.split()), len(part))))
    return frozenset(result - {""})


def _with_neighbours(values: npt.ArrayLike) -> tuple[Doubles, Doubles, Doubles]:
    """Return the values of each block, of the one before and of the one after; 0 past the ends."""
    own = np.asarray(values, dtype=np.float64)
    before, after = np.zeros_like(own), np.zeros_like(own)
    before[1:], after[:-1] = own[:-1], own[1:]
    return own, before, after


def _by_links(blocks: TextBlocks, plain: Bools, after_links: Bools) -> Bools:
    """The upper branches both trees share: the rule after few links, and after many."""
    links, links_before, _ = _with_neighbours(blocks.link_density)
    content = np.where(links_before <= MOST_LINKS_BEFORE, plain, after_links)
    return np.asarray(content & (links <= MOST_LINKS), dtype=bool)


def _read(source: Source, blocks: str) -> TextBlocks:
    return text_blocks(source, INLINE_TAGS if blocks == "library" else ("a",))


@shared
def _content(source: Source, blocks: str, classifier: Classifier) -> Bools:
    return classifier(_read(source, blocks))


@shared
def _main_part(source: Source, blocks: str) -> tuple[int, int]:
    part = main_part(source, _read(source, blocks))
    return part.start, part.stop


def _classify(source: Source, params: BlockParams, classifier: Classifier) -> Extraction:
    blocks = _read(source, params.blocks)
    return keep_words(source, blocks.words_in(_content(source, params.blocks, classifier)))


def _filter(
    source: Source, params: LargestParams, classifier: Classifier, is_main: bool
) -> tuple[TextBlocks, slice, Bools, Bools]:
    """Return the blocks, the part that is read, its content, and the largest of that."""
    blocks = _read(source, params.blocks)
    part = slice(*_main_part(source, params.blocks)) if is_main else slice(0, len(blocks))
    content = np.zeros(len(blocks), dtype=bool)
    content[part] = _content(source, params.blocks, classifier)[part]
    return blocks, part, content, largest(blocks, content, params.before, part.start)


def _keep_largest(
    source: Source, params: LargestParams, classifier: Classifier, is_main: bool
) -> Extraction:
    blocks, *_, is_kept = _filter(source, params, classifier, is_main)
    return keep_words(source, blocks.words_in(is_kept))


def _keep_long(source: Source, params: Min10Params) -> Extraction:
    blocks = _read(source, params.blocks)
    return keep_words(source, blocks.words_in(blocks.words >= params.words))


# Why ----------------------------------------------------------------------------------------

_LINKS = Rule("link density", "<=", is_share=True)
_TOO = "without its links dropped, too"
_WORDS = Rule("words", ">", measured="{} word(s)")
_DENSITY = Rule("words per line", ">", measured="{} words per line")
_LONG = Rule("words", ">=", ("words",), measured="{} word(s)")
_UNREAD = Rule("text in option, object, noscript and similar elements is not read")
_RUN = Rule(
    "words in its run of content", ">=", ("before",),
    says=(
        "its run of content is the longest, {value} word(s)",
        "its run of content has {value} word(s); the longest has {limit}",
    ),
)  # fmt: skip
_PART = Rule("outside the part between title and comments")


def _spans(blocks: TextBlocks) -> npt.NDArray[np.int64]:
    return np.stack([blocks.first, blocks.last], axis=1)


def _classified(blocks: TextBlocks, classifier: Classifier) -> tuple[Step, ...]:
    """Return the path through the tree: links first, then the sizes of block and neighbours."""
    positions, is_kept = _spans(blocks), classifier(blocks)
    links, links_before, _ = _with_neighbours(blocks.link_density)
    few = links <= MOST_LINKS
    is_density = classifier is by_density
    values, before, after = _with_neighbours(blocks.text_density if is_density else blocks.words)
    linked = links_before > MOST_LINKS_BEFORE
    notes = tuple(
        _neighbours(values[k], before[k], after[k], bool(linked[k]), is_density)
        for k in np.flatnonzero(few).tolist()
    )
    thresholds = np.where(linked, np.nan if is_density else 40.0, 9.0 if is_density else 16.0)
    rule = _DENSITY if is_density else _WORDS
    alone = _kept_unlinked(blocks, classifier)
    too = tuple("" if alone[k] else _TOO for k in np.flatnonzero(~few).tolist())
    return (
        step(_LINKS, positions[~few], False, links[~few], MOST_LINKS, too),
        step(rule, positions[few], is_kept[few], values[few], thresholds[few], notes),
    )


def _kept_unlinked(blocks: TextBlocks, classifier: Classifier) -> Bools:
    """Return which blocks are content if they alone had no links, bool (b,)."""
    result = np.zeros(len(blocks), dtype=bool)
    for first in (0, 1):  # of every second block, so that the one before it stays as it is
        linked = blocks.linked.copy()
        linked[first::2] = 0
        result[first::2] = classifier(replace(blocks, linked=linked))[first::2]
    return result


def _neighbours(own: float, before: float, after: float, is_linked: bool, is_density: bool) -> str:
    """Return the part of a reason about a block's neighbours, as the trees test them."""
    if is_linked:
        # After many links a block needs more, and the one before is no evidence for it.
        limits = (np.inf, 11.0) if is_density else (np.inf, 17.0)
    elif is_density:
        limits = (4.0, 10.0) if own <= 9 else (np.inf, 0.0)
    else:
        limits = (4.0, 15.0)
    reasons = ["follows a block that is mostly links"] if is_linked else []
    for name, value, limit in (("previous", before, limits[0]), ("next", after, limits[1])):
        if np.isfinite(limit):
            rule = _DENSITY if is_density else _WORDS
            reason = rule.reason(value, limit, kept=value > limit)
            reasons.append(f"the {name} block has {reason}")
    return "; ".join(reasons)


def _within(blocks: TextBlocks, content: Bools, is_kept: Bools, part: slice) -> tuple[Step, ...]:
    """Return the decisions of Main Content and Largest Content on the blocks kept by the tree."""
    keep = _spans(blocks)
    outside = np.ones(len(blocks), dtype=bool)
    outside[part] = False
    total = np.concatenate(([0], np.cumsum(blocks.words)))
    first, last = runs_of(content)
    words = np.zeros(len(blocks))
    for start, end in zip(first.tolist(), last.tolist(), strict=True):
        words[start:end] = total[end] - total[start]
    start, end = runs_of(is_kept)
    best = float(words[is_kept].max(initial=0))
    asked = content | is_kept
    notes = tuple(
        "" if content[k] else "kept together with the content after it"
        for k in np.flatnonzero(asked).tolist()
    )
    words[is_kept] = best
    return (
        step(_PART, keep[outside], False),
        step(_RUN, keep[asked], is_kept[asked], words[asked], best, notes),
    )


def _trace(source: Source, blocks: TextBlocks, *steps: Step) -> Trace:
    size = source.tokens.words.size
    unread = np.stack(runs_of(~blocks.words_in(np.ones(len(blocks), dtype=bool))), axis=1)
    return Trace((step(_UNREAD, unread, False), *steps), size)


def _trace_classified(source: Source, params: BlockParams, classifier: Classifier) -> Trace:
    blocks = _read(source, params.blocks)
    return _trace(source, blocks, *_classified(blocks, classifier))


def _trace_largest(
    source: Source, params: LargestParams, classifier: Classifier, is_main: bool
) -> Trace:
    blocks, part, content, is_kept = _filter(source, params, classifier, is_main)
    steps = (*_classified(blocks, classifier), *_within(blocks, content, is_kept, part))
    return _trace(source, blocks, *steps)


def _trace_long(source: Source, params: Min10Params) -> Trace:
    blocks = _read(source, params.blocks)
    is_kept = blocks.words >= params.words
    return _trace(source, blocks, step(_LONG, _spans(blocks), is_kept, blocks.words, params.words))


_method = partial(Method, output="extraction", cite="Kohlschütter, Fankhauser, Nejdl 2010")
METHODS = (
    _method(
        key="bp-numwords", name="Boilerpipe NumWords", params=BlockParams,
        on_source=partial(_classify, classifier=by_words),
        trace_source=partial(_trace_classified, classifier=by_words),
        summary="Text blocks with enough words and few links, given their neighbours.",
    ),
    _method(
        key="bp-numwords+largest", name="Boilerpipe NumWords, largest", params=LargestParams,
        on_source=partial(_keep_largest, classifier=by_words, is_main=False),
        trace_source=partial(_trace_largest, classifier=by_words, is_main=False),
        summary="Of the blocks NumWords keeps, the neighbours with most words.",
    ),
    _method(
        key="bp-numwords+main", name="Boilerpipe NumWords, main", params=LargestParams,
        on_source=partial(_keep_largest, classifier=by_words, is_main=True),
        trace_source=partial(_trace_largest, classifier=by_words, is_main=True),
        summary="The same between the page's title and its comments.",
    ),
    _method(
        key="bp-density", name="Boilerpipe Density", params=BlockParams,
        on_source=partial(_classify, classifier=by_density),
        trace_source=partial(_trace_classified, classifier=by_density),
        summary="Text blocks with dense lines and few links, given their neighbours.",
    ),
    _method(
        key="bp-density+largest", name="Boilerpipe Density, largest", params=LargestParams,
        on_source=partial(_keep_largest, classifier=by_density, is_main=False),
        trace_source=partial(_trace_largest, classifier=by_density, is_main=False),
        summary="Of the blocks Density keeps, the neighbours with most words.",
    ),
    _method(
        key="bp-density+main", name="Boilerpipe Density, main", params=LargestParams,
        on_source=partial(_keep_largest, classifier=by_density, is_main=True),
        trace_source=partial(_trace_largest, classifier=by_density, is_main=True),
        summary="The same between the page's title and its comments.",
    ),
    _method(
        key="bp-min10", name="Boilerpipe 10 words", params=Min10Params,
        on_source=_keep_long, trace_source=_trace_long,
        summary="Text blocks of ten words or more.",
    ),
)  # fmt: skip
