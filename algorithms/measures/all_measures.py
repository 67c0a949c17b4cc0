"""Every measure, once: a new one is its module and an entry here.

Views, tables, reports and help texts read these entries; nothing else defines a measure, and no
code derives it from a key.  The order is that of tables and files.
"""

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING

from algorithms.measures.atoms import AtomKind
from algorithms.measures.bcubed import agreement
from algorithms.measures.block_comparison import BlockComparison
from algorithms.measures.clusters import ClusterScores
from algorithms.measures.measure import (
    BlockMeasure,
    Counted,
    Family,
    Match,
    Measure,
    Need,
    ScoredLevel,
    ShownIn,
    TextMeasure,
)
from algorithms.measures.prf import Prf, Score, score_of
from algorithms.measures.regions import confusion, match_regions, type_accuracy
from algorithms.measures.rouge import rouge_lsum
from algorithms.measures.snippets import score_page
from algorithms.measures.structure_measures import STRUCTURE_MEASURES
from algorithms.measures.text import TextScores, cleaneval, score_occurrences
from algorithms.measures.text_comparison import Comparison
from algorithms.measures.text_words import Words

if TYPE_CHECKING:
    from algorithms.triage.prediction import Prediction

_F1 = "precision = hits / returned, recall = hits / marked, F1 = 2PR / (P + R)"

_GOTTRON = "T. Gottron, dissertation, Mainz 2008, sections 2.2.4 and 5.2.2"
_KREUZER = "R. Kreuzer, thesis, Utrecht 2013, section 5.3"
_KIESEL = "J. Kiesel et al., CIKM 2020"
_AMIGO = f"{_KIESEL}; E. Amigó et al., Information Retrieval 12, 2009"
_HUBERT = "L. Hubert, P. Arabie, Journal of Classification 2, 1985"
_STREHL = "A. Strehl, J. Ghosh, JMLR 3, 2002"
_SANOJA = "A. Sanoja, S. Gançarski, Web Page Segmentation Evaluation, SAC 2015"
_ZYTE = "Scrapinghub (Zyte), article-extraction-benchmark, 2020"

_NO_TEXT = "Nothing marked: recall 1. Nothing returned: precision 1."
_BOTH_EMPTY = "Both empty: 1."

_ON_TEXT = frozenset({Need.TEXT})
_ON_PLACE = frozenset({Need.PLACE})
_ON_EDGES = frozenset({Need.PLACE, Need.EDGES})

_NOWHERE = frozenset[ShownIn]()
_PANEL = frozenset({ShownIn.PANEL})
_LINE = frozenset({ShownIn.LINE})
_EACH_LEVEL = frozenset({ShownIn.COUNTED, ShownIn.PANEL})  # for measures of one level
_OFTEN = frozenset({ShownIn.COUNTED, ShownIn.LINE, ShownIn.TESTED})


# Extracted text ----------------------------------------------------------------------------


def _gottron(
    base: str,
    label: str,
    spelled: str,
    what: str,
    items: str,
    hit: str,
    prf: Callable[[TextScores], Prf],
    size: Callable[[Words], int] = lambda text: len(text.words),
    *,
    is_main: bool = False,
) -> TextMeasure:
    """Return one of the four measures that count common parts of two texts."""
    return TextMeasure(
        base=base,
        label=label,
        spelled=spelled,
        family=Family.SEQUENCES,
        definition=f"F1 of {what} (Gottron)",
        formula=f"Hits: {hit}; {_F1}.",
        corners=_NO_TEXT,
        source=_GOTTRON,
        items=items,
        hit=hit,
        is_f1=True,
        is_main=is_main,
        needs=_ON_TEXT,
        shown=_OFTEN,
        groups=("text",),
        score=lambda pair: score_of(prf(pair.four)),
        counted=Counted(prf, size),
    )


def _shingles(pair: Comparison) -> Score:
    result = pair.shingles
    return Score(result.f1, result.precision, result.recall)


