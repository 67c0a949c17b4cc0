"""``pagelet why``: what a method decided on some words, and what would turn it."""

import re
import unicodedata
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from algorithms.core.attempt import GoldResults, attempt_members
from algorithms.core.catalogue import named_method
from algorithms.core.mapping import map_text, tokens_saying
from algorithms.explain.counterfactuals import CounterfactualResult
from algorithms.explain.differences import words_kept
from algorithms.explain.explanations import Explainer, Explanation, FinishedRun, Location
from algorithms.explain.why import BlockWhy, Why, held_by
from algorithms.measures.text_words import INVISIBLE
from algorithms.results import Extraction, Segmentation
from annotate.marks.page_text import page_text
from engine.errors import InputError
from engine.nodes import NodeTable
from engine.source import Source
from engine.word_units import cuts_word
from engine.words import quote_start
from gui.cli.arguments import PageOptions
from gui.cli.questions import GoldOptions, PageQuestion, asked_blocks, read_question
from gui.cli.terminal import print_json

SECONDS = 10.0
"""Longest search for a change that reverses a decision."""


_MOST_PLACES = 5
"""So many other places of the words are told."""


@dataclass(frozen=True, eq=False)
class Answer:
    """Explanation of the decision on some words of a page.

    Attributes:
        setup: The run that was asked.
        explanation: Why they are kept or dropped, in a block or in none.
        turned: The smallest change of a parameter that reverses it, if one was found.
        nodes: The rendered page, for blocks.
        elsewhere: Text around each other occurrence of the words, and whether that is kept, or in a
            block.
    """

    setup: FinishedRun
    explanation: Explanation
    turned: CounterfactualResult
    nodes: NodeTable | None = None
    elsewhere: tuple[tuple[str, bool], ...] = ()
    costs: tuple[tuple[str, float], ...] = ()


def run(method: str, page: str, *, how: PageOptions, more: GoldOptions, text: str) -> int:
    """Print the answer.

    Args:
        method (METHOD): a key; see pagelet methods
        page (PAGE): file, URL, or - for standard input
        text (WORDS): words of the page

    Examples:
      pagelet why lqf page.html --text "Most read"          why the extractor keeps or drops it
      pagelet why vips page.html --text "Most read"         in which block it is, and why
      pagelet why terrain page.html --text "Home" --json    the same as JSON

    Gold that comes with the page is used: the answer then gives the cost of the decision, too.
    """
    if named_method(method).output == "segmentation":
        answer = explain_blocks(*asked_blocks(method, page, how, more), text)
    else:
        answer = explain_text(read_question(method, page, how, more), text)
    if more.json:
        print_json(as_json(answer))
    else:
        print(as_text(answer))
    return 0


