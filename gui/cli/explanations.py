"""What a method decided on a text, and where it errs, as text and as JSON."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from algorithms.core.mapping import Unlocated, map_text, tokens_saying, unlocated
from algorithms.explain.counterfactuals import CounterfactualResult
from algorithms.explain.differences import ErrorKind, TextError, text_errors, words_kept
from algorithms.explain.explanations import explained_words
from algorithms.explain.why import TextQuery, Why
from algorithms.measures.text import score_words
from algorithms.measures.text_comparison import LEAST_ON_PAGE, share_on_page
from algorithms.measures.text_words import Words
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction
from algorithms.templates.site import Site
from annotate.datasets.case_files import MarkedFiles, PageFiles
from annotate.evaluation.tables.located import percent
from annotate.marks.gold import MAIN
from engine import bounded_file
from engine.errors import InputError
from engine.page import Input, Page
from engine.source import Source
from engine.words import plural


def gold_of(files: PageFiles, page: Page, file: Path | None = None) -> str | None:
    """Return the main content of a page as text; None where nobody marked any.

    Args:
        files: What was opened.
        page: It, rendered where its gold is marks.
        file: A text file that holds the gold, in place of what comes with the page.
    """
    if file is None:
        return files.text(lambda: page)
    try:
        return bounded_file.read_text(file)
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise InputError(f"{file} cannot be read as gold text: {error}") from error


def needs_marks(files: PageFiles) -> bool:
    """Whether a page's main content is marks, which need the rendered page."""
    return isinstance(files, MarkedFiles) and any(level == MAIN for level, _ in files.marked())


def words_of_text(source: Source, text: str) -> range:
    """Return the words of a source that contain a text; `InputError` if it is not there."""
    tokens = text.split()
    if not tokens:
        raise InputError("--text is empty: give some words of the page")
    words = source.words
    for first in range(len(words) - len(tokens) + 1):
        if words[first] == tokens[0] and list(words[first : first + len(tokens)]) == tokens:
            return range(first, first + len(tokens))
    lower, folded = [word.casefold() for word in tokens], [word.casefold() for word in words]
    for first in range(len(folded) - len(lower) + 1):
        if folded[first] == lower[0] and folded[first : first + len(lower)] == lower:
            return range(first, first + len(lower))
    found = tokens_saying(source, text)
    if found is not None:
        return found
    raise InputError(f"the words {text!r} are not in what the method reads; try fewer of them")


def explain(
    entry: Method,
    page: Page,
    params: Params,
    source: Input,
    text: str,
    gold: str | None,
    site: Site | None = None,
) -> tuple[Why, CounterfactualResult]:
    """Return why a method kept or dropped some words, and the smallest change that turns it."""
    if not entry.says_why or source == "rendered":
        raise InputError(f"{entry.key} gives no reasons on the {source} page")
    reading = page.source(source)
    words = words_of_text(reading, text)
    gold_words = None
    if gold is not None:
        mapped = map_text(reading, gold)
        located = Extraction(reading, mapped.spans, gold, mapped.unmapped)
        if share_on_page(located) >= LEAST_ON_PAGE:
            gold_words = words_kept(located)
    asked = TextQuery(entry, reading, params, gold, gold_words, site)
    why = asked.why(words[len(words) // 2])
    if why is None:
        raise InputError(f"{entry.key} decides nothing on {text!r}")
    return why, asked.counterfactual(why, seconds=10.0)


def as_json(why: Why, turned: CounterfactualResult, params: Params) -> dict[str, Any]:
    """Return an explanation ready for JSON; numbers that are none are null."""
    decisions = [
        {
            "rule": each.rule.asks,
            "kept": each.kept,
            "value": _number(each.value),
            "threshold": _number(each.threshold),
            "parameters": list(each.rule.parameters),
            "sentence": each.sentence,
        }
        for each in why.decisions
    ]
    return {
        "method": why.method,
        "parameters": params.as_dict(),
        "decision": "kept" if why.is_kept else "dropped",
        "sentence": why.sentence,
        "decisions": decisions,
        "text": why.text,
        "in_gold": why.in_gold,
        "f1": why.f1,
        "f1_if_turned": why.turned_f1,
        **counterfactual_as_json(turned),
    }


def counterfactual_as_json(turned: CounterfactualResult) -> dict[str, Any]:
    """Return which change turns a decision, and on how many runs that rests, ready for JSON."""
    return {
        "flip": None if turned.counterfactual is None else asdict(turned.counterfactual),
        "flip_runs": turned.runs,
        "flip_is_complete": turned.is_complete,
    }


def as_text(entry: Method, why: Why, turned: CounterfactualResult) -> str:
    """Return an explanation as lines to read."""
    return "\n".join(explained_words(entry, why).lines(turned))


@dataclass(frozen=True)
class Differences:
    """Differences between an extraction and its gold text.

    Attributes:
        errors: On the page, in document order.
        absent: Words of the gold that are not on the page.
        added: Words of the extract that are not on the page.
        gold_on_page: Share of the gold's words that are.
        f1: Of words in sequence.
    """

    errors: tuple[TextError, ...]
    absent: tuple[Unlocated, ...]
    added: tuple[Unlocated, ...]
    gold_on_page: float
    f1: float


def differences(extraction: Extraction, gold: str) -> Differences:
    """Compare an extraction with a gold text."""
    source = extraction.source
    mapped = map_text(source, gold)
    reference = Extraction(source, mapped.spans, gold, mapped.unmapped)
    return Differences(
        text_errors(extraction, reference),
        unlocated(source, gold) if mapped.unmapped else (),
        unlocated(source, extraction.text) if extraction.unmapped else (),
        share_on_page(reference),
        score_words(Words(extraction.text), Words(gold)).ws.f1,
    )


def errors_as_text(differences: Differences) -> str:
    """Return errors as lines to read, one an error: on the page in its order, then the others."""
    lines = [
        f"{'-' if error.kind is ErrorKind.MISSING else '+'} {error.words:>5}  {_short(error.text)}"
        for error in differences.errors
    ]
    counts = [
        f"{plural(sum(e.words for e in differences.errors if e.kind is kind), 'word')} {kind}"
        for kind in ErrorKind
    ]
    for sign, whose, runs in (
        ("-", "gold", differences.absent),
        ("+", "extract", differences.added),
    ):
        if runs:
            lines.append(f"Not on the page, of the {whose}:")
            lines += [f"{sign} {run.words:>5}  {_short(run.text)}" for run in runs]
            words = plural(sum(run.words for run in runs), "word")
            counts.append(f"{words} of the {whose} not on the page")
    total = plural(
        len(differences.errors) + len(differences.absent) + len(differences.added), "error"
    )
    lines.append(f"{total}: {', '.join(counts)}; F1 {differences.f1:.3f}")
    if differences.gold_on_page < LEAST_ON_PAGE:
        lines.append(
            f"only {percent(differences.gold_on_page)} of the gold is on the page: "
            "what is missing and superfluous there says little"
        )
    return "\n".join(lines)


def errors_as_json(differences: Differences) -> dict[str, Any]:
    """Return errors ready for JSON; what is not on the page has a place in the source, no words."""
    return {
        "f1": differences.f1,
        "gold_on_page": differences.gold_on_page,
        "errors": [{**asdict(error), "words": error.words} for error in differences.errors],
        "gold_not_on_page": [asdict(run) for run in differences.absent],
        "extract_not_on_page": [asdict(run) for run in differences.added],
    }


def _short(text: str, letters: int = 90) -> str:
    line = " ".join(text.split())
    return line if len(line) <= letters else f"{line[: letters - 1]}…"


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