TEXT_MEASURES: tuple[TextMeasure, ...] = (
    _gottron(
        "cs", "CS", "character sequence", "the longest common subsequence of characters",
        "characters", "characters of the longest common subsequence, blanks included",
        lambda four: four.cs, lambda text: len(text.text),
    ),
    _gottron(
        "ws", "WS", "word sequence", "the longest common subsequence of words", "words",
        "words of the longest common subsequence, punctuation left out", lambda four: four.ws,
        is_main=True,
    ),
    _gottron(
        "bow", "BoW", "bag of words", "the bags of words", "words",
        "words in any order, each as often as it occurs in both texts", lambda four: four.bow,
    ),
    _gottron(
        "sow", "SoW", "set of words", "the sets of words", "different words",
        "different words that occur in both texts", lambda four: four.sow,
        lambda text: len(text.counts),
    ),
    TextMeasure(
        base="cleaneval", label="CleanEval", family=Family.WHOLE,
        definition="1 - distance of inserts and deletes / length of the alignment",
        formula="1 - (words to insert + words to delete) / (those + words that stay).",
        corners=_BOTH_EMPTY, source="M. Baroni et al., CleanEval, LREC 2008", needs=_ON_TEXT,
        shown=_PANEL | _LINE,
        score=lambda pair: Score(cleaneval(pair.words, pair.gold.words)),
    ),
    TextMeasure(
        base="shingles", label="4-grams", spelled="runs of four words", family=Family.RUNS,
        definition="runs of four words in both; F1 of mean P and mean R (Zyte)",
        formula=f"Items are runs of four words, each as often as it occurs in both texts; {_F1}. "
        "Of many pages: F1 of the mean precision and the mean recall.",
        corners="Nothing returned: no precision. Nothing marked: no recall.", source=_ZYTE,
        items="runs of four words", hit="runs of four words that occur in both texts", is_f1=True,
        is_pooled=True, needs=_ON_TEXT, shown=_PANEL | _LINE,
        score=_shingles,
    ),
    TextMeasure(
        base="identical", label="identical", family=Family.WHOLE,
        definition="1 where both have the same words in the same order, else 0",
        formula="1 if both texts have the same words in the same order, else 0; texts without a "
        "word, of signs alone, are compared by their characters.",
        corners=_BOTH_EMPTY, source=_ZYTE, needs=_ON_TEXT, shown=_PANEL,
        score=lambda pair: Score(float(pair.shingles.is_exact)),
    ),
    TextMeasure(
        base="cetr", label="CETR", spelled="word occurrences", family=Family.RUNS,
        definition="F1 of word occurrences, each position in the page another word (CETR)",
        formula="Every position of a word in the page is a separate item. Hits: "
        f"positions that are both returned and marked; {_F1}.",
        corners=f"{_NO_TEXT} Less than half of the gold's words on the page: no value.",
        source="T. Weninger, W. H. Hsu, J. Han, WWW 2010, section 6.2",
        items="positions of words", is_f1=True,
        hit="positions of words that are both returned and marked",
        needs=_ON_TEXT | {Need.LOCATION}, shown=_PANEL | _LINE,
        score=lambda pair: score_of(score_occurrences(pair.predicted, pair.gold.extraction)),
    ),
    TextMeasure(
        base="rouge-lsum", label="ROUGE-LSum", family=Family.RUNS,
        definition="F1 of words in order within lines (Lin)",
        formula="For each line marked, the words in it that are in a longest common subsequence "
        f"with any line returned. Hits: these words; {_F1}.",
        corners=_NO_TEXT, source="C.-Y. Lin, ROUGE, ACL workshop 2004, section 3.2", items="words",
        hit="words that a line marked shares, in order, with any line returned", is_f1=True,
        needs=_ON_TEXT, shown=_PANEL | _LINE,
        score=lambda pair: score_of(
            rouge_lsum(pair.predicted.text, pair.gold.text, unit=pair.gold.unit)
        ),
    ),
    TextMeasure(
        base="snippets", label="snippets", family=Family.SNIPPETS,
        definition="F1 of phrases that must be in the text, and that must not",
        formula="Hits: phrases that belong to the main content and stand in the text returned, "
        "white space collapsed; returned: those and the phrases that do not belong to it but stand "
        f"there; {_F1}.",
        corners="No phrase occurs in the text: no precision. None belongs to it: no recall.",
        source="A. Barbaresi, trafilatura, ACL-IJCNLP 2021", items="phrases",
        hit="phrases of the main content that occur in the text returned", is_f1=True,
        needs=frozenset({Need.SNIPPETS}), shown=_LINE,
        score=lambda pair: score_page(pair.predicted.text, pair.gold.snippets),
    ),
    *STRUCTURE_MEASURES,
)  # fmt: skip


# Without gold ------------------------------------------------------------------------------


def _prediction(pair: Comparison) -> "Prediction":
    found: Prediction = pair.once(
        "prediction", lambda: _triage().predict(pair.source, pair.predicted)
    )
    return found


def _triage() -> ModuleType:
    from algorithms.triage import prediction  # with gleaner's model

    return prediction


