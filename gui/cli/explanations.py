"""What a method decided on a place, and where it errs, as text and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from algorithms.differences import ErrorKind, TextError, text_errors, words_kept
from algorithms.flips import FlipResult
from algorithms.mapping import map_text
from algorithms.measures.text import score_words
from algorithms.measures.text_words import Words
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction
from algorithms.templates.site import Site
from algorithms.why import Asked, Why
from annotate.datasets.case_files import MarkedFiles, PageFiles
from annotate.gold import MAIN
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
        return file.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read as gold text: {error}") from error


def needs_marks(files: PageFiles) -> bool:
    """Whether a page's main content is marks, which need the rendered page."""
    return isinstance(files, MarkedFiles) and any(level == MAIN for level, _ in files.marked())


def words_of_text(source: Source, text: str) -> range:
    """Return which words of a source say a text; `InputError` if it is not there."""
    wanted = text.split()
    if not wanted:
        raise InputError("--text is empty: name some words of the page")
    words = source.words
    for first in range(len(words) - len(wanted) + 1):
        if words[first] == wanted[0] and list(words[first : first + len(wanted)]) == wanted:
            return range(first, first + len(wanted))
    lower, said = [word.casefold() for word in wanted], [word.casefold() for word in words]
    for first in range(len(said) - len(lower) + 1):
        if said[first] == lower[0] and said[first : first + len(lower)] == lower:
            return range(first, first + len(lower))
    raise InputError(f"the words {text!r} are not in what the method reads; try fewer of them")


def explain(
    entry: Method,
    page: Page,
    params: Params,
    source: Input,
    text: str,
    gold: str | None,
    site: Site | None = None,
) -> tuple[Why, FlipResult]:
    """Return why a method kept or dropped some words, and the smallest change that turns it."""
    if not entry.says_why or source == "rendered":
        raise InputError(f"{entry.key} cannot say why on the {source} page; it shows no decisions")
    reading = page.source(source)
    words = words_of_text(reading, text)
    wanted = None
    if gold is not None:
        wanted = words_kept(Extraction(reading, map_text(reading, gold).spans))
    asked = Asked(entry, reading, params, gold, wanted, site)
    why = asked.why(words[len(words) // 2])
    if why is None:
        raise InputError(f"{entry.key} decides nothing on {text!r}")
    return why, asked.flip(why, seconds=10.0)


def as_json(why: Why, turned: FlipResult, params: Params) -> dict[str, Any]:
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
        "decision": "kept" if why.kept else "dropped",
        "sentence": why.sentence,
        "decisions": decisions,
        "text": why.text,
        "in_gold": why.wanted,
        "f1": why.f1,
        "f1_if_turned": why.turned_f1,
        **flip_as_json(turned),
    }


def flip_as_json(turned: FlipResult) -> dict[str, Any]:
    """Return which change turns a decision, and on how many runs that rests, ready for JSON."""
    return {
        "flip": None if turned.flip is None else asdict(turned.flip),
        "flip_runs": turned.runs,
        "flip_is_complete": turned.is_complete,
    }


def as_text(why: Why, turned: FlipResult) -> str:
    """Return an explanation as lines to read."""
    lines = [f"{why.method} {why.sentence}", f'  about: "{_short(why.text)}"']
    if len(why.decisions) > 1:
        lines.append("  steps:")
        lines += [f"    {n}. {each.sentence}" for n, each in enumerate(why.decisions, start=1)]
    if why.f1 is not None and why.turned_f1 is not None:
        is_right = "right" if why.wanted == why.kept else "wrong"
        lines.append(
            f"  by the gold that is {is_right}: F1 {why.f1:.3f}, {why.turned_f1:.3f} "
            "if only this decision were turned"
        )
    return "\n".join([*lines, f"  {turned_by(turned)}"])


def turned_by(turned: FlipResult) -> str:
    """Return which change of a parameter turns a decision, and how much stands behind that."""
    flip = turned.flip
    if flip is None:
        return f"no change of a single parameter turned it {turned.basis}"
    score = "" if flip.f1 is None else f"; {flip.measure} of the page with it {flip.f1:.3f}"
    return (
        f"turned by {flip.parameter} {flip.before} → {flip.after}{score}; "
        f"no smaller change did {turned.basis}"
    )


def differences(extraction: Extraction, gold: str) -> tuple[tuple[TextError, ...], float]:
    """Return the errors of an extraction against a gold text, and its F1 (words in sequence)."""
    source = extraction.source
    wanted = Extraction(source, map_text(source, gold).spans)
    score = score_words(Words(extraction.text), Words(gold)).ws
    return text_errors(extraction, wanted), score.f1


def errors_as_text(errors: Sequence[TextError], f1: float) -> str:
    """Return errors as lines to read, one an error, in document order."""
    counts = {
        kind: sum(error.words for error in errors if error.kind is kind) for kind in ErrorKind
    }
    lines = [
        f"{'-' if error.kind is ErrorKind.MISSING else '+'} {error.words:>5}  {_short(error.text)}"
        for error in errors
    ]
    said = ", ".join(f"{plural(count, 'word')} {kind}" for kind, count in counts.items())
    return "\n".join([*lines, f"{plural(len(errors), 'error')}: {said}; F1 {f1:.3f}"])


def errors_as_json(errors: Sequence[TextError], f1: float) -> dict[str, Any]:
    """Return errors ready for JSON."""
    return {"f1": f1, "errors": [{**asdict(error), "words": error.words} for error in errors]}


def _short(text: str, letters: int = 90) -> str:
    line = " ".join(text.split())
    return line if len(line) <= letters else f"{line[: letters - 1]}…"


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
