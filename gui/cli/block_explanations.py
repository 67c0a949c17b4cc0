"""Why a segmenter has words of a page in a block, or in none, as text and as JSON."""

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import Any

from algorithms.core.attempt import GoldResults
from algorithms.explain.counterfactuals import CounterfactualResult
from algorithms.explain.explanations import Explainer, Explanation, FinishedRun, Location
from algorithms.explain.why import BlockWhy
from algorithms.measures.text_words import INVISIBLE
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Segmentation
from annotate.marks.page_text import page_text
from engine.errors import InputError
from engine.nodes import NodeTable
from engine.page import Input, Page
from engine.word_units import cuts_word
from engine.words import quoted
from gui.cli.explanations import counterfactual_as_json

SECONDS = 10.0
"""What would turn a decision is looked for this long."""


@dataclass(frozen=True, eq=False)
class BlockAnswer:
    """Explanation of some words of a page.

    Attributes:
        setup: The run that was asked.
        explanation: Why they are in a block, or in none.
        turned: What came of looking for the smallest change of a parameter that turns it.
    """

    setup: FinishedRun
    explanation: Explanation
    turned: CounterfactualResult

    @property
    def why(self) -> BlockWhy:
        assert isinstance(self.explanation.why, BlockWhy)
        return self.explanation.why

    @property
    def path(self) -> tuple[str, ...]:
        """Position of the block, or of the block that the words would form."""
        nodes = self._nodes
        return tuple(nodes.path(row) for row in self.why.block.rows)

    @property
    def text(self) -> str:
        spans, whole = page_text(self._nodes).spans, page_text(self._nodes).text
        texts = (whole[slice(*spans[row].tolist())] for row in self.why.block.rows)
        return " ".join(filter(None, texts))

    @property
    def _nodes(self) -> NodeTable:
        assert isinstance(self.setup.result, Segmentation)
        return self.setup.result.nodes


def row_of_text(nodes: NodeTable, words: str) -> int:
    """Return the row of a page that shows some words, their middle; one that is seen if any is."""
    if not words.strip():
        raise InputError("--text is empty: give some words of the page")
    page = page_text(nodes)
    pattern = _pattern_of(words)
    starts, stops = set(page.starts.tolist()), set(page.stops.tolist())
    result = []
    for match in pattern.finditer(page.text):
        first, end = match.span()
        # A word may end where a text does: "<b>1</b>Swan" is read as one, and seen as two.
        if first not in starts and cuts_word(page.text, first):
            continue
        if end not in stops and cuts_word(page.text, end):
            continue
        middle = (match.start() + match.end() - 1) // 2
        position = int(page.stops.searchsorted(middle, side="right"))
        result.append(int(page.rows[min(position, page.rows.size - 1)]))
    if not result:
        raise InputError(f"the page does not show the words {words!r}; try fewer of them")
    return next((row for row in result if nodes.visible[row]), result[0])


def _pattern_of(words: str) -> re.Pattern[str]:
    """Return what finds words, however their accents are written and wherever they may break."""
    forms = dict.fromkeys((words, *(unicodedata.normalize(form, words) for form in ("NFC", "NFD"))))
    between = f"[{INVISIBLE}]*"
    ways = (
        r"\s+".join(between.join(map(re.escape, token)) for token in form.split()) for form in forms
    )
    return re.compile("|".join(ways), re.IGNORECASE)


def explain_blocks(
    entry: Method,
    page: Page,
    params: Params,
    source: Input,
    words: str,
    gold: GoldResults,
) -> BlockAnswer:
    """Return why a method has some words in a block or in none, and what turns it."""
    row = row_of_text(page.rendered(), words)
    result = entry.run(page, params, source)
    assert isinstance(result, Segmentation)
    setup = FinishedRun(entry, params, source, result)
    explainer = Explainer(page, gold)
    explanation = explainer.explain(setup, Location(row))
    assert isinstance(explanation.why, BlockWhy)
    return BlockAnswer(
        setup, explanation, explainer.counterfactual(setup, explanation.why, SECONDS)
    )


def as_json(answer: BlockAnswer) -> dict[str, Any]:
    """Return an explanation ready for JSON."""
    why = answer.why
    return {
        "method": answer.explanation.key,
        "parameters": answer.setup.params.as_dict(),
        "decision": "block" if why.is_kept else "no block",
        "sentence": answer.explanation.sentence,
        "steps": list(answer.explanation.steps),
        "block": {"level": why.block.level, "type": why.block.type, "path": list(answer.path)},
        "text": answer.text,
        "in_gold": why.in_gold,
        "measure": why.measure,
        "f1": why.f1,
        "f1_if_turned": why.turned_f1,
        "why_no_f1": why.why_no_f1 or None,
        **counterfactual_as_json(answer.turned),
    }


def as_text(answer: BlockAnswer) -> str:
    """Return an explanation as lines to read."""
    about = f"{', '.join(answer.path)} {quoted(answer.text)}"
    return "\n".join(replace(answer.explanation, text=about).lines(answer.turned))