def _unmarked(
    base: str,
    label: str,
    definition: str,
    formula: str,
    score: Callable[[Comparison], Score],
    *,
    is_low_best: bool = False,
) -> TextMeasure:
    return TextMeasure(
        base=base,
        label=label,
        family=Family.UNMARKED,
        definition=definition,
        formula=formula,
        corners="The page has no words: no value.",
        source="Pagelet",
        is_low_best=is_low_best,
        groups=("predicted",),
        score=lambda pair: score(pair) if pair.source.words else Score(None),
    )


_BOUNDS = "Between both bounds was the F1 of eight in ten pages of WCXB at least, of each method"

UNMARKED_MEASURES: tuple[TextMeasure, ...] = (
    _unmarked(
        "predicted-f1", "predicted F1",
        "F1 of the bags of words that is expected, predicted without gold",
        "Gleaner's expectation of each block gives the expected F1 of the kept text, the mean of "
        "32 scenarios in which all of the page's log odds are shifted together.",
        lambda pair: Score(_prediction(pair).f1),
    ),
    _unmarked(
        "predicted-low", "predicted F1, low", "the lower bound of the predicted F1",
        f"{_BOUNDS}.", lambda pair: Score(_prediction(pair).low),
    ),
    _unmarked(
        "predicted-high", "predicted F1, high", "the upper bound of the predicted F1",
        f"{_BOUNDS}.", lambda pair: Score(_prediction(pair).high),
    ),
    _unmarked(
        "native-agreement", "agreement", "mean F1 in words with what six native methods keep",
        "Mean over BTE, DSC, Boilerpipe NumWords, CCB, LQF 50 and gleaner of the F1 in words of "
        "both extractions.",
        lambda pair: Score(_triage().agreement_with_others(pair.source, pair.predicted)),
    ),
    _unmarked(
        "unlike", "unlike", "how unlike the pages that gleaner was trained on the page is",
        "The share of WCXB's pages that are nearer to their centre in length, blocks, content "
        "and certainty.", lambda pair: Score(_triage().unlikeness(pair.source)), is_low_best=True,
    ),
    _unmarked(
        "undecided", "undecided", "which share of the page's words gleaner is undecided about",
        "The entropy of what gleaner expects of each block, in bits, mean by words: what its gold "
        "would teach.", lambda pair: Score(_triage().undecided_share(pair.source)),
        is_low_best=True,
    ),
)  # fmt: skip
"""Measures of an extraction that need no gold; the group ``predicted``."""


# Blocks ------------------------------------------------------------------------------------

_Scorer = Callable[[BlockComparison, str], Score]
_Prfs = Callable[[BlockComparison, str], Prf | None]


def _bcubed(
    on: str,
    label: str,
    atoms: str,
    prf: _Prfs,
    needs: frozenset[Need],
    shown: frozenset[ShownIn] = _PANEL | _LINE,
    groups: tuple[str, ...] = (),
) -> tuple[BlockMeasure, ...]:
    what = f"of the {atoms} that share a block in one segmentation, how many do in the other"
    one_way = (
        f"For each of the {atoms} in a predicted block: of all that shares a predicted block with "
        "it, the part that shares a marked block with it too. Precision is the mean; recall is the "
        "same with predicted and marked exchanged"
    )
    plain = BlockMeasure(
        base=f"b3-{on}",
        label=f"B³ {label}",
        short=label,
        spelled="B-cubed",
        family=Family.BCUBED,
        definition=f"{what}: F1 of precision and recall (Kiesel et al. 2020)",
        formula=f"{one_way}; F1 = 2PR / (P + R). Over many pages there is F* too, the same of the "
        "mean precision and the mean recall.",
        corners="No block on either side: 1. On one side only: 0.",
        source=_AMIGO,
        is_f1=True,
        needs=needs,
        shown=shown,
        groups=groups,
        score_on=lambda pair, level: score_of(prf(pair, level)),
    )
    star = replace(
        plain,
        base=f"b3-{on}-star",
        label=f"B³ F* {label}",
        family=Family.BCUBED_STAR,
        definition=f"{what}: F1 of mean precision and mean recall",
        formula=f"{one_way}; F* = 2PR / (P + R) of the mean precision and the mean recall of all "
        "pages. On one page it is F1.",
        is_pooled=True,
        shown=_NOWHERE,
        groups=(),
    )
    larger = replace(
        plain,
        base=f"b3-{on}-max",
        label=f"B³ max {label}",
        family=Family.BCUBED_MAX,
        definition=f"{what}: the larger of precision and recall, agreement apart from granularity",
        formula=f"{one_way}. The larger of the two: splitting costs no precision, merging no "
        "recall, so it tells agreement apart from how fine the blocks are.",
        is_f1=False,
        shown=_PANEL,
        groups=(),
        score_on=lambda pair, level: _larger(prf(pair, level)),
    )
    return plain, star, larger


