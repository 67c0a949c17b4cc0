"""Gleaner: blocks that trees and nets, trained on pages with gold, expect to be content.

Pagelet's own; `pagelet train gleaner` makes its model, and the one that ships is described by its
card (methods.md#gleaner).  Each block of text has some 370 measures; gradient-boosted trees and
two small nets, half each, estimate the share of it that gold would have; the set of blocks with the
highest expected F1 is kept, where repeated text counts once, and with it the blocks that belong to
it (`algorithms.extraction.gleaner.completion`); where hardly a word is expected, the most probable
blocks are kept.  What the source itself hides is left out (`algorithms.extraction.gleaner.hidden`).

Cost: linear in the page but for the trees, 300 of them for each block: 38 to 58 ms a page of WCXB
by how busy the machine is, of which the nets take 4.
"""

from dataclasses import dataclass, replace

import numpy as np

from algorithms.extraction.gleaner.asides import consent, other_pages
from algorithms.extraction.gleaner.completion import (
    between_kept,
    complete_blocks,
    in_scraps,
    is_title,
    list_sections,
)
from algorithms.extraction.gleaner.gleaner_model import LEARNED, Model, PagePrediction, model_of
from algorithms.extraction.gleaner.hidden import without_hidden
from algorithms.extraction.gleaner.no_content import no_content
from algorithms.extraction.gleaner.removals import Reasons
from algorithms.extraction.gleaner.text_runs import text_runs
from algorithms.learning.reasons import LazySentences, as_share
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction, keep_words, nothing
from algorithms.trace import Rule, Trace, step
from engine.errors import ParameterError
from engine.runs import mark_covered, runs_of
from engine.source import Source
from engine.tree import Bools

ALL_CONTENT, ONE_ARTICLE = "all content", "one article"

_ARTICLE = "article"
"""The type of a page that is one."""


@dataclass(frozen=True)
class GleanerParams(Params):
    """Parameters of gleaner."""

    guideline: str = param(
        ALL_CONTENT,
        "what counts as content: what does on pages of its type, or the text of one article",
        choices=(ALL_CONTENT, ONE_ARTICLE),
    )
    least: float = param(
        10.0,
        "read a page of fewer expected words of content by its most probable block",
        low=0,
        high=1000,
    )
    model: str = LEARNED.parameter()


def extract(source: Source, params: GleanerParams) -> Extraction:
    """Return the words of the blocks that are expected to be content."""
    result = _predicted(model_of(params.model), source, params)
    is_kept = _kept(source, result, params)
    if reason := no_content(source, is_kept, result.chance):
        return replace(nothing(source), no_content=reason)
    return keep_words(source, _words(source, is_kept)) if is_kept.any() else nothing(source)


def _kept(source: Source, result: PagePrediction, params: GleanerParams) -> Bools:
    """Return the kept blocks with the blocks that belong to them.

    In an article blocks between them too, but not its title, nor a few cells of a table.
    """
    kept = complete_blocks(source, result.choice, result.chance, result.types)
    kept = _without(kept, consent(source))
    kept = _without(kept, other_pages(source, kept))
    if params.guideline == ONE_ARTICLE:
        kept |= between_kept(source, result.choice, result.chance, kept)
        kept |= list_sections(source, result.choice, result.chance, kept)
        kept &= ~in_scraps(source, kept)
        kept = _without(kept, is_title(source))
    return kept


def _without(kept: Bools, others: Bools) -> Bools:
    """Return kept blocks without some others, unless nothing would be left."""
    rest = kept & ~others
    return rest if rest.any() else kept


def _predicted(model: Model, source: Source, params: GleanerParams) -> PagePrediction:
    if params.guideline != ONE_ARTICLE:
        return model.predict(source, params.least)
    if _ARTICLE not in model.type_names:
        raise ParameterError(
            f"guideline: this model learned from pages without types, so that it cannot read one "
            f"as an article; leave it at {ALL_CONTENT!r}"
        )
    return model.predict(source, params.least, _ARTICLE)


def text_of(source: Source, is_kept: Bools) -> str:
    """Return the text of some blocks of a page, bool (b,)."""
    return keep_words(source, _words(source, is_kept)).text if is_kept.any() else ""


def _words(source: Source, is_kept: Bools) -> Bools:
    return without_hidden(source, _words_in(source, is_kept))