def explain_text(of: PageQuestion, text: str) -> Answer:
    """Return why a method kept or dropped some words, and what reverses it."""
    entry = of.entry
    if not entry.says_why or of.source == "rendered":
        raise InputError(f"{entry.key} gives no reasons on the {of.source} page")
    source = of.page.source(of.source)
    words, *others = places_of_text(source, text)
    gold = GoldResults()
    if of.gold is not None:
        mapped = map_text(source, of.gold)
        gold = GoldResults(Extraction(source, mapped.spans, of.gold, mapped.unmapped))
    result = entry.run(of.page, of.params, of.source, of.site)
    assert isinstance(result, Extraction)
    setup = FinishedRun(entry, of.params, of.source, result, of.site)
    location = Location(-1, word=words[len(words) // 2], of=entry.key)
    answer = _answer(Explainer(of.page, gold), setup, location, text)
    is_kept = words_kept(result, source)
    elsewhere = tuple(
        (" ".join(source.words[max(0, at.start - 3) : at.stop + 3]), bool(is_kept[at].mean() > 0.5))
        for at in others
    )
    outcomes = attempt_members(entry, of.page, of.params, of.source)
    costs = tuple((name, 1000 * outcome.seconds) for name, outcome in outcomes)
    return replace(answer, elsewhere=elsewhere, costs=costs)


def explain_blocks(of: PageQuestion, gold: GoldResults, words: str) -> Answer:
    """Return why a method has some words in a block or in none, and what reverses it."""
    nodes = of.page.rendered()
    row, *others = rows_of_text(nodes, words)
    result = of.entry.run(of.page, of.params, of.source)
    setup = FinishedRun(of.entry, of.params, of.source, result)
    assert isinstance(result, Segmentation)
    elsewhere = tuple((nodes.path(row), held_by(result, row) is not None) for row in others)
    answer = _answer(Explainer(of.page, gold), setup, Location(row), words)
    return replace(answer, nodes=nodes, elsewhere=elsewhere)


def _answer(explainer: Explainer, setup: FinishedRun, location: Location, text: str) -> Answer:
    explanation = explainer.explain(setup, location)
    if explanation.why is None:
        raise InputError(f"{setup.entry.key} decides nothing on {text!r}")
    return Answer(setup, explanation, explainer.counterfactual(setup, explanation.why, SECONDS))


def places_of_text(source: Source, text: str) -> list[range]:
    """Return the words of a source that contain a text, a range for each occurrence.

    Raises:
        InputError: It is not there.
    """
    if not text.strip():
        raise InputError("--text is empty: give some words of the page")
    if places := tokens_saying(source, text):
        return places
    raise InputError(f"the words {text!r} are not in what the method reads; try fewer of them")


def rows_of_text(nodes: NodeTable, words: str) -> list[int]:
    """Return the rows of a page that show some words, by their middle; only seen ones if any is.

    Raises:
        InputError: No row shows them.
    """
    if not words.strip():
        raise InputError("--text is empty: give some words of the page")
    page = page_text(nodes)
    pattern = _pattern_of(words)
    starts, stops = set(page.starts.tolist()), set(page.stops.tolist())
    result = []
    for match in pattern.finditer(page.text):
        first, end = match.span()
        # A word may end where a text does: "<b>1</b>Swan" is read as one, and seen as two.
        if (first not in starts and cuts_word(page.text, first)) or (
            end not in stops and cuts_word(page.text, end)
        ):
            continue
        middle = (first + end - 1) // 2
        position = int(page.stops.searchsorted(middle, side="right"))
        result.append(int(page.rows[min(position, page.rows.size - 1)]))
    if not result:
        raise InputError(f"the page does not show the words {words!r}; try fewer of them")
    rows = list(dict.fromkeys(result))
    return [row for row in rows if nodes.visible[row]] or rows


def _pattern_of(words: str) -> re.Pattern[str]:
    """Return what finds words, however their accents are written and wherever they may break."""
    forms = dict.fromkeys((words, *(unicodedata.normalize(form, words) for form in ("NFC", "NFD"))))
    between = f"[{INVISIBLE}]*"
    ways = (
        r"\s+".join(between.join(map(re.escape, token)) for token in form.split()) for form in forms
    )
    return re.compile("|".join(ways), re.IGNORECASE)


def as_json(answer: Answer) -> dict[str, Any]:
    """Return an explanation ready for JSON; numbers that are none are null."""
    why, explanation = answer.explanation.why, answer.explanation
    result: dict[str, Any] = {
        "method": explanation.key,
        "parameters": answer.setup.params.as_dict(),
        "input": answer.setup.source,
    }
    if isinstance(why, BlockWhy):
        assert answer.nodes is not None
        paths = [answer.nodes.path(row) for row in why.block.rows]
        result |= {
            "decision": "block" if why.is_kept else "no block",
            "sentence": explanation.sentence,
            "steps": list(explanation.steps),
            "block": {"level": why.block.level, "type": why.block.type, "path": paths},
            "text": _block_text(answer.nodes, why),
            "in_gold": why.in_gold,
            "measure": why.measure,
            "f1": why.f1,
            "f1_if_turned": why.turned_f1,
            "why_no_f1": why.why_no_f1 or None,
        }
    else:
        assert isinstance(why, Why)
        result |= {
            "decision": "kept" if why.is_kept else "dropped",
            "sentence": why.sentence,
            "decisions": [
                {
                    "rule": each.rule.asks,
                    "kept": each.kept,
                    "value": _number(each.value),
                    "threshold": _number(each.threshold),
                    "parameters": list(each.rule.parameters),
                    "sentence": each.sentence,
                }
                for each in why.decisions
            ],
            "text": why.text,
            "in_gold": why.in_gold,
            "f1": why.f1,
            "f1_if_turned": why.turned_f1,
        }
    if answer.costs:
        costs = [{"name": name, "ms": round(ms, 1)} for name, ms in answer.costs]
        result["members"] = costs
    change = answer.turned.counterfactual
    return result | {
        "kept_elsewhere": [is_kept for _, is_kept in answer.elsewhere],
        "elsewhere": [text for text, _ in answer.elsewhere],
        "flip": None if change is None else asdict(change),
        "flip_runs": answer.turned.runs,
        "flip_is_complete": answer.turned.is_complete,
    }


def as_text(answer: Answer) -> str:
    """Return an explanation as lines to read."""
    explanation, why = answer.explanation, answer.explanation.why
    if isinstance(why, BlockWhy):
        assert answer.nodes is not None
        paths = ", ".join(answer.nodes.path(row) for row in why.block.rows)
        about = f"{paths} {quote_start(_block_text(answer.nodes, why))}"
        explanation = replace(explanation, text=about)
    lines = explanation.lines(answer.turned)
    costs = ", ".join(f"{name} {ms:.0f} ms" for name, ms in answer.costs)
    members = [f"  members on this page: {costs}"] if costs else []
    return "\n".join([*lines, f"  input: {answer.setup.source}", *members, *_places_text(answer)])


def _places_text(answer: Answer) -> list[str]:
    """Return where else the words stand, and the decision there; [] for one place."""
    others, why = answer.elsewhere, answer.explanation.why
    if not others:
        return []
    verbs = ("no block", "a block") if isinstance(why, BlockWhy) else ("dropped", "kept")
    said = [
        f"{verbs[is_kept]} in {quote_start(text, 60)}" for text, is_kept in others[:_MOST_PLACES]
    ]
    said += [f"{len(others) - _MOST_PLACES} more"] if len(others) > _MOST_PLACES else []
    places = f"The page has these words {len(others) + 1} times. This is the first; "
    places += f"{'the other' if len(others) == 1 else 'the others'}: {'; '.join(said)}."
    return [f"{places} Give more words around them to ask of another."]


def _block_text(nodes: NodeTable, why: BlockWhy) -> str:
    spans, whole = page_text(nodes).spans, page_text(nodes).text
    texts = (whole[slice(*spans[row].tolist())] for row in why.block.rows)
    return " ".join(filter(None, texts))


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