def _larger(prf: Prf | None) -> Score:
    return Score(None) if prf is None else Score(agreement(prf), prf.precision, prf.recall)


def _on(atoms: AtomKind) -> _Prfs:
    return lambda pair, level: pair.bcubed(atoms, level)


def _on_edges(name: str) -> _Prfs:
    return lambda pair, level: pair.on_edges(name, level)


def _partitions(atoms: AtomKind) -> tuple[BlockMeasure, ...]:
    each = f"each of the {atoms} in the smallest block that holds it, the rest in one cluster more"
    partition = (
        f"Each of the {atoms} belongs to the smallest block that holds it, and what is in no block "
        "to one cluster more. "
    )
    ari = BlockMeasure(
        base=f"ari-{atoms}",
        label=f"ARI {atoms}",
        spelled="adjusted Rand index",
        family=Family.PARTITIONS,
        definition=f"adjusted Rand index of partitions, {each} (Hubert, Arabie 1985)",
        formula=f"{partition}Of all pairs, count those that are together on both sides: (count - "
        "expected) / (most possible - expected), where expected is what chance gives. 1 if equal, "
        "0 as by chance.",
        corners="Nothing to count: no value.",
        source=_HUBERT,
        needs=_ON_PLACE,
        shown=_PANEL | _LINE,
        score_on=_index(atoms, lambda result: result.ari),
    )
    shared = f"{partition}What one side tells of the other, over "
    nmi = replace(
        ari,
        base=f"nmi-{atoms}",
        label=f"NMI {atoms}",
        spelled="normalised mutual information",
        definition="mutual information over the geometric mean of the entropies, "
        f"{each} (Strehl, Ghosh)",
        formula=f"{shared}the geometric mean of what there is to tell.",
        source=_STREHL,
        score_on=_index(atoms, lambda result: result.nmi),
    )
    arithmetic = replace(
        nmi,
        base=f"nmi-{atoms}-arithmetic",
        label=f"NMI {atoms}, arithmetic",
        definition=f"mutual information over the arithmetic mean of the entropies, {each}",
        formula=f"{shared}the arithmetic mean of what there is to tell.",
        shown=_PANEL,
        score_on=_index(atoms, lambda result: result.nmi_arithmetic),
    )
    return ari, nmi, arithmetic


def _index(atoms: AtomKind, of: Callable[[ClusterScores], float]) -> _Scorer:
    def score(pair: BlockComparison, level: str) -> Score:
        result = pair.clusters(atoms, level)
        return Score(None if result is None else of(result))

    return score


def _iou(base: str, least: float, words: str) -> BlockMeasure:
    number = f"{least:g}".lstrip("0")
    return BlockMeasure(
        base=base,
        label=f"IoU {number}",
        spelled="intersection over union",
        family=Family.AREAS,
        definition=f"F1 of blocks matched one to one that share {words} of the area both cover or "
        "more",
        formula="IoU of two blocks: the area both cover over the area either covers. Blocks are "
        "paired one to one so that the sum of IoU is largest. Hits: pairs with an IoU of "
        f"{number} or more; {_F1}.",
        corners="Nothing returned: precision 1. Nothing marked: recall 1. Blocks without area do "
        "not count.",
        source=f"{_SANOJA}; {_KIESEL}",
        items="blocks",
        hit=f"pairs of blocks that share {words} of the area both cover or more",
        is_f1=True,
        needs=_ON_PLACE,
        shown=_PANEL | _LINE,
        score_on=lambda pair, level: score_of(match_regions(pair.overlaps(level), least).prf),
    )


def _match_outcome(base: str, label: str, definition: str, counted: str) -> BlockMeasure:
    """Return a count of marked blocks of which the same became, or of false alarms."""
    return BlockMeasure(
        base=base,
        label=label,
        family=Family.MATCH_OUTCOMES,
        definition=definition,
        formula="A block is inside another if 3/4 of its area or more is. Asked in this order, a "
        f"marked block is right, split, merged, off or missed. Counted: {counted}.",
        corners="Blocks without area do not count.",
        source=_SANOJA,
        unit="blocks",
        is_low_best=True,
        needs=_ON_PLACE,
        shown=_PANEL,
        score_on=lambda pair, level: Score(float(pair.relations(level)[base])),
    )