def _words_in(source: Source, is_kept: Bools) -> Bools:
    runs = text_runs(source)
    return mark_covered(runs.first[is_kept], runs.last[is_kept], source.tokens.words.size)


# Why ----------------------------------------------------------------------------------------

_EXPECTED = Rule("expected share of content", ">", ("guideline",), is_share=True)
_AGAIN = Rule(
    "expected share of content, less since the page repeats this:",
    ">",
    ("guideline",),
    is_share=True,
    says=(
        "the page repeats this, less probably here: share {value}",
        "the page repeats this, less probably here: share {value}, more than {limit} needed",
    ),
)
_BELONGS = Rule(
    "belongs to what is kept beside it: code, a table, a heading, a last line, the rest of a list"
)
_TITLE = Rule("the page's title, not repeated in the text of an article", "", ("guideline",))
_CONSENT = Rule("a text that asks for consent, with a control that answers it")
_OTHERS = Rule("a link to another page, below a heading such as Related posts")
_SCRAP = Rule("one of a few cells of a table that is not kept", "", ("guideline",))
_HIDDEN = Rule("hidden by the source itself, and nothing on the page opens it")
_TOO_FEW = Rule("words of content expected on the page:", ">=", ("least",))
_NONE = Rule("no main content here")
_NO_BLOCK = Rule("text outside all blocks is not read")


def trace(source: Source, params: GleanerParams) -> Trace:
    """Return for each block the expected share of content and the reasons for it."""
    model = model_of(params.model)
    result = _predicted(model, source, params)
    runs = text_runs(source)
    size = source.tokens.words.size
    positions = np.stack([runs.first, runs.last], axis=1)
    unread = np.stack(runs_of(~mark_covered(runs.first, runs.last, size)), axis=1)
    steps = [step(_NO_BLOCK, unread, False)]
    if len(runs):
        chosen, notes = result.choice, _notes(model, source, result, params)
        above = result.chance > chosen.limit
        is_decided = chosen.is_kept.any() & ~chosen.is_again
        is_expected = np.where(is_decided, chosen.is_kept, above)
        steps.append(step(_EXPECTED, positions, is_expected, result.chance, chosen.limit, notes))
        again = chosen.is_again & is_expected
        shown = chosen.is_kept[again], chosen.chance[again]
        steps.append(step(_AGAIN, positions[again], *shown, chosen.limit))
        kept = _kept(source, result, params)
        steps.append(step(_BELONGS, positions[kept & ~chosen.is_kept], True))
        dropped = chosen.is_kept & ~kept
        for rule, found in (
            (_CONSENT, consent(source)),
            (_OTHERS, other_pages(source, chosen.is_kept)),
            (_TITLE, is_title(source)),
            (_SCRAP, np.ones(len(runs), dtype=bool)),
        ):
            steps.append(step(rule, positions[dropped & found], False))
            dropped &= ~found
        written = _words_in(source, kept)
        hidden = written & ~without_hidden(source, written)
        steps.append(step(_HIDDEN, np.stack(runs_of(hidden), axis=1), False))
        if reason := no_content(source, kept, result.chance):
            every = np.full(len(runs), np.nan)
            steps.append(step(_NONE, positions, False, every, np.nan, (reason,) * len(runs)))
        if not chosen.is_kept.any():
            words = float((chosen.chance * runs.words).sum())
            steps.append(step(_TOO_FEW, positions, False, words, params.least))
    return Trace(tuple(steps), size)


def _notes(
    model: Model, source: Source, result: PagePrediction, params: GleanerParams
) -> LazySentences:
    known_type = _ARTICLE if params.guideline == ONE_ARTICLE else ""
    asked = Reasons(model, source, result, params.least, known_type)
    page = ""
    if result.types:
        name, chance = result.types[0]
        how = "is probably of type" if chance < 1 else "is read as one of type"
        page = f"; the page {how} {name} ({as_share(chance)})"
    return LazySentences(len(result.chance), asked.sentence, page, asked.rests)


METHOD = Method(
    key="gleaner",
    name="Gleaner",
    params=GleanerParams,
    output="extraction",
    cite="Pagelet, trained on WCXB",
    on_source=extract,
    trace_source=trace,
    prepare=lambda params: model_of(params.model),
    card=lambda params: model_of(params.model).card,
    reads_seen=True,
    summary="Blocks that trees and nets, trained on pages with gold, expect to be content.",
)
