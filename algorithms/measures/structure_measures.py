"""The measures of structure; `algorithms.measures.all_measures` has them with the others."""

from collections.abc import Callable

from algorithms.measures import structure_scores
from algorithms.measures.measure import Family, Need, ShownIn, TextMeasure
from algorithms.measures.prf import Score
from algorithms.measures.table_distance import teds_of_pairs
from algorithms.structure import StructureParts

_ZHONG = "X. Zhong, E. ShafieiBavani, A. Jimeno Yepes, ECCV 2020, section 5"
_GRITS = "pairs in order after B. Smock, R. Pesala, R. Abraham, GriTS, ICDAR 2023"
_ALIKE = (
    "1 - Levenshtein distance / length of the longer one, 0 below a half, and half of it on another"
)
_SOFT = (
    "Parts of both are paired in order so that the sum of what pairs are alike is the largest; "
    "precision = sum / returned, recall = sum / marked, F1 = 2PR / (P + R)."
)


def _measure(
    base: str,
    label: str,
    what: str,
    alike: str,
    source: str,
    score: Callable[[StructureParts, StructureParts], Score],
    formula: str = _SOFT,
) -> TextMeasure:
    return TextMeasure(
        base=f"structure-{base}",
        label=label,
        family=Family.STRUCTURE,
        definition=f"F1 of {what}",
        formula=f"{alike} {formula}",
        corners="None marked: no value, so that a mean is over the same pages for every method. "
        "None returned: 0. Less than half of the gold's words on the page: no value.",
        source=source,
        is_f1=True,
        needs=frozenset({Need.TEXT, Need.LOCATION}),
        shown=frozenset({ShownIn.PANEL, ShownIn.LINE}),
        groups=("structure",),
        score=lambda pair: score(pair.parts, pair.gold.parts),
    )


STRUCTURE_MEASURES: tuple[TextMeasure, ...] = (
    _measure(
        "words",
        "words in elements",
        "the longest common sequence of words, each with its element",
        "Two words are one where they are equal and stand in the same: paragraph, heading of a "
        "level, item of a kind of list, cell, header, quote, code.",
        "Pagelet",
        structure_scores.score_words_in_elements,
        "Hits: words of the longest common sequence; precision = hits / returned, recall = hits / "
        "marked, F1 = 2PR / (P + R).",
    ),
    _measure(
        "headings",
        "headings",
        "headings, in order, by text and level",
        f"Two headings are alike by {_ALIKE} level.",
        f"Pagelet; {_GRITS}",
        lambda predicted, marked: structure_scores.score_parts(predicted.headings, marked.headings),
    ),
    _measure(
        "lists",
        "lists",
        "items of lists, in order, by text, kind and depth of the list",
        f"Two items are alike by {_ALIKE} depth or in another kind of list.",
        f"Pagelet; {_GRITS}",
        lambda predicted, marked: structure_scores.score_parts(predicted.items, marked.items),
    ),
    _measure(
        "tables",
        "TEDS",
        "tables, in order, each pair by TEDS, the edit distance of their trees",
        "Two tables are alike by TEDS: 1 - edit distance of their trees of rows and cells / nodes "
        "of the larger one; a cell costs the Levenshtein distance of the texts over the longer.",
        f"{_ZHONG}; {_GRITS}",
        lambda predicted, marked: structure_scores.score_pairs(
            predicted.tables, marked.tables, teds_of_pairs
        ),
    ),
    _measure(
        "code",
        "code",
        "blocks of code and formulas, in order, by their characters",
        f"Two blocks are alike by {_ALIKE} sort of block; white space counts.",
        f"Pagelet; {_GRITS}",
        lambda predicted, marked: structure_scores.score_parts(predicted.code, marked.code),
    ),
    _measure(
        "links",
        "links",
        "links, each address as often as it is linked to",
        "Items are the addresses of links.",
        "Pagelet",
        lambda predicted, marked: structure_scores.score_bags(predicted.links, marked.links),
        "Hits: addresses linked to in both; precision = hits / returned, recall = hits / marked, "
        "F1 = 2PR / (P + R).",
    ),
)