def _kreuzer(
    base: str,
    label: str,
    spelled: str,
    definition: str,
    equal: str,
    hit: str,
    match: Match,
    *,
    is_main: bool = False,
) -> BlockMeasure:
    return BlockMeasure(
        base=base, label=label, spelled=spelled, family=Family.TEXTS,
        definition=f"F1 of distinct block texts, {definition} (Kreuzer)",
        formula="Items are the different block texts without white space; blocks without text are "
        f"one item. Hits: the most pairs, one to one, of texts that {equal}; {_F1}.",
        corners="Nothing returned: precision 0. Nothing marked: recall 0.", source=_KREUZER,
        items="different block texts", hit=hit, is_f1=True, is_main=is_main,
        needs=frozenset({Need.BLOCK_TEXTS}), shown=_OFTEN, groups=("blocks",),
        score_on=lambda pair, level: score_of(match(pair.texts())[level].prf),
        match=match,
    )  # fmt: skip


_BOTH_LEVELS: tuple[BlockMeasure, ...] = (
    _kreuzer(
        "exact", "exact", "texts equal", "equal without white space", "are equal",
        "blocks whose texts are equal but for white space", lambda result: result.exact,
    ),
    _kreuzer(
        "fuzzy", "fuzzy", "texts alike", "matched one to one if alike by more than 0.8",
        "are alike by more than 0.8 (2 × characters matched / characters of both)",
        "blocks whose texts are more than 80 % alike", lambda result: result.fuzzy, is_main=True,
    ),
    *_bcubed(
        "pixels", "pixels", "pixels", _on("pixels"), _ON_PLACE,
        shown=_PANEL | _LINE | {ShownIn.TESTED}, groups=("b3",),
    ),
    *_bcubed(
        "edges-fine", "fine edges", "pixels on fine edges of the page's picture",
        _on_edges("fine"), _ON_EDGES,
    ),
    *_bcubed(
        "edges-coarse", "coarse edges", "pixels on coarse edges of the page's picture",
        _on_edges("coarse"), _ON_EDGES,
    ),
    *_bcubed("nodes", "nodes", "visible nodes", _on("nodes"), _ON_PLACE, groups=("b3",)),
    *_bcubed(
        "chars", "characters", "visible characters", _on("chars"), _ON_PLACE, groups=("b3",)
    ),
    *_partitions("words"),
    *_partitions("pixels"),
    _iou("iou-50", 0.5, "half"),
    _iou("iou-75", 0.75, "3/4"),
    replace(
        _match_outcome(
            "right", "right",
            "gold blocks paired one to one with a predicted block, each covering the other to 3/4",
            "marked blocks that lie in a predicted block, and it in them, paired one to one: a "
            "predicted block makes one marked block right at most",
        ),
        is_low_best=False,
    ),
    _match_outcome(
        "split", "over-segmented",
        "gold blocks that are not right and in which several predicted blocks lie to 3/4",
        "marked blocks, not right, in which several predicted blocks lie",
    ),
    _match_outcome(
        "merged", "under-segmented",
        "gold blocks, neither right nor split, that lie with others in one predicted block",
        "marked blocks, neither right nor split, that lie with others in one predicted block",
    ),
    _match_outcome(
        "missed", "missed", "gold blocks that lie in no predicted block, and none in them",
        "marked blocks that lie in no predicted block, and no predicted block in them",
    ),
    _match_outcome(
        "false", "false alarms", "predicted blocks that lie in no gold block, and none in them",
        "predicted blocks that lie in no marked block, and no marked block in them",
    ),
    BlockMeasure(
        base="types", label="types", spelled="right types", family=Family.TYPES,
        definition="share of blocks matched with an IoU of .5 that are of the gold's type",
        formula="Of the pairs of blocks with an IoU of .5 or more and a marked type: the share "
        "that was given this type.",
        corners="No such pair, or a method without types: no value.", source="Pagelet",
        needs=frozenset({Need.PLACE, Need.TYPES}), shown=_PANEL | _LINE,
        score_on=lambda pair, level: Score(type_accuracy(confusion(pair.overlaps(level)))),
    ),
)  # fmt: skip


_LEVELS: tuple[ScoredLevel, ...] = ("all", "1", "2")


BLOCK_MEASURES: tuple[BlockMeasure, ...] = tuple(
    measure
    if level == "all"
    else replace(measure, level=level, is_main=False, shown=measure.shown & _EACH_LEVEL)
    for measure in _BOTH_LEVELS
    for level in _LEVELS
)
"""Each three times: for both levels together, and for each."""


MEASURES: tuple[Measure, ...] = (*TEXT_MEASURES, *UNMARKED_MEASURES, *BLOCK_MEASURES)
